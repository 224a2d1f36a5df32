"""What each suggestion is expected to tell, over deals side by side; fast enough for tournaments.

The same figure as `games.cluedo.advice`: the expected information about the solution in bits, under
the same answers (who shows first, which card, or nobody), computed on arrays. It is exact where all
deals are listed. Where they are drawn, few draws in many cells make it too high; the correction of
Miller (1955), the number of cells over twice the number of draws, takes off most of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from games.cluedo.play.belief import Belief, Worlds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Prospect", "prospects"]

CARDS = 3
"""So many categories there are, and cards to a suggestion."""


@frozen
class Prospect:
    """A suggestion, and what its answer is expected to do.

    Parameters
    ----------
    cards
        The named cards.
    gain_bits
        The expected information about the solution.
    hit
        The expected probability of the most probable solution once the answer is known.
    """

    cards: tuple[str, ...]
    gain_bits: float
    hit: float


def prospects(
    belief: Belief, worlds: Worlds, suggestions: Iterable[Sequence[str]]
) -> list[Prospect]:
    """Return the prospect of each suggestion, in their order.

    Examples
    --------
    >>> from games.cluedo.rules import Cluedo
    >>> deck = {"who": ("Plum", "White"), "with": ("Rope", "Dagger"), "where": ("Hall", "Attic")}
    >>> game = Cluedo(("Ann", "Ben", "Cid"), deck=deck, hands=(1, 1, 1))
    >>> belief = Belief(game, "Ann", ["Plum"])
    >>> prospects(belief, belief.worlds(100, 10, 0), [("Plum", "Rope", "Hall")])
    [Prospect(cards=('Plum', 'Rope', 'Hall'), gain_bits=1.5, hit=0.75)]
    """
    tables = _Tables(belief, worlds)
    return [tables.prospect(tuple(cards)) for cards in suggestions]


class _Tables:
    """The joint distribution of answer and solution, for one suggestion after the other."""

    def __init__(self, belief: Belief, worlds: Worlds) -> None:
        import numpy as np

        self.belief = belief
        self.worlds = worlds
        used, self.solutions = np.unique(worlds.solutions, return_inverse=True)
        self.width = len(used)
        self.players = len(belief.order)
        # Where nobody answers, the number of the player is one past the last.
        self.nobody = np.full(len(worlds.solutions), self.players, np.int64)
        self.answerers: dict[int, Any] = {}
        for bit in belief.bit.values():
            who = self.nobody.copy()
            for place, hands in enumerate(worlds.hands):
                who[hands & bit != 0] = place
            self.answerers[bit] = who
        prior = np.bincount(self.solutions, worlds.weights, self.width)
        self.prior = _bits(prior)

    def prospect(self, cards: tuple[str, ...]) -> Prospect:
        table = self._table([self.belief.bit.get(card, 0) for card in cards])
        after = _bits(table) - _bits(table.sum(1))
        gain = self.prior - after
        if not self.worlds.exact:
            answers = int((table.sum(1) > 0).sum())
            cells = int((table > 0).sum())
            gain -= (cells - answers - self.width + 1) / (2 * len(self.solutions) * log(2))
        return Prospect(cards, max(0.0, round(gain, 9)), round(float(table.max(1).sum()), 9))

    def _table(self, bits: Sequence[int]) -> Floats:
        """Return the probability of each answer (row) with each solution (column)."""
        import numpy as np

        whos = [self.answerers.get(bit, self.nobody) for bit in bits]
        first = whos[0]
        for who in whos[1:]:
            first = np.minimum(first, who)
        shown = first < self.players
        fits = [(who == first) & shown for who in whos]
        weights = self.worlds.weights / np.maximum(1, sum(fit.astype(np.int64) for fit in fits))
        rows = self.players * CARDS + 1
        flat = np.zeros(rows * self.width)
        base = first * CARDS * self.width + self.solutions
        for place, fit in enumerate(fits):
            cells = base[fit] + place * self.width
            flat += np.bincount(cells, weights[fit], rows * self.width)
        nobody = self.players * CARDS * self.width + self.solutions[~shown]
        flat += np.bincount(nobody, weights[~shown], rows * self.width)
        table: Floats = flat.reshape(rows, self.width)
        return table


def _bits(table: Floats) -> float:
    """Return the entropy of a distribution."""
    import numpy as np

    some = table[table > 0]
    return float(-(some * np.log2(some)).sum())
