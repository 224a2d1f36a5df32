"""Which suggestion tells most: expected information about the envelope, in bits.

Every answer is weighed: who shows first, which card I would see, or nobody. The deals are those
that my log allows, weighed by the posterior; players answer in seat order from my left, the first
who can show a card does, and he chooses among his fitting cards at random, each with the same
probability (docs/games/cluedo.md, section 10). The measure is mutual information (Cover & Thomas,
*Elements of Information Theory*, ch. 2): the entropy of the solution now, less its expected entropy
once the answer is known.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import ClassVar

from attrs import evolve, frozen

from deduce.display import Displayed
from deduce.errors import BadInput, Undecided
from deduce.game import RECORD
from deduce.knowledge import Knowledge
from games.cluedo.advice.alike import alike
from games.cluedo.advice.jackknife import jackknife, summed
from games.cluedo.advice.outcomes import (
    Answer,
    Columns,
    Sizes,
    Table,
    by_joint,
    entropy,
    fits_columns,
    information,
    whole_weight,
)
from games.cluedo.knowledge import game_of

__all__ = ["Advice", "Outcome", "Prospect", "advise", "asker_of"]

TIE = 1e-9
"""Gains that are no further apart are equal: what differs is rounding."""

WORLDS_PER_JOINT = 800
"""Listing so many worlds costs about as much as one joint distribution."""

MOST_WORLDS = 60_000
"""More are never listed: two seconds."""

STEPS = 12_000_000
"""What all joint distributions together may spend before worlds are drawn instead."""

DRAWN = 4000
"""How many worlds are drawn at least where nobody names a number."""

PER_SOLUTION = 20
"""Fewer draws for each possible solution, and the estimate is too high (measured: by 3 standard
errors with 10 draws, by none with 20)."""

PARTS = 10
"""In how many parts the drawn worlds are left out in turn, to see what chance does."""


@frozen
class Outcome:
    """One answer to a suggestion, and what it would tell.

    Parameters
    ----------
    by
        Who shows; ``None``: nobody does.
    card
        The card that I would see.
    probability
        Of this answer.
    bits_left
        The entropy of the solution after this answer.
    solutions
        How many solutions are left after this answer.
    """

    by: str | None
    card: str | None
    probability: Fraction
    bits_left: float
    solutions: int

    def __str__(self) -> str:
        return "nobody shows" if self.by is None else f"{self.by} shows {self.card}"


@frozen
class Prospect:
    """A suggestion and what it is expected to tell.

    Parameters
    ----------
    cards
        The named cards, one a category.
    gain_bits
        The expected information about the solution, in bits.
    error
        The standard error of ``gain_bits``; 0 where it is exact.
    outcomes
        Every answer that is possible, in the order of answering; last, that nobody shows.
    """

    cards: tuple[str, ...]
    gain_bits: float
    error: float
    outcomes: tuple[Outcome, ...]

    @property
    def nobody(self) -> Fraction:
        """The probability that nobody shows a card."""
        return next((o.probability for o in self.outcomes if o.by is None), Fraction(0))


@frozen
class Advice(Displayed):
    """All allowed suggestions, the one that tells most first; those that tie in deck order.

    Parameters
    ----------
    by
        Who suggests.
    entropy_bits
        The entropy of the solution now.
    ranking
        The suggestions.
    method
        ``"worlds"``: over the list of all worlds; ``"joint"``: by joint distributions;
        ``"samples"``: over worlds drawn at random, an estimate.
    worlds
        How many worlds were listed or drawn; ``None`` for ``"joint"``.
    """

    EXACT: ClassVar[frozenset[str]] = frozenset({"worlds", "joint"})

    by: str
    entropy_bits: float
    ranking: tuple[Prospect, ...]
    method: str
    worlds: int | None

    def __str__(self) -> str:
        from games.cluedo.advice.show import advice_text

        return advice_text(self)

    def _repr_html_(self) -> str:
        from games.cluedo.advice.show import advice_html

        return advice_html(self)

    @property
    def is_exact(self) -> bool:
        """Whether nothing is estimated."""
        return self.method in self.EXACT

    def best(self) -> list[Prospect]:
        """Return the suggestions that tell most, all that tie."""
        top = self.ranking[0].gain_bits
        return [prospect for prospect in self.ranking if top - prospect.gain_bits <= TIE]


def asker_of(knowledge: Knowledge) -> str:
    """Return the player whose eyes the knowledge has.

    Raises
    ------
    BadInput
        They are nobody's: the bystander's, or a referee's.
    """
    game = game_of(knowledge)
    viewer = game.me if knowledge.viewer is RECORD else knowledge.viewer
    if viewer is None:
        raise BadInput(
            "a bystander makes no suggestion; whose advice? --as PLAYER, or 'me:' in the log"
        )
    return str(viewer)


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
        The cards of the last category that he may name; left out: all.
    weighted
        Whether deals count by the posterior (else all the same).
    samples
        Estimate from so many drawn worlds; 0: never estimate, however long it takes; left out:
        estimate only what would take more than some seconds.
    seed
        Repeats the draws.

    Raises
    ------
    BadInput
        The viewer is nobody, a room is no card of the last category, or there are fewer than 20
        ``samples`` for each possible solution, which would make the estimate too high.
    Contradiction
        No world fits.
    Undecided
        The budget does not reach, not even for drawing worlds.

    Notes
    -----
    Suggestions that differ only in alike cards tell the same, and are valued once. Few worlds are
    listed one by one (0.03 ms each); of many, a joint distribution is taken for each suggestion
    (5 to 50 ms). The estimate is a jackknife over 10 parts, which takes away most of the bias that
    counting few worlds has; the solution's present entropy is exact also then.

    Examples
    --------
    >>> from games.cluedo.game import Cluedo
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
    by = asker_of(knowledge)
    seat = game.players.index(by)
    order = game.players[seat + 1 :] + game.players[:seat]
    *others, last = game.deck.values()
    unknown = [room for room in rooms or () if room not in last]
    if unknown:
        raise BadInput(f"{unknown[0]!r} is no {list(game.deck)[-1]}")
    allowed = list(product(*others, [card for card in last if rooms is None or card in rooms]))
    now = knowledge.joint(*game.questions(), weighted=weighted)
    enough = PER_SOLUTION * len(now)
    if samples and samples < enough:
        raise BadInput(
            f"{samples} samples are too few to tell {len(now)} solutions apart; "
            f"at least {enough}, or 0 to be exact"
        )
    marks = alike(knowledge, weighted=weighted)
    like = {cards: tuple(marks.get(card) for card in cards) for cards in allowed}
    first: dict[tuple[Hashable, ...], tuple[str, ...]] = {}
    for cards in allowed:
        first.setdefault(like[cards], cards)
    valuer = _Valuer(knowledge, order, marks, weighted=weighted)
    suggestions = list(first.values())
    if samples:
        valued, method, worlds = valuer.drawn(suggestions, samples, seed)
    elif samples == 0:
        valued, method, worlds = valuer.exact(suggestions, None)
    else:
        try:
            valued, method, worlds = valuer.exact(suggestions, STEPS)
        except Undecided:
            valued, method, worlds = valuer.drawn(suggestions, max(DRAWN, enough), seed)
    ranking = [_named(valued[first[like[cards]]], cards) for cards in allowed]
    return Advice(by, now.entropy(), _ranked(ranking), method, worlds)


def _ranked(prospects: Sequence[Prospect]) -> tuple[Prospect, ...]:
    """Return the best first, those that tie in the order in which they came."""
    by_gain = sorted(range(len(prospects)), key=lambda i: -prospects[i].gain_bits)
    places: dict[int, tuple[int, int]] = {}
    tie = 0
    for place, i in enumerate(by_gain):
        if prospects[by_gain[tie]].gain_bits - prospects[i].gain_bits > TIE:
            tie = place
        places[i] = (tie, i)
    return tuple(prospects[i] for i in sorted(places, key=places.__getitem__))


Valued = tuple[Mapping[tuple[str, ...], Prospect], str, int | None]


@frozen
class _Valuer:
    """Values suggestions, in one of three ways."""

    knowledge: Knowledge
    order: Sequence[str]
    marks: Mapping[str, int]
    weighted: bool

    def exact(self, suggestions: Sequence[tuple[str, ...]], steps: int | None) -> Valued:
        most = min(MOST_WORLDS, WORLDS_PER_JOINT * len(suggestions))
        if self.knowledge.count() <= most and fits_columns(game_of(self.knowledge)):
            return self.listed(suggestions)
        return self.joined(suggestions, steps)

    def listed(self, suggestions: Sequence[tuple[str, ...]]) -> Valued:
        weight = whole_weight(self.knowledge) if self.weighted else lambda _: 1
        worlds = ((world, weight(world), 0) for world in self.knowledge.worlds())
        columns = Columns(game_of(self.knowledge), worlds)
        meter = self.knowledge.budget.meter()
        valued = {}
        for cards in suggestions:
            meter.spend()
            [table] = columns.tables(cards, self.order)
            valued[cards] = _prospect(cards, self.order, table, information(table))
        return valued, "worlds", self.knowledge.count()

    def joined(self, suggestions: Sequence[tuple[str, ...]], steps: int | None = None) -> Valued:
        budget = self.knowledge.budget
        if steps is not None:
            budget = budget.at_most(steps // len(suggestions))
        knowledge = self.knowledge.using(budget=budget)
        valued = {}
        for cards in suggestions:
            table, sizes = by_joint(
                knowledge, cards, self.order, self.marks, weighted=self.weighted
            )
            gain = information(table, sizes)
            valued[cards] = _prospect(cards, self.order, table, gain, sizes=sizes)
        return valued, "joint", None

    def drawn(self, suggestions: Sequence[tuple[str, ...]], number: int, seed: int) -> Valued:
        if not fits_columns(game_of(self.knowledge)):
            raise Undecided("too many cards or players for an estimate")
        worlds = self.knowledge.sample(number, seed=seed, weighted=self.weighted)
        parted = ((world, 1, i * PARTS // number) for i, world in enumerate(worlds))
        columns = Columns(game_of(self.knowledge), parted)
        meter = self.knowledge.budget.meter()
        valued = {}
        for cards in suggestions:
            meter.spend()
            tables = columns.tables(cards, self.order)
            gain, error = jackknife(tables)
            whole = summed(tables)
            valued[cards] = _prospect(cards, self.order, whole, gain, error=error)
        return valued, "samples", number


def _prospect(
    cards: tuple[str, ...],
    order: Sequence[str],
    table: Table,
    gain: float,
    *,
    sizes: Sizes | None = None,
    error: float = 0.0,
) -> Prospect:
    weights = {answer: sum(row.values()) for answer, row in table.items()}
    total = sum(weights.values())
    answers: list[Answer] = [(player, i) for player in order for i in range(len(cards))]
    outcomes = [
        Outcome(
            answer and answer[0],
            answer and cards[answer[1]],
            Fraction(weights[answer]) / total,
            entropy(table[answer], sizes),
            sum((sizes or {}).get(solution, 1) for solution in table[answer]),
        )
        for answer in [*answers, None]
        if answer in table
    ]
    return Prospect(cards, gain, error, tuple(outcomes))


def _named(prospect: Prospect, cards: tuple[str, ...]) -> Prospect:
    """Return the prospect of a suggestion of other cards, each like the one in its place."""
    if cards == prospect.cards:
        return prospect
    names = dict(zip(prospect.cards, cards, strict=True))
    outcomes = [
        evolve(outcome, card=names[outcome.card]) if outcome.card else outcome
        for outcome in prospect.outcomes
    ]
    return evolve(prospect, cards=cards, outcomes=tuple(outcomes))
