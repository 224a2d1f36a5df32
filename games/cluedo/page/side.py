"""What is computed beside the sheet: advice, cards to show, minds, accuse or wait.

The first estimate of what to suggest takes some milliseconds: it rests on the probabilities of
single cards, and takes cards of different categories as independent, which they are not quite. The
exact advice replaces it.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cache
from itertools import product
from math import log2, prod
from typing import TypeAlias, TypeVar

from attrs import evolve

from deduce.errors import Contradiction, Undecided
from deduce.knowledge import Knowledge
from deduce.pages.features.advice import (
    Advising,
    advice_html,
    left_sentence,
    ranked,
)
from deduce.pages.features.log import JOB_BUDGET, LogBook, Sight
from deduce.pages.html import (
    Child,
    Html,
    button,
    details,
    heading,
    join_html,
    listed,
    name,
    names,
    share_cell,
    short,
    table,
    tag,
    waiting,
)
from deduce.pages.presenter import Act, Feature, View, job_of
from deduce.pages.protocol import Intent, Job, Moment, Ui
from deduce.pages.sentences import Texts
from deduce.policy.advice import UNKNOWN, Advice, Ranking, RatedInquiry
from deduce.policy.inquiries import format_inquiry
from deduce.show.table import percent
from deduce.system import language
from games.cluedo.events import Suggestion
from games.cluedo.game import game_of, viewer_of
from games.cluedo.names import quote, tokens
from games.cluedo.opponents.accusing import Decision, decision_steps
from games.cluedo.opponents.minds import Mind, Minds, mind_steps
from games.cluedo.opponents.opponent import Estimate, Steps
from games.cluedo.opponents.showing import Showing
from games.cluedo.page.sheet import holder_name
from games.cluedo.page.turn import is_over, show_buttons, who_html
from games.cluedo.setup import ENVELOPE, UNDEALT, SetUp

__all__ = ["Sides", "growing", "guess", "patient", "showing_html"]


T = TypeVar("T")

PAUSE = 0.4
"""Seconds between two estimates of a job that are shown."""

DRAWN_MINDS, DRAWN_GAMES = 60, 60
"""How many deals the jobs draw: fewer than the commands do, because a player waits."""

MAX_PERHAPS = 6
"""How many uncertain cards of a mind are listed."""


class Sides:
    """The views ``advice``, ``minds`` and ``accuse``, each computed by the job of its name."""

    def __init__(self, say: Texts, book: LogBook) -> None:
        self.say, self._book = say, book
        self._advising = Suggesting(say, book)

    def feature(self) -> Feature[Sight]:
        """Return the computed views as a part of a page."""
        return Feature(
            views={
                "advice": View(self._advice),
                "minds": View(lambda sight, ui, jobs: self._view(sight, jobs, "minds")),
                "accuse": View(lambda sight, ui, jobs: self._view(sight, jobs, "accuse")),
            },
            intents={"me": Act(self._me, "value")},
            jobs={
                "advice": self._advising.job,
                "minds": self._minds_job,
                "accuse": self._accuse_job,
            },
            at_once={"advice": self._advising.at_once},
        )

    def _view(self, sight: Sight, jobs: list[Job], view: str) -> Html:
        """Return the place of what a job computes, or the question whose view it is."""
        title = self.say(f"{view}.title")
        if viewer_of(sight.knowledge) is None:
            asked = who_html(self.say(f"{view}.no_me"), sight.game.players)
            return join_html([heading(title), asked])
        if sight.consistent is False:
            return tag("p", self.say("contradiction.none"))
        jobs.append(job_of(sight, view, view))
        return waiting(title, view)

    def _advice(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return what to suggest, below the solution if it is certain."""
        questions = sight.game.questions()
        solution: list[str] = []
        with suppress(Undecided):
            certain = sight.knowledge.certain() if sight.consistent else {}
            solution = [card for question in questions for card in question
                        if certain.get(card) == "envelope"]  # fmt: skip
        if len(solution) == len(questions):
            told = tag("strong", self.say("advice.certain", cards=language.listed(solution)))
            title = heading(self.say("advice.title"))
            return join_html([title, tag("p", told, data_advice="exact")])
        return self._view(sight, jobs, "advice")

    def _me(self, moment: Moment, intent: Intent) -> None:
        """Make a player the keeper of the log, whose view it is from now on."""
        book = self._book
        players = book.read(moment.log.text).game.players
        words = [[t.text.lower() for t in tokens(line)[:2]] for line in book.lines(moment.log)]
        after = next((at for at, two in enumerate(words, start=1) if two == ["players", ":"]), 0)
        me = f"me: {quote(players[intent.index('value', len(players))])}"
        book.change(moment, after, after, [me], "step.add")

    def _minds_job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield what the others know, by estimates that become better."""
        steps = mind_steps(patient(sight), samples=DRAWN_MINDS)
        return growing(steps, lambda minds: minds_html(self.say, minds))

    def _accuse_job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Return whether to accuse or to wait, by estimates that become better."""
        if is_over(sight.log.events):
            return iter([tag("p", self.say("turn.over"))])
        steps = decision_steps(patient(sight), samples=DRAWN_GAMES)
        return growing(steps, lambda decision: decision_html(self.say, sight.game, decision))


def patient(sight: Sight) -> Knowledge:
    """Return what a log shows, with the budget of estimates."""
    return sight.knowledge.using(budget=evolve(JOB_BUDGET, seconds=30.0))


def growing(steps: Steps[T], draw: Callable[[T], Html]) -> Iterator[Html]:
    """Yield what is known after each step: HTML now and then, and when the time is up."""
    shown = time.monotonic()
    _, _, result = next(steps)
    with suppress(Undecided):
        for _, _, result in steps:
            if time.monotonic() - shown > PAUSE:
                shown = time.monotonic()
                yield draw(result())
            else:
                yield Html()
    yield draw(result())


class Suggesting(Advising):
    """Which suggestion to make, each one tap to begin it."""

    def guess(self, sight: Sight) -> Advice | None:
        """Return a first estimate from the probabilities of single cards."""
        with suppress(Contradiction, Undecided):
            return guess(sight.knowledge)  # the sheet has asked for the probabilities
        return None

    def drawn(self, sight: Sight, advice: Advice) -> Html:
        """Return the recommendation."""
        if not len(advice.ranking):
            return Html()
        say = self.say
        now = self.now(sight) if advice.is_exact else None
        groups = ranked(advice)
        best, same = groups[0]
        items = []
        for rated, _ in groups[1:]:
            notes = " ".join(
                filter(None, (left_sentence(say, rated, None), _no_one(say, advice, rated)))
            )
            label = [tag("b", names(cards_of(rated))), tag("small", notes)]
            items.append(tag("li", self._begin(sight, rated, label, "row")))
        settled = _settles(say, sight, best)
        reasons = [settled or left_sentence(say, best, now), _no_one(say, advice, best)]
        what = tag("strong", say("advice.suggest", cards=language.listed(list(cards_of(best)))))
        act = self._begin(sight, best, say("advice.use"), "button main")
        return advice_html(say, advice, what, reasons, act, items, same=same)

    def _begin(self, sight: Sight, rated: RatedInquiry, label: Child, look: str) -> Html:
        indexes = " ".join(str(sight.game.cards.index(card)) for card in cards_of(rated))
        return button(label, "suggest", class_=look, data_cards=indexes)


def cards_of(rated: RatedInquiry) -> tuple[str, ...]:
    """Return the cards that a suggestion names."""
    assert isinstance(rated.inquiry, Suggestion)
    return rated.inquiry.cards


def _no_one(say: Texts, advice: Advice, rated: RatedInquiry) -> str:
    share = sum((o.probability for o in rated.outcomes if o.answer is None), Fraction(0))
    return say("advice.none_shows", share=percent(advice.open_share(share))) if share else ""


def _settles(say: Texts, sight: Sight, rated: RatedInquiry) -> str:
    """Return between which two cards a suggestion decides, whatever the answer; empty if none.

    It does where one of its cards is one of two candidates for the solution and no player but the
    viewer can hold the others: then a player who shows, shows that card.
    """
    game, me = sight.game, viewer_of(sight.knowledge)
    with suppress(Undecided):
        possible = sight.knowledge.possible()
        for category, card in zip(game.deck.values(), cards_of(rated), strict=False):
            rivals = [each for each in category if ENVELOPE in possible.get(each, ())]
            others = {holder for other in cards_of(rated) if other != card
                      for holder in possible.get(other, ())}  # fmt: skip
            alone = card in rivals and len(rivals) == 2 and others <= {ENVELOPE, me}
            if alone and not {UNDEALT, me} & possible[card]:
                other = next(each for each in rivals if each != card)
                return say("advice.decides", one=card, two=other)
    return ""


def showing_html(say: Texts, game: SetUp, showing: Showing) -> Html:
    """Return a button for each card that can be shown, and in words which is the best to show."""
    who, ranking = showing.suggestion.by, showing.ranking
    seat = game.players.index(str(viewer_of(showing.knowledge)))
    cards = {choice.card: game.cards.index(choice.card) for choice in ranking}
    cards = {card: cards[card] for card in showing.suggestion.cards if card in cards}
    if not showing.cases:
        return show_buttons(say, cards, seat)
    best = showing.best()[0]
    lines = []
    if best.known.value == 1:
        lines.append(say("turn.best_known", name=who, card=best.card))
    elif len(showing.best()) == len(ranking):
        lines.append(say("turn.best_any"))
    else:
        lines.append(say("turn.best_least", name=who, card=best.card))
    lines += [
        say("turn.solves", name=who, card=choice.card) for choice in ranking if choice.names.value
    ]
    exact = "exact" if showing.complete and not showing.drawn else "estimate"
    words = tag("p", " ".join(lines), class_="hint", data_advice=exact)
    return join_html([show_buttons(say, cards, seat, [best.card]), words])


def minds_html(say: Texts, minds: Minds) -> Html:
    """Return what every opponent knows."""
    rows = [
        (name(mind.player), _estimate(mind.solutions, digits=0), mind.names.percent(),
         str(len(mind.sure)))
        for mind in minds.of
    ]  # fmt: skip
    head = [say(f"minds.{column}") for column in ("player", "solutions", "can_name", "sure")]
    return join_html(
        [table(head, rows, caption=say("minds.estimate")), *(_mind(say, mind) for mind in minds.of)]
    )


def _mind(say: Texts, mind: Mind) -> Html:
    sure = [
        say("minds.knows_card", card=card, holder=holder_name(say, holder))
        for card, holder in mind.sure.items()
    ]
    may = [
        say("minds.may_card", card=card, holder=holder_name(say, holder), share=chance.percent())
        for (card, holder), chance in list(mind.may.items())[:MAX_PERHAPS]
    ]
    return details(
        [say("minds.knows", name=mind.player), f" ({len(sure)})"],
        listed(sure, class_="plain") if sure else tag("p", say("minds.nothing")),
        [tag("p", say("minds.may")), listed(may, class_="plain")] if may else None,
        key=f"mind-{short(mind.player)}",
    )


def _estimate(estimate: Estimate, *, digits: int) -> str:
    value = f"{float(estimate.value):.{digits}f}"
    return value if estimate.exact else f"≈ {value}"


def decision_html(say: Texts, game: SetUp, decision: Decision) -> Html:
    """Return whether to accuse now or to wait, with what each is worth."""
    now = percent(decision.now)
    cards = language.listed([short(card) for card in decision.best[0]])
    if decision.now == 1:
        verdict = say("accuse.certain")
    elif not decision.draws:
        verdict = ""
    else:
        wait = percent(Fraction(decision.wait.value))
        key = "accuse.accuse" if decision.accuse else "accuse.hold"
        verdict = say(key, now=now, wait=wait)
        if not decision.is_clear:
            verdict += " " + say("accuse.close")
    rows: list[list[Child]] = [[say("accuse.now"), share_cell(decision.now)]]
    if decision.draws:
        rows += [
            [say("accuse.wait", n=turns), wait.percent()]
            for turns, wait in enumerate(decision.waits, start=1)
        ]
    accuse = say("accuse.solution", cards=cards)
    first, last = (accuse, verdict) if decision.accuse or not verdict else (verdict, accuse)
    parts: list[Child] = [
        tag("p", tag("strong", first), class_="summary"),
        table(("", say("accuse.wins")), rows, caption=say("accuse.title")),
        tag("p", last) if last else None,
        button(
            say("accuse.enter"),
            "accusation",
            data_cards=" ".join(str(game.cards.index(card)) for card in decision.best[0]),
        ),
    ]
    if decision.rivals and decision.draws:
        rivals = [
            (name(rival.player), rival.now.percent(), rival.first.percent())
            for rival in decision.rivals
        ]
        head = ("", say("accuse.can_name"), say("accuse.first"))
        parts.append(table(head, rivals, caption=say("accuse.rivals")))
        parts.append(tag("p", say("accuse.draws", n=decision.draws), class_="hint"))
    return join_html(parts)


DIGITS = 4
"""Probabilities that are equal to so many digits are taken as equal, so that they count once."""

MAX_RATED = 500
"""More suggestions are not rated, nor their probabilities asked for: it would not be at once."""

Row: TypeAlias = "tuple[float, ...]"
"""The probabilities that a card is in the solution, and that each player has it who may answer, and
of the rest: that it is elsewhere."""


def guess(knowledge: Knowledge) -> Advice | None:
    """Return the allowed suggestions, ranked by about what their answers tell about the solution.

    There is no advice where too many could be made.

    Parameters
    ----------
    knowledge
        What the suggesting player knows.

    Raises
    ------
    BadInput
        The viewer is not a player.
    Contradiction
        No deal is possible.
    Undecided
        The probabilities take longer than the budget.
    """
    game = game_of(knowledge)
    if prod(map(len, game.deck.values())) > MAX_RATED:
        return None
    posterior = knowledge.posterior()
    by = game.acting(knowledge.viewer, "suggest")
    holders = (ENVELOPE, *game.after(by))
    rows = {}
    for card, row in posterior.items():
        shares = [round(float(row.get(holder, 0)), DIGITS) for holder in holders]
        shares.append(max(0.0, round(1 - sum(shares), DIGITS)))
        rows[card] = tuple(share / sum(shares) for share in shares)
    elsewhere = (*[0.0] * len(holders), 1.0)
    inquiries = list(game.inquiries(knowledge.log, knowledge.viewer))
    information = cache(_information)
    gains = [
        information(tuple(sorted(rows.get(card, elsewhere) for card in each.cards)))
        for each in inquiries
    ]

    def rated(number: int) -> RatedInquiry:
        inquiry: Suggestion = inquiries[number]
        return RatedInquiry(inquiry, format_inquiry(game, inquiry), gains[number], 0.0, ())

    ranking = Ranking([(gain, 0.0) for gain in gains], rated)
    return Advice(knowledge.viewer, UNKNOWN, ranking, "information", "marginals", None)


def _information(rows: Sequence[Row]) -> float:
    """Return what the answer tells in bits about which of the cards are in the solution.

    The first player who has any of the cards shows one; of several cards any is shown.
    """
    elsewhere = len(rows[0]) - 1
    insides, answers, both = (defaultdict[object, float](float) for _ in range(3))
    for held in product(*([at for at, share in enumerate(row) if share] for row in rows)):
        weight = prod(row[at] for row, at in zip(rows, held, strict=True))
        first = min((at for at in held if at), default=elsewhere)
        shown = [card for card, at in enumerate(held) if at == first < elsewhere] or [-1]
        inside = tuple(not at for at in held)
        insides[inside] += weight
        for card in shown:
            answers[first, card] += weight / len(shown)
            both[inside, first, card] += weight / len(shown)
    return max(0.0, _entropy(insides) + _entropy(answers) - _entropy(both))


def _entropy(chances: Mapping[object, float]) -> float:
    return -sum(chance * log2(chance) for chance in chances.values() if chance > 0)
