"""The hands that one seat may hold under one role: a filter with exact weights.

A hand is a row of slots in the order of drawing; for each slot only the set of card types that
remain possible is stored, as eight bits. The slots of a hand are packed into one int, the leftmost
in the lowest bits, so that "no slot of the hand is a dodge" is one mask operation. Different hands
of a filter exclude each other, so weights add up (docs/games/pigs.md, 9.1).

This private method of counting answers within milliseconds what the engines of the toolkit cannot
always answer: on recorded logs of up to 25 events it is 35 times faster than the counting engine,
on logs of 101 to 300 events 423 times, and half of those are beyond the engine's budget
(docs/benchmarks/pigs.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from operator import mul

from games.pigs.setup import CARDS, PLAIN_WEIGHTS

__all__ = ["ANY", "Hands", "ScannedHands", "bits"]

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
    """All hands that remain possible, each with the weight of the cards that it has already played.

    Parameters
    ----------
    weights
        Prior weight of each card type; with all 1, weights are numbers of hands.

    Notes
    -----
    Every step costs time linear in (hands x slots). In whole games a filter has up to some thousand
    hands, usually fewer than twenty.

    Examples
    --------
    Two unknown cards; the seat shows that it has no dodge, then plays a slash. How many ways?

    >>> hands = Hands()
    >>> hands.draw([ANY, ANY]); hands.lack(bits("D")); hands.play("K", left=bits("K"))
    >>> hands.weight()  # 7 x 7 hands minus the 6 x 6 without a slash
    13
    """

    __slots__ = ("absent", "size", "states", "weights")

    def __init__(self, weights: Mapping[str, int] = PLAIN_WEIGHTS) -> None:
        self.weights = tuple(weights[card] for card in CARDS)
        self.size = 0
        """Slots of every hand: hand sizes are public."""
        self.states = {0: 1}
        self.absent = 0
        """Card types known to be in no slot, so that excluding them again costs nothing."""

    @property
    def is_possible(self) -> bool:
        """Whether any hand is left."""
        return bool(self.states)

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
        """Remove a slot that ``card`` is played from; the slots left of it lack the types ``left``.

        Parameters
        ----------
        card
            The card that was played.
        left
            Types that no slot to the left can be, since it would have been played instead.
        """
        index = CARDS.index(card)
        wanted, factor = 1 << index, self.weights[index]
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

    def reach(self, card: str, *, usable: int) -> None:
        """Play a card in the seat's own turn, in which no slot to the left was ``usable``."""
        self.play(card, left=usable)

    def stop(self, usable: int) -> None:
        """End the seat's own turn: no slot is ``usable``."""
        self.lack(usable)

    def shed(self, *, reached: bool = False) -> None:
        """Remove any one slot, whatever its card (to see what follows from less evidence).

        ``reached`` means that the slot was played in the seat's own turn. The resulting hands
        overlap: they show what is possible, but not with which weight.
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
        """Exclude every hand."""
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


class ScannedHands(Hands):
    """Hands of a seat that in its turn looks at each card once, from left to right.

    That is the literal rule (docs/games/pigs.md, section 10). Where the look has got to depends on
    the hand, so hands are kept apart by the number of slots that it has passed.
    """

    __slots__ = ("parts",)

    def __init__(self, weights: Mapping[str, int] = PLAIN_WEIGHTS) -> None:
        super().__init__(weights)
        self.parts: dict[int, dict[int, int]] = {0: self.states}
        """Number of slots passed -> hands with their weights; `states` has all of them."""

    def draw(self, slots: Iterable[int]) -> None:
        """Add slots on the right, each the set of types that it may be."""
        new = tuple(slots)
        self._each(lambda part: part.draw(new))

    def lack(self, types: int) -> None:
        """Keep the hands in which no slot is of these types."""
        self._each(lambda part: part.lack(types))

    def play(self, card: str, *, left: int) -> None:
        """Remove a slot that ``card`` is played from; the slots left of it lack the types."""
        wanted = bits(card)

        def options(passed: int, hand: Slots) -> Iterator[tuple[int, Slots]]:
            for index, slot in enumerate(hand):
                rest = _without(hand, 0, index, left)
                if rest is None:
                    return
                if slot & wanted:
                    yield passed - (index < passed), rest[:index] + rest[index + 1 :]

        self._replace(options, factor=self.weights[CARDS.index(card)])

    def reach(self, card: str, *, usable: int) -> None:
        """Use a card when the look through the hand reaches one; the leftmost one is removed."""
        wanted = bits(card)

        def options(passed: int, hand: Slots) -> Iterator[tuple[int, Slots]]:
            for index in range(passed, len(hand)):
                rest = _without(hand, passed, index, usable)
                if rest is None:
                    return
                if not rest[index] & wanted:
                    continue
                first = _without(rest, 0, index, wanted)
                if first is not None:
                    yield index, first[:index] + first[index + 1 :]
                for earlier in range(passed):  # passed when it was not usable
                    before = _without(rest, 0, earlier, wanted)
                    if before is None:
                        break
                    if before[earlier] & wanted:
                        before = (*before[:index], wanted, *before[index + 1 :])
                        yield index, before[:earlier] + before[earlier + 1 :]

        self._replace(options, factor=self.weights[CARDS.index(card)])

    def stop(self, usable: int) -> None:
        """End the look through the hand: no slot from where it is on is ``usable``."""

        def options(passed: int, hand: Slots) -> Iterator[tuple[int, Slots]]:
            rest = _without(hand, passed, len(hand), usable)
            if rest is not None:
                yield 0, rest

        self._replace(options, removed=0)

    def shed(self, *, reached: bool = False) -> None:
        """Remove any one slot, whatever its card (to see what follows from less evidence)."""

        def options(passed: int, hand: Slots) -> Iterator[tuple[int, Slots]]:
            for index in range(len(hand)):
                rest = hand[:index] + hand[index + 1 :]
                if not reached:
                    yield passed - (index < passed), rest
                    continue
                for now in range(max(passed, index), len(hand)):
                    yield now, rest

        self._replace(options)

    def lose(self, cards: str | None) -> None:
        """Give up the whole hand, with its cards shown or not."""
        super().lose(cards)
        self.parts = {0: self.states}

    def rule_out(self) -> None:
        """Exclude every hand."""
        self.states = {}
        self.parts = {}

    def _each(self, change: Callable[[Hands], None]) -> None:
        """Change the hands of each part as those of a plain filter."""
        size, absent = self.size, self.absent
        part = Hands.__new__(Hands)
        part.weights = self.weights
        parts = {}
        for passed, states in (self.parts or {0: {}}).items():
            part.states, part.size, part.absent = states, size, absent
            change(part)
            parts[passed] = part.states
        self.parts, self.size, self.absent = parts, part.size, part.absent
        self._join()

    def _replace(
        self,
        options: Callable[[int, Slots], Iterator[tuple[int, Slots]]],
        *,
        factor: int = 1,
        removed: int = 1,
    ) -> None:
        """Replace each hand by its options; ``removed`` slots leave it."""
        parts: dict[int, dict[int, int]] = {}
        for passed, states in self.parts.items():
            for hand, weight in states.items():
                for now, slots in options(passed, tuple(self._slots(hand))):
                    part = parts.setdefault(now, {})
                    after = int.from_bytes(bytes(slots), "little")
                    part[after] = part.get(after, 0) + weight * factor
        self.parts = parts
        self.size -= removed
        self._join()

    def _join(self) -> None:
        self.parts = {passed: states for passed, states in self.parts.items() if states}
        self.states = {}
        for states in self.parts.values():
            for hand, weight in states.items():
                self.states[hand] = self.states.get(hand, 0) + weight


Slots = tuple[int, ...]


def _without(hand: Slots, start: int, end: int, types: int) -> Slots | None:
    """Return the hand whose slots from start to end lack the types; ``None``: there is none."""
    middle = tuple(slot & ~types for slot in hand[start:end])
    return (*hand[:start], *middle, *hand[end:]) if all(middle) else None


_PLAIN = (1,) * SLOT
