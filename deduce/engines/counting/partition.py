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
with a bound of the error (`deduce.engines.counting.rounded`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import combinations
from math import comb, prod
from typing import Any, Self

import numpy as np
from attrs import frozen

from deduce.budget import Meter
from deduce.engines.counting.numbers import WORD, primes
from deduce.engines.counting.order import is_any
from deduce.engines.counting.residue import Component, Counter, Group
from deduce.engines.counting.rounded import rounded
from deduce.engines.counting.transforms import Sets, Words, around, inside, reduced, without_each
from deduce.engines.counting.values import Taker, Value, values_of

__all__ = ["Hands", "Joint", "Key", "Partition"]

MIN_BITS = 100
"""Up to this length of the greatest possible total, a few moduli are enough; above it, floats take
much less time than exact numbers."""

ROUNDED_PRICE = 64
"""Entries of all arrays that cost one step where the numbers are floats."""

PRICE = 16
"""Entries of all arrays, for one modulus, that cost one step of a `deduce.budget.Budget`."""

Answers = tuple[tuple[int, int], ...]
"""``(question, number of its counter)``, for each question."""

Key = tuple[Any, ...]
"""What a sum is of: ``total``; ``flow``, a group and an effect; ``number``, a likelihood and its
number; ``answer`` and the answers."""


@frozen(eq=False)
class Hands:
    """The sets of variables that one value may take, and what their weights are made of."""

    sets: Sets
    factors: tuple[tuple[Sets, Mapping[int, int]], ...]
    """For each table the number of each set, and the weight by number."""
    weighs: tuple[tuple[Sets, tuple[int, int]], ...]
    questions: tuple[tuple[Sets, int], ...]
    takers: tuple[Taker, ...]

    def __len__(self) -> int:
        return len(self.sets)

    @cached_property
    def most(self) -> int:
        """A bound of the sum of all weights."""
        return len(self.sets) * self.greatest

    @cached_property
    def greatest(self) -> int:
        """The product of the greatest weights of all tables."""
        return prod(max(table.values()) for _, table in self.factors)

    @cached_property
    def asked(self) -> tuple[list[Key], Words]:
        """What is asked for, and as a matrix how often each set counts for it."""
        keys: list[Key] = [("total",)]
        rows = [np.ones(len(self.sets), np.bool_)]
        for taker in self.takers:
            keys.append(("flow", taker.group, taker.effect))
            rows.append(np.bitwise_count(self.sets & taker.members))
        for numbers, (index, settled) in self.weighs:
            for number in range(int(numbers.max(initial=-1)) + 1):
                keys.append(("number", index, settled + number))
                rows.append(numbers == number)
        return keys, np.stack(rows).astype(np.uint64)

    def sums(self, weights: Words) -> dict[Key, int]:
        """Return what is asked for, if the sets have these weights."""
        keys, counts = self.asked
        return dict(zip(keys, (counts @ weights).tolist(), strict=True))

    def weights(self, modulus: int) -> Words:
        """Return the weight of each set."""
        result = np.ones(len(self.sets), np.uint64)
        for numbers, table in self.factors:
            by_number = np.zeros(max(table) + 1, np.uint64)
            for number, weight in table.items():
                by_number[number] = weight % modulus
            result = reduced(result * by_number[numbers], modulus)
        return result


@frozen(eq=False)
class Joint:
    """The hands of several holders together, each hand of one with those of the others that fit."""

    sets: Sets
    parts: tuple[tuple[Hands, Sets], ...]
    """For each holder its hands, and for each set of the joint ones which of them it has."""

    def __len__(self) -> int:
        return len(self.sets)

    @classmethod
    def of(cls, hands: Hands) -> Self:
        """Return the hands of one holder."""
        return cls(hands.sets, ((hands, np.arange(len(hands))),))

    def joined(self, other: Joint) -> Joint:
        """Return the hands of the holders of both."""
        mine, theirs = np.nonzero((self.sets[:, None] & other.sets[None, :]) == 0)
        return Joint(
            self.sets[mine] | other.sets[theirs],
            tuple((hands, which[mine]) for hands, which in self.parts)
            + tuple((hands, which[theirs]) for hands, which in other.parts),
        )

    @cached_property
    def answers(self) -> tuple[list[Answers], Sets] | None:
        """What the sets answer, and which of these answers each set gives."""
        asked = [
            (question, numbers[which])
            for hands, which in self.parts
            for numbers, question in hands.questions
        ]
        if not asked:
            return None
        table = np.stack([numbers for _, numbers in asked])
        answers, places = np.unique(table, axis=1, return_inverse=True)
        questions = [question for question, _ in asked]
        names = [tuple(zip(questions, of, strict=True)) for of in answers.T.tolist()]
        return names, places.reshape(-1)

    def sums(self, weights: Words, modulus: int) -> dict[Key, int]:
        """Return what is asked for of all holders, if the sets have these weights."""
        sums: dict[Key, int] = {}
        for hands, which in self.parts:
            shares = np.zeros(len(hands), np.uint64)
            np.add.at(shares, which, weights)
            sums |= hands.sums(reduced(shares, modulus))
        if self.answers is not None:
            names, places = self.answers
            shares = np.zeros(len(names), np.uint64)
            np.add.at(shares, places, weights)
            found = zip(names, shares.tolist(), strict=True)
            sums |= {("answer", name): share for name, share in found}
        return {key: number % modulus for key, number in sums.items()}

    def weights(self, modulus: int) -> Words:
        """Return the weight of each set."""
        (first, which), *others = self.parts
        result = first.weights(modulus)[which]
        for hands, which in others:
            result = reduced(result * hands.weights(modulus)[which], modulus)
        return result


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

        See `deduce.engines.counting.values.values_of`.
        """
        values = values_of(component)
        if values is None:
            return None
        count = sum(len(group.members) for group in component.groups)
        hands = [_hands(component, value, count) for value in values]
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
        moduli = _moduli(self.bound)
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


def _hands(component: Component, value: Value, count: int) -> Hands:
    sets = _subsets(count, value.size)
    sets = sets[sets & ~value.members == 0]
    for number in value.counters:
        counter = component.counters[number]
        if counter.is_bound:
            found = _found(sets, value, number, counter)
            high = 1 if is_any(counter) else counter.high
            sets = sets[(found >= min(counter.low, high)) & (found <= high)]
        elif counter.table is not None and not all(counter.table.values()):
            found = _found(sets, value, number, counter)
            weighty = [n for n, weight in counter.table.items() if weight]
            sets = sets[np.isin(found, weighty)]
    factors, weighs, questions = [], [], []
    for number in value.counters:
        counter = component.counters[number]
        found = _found(sets, value, number, counter)
        if counter.table is not None:
            factors.append((found, counter.table))
        if counter.weigh is not None:
            weighs.append((found, counter.weigh))
        if counter.question is not None:
            questions.append((found, counter.question))
    for taker in value.takers:
        weight = taker.group.effects[taker.effect].weight
        if weight != 1:
            taken = np.bitwise_count(sets & taker.members).astype(np.int64)
            table = {n: weight**n for n in range(int(taken.max(initial=0)) + 1)}
            factors.append((taken, table))
    return Hands(sets, tuple(factors), tuple(weighs), tuple(questions), value.takers)


def _found(sets: Sets, value: Value, number: int, counter: Counter) -> Sets:
    """Return the number of a counter for each set."""
    found = np.zeros(len(sets), np.int64)
    for mask, amount in value.masks(number):
        found += amount * np.bitwise_count(sets & mask).astype(np.int64)
    return np.minimum(found, 1) if is_any(counter) else found


@lru_cache(maxsize=64)
def _subsets(count: int, size: int) -> Sets:
    bits = [1 << i for i in range(count)]
    return np.array([sum(some) for some in combinations(bits, size)], np.int64)


def _moduli(bound: int) -> list[int]:
    """Return 2**64 and as many primes that numbers below the bound are determined."""
    count = 0
    while WORD * prod(primes(count)) <= bound:
        count += 1
    return [WORD, *primes(count)]


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
