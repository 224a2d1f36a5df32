"""The commands of ``deduce cultist`` about whole games: play, bot, match, replay."""

from __future__ import annotations

import json
import os
import sys
import webbrowser
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import click

from deduce.commands.progress_bar import progress_bar
from deduce.completion import offering
from deduce.errors import BadInput
from deduce.events import read_text
from deduce.files import replace_file
from deduce.text import aligned, visible
from games.cultist.maps import new_state
from games.cultist.match import MatchGame, Standing, pairings, play_match, standing
from games.cultist.referee import Clock
from games.cultist.referee import play as play_game
from games.cultist.replay import Replay, format_replay, parse_replay
from games.cultist.searchers import BOTS, DEFAULT_BOT, make_bot
from games.cultist.show import Paint, board_text, turn_text, verdict

__all__ = ["paint", "play", "run_bot", "run_match", "show_replay"]

_COLOURS = ("bright_blue", "bright_red", "yellow")
_turn_option = click.option(
    "--time",
    "turn_ms",
    type=click.FloatRange(min=1),
    default=50.0,
    show_default=True,
    help="Milliseconds a turn.",
)
_first_option = click.option(
    "--first",
    "first_ms",
    type=click.FloatRange(min=1),
    default=1000.0,
    show_default=True,
    help="Milliseconds for a bot's first turn.",
)


def paint() -> Paint:
    """Return how to colour units: not at all in a pipe or where NO_COLOR is set."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return lambda text, owner: text
    return lambda text, owner: click.style(text, fg=_COLOURS[owner])


@click.command()
@click.option("--seed", type=int, default=0, show_default=True, help="The map's seed.")
@click.option(
    "--bot",
    "bot_name",
    default=DEFAULT_BOT,
    show_default=True,
    shell_complete=offering(lambda: BOTS),
    help="The opponent.",
)
@click.option("--side", type=click.IntRange(0, 1), default=0, show_default=True, help="Yours.")
@click.option("--save", type=click.Path(dir_okay=False), help="Write the replay to this file.")
def play(seed: int, bot_name: str, side: int, save: str | None) -> None:
    """Play against a bot in the terminal.

    \b
    Example:  deduce cultist play --bot greedy --seed 3 --save game.json

    You are A with --side 0, else B; "?" lists your orders and "quit" leaves the game.
    """  # noqa: D301  (click reads the backspace)
    from games.cultist.human import Human

    bot = make_bot(bot_name, seed)
    seats, names = [Human(_ask, click.echo, paint()), bot], ["you", bot_name]
    if side == 1:
        seats.reverse()
        names.reverse()
    try:
        played = play_game(new_state(seed), seats, names=(names[0], names[1]), seed=seed)
    finally:
        bot.close()
    replay = played.replay
    if replay.turns:
        click.echo(turn_text(replay.turns[-1], paint=paint()))
    click.echo(verdict(replay))
    if save is not None:
        replace_file(Path(save), format_replay(replay))
        click.echo(f"replay written to {save}", err=True)


def _ask(prompt: str) -> str:
    try:
        answer: str = click.prompt(prompt, prompt_suffix=" ", default="", show_default=False)
    except click.Abort:
        raise EOFError from None
    return answer


@click.command("bot")
@click.argument("name", default=DEFAULT_BOT, type=click.Choice(list(BOTS)), metavar="[NAME]")
@_turn_option
@_first_option
def run_bot(name: str, turn_ms: float, first_ms: float) -> None:
    """Speak the platform's protocol on standard input and output.

    \b
    Example:  deduce cultist match "deduce cultist bot uct" greedy --games 2

    NAME is alphabeta (default), uct, roots, roots-timed, points, careful, greedy or random. A
    turn that cannot be read is answered with WAIT and told on standard error.
    """  # noqa: D301  (click reads the backspace)
    from games.cultist.serve import serve

    clock = Clock(first_ms / 1000, turn_ms / 1000)
    if sys.stdin is None or sys.stdout is None:
        raise BadInput("a bot needs both standard input and standard output, and one is closed")
    lines = TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    serve(make_bot(name), lines, sys.stdout, sys.stderr or StringIO(), clock=clock)


@click.command("match")
@click.argument("first", metavar="BOT", shell_complete=offering(lambda: BOTS))
@click.argument("second", metavar="BOT", shell_complete=offering(lambda: BOTS))
@click.option(
    "--games", type=click.IntRange(min=1), default=20, show_default=True, help="How many games."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the first map.")
@_turn_option
@_first_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Games at a time; more than 1 needs the extra 'parallel'.",
)
@click.option("--save", type=click.Path(file_okay=False), help="Write replays to this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def run_match(
    first: str,
    second: str,
    games: int,
    seed: int,
    turn_ms: float,
    first_ms: float,
    jobs: int,
    save: str | None,
    *,
    as_json: bool,
) -> None:
    """Play a match of two bots, two games on each map with sides swapped.

    \b
    Example:  deduce cultist match alphabeta greedy --games 200 --jobs 2
              deduce cultist match ./my_bot "python3 other.py" --save replays

    BOT is alphabeta, uct, roots, roots-timed, points, careful, greedy, random, or a command line
    that speaks the platform's protocol. Who answers late or wrongly, or ends, has lost the game.
    Ctrl-C prints the table of the games that are finished.
    """  # noqa: D301  (click reads the backspace)
    clock = Clock(first_ms / 1000, turn_ms / 1000)
    for name in (first, second):
        make_bot(name).close()  # to tell at once, and here, that there is no such bot
    played: list[MatchGame] = []
    stopped = False
    with progress_bar("games", games) as advance:
        try:
            for game in play_match(pairings(first, second, games, seed), clock=clock, jobs=jobs):
                played.append(game)
                if save is not None:
                    _save(Path(save), game)
                so_far = standing(played)
                words = f"{so_far.wins} won, {so_far.draws} drawn, {so_far.losses} lost"
                advance(so_far.games, words)
        except KeyboardInterrupt:
            stopped = True
    result = standing(played)
    if stopped:
        click.echo(f"stopped after {result.games} of {games} games", err=True)
    click.echo(
        json.dumps(_match_json(first, second, seed, result))
        if as_json
        else _table(first, second, result)
    )


def _save(folder: Path, game: MatchGame) -> None:
    pairing = game.pairing
    name = f"game{pairing.number:04}-seed{pairing.seed}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot be made: {error.strerror}", source=str(folder)) from None
    replace_file(folder / name, format_replay(game.played.replay))


def _table(first: str, second: str, result: Standing) -> str:
    low, high = result.interval
    rows = [("", "won", "drawn", "lost", "score", "95 %", "lost by fault", "slowest", "ahead")]
    for bot, name in enumerate((first, second)):
        won, lost = (result.wins, result.losses)[:: -1 if bot else 1]
        score = 1 - result.score if bot else result.score
        ends = (1 - high, 1 - low) if bot else (low, high)
        depth = result.depth[bot]
        rows.append(
            (
                name,
                str(won),
                str(result.draws),
                str(lost),
                f"{score:.1%}",
                f"{ends[0]:.0%} to {ends[1]:.0%}",
                str(result.faults[bot]),
                f"{result.slowest[bot] * 1000:.0f} ms",
                "" if depth is None else f"{depth:.1f} turns",
            )
        )
    return "\n".join(aligned(rows))


def _match_json(first: str, second: str, seed: int, result: Standing) -> dict[str, Any]:
    return {
        "schema": "deduce/cultist-match/1",
        "bots": [first, second],
        "seed": seed,
        "games": result.games,
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "score": round(result.score, 4),
        "interval": [round(end, 4) for end in result.interval],
        "faults": list(result.faults),
        "slowest_ms": [round(1000 * seconds, 1) for seconds in result.slowest],
        "depth": [None if depth is None else round(depth, 2) for depth in result.depth],
    }


@click.command("replay")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--turn", "number", type=click.IntRange(min=0), help="Only this turn, from 0.")
@click.option("--html", type=click.Path(dir_okay=False), help="Write a page for the browser.")
@click.option("--open", "open_page", is_flag=True, help="Open the page; needs --html.")
def show_replay(file: str, number: int | None, html: str | None, *, open_page: bool) -> None:
    """Print a replay turn by turn, or write it as one HTML page.

    \b
    Example:  deduce cultist replay game.json --html game.html
              deduce cultist replay game.json --turn 12

    FILE is a replay that match or play saved, or "-".
    """  # noqa: D301  (click reads the backspace)
    text, source = read_text(file)
    replay = parse_replay(text, source=source)
    if open_page and html is None:
        raise click.UsageError("--open needs --html FILE")
    if html is not None:
        from games.cultist.page import replay_page

        replace_file(Path(html), replay_page(replay))
        click.echo(f"page written to {html}", err=True)
        if open_page:
            webbrowser.open(Path(html).resolve().as_uri())
        return
    click.echo(_replay_text(replay, number))


def _replay_text(replay: Replay, number: int | None) -> str:
    colours = paint()
    if number is None:
        shown = [board_text(replay.start, paint=colours)]
        shown += [turn_text(turn, paint=colours) for turn in replay.turns]
        names = visible(f"A {replay.names[0]}, B {replay.names[1]}")
        return "\n\n".join([names, *shown, verdict(replay)])
    for turn in replay.turns:
        if turn.before.turn == number:
            return turn_text(turn, paint=colours)
    raise click.UsageError(f"the replay has {len(replay.turns)} turns, counted from 0")
