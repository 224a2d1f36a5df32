"""The sheet of a log in which events may be wrong: what rests on them, and which are suspicious."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from deduce.doubts import Slip, with_doubts
from deduce.face.html import Child, Html, join_html, tag
from deduce.face.logs import JOB_BUDGET, Sight
from deduce.face.parts import button, callout, heading
from deduce.face.presenter import Intent, Job, Moment
from deduce.face.tutor import Tutored
from deduce.knowledge import Knowledge
from deduce.show.table import percent

__all__ = ["Doubting"]

SUSPECT, MAX_SUSPECTS = Fraction(5, 100), 6
"""From which probability on an event is listed as possibly wrong, and how many are."""


class Doubting(Tutored):
    """The part of a presenter that shows the sheet with doubts; it needs `SLIPS_TEXTS`.

    ``ui["slips"]`` is whether it is shown; the sheet itself is computed by the job ``slips``.
    """

    of_players = Tutored.of_players | {"slips"}

    doubts = True
    """Whether the events of the game can be doubted: some state too much at once."""

    def do_slips(self, moment: Moment, intent: Intent) -> None:
        """Show the sheet with the possibility that events are wrong, or again without."""
        moment.ui["slips"] = not moment.ui.get("slips")
        moment.ui.pop("cell", None)

    def doubts_button(self, sight: Sight) -> Child:
        """Return the button that begins to doubt, if there is anything to doubt."""
        if not (self.doubts and sight.log.events):
            return None
        return button(self.say("slips.begin"), "slips")

    def doubts_frame(self, sight: Sight, jobs: list[Job]) -> Html:
        """Return the place of the sheet with doubts, with the button that ends it."""
        jobs.append(self.job(sight, "slips", "slips"))
        end = button(self.say("slips.end"), "slips")
        banner = callout(tag("p", self.say("slips.on")), end, kind="if")
        return join_html([banner, tag("div", data_slot="slips")])

    def job_slips(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the sheet when events may be wrong, below the suspicious ones."""
        yield Html()
        knowledge = with_doubts(sight.knowledge.using(budget=JOB_BUDGET))
        suspects = [slip for slip in knowledge.slips() if slip.probability >= SUSPECT]
        yield join_html([self._suspects(sight, suspects), self.doubtful_sheet(sight, knowledge)])

    def _suspects(self, sight: Sight, suspects: Sequence[Slip]) -> Html:
        items = []
        for slip in suspects[:MAX_SUSPECTS]:
            line = f"{slip.event}. {self.event_text(sight, slip.event)}"
            note = self.say("slips.wrong", answer=slip.answer, share=percent(slip.probability))
            inside: Child = [tag("b", line), tag("small", note)]
            items.append(tag("li", button(inside, "line", class_="row", data_event=slip.event - 1)))
        shown = tag("ul", *items, class_="rows") if items else tag("p", self.say("slips.none"))
        return join_html([heading(self.say("slips.title")), shown])

    @abstractmethod
    def doubtful_sheet(self, sight: Sight, knowledge: Knowledge) -> Any:
        """Return the sheet of a log with doubts, in which what rests on an event is marked."""
