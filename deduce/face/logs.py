"""The presenter of a game with a log: what the faces of all hidden games share.

A subclass names its views and draws the ones that are its own. The log itself is drawn here, with
contradictions, what-if, why, links and files; `deduce.face.steps` reads and changes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from deduce.budget import Budget
from deduce.constraints import Fact
from deduce.errors import Contradiction, DeduceError, Undecided
from deduce.explain import Why
from deduce.face import share
from deduce.face.base import CACHED, Recent
from deduce.face.document import Document
from deduce.face.frame import frame
from deduce.face.html import Child, Html, tag
from deduce.face.logviews import log_view, why_panel
from deduce.face.lookback import banner
from deduce.face.parts import button, callout
from deduce.face.presenter import Job
from deduce.face.steps import LogSteps, Sight
from deduce.text import name_of

__all__ = ["LogPresenter", "Sight"]

JOB_BUDGET = Budget(steps=12_000_000, seconds=1.5)
"""The limit of one part of a job, after which a newer request is heard."""


class LogPresenter(LogSteps):
    """Draws a hidden game from its log; the views ``log`` and ``share`` are drawn here."""

    depends: ClassVar[Mapping[str, tuple[str, ...]]] = {"log": ("cell", "line")}
    """View -> the keys of ``ui`` that it shows besides the document."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: Recent[list[str]] = Recent(CACHED)

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
        return self.written(sight.log, sight.log.events[number - 1])

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
        notices = list(game.notices(sight.log.events)) if hasattr(game, "notices") else []
        marked: tuple[int, ...] = ()
        fact = self.cell(sight.log, ui)
        if fact is not None and sight.consistent:
            try:
                marked = sight.knowledge.why(fact).events
            except DeduceError:
                marked = ()
        lines = self._lines.get(
            sight.document.text,
            lambda: [self.event_text(sight, n + 1) for n in range(len(sight.log.events))],
        )
        chosen, example = ui.get("line"), self.typed_example(sight)
        shared = sight.viewer is not None
        return log_view(self.say, lines, notices, marked, chosen, example, shared=shared)

    def typed_example(self, sight: Sight) -> str:
        """Return an example of a line that can be typed."""
        return ""

    def view_share(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the links, the file and the text of the log."""
        return share.share_view(self.say, sight.document, self.invitation(sight))

    def invitation(self, sight: Sight) -> str | None:
        """Return the log without what is private to any player; ``None``: there is none."""
        return None
