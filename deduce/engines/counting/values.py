"""The components in which every constraint is about one value: what counting by sets needs.

Each value then takes a set of the variables, and `deduce.engines.counting.partition` counts these.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from deduce.engines.counting.residue import Component, Group

__all__ = ["MAX_MEMBERS", "Taker", "Value", "values_of"]

MAX_MEMBERS = 18
"""Arrays have an entry for each set of variables: 2 MB."""


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

    def root(number: int) -> int:
        while value_of[number] != number:
            value_of[number] = number = value_of[value_of[number]]
        return number

    effects = [effect for group in component.groups for effect in group.effects]
    if not all(effect.adds and effect.values.bit_count() == 1 for effect in effects):
        return None
    for effect in effects:
        for number, _ in effect.adds[1:]:
            value_of[root(number)] = root(effect.adds[0][0])
    values: dict[int, list[Taker]] = {}
    first = 0
    for group in component.groups:
        members = ((1 << len(group.members)) - 1) << first
        roots = [root(effect.adds[0][0]) for effect in group.effects]
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
