"""What to ask, in words: one recommendation with its reason, the others folded away.

An estimate is shown as soon as there is one, and looks different from the exact answer that
replaces it. Questions whose answers are worth the same are shown once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from math import ceil, sqrt
from typing import Any, TypeVar

from attrs import evolve

from deduce.budget import Budget, cpu_seconds
from deduce.errors import BadInput, DeduceError, Undecided
from deduce.game import Questions, Shown, hook
from deduce.pages.features.log import LogBook, Sight
from deduce.pages.html import Child, Html, button, details, join_html, name, tag, waiting
from deduce.pages.presenter import CACHED, Act, Feature, Recent, View, job_of
from deduce.pages.protocol import Intent, Job, Moment, Ui
from deduce.pages.sentences import Texts
from deduce.policy.advice import Advice, RatedInquiry, Unknown
from deduce.policy.inquiries import Inquiry, asker_of
from deduce.show.table import percent
from deduce.system.language import decimal_text, number_text

__all__ = ["Advising", "advice_html", "left_sentence", "ranked", "refined"]

MAX_ADVICE = 6
"""How many questions are shown, those that are equal counted once."""

COMPARED = 400
"""How many of the best questions are compared to find those that are equal."""

LARGE = 100
"""A mean that is at least this large is rounded."""

MAX_ANSWERS = 12
"""How many answers of one question are shown."""

AT_ONCE = Budget(steps=1_000_000, seconds=0.3, clock=cpu_seconds)
"""Within this an answer is exact from the beginning."""

DRAWN = Budget(steps=10_000_000, seconds=8.0, clock=cpu_seconds)
"""The limit of an estimate: mostly steps, so that a slow machine shows what a fast one does."""

DRAWS = (1000, 2000, 4000, 20_000)
"""How many worlds are drawn: as few as the question allows."""

EXACT = Budget(steps=200_000_000, seconds=6.0, clock=cpu_seconds)
"""The limit of the exact answer, for which nobody has to wait."""

LEADING = evolve(EXACT, seconds=3.0)
"""The same where there is an estimate before it: then a newer log is not kept waiting."""

A = TypeVar("A", bound=Advice)


def refined(
    ask: Callable[[Budget, int | None, Sequence[Inquiry] | None], A], guess: Advice | None = None
) -> Iterator[A]:
    """Yield the advice: exact if that is fast, else an estimate and then the exact one.

    Parameters
    ----------
    ask
        Returns the advice within a budget, over a number of drawn worlds; 0: exact; ``None``: drawn
        in the way that needs least. Of the given questions, or of all.
    guess
        The estimate that is on the screen already, if any: then the questions that it puts first
        are rated before all of them are, at once from draws.

    Raises
    ------
    Undecided
        There is not even an estimate.
    """
    if guess is None:
        with suppress(Undecided):
            yield ask(AT_ONCE, 0, None)
            return
    first = None if guess is None else _leading(guess)
    estimated = guess is not None
    for draws in DRAWS:
        try:
            yield ask(DRAWN, draws, first)
        except BadInput:  # too few to tell the solutions apart
            continue
        except Undecided:
            break
        estimated = True
        break
    if not estimated:
        with suppress(BadInput, Undecided):
            yield ask(EXACT, None, None)
            estimated = True
    try:
        if first is not None:
            yield evolve(ask(LEADING, 0, first), method="leading")
        yield ask(EXACT if guess is None else LEADING, 0, None)
    except Undecided:  # where a few take too long, all of them do
        if not estimated:
            raise


def _leading(guess: Advice) -> list[Inquiry] | None:
    """Return the questions that a guess puts first; ``None``: all."""
    shown = sum(same for _, same in ranked(guess))
    return (
        [rated.inquiry for rated in guess.ranking[:shown]] if shown < len(guess.ranking) else None
    )


def ranked(advice: Advice) -> list[tuple[RatedInquiry, int]]:
    """Return the best questions, each with how many are worth the same."""
    groups: dict[object, list[RatedInquiry]] = {}
    for rated in advice.ranking[:COMPARED]:
        shares = sorted(outcome.probability for outcome in rated.outcomes)
        groups.setdefault((round(rated.gain_bits, 6), tuple(shares)), []).append(rated)
    return [(same[0], len(same)) for same in list(groups.values())[:MAX_ADVICE]]


def left_sentence(say: Texts, rated: RatedInquiry, now: int | None) -> str:
    """Return how much remains open after the answer on average; empty if that is not known."""
    if now == 1:
        return say("advice.known")
    solutions = [outcome.solutions for outcome in rated.outcomes]
    if not solutions or any(isinstance(count, Unknown) for count in solutions):
        return ""
    chances = (float(outcome.probability) for outcome in rated.outcomes)
    mean = sum(p * int(str(n)) for p, n in zip(chances, solutions, strict=True))
    shown = f"{mean:.1f}".removesuffix(".0")
    left = decimal_text(shown) if mean < LARGE else number_text(round(mean))
    return say("advice.left_of", left=left, n=now) if now else say("advice.left", left=left)


def advice_html(
    say: Texts,
    advice: Advice,
    what: Child,
    why: Sequence[str],
    act: Child,
    others: Sequence[Child] = (),
    *,
    same: int = 1,
) -> Html:
    """Return a recommendation.

    Parameters
    ----------
    say
        The texts.
    advice
        Where it comes from.
    what, why, act
        What is recommended, the reasons, and what does it.
    others
        What else could be asked.
    same
        How many questions are worth the same.
    """
    kind = "exact" if advice.is_exact else "estimate"
    note = None if advice.is_exact else _note(say, advice)
    return tag(
        "div",
        tag("p", what, class_="summary"),
        tag("p", " ".join(filter(None, why))) if any(why) else None,
        act,
        tag("p", say("advice.same", n=same - 1), class_="hint") if same > 1 else None,
        tag("p", note, class_="hint") if note else None,
        details(say("advice.others"), tag("ol", *others, class_="rows"), key="others")
        if others
        else None,
        class_=f"advice-{kind}",
        data_advice=kind,
    )


def _note(say: Texts, advice: Advice) -> str:
    """Return in what respect the advice is not exact."""
    if advice.method == "leading":
        return say("advice.leading", n=len(advice.ranking))
    if advice.method == "samples" and advice.worlds:
        points = ceil(100 / sqrt(advice.worlds))  # two standard errors, at most
        return say("advice.drawn", n=advice.worlds, error=points)
    return say("advice.estimate")


class Advising:
    """The view ``advice``, and the job that computes it; a game may replace a method."""

    def __init__(self, say: Texts, book: LogBook) -> None:
        self.say, self.book = say, book
        self._final: Recent[list[Advice]] = Recent(CACHED)
        self._guesses: Recent[Advice | None] = Recent(CACHED)
        self._drawn: Recent[Html] = Recent(CACHED)

    def feature(self) -> Feature[Sight]:
        """Return the advice as a part of a page."""
        return Feature(
            views={"advice": View(self._view)},
            intents={"tell": Act(self._tell, "line", of_players=True)},
            jobs={"advice": self.job},
            at_once={"advice": self.at_once},
        )

    def job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the recommendation."""
        return self.shown(sight, lambda advice: self.drawn(sight, advice))

    def shown(self, sight: Sight, draw: Callable[[Advice], Html]) -> Iterator[Html]:
        """Yield the advice as it is drawn; where there is none, a sentence that says so."""
        yield Html()
        try:
            yield from map(draw, self.advised(sight))
        except Undecided:
            yield tag("p", self.say("advice.undecided"))

    # What a game may replace

    def guess(self, sight: Sight) -> Advice[Any] | None:
        """Return a first estimate that takes no time; ``None``: there is none."""
        return None

    def ask(
        self,
        sight: Sight,
        budget: Budget,
        samples: int | None,
        inquiries: Sequence[Inquiry] | None = None,
    ) -> Advice[Any]:
        """Return the advice within a budget; see `refined`."""
        knowledge = sight.knowledge.using(budget=budget)
        return knowledge.advise(inquiries, samples=samples, estimate=samples is None)

    def drawn(self, sight: Sight, advice: Advice) -> Html:
        """Return the recommendation; each answer is a button that adds it to the log."""
        if not len(advice.ranking):
            asker = asker_of(sight.knowledge)
            return tag("p", self.say("advice.player" if asker else "advice.none", player=asker))
        (best, same), *rest = ranked(advice)
        items = [
            tag("li", tag("p", tag("b", name(rated.text))), self._answers(sight, advice, rated),
                class_="asked")
            for rated, _ in rest
        ]  # fmt: skip
        now = self.now(sight) if advice.is_exact else None
        why = [left_sentence(self.say, best, now)]
        what = tag("strong", self.say("advice.ask", what=best.text.rstrip("?")))
        act = [tag("p", self.say("advice.tap"), class_="hint"), self._answers(sight, advice, best)]
        return advice_html(self.say, advice, what, why, act, items, same=same)

    # What helps with it

    def answers(self, sight: Sight, inquiry: Inquiry) -> Html:
        """Return what may be answered to one question, as buttons that add it to the log."""
        try:
            advice = next(
                refined(lambda budget, draws, _: self.ask(sight, budget, draws, [inquiry]))
            )
        except Undecided:
            return tag("p", self.say("advice.undecided"))
        tap = tag("p", self.say("advice.tap"), class_="hint")
        return join_html([tap, *(self._answers(sight, advice, rated) for rated in advice.ranking)])

    def at_once(self, sight: Sight) -> Html:
        """Return the recommendation as far as it is known without any wait; empty if it is not."""
        final = self._kept(sight)
        advice = final[-1] if final else self._guess(sight)
        if advice is None:
            return Html()
        return self._drawn.get((_key(sight), bool(final)), lambda: self.drawn(sight, advice))

    def advised(self, sight: Sight) -> Iterator[Advice]:
        """Yield the advice, first estimates; what was computed once is yielded at once."""
        final = self._kept(sight)
        if final:
            yield final[-1]
            return
        first = last = self._guess(sight)
        for advice in refined(partial(self.ask, sight), first):
            last = advice
            yield advice
        if last is None:
            return
        if last is first:
            yield last
        final.append(last)

    def _kept(self, sight: Sight) -> list[Advice]:
        """Return the list of the final advice for a log, empty until it is known."""
        return self._final.get(_key(sight), list)

    def _guess(self, sight: Sight) -> Advice | None:
        return self._guesses.get(_key(sight), lambda: self.guess(sight))

    def now(self, sight: Sight) -> int | None:
        """Return how many answers to what is asked about are possible; ``None``: not known."""
        try:
            asked = hook(sight.game, Shown.questions)
            knowledge = sight.knowledge.using(budget=AT_ONCE)
            return len(knowledge.joint(*asked())) if asked else knowledge.count()
        except DeduceError:
            return None

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return what to ask, when it is computed."""
        if sight.consistent is False:
            return tag("p", self.say("contradiction.none"))
        jobs.append(job_of(sight, "advice", "advice"))
        return waiting(self.say("advice.title"), "advice")

    def _answers(self, sight: Sight, advice: Advice, rated: RatedInquiry) -> Html:
        """Return the answers to a question; those that the log can state are buttons."""
        event_of = hook(sight.game, Questions.event_of)
        shown: list[Child] = []
        for outcome in rated.outcomes[:MAX_ANSWERS]:
            share = percent(advice.open_share(outcome.probability))
            inside = [name(outcome.text), " ", tag("small", share)]
            line = None
            if event_of is not None:
                with suppress(DeduceError):
                    event = event_of(rated.inquiry, outcome.answer)
                    line = self.book.written(sight.log, event)
            if line is None:
                shown.append(tag("span", *inside, class_="button quiet"))
            else:
                shown.append(button(inside, "tell", data_line=line))
        return tag("div", *shown, class_="chips")

    def _tell(self, moment: Moment, intent: Intent) -> None:
        """Add a line that the page offered."""
        log = self.book.read(moment.log.text)
        self.book.add(moment, self.book.line_of(log, intent.values.get("line", "")))
        moment.ui.pop("cell", None)


def _key(sight: Sight) -> tuple[object, ...]:
    """Return what advice depends on."""
    return sight.document.text, sight.document.assumed, sight.viewer
