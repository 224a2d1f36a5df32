"""Going through a log event by event: what is known after each, and what has changed.

`log_stepper` does this for the knowledge of any hidden game; a game that has more to show gives
`Stepper` moments of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from attrs import evolve, frozen

from deduce.constraints import is_
from deduce.errors import Contradiction, DeduceError, Undecided
from deduce.knowledge import Knowledge
from deduce.text import name_of, visible
from deduce.widgets.board import Board
from deduce.widgets.cells import Table
from deduce.widgets.sheet import Sheet
from deduce.widgets.tables import knowledge_table
from deduce.widgets.toolkit import Panel, button, ipywidgets, message, row

__all__ = ["Moment", "Stepper", "log_stepper"]

CHANGES = 12
"""How many changes are listed."""


@frozen
class Moment:
    """What is shown after an event.

    Parameters
    ----------
    title
        The event.
    changes
        What it changed, in sentences.
    table
        What is known now.
    why
        Explains a cell of the table, by its row and column, as HTML.
    board
        More to show, as HTML that is safe.
    """

    title: str
    changes: tuple[str, ...]
    table: Table
    why: Callable[[tuple[int, int]], str] | None = None
    board: str = ""


class Stepper(Panel):
    """A slider over moments, made when they are first shown.

    Parameters
    ----------
    last
        The number of the last event; 0 is before the first.
    moment
        Makes what is shown after event ``n``.
    start
        The event to begin with.
    """

    def __init__(self, last: int, moment: Callable[[int], Moment], *, start: int = 0) -> None:
        self._moment, self._made = moment, dict[int, Moment]()
        self.slider = ipywidgets.IntSlider(
            start,
            0,
            last,
            description="event",
            continuous_update=False,
            layout=ipywidgets.Layout(width="auto", flex="1 1 200px"),
            style={"description_width": "4em"},
        )
        self.back = button("◀", lambda: self.go(self.slider.value - 1), "The event before")
        self.ahead = button("▶", lambda: self.go(self.slider.value + 1), "The next event")
        self.title, self.changes, self.why = (ipywidgets.HTML() for _ in range(3))
        self.sheet, self.board = Sheet(), Board()
        self.slider.observe(lambda _: self._show(), "value")
        self.sheet.observe(lambda _: self._explain(), "picked")
        parts = [self.title, self.changes, self.board, self.sheet, self.why]
        self.view = ipywidgets.VBox([row(self.back, self.slider, self.ahead), *parts])
        self.view.add_class("deduce-panel")
        self._show()

    def __str__(self) -> str:
        return "\n".join([self.moment.title, *(f"  {line}" for line in self.moment.changes)])

    @property
    def moment(self) -> Moment:
        """What is shown now."""
        number = self.slider.value
        if number not in self._made:
            self._made[number] = self._moment(number)
        return self._made[number]

    def go(self, number: int) -> None:
        """Show what is after an event; the nearest that there is."""
        self.slider.value = min(max(number, 0), self.slider.max)

    def _show(self) -> None:
        number, last = self.slider.value, self.slider.max
        self.back.disabled, self.ahead.disabled = number == 0, number == last
        try:
            moment = self.moment
        except DeduceError as error:
            moment = Moment(f"{number}.", (str(error),), Table((), []))
        self.title.value = message(visible(moment.title), "good")
        told = [*moment.changes[:CHANGES]]
        if len(moment.changes) > CHANGES:
            told.append(f"and {len(moment.changes) - CHANGES} more")
        lines = (f"<li>{escape(visible(line))}</li>" for line in told)
        changes = f"<ul>{''.join(lines)}</ul>" if told else "nothing new"
        self.changes.value = f'<div class="deduce-prose">{changes}</div>'
        self.board.show(moment.board)
        self.why.value = ""
        self.sheet.show(moment.table)

    def _explain(self) -> None:
        place, why = self.sheet.place, self.moment.why
        if place is None or why is None:
            return
        try:
            self.why.value = why(place)
        except DeduceError as error:
            self.why.value = message(visible(str(error)), "bad")


def log_stepper(knowledge: Knowledge) -> Stepper:
    r"""Return a stepper through the log of a knowledge; a click on a cell tells why.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> game, log = Cluedo.parse_log("players: Ann, Ben, Cid\nAnn has rope\nBen has hall")
    >>> stepper = log_stepper(Knowledge(game, log))
    >>> stepper.ahead.click()
    >>> stepper.moment.title, stepper.moment.changes[0]
    ('1. Ann has Rope', 'certain now: Ann has Rope')
    """
    made: dict[int, Knowledge] = {}

    def known(number: int) -> Knowledge:
        return made.setdefault(number, knowledge.upto(number))

    def moment(number: int) -> Moment:
        now = known(number)
        facts = knowledge_table(now)
        title = "0. before the first event"
        changes: tuple[str, ...] = ()
        if number:
            title = f"{number}. {_event(knowledge.game, knowledge.log[number - 1])}"
            changes = tuple(_changes(known(number - 1), now))
        table, board = facts.table, ""
        if now.is_consistent():
            table = evolve(table, notes=[*table.notes, "click a cell for why"])
        else:
            board = now.contradiction()._repr_html_()
        return Moment(
            title, changes, table, lambda place: now.why(facts.at[place])._repr_html_(), board
        )

    return Stepper(len(knowledge.log), moment)


def _event(game: Any, event: Any) -> str:
    write = getattr(game, "format_event", None)
    return str(write(event)) if write is not None else name_of(event)


def _changes(before: Knowledge, now: Knowledge) -> list[str]:
    """Return what is certain now and was not, and how many worlds are left."""
    try:
        if not before.is_consistent():
            return []
        if not now.is_consistent():
            return ["nothing fits any more"]
        known = before.certain().items()
        facts = sorted(
            now.say(is_(variable, value)) for variable, value in now.certain().items() - known
        )
        told = [f"certain now: {fact}" for fact in facts]
        worlds = before.count(), now.count()
        if worlds[0] != worlds[1]:
            told.append(f"worlds that fit: {worlds[0]:,} → {worlds[1]:,}")
    except (Undecided, Contradiction) as error:
        return [str(error)]
    return told
