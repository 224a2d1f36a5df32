"""Hands of several opponents joined into deals, as arrays of numbers with a bit a card.

A layer holds the ways to deal out a set of cards to an opponent and those who follow, each with its
weight; deals are listed or drawn by going through the layers from the envelope to the last hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_
from typing import TYPE_CHECKING, TypeAlias

from attrs import frozen

from deduce.errors import Contradiction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int32]
    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Layer", "Worlds", "all_hands", "drawn", "join", "listed", "possible", "union"]


@frozen(eq=False)
class Worlds:
    """Deals side by side: all that are possible, or some drawn by the posterior.

    Parameters
    ----------
    solutions
        The number of each deal's solution in ``Belief.solutions``.
    hands
        For each opponent the hand in each deal, as bits of ``Belief.cards``.
    weights
        The posterior weight of each deal; they come to 1.
    exact
        Whether these are all deals.
    """

    solutions: Ints
    hands: tuple[Ints, ...]
    weights: Floats
    exact: bool


@frozen(eq=False)
class Layer:
    """Ways to deal out a set of cards: one hand first, then the rest to those who follow.

    All arrays are sorted by the set, so that the ways of one set stand together.
    """

    sets: Ints
    hands: Ints
    rests: Ints
    own: Floats
    """The weight of the hand alone."""
    weights: Floats
    """The weight of the hand times that of all ways to deal out the rest."""


@lru_cache(maxsize=64)
def all_hands(cards: int, size: int) -> Ints:
    """Return every hand of that size, sorted."""
    import numpy as np

    found = [sum(1 << place for place in hand) for hand in combinations(range(cards), size)]
    return np.array(sorted(found), np.int32)


def union(sets: Iterable[int]) -> int:
    """Return the cards that are in any of the sets."""
    return reduce(or_, sets, 0)


def join(
    everything: int, envelopes: Ints, hands: Sequence[Ints], weights: Sequence[Floats]
) -> list[Layer]:
    """Return the layers, the envelope's first.

    Raises
    ------
    Contradiction
        No deal fits.
    """
    import numpy as np

    totals: Floats = np.zeros(everything + 1)
    totals[hands[-1]] = weights[-1]
    nothing = np.zeros_like(hands[-1])
    layers = [Layer(hands[-1], hands[-1], nothing, weights[-1], weights[-1])]
    for place in range(len(hands) - 2, 0, -1):
        layer = _pairs(hands[place], weights[place], _some(totals), totals)
        layers.append(layer)
        totals = _totals(layer, everything)
    if len(hands) > 1:
        # Of the first hand, only what an envelope leaves is needed.
        needed = everything & ~envelopes
        layer = _inside(hands[0], weights[0], needed, totals)
        layers.append(layer)
        totals = _totals(layer, everything)
    rests = everything & ~envelopes
    top = totals[rests]
    if not top.any():
        raise Contradiction
    full = np.full_like(envelopes, everything)
    layers.append(Layer(full, envelopes, rests, np.ones(len(envelopes)), top))
    return layers[::-1]


def _totals(layer: Layer, everything: int) -> Floats:
    """Return for each set of cards, as an index, the weight of all ways to deal it out."""
    import numpy as np

    found: Floats = np.asarray(np.bincount(layer.sets, layer.weights, everything + 1), np.float64)
    return found


def _some(weights: Floats) -> Ints:
    """Return where the weight is not 0."""
    import numpy as np

    return np.flatnonzero(weights).astype(np.int32)


CHUNK = 1 << 21
"""So many pairs are looked at together: 16 MiB."""


def _chunks(number: int, width: int) -> Iterator[slice]:
    step = max(1, CHUNK // max(1, width))
    return (slice(start, start + step) for start in range(0, number, step))


def _pairs(hands: Ints, weights: Floats, rests: Ints, totals: Floats) -> Layer:
    """Return every hand with every set of cards that it does not meet."""
    import numpy as np

    found = []
    for part in _chunks(len(hands), len(rests)):
        one, other = np.nonzero((hands[part, None] & rests[None, :]) == 0)
        found.append((one + part.start, other))
    one = np.concatenate([pair[0] for pair in found])
    rest = rests[np.concatenate([pair[1] for pair in found])]
    return _sorted(hands[one] | rest, hands[one], rest, weights[one], totals)


def _inside(hands: Ints, weights: Floats, sets: Ints, totals: Floats) -> Layer:
    """Return every hand inside every one of the sets, where the rest can be dealt out."""
    import numpy as np

    found = []
    for part in _chunks(len(sets), len(hands)):
        fits = (hands[None, :] & ~sets[part, None]) == 0
        rests = np.where(fits, sets[part, None] & ~hands[None, :], 0)
        which, one = np.nonzero(fits & (totals[rests] > 0))
        found.append((which + part.start, one))
    one = np.concatenate([pair[1] for pair in found])
    whole = sets[np.concatenate([pair[0] for pair in found])]
    return _sorted(whole, hands[one], whole & ~hands[one], weights[one], totals)


def _sorted(sets: Ints, hands: Ints, rests: Ints, own: Floats, totals: Floats) -> Layer:
    import numpy as np

    ranks = np.cumsum(np.bincount(sets, minlength=1) > 0) - 1
    # Of 18 cards the sets of one size are at most 48 620, and 16 bits are sorted by radix.
    order = np.argsort(ranks[sets].astype(np.uint16), kind="stable")
    weights = (own * totals[rests])[order]
    return Layer(sets[order], hands[order], rests[order], own[order], weights)


def possible(layers: Sequence[Layer]) -> list[Ints]:
    """Return for each opponent the hands that some deal gives him."""
    import numpy as np

    found = []
    sets = layers[0].rests[layers[0].weights > 0]
    for layer in layers[1:]:
        fits = np.isin(layer.sets, sets) & (layer.weights > 0)
        found.append(np.unique(layer.hands[fits]))
        sets = np.unique(layer.rests[fits])
    return found


def listed(layers: Sequence[Layer], most: int) -> Worlds | None:
    """Return all deals, or ``None`` if there are more."""
    import numpy as np

    top = layers[0]
    solutions = _some(top.weights)
    rests = top.rests[solutions]
    weights = np.ones(len(solutions))
    hands: list[Ints] = []
    for layer in layers[1:]:
        fits = layer.weights > 0
        sets, chosen, following = layer.sets[fits], layer.hands[fits], layer.rests[fits]
        start = np.searchsorted(sets, rests, "left")
        number = np.searchsorted(sets, rests, "right") - start
        if number.sum() > most:
            return None
        kept = np.repeat(np.arange(len(rests)), number)
        first = np.repeat(np.cumsum(number) - number, number)
        ways = start[kept] + np.arange(len(kept)) - first
        hands = [hand[kept] for hand in hands] + [chosen[ways]]
        solutions = solutions[kept]
        weights = weights[kept] * layer.own[fits][ways]
        rests = following[ways]
    return Worlds(solutions, tuple(hands), weights / weights.sum(), exact=True)


def drawn(layers: Sequence[Layer], draws: int, seed: int) -> Worlds:
    """Return deals drawn independently by the posterior."""
    import numpy as np

    random = np.random.default_rng(seed)
    sums = np.cumsum(layers[0].weights)
    found = np.searchsorted(sums, random.random(draws) * sums[-1], "right")
    solutions = found.astype(np.int32)
    rests = layers[0].rests[solutions]
    hands = []
    for layer in layers[1:]:
        sums = np.concatenate(([0.0], np.cumsum(layer.weights)))
        low = sums[np.searchsorted(layer.sets, rests, "left")]
        high = sums[np.searchsorted(layer.sets, rests, "right")]
        ways = np.searchsorted(sums, low + random.random(draws) * (high - low), "right") - 1
        hands.append(layer.hands[ways])
        rests = layer.rests[ways]
    return Worlds(solutions, tuple(hands), np.full(draws, 1 / draws), exact=False)
