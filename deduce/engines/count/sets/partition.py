"""Counting by sets: each value takes a set of the variables, and every constraint is about one set.

In a card game with doubts a sweep has many counters open, since nothing is excluded: each answer
about a hand is one. But the weight of a world is then a product with one factor for each hand, and
the number of sets of cards is bounded however many answers there are. With ``f_h(H)`` the weight of
the hand ``H`` of the holder ``h``, and hands of fixed sizes that add up to all cards, a choice of
hands that covers all cards is a deal, so that inclusion and exclusion counts the deals:

    total = sum over sets S of (-1)^(cards outside S) * product over h of (sum of f_h(H), H in S)

The inner sums are zeta transforms, and the weight of all deals in which ``h`` has ``H`` is the
same sum over the sets ``S`` that contain ``H``, without the factor of ``h``: one more transform.
Björklund, Husfeldt, Kaski and Koivisto, *Fourier meets Möbius: fast subset convolution* (2007).
Holders of few hands are joined first, pair by pair of hands; two that are left need no transform.

Numbers are exact: modulo 2**64 and modulo primes, as many as the greatest possible total needs.
Where that is allowed and the greatest possible total is large, floats take the place of all moduli,
with a bound of the error (`deduce.engines.count.sets.rounded`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from math import comb, prod
from typing import Self

import numpy as np
from numpy.typing import NDArray

from deduce.budget import Meter
from deduce.engines.core.residue import Component, Group
from deduce.engines.count.sets.hands import Answers, Hands, Joint, Key, Sets, hands_of, values_of
from deduce.engines.count.sets.rounded import rounded
from deduce.engines.count.sweep.numbers import WORD, Words, primes, reduced

__all__ = ["Partition"]

MIN_BITS = 100
"""Up to this length of the greatest possible total, a few moduli are enough; above it, floats take
much less time than exact numbers."""

ROUNDED_PRICE = 64
"""Entries of all arrays that cost one step where the numbers are floats."""

COLUMNS = 128
"""How many columns of a table are added up at a time."""

ENTRIES = 1 << 13
"""How many entries of tables are multiplied at a time."""

PRICE = 16
"""Entries of all arrays, for one modulus, that cost one step of a `deduce.budget.Budget`."""


class Partition:
    """The weights of a component in which every constraint is about the variables of one value.

    Parameters
    ----------
    count
        How many variables there are.
    hands
        For each value its sets.
    """

    def __init__(self, count: int, hands: Sequence[Hands]) -> None:
        self.count = count
        self.hands = hands
        self.bound = prod(hands.most for hands in hands) * (1 + count)
        """A number above all weights."""
        self.total = 0
        self.answers: Mapping[Answers, int] = {}
        self._flows: dict[tuple[Group, int], int] = {}
        self._numbers: dict[tuple[int, int], int] = {}

    @classmethod
    def of(cls, component: Component) -> Self | None:
        """Return the component by sets, not counted yet; ``None`` where that is not possible.

        See `deduce.engines.count.sets.hands.values_of`.
        """
        values = values_of(component)
        if values is None:
            return None
        count = sum(len(group.members) for group in component.groups)
        hands = [hands_of(component, value, count) for value in values]
        return cls(count, hands)

    @cached_property
    def joints(self) -> Sequence[Joint]:
        """The hands, with those of several holders together where that takes less time."""
        if not all(map(len, self.hands)):
            return []
        asked = [Joint.of(one) for one in self.hands if one.questions]
        together = [reduce(Joint.joined, asked)] if asked else []
        alone = [Joint.of(one) for one in self.hands if not one.questions]
        return _few([*together, *alone], self.count)

    @cached_property
    def size(self) -> int:
        """The entries of all arrays, for one modulus."""
        transformed = len(self.joints) << self.count if len(self.joints) > 2 else 0
        return sum(map(len, self.joints)) + transformed

    @property
    def is_long(self) -> bool:
        """Whether floats take much less time than exact numbers."""
        return self.bound.bit_length() > MIN_BITS

    def weigh(self, meter: Meter, *, exact: bool = True) -> None:
        """Count; where that is allowed, and the numbers are long, by floats.

        Raises
        ------
        Undecided
            When the meter's budget is used up.
        """
        if not all(len(hands.sets) for hands in self.hands):
            return
        if self.is_long and not exact:
            meter.spend(self.size // ROUNDED_PRICE)
            shares = rounded(self.joints, self.count)
            if shares is not None:
                self._keep(shares.weights())
                return
        count = 0
        while WORD * prod(primes(count)) <= self.bound:
            count += 1
        moduli = [WORD, *primes(count)]
        meter.spend(self.size * len(moduli) // PRICE)
        rests = []
        for modulus in moduli:
            rests.append(self._modulo(modulus))
            meter.check()
        self._keep(_joined(rests, moduli))

    def _keep(self, sums: Mapping[Key, int]) -> None:
        answers: dict[Answers, int] = {}
        for (kind, *of), value in sums.items():
            if kind == "total":
                self.total = value
            elif kind == "flow":
                self._flows[of[0], of[1]] = value
            elif not value:
                continue
            elif kind == "number":
                number = of[0], of[1]
                self._numbers[number] = self._numbers.get(number, 0) + value
            else:
                answers[of[0]] = value
        self.answers = answers or {(): self.total}

    def flow(self, group: Group, effect: int) -> int:
        """Return the weight of all ways, each times the members that take the effect's values."""
        return self._flows.get((group, effect), 0)

    def numbers(self) -> Mapping[tuple[int, int], int]:
        """Return the weight of all ways for each likelihood, by index, and number."""
        return self._numbers

    def _modulo(self, modulus: int) -> dict[Key, int]:
        """Return all sums modulo a number."""
        weights = [joint.weights(modulus) for joint in self.joints]
        sums: dict[Key, int] = {}
        others = self._others(weights, modulus)
        for joint, weight, rest in zip(self.joints, weights, others, strict=True):
            sums |= joint.sums(reduced(weight * rest, modulus), modulus)
        return sums

    def _others(self, weights: Sequence[Words], modulus: int) -> Iterator[Words]:
        """Yield for each joint, by set, the weight of all ways to deal the rest to the others."""
        if len(self.joints) == 1:
            yield np.ones(len(self.joints[0]), np.uint64)
        elif len(self.joints) == 2:
            everything = (1 << self.count) - 1
            for mine, other in ((0, 1), (1, 0)):
                table = np.zeros(1 << self.count, np.uint64)
                np.add.at(table, self.joints[other].sets, weights[other])
                yield reduced(table[everything ^ self.joints[mine].sets], modulus)
        else:
            tables = [
                inside(self.count, joint.sets, weight, modulus)
                for joint, weight in zip(self.joints, weights, strict=True)
            ]
            without_each(tables, modulus)
            for joint, product in zip(self.joints, tables, strict=True):
                yield around(self.count, joint.sets, product, modulus)


def _few(joints: list[Joint], count: int) -> list[Joint]:
    """Return the holders with those joined that have few hands together.

    A join is worth its while where it has much fewer sets than the arrays of a transform have
    entries: a quarter, if the sets are like random ones.
    """
    while len(joints) > 1:
        joints.sort(key=len)
        one, other, *rest = joints
        mine, theirs = (int(joint.sets[0]).bit_count() for joint in (one, other))
        pairs = len(one) * len(other)
        if 4 * pairs * comb(count - mine, theirs) > comb(count, theirs) << count:
            break
        joints = [one.joined(other), *rest]
    return joints


def _joined(rests: Sequence[Mapping[Key, int]], moduli: Sequence[int]) -> dict[Key, int]:
    """Return the numbers that have these remainders (Chinese remainders)."""
    numbers = dict(rests[0])
    period = moduli[0]
    for rest, modulus in zip(rests[1:], moduli[1:], strict=True):
        inverse = pow(period, -1, modulus)
        for key, number in numbers.items():
            numbers[key] = number + period * ((rest[key] - number) * inverse % modulus)
        period *= modulus
    return numbers


def inside(count: int, sets: Sets, weights: Words, modulus: int) -> Words:
    """Return for every set the sum over the sets inside it."""
    low = count // 2
    used, places = _halves(count, sets)
    table = np.zeros((1 << low, len(used)), weights.dtype)
    np.add.at(table.reshape(-1), places, weights)
    for bit in range(low):
        pairs = table.reshape(-1, 2, len(used) << bit)
        pairs[:, 1] += pairs[:, 0]
    full = np.zeros((1 << (count - low), 1 << low), weights.dtype)
    full[used] = table.T
    for pairs in _pairs(full, count - low):
        pairs[:, 1] += pairs[:, 0]
    return reduced(full.reshape(-1), modulus)


def around(count: int, sets: Sets, table: Words, modulus: int) -> Words:
    """Return for each set the sum over all sets around it, of which odd ones count negatively."""
    low = count // 2
    used, places = _halves(count, sets)
    full = signed(count, table, modulus).reshape(1 << (count - low), 1 << low)
    for pairs in _pairs(full, count - low):
        pairs[:, 0] += pairs[:, 1]
    part = np.ascontiguousarray(full[used].T)
    for bit in range(low):
        pairs = part.reshape(-1, 2, len(used) << bit)
        pairs[:, 0] += pairs[:, 1]
    return reduced(part.reshape(-1)[places], modulus)


def _halves(count: int, sets: Sets) -> tuple[Sets, Sets]:
    """Return the high halves that occur, and where each set is in a table of low halves by these.

    Small sets have few high halves, and the sums over low halves are only needed for them.
    """
    low = count // 2
    high = sets >> low
    occurs = np.zeros(1 << (count - low), np.bool_)
    occurs[high] = True
    used = np.flatnonzero(occurs)
    column = np.cumsum(occurs) - 1
    return used, (sets & (1 << low) - 1) * len(used) + column[high]


def _pairs(table: Words, bits: int) -> Iterator[Words]:
    """Yield the rows without and with each bit, for some columns at a time, which fit a cache."""
    for first in range(0, table.shape[1], COLUMNS):
        for bit in range(bits):
            rows = table.reshape(-1, 2, 1 << bit, table.shape[1])
            yield rows[..., first : first + COLUMNS]


def signed(count: int, table: Words, modulus: int) -> Words:
    """Return the numbers of all sets, with those outside which an odd number is negated."""
    return np.where(_is_odd(count), _negative(table, modulus), table)


@lru_cache(maxsize=4)
def _is_odd(count: int) -> NDArray[np.bool_]:
    """Return for every set whether an odd number is outside."""
    odd: NDArray[np.bool_] = (count - np.bitwise_count(np.arange(1 << count))) % 2 == 1
    return odd


def without_each(tables: Sequence[Words], modulus: int) -> Words:
    """Replace each table by the product of all the others, and return the product of all.

    Some entries at a time, which fit a cache. Cost: three products for each entry.
    """
    whole = np.empty_like(tables[0])
    for first in range(0, len(whole), ENTRIES):
        chunks = [table[first : first + ENTRIES] for table in tables]
        before = [np.ones_like(chunks[0])]
        for chunk in chunks:
            before.append(reduced(before[-1] * chunk, modulus))
        whole[first : first + ENTRIES] = before.pop()
        after = np.ones_like(chunks[0])
        for chunk in reversed(chunks):
            following = reduced(after * chunk, modulus)
            chunk[:] = reduced(before.pop() * after, modulus)
            after = following
    return whole


def _negative(numbers: Words, modulus: int) -> Words:
    negative: Words = np.uint64(0 if modulus == WORD else 2 * modulus) - numbers
    return negative
