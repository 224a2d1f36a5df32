"""The plan of a sweep: the layout of the counters, and the steps in their order.

A state is one int. Every counter has a field in it with a *guard* bit above: a counter with an
upper bound is stored so that passing the bound sets the guard; a lower bound is tested by adding
what is missing and looking at the guard. "At least one" is a single bit that is or-ed in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

from attrs import frozen

from deduce.engines.counting.order import Cell, cells, is_any, touched
from deduce.engines.counting.residue import Component, Counter, Group

__all__ = ["Choice", "Close", "Field", "Plan", "Step"]

Choice = tuple[int, int, int, int, int]
"""``(add, either, weight, effect, taken)``: ``taken`` members take the values of the effect.

The state becomes ``(state | either) + add``, the weight is multiplied by the number of ways.
"""


@frozen(eq=False)
class Field:
    """Where a counter lives in the state: ``width`` bits from ``shift``, the guard bit above them.

    Zero is stored as ``bias``. A *bounded* counter has an upper bound that can be passed; at the
    bound all its bits are set.
    """

    shift: int
    width: int
    bias: int
    bounded: bool

    @property
    def mask(self) -> int:
        """The bits of the field, moved down to bit 0."""
        return (1 << self.width) - 1

    @property
    def guard(self) -> int:
        """The bit that is set when the upper bound is passed."""
        return 1 << (self.shift + self.width)


@frozen(eq=False)
class Step:
    """A choice that a group makes; which choices there are depends on its members still open.

    A group of one may choose among all its effects at once. Otherwise each effect in turn takes
    some of the members that are left, whose number has a field of its own in the state:
    ``choices[(state >> shift) & mask]``.
    """

    group: Group
    effect: int
    """The first effect that the step decides on; all later ones are still open."""
    shift: int
    mask: int
    choices: tuple[tuple[Choice, ...], ...]


@frozen(eq=False)
class Close:
    """The test of the counters that a step touched, and the end of those that are complete.

    A state lives if ``(state + lift) & test == test``; then its weight is multiplied from the
    ``tables`` ``(shift, mask, weight by number)``, and ``keep`` wipes what is closed.
    """

    lift: int
    test: int
    keep: int
    tables: tuple[tuple[int, int, dict[int, int]], ...]


class Plan:
    """Steps for one component, with ``start``, the first state, and ``guards``, all guard bits."""

    def __init__(self, component: Component) -> None:
        self.component = component
        self.start = self.guards = 0
        self._next = 0
        self.fields = [self._place(counter) for counter in component.counters]
        self._left = [0] * len(component.counters)
        """The most that groups still to come may add to the counter."""
        for group in component.groups:
            for number, most in touched(group).items():
                self._left[number] += len(group.members) * most
        self.steps = list(self._steps(cells(component)))

    @property
    def size(self) -> int:
        """The number of bits of a state."""
        return self._next

    def answer_field(self, question: int) -> tuple[int, int] | None:
        """Return shift and mask of the question's counter, if it lives in this component."""
        for field, counter in zip(self.fields, self.component.counters, strict=True):
            if counter.question == question:
                return field.shift, field.mask
        return None

    def _place(self, counter: Counter) -> Field:
        width = 1 if is_any(counter) else counter.high.bit_length()
        bounded = counter.table is None and counter.question is None and counter.high < counter.most
        bias = (1 << width) - 1 - counter.high if bounded else 0
        field = Field(self._next, width, bias, bounded)
        self._next += width + 1
        self.guards |= field.guard
        self.start |= bias << field.shift
        return field

    def _steps(self, cells: Sequence[Cell]) -> Iterator[Step | Close]:
        shifts: dict[Group, int] = {}
        for group, effect in cells:
            most = touched(group)
            if effect is None:
                done = list(most)
                choices = tuple(self._choice(group, e, 1) for e in range(len(group.effects)))
                yield Step(group, 0, 0, 0, (choices,))
            else:
                if group not in shifts:
                    shifts[group] = self._next
                    self._next += len(group.members).bit_length()
                yield self._many(group, effect, shifts[group])
                later = {n for e in group.effects[effect + 1 :] for n, _ in e.adds}
                done = [n for n, _ in group.effects[effect].adds if n not in later]
            for number in done:
                self._left[number] -= len(group.members) * most[number]
            yield from self._close(done)

    def _many(self, group: Group, e: int, shift: int) -> Step:
        size = len(group.members)
        last = len(group.effects) - 1
        table = []
        for left in range(size + 1):
            # The field of open members is empty until the group's first step has filled it.
            members = size if e == 0 else left
            choices = []
            for taken in [members] if e == last else range(members + 1):
                if not self._fits(group, e, taken):
                    continue
                add, either, weight, _, _ = self._choice(group, e, taken)
                rest = members - taken
                add += (rest if e == 0 else -taken) << shift
                choices.append((add, either, weight * comb(members, taken), e, taken))
            table.append(tuple(choices))
            if e == 0:
                break
        return Step(group, e, shift, 0 if e == 0 else (1 << size.bit_length()) - 1, tuple(table))

    def _fits(self, group: Group, e: int, taken: int) -> bool:
        """Return whether no counter could pass its bound by so much that the guard is skipped."""
        counters = self.component.counters
        return all(amount * taken <= counters[n].high for n, amount in group.effects[e].adds)

    def _choice(self, group: Group, e: int, taken: int) -> Choice:
        effect = group.effects[e]
        add = either = 0
        for number, amount in effect.adds if taken else ():
            shift = self.fields[number].shift
            if is_any(self.component.counters[number]):
                either |= 1 << shift
            else:
                add += amount * taken << shift
        return add, either, (effect.values.bit_count() * effect.weight) ** taken, e, taken

    def _close(self, numbers: Sequence[int]) -> Iterator[Close]:
        lift = test = wipe = 0
        tables = []
        for number in numbers:
            counter = self.component.counters[number]
            field = self.fields[number]
            missing = counter.low - self._left[number]
            if missing > 0:
                lift |= ((1 << field.width) - missing - field.bias) << field.shift
                test |= field.guard
            if self._left[number] == 0 and counter.question is None:
                wipe |= field.mask << field.shift
                if counter.table is not None:
                    tables.append((field.shift, field.mask, dict(counter.table)))
        if test or wipe:
            yield Close(lift, test, ~wipe, tuple(tables))
