"""What is computed beside the sheet: advice, cards to show, minds, accuse or wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import TypeVar

from attrs import evolve

from deduce.errors import BadInput, Undecided
from deduce.knowledge import Knowledge
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
    share_cell,
    short,
    table,
    tag,
    waiting,
)
from deduce.pages.presenter import Act, Feature, View, job_of
from deduce.pages.protocol import Intent, Job, Moment, Ui, index_of
from deduce.pages.sentences import Texts, refused
from deduce.show.table import percent
from deduce.system.text import join
from games.cluedo.advice import SuggestionAdvice, advise
from games.cluedo.game import viewer_of
from games.cluedo.notation.names import quote, tokens
from games.cluedo.opponents.accusing import Decision, DecisionWork
from games.cluedo.opponents.estimates import Estimate, Work
from games.cluedo.opponents.minds import Mind, Minds, MindsWork
from games.cluedo.opponents.showing import Showing
from games.cluedo.page.sheet import holder_name
from games.cluedo.setup import SetUp

__all__ = ["Sides", "chosen", "growing", "patient", "showing_html"]

T = TypeVar("T")

PAUSE = 0.4
"""Seconds between two estimates of a job that are shown."""

DRAWN_MINDS, DRAWN_GAMES = 60, 60
"""How many deals the jobs draw: fewer than the commands do, because a player waits."""

MAX_SUGGESTIONS = 6
MAX_PERHAPS = 6
"""How many uncertain cards of a mind are listed."""


class Sides:
    """The views ``advice``, ``minds`` and ``accuse``, each computed by the job of its name."""

    def __init__(self, say: Texts, book: LogBook) -> None:
        self.say, self._book = say, book

    def feature(self) -> Feature[Sight]:
        """Return the computed views as a part of a page."""
        return Feature(
            views={
                "advice": View(self._advice),
                "minds": View(lambda sight, ui, jobs: self._view(sight, jobs, "minds")),
                "accuse": View(lambda sight, ui, jobs: self._view(sight, jobs, "accuse")),
            },
            intents={"me": Act(self._me, "seat")},
            jobs={"advice": self._advice_job, "minds": self._minds_job, "accuse": self._accuse_job},
        )

    def _view(self, sight: Sight, jobs: list[Job], view: str, *, above: Child = None) -> Html:
        """Return the place of what a job computes, or the question whose view it is."""
        title = self.say(f"{view}.title")
        if viewer_of(sight.knowledge) is None:
            players = [
                button(short(player), "me", data_seat=seat)
                for seat, player in enumerate(sight.game.players)
            ]
            asked = tag("p", self.say(f"{view}.no_me"))
            return join_html([heading(title), asked, tag("div", *players, class_="buttons")])
        if sight.consistent is False:
            return tag("p", self.say("contradiction.none"))
        jobs.append(job_of(sight, view, view))
        return waiting(title, view, above)

    def _advice(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return what to suggest, below the solution if it is certain."""
        questions = sight.game.questions()
        solution: list[str] = []
        with suppress(Undecided):
            certain = sight.knowledge.certain() if sight.consistent else {}
            solution = [card for question in questions for card in question
                        if certain.get(card) == "envelope"]  # fmt: skip
        above = None
        if len(solution) == len(questions):
            told = self.say("advice.certain", cards=join(solution))
            above = tag("p", tag("strong", told))
        return self._view(sight, jobs, "advice", above=above)

    def _me(self, moment: Moment, intent: Intent) -> None:
        """Make a player the keeper of the log, whose view it is from now on."""
        book = self._book
        players = book.read(moment.log.text).game.players
        words = [[t.text.lower() for t in tokens(line)[:2]] for line in book.lines(moment.log)]
        after = next((at for at, two in enumerate(words, start=1) if two == ["players", ":"]), 0)
        me = f"me: {quote(players[intent.index('seat', len(players))])}"
        book.change(moment, after, after, [me], "step.add")

    def _advice_job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the most informative suggestions."""
        yield Html()
        advice = advise(sight.knowledge.using(budget=JOB_BUDGET))
        yield advice_html(self.say, sight.game, advice)

    def _minds_job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield what the others know, by estimates that become better."""
        work = MindsWork(patient(sight), samples=DRAWN_MINDS)
        return growing(work, lambda minds: minds_html(self.say, minds))

    def _accuse_job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield whether to accuse or to wait, by estimates that become better."""
        work = DecisionWork(patient(sight), samples=DRAWN_GAMES)
        return growing(work, lambda decision: decision_html(self.say, sight.game, decision))


def patient(sight: Sight) -> Knowledge:
    """Return what a log shows, with the budget of estimates."""
    return sight.knowledge.using(budget=evolve(JOB_BUDGET, seconds=30.0))


def growing(work: Work[T], draw: Callable[[T], Html]) -> Iterator[Html]:
    """Yield what is known after each step: HTML now and then, and when the time is up."""
    shown = time.monotonic()
    with suppress(Undecided):
        for _ in work.steps():
            if time.monotonic() - shown > PAUSE:
                shown = time.monotonic()
                yield draw(work.result())
            else:
                yield Html()
    yield draw(work.result())


def chosen(names: Sequence[str], indexes: object) -> tuple[str, ...]:
    """Return the names at the indexes that a page sent back."""
    if not isinstance(indexes, list):
        raise BadInput(refused("refused.old_page"))
    return tuple(names[index_of(str(index), len(names))] for index in indexes)


def advice_html(say: Texts, game: SetUp, advice: SuggestionAdvice) -> Html:
    """Return the most informative suggestions, each one tap to begin it."""
    if not advice.entropy_bits:
        return join_html([])
    most = max(advice.ranking[0].gain_bits, 1e-9)
    rows = [
        tag(
            "li",
            button(
                [
                    tag("b", join_html([name(card) for card in _separated(rated.cards)])),
                    tag(
                        "small",
                        say("advice.gain", bits=f"{rated.gain_bits:.2f}"),
                        " · ",
                        say("advice.none_shows", share=percent(rated.none_shows)),
                    ),
                    tag(
                        "meter",
                        value=f"{rated.gain_bits / most:.3f}",
                        min=0,
                        max=1,
                        aria_hidden="true",
                    ),
                ],
                "suggest",
                class_="row",
                data_cards=" ".join(str(game.cards.index(card)) for card in rated.cards),
            ),
        )
        for rated in advice.ranking[:MAX_SUGGESTIONS]
    ]
    exact = say("advice.exact") if advice.is_exact else say("advice.estimate")
    return join_html(
        [
            tag("p", say("advice.bits", bits=advice.bits_text), class_="summary"),
            tag("ol", *rows, class_="rows"),
            tag("p", say("advice.use"), " ", exact, class_="hint"),
        ]
    )


def _separated(cards: Sequence[str]) -> list[str]:
    return [card if at == len(cards) - 1 else f"{short(card)}, " for at, card in enumerate(cards)]


def showing_html(say: Texts, showing: Showing) -> Html:
    """Return what each card that can be shown would give away."""
    who = showing.suggestion.by
    best = {choice.card for choice in showing.best()} if showing.cases else set()
    items = []
    for choice in showing.ranking:
        if not showing.cases:
            continue
        notes: list[str] = [say("turn.reveals", bits=f"{float(choice.tells_bits.value):.2f}")]
        if choice.card in best and len(showing.ranking) > 1:
            notes = [say("turn.reveals_least"), *notes]
        if choice.known.value == 1:
            notes.append(say("turn.known", name=who))
        if choice.names.value:
            notes.append(say("turn.solves", name=who))
        items.append(tag("li", tag("b", name(choice.card)), ": ", "; ".join(notes)))
    return tag("ul", *items, class_="plain")


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
    cards = join([short(card) for card in decision.best[0]])
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
    parts: list[Child] = [
        tag("p", tag("strong", say("accuse.solution", cards=cards)), class_="summary"),
        tag("p", verdict) if verdict else None,
        table(("", say("accuse.wins")), rows, caption=say("accuse.title")),
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
