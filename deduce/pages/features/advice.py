"""What to ask: the most informative questions, each answer of which is a tap."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from deduce.errors import DeduceError
from deduce.game import Questions, hook
from deduce.pages.features.log import JOB_BUDGET, LogBook, Sight
from deduce.pages.html import Child, Html, button, join_html, name, tag, waiting
from deduce.pages.presenter import Act, Feature, View, job_of
from deduce.pages.protocol import Intent, Job, Moment, Ui
from deduce.pages.sentences import Texts
from deduce.policy.advice import UNKNOWN, Advice, RatedInquiry
from deduce.show.table import percent

__all__ = ["Advising"]

MAX_ADVICE = 12
"""How many questions are shown."""

MAX_ANSWERS = 12
"""How many answers of one question are shown."""


class Advising:
    """The view ``advice``, and the job that computes it; a game may replace the job."""

    def __init__(self, say: Texts, book: LogBook) -> None:
        self.say, self.book = say, book

    def feature(self) -> Feature[Sight]:
        """Return the advice as a part of a page."""
        return Feature(
            views={"advice": View(self._view)},
            intents={"tell": Act(self._tell, "line", of_players=True)},
            jobs={"advice": self.job},
        )

    def job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the most informative questions."""
        yield Html()
        advice = sight.knowledge.using(budget=JOB_BUDGET).advise()
        yield advice_html(self.say, advice, lambda rated: self._lines(sight, rated))

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return what to ask, when it is computed."""
        if sight.consistent is False:
            return tag("p", self.say("contradiction.none"))
        jobs.append(job_of(sight, "advice", "advice"))
        return waiting(self.say("advice.title"), "advice")

    def _lines(self, sight: Sight, rated: RatedInquiry) -> list[str | None]:
        """Return for each answer the line of the log that states it; ``None``: it has none."""
        event_of = hook(sight.game, Questions.event_of)
        if event_of is None:
            return [None] * len(rated.outcomes)
        lines: list[str | None] = []
        for outcome in rated.outcomes:
            try:
                event = event_of(rated.inquiry, outcome.answer)
                lines.append(self.book.written(sight.log, event))
            except DeduceError:
                lines.append(None)
        return lines

    def _tell(self, moment: Moment, intent: Intent) -> None:
        """Add a line that the page offered."""
        log = self.book.read(moment.log.text)
        self.book.add(moment, self.book.line_of(log, intent.values.get("line", "")))


def advice_html(
    say: Texts, advice: Advice, lines: Callable[[RatedInquiry], Sequence[str | None]]
) -> Html:
    """Return the best questions; each answer is a button that adds it to the log."""
    if not len(advice.ranking):
        return tag("p", say("advice.none"))
    items = []
    for rated in advice.ranking[:MAX_ADVICE]:
        answers = [
            _answer(outcome.text, percent(outcome.probability), line)
            for outcome, line in list(zip(rated.outcomes, lines(rated), strict=True))[:MAX_ANSWERS]
        ]
        head = tag("p", tag("b", name(rated.text)), " ",
                   tag("small", say("advice.gain", bits=f"{rated.gain_bits:.2f}")))  # fmt: skip
        items.append(tag("li", head, tag("div", *answers, class_="chips"), class_="asked"))
    more = len(advice.ranking) - MAX_ADVICE
    exact = say("advice.exact" if advice.is_exact else "advice.estimate")
    parts: list[Child] = []
    if advice.entropy_bits is not UNKNOWN:
        parts.append(tag("p", say("advice.bits", bits=advice.bits_text)))
    parts += [
        tag("p", say("advice.tap"), class_="hint"),
        tag("ul", *items, class_="rows"),
        tag("p", say("advice.more", n=more), class_="hint") if more > 0 else None,
        tag("p", exact, class_="hint"),
    ]
    return join_html(parts)


def _answer(text: str, share: str, line: str | None) -> Html:
    inside = [name(text), " ", tag("small", share)]
    if line is None:
        return tag("span", *inside, class_="button quiet")
    return button(inside, "tell", data_line=line)
