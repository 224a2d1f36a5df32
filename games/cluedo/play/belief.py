"""What one player can know, exactly, as the hands that each opponent may have.

In a game whose hand sizes are known every event that he sees speaks of one hand only: who passed
has none of the cards, who showed has one of them, and a shown card counts ``1/k`` where the hand
has ``k`` of the named ones. So the posterior of a deal is a product of one weight a hand, over the
deals in which hands and envelope share no card: lists of hands as numbers with a bit a card, joined
from the last player to the first. That is the posterior of `Knowledge`, a good deal faster for
these games, and for these only (21 cards, known hand sizes): a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations, product
from operator import or_
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from attrs import evolve, frozen

from deduce.errors import Contradiction, Unsupported
from games.cluedo.events import ENVELOPE, Accusation, Event, Suggestion
from games.cluedo.rules import Cluedo

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int32]
    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Belief", "Worlds"]

MOST_CARDS = 18
"""So many cards out of one's own hand are met at most: six players and the classic deck."""


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


class Belief:
    """The posterior of one player, kept up to date event by event.

    Parameters
    ----------
    game
        A set-up with known hand sizes.
    me
        Whose eyes.
    hand
        His cards.

    Raises
    ------
    Unsupported
        Hand sizes are not known, cards lie undealt, or more than 18 cards are out of the hand.

    Examples
    --------
    >>> game = Cluedo(("Ann", "Ben"), deck={"who": ("Plum", "White", "Green"), "with": ("Rope",
    ...     "Dagger")}, hands=(1, 2))
    >>> belief = Belief(game, "Ann", ["Plum"])
    >>> belief.tell(Suggestion("Ann", ("White", "Rope"), ("Ben",)))
    >>> belief.best(), belief.certain()
    ((('White', 'Rope'), 1.0), {'White': 'envelope', 'Green': 'Ben', 'Rope': 'envelope', \
'Dagger': 'Ben'})
    """

    def __init__(self, game: Cluedo, me: str, hand: Sequence[str]) -> None:
        import numpy as np

        sizes = game.hand_sizes()
        seat = game.players.index(me)
        self.me = me
        self.order = game.players[seat + 1 :] + game.players[:seat]
        """The opponents, in the order in which they answer me."""
        self.cards = tuple(card for card in game.dealt if card not in hand)
        """The cards that I do not have."""
        if game.undealt or any(low != high for low, high in sizes.values()):
            raise Unsupported("this player needs hands of known sizes and no undealt cards")
        if len(self.cards) > MOST_CARDS:
            raise Unsupported(f"this player keeps account of {MOST_CARDS} cards, not more")
        self.bit = {card: 1 << place for place, card in enumerate(self.cards)}
        self.all = (1 << len(self.cards)) - 1
        kinds = [[card for card in kind if card in self.bit] for kind in game.deck.values()]
        self._solutions: list[tuple[str, ...]] = list(product(*kinds))
        self._envelopes = np.array([self.bits(cards) for cards in self._solutions], np.int32)
        self._hands = [_all_hands(len(self.cards), sizes[name][0]) for name in self.order]
        self._weights = [np.ones(len(hands)) for hands in self._hands]
        self._layers: list[_Layer] | None = None
        self._sequence: list[int] = []
        """The opponents by place, in the order in which the layers have them."""

    def bits(self, cards: Sequence[str]) -> int:
        """Return the cards as a number; those that are mine or lie face up count nothing."""
        return sum(self.bit.get(card, 0) for card in cards)

    def copy(self) -> Self:
        """Return a belief that may go its own way."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._hands = list(self._hands)
        other._weights = list(self._weights)
        other._solutions = list(self._solutions)
        return other

    # Events

    def tell(self, event: Event) -> None:
        """Take an event, as I see it."""
        match event:
            case Suggestion(_, cards, passes, shows):
                for name in passes:
                    if name == self.me:
                        continue
                    self._keep(name, self._has(name, self.bits(cards)) == 0)
                for show in shows:
                    if show.by == self.me:
                        continue
                    if show.card is None:
                        self._keep(show.by, self._has(show.by, self.bits(cards)) != 0)
                    else:
                        self._seen(show.by, show.card, cards)
            case Accusation(_, cards, correct):
                self._accused(tuple(cards), correct=correct)

    def _has(self, name: str, bits: int) -> Ints:
        found: Ints = self._hands[self.order.index(name)] & bits
        return found

    def _keep(self, name: str, kept: Any) -> None:
        if kept.all():
            return
        place = self.order.index(name)
        self._hands[place] = self._hands[place][kept]
        self._weights[place] = self._weights[place][kept]
        self._layers = None

    def weigh(self, name: str, factors: Floats) -> None:
        """Multiply the weights of an opponent's hands, in the order of `hands_of`."""
        place = self.order.index(name)
        self._weights[place] = self._weights[place] * factors
        self._layers = None

    def hands_of(self, name: str) -> Ints:
        """Return the hands that nothing excludes at once for an opponent, as bits of ``cards``."""
        return self._hands[self.order.index(name)]

    def _seen(self, name: str, card: str, named: Sequence[str]) -> None:
        import numpy as np

        self._keep(name, self._has(name, self.bits([card])) != 0)
        number = np.bitwise_count(self._has(name, self.bits(named)))
        if (number > 1).any():
            self.weigh(name, 1 / number)

    def _accused(self, cards: tuple[str, ...], *, correct: bool) -> None:
        import numpy as np

        kept = np.array([(solution == cards) == correct for solution in self._solutions])
        if not kept.all():
            self._leave(kept)

    def _leave(self, kept: Any) -> None:
        """Keep only some of the solutions."""
        self._envelopes = self._envelopes[kept]
        self._solutions = [s for s, keep in zip(self._solutions, kept, strict=True) if keep]
        self._layers = None

    # Answers

    @property
    def layers(self) -> list[_Layer]:
        """The ways to deal out, joined: first the envelopes, then each opponent."""
        if self._layers is None:
            self._narrow()
            # The longest list joins last, when the envelopes leave little of it.
            self._sequence = sorted(
                range(len(self.order)), key=lambda place: -len(self._hands[place])
            )
            self._layers = _join(
                self.all,
                self._envelopes,
                [self._hands[place] for place in self._sequence],
                [self._weights[place] for place in self._sequence],
            )
        return self._layers

    def _narrow(self) -> None:
        """Leave out hands that cannot be because of a card that is certain elsewhere.

        Only to be faster: the join would leave them out too.

        Raises
        ------
        Contradiction
            No hand is left to somebody.
        """
        import numpy as np

        before = -1
        while before != (before := sum(map(len, self._hands)) + len(self._envelopes)):
            lists = [*self._hands, self._envelopes]
            if not all(map(len, lists)):
                raise Contradiction
            must = [int(np.bitwise_and.reduce(hands)) for hands in lists]
            can = [int(np.bitwise_or.reduce(hands)) for hands in lists]
            for place, hands in enumerate(lists):
                others = [other for other in range(len(lists)) if other != place]
                taken = _union(must[other] for other in others)
                needed = self.all & ~_union(can[other] for other in others)
                kept = ((hands & taken) == 0) & ((hands & needed) == needed)
                if kept.all():
                    continue
                if place < len(self._hands):
                    self._hands[place] = hands[kept]
                    self._weights[place] = self._weights[place][kept]
                else:
                    self._leave(kept)

    @property
    def solutions(self) -> Sequence[tuple[str, ...]]:
        """The solutions that are not excluded at once; some may have the probability 0."""
        _ = self.layers
        return self._solutions

    def posterior(self) -> Floats:
        """Return the probability of each of ``solutions``."""
        top = self.layers[0]
        found: Floats = top.weights / top.weights.sum()
        return found

    def best(self) -> tuple[tuple[str, ...], float]:
        """Return the most probable solution, and how probable it is."""
        posterior = self.posterior()
        place = int(posterior.argmax())
        return self.solutions[place], float(posterior[place])

    def certain(self) -> dict[str, str]:
        """Return every card that I do not have whose holder is certain."""
        import numpy as np

        found = {}
        layers = self.layers
        some = [(ENVELOPE, int(np.bitwise_or.reduce(self._envelopes[layers[0].weights > 0])))]
        for place, hands in zip(self._sequence, _possible(layers), strict=True):
            some.append((self.order[place], int(np.bitwise_or.reduce(hands))))
        for card, bit in self.bit.items():
            fitting = [name for name, bits in some if bits & bit]
            if len(fitting) == 1:
                found[card] = fitting[0]
        return found

    def worlds(self, most: int, draws: int, seed: int) -> Worlds:
        """Return all deals if they are at most so many, else so many drawn by the posterior."""
        layers = self.layers
        found = _listed(layers, most) or _drawn(layers, draws, seed)
        hands = dict(zip(self._sequence, found.hands, strict=True))
        return evolve(found, hands=tuple(hands[place] for place in range(len(self.order))))


@frozen(eq=False)
class _Layer:
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
def _all_hands(cards: int, size: int) -> Ints:
    import numpy as np

    found = [sum(1 << place for place in hand) for hand in combinations(range(cards), size)]
    return np.array(sorted(found), np.int32)


def _union(sets: Iterable[int]) -> int:
    return reduce(or_, sets, 0)


def _join(
    everything: int, envelopes: Ints, hands: Sequence[Ints], weights: Sequence[Floats]
) -> list[_Layer]:
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
    layers = [_Layer(hands[-1], hands[-1], nothing, weights[-1], weights[-1])]
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
    layers.append(_Layer(full, envelopes, rests, np.ones(len(envelopes)), top))
    return layers[::-1]


def _totals(layer: _Layer, everything: int) -> Floats:
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


def _pairs(hands: Ints, weights: Floats, rests: Ints, totals: Floats) -> _Layer:
    """Return every hand with every set of cards that it does not meet."""
    import numpy as np

    found = []
    for part in _chunks(len(hands), len(rests)):
        one, other = np.nonzero((hands[part, None] & rests[None, :]) == 0)
        found.append((one + part.start, other))
    one = np.concatenate([pair[0] for pair in found])
    rest = rests[np.concatenate([pair[1] for pair in found])]
    return _sorted(hands[one] | rest, hands[one], rest, weights[one], totals)


def _inside(hands: Ints, weights: Floats, sets: Ints, totals: Floats) -> _Layer:
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


def _sorted(sets: Ints, hands: Ints, rests: Ints, own: Floats, totals: Floats) -> _Layer:
    import numpy as np

    ranks = np.cumsum(np.bincount(sets, minlength=1) > 0) - 1
    # Of 18 cards the sets of one size are at most 48 620, and 16 bits are sorted by radix.
    order = np.argsort(ranks[sets].astype(np.uint16), kind="stable")
    weights = (own * totals[rests])[order]
    return _Layer(sets[order], hands[order], rests[order], own[order], weights)


def _possible(layers: Sequence[_Layer]) -> list[Ints]:
    """Return for each opponent the hands that some deal gives him."""
    import numpy as np

    found = []
    sets = layers[0].rests[layers[0].weights > 0]
    for layer in layers[1:]:
        fits = np.isin(layer.sets, sets) & (layer.weights > 0)
        found.append(np.unique(layer.hands[fits]))
        sets = np.unique(layer.rests[fits])
    return found


def _listed(layers: Sequence[_Layer], most: int) -> Worlds | None:
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


def _drawn(layers: Sequence[_Layer], draws: int, seed: int) -> Worlds:
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
