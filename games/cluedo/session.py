r"""The log of a game while it is played, with undo, redo, editing and what-if: a frozen value.

Every step makes a new `Session` and has a name, which shows what undo would take back:

>>> session = Session.read("players: Ann, Ben, Cid\n").add("Ann: plum rope hall; Ben -")
>>> session.last_step
"adding Ann's suggestion"
>>> print(session.edit(1, "Ann: plum rope study; Ben -").text, end="")
players: Ann, Ben, Cid
Ann: Professor Plum, Rope, Study; Ben -
>>> session.undo().undone_step, session.undo().events
("adding Ann's suggestion", ())
"""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from deduce.constraints import Constraint
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.logs.events import Log, parse_event, read_log, write_log
from deduce.logs.history import History
from deduce.system.text import join
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Suggestion
from games.cluedo.game import Cluedo
from games.cluedo.names import comment
from games.cluedo.notation import format_event, format_setup
from games.cluedo.setup import ENVELOPE, UNDEALT

__all__ = ["Line", "Session", "Version", "name_of"]


@frozen
class Line:
    """A line of the log file, with its event; ``None``: set-up, comment or blank."""

    text: str
    event: Event | None = None


@frozen
class Version:
    """The log at one moment.

    Parameters
    ----------
    lines
        All lines of the file: comments and blank lines stay where they are.
    assumed
        What is assumed for the sake of argument; it is not part of the log.
    step
        The name of the step that led to it; empty at the beginning.
    """

    lines: tuple[Line, ...]
    assumed: tuple[Constraint, ...] = ()
    step: str = ""


@frozen
class Session:
    """A game that is being played: its set-up, its log, and the steps that can be undone.

    Parameters
    ----------
    game
        The set-up.
    history
        The log now, before and after the steps.
    """

    game: Cluedo
    history: History[Version]

    @classmethod
    def new(cls, game: Cluedo) -> Session:
        """Return the session of a game in which nothing has happened yet."""
        return cls(game, History(Version(tuple(map(Line, format_setup(game).splitlines())))))

    @classmethod
    def read(cls, text: str) -> Session:
        """Return the session that continues a log, in the notation or in JSON lines.

        Raises
        ------
        BadInput
            The log cannot be read; with the line.
        """
        log = read_log(text, Cluedo)
        is_json = text.lstrip().startswith("{")
        texts = text.rstrip("\n").split("\n") if is_json else text.splitlines()
        events = dict(zip(log.lines, log.events, strict=True))
        lines = (Line(line, events.get(number)) for number, line in enumerate(texts, start=1))
        return cls(log.game, History(Version(tuple(lines))))

    # The log now

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines of the log."""
        return self.history.now.lines

    @property
    def assumed(self) -> tuple[Constraint, ...]:
        """What is assumed for the sake of argument."""
        return self.history.now.assumed

    @property
    def text(self) -> str:
        """The log as it is in its file."""
        return "".join(line.text + "\n" for line in self.lines)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events in order; event ``n`` is ``events[n - 1]``."""
        return tuple(line.event for line in self.lines if line.event is not None)

    @property
    def last_step(self) -> str:
        """The name of the step that undo would take back, or an empty string."""
        return self.history.now.step if self.history.past else ""

    @property
    def undone_step(self) -> str:
        """The name of the step that redo would repeat, or an empty string."""
        return self.history.future[-1].step if self.history.future else ""

    def line_number(self, number: int) -> int:
        """Return the line of event ``number``, both counted from 1."""
        return self._index(number) + 1

    def knowledge(self, **options: Any) -> Knowledge:
        """Return what the log shows, under the assumptions; options as for `Knowledge.of`."""
        return Knowledge.of(Log(self.game, self.events), **options).assume(*self.assumed)

    # Steps

    def add(self, text: str) -> Session:
        """Return the session with one more event.

        Raises
        ------
        BadInput
            The text is not an event that is possible; with the column. All steps raise it.
        """
        line = self._line(text)
        return self._step(f"adding {_name(line)}", (*self.lines, line))

    def insert(self, number: int, text: str) -> Session:
        """Return the session with one more event before event ``number`` (from 1)."""
        index = self._index(number)
        line = self._line(text)
        lines = (*self.lines[:index], line, *self.lines[index:])
        return self._step(f"inserting {_name(line)} as event {number}", lines)

    def edit(self, number: int, text: str) -> Session:
        """Return the session with event ``number`` (from 1) replaced."""
        index = self._index(number)
        line = self._line(text)
        lines = (*self.lines[:index], line, *self.lines[index + 1 :])
        return self._step(f"changing event {number} to {_name(line)}", lines)

    def drop(self, number: int) -> Session:
        """Return the session without event ``number`` (from 1)."""
        index = self._index(number)
        name = f"dropping event {number}, {name_of(self.events[number - 1])}"
        return self._step(name, self.lines[:index] + self.lines[index + 1 :])

    def assume(self, claim: Constraint) -> Session:
        """Return the session under one more assumption (what-if)."""
        name = f"assuming that {self.knowledge().say(claim)}"
        return self._step(name, self.lines, (*self.assumed, claim))

    def free(self) -> Session:
        """Return the session without assumptions."""
        return self._step("giving up the assumptions", self.lines, ())

    def undo(self) -> Session:
        """Return the session before the last step."""
        return evolve(self, history=self.history.undo())

    def redo(self) -> Session:
        """Return the session after the step that was undone last."""
        return evolve(self, history=self.history.redo())

    def with_comment(self, text: str) -> Session:
        """Return the session with a comment after the last line; JSON has none, so it is lost."""
        if self._is_json:
            return self
        lines = (*self.lines, Line(f"# {text}"))
        return evolve(self, history=evolve(self.history, now=evolve(self.history.now, lines=lines)))

    def _step(
        self, name: str, lines: tuple[Line, ...], assumed: tuple[Constraint, ...] | None = None
    ) -> Session:
        version = Version(lines, self.assumed if assumed is None else assumed, name)
        return evolve(self, history=self.history.to(version))

    def _index(self, number: int) -> int:
        """Return where event ``number`` is in `lines`."""
        indexes = [i for i, line in enumerate(self.lines) if line.event is not None]
        if not 1 <= number <= len(indexes):
            raise BadInput(f"there is no event {number}; the log has {len(indexes)}")
        return indexes[number - 1]

    @property
    def _is_json(self) -> bool:
        return self.text.lstrip().startswith("{")

    def _line(self, typed: str) -> Line:
        """Return an event as a line of this file, with the comment that was typed."""
        is_json = typed.lstrip().startswith("{")
        event = parse_event(self.game, typed) if is_json else self.game.parse_event(typed)
        if self._is_json:
            return Line(write_log(self.game, [event]).splitlines()[1], event)
        text = format_event(self.game, event)
        if not is_json:
            shown = "".join(char if char.isprintable() else " " for char in comment(typed))
            text = f"{text}  {shown}".rstrip()
        return Line(text, event)


def _name(line: Line) -> str:
    assert line.event is not None
    return name_of(line.event)


def name_of(event: Event) -> str:
    """Return what the event is called in the names of steps.

    >>> name_of(Hand("Ann", ("Rope",)))
    "Ann's hand"
    """
    match event:
        case Suggestion(by):
            return f"{by}'s suggestion"
        case Accusation(by):
            return f"{by}'s accusation"
        case Hand(player):
            return f"{player}'s hand"
        case Has(holder, card):
            return f"that {_the(holder)} has {card}"
        case HasNot(holder, card):
            return f"that {_the(holder)} does not have {card}"
        case OneOf(holder, cards):
            return f"that {_the(holder)} has {join(cards, 'or')}"


def _the(holder: str) -> str:
    return {ENVELOPE: "the envelope", UNDEALT: "the undealt pile"}.get(holder, holder)
