"""The commands that play whole games: ``play`` and ``simulate``."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

import click
from attrs import asdict, define

from deduce.cli.complete import offering
from deduce.cli.dialogue import Dialogue, command_of, run
from deduce.cli.numbers import MAX_GAMES, whole_option
from deduce.cli.output import end_undecided, json_option, print_answer, take_all
from deduce.errors import BadInput, Interrupted
from deduce.logs.document import History
from deduce.show.table import Table
from deduce.system.files import locked, read_text, replace_file
from deduce.system.text import plural
from games.propre.cli import OPEN, SEED, SET, SETTINGS, make_rules, require_computers, think_option
from games.propre.players import PLAYERS, Player, Seat, Tally, advise, find_player
from games.propre.players import simulate as simulate_games
from games.propre.playthrough import Playthrough
from games.propre.rules import Rules
from games.propre.setup import Saying, parse_cards
from games.propre.show import (
    YOU,
    advice_text,
    answer_table,
    event_text,
    hand_text,
    refusals,
    table_text,
    unseen_table,
)
from games.propre.wording import parse_option

__all__ = ["PlayDialogue", "play", "simulate"]


HELP = """Type an option (attack 2h, ten TS mv+1, ace AC h, normal 9D horizontal, swap, none), or:
  options      all your options         why 7D     why a card may or may not be played
  hint         the sampling player      unseen     where the other cards may be
  undo, redo   your last option         show       the table
  save FILE    quit                     help or ?  this text"""
TALK = """
  say card     announces a last card; "say last card" or a wrong name of the game costs a card,
               unless it is desired: say last card, desired"""
COMMANDS = (
    "help", "options", "why", "hint", "unseen", "undo", "redo", "show", "say", "save", "quit",
)  # fmt: skip


@define
class PlayDialogue(Dialogue):
    """The dialogue of a person with computers at the table.

    A line is an option or a command. After an option the computers play until the person is at
    turn again; an undo takes all of that back.

    Parameters
    ----------
    history
        The game, with the moments before the person's options.
    players
        The computer at each seat; ``None`` is the person.
    random
        The source of draws and of the computers' choices.
    seconds
        How long a computer may search for an option.
    open_hands
        Whether all players see all cards.
    path
        The file in which the game is saved after each option, if any.
    """

    history: History[Playthrough]
    players: Sequence[Player | None]
    random: Random
    seconds: float = 1.0
    open_hands: bool = False
    path: Path | None = None
    left: bool = False
    """Whether the person has quit."""

    @property
    def game(self) -> Playthrough:
        """The game as it is now."""
        return self.history.now

    @property
    def names(self) -> list[str]:
        """The names of the seats: `YOU`, or by number."""
        return [
            YOU if player is None else f"seat {seat}" for seat, player in enumerate(self.players)
        ]

    @property
    def prompt(self) -> str:
        """The seat of the person."""
        return f"seat {self.players.index(None)}> "

    @property
    def is_over(self) -> bool:
        """Whether the game is over or the person has quit."""
        return self.left or self.game.state.winner >= 0

    def greeting(self) -> Iterable[str]:
        """Return where the person sits, and the help."""
        return [f"You are at seat {self.players.index(None)}. {self._help}"]

    @property
    def _help(self) -> str:
        return HELP + TALK if self.game.rules.talk else HELP

    def opening(self) -> Iterator[str]:
        """Yield what happens before the person's first option, and the table."""
        game = yield from self._computers(self.game)
        self.history = History(game, self.history.past, self.history.future)
        yield from self._table()

    def answer(self, line: str) -> Iterator[str]:
        """Yield the answer to a command, or what happens after an option.

        Raises
        ------
        BadInput
            The line is neither a command nor a legal option.
        """
        command = command_of(line or "help", COMMANDS)
        if command is not None:
            yield from self._command(*command)
            return
        game = self.game
        option = parse_option(line, game.rules, game.state)
        yield event_text(game.state, option, seen=True, names=self.names)
        yield from self._to(game.play(option))

    def _to(self, game: Playthrough) -> Iterator[str]:
        """Yield what follows a step of the person, up to their next turn."""
        after = yield from self._computers(game)
        self.history = self.history.to(after)
        self.autosave()
        yield from self._table()

    def autosave(self) -> None:
        """Save the game, if it has a file."""
        if self.path is not None:
            replace_file(self.path, self.game.text())

    def _command(self, name: str, rest: str) -> Iterator[str]:
        rules, state = self.game.rules, self.game.state
        seen = self.game.observations[state.active]
        if name == "quit":
            self.left = True
        elif name in ("undo", "redo"):
            self.history = self.history.undo() if name == "undo" else self.history.redo()
            self.autosave()
            yield from self._table()
        elif name == "show":
            yield from self._table()
        elif name == "say":
            after = self.game.say(state.active, Saying.parse(rest), self.random)
            yield event_text(state, after.steps[-1][1], seen=True, names=self.names)
            yield from self._to(after)
        elif name == "save":
            if not rest:
                raise BadInput("save where? Type: save FILE")
            replace_file(Path(rest), self.game.text())
            yield f"saved to {rest}"
        elif name == "why":
            cards = parse_cards(rest)
            if len(cards) != 1:
                raise BadInput("which card? Type for example: why 7D")
            yield from refusals(rules, state, cards[0])
        elif name == "unseen":
            yield str(unseen_table(seen))
        elif name == "hint":
            yield advice_text(seen, advise(seen, seconds=self.seconds))
            answers = seen.answers()
            if answers:
                yield str(answer_table(answers))
        else:
            if name == "help":
                yield self._help
            yield f"your options: {', '.join(map(str, rules.options(state)))}"

    def _computers(self, game: Playthrough) -> Generator[str, None, Playthrough]:
        """Yield each draw and option until the person is at turn; return the game then."""
        while game.state.winner < 0:
            state = game.state
            player = self.players[state.active]
            if state.due:
                card = self.random.choice(state.stock)
                game = game.draw(card)
                seen = self.open_hands or player is None
                yield event_text(state, card, seen=seen, names=self.names)
            elif player is None:
                break
            else:
                open_state = state if self.open_hands else None
                observation = game.observations[state.active]
                option = player(Seat(observation, self.random, self.seconds, open_state))
                game = game.play(option)
                yield event_text(state, option, seen=False, names=self.names)
        return game

    def _table(self) -> Iterator[str]:
        """Yield the table as the person may see it with their hand, or the end of the game."""
        rules, state = self.game.rules, self.game.state
        over = state.winner >= 0
        seen = self.game.observations[self.players.index(None)].state
        yield table_text(state if over or self.open_hands else seen, names=self.names)
        if over:
            name = self.names[state.winner]
            yield f"{name} {'have' if name == YOU else 'has'} won"
        else:
            yield f"      {hand_text(rules, state)}   ([..] may be played)"


@click.command(epilog=SETTINGS)
@click.option(
    "--against",
    multiple=True,
    shell_complete=offering(lambda: PLAYERS),
    metavar="PLAYER",
    help="random, greedy, search (with --open) or sampling; one for each seat  [default: greedy]",
)
@whole_option("--seat", low=0, default=0, help="Your seat, counted from 0.")
@OPEN
@think_option(default=1.0)
@click.option(
    "--save",
    "path",
    metavar="FILE",
    type=click.Path(),
    help="Save the game in this file after each option.",
)
@click.option("--resume", metavar="FILE", type=click.Path(), help="Continue a saved game.")
@SEED
@SET
def play(
    *,
    against: tuple[str, ...],
    seat: int,
    open_hands: bool,
    think: float,
    path: str | None,
    resume: str | None,
    seed: int,
    settings: tuple[str, ...],
) -> None:
    """Play against computers.

    \b
    Example:  deduce propre play
              deduce propre play --against sampling --save evening.jsonl
              deduce propre play --resume evening.jsonl

    Cards that you may play are in brackets. Type an option (2h, ace AC h, none), or: options, why
    7D, hint, unseen, undo, redo, show, save FILE, help, quit; with --set talk=yes also: say WORDS,
    such as "say last card", which costs a card unless you add "desired". Ctrl-C while a computer
    searches takes your option back. Lines may come through a pipe.
    """  # noqa: D301
    random = Random(seed)
    game = None
    if resume is not None:
        if settings:
            raise click.UsageError("a saved game has its own set-up: use --resume without --set")
        game = Playthrough.parse(*read_text(resume))
        path = path or (None if resume == "-" else resume)
    if path is not None:
        click.get_current_context().with_resource(locked(Path(path)))
    rules = game.rules if game else make_rules(settings, players=max(2, len(against) + 1))
    players = _seated(rules, against, seat, open_hands=open_hands)
    game = game or Playthrough.dealt(rules, random)
    file = None if path is None else Path(path)
    dialogue = PlayDialogue(game.history(seat), players, random, think, open_hands, file)
    try:
        run(dialogue)
    finally:
        dialogue.autosave()
    if path:
        click.echo(f"the game is in {path}; continue with --resume {path}", err=True)


def _seated(
    rules: Rules, against: Sequence[str], seat: int, *, open_hands: bool
) -> list[Player | None]:
    """Return the computer at each seat, ``None`` at the person's."""
    names = list(against) or ["greedy"]
    require_computers(rules, names, open_hands=open_hands)
    if not 0 <= seat < rules.players:
        raise click.UsageError(f"seats are 0 to {rules.players - 1}, not {seat}")
    if len(names) > rules.players - 1:
        raise click.UsageError(f"there are {rules.players - 1} opponents, not {len(names)}")
    players = [find_player(name) for name in names]
    players += players[-1:] * (rules.players - 1 - len(players))
    return [*players[:seat], None, *players[seat:]]


@click.command(epilog=SETTINGS)
@click.argument(
    "names", nargs=-1, required=True, metavar="PLAYER...", shell_complete=offering(lambda: PLAYERS)
)
@whole_option("--games", low=1, high=MAX_GAMES, default=100, help="How many games.")
@OPEN
@think_option(default=0.2)
@SEED
@SET
@json_option
def simulate(
    names: tuple[str, ...],
    *,
    games: int,
    open_hands: bool,
    think: float,
    seed: int,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Let computers play against each other.

    \b
    Example:  deduce propre simulate greedy random --games 200
              deduce propre simulate search greedy --open --games 20

    A PLAYER is random, greedy, search (open hands only) or sampling; name one for each seat, 2 to
    5. The players change seats after each game. Ctrl-C shows the table of the games so far.
    """  # noqa: D301
    rules = make_rules(settings, players=len(names))
    require_computers(rules, names, open_hands=open_hands)
    if rules.players != len(names):
        named = plural(len(names), "player")
        raise click.UsageError(f"{named} named, but players={rules.players}")
    outcomes: list[tuple[int, int]] = []
    simulated = simulate_games(
        rules, names, games=games, seed=seed, open_hands=open_hands, seconds=think
    )
    is_whole = take_all(simulated, "games", games, outcomes.append)
    totals = Tally.of(names, outcomes)
    document = {"schema": "deduce/propre-simulation/1", **asdict(totals)}
    print_answer(document, [_table(totals)], as_json=as_json)
    if not is_whole:
        so_far = f"interrupted after {len(outcomes)} of {plural(games, 'game')}"
        end_undecided(Interrupted(so_far))


def _table(totals: Tally) -> Table:
    rows = [
        [f"{number} {name}", str(wins), f"{wins / max(1, totals.games):.0%}"]
        for number, (name, wins) in enumerate(zip(totals.names, totals.wins, strict=True), 1)
    ]
    decisions = plural(totals.median_decisions, "decision")
    notes = [f"{plural(totals.games, 'game')}, median {decisions}"]
    if totals.given_up:
        notes.append(f"{totals.given_up} given up because they did not end")
    return Table(("player", "won", "share"), rows, notes=tuple(notes))
