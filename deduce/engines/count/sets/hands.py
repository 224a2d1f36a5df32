"""The hands of each value, where every constraint of a component is about one value.

Each value then takes a set of the variables: `deduce.engines.count.sets.partition` counts these
sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from math import prod
from typing import Any, Self, TypeAlias

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from deduce.engines.core.masks import root
from deduce.engines.core.residue import Component, Counter, Group
from deduce.engines.count.sweep.numbers import Words, reduced
from deduce.engines.count.sweep.order import is_any

__all__ = [
    "MAX_MEMBERS",
    "Answers",
    "Hands",
    "Joint",
    "Key",
    "Taker",
    "Value",
    "hands_of",
    "values_of",
]

MAX_MEMBERS = 21
"""Arrays have an entry for each set of variables: 16 MB for the cards of Cluedo."""

Sets = NDArray[np.int64]

Answers = tuple[tuple[int, int], ...]
"""``(question, number of its counter)``, for each question."""

Numbers: TypeAlias = NDArray[Any]
"""Floats, or whole numbers modulo a prime."""
Key: TypeAlias = tuple[Any, ...]
"""What a sum is of: ``total``; ``flow``, a group and an effect; ``number``, a likelihood and its
number; ``answer`` and the answers."""
Sums: TypeAlias = dict[Key, Any]


@frozen(eq=False)
class Taker:
    """The members of a group that may take a value: the effect, and their bits."""

    group: Group
    effect: int
    members: int


@frozen(eq=False)
class Value:
    """A value that a fixed number of variables take, and the counters that are about it."""

    takers: tuple[Taker, ...]
    size: int
    counters: tuple[int, ...]

    @property
    def members(self) -> int:
        """The variables that may take it, as bits."""
        return _union(self.takers)

    def masks(self, counter: int) -> list[tuple[int, int]]:
        """Return the sets of variables that add an amount to a counter, with the amount."""
        return _masks(self.takers, counter)


def values_of(component: Component) -> Sequence[Value] | None:
    """Return the values of a component, if every counter is about one value.

    ``None``: one is not, or a value does not take a fixed number of variables, or there are more
    than `MAX_MEMBERS` variables. Cost: linear.
    """
    count = sum(len(group.members) for group in component.groups)
    takers = _takers(component) if count <= MAX_MEMBERS else None
    if takers is None:
        return None
    values = []
    for of in takers:
        counters = tuple(dict.fromkeys(n for t in of for n, _ in t.group.effects[t.effect].adds))
        size = _size(component, of, counters)
        if size is None:
            return None
        values.append(Value(of, size, counters))
    return values if sum(value.size for value in values) == count else None


def _takers(component: Component) -> list[tuple[Taker, ...]] | None:
    """Return for each value who may take it, if every counter is about one value."""
    value_of = list(range(len(component.counters)))
    effects = [effect for group in component.groups for effect in group.effects]
    if not all(effect.adds and effect.values.bit_count() == 1 for effect in effects):
        return None
    for effect in effects:
        for number, _ in effect.adds[1:]:
            value_of[root(value_of, number)] = root(value_of, effect.adds[0][0])
    values: dict[int, list[Taker]] = {}
    first = 0
    for group in component.groups:
        members = ((1 << len(group.members)) - 1) << first
        roots = [root(value_of, effect.adds[0][0]) for effect in group.effects]
        if len(set(roots)) < len(roots):
            return None
        for index, value in enumerate(roots):
            values.setdefault(value, []).append(Taker(group, index, members))
        first += len(group.members)
    return [tuple(of) for of in values.values()]


def _union(takers: Sequence[Taker]) -> int:
    return sum(taker.members for taker in takers)


def _masks(takers: Sequence[Taker], counter: int) -> list[tuple[int, int]]:
    masks: dict[int, int] = {}
    for taker in takers:
        for number, amount in taker.group.effects[taker.effect].adds:
            if number == counter and amount:
                masks[amount] = masks.get(amount, 0) | taker.members
    return [(mask, amount) for amount, mask in masks.items()]


def _size(component: Component, takers: Sequence[Taker], counters: Sequence[int]) -> int | None:
    """Return how many variables take a value, if counters say so."""
    exact = []
    for number in counters:
        counter = component.counters[number]
        masks = _masks(takers, number)
        if counter.is_bound and counter.low == counter.high and [a for _, a in masks] == [1]:
            exact.append((masks[0][0], counter.low))
    covered = size = 0
    for mask, low in sorted(exact, key=lambda pair: -pair[0].bit_count()):
        if not mask & covered:
            covered |= mask
            size += low
    return size if covered == _union(takers) else None


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

    def sums(self, weights: Numbers) -> Sums:
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

    def sums(self, weights: Numbers, modulus: int | None = None) -> Sums:
        """Return what is asked for of all holders, if the sets have these weights.

        They are floats; or whole numbers, and so is the result, modulo another.
        """
        sums: Sums = {}
        for hands, which in self.parts:
            shares = np.zeros(len(hands), weights.dtype)
            np.add.at(shares, which, weights)
            sums |= hands.sums(shares if modulus is None else shares % modulus)
        if self.answers is not None:
            names, places = self.answers
            shares = np.zeros(len(names), weights.dtype)
            np.add.at(shares, places, weights)
            found = zip(names, shares.tolist(), strict=True)
            sums |= {("answer", name): share for name, share in found}
        return sums if modulus is None else {key: n % modulus for key, n in sums.items()}

    def weights(self, modulus: int) -> Words:
        """Return the weight of each set."""
        (first, which), *others = self.parts
        result = first.weights(modulus)[which]
        for hands, which in others:
            result = reduced(result * hands.weights(modulus)[which], modulus)
        return result


def hands_of(component: Component, value: Value, count: int) -> Hands:
    """Return the sets that a value may take of ``count`` variables, with what they weigh."""
    sets = _subsets(count, value.size)
    sets = sets[sets & ~value.members == 0]
    for number in value.counters:
        counter = component.counters[number]
        if counter.is_bound:
            found = _found(sets, value, number, counter)
            high = 1 if is_any(counter) else counter.high
            sets = sets[(found >= min(counter.low, high)) & (found <= high)]
        elif counter.table is not None:
            found = _found(sets, value, number, counter)
            weights = [counter.table.get(n, 0) for n in range(int(found.max(initial=0)) + 1)]
            if not all(weights):
                sets = sets[np.array(weights, np.bool_)[found]]
    factors, questions = [], []
    weighs: list[tuple[Sets, tuple[int, int]]] = []
    for number in value.counters:
        counter = component.counters[number]
        found = _found(sets, value, number, counter)
        if counter.table is not None:
            factors.append((found, counter.table))
        weighs += [(found, weigh) for weigh in counter.weighs]
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
