"""What each suggestion is expected to tell, over deals side by side; fast enough for tournaments.

The same figure as `games.cluedo.advice.suggest`: the expected information about the solution in
bits, under the same answers (who shows first, which card, or nobody), computed on arrays. It is
exact where all deals are listed. Where they are drawn, few draws in many cells make it too high;
the correction of Miller (1955), the number of cells over twice the number of draws, takes off most
of that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from games.cluedo.play.belief import Belief
from games.cluedo.play.layers import Worlds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Outlook", "Prospect", "outlooks", "prospects"]

CARDS = 3
"""So many categories there are, and cards to a suggestion."""


@frozen
class Prospect:
    """A suggestion, and the information about the solution that its answer is expected to give."""

    cards: tuple[str, ...]
    gain_bits: float


@frozen
class Outlook:
    """A suggestion, and how I would stand after each answer that is possible.

    Parameters
    ----------
    cards
        The named cards.
    answers
        For each answer its probability, and after it the probability of the best solution and the
        bits that are open.
    """

    cards: tuple[str, ...]
    answers: tuple[tuple[float, float, float], ...]


def prospects(
    belief: Belief, worlds: Worlds, suggestions: Iterable[Sequence[str]]
) -> list[Prospect]:
    """Return the prospect of each suggestion, in their order.

    Examples
    --------
    >>> from games.cluedo.game import Cluedo
    >>> deck = {"who": ("Plum", "White"), "with": ("Rope", "Dagger"), "where": ("Hall", "Attic")}
    >>> game = Cluedo(("Ann", "Ben", "Cid"), deck=deck, hands=(1, 1, 1))
    >>> belief = Belief(game, "Ann", ["Plum"])
    >>> prospects(belief, belief.worlds(100, 10, 0), [("Plum", "Rope", "Hall")])
    [Prospect(cards=('Plum', 'Rope', 'Hall'), gain_bits=1.5)]
    """
    tables = _Tables(belief, worlds)
    return [tables.prospect(tuple(cards)) for cards in suggestions]


def outlooks(belief: Belief, worlds: Worlds, suggestions: Iterable[Sequence[str]]) -> list[Outlook]:
    """Return the outlook of each suggestion, in their order.

    Examples
    --------
    >>> from games.cluedo.game import Cluedo
    >>> deck = {"who": ("Plum", "White"), "with": ("Rope", "Dagger"), "where": ("Hall", "Attic")}
    >>> game = Cluedo(("Ann", "Ben", "Cid"), deck=deck, hands=(1, 1, 1))
    >>> belief = Belief(game, "Ann", ["Plum"])
    >>> [outlook] = outlooks(belief, belief.worlds(100, 10, 0), [("Plum", "Rope", "Hall")])
    >>> for answer in outlook.answers:     # Ben shows Rope, or Hall; Cid does; nobody
    ...     print(answer)
    (0.25, 0.5, 1.0)
    (0.25, 0.5, 1.0)
    (0.125, 1.0, 0.0)
    (0.125, 1.0, 0.0)
    (0.25, 1.0, 0.0)
    """
    tables = _Tables(belief, worlds)
    return [tables.outlook(tuple(cards)) for cards in suggestions]


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
        self.nobody = np.full(len(worlds.solutions), self.players, np.int32)
        self.answerers: dict[int, Any] = {}
        for bit in belief.bit.values():
            who = self.nobody.copy()
            for place, hands in enumerate(worlds.hands):
                who[hands & bit != 0] = place
            self.answerers[bit] = who
        prior = np.asarray(np.bincount(self.solutions, worlds.weights, self.width), np.float64)
        self.prior = _bits(prior)

    def prospect(self, cards: tuple[str, ...]) -> Prospect:
        import numpy as np

        table = self._table(cards)
        answers = table.sum(1)
        gain = self.prior - (_bits(table) - _bits(answers))
        if not self.worlds.exact:
            more = np.count_nonzero(table) - np.count_nonzero(answers) - self.width + 1
            gain -= more / (2 * len(self.solutions) * log(2))
        return Prospect(cards, max(0.0, round(gain, 9)))

    def outlook(self, cards: tuple[str, ...]) -> Outlook:
        found = []
        for row in self._table(cards):
            chance = float(row.sum())
            if chance > 0:
                found.append((chance, float(row.max()) / chance, _bits(row / chance) + 0.0))
        return Outlook(cards, tuple(found))

    def _table(self, cards: Sequence[str]) -> Floats:
        """Return the probability of each answer (row) with each solution (column)."""
        import numpy as np

        bits = [self.belief.bit.get(card, 0) for card in cards]
        whos = [self.answerers.get(bit, self.nobody) for bit in bits]
        first = whos[0]
        for who in whos[1:]:
            first = np.minimum(first, who)
        shown = first < self.players
        fits = [(who == first) & shown for who in whos]
        weights = self.worlds.weights / np.maximum(1, sum(fit.astype(np.int32) for fit in fits))
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
