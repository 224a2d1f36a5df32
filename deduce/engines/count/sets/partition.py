"""Counting by sets: each value takes a set of the variables, and every constraint is about one set.

In a card game with doubts a sweep has many counters open, since nothing is excluded: each answer
about a hand is one. But the weight of a world is then a product with one factor for each hand, and
the number of sets of cards is bounded however many answers there are. With ``f_h(H)`` the weight of
the hand ``H`` of the holder ``h``, and hands of fixed sizes that add up to all cards, a choice of
hands that covers all cards is a deal. Sums over all choices of signs for the cards count the deals
(`deduce.engines.count.sets.rounded.Signs`). Holders of few hands are joined first, pair by pair of
hands; two that are left need no transform.

Numbers are exact: modulo primes, as many as the greatest possible total needs. Where that is
allowed and the greatest possible total is large, floats take the place of all moduli, with a bound
of the error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, reduce
from math import comb, prod
from typing import Self

import numpy as np

from deduce.budget import Meter
from deduce.engines.core.residue import Component, Group
from deduce.engines.count.sets.hands import Answers, Hands, Joint, Key, hands_of, values_of
from deduce.engines.count.sets.rounded import rests_of, rounded
from deduce.engines.count.sweep.numbers import primes

__all__ = ["Partition"]

MIN_BITS = 100
"""Up to this length of the greatest possible total, a few moduli are enough; above it, floats take
much less time than exact numbers."""

ROUNDED_PRICE = 64
"""Entries of all arrays that cost one step where the numbers are floats."""

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
        while prod(primes(count)) <= self.bound:
            count += 1
        moduli = primes(count)
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
        weights = [joint.weights(modulus) % modulus for joint in self.joints]
        rests, _ = rests_of([joint.sets for joint in self.joints], weights, self.count, modulus)
        sums: dict[Key, int] = {}
        for joint, weight, rest in zip(self.joints, weights, rests, strict=True):
            product = weight * (rest % modulus).astype(np.uint64)
            sums |= joint.sums(product % modulus, modulus)
        return sums


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
