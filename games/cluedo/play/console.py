"""What ``deduce cluedo play`` answers to each line that is typed; it knows no terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from attrs import define, field

from deduce.claims import parse_claim
from deduce.commands import Ask
from deduce.commands.dialogue import command_of
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.show.table import Table as TextTable
from deduce.show.text import grid_of
from deduce.text import join, pick, plural
from games.cluedo.events import Event, Suggestion
from games.cluedo.notation.events import format_event
from games.cluedo.notation.names import Names
from games.cluedo.notation.reading import ACCUSE, SHOW, SUGGEST
from games.cluedo.notation.tokens import quote, tokens
from games.cluedo.play.evening import Evening
from games.cluedo.play.table import ToAccuse, ToShow, ToSuggest
from games.cluedo.show import deal_text, sheet_table

__all__ = ["PlayDialogue", "WatchDialogue"]

Answer = Iterator[str | TextTable]

HELP = """\
When you are asked to suggest, name one card of each category, as in a log:
  plum rope hall              you suggest Professor Plum, Rope, Hall; the others answer
When you have several of the named cards, name the one to show:
  rope
After the answers to your suggestion you may accuse; an empty line ends your turn:
  accuse plum rope hall
Names may be abbreviated as long as they are unambiguous. Commands, with or without the colon:
  :hint                   rank what you can do now
  :sheet                  show your sheet
  :hand                   show your cards
  :log                    show what has happened, numbered
  :why CARD=HOLDER        why is it certain, impossible or open?
  :solution               rank the solutions
  :advise [ROOMS]         rank your suggestions, of these rooms only if any are named
  :minds [PLAYER]         what the opponents know
  :help                   show this
  :quit                   leave; with a LOG the game is saved, and the same command continues it"""
WITH_ARGUMENT = ("why", "advise", "minds")
WITHOUT_ARGUMENT = ("hint", "sheet", "hand", "log", "solution", "help", "quit")
NO = {"no", "pass", "wait", "next", "done", "-"}
"""What ends a turn without an accusation, beside an empty line."""
SUBJECTS = {"i", "me"}
MAX_HINTS = "3"
"""How many suggestions a hint lists."""


@define
class PlayDialogue:
    """A person's dialogue with the table.

    Parameters
    ----------
    evening
        The game; it is saved before the person is asked.
    shows_sheet
        Whether the sheet is shown whenever the person is asked.
    options
        How the person's knowledge is computed: engine and budget.
    """

    evening: Evening
    shows_sheet: bool = False
    options: Mapping[str, Any] = field(factory=dict)
    is_over: bool = field(default=False, init=False)
    prefill: str = field(default="", init=False)
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
    def knowledge(self) -> Knowledge:
        """What the person can know now."""
        return self.evening.knowledge(**self.options)

    def greeting(self) -> Iterable[str]:
        """Return how to begin."""
        return ["help shows what to type"]

    def opening(self) -> Answer:
        """Yield who plays, the person's cards, and what happens before the first question."""
        sitting = self.evening.sitting
        game = sitting.game
        yield f"players in seat order: {', '.join(_seats(self.evening))}"
        yield from self._hand()
        if game.face_up:
            yield f"face up: {', '.join(game.face_up)}"
        if game.undealt:
            yield f"{plural(game.undealt, 'card')} not dealt"
        yield from self._news(self.evening.events()[1:])
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
            yield from self._ANSWERS[name](self, rest)
            return
        if not self.evening.is_mine:  # the answer before was interrupted
            yield from self._go_on()
            return
        if typed.startswith("#"):
            return
        if not typed and not isinstance(self.evening.question, ToAccuse):
            yield from self._ask()
            return
        answer = self._read(typed)
        yield from self._news(self.evening.answer(answer))
        yield from self._go_on()

    # The game

    def _go_on(self) -> Answer:
        """Let the programs play, save, and ask the person."""
        for event in self.evening.proceed():
            yield from self._news([event])
        self.evening.save()
        if self.evening.question is None:
            yield from _end(self.evening)
            self.is_over = True
        else:
            if self.shows_sheet and not isinstance(self.evening.question, ToAccuse):
                yield from self._sheet("")
            yield from self._ask()

    def _news(self, events: Sequence[Event]) -> Answer:
        """Yield events as in the log, with their numbers."""
        game = self.evening.sitting.game
        for event in events:
            self.shown += 1
            yield f"{self.shown + 1}. {format_event(game, event)}"

    def _ask(self) -> Answer:
        """Yield the question."""
        match self.evening.question:
            case ToSuggest(_, rooms):
                *_, (category, cards) = self.evening.sitting.game.deck.items()
                yield "Your turn. What do you suggest?"
                if len(rooms) < len(cards):
                    yield f"{category} in reach: {', '.join(rooms)}"
            case ToShow(_, suggestion, cards):
                yield format_event(self.evening.sitting.game, suggestion)
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
        *_, last = self.evening.sitting.game.deck.values()
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
            event = self.evening.sitting.game.parse_event(before + text)
            self.evening.sitting.game.check(event)
        except BadInput as error:
            column = error.column and max(1, error.column - len(before))
            raise BadInput(error.message, column=column, text=error.text) from None
        return event

    # Commands

    def _command(self, typed: str) -> tuple[str, str] | None:
        """Return the command of a line with its argument, or ``None``."""
        match = command_of(typed, [*WITH_ARGUMENT, *WITHOUT_ARGUMENT])
        if typed.startswith(":") and match is None:
            word = typed[1:].split()[0] if typed[1:].split() else ""
            return pick(word, [*WITH_ARGUMENT, *WITHOUT_ARGUMENT], "command"), ""
        if match and match[1] and match[0] in WITHOUT_ARGUMENT and not typed.startswith(":"):
            return None
        return match

    def _sheet(self, rest: str) -> Answer:
        knowledge = self.knowledge
        yield sheet_table(knowledge, grid_of(knowledge))

    def _hand(self, rest: str = "") -> Answer:
        cards = self.evening.table.hands[str(self.evening.me)]
        yield f"your cards: {', '.join(cards) or '-'}"

    def _log(self, rest: str) -> Answer:
        game = self.evening.sitting.game
        for number, event in enumerate(self.evening.events(), start=1):
            yield f"{number}. {format_event(game, event)}"

    def _why(self, rest: str) -> Answer:
        knowledge = self.knowledge
        claim = parse_claim(knowledge.problem, rest, variable="card", value="holder")
        yield from str(knowledge.why(claim)).split("\n")

    def _solution(self, rest: str) -> Answer:
        return self._run("solution", [])

    def _advise(self, rest: str) -> Answer:
        return self._run("advise", ["--rooms", rest] if rest else [])

    def _minds(self, rest: str) -> Answer:
        return self._run("minds", ["--mind", rest] if rest else [])

    def _hint(self, rest: str) -> Answer:
        game = self.evening.sitting.game
        match self.evening.question:
            case ToSuggest(_, rooms):
                named = ", ".join(map(quote, rooms))
                return self._run("advise", ["--limit", MAX_HINTS, "--rooms", named])
            case ToShow(_, suggestion, _):
                return self._run("show-card", [format_event(game, suggestion)])
            case _:
                return self._run("accuse", [])

    def _help(self, rest: str) -> Answer:
        yield HELP

    def _quit(self, rest: str) -> Answer:
        self.is_over = True
        yield from ()

    _ANSWERS: ClassVar[Mapping[str, Callable[[PlayDialogue, str], Answer]]] = {
        "why": _why,
        "advise": _advise,
        "minds": _minds,
        "hint": _hint,
        "sheet": _sheet,
        "hand": _hand,
        "log": _log,
        "solution": _solution,
        "help": _help,
        "quit": _quit,
    }

    def _run(self, name: str, words: Sequence[str]) -> Answer:
        """Answer a command as the command line does, on what the person can know."""
        from games.cluedo.cli import LOOK, cluedo

        ask = Ask(self.knowledge, LOOK, name, json=False, source="the game")
        cluedo.answer(ask, name, words)
        yield from ()


@define
class WatchDialogue:
    """A dialogue with a person who watches programs play, with all cards open.

    Parameters
    ----------
    evening
        The game.
    options
        How a player's knowledge is computed: engine and budget.
    """

    evening: Evening
    options: Mapping[str, Any] = field(factory=dict)
    is_over: bool = field(default=False, init=False)
    prefill: str = field(default="", init=False)
    shown: int = field(default=0, init=False)

    @property
    def prompt(self) -> str:
        """What an empty line does."""
        return "Enter: next turn> "

    def greeting(self) -> Iterable[str]:
        """Return what can be typed."""
        return ["Enter plays a turn; run plays to the end; sheet PLAYER; quit"]

    def opening(self) -> Answer:
        """Yield who plays, and the cards."""
        yield f"players in seat order: {', '.join(_seats(self.evening))}"
        yield deal_text(self.evening.knowledge(), self.evening.sitting.deal)
        yield from self._new()

    def run(self) -> Answer:
        """Yield everything until the game is over."""
        while self.evening.question is not None:
            for _ in self.evening.step():
                yield from self._new()
        yield from self._finish()

    def answer(self, line: str) -> Answer:
        """Yield the next turn, or the answer to a command."""
        command = command_of(line, ("run", "sheet", "help", "quit"))
        if command is None and line.strip():
            raise BadInput("Enter plays a turn; run plays to the end; sheet PLAYER; quit")
        name, rest = command or ("", "")
        if name == "run":
            yield from self.run()
        elif name == "quit":
            self.is_over = True
        elif name == "help":
            yield from self.greeting()
        elif name == "sheet":
            yield from self._sheet(rest)
        else:
            turn = self.evening.table.turns
            while self.evening.question is not None and self.evening.table.turns == turn:
                for _ in self.evening.step():
                    yield from self._new()
            if self.evening.question is None:
                yield from self._finish()
        if not self.is_over or name == "quit":
            self.evening.save()

    def _sheet(self, rest: str) -> Answer:
        players = self.evening.sitting.game.players
        if not rest:
            raise BadInput(f"whose sheet? such as: sheet {players[0]}")
        viewer = Names("player", players).find(tokens(rest))
        knowledge = self.evening.knowledge(**self.options).seen_by(viewer)
        yield sheet_table(knowledge, grid_of(knowledge))

    def _new(self) -> Answer:
        """Yield the events that were not shown yet; the hands are in the opening."""
        game = self.evening.sitting.game
        first = max(self.shown, len(game.players))
        for event in self.evening.events()[first:]:
            self.shown = first = first + 1
            yield f"{first}. {format_event(game, event)}"

    def _finish(self) -> Answer:
        self.evening.save()
        self.is_over = True
        yield from _end(self.evening)


def _seats(evening: Evening) -> list[str]:
    sitting = evening.sitting
    sizes = sitting.game.hands or ()
    return [
        f"{name} ({sitting.bots.get(name, 'you')}, {plural(size or 0, 'card')})"
        for name, size in zip(sitting.game.players, sizes, strict=True)
    ]


def _end(evening: Evening) -> Answer:
    """Yield how the game ended, and all cards."""
    table = evening.table
    if table.winner is None:
        reason = {"all out": "all players are out", "turn limit": "the turn limit is reached"}
        yield f"No player wins: {reason[str(table.end)]}, after {plural(table.turns, 'turn')}."
    else:
        yield f"{table.winner} wins after {plural(table.turns, 'turn')}."
    yield deal_text(evening.knowledge(), evening.sitting.deal)
