"""The information player: suggests what is expected to give most information about the solution.

Its posterior also learns from how the others suggest (`games.cluedo.players.belief.HabitBelief`).
`Forgiving` is the same player, who allows for wrong answers.

What a suggestion gives is the figure of `games.cluedo.advice`, the expected information about the
solution in bits, computed on arrays of deals, fast enough for tournaments. It is exact where all
deals are listed. Where they are drawn, few draws in many cells make it too high; the correction of
Miller, *Note on the bias of information estimates* (1955), the number of cells over twice the
number of draws, removes most of that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import product
from math import log
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from deduce.errors import Contradiction
from deduce.reasoning.hands import Deals
from games.cluedo.events import Event, Suggestion
from games.cluedo.players.belief import Belief, ForgivingBelief, HabitBelief
from games.cluedo.players.referee import Seat

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

__all__ = [
    "Consequences",
    "Forgiving",
    "Gain",
    "Information",
    "candidates",
    "consequences",
    "information_gains",
]


@frozen
class Gain:
    """A suggestion, and the information about the solution that its answer is expected to give."""

    cards: tuple[str, ...]
    gain_bits: float


@frozen
class Consequences:
    """A suggestion, and what this player would know after each possible answer.

    Parameters
    ----------
    cards
        The named cards.
    answers
        For each answer its probability, and after it the probability of the best solution and the
        entropy of the solution in bits.
    """

    cards: tuple[str, ...]
    answers: tuple[tuple[float, float, float], ...]


def information_gains(
    belief: Belief, deals: Deals, suggestions: Iterable[Sequence[str]]
) -> list[Gain]:
    """Return the expected information of each suggestion, in their order.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> deck = {"who": ("Plum", "White"), "with": ("Rope", "Dagger"), "where": ("Hall", "Attic")}
    >>> game = Cluedo(("Ann", "Ben", "Cid"), deck=deck, hands=(1, 1, 1))
    >>> belief = Belief(game, "Ann", ["Plum"])
    >>> information_gains(belief, belief.deals(100, 10, 0), [("Plum", "Rope", "Hall")])
    [Gain(cards=('Plum', 'Rope', 'Hall'), gain_bits=1.5)]
    """
    tables = _Tables(belief, deals)
    return [tables.gain(tuple(cards)) for cards in suggestions]


def consequences(
    belief: Belief, deals: Deals, suggestions: Iterable[Sequence[str]]
) -> list[Consequences]:
    """Return the consequences of each suggestion, in their order.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> deck = {"who": ("Plum", "White"), "with": ("Rope", "Dagger"), "where": ("Hall", "Attic")}
    >>> game = Cluedo(("Ann", "Ben", "Cid"), deck=deck, hands=(1, 1, 1))
    >>> belief = Belief(game, "Ann", ["Plum"])
    >>> [after] = consequences(belief, belief.deals(100, 10, 0), [("Plum", "Rope", "Hall")])
    >>> for answer in after.answers:     # Ben shows Rope, or Hall; Cid does; no player shows
    ...     print(answer)
    (0.25, 0.5, 1.0)
    (0.25, 0.5, 1.0)
    (0.125, 1.0, 0.0)
    (0.125, 1.0, 0.0)
    (0.25, 1.0, 0.0)
    """
    tables = _Tables(belief, deals)
    return [tables.consequences(tuple(cards)) for cards in suggestions]


class _Tables:
    """The joint distribution of answer and solution, for one suggestion after another."""

    def __init__(self, belief: Belief, deals: Deals) -> None:
        import numpy as np

        self.belief = belief
        self.deals = deals
        used, self.solutions = np.unique(deals.rests, return_inverse=True)
        self.width = len(used)
        self.players = len(belief.holders)
        # Where no player shows a card, the number of the player is one past the last.
        self.no_player = np.full(len(deals.rests), self.players, np.int32)
        self.holder_of: dict[int, Any] = {}
        for bit in belief.bit.values():
            who = self.no_player.copy()
            for index, hands in enumerate(deals.hands):
                who[hands & bit != 0] = index
            self.holder_of[bit] = who
        prior = np.asarray(np.bincount(self.solutions, deals.weights, self.width), np.float64)
        self.prior = _entropy(prior)

    def gain(self, cards: tuple[str, ...]) -> Gain:
        import numpy as np

        table = self._table(cards)
        answers = table.sum(1)
        gain = self.prior - (_entropy(table) - _entropy(answers))
        if not self.deals.exact:
            more = np.count_nonzero(table) - np.count_nonzero(answers) - self.width + 1
            gain -= more / (2 * len(self.solutions) * log(2))
        return Gain(cards, max(0.0, round(gain, 9)))

    def consequences(self, cards: tuple[str, ...]) -> Consequences:
        answers = []
        for row in self._table(cards):
            chance = float(row.sum())
            if chance > 0:
                answers.append((chance, float(row.max()) / chance, _entropy(row / chance) + 0.0))
        return Consequences(cards, tuple(answers))

    def _table(self, cards: Sequence[str]) -> Floats:
        """Return the probability of each answer (row) with each solution (column)."""
        import numpy as np

        bits = [self.belief.bit.get(card, 0) for card in cards]
        holders = [self.holder_of.get(bit, self.no_player) for bit in bits]
        first = holders[0]
        for who in holders[1:]:
            first = np.minimum(first, who)
        shown = first < self.players
        fits = [(who == first) & shown for who in holders]
        count = len(cards)
        weights = self.deals.weights / np.maximum(1, sum(fit.astype(np.int32) for fit in fits))
        rows = self.players * count + 1
        flat = np.zeros(rows * self.width)
        base = first * count * self.width + self.solutions
        for index, fit in enumerate(fits):
            cells = base[fit] + index * self.width
            flat += np.bincount(cells, weights[fit], rows * self.width)
        no_card = self.players * count * self.width + self.solutions[~shown]
        flat += np.bincount(no_card, weights[~shown], rows * self.width)
        table: Floats = flat.reshape(rows, self.width)
        return table


def _entropy(table: Floats) -> float:
    """Return the entropy of a distribution in bits."""
    import numpy as np

    positive = table[table > 0]
    return float(-(positive * np.log2(positive)).sum())


MAX_LISTED = 8_000
"""Up to this number of deals, what a suggestion gives is exact."""
DRAWS = 4_000
"""If there are more deals, this number is drawn by the posterior, and the figures are estimates."""


class Information:
    """Suggests what gives most bits, shows what it showed before, accuses from `sure` on."""

    sure = Fraction(2, 3)
    """How probable a solution must be for an accusation: twice as probable as all the others."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.belief = self.new_belief()
        self.told: list[Event] = []
        """The events that are believed."""
        limit = DRAWS if seat.deals is None else min(DRAWS, seat.deals)
        self.limits = (limit * MAX_LISTED // DRAWS, limit)
        """How many deals it lists at most, and how many it draws otherwise."""
        self.shown: Counter[str] = Counter()
        self.shown_to: set[tuple[str, str]] = set()

    def new_belief(self) -> HabitBelief:
        """Return what this player believes before the first event."""
        return HabitBelief(self.seat.game, self.seat.me, self.seat.hand)

    def see(self, event: Event) -> None:
        """Update the belief, and remember which cards each player was shown."""
        self.told.append(event)
        try:
            self.belief.tell(event)
        except Contradiction:
            self._begin_again()
        if isinstance(event, Suggestion):
            for show in event.shows:
                if show.by == self.seat.me and show.card is not None:
                    self.shown[show.card] += 1
                    self.shown_to.add((event.by, show.card))

    def settle(self) -> None:
        """Disregard events that contradict earlier ones: where players err, that happens."""
        try:
            _ = self.belief.layers
        except Contradiction:
            self._begin_again()

    def _begin_again(self) -> None:
        told, self.told = self.told, []
        self.belief = self.new_belief()
        for event in told:
            after = self.belief.copy()
            with suppress(Contradiction):
                after.tell(event)
                _ = after.layers
                self.belief = after
                self.told.append(event)

    def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
        """Return the suggestion with the greatest gain; of several, any."""
        self.settle()
        gains = self.gains(rooms)
        most = max(gain.gain_bits for gain in gains)
        ties = [gain for gain in gains if gain.gain_bits >= most - 1e-9]
        return self.seat.random.choice(ties).cards

    def gains(self, rooms: Sequence[str]) -> list[Gain]:
        """Return the expected gain of each suggestion that differs from the others."""
        seed = self.seat.random.getrandbits(32)
        belief = self.to_ask()
        deals = belief.deals(*self.limits, seed)
        return information_gains(belief, deals, candidates(self.seat, rooms))

    def to_ask(self) -> HabitBelief:
        """Return the belief by which suggestions are chosen."""
        return self.belief

    def show(self, suggestion: Suggestion, cards: tuple[str, ...]) -> str:
        """Return a card that the suggester has seen before, else one that was shown most often."""
        again = [card for card in cards if (suggestion.by, card) in self.shown_to] or cards
        most = max(self.shown[card] for card in again)
        return self.seat.random.choice([card for card in again if self.shown[card] == most])

    def accuse(self) -> Sequence[str] | None:
        """Return the best solution when it is probable enough."""
        self.settle()
        solution, chance = self.belief.best()
        return solution if chance >= self.sure else None

    def certain(self) -> Mapping[str, str]:
        """Return every card whose holder is certain."""
        return dict.fromkeys(self.seat.hand, self.seat.me) | self.belief.placed()


class Forgiving(Information):
    """The information player at a table where answers may be wrong.

    It accuses by a belief that allows for wrong answers. It asks by what follows from the most
    probable set of wrong answers, which is much more definite, as long as that is more probable
    than all others and leaves something to ask: what was asked for again to make sure costs a turn.
    """

    belief: ForgivingBelief

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.wrong: set[tuple[int, str]] = set()
        """The answers that are probably wrong: the index of the event, and the player."""
        self.supposed: ForgivingBelief | None = self.new_belief()
        """What follows if exactly these are wrong; ``None``: no deal does."""

    def new_belief(self) -> ForgivingBelief:
        """Return what this player believes before the first event."""
        return ForgivingBelief(self.seat.game, self.seat.me, self.seat.hand)

    def see(self, event: Event) -> None:
        """Update both beliefs."""
        super().see(event)
        if self.supposed is not None:
            try:
                self.supposed.suppose(event, ())
            except Contradiction:
                self.supposed = None

    def to_ask(self) -> HabitBelief:
        """Return what probably holds, if that leaves something to ask; else the whole belief.

        The whole belief excludes nothing, which takes many times longer. While no answer is
        probably wrong, it is not needed to know that none is.
        """
        supposed = self._probable()
        if supposed is None or supposed.best()[1] >= self.sure:
            return self.belief
        if self.wrong and 2 * supposed.total() < self.belief.total():
            return self.belief
        return supposed

    def accuse(self) -> Sequence[str] | None:
        """Return the best solution when it is probable enough, whatever is wrong."""
        supposed = self._probable()
        if supposed is not None and not self.wrong and supposed.best()[1] < self.sure:
            return None
        return super().accuse()

    def _probable(self) -> ForgivingBelief | None:
        if not self._is_possible(self.supposed):
            self._suppose_another()
        return self.supposed

    @staticmethod
    def _is_possible(belief: ForgivingBelief | None) -> bool:
        try:
            return belief is not None and belief.total() > 0
        except Contradiction:
            return False

    def _suppose_another(self) -> None:
        """Find the answer without which, wrong as it then is, the others are most probable."""
        answers = [
            (index, player)
            for index, event in enumerate(self.told)
            if isinstance(event, Suggestion)
            for player in (*event.passes, *(show.by for show in event.shows))
            if player != self.seat.me and (index, player) not in self.wrong
        ]
        most, found = 0.0, None
        self.supposed = None
        for answer in answers:
            with suppress(Contradiction):
                belief = self._supposing({*self.wrong, answer})
                if belief.total() > most:
                    most, found, self.supposed = belief.total(), answer, belief
        if found is not None:
            self.wrong.add(found)

    def _supposing(self, wrong: Collection[tuple[int, str]]) -> ForgivingBelief:
        """Return what follows if exactly these answers are wrong."""
        belief = self.new_belief()
        for index, event in enumerate(self.told):
            belief.suppose(event, {player for number, player in wrong if number == index})
        return belief


def candidates(seat: Seat, rooms: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the suggestions; of the own cards of a category only one, since all are equivalent."""
    *others, _ = seat.game.deck.values()
    choices = []
    for category in (*others, rooms):
        own = [card for card in category if card in seat.hand]
        unknown = [card for card in category if card not in seat.hand]
        choices.append([*unknown, *([seat.random.choice(own)] if own else [])])
    return product(*choices)
