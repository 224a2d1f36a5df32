"""Which suggestion gives most information: expected information about the envelope, in bits.

Every answer is weighed: who shows first, which card the suggester would see, or that no player
shows. The deals are those that the log allows, weighed by the posterior; players answer in seat
order from the suggester's left, and the first who can show a card does, choosing among the fitting
cards with equal probability (docs/games/cluedo.md, section 10). The measure is mutual information
(Cover & Thomas, *Elements of Information Theory*, ch. 2): the entropy of the solution now, minus
its expected entropy once the answer is known.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, ClassVar, cast

from attrs import evolve, frozen

from deduce.display import Displayed
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.policy import advice as policy
from deduce.policy.advice import Ranking, RatedInquiry
from deduce.text import listing, nearest
from games.cluedo.events import Suggestion
from games.cluedo.knowledge import acting_player, game_of

if TYPE_CHECKING:
    from games.cluedo.advice.told import Told

__all__ = ["Advice", "Outcome", "RatedSuggestion", "advise"]


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
    told
        What it tells the others; ``None``: not asked for.
    """

    cards: tuple[str, ...]
    gain_bits: float
    error: float
    outcomes: tuple[Outcome, ...]
    told: Told | None = None

    @property
    def none_shows(self) -> Fraction:
        """The probability that no player shows a card."""
        return next((o.probability for o in self.outcomes if o.by is None), Fraction(0))


@frozen
class Advice(Displayed):
    """All allowed suggestions, the best first; those that tie in deck order.

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
    penalty
        How much a bit that the others are told counts against one that the suggester learns;
        ``None``: it was not asked for, and the ranking is by information alone.
    entropy_error
        The standard error of ``entropy_bits``; 0 if it is exact.
    """

    EXACT: ClassVar[frozenset[str]] = frozenset({"worlds", "joint"})

    by: str
    entropy_bits: float
    ranking: Ranking[RatedSuggestion]
    method: str
    worlds: int | None
    penalty: float | None = None
    entropy_error: float = 0.0

    @property
    def bits_text(self) -> str:
        """The present entropy with its error, if it has one."""
        return policy.bits_text(self.entropy_bits, self.entropy_error)

    @property
    def is_exact(self) -> bool:
        """Whether no gain is estimated; ``Told.error`` says it of what the others are told."""
        return self.method in self.EXACT

    def best(self) -> list[RatedSuggestion]:
        """Return the best suggestions, all that tie."""
        return list(self.ranking[: self.ranking.ties])


def advise(
    knowledge: Knowledge,
    *,
    rooms: Sequence[str] | None = None,
    weighted: bool = True,
    samples: int | None = None,
    seed: int = 0,
    penalty: float | None = None,
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
    penalty
        Rank by the information that a suggestion gives, less this number of times what it tells the
        others (`games.cluedo.advice.told`); 0 ranks by information alone, and states what it tells.

    Raises
    ------
    BadInput
        The viewer is not a player, a room is not a card of the last category, the penalty is not a
        number from 0 on, or there are fewer than 10 ``samples`` for each possible solution.
    Contradiction
        No deal is possible.
    Undecided
        The budget is not even enough for drawing deals.

    Notes
    -----
    Suggestions that differ only in interchangeable cards give the same information, and are rated
    once. Few deals are listed one by one (0.03 ms each); of many, a joint distribution is computed
    for each suggestion (5 to 50 ms). From drawn deals the information is estimated without what few
    draws suggest by chance, see `deduce.policy.information.beyond_chance`. The present entropy of
    the solution is exact even then, unless it takes more than about a second; ``entropy_error``
    states its error.

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
    if penalty is not None and not (isinstance(penalty, int | float) and 0 <= penalty < inf):
        raise BadInput(f"the penalty is a number from 0 on, not {penalty!r}")
    category, last = list(game.deck.items())[-1]
    unknown = [room for room in rooms or () if room not in last]
    if unknown:
        hint = nearest(unknown[0], last)
        raise BadInput(f"no {category} is called {unknown[0]!r}{hint}{listing(last, hint)}")
    inquiries = [
        inquiry
        for inquiry in game.inquiries(knowledge.log, knowledge.viewer)
        if rooms is None or inquiry.cards[-1] in rooms
    ]
    advice = knowledge.advise(inquiries, weighted=weighted, samples=samples, seed=seed)
    order: dict[Hashable, int] = {}
    for player in game.after(by):
        for index in range(len(game.deck)):
            order[player, index] = len(order)

    def suggestion(rated: RatedInquiry) -> RatedSuggestion:
        cards = cast("Suggestion", rated.inquiry).cards
        outcomes = sorted(rated.outcomes, key=lambda o: order.get(o.answer, len(order)))
        listed = tuple(_outcome(cards, outcome) for outcome in outcomes)
        return RatedSuggestion(cards, rated.gain_bits, rated.error, listed)

    bits = policy.computed(advice.entropy_bits)
    ranking = advice.ranking.mapped(suggestion)
    if penalty is not None:
        from games.cluedo.advice.told import told_by

        expected = {Suggestion(by, rated.cards): _public(rated) for rated in ranking}
        told = told_by(knowledge, expected, weighted=weighted, samples=samples, seed=seed)
        ranking = _penalised(ranking, [told[inquiry] for inquiry in expected], penalty)
    return Advice(by, bits, ranking, advice.method, advice.worlds, penalty, advice.entropy_error)


def _public(rated: RatedSuggestion) -> dict[str | None, Fraction]:
    """Return the probability of each answer as the others see it: who shows."""
    public: dict[str | None, Fraction] = {}
    for outcome in rated.outcomes:
        public[outcome.by] = public.get(outcome.by, Fraction(0)) + outcome.probability
    return public


def _penalised(
    ranking: Sequence[RatedSuggestion], told: Sequence[Told], penalty: float
) -> Ranking[RatedSuggestion]:
    """Return the ranking by information less what the others are told."""
    pairs = list(zip(ranking, told, strict=True))
    values = [(rated.gain_bits - penalty * each.bits, 0.0) for rated, each in pairs]
    return Ranking(values, lambda i: evolve(pairs[i][0], told=pairs[i][1]))


def _outcome(cards: Sequence[str], outcome: policy.Outcome) -> Outcome:
    player, index = cast("tuple[str, int]", outcome.answer or (None, 0))
    return Outcome(
        player,
        None if player is None else cards[index],
        outcome.probability,
        policy.computed(outcome.bits_left),
        policy.computed(outcome.solutions),
    )
