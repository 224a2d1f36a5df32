"""Stepping through a log: what is known after each event, and what the event changed.

`log_stepper` shows the knowledge of any hidden game; a game with more to show gives `Stepper` its
own moments.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from attrs import evolve, frozen

from deduce.constraints import is_
from deduce.errors import Contradiction, DeduceError, Undecided
from deduce.knowledge import Knowledge
from deduce.show.sheet import MAX_ROWS, Sheet, knowledge_sheet
from deduce.show.text import grid_of
from deduce.text import name_of, visible
from deduce.widgets.sheet import Picture, SheetWidget
from deduce.widgets.toolkit import Panel, button, ipywidgets, message, row

__all__ = ["Moment", "Stepper", "log_stepper"]

MAX_CHANGES = 12
"""The number of changes that are listed."""


@frozen
class Moment:
    """The view after an event.

    Parameters
    ----------
    title
        The event.
    changes
        Sentences about what the event changed.
    table
        What is known after the event.
    why
        Returns the explanation of a cell, given by its row and column, as HTML.
    board
        A further view as HTML, in which all names are escaped.
    """

    title: str
    changes: tuple[str, ...]
    table: Sheet
    why: Callable[[tuple[int, int]], str] | None = None
    board: str = ""


class Stepper(Panel):
    """A slider over moments, which are computed when they are first shown.

    Parameters
    ----------
    last
        The number of the last event; 0 is before the first event.
    moment
        Returns the view after event ``n``.
    start
        The event that is shown first.
    """

    def __init__(self, last: int, moment: Callable[[int], Moment], *, start: int = 0) -> None:
        self._moment, self._moments = moment, dict[int, Moment]()
        self.slider = ipywidgets.IntSlider(
            start,
            0,
            last,
            description="event",
            continuous_update=False,
            layout=ipywidgets.Layout(width="auto", flex="1 1 200px"),
            style={"description_width": "4em"},
        )
        self.back = button("◀", lambda: self.go(self.slider.value - 1), "The previous event")
        self.ahead = button("▶", lambda: self.go(self.slider.value + 1), "The next event")
        self.title, self.changes, self.why = (ipywidgets.HTML() for _ in range(3))
        self.sheet, self.board = SheetWidget(), Picture()
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
        """The current view."""
        number = self.slider.value
        if number not in self._moments:
            self._moments[number] = self._moment(number)
        return self._moments[number]

    def go(self, number: int) -> None:
        """Show the view after an event; beyond the first or last one, that of the nearest."""
        self.slider.value = min(max(number, 0), self.slider.max)

    def _show(self) -> None:
        number, last = self.slider.value, self.slider.max
        self.back.disabled, self.ahead.disabled = number == 0, number == last
        try:
            moment = self.moment
        except DeduceError as error:
            moment = Moment(f"{number}.", (str(error),), Sheet((), []))
        self.title.value = message(visible(moment.title), "good")
        changes = [*moment.changes[:MAX_CHANGES]]
        if len(moment.changes) > MAX_CHANGES:
            changes.append(f"and {len(moment.changes) - MAX_CHANGES} more")
        items = "".join(f"<li>{escape(visible(change))}</li>" for change in changes)
        listed = f"<ul>{items}</ul>" if items else "nothing new"
        self.changes.value = f'<div class="deduce-prose">{listed}</div>'
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
    r"""Return a stepper through the log of a knowledge; a click on a cell explains it.

    Parameters
    ----------
    knowledge
        A knowledge of any hidden game, with its viewer and assumptions.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> game, log = Cluedo.parse_log("players: Ann, Ben, Cid\nAnn has rope\nBen has hall")
    >>> stepper = log_stepper(Knowledge(game, log))
    >>> stepper.ahead.click()
    >>> stepper.moment.title, stepper.moment.changes[0]
    ('1. Ann has Rope', 'certain now: Ann has Rope')
    """
    cache: dict[int, Knowledge] = {}

    def upto(number: int) -> Knowledge:
        return cache.setdefault(number, knowledge.upto(number))

    def moment(number: int) -> Moment:
        now = upto(number)
        sheet = _sheet(now)
        title = "0. before the first event"
        changes: tuple[str, ...] = ()
        if number:
            title = f"{number}. {_event(knowledge.game, knowledge.log[number - 1])}"
            changes = tuple(_changes(upto(number - 1), now))
        board = ""
        if now.is_consistent():
            sheet = evolve(sheet, notes=[*sheet.notes, "click a cell for an explanation"])
        else:
            board = now.contradiction()._repr_html_()
        facts = sheet.facts
        return Moment(
            title, changes, sheet, lambda place: now.why(facts[place])._repr_html_(), board
        )

    return Stepper(len(knowledge.log), moment)


def _event(game: Any, event: Any) -> str:
    write = getattr(game, "format_event", None)
    return str(write(event)) if write is not None else name_of(event)


def _changes(before: Knowledge, now: Knowledge) -> list[str]:
    """Return what has become certain, and the numbers of possible worlds before and after."""
    try:
        if not before.is_consistent():
            return []
        if not now.is_consistent():
            return ["no world is possible any more"]
        known = before.certain().items()
        facts = sorted(
            now.say(is_(variable, value)) for variable, value in now.certain().items() - known
        )
        changes = [f"certain now: {fact}" for fact in facts]
        worlds = before.count(), now.count()
        if worlds[0] != worlds[1]:
            changes.append(f"possible worlds: {worlds[0]:,} → {worlds[1]:,}")
    except (Undecided, Contradiction) as error:
        return [str(error)]
    return changes


def _sheet(knowledge: Knowledge) -> Sheet:
    """Return the sheet of what is known, or only a title if that is a contradiction."""
    try:
        grid = grid_of(knowledge)
    except Contradiction:
        return Sheet((), [], "No world is possible")
    shares = None if grid.numbers is None else knowledge.shares()
    return knowledge_sheet(knowledge, grid, shares=shares, no="–", limit=MAX_ROWS)
