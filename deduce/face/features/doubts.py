"""The sheet of a log in which events may be wrong: what rests on them, and which are suspicious."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from deduce.doubts import Slip, with_doubts
from deduce.face.features.log import JOB_BUDGET, LogBook, Sight
from deduce.face.html import Child, Html, button, callout, heading, join_html, tag
from deduce.face.presenter import Act, Feature, job_of
from deduce.face.protocol import Intent, Job, Moment
from deduce.face.sentences import SLIPS_TEXTS, Texts
from deduce.knowledge import Knowledge
from deduce.show.table import percent

__all__ = ["Doubting"]

SUSPECT, MAX_SUSPECTS = Fraction(5, 100), 6
"""From which probability on an event is listed as possibly wrong, and how many are."""


class Doubting:
    """The switch to a sheet with doubts, which is ``ui["slips"]``, and the job that computes it.

    Parameters
    ----------
    say
        The texts.
    book
        The log.
    draw
        Returns the sheet, in which what rests on an event is marked, of knowledge with doubts.
    """

    def __init__(self, say: Texts, book: LogBook, draw: Callable[[Sight, Knowledge], Html]) -> None:
        self.say, self._book, self._draw = say, book, draw

    def feature(self) -> Feature[Sight]:
        """Return the doubts as a part of a page."""
        return Feature(
            intents={"slips": Act(self._switch, of_players=True)},
            jobs={"slips": self._job},
            texts=(SLIPS_TEXTS,),
        )

    def _switch(self, moment: Moment, intent: Intent) -> None:
        """Show the sheet with the possibility that events are wrong, or again without."""
        moment.ui["slips"] = not moment.ui.get("slips")
        moment.ui.pop("cell", None)

    def begin(self, sight: Sight) -> Child:
        """Return the button that begins to doubt, if there is anything to doubt."""
        return button(self.say("slips.begin"), "slips") if sight.log.events else None

    def frame(self, sight: Sight, jobs: list[Job]) -> Html:
        """Return the place of the sheet with doubts, with the button that ends it."""
        jobs.append(job_of(sight, "slips", "slips"))
        end = button(self.say("slips.end"), "slips")
        banner = callout(tag("p", self.say("slips.on")), end, kind="if")
        return join_html([banner, tag("div", data_slot="slips")])

    def _job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the sheet when events may be wrong, below the suspicious ones."""
        yield Html()
        knowledge = with_doubts(sight.knowledge.using(budget=JOB_BUDGET))
        suspects = [slip for slip in knowledge.slips() if slip.probability >= SUSPECT]
        yield join_html([self._suspects(sight, suspects), self._draw(sight, knowledge)])

    def _suspects(self, sight: Sight, suspects: Sequence[Slip]) -> Html:
        items = []
        for slip in suspects[:MAX_SUSPECTS]:
            line = f"{slip.event}. {self._book.event_text(sight, slip.event)}"
            note = self.say("slips.wrong", answer=slip.answer, share=percent(slip.probability))
            inside: Child = [tag("b", line), tag("small", note)]
            items.append(tag("li", button(inside, "line", class_="row", data_event=slip.event - 1)))
        shown = tag("ul", *items, class_="rows") if items else tag("p", self.say("slips.none"))
        return join_html([heading(self.say("slips.title")), shown])
