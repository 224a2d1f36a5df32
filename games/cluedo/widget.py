"""The assistant for notebooks and pages: a game that is being played, tracked by clicking.

It is `games.cluedo.kept` with a view: the same session, file and answers as the tracker of the
terminal has. Needs the extra ``widgets``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from attrs import evolve

from deduce.budget import STANDARD, Budget
from deduce.constraints import Fact, is_, opposite
from deduce.errors import BadInput, Contradiction, DeduceError, Undecided
from deduce.explain import Why
from deduce.show.html import html
from deduce.show.text import grid_of, percent
from deduce.text import join, visible
from deduce.widgets.sheet import Cell, Row, Sheet, Table
from deduce.widgets.tables import value_cell
from deduce.widgets.toolkit import Panel, button, guarded, ipywidgets, message, row
from games.cluedo.advice import Advice, advise
from games.cluedo.entry import Entry
from games.cluedo.events import Has, HasNot
from games.cluedo.kept import Kept, doubts, proof
from games.cluedo.logfile import LogFile
from games.cluedo.notation import format_event
from games.cluedo.rules import Cluedo
from games.cluedo.session import Session
from games.cluedo.show import found, sheet_table, sheet_text
from games.cluedo.show_advice import advice_notes, gain_text, outcome_table

__all__ = ["Assistant", "page"]

SUGGESTIONS = 5
"""How many suggestions the advice lists."""

ADVICE = Budget(None, 5.0)
"""What the advice after a step may take."""


class Assistant(Panel):
    """The detective's sheet, the log, and what to ask next, with everything to click.

    Parameters
    ----------
    log
        The name of a log file, which then holds every step at once; or a game or a session, which
        is kept in memory only.
    budget
        What each question after a step may take.

    Raises
    ------
    BadInput
        The file cannot be read.

    Examples
    --------
    >>> assistant = Assistant(Cluedo(players=("Ann", "Ben", "Cid"), me="Ann"))
    >>> assistant.line.value = "Ben has rope"
    >>> assistant.add_line.click()
    >>> assistant.pick("Rope", "Ben")
    >>> "Ben has Rope: certain, because" in assistant.why.value
    True
    >>> assistant.undo.click()
    >>> assistant.session.events
    ()
    """

    def __init__(self, log: str | Path | Cluedo | Session, *, budget: Budget = STANDARD) -> None:
        file, remark = None, ""
        if isinstance(log, Cluedo):
            session = Session.new(log)
        elif isinstance(log, Session):
            session = log
        else:
            file, session, remark = LogFile.open(Path(log))
        self._facts: dict[tuple[int, int], Fact] = {}
        self._advice: Advice | None = None
        self.kept = Kept(session, file, {"budget": budget})
        self._build(session.game)
        self._explain()
        self._follow()
        self._tell(remark or f"{len(session.events)} events; kept in {self.kept.place.name}")

    def _build(self, game: Cluedo) -> None:
        self.status, self.conflict, self.why, self.prospect = map(_html, [""] * 4)
        self.entry = Entry(game, self._add_entry)
        self.undo = button("Undo", lambda: self._do(lambda: self.session.undo(), "undone"))
        self.redo = button("Redo", lambda: self._do(lambda: self.session.redo(), "done again"))
        self.sheet, self.log, self.suggestions = Sheet(), Sheet(), Sheet()
        self.sheet.observe(lambda _: self._explain(), "picked")
        self.log.observe(lambda _: self._choose(), "picked")
        self.suggestions.observe(lambda _: self._take_over(), "picked")
        self.log.add_class("deduce-scroll")
        self.if_so = button("What if so?", lambda: self._assume(so=True), "Assume it")
        self.if_not = button("What if not?", lambda: self._assume(so=False), "Assume the opposite")
        self.has = button("It is so", lambda: self._note(so=True), "Write it into the log")
        self.has_not = button("It is not so", lambda: self._note(so=False), "Write it into the log")
        self.free = button(
            "Assume nothing", lambda: self._do(lambda: self.session.free(), "done"), "End what-if"
        )
        self.line = ipywidgets.Text(
            placeholder="Ann: plum rope hall; Ben -; Cid shows rope",
            layout=ipywidgets.Layout(width="auto"),
            tooltip="An event as in the log",
        )
        self.add_line = button("Add line", self._add_line, "Write it at the end of the log")
        self.change = button("Change", self._change, "Put it in the place of the chosen event")
        self.drop = button("Delete", self._drop, "Leave the chosen event out", "danger")
        self.assumed = _html("")
        self._what_if = _column([self.assumed, row(self.free)])
        self._cell = _column([row(self.if_so, self.if_not, self.has, self.has_not), self.why])
        self._cell.add_class("deduce-cell")
        lines = [self.log, self.line, row(self.add_line, self.change, self.drop)]
        parts = [
            _column([self.entry.view, row(self.undo, self.redo)], "1 1 300px"),
            _column([self.sheet, self._what_if, self._cell], "1 1 340px"),
            _column([*lines, self.suggestions, self.prospect], "1 1 340px"),
        ]
        layout = ipywidgets.Layout(flex_flow="row wrap", overflow="visible", grid_gap="16px")
        whole = ipywidgets.Box(parts, layout=layout)
        self.view = _column([self.status, self.conflict, whole])
        self.view.add_class("deduce-panel")

    # What it holds

    def __str__(self) -> str:
        return sheet_text(self.kept.knowledge)

    @property
    def session(self) -> Session:
        """The log as it is now."""
        return self.kept.session

    @property
    def picked(self) -> Fact | None:
        """The fact of the picked cell of the sheet."""
        place = self.sheet.place
        return None if place is None else self._facts.get(place)

    @property
    def chosen(self) -> int | None:
        """The number of the event that is chosen in the log."""
        place = self.log.place
        return None if place is None else len(self.session.events) - place[0]

    def pick(self, card: str, holder: str) -> None:
        """Pick a cell of the sheet, as a click does."""
        fact = is_(card, holder)
        self.sheet.picked = list(next(place for place, f in self._facts.items() if f == fact))

    def choose(self, number: int) -> None:
        """Choose an event of the log, as a click does."""
        self.log.picked = [len(self.session.events) - number, 0]

    # Steps

    def _do(self, step: Callable[[], Session], verb: str = "") -> bool:
        """Take a step and show what it leads to."""
        taken = guarded(lambda: self.kept.take(step()), self._warn)
        if taken:
            steps = self.session.undone if verb == "undone" else self.session.done
            self._tell(f"{verb}: {steps[-1].name}" if verb else "")
            self._follow()
        return taken

    def _add(self, text: str) -> bool:
        if not self._do(lambda: self.session.add(text)):
            return False
        self._said(len(self.session.events))
        return True

    def _add_entry(self) -> None:
        try:
            text = format_event(self.session.game, self.entry.event())
        except BadInput as error:
            self._warn(str(error))
            return
        if self._add(text):
            self.entry.clear()

    def _add_line(self) -> None:
        if self._add(self.line.value):
            self.line.value = ""

    def _change(self) -> None:
        number = self.chosen
        if number is None:
            self._warn("which event? Choose one in the log, change its line, then click Change")
        elif self._do(lambda: self.session.edit(number, self.line.value)):
            self._said(number)
            self.line.value = ""

    def _drop(self) -> None:
        number = self.chosen
        if number is None:
            self._warn("which event? Choose one in the log, then click Delete")
        elif self._do(lambda: self.session.drop(number), "done"):
            self.line.value = ""

    def _assume(self, *, so: bool) -> None:
        fact = self._fact()
        if fact is not None:
            self._do(lambda: self.session.assume(fact if so else opposite(fact)), "done")

    def _note(self, *, so: bool) -> None:
        fact = self._fact()
        if fact is not None:
            card, holder = str(fact.variable), str(next(iter(fact.values)))
            event = Has(holder, card) if so else HasNot(holder, card)
            self._add(format_event(self.session.game, event))

    def _fact(self) -> Fact | None:
        fact = self.picked
        if fact is None:
            self._warn("of which card? Click a cell of the sheet first")
        return fact

    def _choose(self) -> None:
        number = self.chosen
        if number is not None:
            self.line.value = self.kept.events()[number - 1]

    # What it says

    def _tell(self, text: str, kind: str = "note") -> None:
        self.status.value = message(visible(text), kind)

    def _warn(self, text: str) -> None:
        self._tell(text, "bad")

    def _said(self, number: int) -> None:
        """Tell an event that was typed, as it was understood, and what follows."""
        parts = [f"{number}. {self.kept.events()[number - 1]}"]
        parts += doubts(self.session, self.session.events[number - 1])
        try:
            if self.kept.knowledge.is_consistent():
                news = self.kept.news()
                word = "if so" if self.session.assumed else "now"
                parts += [f"{word} certain: {'; '.join(news)}"] if news else []
        except Undecided as error:
            parts.append(str(error))
        self._tell(" — ".join(parts), "good")

    def _follow(self) -> None:
        """Show the log, the sheet and the advice as they are now."""
        done, undone = self.session.done, self.session.undone
        for control, steps, word in ((self.undo, done, "Undo"), (self.redo, undone, "Redo")):
            control.disabled = not steps
            control.tooltip = f"{word}: {steps[-1].name}" if steps else f"Nothing to {word.lower()}"
        events = list(enumerate(self.kept.events(), start=1))
        rows = [Row(f"{number}.", (Cell(text),)) for number, text in reversed(events)]
        title = "The log, the last event first" if rows else "The log has no events yet"
        self.log.show(Table((), rows, title, wraps=True))
        picked, self.conflict.value = self.picked, ""
        _show(self._what_if, shown=bool(self.session.assumed))
        try:
            consistent = self.kept.knowledge.is_consistent()
            self._show_sheet(self.kept.knowledge if consistent else self.kept.before, picked)
            self.assumed.value = _lines(
                [f"assumed: {said} ({how})" for said, how in self.kept.verdicts().items()]
            )
            if consistent:
                self._advise()
            else:
                self._show_conflict()
                self._prospects(None, [])
        except DeduceError as error:
            self._warn(str(error))

    def _show_sheet(self, knowledge: Any, picked: Fact | None) -> None:
        """Show the sheet; that before a contradiction cannot be clicked."""
        game, clickable = self.session.game, knowledge is self.kept.knowledge
        try:
            grid = grid_of(knowledge)
        except Contradiction:
            self._facts = {}
            self.sheet.show(Table((), [], "The log contradicts itself: no deal fits"))
            return
        shares = None if grid.numbers is None else knowledge.shares()
        rows: list[Row] = []
        facts: dict[tuple[int, int], Fact] = {}
        for category, cards in game.groups().items():
            rows.append(Row(category))
            for card in cards:
                facts |= {(len(rows), at): is_(card, h) for at, h in enumerate(game.holders)}
                cells = (
                    value_cell(grid, shares, card, h, name=f"{card}, {h}", pick=clickable)
                    for h in game.holders
                )
                rows.append(Row(card, tuple(cells)))
        numbers = (Cell(text, pick=False) for text in found(game, grid.possible).values())
        rows.append(Row("found", tuple(numbers)))
        text = sheet_table(knowledge, grid)
        notes = [*text.notes, *(["click a cell for why"] if clickable else [])]
        notes += [f"face up: {join(game.face_up)}"] if game.face_up else []
        title = text.title if clickable else f"{text.title}: before the contradiction"
        self._facts = facts
        again = next((place for place, f in facts.items() if clickable and f == picked), None)
        self.sheet.show(Table(("", *game.holders), rows, title, notes), picked=again)
        self._explain()

    def _explain(self) -> None:
        """Show why the picked cell is as it is, and mark the events in the log."""
        fact = self.picked
        _show(self._cell, shown=fact is not None)
        if fact is None:
            return
        try:
            why = self.kept.knowledge.why(fact)
            share = self.kept.probability(fact) if why.verdict == "open" else None
        except Contradiction:
            return  # it is shown already
        except DeduceError as error:
            self._warn(str(error))
            return
        more = "" if share is None else f"probability: {percent(share)}"
        self.why.value = self._proof(why, more)
        self._mark(why)

    def _show_conflict(self) -> None:
        why = self.kept.knowledge.contradiction()
        advice = "to change or drop one event is not enough; look at each of them"
        if why.repairs:
            numbers = join([str(number) for number in why.repairs], "or")
            advice = f"it is enough to change or delete event {numbers}; click it in the log"
        if self.session.assumed:
            advice += "; or assume nothing"
        if self.session.done:
            advice += f"; Undo takes back {self.session.done[-1].name}"
        contradiction = evolve(why, repairs=())
        self.conflict.value = (
            f'<div class="deduce-message deduce-bad" role="alert">'
            f"{self._proof(contradiction, advice)}</div>"
        )
        self._mark(why)

    def _mark(self, why: Why) -> None:
        self.log.mark([len(self.session.events) - number for number in why.events])

    def _proof(self, why: Why, more: str) -> str:
        """Return an explanation as HTML, with the events as they stand in the log."""
        head = why.headline
        if why.verdict == "contradiction":
            head = "Contradiction: these cannot all be true"
        lines = [f"<strong>{escape(visible(head))}</strong>"]
        for number, said, sentences in proof(self.session, why):
            place = said if number is None else f"{number}. {said}"
            lines.append(f"{escape(visible(place))}<br>→ {escape(visible(sentences))}")
        lines += [f"rule: {escape(visible(rule))}" for rule in why.rules]
        lines += [escape(visible(more))] if more else []
        return f'<div class="deduce-prose">{"".join(f"<div>{line}</div>" for line in lines)}</div>'

    def _advise(self) -> None:
        """Show what to suggest next."""
        if self.session.game.me is None:
            self._prospects(None, ["Whose log is it? With a line “me: NAME” there is advice."])
            return
        try:
            knowledge = self.kept.knowledge.using(budget=ADVICE)
            advice = advise(knowledge)
        except Undecided as error:
            self._prospects(None, [f"No advice: {error}"])
            return
        notes = advice_notes(knowledge, advice, SUGGESTIONS, options=False)
        self._prospects(advice, [*notes, "click one to begin it"])

    def _prospects(self, advice: Advice | None, notes: Sequence[str]) -> None:
        self._advice, self.prospect.value = advice, ""
        if advice is None or not advice.entropy_bits:
            self.suggestions.show(Table((), [], "", [note for note in notes if advice is None]))
            return
        rows = [
            Row(
                gain_text(advice, prospect),
                (Cell(", ".join(prospect.cards)), Cell(percent(prospect.nobody), pick=False)),
            )
            for prospect in advice.ranking[:SUGGESTIONS]
        ]
        title = f"What {advice.by} may suggest; {advice.entropy_bits:.2f} bits open"
        head = ("tells", "suggestion", "nobody")
        self.suggestions.show(Table(head, rows, title, notes, wraps=True))

    def _take_over(self) -> None:
        """Begin the suggestion that was clicked, and show what its answers would tell."""
        place = self.suggestions.place
        if place is not None and self._advice is not None:
            prospect = self._advice.ranking[place[0]]
            self.entry.fill(self._advice.by, prospect.cards)
            self.prospect.value = html(outcome_table(self._advice, prospect))


def page(log: str) -> Any:
    """Return what the page of ``deduce cluedo app`` shows: the assistant, or what is wrong."""
    try:
        return Assistant(log)
    except DeduceError as error:
        return _html(message(str(error), "bad"))


def _show(widget: Any, *, shown: bool) -> None:
    widget.layout.display = "" if shown else "none"


def _lines(lines: list[str]) -> str:
    return "".join(f'<div class="deduce-prose">{escape(visible(line))}</div>' for line in lines)


def _html(value: str) -> Any:
    return ipywidgets.HTML(value)


def _column(children: list[Any], flex: str = "") -> Any:
    layout = ipywidgets.Layout(flex=flex or None, min_width="0", overflow="visible")
    return ipywidgets.VBox(children, layout=layout)
