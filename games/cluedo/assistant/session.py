r"""A game that is being tracked: its log with undo, redo, editing and what-if. A frozen value.

Every step makes a new `Session` and has a name, so that one can say what undo would take back:

>>> session = Session.read("players: Ann, Ben, Cid\n").add("Ann: plum rope hall; Ben -")
>>> session.done[-1].name
"adding Ann's suggestion"
>>> print(session.edit(1, "Ann: plum rope study; Ben -").text, end="")
players: Ann, Ben, Cid
Ann: Professor Plum, Rope, Study; Ben -
>>> session.undo().undone[-1].name, session.undo().events
("adding Ann's suggestion", ())
"""

from __future__ import annotations

from typing import Any

from attrs import evolve, frozen

from deduce.constraints import Constraint
from deduce.errors import BadInput
from deduce.events import read_log, write_log
from deduce.knowledge import Knowledge
from deduce.text import join
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Suggestion
from games.cluedo.game import ENVELOPE, UNDEALT, Cluedo
from games.cluedo.notation.events import format_event, parse_event
from games.cluedo.notation.logs import format_setup
from games.cluedo.notation.tokens import comment, tokens

__all__ = ["Line", "Session", "Step", "name_of"]


@frozen
class Line:
    """A line of the log file, with the event that it says; ``None``: set-up, comment, blank."""

    text: str
    event: Event | None = None


@frozen
class Step:
    """A step that can be undone or redone: its name, and the log on its other side."""

    name: str
    lines: tuple[Line, ...]
    assumed: tuple[Constraint, ...]


@frozen
class Session:
    """The log of a game that goes on, line by line as it stands in its file.

    Parameters
    ----------
    game
        The set-up.
    lines
        All lines of the file: comments and blank lines stay where they are.
    assumed
        What is assumed for the sake of argument; it is not part of the log.
    done, undone
        The steps that can be undone and redone, the next one last.
    """

    game: Cluedo
    lines: tuple[Line, ...]
    assumed: tuple[Constraint, ...] = ()
    done: tuple[Step, ...] = ()
    undone: tuple[Step, ...] = ()

    @classmethod
    def new(cls, game: Cluedo) -> Session:
        """Return the session of a game in which nothing has happened yet."""
        return cls(game, tuple(map(Line, format_setup(game).splitlines())))

    @classmethod
    def read(cls, text: str) -> Session:
        """Return the session that goes on with a log, in the notation or in JSON lines.

        Raises
        ------
        BadInput
            The log cannot be read; with the line.
        """
        log = read_log(text, Cluedo)
        game, events = log.game, log.events
        is_json = text.lstrip().startswith("{")
        texts = text.rstrip("\n").split("\n") if is_json else text.splitlines()
        said = [at for at, line in enumerate(texts) if (line.strip() if is_json else tokens(line))]
        # The set-up comes first, so the last lines that say anything are the events.
        event_at = dict(zip(said[len(said) - len(events) :], events, strict=True))
        return cls(game, tuple(Line(line, event_at.get(at)) for at, line in enumerate(texts)))

    # What it holds

    @property
    def text(self) -> str:
        """The log as it stands in its file."""
        return "".join(line.text + "\n" for line in self.lines)

    @property
    def events(self) -> tuple[Event, ...]:
        """The events in order; event ``n`` is ``events[n - 1]``."""
        return tuple(line.event for line in self.lines if line.event is not None)

    def knowledge(self, **options: Any) -> Knowledge:
        """Return what the log says, under the assumptions; options as for `Knowledge`."""
        return Knowledge(self.game, self.events, assumed=self.assumed, **options)

    # Steps

    def add(self, text: str) -> Session:
        """Return the session with one more event.

        Raises
        ------
        BadInput
            The text says no event that can be; with the column. So do all steps.
        """
        event = parse_event(self.game, text)
        line = Line(self._form(event, text), event)
        return self._step(f"adding {name_of(event)}", (*self.lines, line))

    def edit(self, number: int, text: str) -> Session:
        """Return the session with event ``number`` (from 1) replaced."""
        at = self._place(number)
        event = parse_event(self.game, text)
        line = Line(self._form(event, text), event)
        lines = (*self.lines[:at], line, *self.lines[at + 1 :])
        return self._step(f"changing event {number} to {name_of(event)}", lines)

    def drop(self, number: int) -> Session:
        """Return the session without event ``number`` (from 1)."""
        at = self._place(number)
        name = f"dropping event {number}, {name_of(self.events[number - 1])}"
        return self._step(name, self.lines[:at] + self.lines[at + 1 :])

    def assume(self, claim: Constraint) -> Session:
        """Return the session under one more assumption (what-if)."""
        name = f"assuming that {self.knowledge().say(claim)}"
        return self._step(name, self.lines, (*self.assumed, claim))

    def remark(self, text: str) -> Session:
        """Return the session with a comment after the last line; JSON has none, so it is lost."""
        if self._is_json:
            return self
        return evolve(self, lines=(*self.lines, Line(f"# {text}")))

    def free(self) -> Session:
        """Return the session without assumptions."""
        return self._step("giving up the assumptions", self.lines, ())

    def undo(self) -> Session:
        """Return the session before the last step."""
        if not self.done:
            raise BadInput("there is nothing to undo")
        step = self.done[-1]
        back = Step(step.name, self.lines, self.assumed)
        return Session(self.game, step.lines, step.assumed, self.done[:-1], (*self.undone, back))

    def redo(self) -> Session:
        """Return the session after the step that was undone last."""
        if not self.undone:
            raise BadInput("there is nothing to redo")
        step = self.undone[-1]
        back = Step(step.name, self.lines, self.assumed)
        return Session(self.game, step.lines, step.assumed, (*self.done, back), self.undone[:-1])

    def _step(
        self, name: str, lines: tuple[Line, ...], assumed: tuple[Constraint, ...] | None = None
    ) -> Session:
        return evolve(
            self,
            lines=lines,
            assumed=self.assumed if assumed is None else assumed,
            done=(*self.done, Step(name, self.lines, self.assumed)),
            undone=(),
        )

    def _place(self, number: int) -> int:
        places = [at for at, line in enumerate(self.lines) if line.event is not None]
        if not 1 <= number <= len(places):
            raise BadInput(f"there is no event {number}; the log has {len(places)}")
        return places[number - 1]

    @property
    def _is_json(self) -> bool:
        return self.text.lstrip().startswith("{")

    def _form(self, event: Event, typed: str) -> str:
        """Return the event as a line of this file, with the comment that was typed."""
        if self._is_json:
            return write_log(self.game, [event]).splitlines()[1]
        remark = "".join(char if char.isprintable() else " " for char in comment(typed)).rstrip()
        return format_event(self.game, event) + (f"  {remark}" if remark else "")


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
