"""The commands of ``deduce cultist`` about whole games: play, bot, match, replay."""

from __future__ import annotations

import sys
import webbrowser
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from io import StringIO, TextIOWrapper
from pathlib import Path

import click

from deduce.cli.complete import offering
from deduce.cli.dialogue import Dialogue, command_of, run
from deduce.cli.endings import EXIT_INTERRUPTED
from deduce.cli.numbers import MAX_GAMES, Seconds, jobs_option, whole_option
from deduce.cli.output import json_option, print_answer, take_all
from deduce.errors import BadInput
from deduce.show.table import Table
from deduce.system.files import locked, read_text, replace_file
from deduce.system.text import plural, visible
from games.cultist.cli import neutrals_option, paint, seed_option
from games.cultist.events import BadOrder, Turn, play_turn
from games.cultist.match import (
    Played,
    Standing,
    TimedBot,
    make_bot,
    play_match,
    standing,
)
from games.cultist.players import BOTS, DEFAULT_BOT, Bot, BotFailed, TimeLimits
from games.cultist.replay import Fault, Replay, format_replay, parse_replay
from games.cultist.rules import actions, is_over
from games.cultist.setup import OWNER_NAMES, Neutrals, State, new_state
from games.cultist.wording import Paint, board_text, sentence, turn_text, verdict

__all__ = ["GameDialogue", "play", "run_bot", "run_match", "show_replay"]


_milliseconds = partial(click.option, type=Seconds(1, open_below=False), show_default=True)
_turn_option = _milliseconds("--time", "turn_ms", default=50.0, help="Milliseconds per turn.")
_first_option = _milliseconds(
    "--first", "first_ms", default=1000.0, help="Milliseconds for a bot's first turn."
)


@click.command()
@seed_option(help="Seed of the map.")
@click.option(
    "--bot",
    "bot_name",
    default=DEFAULT_BOT,
    show_default=True,
    shell_complete=offering(lambda: BOTS),
    help="The opponent.",
)
@whole_option("--side", low=0, high=1, default=0, help="Your side.")
@neutrals_option
@click.option("--save", type=click.Path(dir_okay=False), help="Write the replay to this file.")
def play(seed: int, bot_name: str, side: int, neutrals: Neutrals, save: str | None) -> None:
    """Play against a bot in the terminal.

    \b
    Example:  deduce cultist play --bot greedy --seed 3 --save game.json

    You play A with --side 0 and B with --side 1. Type an order such as 0 MOVE 3 3; "help" or "?"
    lists your orders, "board" shows the board and "quit" leaves the game. Ctrl-C while the bot is
    searching takes back your order.
    """  # noqa: D301  (click reads the backspace)
    bot = make_bot(bot_name, seed)
    try:
        game = GameDialogue(new_state(seed, neutrals), bot, side, paint=paint(), show=click.echo)
        code = run(game)
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    finally:
        bot.close()
    game.leave()
    replay = game.replay(("you", bot_name) if side == 0 else (bot_name, "you"), seed)
    click.echo(verdict(replay))
    if save is not None:
        replace_file(Path(save), format_replay(replay))
        click.echo(f"replay written to {save}", err=True)
    click.get_current_context().exit(code)


@click.command("bot")
@click.argument("name", default=DEFAULT_BOT, type=click.Choice(list(BOTS)), metavar="[NAME]")
@_turn_option
@_first_option
@neutrals_option
def run_bot(name: str, turn_ms: float, first_ms: float, neutrals: Neutrals) -> None:
    """Run a bot that uses the platform's protocol.

    \b
    Example:  deduce cultist match "deduce cultist bot uct" greedy --games 2

    The bot reads standard input and writes its orders to standard output. NAME is alphabeta
    (default), uct, roots, roots-timed, points, careful, greedy or random. A turn that cannot be
    read is answered with WAIT and reported on standard error. The protocol does not state how
    neutrals move, so --neutrals must match the game.
    """  # noqa: D301  (click reads the backspace)
    from games.cultist.protocol import serve

    limits = TimeLimits(first_ms / 1000, turn_ms / 1000)
    if sys.stdin is None:
        raise BadInput("a bot needs standard input, which is closed")
    lines = TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    log = sys.stderr or StringIO()
    serve(make_bot(name), lines, sys.stdout, log, limits=limits, neutrals=neutrals)


@click.command("match")
@click.argument("first", metavar="BOT", shell_complete=offering(lambda: BOTS))
@click.argument("second", metavar="BOT", shell_complete=offering(lambda: BOTS))
@whole_option("--games", low=1, high=MAX_GAMES, default=20, help="Number of games.")
@seed_option(help="Seed of the first map.")
@neutrals_option
@_turn_option
@_first_option
@jobs_option("Games at the same time; more than 1 needs the extra 'parallel'.")
@click.option("--save", type=click.Path(file_okay=False), help="Write replays to this folder.")
@json_option
def run_match(
    first: str,
    second: str,
    games: int,
    seed: int,
    neutrals: Neutrals,
    turn_ms: float,
    first_ms: float,
    jobs: int,
    save: str | None,
    *,
    as_json: bool,
) -> None:
    """Play a match of two bots and print the results.

    \b
    Example:  deduce cultist match alphabeta greedy --games 200 --jobs 2
              deduce cultist match ./my_bot "python3 other.py" --save replays
              deduce cultist match uct greedy --neutrals statement

    There are two games on each map, with sides swapped. BOT is alphabeta, uct, roots, roots-timed,
    points, careful, greedy, random, or the command line of a program with the platform's protocol.
    A bot that answers late, sends an invalid order or exits loses the game. Ctrl-C prints the
    results of the finished games and ends with exit code 130.
    """  # noqa: D301  (click reads the backspace)
    limits = TimeLimits(first_ms / 1000, turn_ms / 1000)
    for name in (first, second):
        make_bot(name).close()  # so that an unknown bot is an error before the first game
    if save is not None:
        try:
            Path(save).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"cannot be created: {error.strerror}", source=save) from None
        click.get_current_context().with_resource(locked(Path(save)))
    played: list[Played] = []
    points = Counter[float]()

    def take(game: Played) -> str:
        played.append(game)
        points[game.points(0)] += 1
        if save is not None:
            name = f"game{game.number:04}-seed{game.replay.seed}.json"
            replace_file(Path(save) / name, format_replay(game.replay))
        return f"{points[1.0]} won, {points[0.5]} drawn, {points[0.0]} lost"

    match = play_match(first, second, games, seed=seed, neutrals=neutrals, limits=limits, jobs=jobs)
    is_whole = take_all(match, "games", games, take)
    both = standing(played), standing(played, 1)
    document = {
        "schema": "deduce/cultist-match/1",
        "bots": [first, second],
        "seed": seed,
        **({} if neutrals == "referee" else {"neutrals": neutrals}),
        "games": len(played),
        "wins": both[0].wins,
        "draws": both[0].draws,
        "losses": both[0].losses,
        "score": round(both[0].score, 4),
        "interval": [round(end, 4) for end in both[0].interval],
        "faults": [bot.faults for bot in both],
        "slowest_ms": [round(1000 * bot.slowest, 1) for bot in both],
        "depth": [None if bot.depth is None else round(bot.depth, 2) for bot in both],
    }
    head = ("", "won", "drawn", "lost", "score", "95 %", "lost by fault", "slowest", "ahead")
    table = Table(head, [_row(first, both[0]), _row(second, both[1])])
    print_answer(document, [table], as_json=as_json)
    if not is_whole:
        click.echo(f"interrupted after {len(played)} of {plural(games, 'game')}", err=True)
        click.get_current_context().exit(EXIT_INTERRUPTED)


def _row(name: str, bot: Standing) -> tuple[str, ...]:
    low, high = bot.interval
    return (
        name,
        *map(str, (bot.wins, bot.draws, bot.losses)),
        f"{bot.score:.1%}",
        f"{low:.0%} to {high:.0%}",
        str(bot.faults),
        f"{bot.slowest * 1000:.0f} ms",
        "" if bot.depth is None else f"{bot.depth:.1f} turns",
    )


@click.command("replay")
@click.argument("file", metavar="FILE", type=click.Path())
@whole_option("--turn", "turn_number", low=0, help="Print only this turn; the first is 0.")
@click.option("--html", type=click.Path(dir_okay=False), help="Write an HTML page.")
@click.option("--open", "open_page", is_flag=True, help="Open the page; needs --html.")
def show_replay(file: str, turn_number: int | None, html: str | None, *, open_page: bool) -> None:
    """Print a replay turn by turn, or write it as one HTML page.

    \b
    Example:  deduce cultist replay game.json --html game.html
              deduce cultist replay game.json --turn 12

    FILE is a replay that "match" or "play" has saved, or "-" for standard input. It states how
    the neutrals moved, and the seed of their random steps.
    """  # noqa: D301  (click reads the backspace)
    text, source = read_text(file)
    replay = parse_replay(text, source=source)
    if open_page and html is None:
        raise click.UsageError("--open needs --html FILE")
    if html is not None:
        from games.cultist.show import replay_page

        replace_file(Path(html), replay_page(replay))
        click.echo(f"page written to {html}", err=True)
        if open_page:
            webbrowser.open(Path(html).resolve().as_uri())
        return
    click.echo(_replay_text(replay, turn_number))


def _replay_text(replay: Replay, turn_number: int | None) -> str:
    colours = paint()
    if turn_number is None:
        shown = [board_text(replay.start, paint=colours)]
        shown += [turn_text(turn, paint=colours) for turn in replay.turns]
        names = visible(f"A {replay.names[0]}, B {replay.names[1]}")
        return "\n\n".join([names, *shown, verdict(replay)])
    for turn in replay.turns:
        if turn.before.turn == turn_number:
            return turn_text(turn, paint=colours)
    raise click.UsageError(f"the replay has {plural(len(replay.turns), 'turn')}, counted from 0")


HELP = "type an order such as 0 MOVE 3 3, or: help (or ?) for all orders, board, quit"


class GameDialogue(Dialogue):
    """A game against a bot: each line is an order of the person, and the bot answers it.

    Parameters
    ----------
    start
        The first state.
    bot
        The opponent. It is not closed.
    side
        The side of the person, 0 or 1.
    paint
        Colours units by their owner.
    show
        Prints a board, which may contain colours.
    """

    def __init__(
        self, start: State, bot: Bot, side: int, *, paint: Paint, show: Callable[[str], object]
    ) -> None:
        self.start = self.state = start
        self.orders: list[str] = []
        self.fault: Fault | None = None
        self._bot, self._side, self._paint, self._show = TimedBot(bot), side, paint, show
        if side == 1:
            self._bot_turn()

    @property
    def prompt(self) -> str:
        """The side of the person."""
        return f"{OWNER_NAMES[self._side]}> "

    @property
    def is_over(self) -> bool:
        """Whether the game is over, or one of the players has left it."""
        return self.fault is not None or is_over(self.state)

    def greeting(self) -> Iterator[str]:
        """Show the help and the first board of the person."""
        yield f"You are {OWNER_NAMES[self._side]}; {HELP}"
        self._show_board()

    def answer(self, line: str) -> Iterator[str]:
        """Play an order and the bot's reply, or follow a command.

        Raises
        ------
        BadOrder
            The referee would not accept the order; the game goes on.
        """
        command = command_of(line, ("help", "board", "quit"))
        if command is not None and command[0] == "quit":
            self.leave()
        elif command is not None and command[0] == "board":
            self._show_board()
        elif command is not None or not line.strip():
            yield HELP
            yield f"orders: {', '.join(map(str, actions(self.state)))}"
        else:
            yield sentence(self._take(line.strip().upper()))
            self._reply()

    def leave(self) -> None:
        """End an unfinished game: the person loses it."""
        if not self.is_over:
            self.fault = Fault("left the game")

    def replay(self, names: tuple[str, str], seed: int) -> Replay:
        """Return the game so far."""
        return Replay(self.start, tuple(self.orders), names, seed, self.fault)

    def _reply(self) -> None:
        """Let the bot play its turn; a Ctrl-C during it takes back the person's order."""
        before = len(self.orders) - 1
        try:
            turn = None if self.is_over else self._bot_turn()
        except KeyboardInterrupt:
            self.state = self.replay(("", ""), 0).turns[before].before
            del self.orders[before:]
            raise
        if turn is not None:
            self._show(turn_text(turn, paint=self._paint))

    def _take(self, order: str) -> Turn:
        turn = play_turn(self.state, order)
        self.orders.append(order)
        self.state = turn.after
        return turn

    def _bot_turn(self) -> Turn | None:
        try:
            return self._take(self._bot.order(self.state))
        except (BotFailed, BadOrder) as error:
            self.fault = Fault(str(error), error.text)
            return None

    def _show_board(self) -> None:
        self._show(board_text(self.state, paint=self._paint))
