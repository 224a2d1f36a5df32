"""What each suggestion is expected to give, over deals side by side; fast enough for tournaments.

The same figure as in `games.cluedo.advice.suggest`: the expected information about the solution in
bits, for the same answers (who shows first, which card, or no player), computed on arrays. It is
exact where all deals are listed. Where they are drawn, few draws in many cells make it too high;
the correction of Miller, *Note on the bias of information estimates* (1955), the number of cells
over twice the number of draws, removes most of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from deduce.hands import Deals
from games.cluedo.play.belief import Belief

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Consequences", "Gain", "consequences", "information_gains"]


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
