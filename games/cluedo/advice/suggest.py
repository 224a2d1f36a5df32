"""Which suggestion gives most information: expected information about the envelope, in bits.

Every answer is weighed: who shows first, which card the suggester would see, or that no player
shows. The deals are those that the log allows, weighed by the posterior; players answer in seat
order from the suggester's left, and the first who can show a card does, choosing among the fitting
cards with equal probability (docs/games/cluedo.md, section 10). The measure is mutual information
(Cover & Thomas, *Elements of Information Theory*, ch. 2): the entropy of the solution now, minus
its expected entropy once the answer is known.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import ClassVar

from attrs import evolve, frozen

from deduce.display import Displayed
from deduce.errors import BadInput, Undecided
from deduce.knowledge import Knowledge
from deduce.text import listing, nearest, plural
from games.cluedo.advice.interchangeable import interchangeable
from games.cluedo.advice.outcomes import (
    AnswerTable,
    Columns,
    Shown,
    Sizes,
    entropy,
    fits_columns,
    information,
    integer_weight,
    jackknife,
    summed,
    table_by_joint,
)
from games.cluedo.knowledge import acting_player, game_of

__all__ = ["Advice", "Outcome", "RatedSuggestion", "advise"]

TIE = 1e-9
"""Gains that differ by less are equal: the difference is rounding."""

WORLDS_PER_JOINT = 800
"""Listing this number of deals costs about as much as one joint distribution."""

MAX_WORLDS = 60_000
"""More deals are never listed: they would take two seconds."""

MAX_STEPS = 12_000_000
"""What all joint distributions together may spend before deals are drawn instead."""

DRAWN = 4000
"""How many deals are drawn by default, at least."""

DRAWS_PER_SOLUTION = 20
"""With fewer draws for each possible solution the estimate is too high (measured: by 3 standard
errors with 10 draws, by none with 20)."""

PARTS = 10
"""The number of parts of the drawn deals, which are left out in turn to estimate the error."""


@frozen
class Outcome:
    """One answer to a suggestion, and what would then remain open.

    Parameters
    ----------
    by
        Who shows; ``None``: no player does.
    card
        The card that the suggester would see.
    probability
        Of this answer.
    bits_left
        The entropy of the solution after this answer.
    solutions
        How many solutions are possible after this answer.
    """

    by: str | None
    card: str | None
    probability: Fraction
    bits_left: float
    solutions: int

    def __str__(self) -> str:
        return "no player shows" if self.by is None else f"{self.by} shows {self.card}"


@frozen
class RatedSuggestion:
    """A suggestion and the information that it is expected to give.

    Parameters
    ----------
    cards
        The named cards, one of each category.
    gain_bits
        The expected information about the solution, in bits.
    error
        The standard error of ``gain_bits``; 0 if it is exact.
    outcomes
        Every possible answer, in the order of answering; last, that no player shows.
    """

    cards: tuple[str, ...]
    gain_bits: float
    error: float
    outcomes: tuple[Outcome, ...]

    @property
    def nobody(self) -> Fraction:
        """The probability that no player shows a card."""
        return next((o.probability for o in self.outcomes if o.by is None), Fraction(0))


@frozen
class Advice(Displayed):
    """All allowed suggestions, the most informative first; those that tie in deck order.

    Parameters
    ----------
    by
        Who suggests.
    entropy_bits
        The entropy of the solution now.
    ranking
        The suggestions.
    method
        ``"worlds"``: over the list of all deals; ``"joint"``: by joint distributions;
        ``"samples"``: over deals drawn at random, an estimate.
    worlds
        How many deals were listed or drawn; ``None`` for ``"joint"``.
    """

    EXACT: ClassVar[frozenset[str]] = frozenset({"worlds", "joint"})

    by: str
    entropy_bits: float
    ranking: tuple[RatedSuggestion, ...]
    method: str
    worlds: int | None

    @property
    def is_exact(self) -> bool:
        """Whether nothing is estimated."""
        return self.method in self.EXACT

    def best(self) -> list[RatedSuggestion]:
        """Return the most informative suggestions, all that tie."""
        top = self.ranking[0].gain_bits
        return [rated for rated in self.ranking if top - rated.gain_bits <= TIE]


def advise(
    knowledge: Knowledge,
    *,
    rooms: Sequence[str] | None = None,
    weighted: bool = True,
    samples: int | None = None,
    seed: int = 0,
) -> Advice:
    """Return every allowed suggestion of the viewer, ranked by expected information.

    Parameters
    ----------
    knowledge
        What the suggesting player knows.
    rooms
        The cards of the last category that may be named; left out: all.
    weighted
        Whether deals count by the posterior (else all the same).
    samples
        Estimate from this number of drawn deals; 0: never estimate, however long it takes; left
        out: estimate only what would take more than some seconds.
    seed
        The same seed gives the same draws.

    Raises
    ------
    BadInput
        The viewer is not a player, a room is not a card of the last category, or there are fewer
        than 20 ``samples`` for each possible solution, which would make the estimate too high.
    Contradiction
        No deal is possible.
    Undecided
        The budget is not even enough for drawing deals.

    Notes
    -----
    Suggestions that differ only in interchangeable cards give the same information, and are rated
    once. Few deals are listed one by one (0.03 ms each); of many, a joint distribution is computed
    for each suggestion (5 to 50 ms). The estimate is a jackknife over 10 parts, which removes most
    of the bias of counting few deals; the present entropy of the solution is exact even then.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> game, log = Cluedo.parse_log('''
    ... suspect: Plum, White
    ... weapon: Rope, Dagger
    ... room: Hall, Attic
    ... players: Ann 1, Ben 1, Cid 1
    ... me: Ann
    ... hand: Plum
    ... ''')
    >>> advice = advise(Knowledge(game, log))
    >>> advice.entropy_bits, advice.ranking[0].cards, advice.ranking[0].gain_bits
    (2.0, ('Plum', 'Rope', 'Hall'), 1.5)
    """
    game = game_of(knowledge)
    by = acting_player(knowledge, "suggest")
    seat = game.players.index(by)
    order = game.players[seat + 1 :] + game.players[:seat]
    *others, last = game.deck.values()
    unknown = [room for room in rooms or () if room not in last]
    if unknown:
        hint = nearest(unknown[0], last)
        category = list(game.deck)[-1]
        raise BadInput(f"no {category} is called {unknown[0]!r}{hint}{listing(last, hint)}")
    allowed = list(product(*others, [card for card in last if rooms is None or card in rooms]))
    now = knowledge.joint(*game.questions(), weighted=weighted)
    enough = DRAWS_PER_SOLUTION * len(now)
    if samples and samples < enough:
        raise BadInput(
            f"{plural(samples, 'sample')} cannot distinguish {plural(len(now), 'solution')}; "
            f"use at least {enough}, or 0 to be exact"
        )
    numbers = interchangeable(knowledge, weighted=weighted)
    kind = {cards: tuple(numbers.get(card) for card in cards) for cards in allowed}
    first: dict[tuple[Hashable, ...], tuple[str, ...]] = {}
    for cards in allowed:
        first.setdefault(kind[cards], cards)
    rater = _Rater(knowledge, order, numbers, weighted=weighted)
    suggestions = list(first.values())
    if samples:
        rated, method, worlds = rater.drawn(suggestions, samples, seed)
    elif samples == 0:
        rated, method, worlds = rater.exact(suggestions, None)
    else:
        try:
            rated, method, worlds = rater.exact(suggestions, MAX_STEPS)
        except Undecided:
            rated, method, worlds = rater.drawn(suggestions, max(DRAWN, enough), seed)
    ranking = [_renamed(rated[first[kind[cards]]], cards) for cards in allowed]
    return Advice(by, now.entropy(), _ranked(ranking), method, worlds)


def _ranked(suggestions: Sequence[RatedSuggestion]) -> tuple[RatedSuggestion, ...]:
    """Return the best first, those that tie in their original order."""
    by_gain = sorted(range(len(suggestions)), key=lambda i: -suggestions[i].gain_bits)
    ranks: dict[int, tuple[int, int]] = {}
    tie = 0
    for rank, i in enumerate(by_gain):
        if suggestions[by_gain[tie]].gain_bits - suggestions[i].gain_bits > TIE:
            tie = rank
        ranks[i] = (tie, i)
    return tuple(suggestions[i] for i in sorted(ranks, key=ranks.__getitem__))


Rated = tuple[Mapping[tuple[str, ...], RatedSuggestion], str, int | None]
"""The rated suggestions by their cards, the method, and how many deals were listed or drawn."""


@frozen
class _Rater:
    """Rates suggestions, in one of three ways."""

    knowledge: Knowledge
    order: Sequence[str]
    numbers: Mapping[str, int]
    weighted: bool

    def exact(self, suggestions: Sequence[tuple[str, ...]], steps: int | None) -> Rated:
        limit = min(MAX_WORLDS, WORLDS_PER_JOINT * len(suggestions))
        if self.knowledge.count() <= limit and fits_columns(game_of(self.knowledge)):
            return self.listed(suggestions)
        return self.joined(suggestions, steps)

    def listed(self, suggestions: Sequence[tuple[str, ...]]) -> Rated:
        weight = integer_weight(self.knowledge) if self.weighted else lambda _: 1
        deals = ((deal, weight(deal), 0) for deal in self.knowledge.worlds())
        columns = Columns(game_of(self.knowledge), deals)
        meter = self.knowledge.budget.meter()
        rated = {}
        for cards in suggestions:
            meter.spend()
            [table] = columns.tables(cards, self.order)
            rated[cards] = _rated(cards, self.order, table, information(table))
        return rated, "worlds", self.knowledge.count()

    def joined(self, suggestions: Sequence[tuple[str, ...]], steps: int | None = None) -> Rated:
        budget = self.knowledge.budget
        if steps is not None:
            budget = budget.at_most(steps // len(suggestions))
        knowledge = self.knowledge.using(budget=budget)
        rated = {}
        for cards in suggestions:
            table, sizes = table_by_joint(
                knowledge, cards, self.order, self.numbers, weighted=self.weighted
            )
            gain = information(table, sizes)
            rated[cards] = _rated(cards, self.order, table, gain, sizes=sizes)
        return rated, "joint", None

    def drawn(self, suggestions: Sequence[tuple[str, ...]], draws: int, seed: int) -> Rated:
        if not fits_columns(game_of(self.knowledge)):
            raise Undecided("too many cards or players for an estimate")
        deals = self.knowledge.sample(draws, seed=seed, weighted=self.weighted)
        in_parts = ((deal, 1, i * PARTS // draws) for i, deal in enumerate(deals))
        columns = Columns(game_of(self.knowledge), in_parts)
        meter = self.knowledge.budget.meter()
        rated = {}
        for cards in suggestions:
            meter.spend()
            tables = columns.tables(cards, self.order)
            gain, error = jackknife(tables)
            rated[cards] = _rated(cards, self.order, summed(tables), gain, error=error)
        return rated, "samples", draws


def _rated(
    cards: tuple[str, ...],
    order: Sequence[str],
    table: AnswerTable,
    gain: float,
    *,
    sizes: Sizes | None = None,
    error: float = 0.0,
) -> RatedSuggestion:
    weights = {shown: sum(row.values()) for shown, row in table.items()}
    total = sum(weights.values())
    answers: list[Shown] = [(player, i) for player in order for i in range(len(cards))]
    outcomes = [
        Outcome(
            shown and shown[0],
            shown and cards[shown[1]],
            Fraction(weights[shown]) / total,
            entropy(table[shown], sizes),
            sum((sizes or {}).get(solution, 1) for solution in table[shown]),
        )
        for shown in [*answers, None]
        if shown in table
    ]
    return RatedSuggestion(cards, gain, error, tuple(outcomes))


def _renamed(rated: RatedSuggestion, cards: tuple[str, ...]) -> RatedSuggestion:
    """Return the rating of a suggestion of other cards, each interchangeable with its original."""
    if cards == rated.cards:
        return rated
    names = dict(zip(rated.cards, cards, strict=True))
    outcomes = [
        evolve(outcome, card=names[outcome.card]) if outcome.card else outcome
        for outcome in rated.outcomes
    ]
    return evolve(rated, cards=cards, outcomes=tuple(outcomes))
