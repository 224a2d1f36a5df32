"""The hands that one seat may hold under one role: a filter with exact weights.

A hand is a row of slots in the order of drawing; of each slot only the set of card types that are
still possible is kept, as eight bits. The slots of a hand lie side by side in one int, the leftmost
lowest, so that "no slot of the hand is a dodge" is one mask operation. Different hands of a filter
exclude each other, so weights add up (docs/games/pigs.md, 9.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import mul

from games.pigs.cards import CARDS, PLAIN_WEIGHTS

__all__ = ["ANY", "Hands", "bits"]

SLOT = len(CARDS)
"""Bits of a slot, one for each card type."""
ANY = (1 << SLOT) - 1


def bits(cards: Iterable[str]) -> int:
    """Return the set of card types as bits.

    >>> bits("PK"), bits("PKDFNWJZ")
    (3, 255)
    """
    return sum(1 << CARDS.index(card) for card in set(cards))


def _ones(size: int) -> int:
    """Return the int that has the lowest bit of each of ``size`` slots set."""
    return ((1 << SLOT * size) - 1) // ANY


class Hands:
    """All hands that are still possible, each with the weight of the cards it has already shed.

    Parameters
    ----------
    weights
        Prior weight of each card type; all 1 counts worlds.

    Notes
    -----
    Every step costs time linear in (hands x slots). Whole games reach at most some thousand hands,
    most a handful.

    Examples
    --------
    Two unknown cards; the seat shows that it has no dodge, then plays a slash. How many ways?

    >>> hands = Hands()
    >>> hands.draw([ANY, ANY]); hands.lack(bits("D")); hands.play("K", left=bits("K"))
    >>> hands.weight()  # 7 x 7 hands less the 6 x 6 without a slash
    13
    """

    __slots__ = ("absent", "size", "states", "weights")

    def __init__(self, weights: Mapping[str, int] = PLAIN_WEIGHTS) -> None:
        self.weights = tuple(weights[card] for card in CARDS)
        self.size = 0
        """Slots of every hand: hand sizes are public."""
        self.states = {0: 1}
        self.absent = 0
        """Card types known to be in no slot, so that telling it again costs nothing."""

    def copy(self) -> Hands:
        """Return the same filter, to be told something else."""
        other = Hands.__new__(Hands)
        other.weights, other.size = self.weights, self.size
        other.states, other.absent = self.states, self.absent
        return other

    def draw(self, slots: Iterable[int]) -> None:
        """Add slots on the right, each the set of types that it may be."""
        new, start = 0, self.size
        for slot in slots:
            new |= slot << SLOT * self.size
            self.size += 1
            self.absent &= ~slot
        if self.size > start:
            self.states = {hand | new: weight for hand, weight in self.states.items()}

    def lack(self, types: int) -> None:
        """Keep the hands in which no slot is of these types."""
        if not types & ~self.absent:
            return
        self.absent |= types
        low = _ones(self.size)
        high, keep = low << SLOT - 1, ~(types * low)
        states: dict[int, int] = {}
        for hand, weight in self.states.items():
            rest = hand & keep
            # A slot without any type left: subtracting borrows through exactly the empty slots.
            if not (rest - low) & ~rest & high:
                states[rest] = states.get(rest, 0) + weight
        self.states = states

    def play(self, card: str, *, left: int) -> None:
        """Take out the leftmost slot of which ``card`` could be played: those left of it lack it.

        Parameters
        ----------
        card
            The card that was played.
        left
            Types that no slot left of it can have been, or it would have been played instead.
        """
        number = CARDS.index(card)
        wanted, factor = 1 << number, self.weights[number]
        states: dict[int, int] = {}
        for hand, weight in self.states.items():
            passed, rest, shift = 0, hand, 0
            weight *= factor
            while rest:
                slot = rest & ANY
                rest >>= SLOT
                if slot & wanted:
                    after = passed | rest << shift
                    states[after] = states.get(after, 0) + weight
                slot &= ~left
                if not slot:
                    break
                passed |= slot << shift
                shift += SLOT
        self.states = states
        self.size -= 1

    def shed(self) -> None:
        """Take out any one slot, whatever it was (for asking what follows from less evidence).

        The hands that result overlap: they say what is possible, not how much it weighs.
        """
        states: dict[int, int] = {}
        for hand in self.states:
            for k in range(self.size):
                low = hand & ((1 << SLOT * k) - 1)
                states[low | hand >> SLOT * (k + 1) << SLOT * k] = 1
        self.states = states
        self.size -= 1

    def lose(self, cards: str | None) -> None:
        """Give up the whole hand, with its cards shown or not."""
        if cards is None:
            total = self.weight()
        else:
            shown = reduce(lambda hand, card: hand << SLOT | bits(card), reversed(cards), 0)
            factor = reduce(mul, (self.weights[CARDS.index(card)] for card in cards), 1)
            total = factor * sum(w for hand, w in self.states.items() if hand & shown == shown)
        self.states = {0: total} if total else {}
        self.size = self.absent = 0

    def rule_out(self) -> None:
        """Note that no hand fits."""
        self.states = {}

    def weight(self) -> int:
        """Return the total weight: with weights 1, in how many ways the slots can be filled."""
        return sum(weight * self._fillings(hand) for hand, weight in self.states.items())

    def weight_without(self, types: int) -> int:
        """Return the weight of the hands that hold none of these types."""
        keep = ~(types * _ones(self.size))
        return sum(weight * self._fillings(hand & keep) for hand, weight in self.states.items())

    def weights_by_number(self, card: str) -> list[int]:
        """Return the weight of the hands that hold exactly 0, 1, 2, ... of the card."""
        wanted = bits(card)
        factor = self.weights[CARDS.index(card)]
        total = [0] * (self.size + 1)
        for hand, weight in self.states.items():
            counts = [weight]
            for slot in self._slots(hand):
                others = self._mass(slot & ~wanted)
                this = factor if slot & wanted else 0
                counts = [
                    others * same + this * one_less
                    for same, one_less in zip([*counts, 0], [0, *counts], strict=True)
                ]
            total = [a + b for a, b in zip(total, counts, strict=True)]
        return total

    def _slots(self, hand: int) -> bytes:
        return hand.to_bytes(self.size, "little")

    def _fillings(self, hand: int) -> int:
        if self.weights == _PLAIN:
            return reduce(mul, map(int.bit_count, self._slots(hand)), 1)
        return reduce(mul, map(self._mass, self._slots(hand)), 1)

    def _mass(self, slot: int) -> int:
        return sum(weight for k, weight in enumerate(self.weights) if slot >> k & 1)


_PLAIN = (1,) * SLOT
