"""The command ``deduce cluedo play``: a person against programs, or programs alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import SystemRandom
from typing import Any

import click
from attrs import define, evolve, field
from click.core import ParameterSource

from deduce.budget import STANDARD, Budget
from deduce.cli import Ask
from deduce.cli.ask import options
from deduce.cli.dialogue import Dialogue, command_of, on_terminal, run
from deduce.cli.endings import EXIT_INTERRUPTED
from deduce.cli.numbers import MAX_SAMPLES, seconds_option, whole_option
from deduce.cli.output import end_with, usage
from deduce.errors import BadInput
from deduce.show.sheet import grid_of
from deduce.show.table import Table
from deduce.system.files import locked
from deduce.system.text import join, pick, plural, whole_number
from games.cluedo.cli import LOOK, cluedo
from games.cluedo.cli.new import deck_options, set_up
from games.cluedo.cli.tournament import ROOMS_OPTION, SET_UP_FILE, TURNS_OPTION, read_setup
from games.cluedo.events import Suggestion
from games.cluedo.game import Cluedo
from games.cluedo.names import Names, quote, tokens
from games.cluedo.notation import ACCUSE, SHOW, SUGGEST, format_event
from games.cluedo.players.evening import Evening, save_path
from games.cluedo.players.table import ToAccuse, ToShow, ToSuggest, check_table
from games.cluedo.show import deal_text, sheet_table

__all__ = ["PlayDialogue", "WatchDialogue", "play"]


Answer = Iterator[str | Table]

HELP = """\
plum rope hall           when you are asked to suggest: one card of each category
rope                     when you are asked to show a card: one of those that you have
accuse plum rope hall    after the answers to your suggestion; an empty line ends your turn
hint                     rank what you can do now
sheet, solution          show your sheet; rank the solutions
why CARD=HOLDER          why is it certain, impossible or open?
advise [ROOMS]           rank your suggestions, of these rooms only if any are named
minds [PLAYER]           what the opponents know
hand, log                show your cards; show what has happened, numbered
help, quit               show this; leave (with a LOG the same command continues the game)
Names may be abbreviated as long as they are unambiguous; commands may be typed with a colon."""
COMMANDS = ("why", "advise", "minds", "solution")
"""What is answered as on the command line; the first three may have an argument."""
NO = {"no", "pass", "wait", "next", "done", "-"}
"""What ends a turn without an accusation, beside an empty line."""
SUBJECTS = {"i", "me"}
MAX_HINTS = "3"
"""How many suggestions a hint lists."""


@define
class PlayDialogue(Dialogue):
    """A person's dialogue with the table.

    Parameters
    ----------
    evening
        The game; it is saved before the person is asked.
    shows_sheet
        Whether the sheet is shown whenever the person is asked.
    options
        How the knowledge is computed: engine and budget.
    """

    evening: Evening
    shows_sheet: bool = False
    options: Mapping[str, Any] = field(factory=dict)
    is_over: bool = field(default=False, init=False)
    is_alone: bool = field(default=False, init=False)
    """Whether no person types, so that programs play to the end."""
    shown: int = field(default=0, init=False)
    """How many events the person has been shown."""

    @property
    def prompt(self) -> str:
        """What is asked."""
        match self.evening.question:
            case ToShow():
                return "show> "
            case ToAccuse():
                return "accuse? "
            case _:
                return "suggest> "

    @property
    def game(self) -> Cluedo:
        """The set-up."""
        return self.evening.game

    def greeting(self) -> Iterable[str]:
        """Return how to begin."""
        return ["help shows what to type"]

    def opening(self) -> Answer:
        """Yield who plays, the person's cards, and what happens before the first question."""
        yield from self._seats()
        self.shown = 1  # the hand
        yield from self._hand()
        if self.game.face_up:
            yield f"face up: {', '.join(self.game.face_up)}"
        if self.game.undealt:
            yield f"{plural(self.game.undealt, 'card')} not dealt"
        yield from self._news()
        yield from self._go_on()

    def answer(self, line: str) -> Answer:
        """Yield the answer to a command, or what happens after an answer to the question.

        Raises
        ------
        BadInput
            The line is neither a command nor an answer; the question is still open.
        """
        typed = line.strip()
        command = self._command(typed)
        if command is not None:
            name, rest = command
            if name in ANSWERS:
                yield from ANSWERS[name](self)
            else:
                first = LOOK.short.get(name, name).split()[1:]
                self._run(name, *first, rest) if rest or name == "why" else self._run(name)
        elif not self.evening.is_mine:  # the answer before was interrupted
            yield from self._go_on()
        elif not typed and not isinstance(self.evening.question, ToAccuse):
            yield from self._ask()
        elif not typed.startswith("#"):
            self.evening.table.answer(self._read(typed))
            yield from self._news()
            yield from self._go_on()

    # The game

    def _seats(self) -> Answer:
        """Yield who plays."""
        bots, sizes = self.evening.bots, self.game.hands or ()
        seats = (
            f"{name} ({bots.get(name, 'you')}, {plural(size or 0, 'card')})"
            for name, size in zip(self.game.players, sizes, strict=True)
        )
        yield f"players in seat order: {', '.join(seats)}"

    def _go_on(self) -> Answer:
        """Let the programs play, save, and ask the person."""
        for _ in self.evening.proceed():
            yield from self._news()
        self.evening.save()
        if self.evening.question is None:
            yield from self._end()
            return
        if self.shows_sheet and not isinstance(self.evening.question, ToAccuse):
            yield self._sheet(self.evening.me)
        yield from self._ask()

    def _news(self) -> Answer:
        """Yield the events that were not shown yet as in the log, with their numbers."""
        for event in self.evening.events()[self.shown :]:
            self.shown += 1
            yield f"{self.shown}. {format_event(self.game, event)}"

    def _end(self) -> Answer:
        """Yield how the game ended, and all cards."""
        table = self.evening.table
        after = f"after {plural(table.turns, 'turn')}."
        if table.winner is None:
            reason = {"all out": "all players are out", "turn limit": "the turn limit is reached"}
            yield f"No player wins: {reason[str(table.end)]}, {after}"
        else:
            yield f"{table.winner} wins {after}"
        yield deal_text(self.evening.knowledge(), self.evening.deal)
        self.is_over = True

    def _ask(self) -> Answer:
        """Yield the question."""
        match self.evening.question:
            case ToSuggest(_, rooms):
                *_, (category, cards) = self.game.deck.items()
                yield "Your turn. What do you suggest?"
                if len(rooms) < len(cards):
                    yield f"{category} in reach: {', '.join(rooms)}"
            case ToShow(_, suggestion, cards):
                yield format_event(self.game, suggestion)
                yield f"Which card do you show, {join(cards, 'or')}?"
            case ToAccuse():
                yield "Do you accuse? `accuse` and the cards, or an empty line to end your turn."

    def _read(self, typed: str) -> Any:
        """Return what the line answers to the question."""
        match self.evening.question:
            case ToSuggest(_, rooms):
                return self._suggested(typed, rooms)
            case ToShow(_, _, cards):
                named = [token for token in tokens(typed) if token.word not in {*SHOW, *SUBJECTS}]
                return Names("card that you can show", cards).find(named)
            case _:
                return self._accused(typed)

    def _suggested(self, typed: str, rooms: Sequence[str]) -> tuple[str, ...]:
        words = tokens(typed)
        if any(word.word in ACCUSE for word in words):
            raise BadInput("suggest first; you can accuse after the answers to your suggestion")
        complete = any(word.kind == ":" or word.word in SUGGEST for word in words)
        event = self._event(typed, "" if complete else "me: ")
        if not isinstance(event, Suggestion) or event.by != self.evening.me:
            raise BadInput("it is your turn to suggest; for example: plum rope hall")
        if event.passes or event.shows:
            raise BadInput("name only the cards; the others answer by themselves")
        *_, last = self.game.deck.values()
        away = [card for card in event.cards if card in last and card not in rooms]
        if away:
            raise BadInput(f"{away[0]} cannot be reached now, only {join(rooms, 'or')}")
        return event.cards

    def _accused(self, typed: str) -> tuple[str, ...] | None:
        words = tokens(typed)
        if not words or (len(words) == 1 and (words[0].word in NO or words[0].kind == "-")):
            return None
        verb = next((word for word in words[:2] if word.word in ACCUSE), None)
        if verb is None:
            raise BadInput("type `accuse` and the cards, or an empty line to end your turn")
        named = typed[verb.column - 1 + len(verb.text) :].strip()
        event = self._event(f"{named}: wrong", "me accuses ")
        return tuple(event.cards)

    def _event(self, text: str, before: str) -> Any:
        """Return the event that a line states after the words that are not typed."""
        try:
            return self.game.parse_event(before + text)
        except BadInput as error:
            column = error.column and max(1, error.column - len(before))
            raise BadInput(error.message, column=column, text=error.text) from None

    # Commands

    def _command(self, typed: str) -> tuple[str, str] | None:
        """Return the command of a line with its argument, or ``None``."""
        names = (*ANSWERS, *COMMANDS)
        match = command_of(typed, names)
        if typed.startswith(":"):
            return match or (pick("".join(typed[1:].split()[:1]), names, "command"), "")
        return None if match and match[1] and match[0] not in COMMANDS[:3] else match

    def _run(self, name: str, *words: str) -> None:
        """Answer a command as the command line does, on what the person can know."""
        ask = Ask(self.evening.knowledge(**self.options), LOOK, name, json=False, source="the game")
        cluedo.answer(ask, name, words)

    def _sheet(self, viewer: str | None) -> Table:
        """Return the sheet of a player."""
        knowledge = self.evening.knowledge(**self.options).seen_by(viewer)
        return sheet_table(knowledge, grid_of(knowledge))

    def _hint(self) -> Answer:
        match self.evening.question:
            case ToSuggest(_, rooms):
                named = ", ".join(map(quote, rooms))
                self._run("advise", "--limit", MAX_HINTS, "--rooms", named)
            case ToShow(_, suggestion, _):
                self._run("show-card", format_event(self.game, suggestion))
            case _:
                self._run("accuse")
        yield from ()

    def _hand(self) -> Answer:
        cards = self.evening.table.hands[str(self.evening.me)]
        yield f"your cards: {', '.join(cards) or '-'}"

    def _log(self) -> Answer:
        for number, event in enumerate(self.evening.events(), start=1):
            yield f"{number}. {format_event(self.game, event)}"

    def _quit(self) -> Answer:
        self.is_over = True
        yield from ()


ANSWERS: Mapping[str, Callable[[PlayDialogue], Answer]] = {
    "hint": PlayDialogue._hint,
    "sheet": lambda play: iter([play._sheet(play.evening.me)]),
    "hand": PlayDialogue._hand,
    "log": PlayDialogue._log,
    "help": lambda _: iter([HELP]),
    "quit": PlayDialogue._quit,
}


class WatchDialogue(PlayDialogue):
    """A dialogue with a person who watches programs play, with all cards open."""

    @property
    def prompt(self) -> str:
        """What an empty line does."""
        return "Enter: next turn> "

    def greeting(self) -> Iterable[str]:
        """Return what can be typed."""
        return ["Enter plays a turn; run plays to the end; sheet PLAYER; quit"]

    def opening(self) -> Answer:
        """Yield who plays, and the cards."""
        yield from self._seats()
        yield deal_text(self.evening.knowledge(), self.evening.deal)
        self.shown = len(self.game.players)  # the hands
        yield from self._news()
        if self.is_alone:
            yield from self.run()

    def run(self, turns: int | None = None) -> Answer:
        """Yield what happens in some turns, or until the game is over."""
        table = self.evening.table
        end = None if turns is None else table.turns + turns
        while self.evening.question is not None and (end is None or table.turns < end):
            self.evening.step()
            yield from self._news()
        if self.evening.question is None:
            yield from self._end()
        self.evening.save()

    def answer(self, line: str) -> Answer:
        """Yield the next turn, or the answer to a command."""
        command = command_of(line, ("run", "sheet", "help", "quit"))
        if command is None and line.strip():
            raise BadInput(*self.greeting())
        match command:
            case "sheet", rest:
                if not rest:
                    raise BadInput(f"whose sheet? such as: sheet {self.game.players[0]}")
                yield self._sheet(Names("player", self.game.players).find(tokens(rest)))
            case "help", _:
                yield from self.greeting()
            case "quit", _:
                self.is_over = True
            case _:
                yield from self.run(None if command else 1)


NAMES = ("Ann", "Ben", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan")
"""The names of players who are only counted; the first is the person."""
AT_ANY_TIME = {"log", "shown", "engine", "time_limit", "bots"}
"""The parameters that a game that is resumed may have; of its programs, only those it names."""


@click.command()
@click.argument("log", metavar="[LOG]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--players", metavar="NAMES", default="6", show_default=True,
    help="A number from 2 to 10, or names in seat order, with hand sizes if you like: "
    "'Ann 9, Ben 9'.",
)  # fmt: skip
@click.option("--me", metavar="PLAYER", help="Your name among the players. [default: the first]")
@click.option(
    "--bots", metavar="PLAYERS", default="console", show_default=True,
    help="The programs, as `deduce cluedo players` lists them: one for all, or one for each "
    "other seat, 'best, console'.",
)  # fmt: skip
@click.option("--watch", is_flag=True, help="Only programs play; all cards are open.")
@deck_options
@SET_UP_FILE
@ROOMS_OPTION
@TURNS_OPTION
@whole_option(
    "--deals",
    low=1,
    high=MAX_SAMPLES,
    metavar="N",
    help="Limit the programs' thinking: how many deals each may consider in a decision.",
)
@whole_option("--seed", help="The same seed repeats the deal. [default: at random]")
@click.option(
    "--sheet", "shown", type=click.Choice(["auto", "always", "never"]), default="auto",
    help="Show your sheet whenever you are asked (auto: on a terminal).",
)  # fmt: skip
@seconds_option("--time-limit", help="For your sheet and each hint.")
def play(
    log: Path | None,
    *,
    players: str,
    me: str | None,
    bots: str,
    watch: bool,
    setup: str | None,
    rooms: str,
    turns: int,
    deals: int | None,
    seed: int | None,
    shown: str,
    engine: str,
    time_limit: float | None,
    category: tuple[str, ...],
    **answers: str | None,
) -> None:
    """Play against programs, or watch them play.

    \b
    Example:  deduce cluedo play
              deduce cluedo play evening.cluedo --players 4 --bots best
              deduce cluedo play --deck console --rooms circle --seed 7
              deduce cluedo play --watch --bots 'best, information, console'

    You suggest as in a log (plum rope hall), choose the card to show when you have several, and may
    accuse after each of your suggestions. You see only what your seat may see. The line "help"
    lists what else can be typed: hint, sheet, why, ... Lines may come through a pipe.

    With LOG, the log of what you have seen is written there, and every command reads it. Next to it
    is LOG.save with the hidden cards, encoded so that you do not read them by accident; the same
    command continues the game.

    Exit codes: 0 the game has ended or can be continued, 3 a file or a line is unreadable.
    """  # noqa: D301 (click reads the backspace)
    context = click.get_current_context()
    programs = [name.strip() for name in bots.split(",") if name.strip()]
    if log is not None:
        context.with_resource(locked(log))
    if log is not None and (log.exists() or save_path(log).exists()):
        _refuse_setup(context, log)
        evening = Evening.resume(log, programs)
    else:
        given = {name: answer for name, answer in answers.items() if answer is not None}
        game = _game(context, players, me, setup, given, category, watch=watch)
        number = SystemRandom().getrandbits(32) if seed is None else seed
        seats = _programs(game, programs)
        with usage():
            evening = Evening.new(
                game, seats, number, rooms=rooms, turns=turns, deals=deals, path=log
            )
        evening.save()
    budget = STANDARD if time_limit is None else Budget(None, time_limit)
    end_with(_lead(evening, shown, {"engine": engine, "budget": budget}))


play.params += [option for option in options() if option.name == "engine"]


def _refuse_setup(context: click.Context, log: Path) -> None:
    """Refuse options that set up a game if there is one already."""
    if not save_path(log).exists():
        raise BadInput(
            f"this log exists already, without a save file; `deduce cluedo track {log}` "
            "continues a log, and another name begins a new game",
            source=str(log),
        )
    for name in context.params:
        source = context.get_parameter_source(name)
        if source is ParameterSource.COMMANDLINE and name not in AT_ANY_TIME:
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(
                f"{log} is continued; it has its own set-up, so leave out {option}"
            )


def _game(
    context: click.Context,
    players: str,
    me: str | None,
    setup: str | None,
    given: dict[str, str],
    category: tuple[str, ...],
    *,
    watch: bool,
) -> Cluedo:
    """Return the set-up that the options describe, with the person as its ``me``."""
    named = context.get_parameter_source("players") is ParameterSource.COMMANDLINE
    count = whole_number(players)
    if watch and me is not None:
        raise click.UsageError("with --watch no person plays: leave out --me")
    if setup is not None:
        if given or category or (named and count is not None):
            raise click.UsageError("--setup has the deck and the players; leave out the others")
        game = read_setup(setup)
        if named:
            game = evolve(game, players=set_up({"players": players}, ()).players, me=None)
    else:
        if count is not None:
            with usage():
                check_table(count)
            players = ", ".join(NAMES[:count])
        game = set_up({**given, "players": players}, category).read().game
    if watch:
        return evolve(game, me=None)
    with usage("--me"):
        return evolve(game, me=me or game.me or game.players[0])


def _programs(game: Cluedo, programs: list[str]) -> dict[str, str]:
    """Return the program at each seat but the person's."""
    seats = [name for name in game.players if name != game.me]
    if len(programs) == 1:
        programs *= len(seats)
    if len(programs) != len(seats):
        message = f"{len(programs)} programs for {len(seats)} seats; name one, or one for each"
        raise click.BadParameter(message, param_hint="'--bots'")
    return dict(zip(seats, programs, strict=True))


def _lead(evening: Evening, shown: str, knowing: dict[str, object]) -> int:
    """Lead the dialogue; return the exit code."""
    by_hand = on_terminal()
    follow = shown == "always" or (shown == "auto" and by_hand)
    watching = evening.me is None
    dialogue = (WatchDialogue if watching else PlayDialogue)(evening, follow, knowing)
    dialogue.is_alone = watching and not by_hand
    try:
        code = run(dialogue)
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        code = EXIT_INTERRUPTED
    if evening.question is not None and evening.path is not None:
        click.echo(f"saved; continue with: deduce cluedo play {evening.path}", err=True)
    return code
