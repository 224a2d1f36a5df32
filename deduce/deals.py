"""Deals from lists of possible hands, joined by dynamic programming over sets of cards.

A *layer* has the ways to deal a set of cards to one holder and the holders after it, each with its
weight. Deals are listed or drawn by going through the layers (Koller and Friedman, *Probabilistic
Graphical Models*, 2009, section 9.3, is the general form of this elimination).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from attrs import frozen

from deduce.errors import Contradiction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int32]
    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Deals", "Layer", "drawn", "join", "listed", "possible_hands"]

MAX_PAIRS = 1 << 21
"""How many pairs of hands are compared at a time: 16 MB."""


@frozen(eq=False)
class Deals:
    """Deals side by side: all that are possible, or some drawn by the posterior.

    Parameters
    ----------
    rests
        For each deal the index of its rest in ``Hands.rests``.
    hands
        For each holder the hand in each deal, as bits of ``Hands.cards``.
    weights
        The probability of each deal; they sum to 1.
    exact
        Whether these are all deals.
    """

    rests: Ints
    hands: tuple[Ints, ...]
    weights: Floats
    exact: bool


@frozen(eq=False)
class Layer:
    """Ways to deal a set of cards: one hand first, then the remaining cards to later holders.

    All arrays are sorted by the set, so that the ways of one set are together.
    """

    sets: Ints
    hands: Ints
    remaining: Ints
    own: Floats
    """The weight of the hand alone."""
    weights: Floats
    """The weight of the hand times that of all ways to deal the remaining cards."""


def join(
    everything: int, rests: Ints, hands: Sequence[Ints], weights: Sequence[Floats]
) -> list[Layer]:
    """Return the layers, that of the rests first."""
    import numpy as np

    totals: Floats = np.zeros(everything + 1)
    totals[hands[-1]] = weights[-1]
    nothing = np.zeros_like(hands[-1])
    layers = [Layer(hands[-1], hands[-1], nothing, weights[-1], weights[-1])]
    for index in range(len(hands) - 2, 0, -1):
        layer = _disjoint_pairs(hands[index], weights[index], _nonzero(totals), totals)
        layers.append(layer)
        totals = _totals(layer, everything)
    needed = everything & ~rests
    if len(hands) > 1:
        # Of the first hand, only what some rest leaves is needed.
        layer = _inside(hands[0], weights[0], needed, totals)
        layers.append(layer)
        totals = _totals(layer, everything)
    top = totals[needed]
    if not top.any():
        raise Contradiction
    full = np.full_like(rests, everything)
    layers.append(Layer(full, rests, needed, np.ones(len(rests)), top))
    return layers[::-1]


def _totals(layer: Layer, everything: int) -> Floats:
    """Return for each set of cards, as an index, the weight of all ways to deal it."""
    import numpy as np

    totals = np.bincount(layer.sets, layer.weights, everything + 1)
    return np.asarray(totals, np.float64)


def _nonzero(weights: Floats) -> Ints:
    """Return the indices where the weight is not 0."""
    import numpy as np

    return np.flatnonzero(weights).astype(np.int32)


def _chunks(rows: int, width: int) -> Iterator[slice]:
    step = max(1, MAX_PAIRS // max(1, width))
    return (slice(start, start + step) for start in range(0, rows, step))


def _disjoint_pairs(hands: Ints, weights: Floats, remaining: Ints, totals: Floats) -> Layer:
    """Return every hand with every set of remaining cards that shares no card with it."""
    import numpy as np

    pairs = []
    for part in _chunks(len(hands), len(remaining)):
        one, other = np.nonzero((hands[part, None] & remaining[None, :]) == 0)
        pairs.append((one + part.start, other))
    one = np.concatenate([pair[0] for pair in pairs])
    rest = remaining[np.concatenate([pair[1] for pair in pairs])]
    return _sorted(hands[one] | rest, hands[one], rest, weights[one], totals)


def _inside(hands: Ints, weights: Floats, sets: Ints, totals: Floats) -> Layer:
    """Return every hand inside every one of the sets, if the remaining cards can be dealt."""
    import numpy as np

    pairs = []
    for part in _chunks(len(sets), len(hands)):
        fits = (hands[None, :] & ~sets[part, None]) == 0
        remaining = np.where(fits, sets[part, None] & ~hands[None, :], 0)
        which, one = np.nonzero(fits & (totals[remaining] > 0))
        pairs.append((which + part.start, one))
    one = np.concatenate([pair[1] for pair in pairs])
    whole = sets[np.concatenate([pair[0] for pair in pairs])]
    return _sorted(whole, hands[one], whole & ~hands[one], weights[one], totals)


def _sorted(sets: Ints, hands: Ints, remaining: Ints, own: Floats, totals: Floats) -> Layer:
    import numpy as np

    ranks = np.cumsum(np.bincount(sets, minlength=1) > 0) - 1
    # Of 18 cards there are at most 48,620 sets of one size, and 16 bits are sorted by radix.
    order = np.argsort(ranks[sets].astype(np.uint16), kind="stable")
    weights = (own * totals[remaining])[order]
    return Layer(sets[order], hands[order], remaining[order], own[order], weights)


def possible_hands(layers: Sequence[Layer]) -> list[Ints]:
    """Return for each holder the hands that some deal gives it."""
    import numpy as np

    possible = []
    sets = layers[0].remaining[layers[0].weights > 0]
    for layer in layers[1:]:
        fits = np.isin(layer.sets, sets) & (layer.weights > 0)
        possible.append(np.unique(layer.hands[fits]))
        sets = np.unique(layer.remaining[fits])
    return possible


def listed(layers: Sequence[Layer], limit: int) -> Deals | None:
    """Return all deals, or ``None`` if there are more than ``limit``."""
    import numpy as np

    top = layers[0]
    rests = _nonzero(top.weights)
    remaining = top.remaining[rests]
    weights = np.ones(len(rests))
    hands: list[Ints] = []
    for layer in layers[1:]:
        fits = layer.weights > 0
        sets, chosen, following = layer.sets[fits], layer.hands[fits], layer.remaining[fits]
        start = np.searchsorted(sets, remaining, "left")
        count = np.searchsorted(sets, remaining, "right") - start
        if count.sum() > limit:
            return None
        kept = np.repeat(np.arange(len(remaining)), count)
        first = np.repeat(np.cumsum(count) - count, count)
        ways = start[kept] + np.arange(len(kept)) - first
        hands = [hand[kept] for hand in hands] + [chosen[ways]]
        rests = rests[kept]
        weights = weights[kept] * layer.own[fits][ways]
        remaining = following[ways]
    return Deals(rests, tuple(hands), weights / weights.sum(), exact=True)


def drawn(layers: Sequence[Layer], draws: int, seed: int) -> Deals:
    """Return deals drawn independently by the posterior."""
    import numpy as np

    random = np.random.default_rng(seed)
    sums = np.cumsum(layers[0].weights)
    places = np.searchsorted(sums, random.random(draws) * sums[-1], "right")
    rests = places.astype(np.int32)
    remaining = layers[0].remaining[rests]
    hands = []
    for layer in layers[1:]:
        sums = np.concatenate(([0.0], np.cumsum(layer.weights)))
        low = sums[np.searchsorted(layer.sets, remaining, "left")]
        high = sums[np.searchsorted(layer.sets, remaining, "right")]
        ways = np.searchsorted(sums, low + random.random(draws) * (high - low), "right") - 1
        hands.append(layer.hands[ways])
        remaining = layer.remaining[ways]
    return Deals(rests, tuple(hands), np.full(draws, 1 / draws), exact=False)
