"""The assistant for notebooks and pages: a game that is being played, tracked by clicking.

It is a view of `games.cluedo.assistant.autosave`: the same session, file and answers as those of
the terminal. Needs the extra ``widgets``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from deduce.budget import STANDARD, Budget
from deduce.constraints import Fact, is_, opposite
from deduce.errors import BadInput, Contradiction, DeduceError, Undecided
from deduce.explain import Why
from deduce.knowledge import Knowledge
from deduce.show.sheet import Sheet
from deduce.show.table import percent
from deduce.text import join, plural, visible
from deduce.widgets.sheet import SheetWidget
from deduce.widgets.toolkit import Panel, button, column, guarded, ipywidgets, message, row, show
from games.cluedo.advice.show import outcome_table
from games.cluedo.advice.suggest import Advice, advise
from games.cluedo.assistant.autosave import LogFile
from games.cluedo.assistant.event_form import EventForm
from games.cluedo.assistant.session import Session
from games.cluedo.assistant.tables import (
    advice_table,
    clickable_sheet,
    lines_html,
    log_table,
    proof_html,
)
from games.cluedo.assistant.tracking import Tracking
from games.cluedo.events import Has, HasNot
from games.cluedo.game import Cluedo
from games.cluedo.notation.events import format_event
from games.cluedo.show import sheet_text

__all__ = ["Assistant", "page"]

ADVICE = Budget(None, 5.0)
"""The limit for the advice after a step."""


class Assistant(Panel):
    """The detective's sheet, the log, and what to ask next, with everything to click.

    Parameters
    ----------
    log
        The name of a log file, in which every step is saved at once; or a game or a session, which
        is kept in memory only.
    budget
        The limit for each question after a step.

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
        file, note = None, ""
        if isinstance(log, Cluedo):
            session = Session.new(log)
        elif isinstance(log, Session):
            session = log
        else:
            file, session, note = LogFile.open(Path(log))
        self._facts: Mapping[tuple[int, int], Fact] = {}
        self._advice: Advice | None = None
        self.tracking = Tracking(session, file, {"budget": budget})
        self._build(session.game)
        self._explain()
        self._follow()
        count = plural(len(session.events), "event")
        self._report(note or f"{count}; kept in {self.tracking.path.name}")

    def _build(self, game: Cluedo) -> None:
        self.status, self.conflict, self.why, self.prospect = (ipywidgets.HTML() for _ in range(4))
        self.entry = EventForm(game, self._add_entry)
        self.undo = button("Undo", lambda: self._do(lambda: self.session.undo(), "undone"))
        self.redo = button("Redo", lambda: self._do(lambda: self.session.redo(), "done again"))
        self.sheet, self.log, self.suggestions = SheetWidget(), SheetWidget(), SheetWidget()
        self.sheet.observe(lambda _: self._explain(), "picked")
        self.log.observe(lambda _: self._choose(), "picked")
        self.suggestions.observe(lambda _: self._take_over(), "picked")
        self.log.add_class("deduce-scroll")
        self.if_so = button("What if so?", lambda: self._assume(so=True), "Assume it")
        self.if_not = button("What if not?", lambda: self._assume(so=False), "Assume the opposite")
        self.has = button("It is so", lambda: self._note(so=True), "Add it to the log")
        self.has_not = button("It is not so", lambda: self._note(so=False), "Add it to the log")
        self.free = button(
            "Assume nothing", lambda: self._do(lambda: self.session.free(), "done"), "End what-if"
        )
        self.line = ipywidgets.Text(
            placeholder="Ann: plum rope hall; Ben -; Cid shows rope",
            layout=ipywidgets.Layout(width="auto"),
            tooltip="An event as in the log",
        )
        self.add_line = button("Add line", self._add_line, "Add it at the end of the log")
        self.change = button("Change", self._change, "Replace the chosen event")
        self.drop = button("Delete", self._drop, "Remove the chosen event", "danger")
        self.close = button("✕", lambda: self.sheet.set_trait("picked", []), "Close")
        self.assumed = ipywidgets.HTML()
        self._what_if = column([self.assumed, row(self.free)])
        about = row(self.if_so, self.if_not, self.has, self.has_not, self.close)
        self._cell = column([about, self.why])
        self._cell.add_class("deduce-cell")
        lines = [self.log, self.line, row(self.add_line, self.change, self.drop)]
        parts = [
            column([self.entry.view, row(self.undo, self.redo)], "1 1 300px"),
            column([self.sheet, self._what_if, self._cell], "1 1 340px"),
            column([*lines, self.suggestions, self.prospect], "1 1 340px"),
        ]
        layout = ipywidgets.Layout(flex_flow="row wrap", overflow="visible", grid_gap="16px")
        whole = ipywidgets.Box(parts, layout=layout)
        self.view = column([self.status, self.conflict, whole])
        self.view.add_class("deduce-panel")

    # What it contains

    def __str__(self) -> str:
        return sheet_text(self.tracking.knowledge)

    @property
    def session(self) -> Session:
        """The log as it is now."""
        return self.tracking.session

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
        """Pick a cell of the sheet, as a click does; raise `BadInput` if there is none."""
        fact = is_(card, holder)
        place = next((place for place, known in self._facts.items() if known == fact), None)
        if place is None:
            raise BadInput(f"the sheet has no cell for {card} and {holder}")
        self.sheet.picked = list(place)

    def choose(self, number: int) -> None:
        """Choose an event of the log, as a click does."""
        self.log.picked = [len(self.session.events) - number, 0]

    # Steps

    def _do(self, step: Callable[[], Session], verb: str = "") -> bool:
        """Take a step and show what it leads to."""
        taken = guarded(lambda: self.tracking.take(step()), self._warn)
        if taken:
            undone, done = self.session.undone_step, self.session.last_step
            self._report(f"{verb}: {undone if verb == 'undone' else done}" if verb else "")
            self._follow()
        return taken

    def _add(self, text: str) -> bool:
        if not self._do(lambda: self.session.add(text)):
            return False
        self._show_event(len(self.session.events))
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
            self._show_event(number)
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
            self._warn("Click a cell of the sheet first")
        return fact

    def _choose(self) -> None:
        number = self.chosen
        if number is not None:
            self.line.value = self.tracking.events()[number - 1]

    # What it shows

    def _report(self, text: str, kind: str = "note") -> None:
        self.status.value = message(visible(text), kind)

    def _warn(self, text: str) -> None:
        self._report(text, "bad")

    def _show_event(self, number: int) -> None:
        """Show an event that was typed, as it was understood, and what follows."""
        parts = [f"{number}. {self.tracking.events()[number - 1]}"]
        parts += self.tracking.notices(number)
        try:
            if self.tracking.knowledge.is_consistent():
                news = self.tracking.news()
                word = "if so" if self.session.assumed else "now"
                parts += [f"{word} certain: {'; '.join(news)}"] if news else []
        except Undecided as error:
            parts.append(str(error))
        self._report(" — ".join(parts), "good")

    def _follow(self) -> None:
        """Show the log, the sheet and the advice as they are now."""
        done, undone = self.session.last_step, self.session.undone_step
        for control, step, word in ((self.undo, done, "Undo"), (self.redo, undone, "Redo")):
            control.disabled = not step
            control.tooltip = f"{word}: {step}" if step else f"Nothing to {word.lower()}"
        self.log.show(log_table(self.tracking.events()))
        picked, self.conflict.value = self.picked, ""
        show(self._what_if, shown=bool(self.session.assumed))
        try:
            consistent = self.tracking.knowledge.is_consistent()
            self._show_sheet(
                self.tracking.knowledge if consistent else self.tracking.before, picked
            )
            verdicts = self.tracking.verdicts().items()
            self.assumed.value = lines_html(f"assumed: {claim} ({how})" for claim, how in verdicts)
            if consistent:
                self._advise()
            else:
                self._show_conflict()
                self._no_advice("")
        except Undecided as error:
            self._facts = {}
            self.sheet.show(Sheet((), [], "The sheet is not known within the time limit"))
            self._no_advice("")
            self._warn(str(error))

    def _show_sheet(self, knowledge: Knowledge, picked: Fact | None) -> None:
        """Show the sheet; the one before a contradiction cannot be clicked."""
        clickable = knowledge is self.tracking.knowledge
        sheet = clickable_sheet(knowledge, clickable=clickable)
        self._facts = sheet.facts
        again = next((place for place, fact in self._facts.items() if fact == picked), None)
        self.sheet.show(sheet, picked=again)
        self._explain()

    def _explain(self) -> None:
        """Show why the picked cell is certain or open, and mark the events in the log."""
        fact = self.picked
        show(self._cell, shown=fact is not None)
        if fact is None:
            self.log.mark([])
            return
        try:
            why = self.tracking.knowledge.why(fact)
            share = self.tracking.probability(fact) if why.verdict == "open" else None
        except Contradiction:
            return  # the contradiction is shown already
        except DeduceError as error:
            self._warn(str(error))
            return
        more = "" if share is None else f"probability: {percent(share)}"
        self.why.value = proof_html(self.session, why, more)
        self._mark(why)

    def _show_conflict(self) -> None:
        why = self.tracking.knowledge.contradiction()
        advice = "to change or drop one event is not enough; look at each of them"
        if why.repairs:
            numbers = join([str(number) for number in why.repairs], "or")
            advice = f"it is enough to change or delete event {numbers}; click it in the log"
        if self.session.assumed:
            advice += "; or assume nothing"
        if self.session.last_step:
            advice += f"; Undo takes back {self.session.last_step}"
        shown = proof_html(self.session, why, advice)
        self.conflict.value = f'<div class="deduce-message deduce-bad" role="alert">{shown}</div>'
        self._mark(why)

    def _mark(self, why: Why) -> None:
        self.log.mark([len(self.session.events) - number for number in why.events])

    def _advise(self) -> None:
        """Show what to suggest next."""
        if self.session.game.me is None:
            self._no_advice("Whose log is it? Advice needs a line “me: NAME” in the log.")
            return
        try:
            knowledge = self.tracking.knowledge.using(budget=ADVICE)
            advice = advise(knowledge)
        except Undecided as error:
            self._no_advice(f"No advice: {error}")
            return
        table = advice_table(knowledge, advice)
        self._advice, self.prospect.value = advice, ""
        self.suggestions.show(table)

    def _no_advice(self, reason: str) -> None:
        self._advice, self.prospect.value = None, ""
        self.suggestions.show(Sheet((), [], notes=[reason] if reason else []))

    def _take_over(self) -> None:
        """Begin the suggestion that was clicked, and show the information in its answers."""
        place = self.suggestions.place
        if place is not None and self._advice is not None:
            prospect = self._advice.ranking[place[0]]
            self.entry.fill(self._advice.by, prospect.cards)
            self.prospect.value = outcome_table(self._advice, prospect)._repr_html_()


def page(log: str) -> Any:
    """Return what the page of ``deduce cluedo app`` shows: the assistant, or what is wrong."""
    try:
        return Assistant(log)
    except DeduceError as error:
        return ipywidgets.HTML(message(str(error), "bad"))
