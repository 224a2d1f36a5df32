"""Hands by arrays: the posterior over deals of few cards, kept up to date hand by hand.

In many card games every event concerns one hand only: who could not follow has none of some cards,
who showed a card has one of them, and a likelihood depends on the hand alone. The posterior of a
deal is then a product of one weight for each hand, over the deals in which the hands share no card.
`Hands` keeps for every holder the list of possible hands, as numbers with one bit for each card,
with their weights, and joins the lists where a question needs it, by dynamic programming
over sets of cards: a *layer* has the ways to deal a set of cards to one holder and the holders
after it, each with its weight (Koller and Friedman, *Probabilistic Graphical Models*, 2009, section
9.3, is the general form of this elimination).

This is the posterior of `deduce.knowledge.Knowledge`, in floats instead of fractions; a test
compares the two. It needs numpy, known sizes of the hands, and at most 18 cards. For a standard
game of Cluedo it gives the posterior, what is certain, and 4000 drawn deals 14 times faster than
`Knowledge` (``bench_cluedo_play --inference``, docs/benchmarks.md), which is why programs that play
thousands of games use it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from operator import or_
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from attrs import evolve, frozen

from deduce.errors import Contradiction, Unsupported

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int32]
    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Deals", "Hands", "Layer", "drawn", "join", "listed", "possible_hands"]

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

    totals = np.bincount(np.asarray(layer.sets, np.intp), layer.weights, everything + 1)
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

    ranks = np.cumsum(np.bincount(np.asarray(sets, np.intp), minlength=1) > 0) - 1
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


MAX_CARDS = 18
"""The arrays have an entry for every set of cards: 2 MB."""


class Hands:
    """The possible hands of each holder, and the posterior over the deals that they make together.

    Parameters
    ----------
    cards
        The cards, at most 18.
    sizes
        How many cards each holder has.
    rests
        What the cards in no hand may be (the envelope of Cluedo, a skat), each a set of cards; all
        are equally probable at first. Cards that are not among ``cards`` do not matter in a rest.

    Raises
    ------
    Unsupported
        There are more than 18 cards, or no holder.

    Examples
    --------
    >>> hands = Hands("abcd", {"Ann": 1, "Ben": 2}, [("a",), ("b",)])
    >>> hands.keep("Ann", hands.of("Ann") & hands.bits("cd") == 0)      # Ann has neither c nor d
    >>> hands.certain()
    {'c': 'Ben', 'd': 'Ben'}
    >>> hands.weigh("Ann", [3 if hand & hands.bits("a") else 1 for hand in hands.of("Ann")])
    >>> hands.best()
    (('b',), 0.75)
    """

    def __init__(
        self,
        cards: Iterable[str],
        sizes: Mapping[str, int],
        rests: Iterable[tuple[str, ...]],
    ) -> None:
        import numpy as np

        self.cards = tuple(cards)
        self.holders = tuple(sizes)
        if len(self.cards) > MAX_CARDS:
            raise Unsupported(f"hands by arrays take up to {MAX_CARDS} cards, not more")
        if not sizes:
            raise Unsupported("hands by arrays need a holder")
        self.bit: dict[str, int] = {card: 1 << index for index, card in enumerate(self.cards)}
        """The bit of each card in the numbers that are hands."""
        self.all = (1 << len(self.cards)) - 1
        self._rests = list(rests)
        self._rest_bits = np.array([self.bits(rest) for rest in self._rests], np.int32)
        self._hands = [_all_hands(len(self.cards), size) for size in sizes.values()]
        self._weights = [np.ones(len(hands)) for hands in self._hands]
        self._layers: list[Layer] | None = None
        self._order: list[int] = []
        """The holders by index, in the order of their layers."""

    def bits(self, cards: Iterable[str]) -> int:
        """Return cards as a number with one bit each; cards that are not dealt here count 0."""
        return sum(self.bit.get(card, 0) for card in cards)

    def copy(self) -> Self:
        """Return a copy that changes independently."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._hands = list(self._hands)
        other._weights = list(self._weights)
        other._rests = list(self._rests)
        return other

    # What becomes known

    def of(self, holder: str) -> Ints:
        """Return the hands that nothing excludes directly for a holder, as bits, in order."""
        return self._hands[self.holders.index(holder)]

    def weights_of(self, holder: str) -> Floats:
        """Return the weights of a holder's hands, in the order of `of`."""
        return self._weights[self.holders.index(holder)]

    def keep(self, holder: str, kept: Any) -> None:
        """Keep only some hands of a holder: an array of bools in the order of `of`."""
        if kept.all():
            return
        index = self.holders.index(holder)
        self._hands[index] = self._hands[index][kept]
        self._weights[index] = self._weights[index][kept]
        self._layers = None

    def weigh(self, holder: str, factors: Any) -> None:
        """Multiply the weights of a holder's hands by factors in the order of `of`."""
        index = self.holders.index(holder)
        self._weights[index] = self._weights[index] * factors
        self._layers = None

    def keep_rests(self, kept: Any) -> None:
        """Keep only some of the rests: an array of bools in their order."""
        if kept.all():
            return
        self._rest_bits = self._rest_bits[kept]
        self._rests = [rest for rest, keep in zip(self._rests, kept, strict=True) if keep]
        self._layers = None

    # What follows

    @property
    def rests(self) -> Sequence[tuple[str, ...]]:
        """The rests that are not excluded directly; some may have the probability 0.

        Raises
        ------
        Contradiction
            No deal is possible; also from all methods below.
        """
        _ = self.layers
        return self._rests

    def total(self) -> float:
        """Return the weight of all deals; what is kept or weighed later can be compared to it."""
        return float(self.layers[0].weights.sum())

    def posterior(self) -> Floats:
        """Return the probability of each of `rests`. Cost: some milliseconds after a change."""
        top = self.layers[0]
        shares: Floats = top.weights / top.weights.sum()
        return shares

    def best(self) -> tuple[tuple[str, ...], float]:
        """Return the most probable rest and its probability."""
        posterior = self.posterior()
        index = int(posterior.argmax())
        return self.rests[index], float(posterior[index])

    def certain(self) -> dict[str, str | None]:
        """Return each card whose holder is certain, with the holder; ``None`` is the rest."""
        import numpy as np

        layers = self.layers
        possible: list[tuple[str | None, int]] = [
            (None, int(np.bitwise_or.reduce(self._rest_bits[layers[0].weights > 0])))
        ]
        for index, hands in zip(self._order, possible_hands(layers), strict=True):
            possible.append((self.holders[index], int(np.bitwise_or.reduce(hands))))
        certain = {}
        for card, bit in self.bit.items():
            holders = [holder for holder, bits in possible if bits & bit]
            if len(holders) == 1:
                certain[card] = holders[0]
        return certain

    def deals(self, limit: int, draws: int, seed: int) -> Deals:
        """Return all deals if there are at most ``limit``, else some drawn by the posterior.

        Parameters
        ----------
        limit
            How many deals are listed at most.
        draws
            How many deals are drawn otherwise.
        seed
            The same seed gives the same draws.
        """
        layers = self.layers
        deals = listed(layers, limit) or drawn(layers, draws, seed)
        hands = dict(zip(self._order, deals.hands, strict=True))
        return evolve(deals, hands=tuple(hands[index] for index in range(len(self.holders))))

    @property
    def layers(self) -> list[Layer]:
        """The ways to deal the cards, joined: first the rests, then each holder."""
        if self._layers is None:
            self._narrow()
            # The longest list is joined last, when the rests leave little of it.
            self._order = sorted(
                range(len(self.holders)), key=lambda index: -len(self._hands[index])
            )
            self._layers = join(
                self.all,
                self._rest_bits,
                [self._hands[index] for index in self._order],
                [self._weights[index] for index in self._order],
            )
        return self._layers

    def _narrow(self) -> None:
        """Remove hands that are impossible because of a card that is certain elsewhere.

        This only saves time: the join would remove them too.
        """
        import numpy as np

        before = -1
        while before != (before := sum(map(len, self._hands)) + len(self._rest_bits)):
            lists = [*self._hands, self._rest_bits]
            if not all(map(len, lists)):
                raise Contradiction
            must = [int(np.bitwise_and.reduce(hands)) for hands in lists]
            can = [int(np.bitwise_or.reduce(hands)) for hands in lists]
            for index, hands in enumerate(lists):
                others = [other for other in range(len(lists)) if other != index]
                taken = _union(must[other] for other in others)
                needed = self.all & ~_union(can[other] for other in others)
                kept = ((hands & taken) == 0) & ((hands & needed) == needed)
                if index < len(self._hands):
                    self.keep(self.holders[index], kept)
                else:
                    self.keep_rests(kept)


@lru_cache(maxsize=64)
def _all_hands(cards: int, size: int) -> Ints:
    """Return every hand of that size, sorted."""
    import numpy as np

    hands = [sum(1 << index for index in hand) for hand in combinations(range(cards), size)]
    return np.array(sorted(hands), np.int32)


def _union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)
