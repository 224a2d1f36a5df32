"""The order of a sweep: which choice is made when, so that few counters are open at a time.

The choices of a component are the cells of a table: a group of alike variables, and an effect that
some of its members take. A group of one is swept as a whole. Larger groups can be swept one after
the other (then the counters of all holders are open), or effect after effect through the larger
groups or through all of them (then the numbers of members left are open instead): at the opening of
a card game, with few groups and many holders, that keeps far fewer states; so it does for a few
single cards of very many kinds. All are estimated, and the cheapest is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import chain
from math import comb, log2, prod

from deduce.budget import Meter
from deduce.engines.core.masks import bits_of
from deduce.engines.core.residue import Component, Counter, Group, hands_of, ranks

__all__ = ["Cell", "cells", "is_any", "remembering", "states_of"]

MAX_BITS = 900
"""Bits of state beyond any sweep; more would not fit the floats of the estimate."""

FEW = 2.0**10
"""From this estimate on, another order is tried where there are tables."""

MIN_TABLES = 3
"""A group about fewer tables is never remembered in place of its digits in them."""

MAX_STARTS = 12
"""Groups that are tried as the first one after those."""

MAX_REMEMBERED = 64
"""What is remembered in place of digits has at most this number of combinations."""

EXPENSIVE = 2.0**16
"""From this estimate on, a bound of the states is computed too."""


FOLDED = 2.0**24
"""From this estimate on, orders of a card game are compared by `_Estimate.added_up`."""

OVER_ALL = 0.25
"""What going through all groups effect by effect takes of that: hardly any values become alike, so
that marginals need no second sweep which keeps them apart. Measured on four logs of ten players."""

POINTS = 40
"""Cells of an order at which it counts states."""

Cell = tuple[Group, int | None]
"""A group and one of its effects, in order; ``None``: all effects of a group of one."""


def cells(component: Component, meter: Meter) -> list[Cell]:
    """Return the cells of a component in the order of the sweep.

    Raises `Undecided` when the meter's budget is used up. Cost: n log n for n counters that groups
    may add to.
    """
    order = _greedy(component, meter)
    rows = _rows(order)
    if any(counter.is_code for counter in component.counters):
        estimate = _Estimate(component, meter)
        if estimate.of(rows) >= FEW:
            as_listed = sorted(component.groups, key=lambda group: group.members[0])
            orders = (order, _by_frontier(component, meter), as_listed)
            rows, order = min(((_rows(o), o) for o in orders), key=lambda o: estimate.of(o[0]))
    larger = [group for group in order if len(group.members) > 1]
    if len(larger) < 2 and all(len(group.effects) <= len(order) for group in order):
        return rows
    column = _columns(component)
    alone: list[Cell] = [(group, None) for group in order if len(group.members) == 1]
    columns = sorted((cell for group in larger for cell in _row(group)), key=column)
    whole = [group for group in order if any(component.counters[n].is_code for n in group.touched)]
    others = (cell for group in order if group not in whole for cell in _row(group))
    all_columns = [*((group, None) for group in whole), *sorted(others, key=column)]
    plans = (rows, alone + columns, all_columns) if len(larger) > 1 else (rows, all_columns)
    estimate = _Estimate(component, meter)
    costs = [estimate.of(plan) for plan in plans]
    hands = hands_of(component) if min(costs) >= FOLDED else ()
    if hands:
        costs = [estimate.added_up(plan, hands) for plan in plans]
        costs[-1] *= OVER_ALL
    best = plans[costs.index(min(costs))]
    # A sweep visits the effects of a group in their order: the residue has them in that of columns.
    steps: dict[int, int] = {}
    for group, effect in best:
        assert effect is None or effect == steps.get(id(group), 0), "effects in another order"
        steps[id(group)] = (effect or 0) + 1
    return best


def remembering(component: Component, meter: Meter) -> Iterator[tuple[list[Cell], list[Group]]]:
    """Yield orders that begin with the groups of one about the most tables, and these groups.

    They are few: none has a digit in less than half as many tables as the first. The orders differ
    in the group that follows; from the second on, those with the smallest estimate come first.
    """
    number_of = {
        group: sum(component.counters[number].is_code for number in group.touched)
        for group in component.groups
        if len(group.members) == 1
    }
    often = sorted(number_of, key=lambda group: -number_of[group])
    first: list[Group] = []
    for group in often:
        least = max(MIN_TABLES, number_of[often[0]] // 2)
        values = prod(len(other.effects) for other in (*first, group))
        if number_of[group] < least or values > MAX_REMEMBERED:
            break
        first.append(group)
    if not first:
        return
    others = [group for group in component.groups if group not in first]
    starts = [[], *([start] for start in others[:: 1 + len(others) // MAX_STARTS])]
    orders = [_rows(_by_frontier(component, meter, [*first, *start])) for start in starts]
    yield from ((order, first) for order in sorted(orders, key=_Estimate(component, meter).of))


def is_any(counter: Counter) -> bool:
    """Return whether the counter only distinguishes 0 from more, as an "at least one" does."""
    return counter.saturates or (
        counter.low == 1 and counter.high >= counter.most and counter.is_bound
    )


def _rows(order: Sequence[Group]) -> list[Cell]:
    """Return the cells of whole groups, one group after the other."""
    rows: list[Cell] = []
    for group in order:
        rows += [(group, None)] if len(group.members) == 1 else _row(group)
    return rows


def _row(group: Group) -> list[Cell]:
    return [(group, effect) for effect in range(len(group.effects))]


def _columns(component: Component) -> Callable[[Cell], int]:
    """Return by what columns are sorted: the same holder for all groups, small hands first."""
    rank = ranks(component)

    def column(cell: Cell) -> int:
        group, effect = cell
        return min(map(rank.__getitem__, bits_of(group.effects[effect or 0].values)))

    return column


def _greedy(component: Component, meter: Meter) -> list[Group]:
    """Return the groups so that as little as possible is opened, and closed as early as possible.

    The score of a group is the bits of the counters it opens minus the bits of those it closes. It
    only becomes less, when another group opens a counter or leaves it to this one.
    """
    bits = [
        1 if c.saturates else min(c.high, c.most).bit_length() + (c.question is not None)
        for c in component.counters
    ]
    groups = component.groups
    touching: list[list[int]] = [[] for _ in component.counters]
    for index, group in enumerate(groups):
        for number in group.touched:
            touching[number].append(index)
    meter.spend(4 * sum(map(len, touching)))
    waiting = [set(indexes) for indexes in touching]
    scores = [0] * len(groups)
    for number, indexes in enumerate(touching):
        closes = len(indexes) == 1 and component.counters[number].question is None
        for index in indexes:
            scores[index] += 0 if closes else bits[number]
    sizes = [len(group.effects) * len(group.members) for group in groups]
    heap = [(scores[index], sizes[index], index) for index in range(len(groups))]
    heapify(heap)
    opened: set[int] = set()
    placed: set[int] = set()
    order = []
    while heap:
        score, _, best = heappop(heap)
        if best in placed or score != scores[best]:
            continue
        placed.add(best)
        order.append(groups[best])
        for number in groups[best].touched:
            left = waiting[number]
            left.discard(best)
            less = 0 if number in opened else bits[number]
            opened.add(number)
            if len(left) == 1 and component.counters[number].question is None:
                less += bits[number]
            if less:
                for index in left:
                    scores[index] -= less
                    heappush(heap, (scores[index], sizes[index], index))
    return order


def _by_frontier(component: Component, meter: Meter, first: Sequence[Group] = ()) -> list[Group]:
    """Return the groups so that few of them are about tables that are open.

    The next group is one of an open counter: the one after which there are the fewest combinations
    of what these groups may take and of the numbers of open counters; of several, the one that has
    waited longest. Some groups may be given that are the first.
    """
    groups, counters = component.groups, component.counters
    numbers_of = [list(group.touched) for group in groups]
    bits = [
        0.0 if c.is_code else 1.0 if is_any(c) else log2(1 + min(c.high, c.most)) for c in counters
    ]
    own = [_bits_of_codes(component, group) for group in groups]
    about: list[list[int]] = [[] for _ in counters]
    for index, numbers in enumerate(numbers_of):
        for number in numbers:
            about[number].append(index)
    waiting = [dict.fromkeys(indexes) for indexes in about]
    codes = [sum(counters[n].is_code for n in numbers) for numbers in numbers_of]
    """For each group its tables that are not closed."""
    placed: set[int] = set()
    near: dict[int, None] = {}
    known: dict[int, float] = {}

    def change(index: int) -> float:
        """Return how many more bits there are after a group."""
        more, stays = 0.0, False
        closing: dict[int, int] = {}
        for number in numbers_of[index]:
            is_last = len(waiting[number]) == 1
            if not counters[number].is_code:
                opens = len(waiting[number]) == len(about[number])
                more += bits[number] * (opens - is_last)
            elif is_last:
                for other in about[number]:
                    closing[other] = closing.get(other, 0) + 1
            else:
                stays = True
        more += own[index] * stays
        closed = (other for other, number in closing.items() if codes[other] == number)
        return more - sum(own[other] for other in closed if other in placed)

    order: list[Group] = []
    while len(order) < len(groups):
        candidates = near or dict.fromkeys(i for i in range(len(groups)) if i not in placed)
        for index in candidates:
            if index not in known:
                meter.spend(1 + 3 * len(numbers_of[index]))
                known[index] = change(index)
        meter.spend(1 + len(candidates) // 4)
        best = min(candidates, key=known.__getitem__)
        if len(order) < len(first):
            best = groups.index(first[len(order)])
        placed.add(best)
        order.append(groups[best])
        near.pop(best, None)
        for number in numbers_of[best]:
            del waiting[number][best]
            near |= waiting[number]
            changed = set(waiting[number])
            if not changed and counters[number].is_code:
                for other in about[number]:
                    codes[other] -= 1
                changed = {
                    i for other in about[number] for n in numbers_of[other] for i in waiting[n]
                }
            for index in changed:
                known.pop(index, None)
    return order


def _bits_of_codes(component: Component, group: Group) -> float:
    """Return the bits of what a group adds to the codes of tables."""
    counters = component.counters
    adds = {tuple(add for add in e.adds if counters[add[0]].is_code) for e in group.effects}
    return len(group.members) * log2(len(adds))


class _Estimate:
    """A rough number of states, summed over a sweep: open counters are independent.

    Tables are not: what they have in a state follows from what the groups about them have taken. It
    is linear in what the cells may add to; a step pays for one counter of one cell.
    """

    def __init__(self, component: Component, meter: Meter) -> None:
        self._meter = meter
        self._adds: dict[Cell, list[tuple[int, int]]] = {}
        self._component = component
        counters = component.counters
        self._most = [
            int(c.question is None) if is_any(c) else c.high  # the hands tell what is answered
            for c in counters
        ]
        self._low = [counter.low for counter in counters]
        self._closed = [
            0.0 if counter.question is None else log2(1 + most)
            for counter, most in zip(counters, self._most, strict=True)
        ]
        self._any = [is_any(counter) for counter in counters]
        self._codes = {
            group: (numbers, _bits_of_codes(component, group))
            for group in component.groups
            if (numbers := [n for n in group.touched if counters[n].is_code])
        }

    def of(self, order: Sequence[Cell]) -> float:
        """Return the number for a sweep in an order."""
        coming = [0] * len(self._closed)
        reach = [self._adds.get(cell) or self._reach(cell) for cell in order]
        self._meter.spend(len(order) + 2 * sum(map(len, reach)))
        for adds in reach:
            for number, amount in adds:
                coming[number] += amount
        so_far = [0] * len(coming)
        bits = [0.0] * len(coming)
        changes = self._changes(order)
        open_ = total = 0.0
        for (group, effect), adds, change in zip(order, reach, changes, strict=True):
            open_ += change
            if effect is not None:
                last = len(group.effects) - 1
                open_ += log2(len(group.members) + 1) * ((effect == 0) - (effect == last))
            for number, amount in adds:
                so_far[number] = reached = so_far[number] + amount
                coming[number] = later = coming[number] - amount
                now = self._closed[number]
                if later:
                    most = self._most[number]
                    if reached < most and not self._any[number]:
                        most = reached
                    needed = self._low[number] - later
                    now = log2(1 + max(0, most - needed if needed > 0 else most))
                open_ += now - bits[number]
                bits[number] = now
            total += 2.0 ** min(open_, MAX_BITS)
        return total

    def added_up(self, order: Sequence[Cell], hands: Sequence[int]) -> float:
        """Return the choices of all states, where each member adds one to one of the ``hands``.

        These counters and the numbers of members left are not independent then: they add up. And of
        hands that are alike for all that is still to come, it matters only which numbers there are
        (`deduce.engines.count.sweep.folds`).
        """
        number_of = {group: place for place, group in enumerate(self._component.groups)}
        later = dict.fromkeys(hands, 0)
        after = []
        for group, effect in reversed(order):
            after.append(later.copy())
            for e in group.effects if effect is None else (group.effects[effect],):
                for number in later.keys() & {number for number, _ in e.adds}:
                    alone = len(e.adds) > 1  # what else is added makes it unlike all others
                    later[number] |= 1 << number_of[group] | alone << len(number_of) + number
        reach = [self._adds.get(cell) or self._reach(cell) for cell in order]
        self._meter.spend(2 * len(order) + 2 * sum(map(len, reach)))
        coming, so_far = ([0] * len(self._low) for _ in range(2))
        for number, amount in chain.from_iterable(reach):
            coming[number] += amount
        left: dict[Group, int] = {}
        begun, total = 0, 0.0
        every = 1 + len(order) // POINTS
        for time, ((group, effect), adds) in enumerate(zip(order, reach, strict=True)):
            begun += 0 if effect else len(group.members)
            left[group] = 0 if effect in (None, len(group.effects) - 1) else len(group.members)
            for number, amount in adds:
                so_far[number] += amount
                coming[number] -= amount
            if time % every:
                continue
            known, slack, bits = 0, 0, 0.0
            alike: dict[tuple[int, int, int], int] = {}
            for number, reached in enumerate(so_far):
                high = min(self._most[number], reached)
                low = 0 if self._any[number] else max(0, self._low[number] - coming[number])
                span = max(0, high - low)
                if number not in later:
                    bits += log2(1 + span) if coming[number] else self._closed[number]
                elif reached and coming[number]:
                    key = low, span, after[-1 - time][number]
                    alike[key] = alike.get(key, 0) + 1
                    known += low
                elif reached:
                    known += low
                    slack += span
            boxes = [(members, 1) for members in left.values() if members]
            boxes += [(span, count) for (_, span, _), count in alike.items()]
            choices = len(group.effects) if effect is None else 2  # mostly: one takes it or none
            ways = _ways(boxes, begun - known, slack)
            total += every * choices * ways * 2.0 ** min(bits, MAX_BITS)
        return total

    def _changes(self, order: Sequence[Cell]) -> list[float]:
        """Return for each cell the bits of the groups about open tables that begin or end there."""
        changes = [0.0] * len(order)
        last: dict[int, int] = {}
        begin: dict[Group, int] = {}
        for time, (group, _) in enumerate(order) if self._codes else ():
            if group in self._codes:
                begin.setdefault(group, time)
                last.update(dict.fromkeys(self._codes[group][0], time))
        for group, time in begin.items():
            numbers, bits = self._codes[group]
            changes[time] += bits
            changes[max(last[number] for number in numbers)] -= bits
        return changes

    def _reach(self, cell: Cell) -> list[tuple[int, int]]:
        """Return the counters that a cell may add to, with the most that it adds; without tables.

        The number of a question is a code, of which a member gives one digit.
        """
        group, effect = cell
        adds = group.touched if effect is None else dict(group.effects[effect].adds)
        size = len(group.members)
        counters = self._component.counters
        self._adds[cell] = reach = [
            (number, size * (amount if counters[number].is_bound else 1))
            for number, amount in adds.items()
            if not counters[number].is_code
        ]
        return reach


def _ways(boxes: Sequence[tuple[int, int]], target: int, slack: int) -> int:
    """Return in how many ways numbers add up to a target, or to less by up to ``slack``.

    Each box ``(span, count)`` has a number of numbers from 0 to ``span`` in any order: Gaussian
    binomial coefficients count these by their sum.
    """
    if target < 0:
        return 0
    row = [1] + [0] * target
    for span, count in boxes:
        for i in range(1, count + 1):
            row = [n - (row[at - span - i] if at >= span + i else 0) for at, n in enumerate(row)]
            for at in range(i, len(row)):
                row[at] += row[at - i]
    return sum(row[max(0, target - slack) :])


def states_of(component: Component, meter: Meter, order: Sequence[Cell] | None = None) -> float:
    """Return a rough number of the states of a sweep. Cost: that of `cells`, without an order."""
    order = cells(component, meter) if order is None else order
    estimate = _Estimate(component, meter).of(order)
    return estimate if estimate < EXPENSIVE else min(estimate, _most_states(component, order))


def _most_states(component: Component, order: Sequence[Cell]) -> float:
    """Return a bound on the states of a sweep: they differ in what some groups have taken.

    A group matters from its first cell until all counters that it may add to are closed. The bound
    is far below the estimate where many counters are about few variables.
    """
    numbers_of = {group: group.touched for group in component.groups}
    begin: dict[Group, int] = {}
    closed = [0] * len(component.counters)
    for time, (group, _) in enumerate(order):
        begin.setdefault(group, time)
        for number in numbers_of[group]:
            closed[number] = time
    for number, counter in enumerate(component.counters):
        if counter.question is not None:
            closed[number] = len(order)
    changes = [0.0] * (len(order) + 1)
    for group, time in begin.items():
        members, effects = len(group.members), len(group.effects)
        bits = log2(comb(members + effects - 1, members))
        changes[time] += bits
        changes[max((closed[number] for number in numbers_of[group]), default=time)] -= bits
    open_ = total = 0.0
    for change in changes[:-1]:
        open_ += change
        total += 2.0 ** min(open_, MAX_BITS)
    return total
