"""The presenter of a game with a log: what the faces of all hidden games share.

A subclass names its views and draws the ones that are its own. Everything that is about a log is
here: reading it, steps with undo, editing lines, what-if, why, links and files. The log is edited
as text, so comments and blank lines stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, ClassVar

from attrs import frozen

from deduce import registry
from deduce.budget import Budget
from deduce.constraints import Fact, is_, is_not
from deduce.errors import BadInput, Contradiction, DeduceError, Undecided, Unsupported
from deduce.events import Log, format_event, parse_event, read_log, write_log
from deduce.explain import Why
from deduce.face import share
from deduce.face.base import CACHED, DocumentPresenter, Recent
from deduce.face.document import Document
from deduce.face.frame import frame
from deduce.face.html import Child, Html, tag
from deduce.face.logviews import log_view, why_panel
from deduce.face.lookback import banner, document_then, then
from deduce.face.parts import button, callout
from deduce.face.presenter import Intent, Job, Moment, index_of
from deduce.face.texts import Message
from deduce.game import RECORD
from deduce.knowledge import Knowledge
from deduce.text import name_of

__all__ = ["LogPresenter", "Sight"]

BUDGET = Budget(steps=12_000_000, seconds=4.0)
"""The limit of each question of a screen."""

MAX_NEWS = 6
"""How many new certainties are announced."""

JOB_BUDGET = Budget(steps=12_000_000, seconds=1.5)
"""The limit of one part of a job, after which a newer request is heard."""


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


class LogPresenter(DocumentPresenter):
    """Draws a hidden game from its log; the views ``log`` and ``share`` are drawn here."""

    depends: ClassVar[Mapping[str, tuple[str, ...]]] = {"log": ("cell", "line")}
    """View -> the keys of ``ui`` that it shows besides the document."""

    def __init__(self) -> None:
        super().__init__()
        self._logs: Recent[Log] = Recent(CACHED)
        self._knowledge: Recent[Knowledge] = Recent(CACHED)
        self._lines: Recent[list[str]] = Recent(CACHED)

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
            sees = RECORD if viewer is None else viewer
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
        try:
            return format_event(log.game, event)
        except Unsupported:
            return write_log(log.game, [event]).splitlines()[1]

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
        earlier = Moment(past, moment.ui, moment.viewer, moment.notices)
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
        log, at = self._open_line(moment)
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
        _, at = self._open_line(moment)
        self.change(moment, at, at + 1, [], "step.drop")
        moment.ui.pop("line", None)

    def _open_line(self, moment: Moment) -> tuple[Log, int]:
        log = self.read(moment.log.text)
        event = moment.ui.get("line")
        if type(event) is not int or not 0 <= event < len(log.lines):
            raise BadInput(self.say("log.which"))
        whole = log.events[event]
        if moment.viewer is not None and self.seen(log.game, whole, moment.viewer) != whole:
            raise BadInput(self.say("log.not_yours"))
        return log, log.lines[event] - 1

    def frame(self, sight: Sight, ui: dict[str, Any]) -> Html:
        """Return the frame, with a contradiction or the assumptions above the panes."""
        return frame(
            self.say,
            self.open_views(sight.viewer),
            ui,
            sight.document,
            title=self.say("title"),
            subtitle=self.subtitle(sight),
            above=[self.looking_back(sight, ui), self.assumptions(sight), self.conflict(sight)],
            undo=sight.viewer is None,
        )

    def looking_back(self, sight: Sight, ui: Mapping[str, Any]) -> Child:
        """Return the banner of a page that looks back."""
        number = len(sight.log.events)
        return banner(self.say, ui, self.event_text(sight, number) if number else "")

    def assumptions(self, sight: Sight) -> Child:
        """Return the banner of a what-if."""
        knowledge = sight.knowledge
        if not knowledge.assumed:
            return None
        facts = "; ".join(map(knowledge.say, knowledge.assumed))
        end = button(self.say("if.end"), "free")
        return callout(tag("p", self.say("if.banner", facts=facts)), end, kind="if")

    def conflict(self, sight: Sight) -> Child:
        """Return what is wrong with a log that contradicts itself, and which events to examine."""
        if sight.consistent is not False:
            return None
        why = sight.knowledge.contradiction()
        advice = self.say("contradiction.look")
        if why.repairs:
            advice = self.say("contradiction.repair")
        events = [
            tag(
                "li",
                button(
                    f"{number}. {self.event_text(sight, number)}",
                    "line",
                    class_="link",
                    data_event=number - 1,
                ),
                tag("small", self.say("contradiction.enough")) if number in why.repairs else None,
            )
            for number in why.events
        ]
        rules = [tag("li", rule) for rule in why.rules]
        return callout(
            tag("h2", self.say("contradiction.title"), id="conflict", tabindex=-1),
            tag("p", advice),
            tag("ul", *events, *rules),
            kind="bad",
            label=self.say("contradiction.title"),
        )

    def event_text(self, sight: Sight, number: int) -> str:
        """Return event ``number``, from 1, as a line."""
        event = sight.log.events[number - 1]
        if sight.viewer is not None:
            event = self.seen(sight.game, event, sight.viewer)
        return self.say("log.private") if event is None else self.written(sight.log, event)

    def seen(self, game: Any, event: Any, viewer: str) -> Any:
        """Return an event as a player sees it; ``None`` if all of it is private to others."""
        return None

    def over(self, sight: Sight, ui: dict[str, Any]) -> Html:
        """Return the panel about the open cell; empty if none is open."""
        fact = self.cell(sight.log, ui)
        if fact is None or sight.consistent is not True:
            return Html()
        why: Why | None = None
        problem = ""
        try:
            why = sight.knowledge.why(fact)
        except DeduceError as error:
            problem = str(error)
        return why_panel(
            self.say,
            ui["cell"],
            sight.knowledge.say(fact),
            why,
            lambda number: self.event_text(sight, number),
            problem=problem,
            probability=self.probability(sight, fact),
            more=self.cell_actions(sight, fact, ui["cell"]),
            what_if=sight.viewer is None,
        )

    def probability(self, sight: Sight, fact: Fact) -> float | None:
        """Return the probability of a fact, or ``None`` if it is not known."""
        try:
            row = sight.knowledge.posterior()[fact.variable]
        except (Undecided, Contradiction):
            return None
        return float(sum((p for value, p in row.items() if value in fact.values), 0))

    # What a game draws or changes

    def saved_title(self, document: Document) -> str:
        """Return the title of the game in the list of saved games."""
        try:
            log = self.read(document.text)
        except DeduceError:
            return self.say("title")
        players = ", ".join(map(name_of, getattr(log.game, "players", ())))
        return self.say("saved", players=players or self.say("title"), n=len(log.events))

    def subtitle(self, sight: Sight) -> Child:
        """Return what is beside the title in the bar."""
        return self.saved_title(sight.document)

    def cell_actions(self, sight: Sight, fact: Fact, cell: str) -> Child:
        """Return more buttons for the open cell."""
        return None

    def view_log(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the log, every line of which can be opened and changed."""
        game = sight.game
        notices = list(game.notices(sight.log.events)) if _speaks(sight) else []
        marked: tuple[int, ...] = ()
        fact = self.cell(sight.log, ui)
        if fact is not None and sight.consistent:
            try:
                marked = sight.knowledge.why(fact).events
            except DeduceError:
                marked = ()
        lines = self._lines.get(
            (sight.document.text, sight.viewer),
            lambda: [self.event_text(sight, n + 1) for n in range(len(sight.log.events))],
        )
        return log_view(self.say, lines, notices, marked, ui.get("line"), self.typed_example(sight))

    def typed_example(self, sight: Sight) -> str:
        """Return an example of a line that can be typed."""
        return ""

    def view_share(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the links, the file and the text of the log."""
        return share.share_view(self.say, sight.document, self.invitation(sight))

    def invitation(self, sight: Sight) -> str | None:
        """Return the log without what is private to any player; ``None``: there is none."""
        return None


def _speaks(sight: Sight) -> bool:
    """Return whether the game has notices, and the page may show what is in the whole log."""
    return sight.viewer is None and hasattr(sight.game, "notices")
