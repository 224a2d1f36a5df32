"""States with the same future, made one: counters that are settled, and values that are alike.

A counter that is within its bounds whatever is still added to it no longer matters. And two values
are *alike* from some step on when exchanging them in all groups that are still to come changes
nothing, except that the counters of one (its hand, and what else counts it alone) change places
with those of the other. Then it does not matter which of the two has which numbers, so the numbers
are sorted: the recipients in a derangement whose own turn is over, or identical hands.

Sorting forgets which value has which number. Counts, joint distributions and samples do not need
it; the marginals of a value do, and are computed with the value kept *apart*.

A draw must know which value has which number. It continues from the state that is settled, but not
sorted, and finds the weight of what follows at the sorted one. A state that is not even settled may
lead to states that no settled one leads to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from attrs import frozen

from deduce.engines.core.masks import bits_of
from deduce.engines.core.residue import Effect, Group
from deduce.engines.count.sweep.plan import Plan, Step

__all__ = ["UNFOLDED", "Alike", "Fold", "Folds"]

VALUES_PER_STEP = 16
"""Looking at this number of values takes as long as a step."""

Settled = tuple[int, int, int, int]
"""``(shift, mask, first, span)``: a number from ``first`` to ``first + span`` becomes ``first``."""

Remaining = Mapping[Group, tuple[int, int]]
"""The groups that are still to come, with their place in a row of effects, and the first of their
effects that can still be chosen."""


@frozen
class Alike:
    """Values whose counters can change places: for each value the shifts of its fields.

    The fields are in the same order for each value, with these ``masks``.
    """

    values: tuple[int, ...]
    shifts: tuple[tuple[int, ...], ...]
    masks: tuple[int, ...]

    @property
    def wipe(self) -> int:
        """All bits of these fields."""
        return sum(
            mask << shift
            for shifts in self.shifts
            for shift, mask in zip(shifts, self.masks, strict=True)
        )


@frozen
class Fold:
    """What is done to each state after a step."""

    settled: tuple[Settled, ...]
    alike: tuple[Alike, ...]

    @property
    def price(self) -> int:
        """Steps of a budget that it costs for one state."""
        places = sum(len(alike.values) * (2 + len(alike.masks)) for alike in self.alike)
        return (len(self.settled) + 1) // 2 + 2 * places

    def __call__(self, state: int) -> int:
        """Return the state that represents all those with the same future."""
        return self.represented(self.settle(state))

    def settle(self, state: int) -> int:
        """Return the state from which a draw continues."""
        for shift, mask, first, span in self.settled:
            beyond = (state >> shift & mask) - first
            if 0 < beyond <= span:
                state -= beyond << shift
        return state

    def represented(self, state: int) -> int:
        """Return the state that represents all those with the same future as a settled one."""
        for alike in self.alike:
            keys = sorted(
                [state >> shift & mask for shift, mask in zip(shifts, alike.masks, strict=True)]
                for shifts in alike.shifts
            )
            state &= ~alike.wipe
            for shifts, key in zip(alike.shifts, keys, strict=True):
                for shift, number in zip(shifts, key, strict=True):
                    state |= number << shift
        return state


UNFOLDED = Fold((), ())
"""Leaves each state as it is."""


class Folds:
    """The folds of a plan.

    Parameters
    ----------
    plan
        The plan.

    Attributes
    ----------
    first_alike : Mapping[int, int]
        For each value that becomes like another one (as a bit), the first step after that.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._settled = [self._settled_before(i) for i in range(len(plan.steps))]
        self._alike: list[tuple[Alike, ...]] = [() for _ in plan.steps]
        self.first_alike: dict[int, int] = {}
        likeness = _Likeness(plan)
        later: dict[int, int] = {}
        open_: Set[int] = frozenset()
        for index in reversed(range(len(plan.steps))):
            if not isinstance(plan.steps[index], Step):
                continue
            plan.meter.check()
            classes = list(_stable(likeness.before(index), later, open_))
            later = {value: number for number, rows in enumerate(classes) for value in rows}
            open_ = plan.open[index]
            self._alike[index] = tuple(map(self._placed, classes))
            self.first_alike.update(dict.fromkeys(later, index))

    def _placed(self, rows: _Rows) -> Alike:
        fields = self.plan.fields
        return Alike(
            tuple(rows),
            tuple(tuple(fields[n].shift for n in row) for row in rows.values()),
            tuple(fields[n].mask for n in next(iter(rows.values()))),
        )

    def before(self, index: int, apart: Set[int] | None = frozenset()) -> Fold | None:
        """Return the fold of the states before a step; ``None``: they are left as they are.

        Values that are kept ``apart`` are not sorted with others; ``None``: all values.
        """
        if index >= len(self._settled):
            return None
        settled, alike = self._settled[index], []
        for one in self._alike[index]:
            kept = [
                i for i, value in enumerate(one.values) if apart is not None and value not in apart
            ]
            if len(kept) > 1:
                values = tuple(one.values[i] for i in kept)
                alike.append(Alike(values, tuple(one.shifts[i] for i in kept), one.masks))
        return Fold(settled, tuple(alike)) if settled or alike else None

    def _settled_before(self, index: int) -> tuple[Settled, ...]:
        plan = self.plan
        settled = []
        for number in sorted(plan.open[index]):
            counter, field = plan.component.counters[number], plan.fields[number]
            last = counter.high - plan.left[index][number]
            if counter.is_bound and counter.high >= counter.most:
                last = field.mask
            if counter.is_bound and last > counter.low and field.width > 1:
                settled.append(
                    (field.shift, field.mask, counter.low + field.bias, last - counter.low)
                )
        return tuple(settled)


_Rows = dict[int, tuple[int, ...]]
"""For each value of a class its open counters, in the same order for each value."""


def _stable(classes: Sequence[_Rows], later: Mapping[int, int], open_: Set[int]) -> Iterator[_Rows]:
    """Yield the parts of classes that stay alike until their counters are closed.

    Values are alike for a while only, when a sweep goes effect by effect through groups. Sorting
    them then would lead to states that others, of which they are images, do not lead to.
    """
    for rows in classes:
        parts: dict[int | None, _Rows] = {}
        for number, (value, row) in enumerate(rows.items()):
            lasts = any(n in open_ for n in row)
            parts.setdefault(later.get(value, ~number) if lasts else None, {})[value] = row
        yield from (part for part in parts.values() if len(part) > 1)


class _Likeness:
    """Finds the values that are alike before a step."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        union = 0
        for group in plan.component.groups:
            for effect in group.effects:
                union |= effect.values
        self.values = list(bits_of(union))
        self.specs = [
            (c.low, c.high, c.most, None if c.table is None else id(c.table), c.question)
            for c in plan.component.counters
        ]
        self.effect_of = {
            group: {
                value: number
                for number, effect in enumerate(group.effects)
                for value in bits_of(effect.values)
            }
            for group in plan.component.groups
        }
        self.adding: dict[int, list[tuple[Group, int, Effect]]] = {}
        """For each counter the effects that add to it, with their group and number in it."""
        for group in plan.component.groups:
            for number, effect in enumerate(group.effects):
                for counter, _ in effect.adds:
                    self.adding.setdefault(counter, []).append((group, number, effect))

    def before(self, index: int) -> list[_Rows]:
        """Return the classes of values that are alike before a step."""
        plan = self.plan
        remaining: dict[Group, tuple[int, int]] = {}
        effects: dict[int, list[Effect | None]] = {value: [] for value in self.values}
        for step in plan.steps[index:]:
            if isinstance(step, Step) and step.group not in remaining:
                group = step.group
                remaining[group] = (len(remaining), step.effect)
                effect_of = self.effect_of[group]
                plan.meter.spend(len(effects) // VALUES_PER_STEP)
                for value, row in effects.items():
                    number = effect_of.get(value, -1)
                    row.append(group.effects[number] if number >= step.effect else None)
        similar: dict[object, list[int]] = {}
        for value, row in effects.items():
            signature = tuple(None if e is None else (_ways(e), len(e.adds)) for e in row)
            similar.setdefault(signature, []).append(value)
        result: list[_Rows] = []
        for values in similar.values():
            while len(values) > 1:
                first, *others = values
                values = []
                rows: _Rows = {}
                plan.meter.spend(len(others) * (4 + len(remaining)))
                for other in others:
                    exchange = self._exchange(remaining, effects[first], effects[other])
                    mine, theirs = self._open_counters_of_both(exchange or {}, index)
                    taken = {n for row in rows.values() for n in row}
                    if mine and rows.setdefault(first, mine) == mine and not taken & {*theirs}:
                        rows[other] = theirs
                    else:
                        values.append(other)
                if len(rows) > 1:
                    result.append(rows)
        return result

    def _open_counters_of_both(
        self, exchange: Mapping[int, int], index: int
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the open counters of the first value and of the second, in the same order."""
        open_ = self.plan.open[index]
        mine = tuple(n for n, m in exchange.items() if n != m and n in open_)
        if any((n in open_) != (m in open_) for n, m in exchange.items()):
            return (), ()
        return mine, tuple(exchange[n] for n in mine)

    def _exchange(
        self,
        remaining: Remaining,
        mine: Sequence[Effect | None],
        theirs: Sequence[Effect | None],
    ) -> dict[int, int] | None:
        """Return the counters of one value, each with that of the other; ``None``: not alike."""
        pairs: dict[int, int] = {}
        fixed: set[int] = set()
        for e, f in zip(mine, theirs, strict=True):
            if e is f:
                continue
            if e is None or f is None or _ways(e) != _ways(f):
                return None
            common = set(e.adds) & set(f.adds)
            fixed.update(n for n, _ in common)
            rest = {(pairs[n], a) if n in pairs else (n, a) for n, a in set(e.adds) - common}
            target = set(f.adds) - common
            matched = {add for add in rest if add in target and add[0] in pairs.values()}
            left, right = rest - matched, target - matched
            if len(left) != len(right):
                return None
            by_spec = {(self.specs[n], a): n for n, a in right}
            specs = {(self.specs[n], a) for n, a in left}
            if len(by_spec) != len(right) or len(specs) != len(left):
                return None
            for n, a in sorted(left):
                m = by_spec.get((self.specs[n], a))
                if m is None or n in pairs or m in pairs.values():
                    return None
                pairs[n] = m
        both = set(pairs) | set(pairs.values())
        if both & fixed or len(both) != 2 * len(pairs):
            return None
        for counter in both:
            for group, number, effect in self.adding.get(counter, ()):
                place, first = remaining.get(group, (0, len(group.effects)))
                if number >= first and (effect is mine[place]) == (effect is theirs[place]):
                    return None
        return pairs


def _ways(effect: Effect) -> int:
    return effect.values.bit_count() * effect.weight
