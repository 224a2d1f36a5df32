"""The log of a page: reading it, what it shows a viewer, and the intents that change it.

The log is edited as text, so comments and blank lines stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from deduce import registry
from deduce.budget import Budget
from deduce.constraints import Fact, is_, is_not
from deduce.errors import BadInput, Contradiction, Undecided
from deduce.events import Log, parse_event, read_log
from deduce.face.base import CACHED, DocumentPresenter, Recent
from deduce.face.document import Document
from deduce.face.lookback import document_then, then
from deduce.face.presenter import Intent, Moment, index_of
from deduce.face.texts import Message
from deduce.game import RECORD
from deduce.knowledge import Knowledge
from deduce.logs import event_line

__all__ = ["LogSteps", "Sight", "player_named"]

BUDGET = Budget(steps=12_000_000, seconds=4.0)
"""The limit of each question of a screen."""

MAX_NEWS = 6
"""How many new certainties are announced."""


def player_named(game: Any, viewer: str) -> Any:
    """Return the player whose page it is: a name, or the number of a seat."""
    return {str(player): player for player in getattr(game, "players", ())}.get(viewer, viewer)


@frozen
class Sight:
    """A document as one viewer sees it.

    Parameters
    ----------
    document
        The log as it is kept.
    log
        The log that was read from it.
    knowledge
        What it shows, under the assumptions.
    consistent
        Whether any world is possible; ``None``: not decided within the budget.
    viewer
        The player whose page it is; ``None``: the page shows everything in the log.
    """

    document: Document
    log: Log
    knowledge: Knowledge
    consistent: bool | None
    viewer: str | None = None

    @property
    def game(self) -> Any:
        """The set-up."""
        return self.log.game


class LogSteps(DocumentPresenter):
    """Reads a log and changes it; `deduce.face.logs.LogPresenter` draws it."""

    of_players = DocumentPresenter.of_players | {
        "why", "close", "then", "line", "type", "edit", "insert", "drop",
    }  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self._logs: Recent[Log] = Recent(CACHED)
        self._knowledge: Recent[Knowledge] = Recent(CACHED)

    # What the log shows

    def read(self, text: str) -> Log:
        """Return the log of a text; raise `BadInput` if it cannot be read."""
        return self._logs.get(
            text, lambda: read_log(text, registry.load(registry.find(self.name).hidden))
        )

    def knowledge(self, document: Document, viewer: str | None = None) -> Knowledge:
        """Return what a log shows a viewer; by default all that is in it."""

        def begin() -> Knowledge:
            log = self.read(document.text)
            sees = RECORD if viewer is None else player_named(log.game, viewer)
            knowledge = Knowledge.of(log, viewer=sees, budget=BUDGET)
            return knowledge.assume(*map(self.claim_reader(log), document.assumed))

        return self._knowledge.get((document.text, document.assumed, viewer), begin)

    def sight(self, document: Document, viewer: str | None = None) -> Sight:
        """Return a document as a viewer sees it; raise `BadInput` if it cannot be read."""
        knowledge = self.knowledge(document, viewer)
        try:
            consistent = knowledge.is_consistent()
        except Undecided:
            consistent = None
        return Sight(document, self.read(document.text), knowledge, consistent, viewer)

    # Facts as a page names them: variable and value by their indexes, and whether it holds

    def claim_reader(self, log: Log) -> Callable[[str], Fact]:
        """Return the function that reads an assumption: ``"3.1"``, or ``"3.1!"`` for "not"."""
        variables = list(log.game.variables().items())

        def read(claim: str) -> Fact:
            variable, _, value = claim.rstrip("!").partition(".")
            chosen, values = variables[index_of(variable, len(variables))]
            fact = list(values)[index_of(value, len(values))]
            return is_not(chosen, fact) if claim.endswith("!") else is_(chosen, fact)

        return read

    def cell(self, log: Log, ui: Mapping[str, Any]) -> Fact | None:
        """Return the fact of the cell that is open, if any."""
        if not isinstance(ui.get("cell"), str):
            return None
        try:
            return self.claim_reader(log)(ui["cell"])
        except BadInput:
            return None

    # Steps

    def lines(self, document: Document) -> list[str]:
        """Return the lines of the text."""
        return document.text.splitlines()

    def line_of(self, log: Log, typed: str) -> str:
        """Return an event that was typed, as a line of the log."""
        typed = " ".join(typed.splitlines()).strip()
        if not typed:
            raise BadInput(self.say("log.empty"))
        return self.written(log, parse_event(log.game, typed))

    def written(self, log: Log, event: Any) -> str:
        """Return an event as a line of the log."""
        return event_line(log.game, event)

    def change(self, moment: Moment, start: int, end: int, lines: list[str], key: str) -> None:
        """Take the step that replaces lines; what became certain is announced."""
        document = moment.log
        texts = self.lines(document)
        text = "".join(f"{line}\n" for line in [*texts[:start], *lines, *texts[end:]])
        self.read(text)
        moment.step(text, key, line="; ".join(lines or texts[start:end]))
        self.announce(moment, document)

    def add(self, moment: Moment, line: str) -> None:
        """Take the step that adds a line at the end."""
        count = len(self.lines(moment.log))
        self.change(moment, count, count, [line], "step.add")

    def announce(self, moment: Moment, before: Document) -> None:
        """Announce what is certain now and was not before the step, and remember its cells."""
        moment.ui["news"] = []
        try:
            old = self.knowledge(before, moment.viewer).certain()
            knowledge = self.knowledge(moment.log, moment.viewer)
            new = {v: x for v, x in knowledge.certain().items() if old.get(v) != x}
        except (Contradiction, Undecided):
            return
        if not new:
            return
        variables = list(knowledge.problem.domains)
        moment.ui["news"] = [
            f"{variables.index(variable)}.{list(knowledge.problem.domains[variable]).index(value)}"
            for variable, value in new.items()
        ]
        sentences = [knowledge.say(is_(variable, value)) for variable, value in new.items()]
        shown = "; ".join(sentences[:MAX_NEWS])
        more = len(sentences) - MAX_NEWS
        if more > 0:
            shown = self.say("news.more", shown=shown, n=more)
        key = "news.assumed" if moment.log.assumed else "news"
        moment.note(self.say(key, facts=shown), "good")

    # Intents

    def do_why(self, moment: Moment, intent: Intent) -> None:
        """Open a cell: why it is so."""
        self.claim_reader(self.read(moment.log.text))(intent.values.get("fact", ""))
        moment.ui["cell"] = intent.values["fact"]
        moment.focus = "over-title"

    def do_view(self, moment: Moment, intent: Intent) -> None:
        """Open a view. The panel over the others closes, but the log marks its proof."""
        super().do_view(moment, intent)
        if intent.values.get("view") != "log":
            self.do_close(moment, intent)

    def do_close(self, moment: Moment, intent: Intent) -> None:
        """Close the cell or the line that is open."""
        moment.ui.pop("cell", None)
        moment.ui.pop("line", None)

    def do_assume(self, moment: Moment, intent: Intent) -> None:
        """Assume what the open cell states, or its opposite, for the sake of argument."""
        log, document = self.read(moment.log.text), moment.log
        claim = intent.values.get("fact", "")
        sentence = self.knowledge(document).say(self.claim_reader(log)(claim))
        assumed = tuple(dict.fromkeys((*document.assumed, claim)))
        step = Message("step.assume", {"fact": sentence})
        moment.document = document.to(document.text, assumed, step=step)
        self.announce(moment, document)

    def do_then(self, moment: Moment, intent: Intent) -> None:
        """Look back to what was known after an event; after the last one it is now."""
        log, document = self.read(moment.log.text), moment.log
        count = len(log.events)
        number = intent.step(count + 1)
        past = document_then(document, log, number)
        self.read(past.text)
        self.do_close(moment, intent)
        moment.ui["then"] = [number, count]
        if number == count:
            del moment.ui["then"]
        earlier = evolve(moment, document=past)
        self.announce(earlier, document_then(document, log, max(0, number - 1)))

    def shown(self, document: Document, ui: Mapping[str, Any]) -> Document:
        """Return the document, or the part of it to which the page looks back."""
        where = then(ui)
        if where is not None:
            with suppress(BadInput):
                return document_then(document, self.read(document.text), where[0])
        return document

    def do_free(self, moment: Moment, intent: Intent) -> None:
        """Give up the assumptions."""
        document = moment.log
        if document.assumed:
            moment.document = document.to(document.text, (), step=Message("step.free"))
        moment.ui["news"] = []

    def do_line(self, moment: Moment, intent: Intent) -> None:
        """Open a line of the log, to change it."""
        count = len(self.read(moment.log.text).events)
        moment.ui["line"] = intent.index("event", count)
        self.views.open(moment.ui, "log")
        moment.focus = "line-text"

    def do_type(self, moment: Moment, intent: Intent) -> None:
        """Add the event that was typed."""
        self.add(moment, self.line_of(self.read(moment.log.text), intent.first("line")))

    def do_edit(self, moment: Moment, intent: Intent) -> None:
        """Replace the event that is open."""
        log, at = self._open_line(moment, change=True)
        line = self.line_of(log, intent.first("line"))
        self.change(moment, at, at + 1, [line], "step.edit")
        moment.ui.pop("line", None)

    def do_insert(self, moment: Moment, intent: Intent) -> None:
        """Insert an event before the one that is open."""
        log, at = self._open_line(moment)
        self.change(moment, at, at, [self.line_of(log, intent.first("line"))], "step.insert")
        moment.ui.pop("line", None)

    def do_drop(self, moment: Moment, intent: Intent) -> None:
        """Remove the event that is open, or the one that the intent names."""
        if "event" in intent.values:
            self.do_line(moment, intent)
            moment.focus = ""
        _, at = self._open_line(moment, change=True)
        self.change(moment, at, at + 1, [], "step.drop")
        moment.ui.pop("line", None)

    def _open_line(self, moment: Moment, *, change: bool = False) -> tuple[Log, int]:
        log = self.read(moment.log.text)
        event = moment.ui.get("line")
        if type(event) is not int or not 0 <= event < len(log.lines):
            raise BadInput(self.say("log.which"))
        if change and moment.viewer is not None and event not in moment.own:
            raise BadInput(self.say("log.not_yours"))
        return log, log.lines[event] - 1
