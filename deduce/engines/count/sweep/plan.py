"""The plan of a sweep: the layout of the counters, and the steps in their order.

A state is one int. Every counter that is open has a field in it with a *guard* bit above: a counter
with an upper bound is stored so that passing the bound sets the guard; a lower bound is tested by
adding what is missing and looking at the guard. "At least one" is a single bit that is or-ed in.
The rows of tables have codes (`Codes`). A counter is open from the first
step that may add to it to the last; its bits are 0 before and after that, and other counters use
them.

`Codes` are what a sweep remembers of the rows of tables: of their beginnings, as short as possible.
The digits of a row come one after the other, when the group that has the digit is swept. The lowest
bits of the state then are the number of its effect, until all its tables have read it. After a
digit, the beginnings that may go on alike get the same code, and those of no row end there. So of a
table only that is remembered which makes a difference to what is still to come: it becomes a
minimal automaton (as the tables of Pesant, *A regular language membership constraint for finite
sequences of variables*, CP 2004).

Where a few groups have a digit in very many tables, such as who did it and when, their values are
*remembered* in place of these digits. They are swept first; a table gets their digits when another
of its groups is swept. So the tables that are not open yet take no place in the state, and values
that make no more difference are forgotten.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from operator import itemgetter

from attrs import frozen

from deduce.budget import Meter
from deduce.engines.core.residue import Component, Group
from deduce.engines.count.sweep.order import Cell, cells, is_any

__all__ = ["REMEMBERED", "Choice", "Close", "Codes", "Field", "Plan", "Step"]


Recode = dict[tuple[int, int], int]
"""For the code of a table and the effect of a group the next code; without an entry: no row."""

MAX_CODES = 256
"""With more codes of what is remembered than this, no further group is."""

REMEMBERED = -1
"""Stands for the number of a table: what is remembered is a code too."""


class Codes:
    """The codes of the tables of a component, for an order of its cells.

    Parameters
    ----------
    component, order
        What is swept, and when.
    meter
        Counts the rows that are looked at.
    remembered
        Groups whose values are remembered; they are the first of the order.

    Attributes
    ----------
    recodes : dict[int, list[tuple[int, Recode]]]
        After each cell, what the codes of some tables become.
    sizes : dict[int, int]
        For each table how many codes there are at most.
    digits : int
        The bits of the number of an effect.
    begins : dict[int, list[dict[int, int]]]
        For each cell that opens tables with remembered digits: for each code of what is remembered,
        the codes with which these tables begin.
    """

    def __init__(
        self,
        component: Component,
        order: Sequence[Cell],
        meter: Meter,
        remembered: Sequence[Group] = (),
    ) -> None:
        self.meter = meter
        self.remembered = remembered
        self.recodes: dict[int, list[tuple[int, Recode]]] = {}
        self.sizes: dict[int, int] = {}
        self.begins: dict[int, list[dict[int, int]]] = {}
        self.last = 0
        """The last cell before which something is remembered."""
        self._late: set[tuple[int, Group]] = set()
        times: dict[int, dict[Group, int]] = {}
        effects = 1
        for time, (group, _) in enumerate(order):
            for number in group.touched:
                if component.counters[number].is_code:
                    times.setdefault(number, {})[group] = time
                    effects = max(effects, len(group.effects))
        self.digits = (effects - 1).bit_length()
        self._rests = {n: [(0, row) for row in component.counters[n].table or ()] for n in times}
        """For each table the codes with which it begins, each with what may follow."""
        if remembered:
            self._remember(order, times)
        for number, when in times.items():
            self._read(number, {g: t for g, t in when.items() if not self.is_late(number, g)})

    def is_late(self, number: int, group: Group) -> bool:
        """Return whether a table gets the digit of a group later than the group is swept."""
        return (number, group) in self._late

    def _read(self, number: int, when: Mapping[Group, int]) -> None:
        """Find the codes of a table whose digits come at these times."""
        self.sizes[number] = 1 + max((code for code, _ in self._rests[number]), default=0)
        for group in sorted(when, key=when.__getitem__):
            become = self._moved(number, group)
            self.recodes.setdefault(when[group], []).append((number, become))
            self.sizes[number] = max(self.sizes[number], 1 + max(become.values(), default=0))

    def _remember(self, order: Sequence[Cell], times: Mapping[int, Mapping[Group, int]]) -> None:
        """Find what has to be remembered before each cell that opens tables, and what follows.

        A group that several of these tables wait for is remembered too, if that is little.
        """
        first = set(self.remembered)
        waiting = {n: set(w) for n, w in times.items() if first & set(w) and not set(w) <= first}
        live = {0: dict.fromkeys(waiting, 0)}
        """For each code of what is remembered the code with which each table would begin."""
        for time, (group, _) in enumerate(order):
            mine = [number for number, groups in waiting.items() if group in groups]
            late = [number for number in mine if len(waiting[number]) > 1]
            size = len(live) * len(group.effects)
            if group not in first and (len(late) < 2 or size > MAX_CODES):
                late = []
            opens = [number for number in mine if number not in late]
            if opens:
                self.begins[time] = [{n: live[code][n] for n in opens} for code in range(len(live))]
            for number in opens:
                del waiting[number]
            moved = {number: self._moved(number, group) for number in late}
            if late:
                self._late |= {(number, group) for number in late}
            extended: dict[tuple[int, int], dict[int, int]] = {}
            for e in range(len(group.effects) if mine else 0):
                self.meter.spend(1 + len(live) * len(waiting) // 4)
                for code, first_codes in live.items():
                    following = {n: c for n, c in first_codes.items() if n in waiting}
                    for number, codes in moved.items():
                        following[number] = codes.get((following[number], e), -1)
                    if -1 not in following.values():
                        extended[code, e] = following
            for number in late:
                waiting[number].discard(group)
            if mine:
                become = _alike({key: list(codes.values()) for key, codes in extended.items()})
                live = {become[key]: codes for key, codes in extended.items()}
                self.recodes.setdefault(time, []).append((REMEMBERED, become))
                self.sizes[REMEMBERED] = max(self.sizes.get(REMEMBERED, 1), len(live))
                self.last = time

    def _moved(self, number: int, group: Group) -> Recode:
        """Return the codes of the beginnings of a table's rows, by code and effect of a group."""
        amounts = [dict(effect.adds).get(number, 0) for effect in group.effects]
        least = min(filter(None, amounts))
        beyond = least + max(amounts)
        following: dict[tuple[int, int], set[int]] = {}
        self.meter.spend(1 + len(self._rests[number]) // 2)
        for code, rest in self._rests[number]:
            amount = rest % beyond - rest % least
            following.setdefault((code, amount), set()).add(rest - amount)
        become = _alike(following)
        self._rests[number] = list(
            dict.fromkeys((become[key], rest) for key, rests in following.items() for rest in rests)
        )
        return {
            (code, e): new
            for (code, amount), new in become.items()
            for e, other in enumerate(amounts)
            if other == amount
        }


def _alike(following: Mapping[tuple[int, int], Collection[int]]) -> Recode:
    """Return short codes, the same for those with the same items."""
    kinds: dict[object, int] = {}
    become = {}
    for key in sorted(following):
        items = following[key]
        of = frozenset(items) if isinstance(items, set) else tuple(items)
        become[key] = kinds.setdefault(of, len(kinds))
    return become


Choice = tuple[int, int, int, int, int]
"""``(add, either, weight, effect, taken)``: ``taken`` members take the values of the effect.

The state becomes ``(state | either) + add``, the weight is multiplied by the number of ways.
"""


@frozen(eq=False)
class Field:
    """Where a counter lives in the state: ``width`` bits from ``shift``, the guard bit above them.

    Zero is stored as ``bias`` while the counter is open. A *bounded* counter has an upper bound
    that can be passed; at the bound all its bits are set.
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
    guards: int
    """The guards of the counters that the step may add to."""
    choices: tuple[tuple[Choice, ...], ...]


Coded = tuple[int, int, list[dict[int, int]]]


@frozen(eq=False)
class Close:
    """The test of the counters that a step touched, and the end of those that are complete.

    A state lives if ``(state + lift) & test == test``; then its weight is multiplied from the
    ``tables`` ``(shift, mask, weight by number)``, ``keep`` wipes what is closed, and for each code
    of ``codes`` ``(shift, mask, by digit the bits by code)`` some bits change; without an entry the
    state ends. The digit is in the lowest ``digits`` bits.
    """

    lift: int
    test: int
    keep: int
    tables: tuple[tuple[int, int, dict[int, int]], ...]
    weighs: tuple[tuple[int, int, tuple[int, int]], ...]
    """The likelihoods among the tables: ``(shift, mask, (index, number of what is settled))``."""
    codes: tuple[Coded, ...] = ()
    digits: int = 0

    def closed(self, state: int) -> tuple[int, int]:
        """Return the factor of a state that passed the test, and what the state becomes."""
        weight = 1
        for shift, mask, table in self.tables:
            weight *= table.get(state >> shift & mask, 0)
        changed = 0
        digit = state & (1 << self.digits) - 1
        for shift, mask, codes in self.codes:
            change = codes[digit].get(state >> shift & mask)
            if change is None:
                return 0, 0
            changed ^= change
        return weight, state & self.keep ^ changed


class Plan:
    """Steps for one component, from the state 0 on.

    Parameters
    ----------
    component
        Groups and counters.
    meter
        Counts what making the plan spends.
    order
        The cells in the order of the sweep; `deduce.engines.count.sweep.order.cells` when left out.
    remembered
        Groups of one whose values are remembered instead of the digits that they have in tables
        (`Codes`); they are the first of the order.
    """

    def __init__(
        self,
        component: Component,
        meter: Meter,
        order: Sequence[Cell] | None = None,
        remembered: Sequence[Group] = (),
    ) -> None:
        self.component = component
        self.meter = meter
        self.order = list(cells(component, meter) if order is None else order)
        self.size = 0
        """The number of bits of a state."""
        self.codes = Codes(component, self.order, meter, remembered)
        self.fields, self._members = self._layout()
        self._left = [0] * len(component.counters)
        """The most that groups still to come may add to the counter."""
        for group in component.groups:
            for number, most in group.touched.items():
                self._left[number] += len(group.members) * most
        self._opened: set[int] = set()
        self.open: list[frozenset[int]] = []
        """For each step the counters that are open before it."""
        self.left: list[tuple[int, ...]] = []
        """For each step the most that it and all later steps may add to each counter."""
        self.steps: list[Step | Close] = []
        self.last_steps: dict[Group, int] = {}
        """For each group its last step."""
        for step in self._steps():
            if isinstance(step, Step):
                self.last_steps[step.group] = len(self.steps)
            self.steps.append(step)

    def answer_field(self, question: int) -> tuple[int, int] | None:
        """Return shift and mask of the question's counter, if it lives in this component."""
        for field, counter in zip(self.fields, self.component.counters, strict=False):
            if counter.question == question:
                return field.shift, field.mask
        return None

    def _layout(self) -> tuple[list[Field], dict[Group, int]]:
        """Place the fields so that two that are open at the same time do not overlap.

        What is open longest lies highest: wiping a field then nearly keeps the order of states.
        """
        begin: dict[object, int] = {}
        end: dict[object, int] = {}
        sizes = self.codes.sizes
        for time, (group, effect) in enumerate(self.order):
            adding = group.touched if effect is None else dict(group.effects[effect].adds)
            numbers = [n for n in adding if not self.codes.is_late(n, group)]
            names: list[object] = [*numbers, *([] if effect is None else [group])]
            for name in names:
                begin.setdefault(name, time)
                end[name] = time
        forms: dict[object, tuple[int, int, bool]] = {}
        for number, counter in enumerate(self.component.counters):
            if counter.question is not None:
                end[number] = len(self.order)
            width = 1 if is_any(counter) else counter.high.bit_length()
            bounded = counter.is_bound and counter.high < counter.most
            width = (sizes[number] - 1).bit_length() if counter.is_code else width
            forms[number] = width, (1 << width) - 1 - counter.high if bounded else 0, bounded
        if REMEMBERED in sizes:
            begin[REMEMBERED], end[REMEMBERED] = 0, self.codes.last
            forms[REMEMBERED] = (sizes[REMEMBERED] - 1).bit_length(), 0, False
        for group in self.component.groups:
            if group in begin:
                forms[group] = len(group.members).bit_length(), 0, False
        shifts: dict[object, int] = {}
        taken: list[tuple[object, int, int]] = []
        for name in sorted(begin, key=lambda name: begin[name] - end[name]):
            width = forms[name][0] + (name not in sizes)
            shift = 0
            self.meter.spend(len(taken) // 2)
            for other, low, high in taken:  # by place, from the lowest
                if begin[name] <= end[other] and begin[other] <= end[name]:
                    if low - shift >= width:
                        break
                    shift = max(shift, high)
            shifts[name] = shift
            insort(taken, (name, shift, shift + width), key=itemgetter(1))
        self.size = self.codes.digits + max((high for _, _, high in taken), default=0)
        for name, _, high in taken:
            shifts[name] = self.size - high
        fields = [Field(shifts[n], *forms[n]) for n in range(len(self.component.counters))]
        if REMEMBERED in sizes:  # the last one
            fields.append(Field(shifts[REMEMBERED], *forms[REMEMBERED]))
        return fields, {group: shifts[group] for group in self.component.groups if group in shifts}

    def _steps(self) -> Iterator[Step | Close]:
        for time, (group, effect) in enumerate(self.order):
            self.meter.spend((len(self._left) + sum(len(e.adds) for e in group.effects)) // 4)
            most = group.touched
            now = list(most) if effect is None else [n for n, _ in group.effects[effect].adds]
            for number in [n for n in now if self.codes.is_late(n, group)]:
                self._left[number] -= most[number]
                now.remove(number)
            self.open.append(frozenset(self._opened))
            self.left.append(tuple(self._left))
            opening = guards = 0
            for number in now:
                field = self.fields[number]
                if number not in self.codes.sizes:  # the others have a guard bit
                    guards |= field.guard
                if number not in self._opened:
                    opening |= field.bias << field.shift
            self._opened.update(now)
            if effect is None:
                done = now
                choices = tuple(
                    self._choice(group, e, 1, opening | e * (time in self.codes.recodes))
                    for e in range(len(group.effects))
                )
                yield Step(group, 0, 0, 0, guards, (choices,))
            else:
                yield self._many(group, effect, opening, guards)
                later = {n for e in group.effects[effect + 1 :] for n, _ in e.adds}
                done = [n for n in now if n not in later]
            for number in done:
                self._left[number] -= len(group.members) * most[number]
            for close in self._close(done, self._recoded(time)):
                self.open.append(frozenset(self._opened))
                self.left.append(tuple(self._left))
                yield close
            self._opened = {
                n
                for n in self._opened
                if self._left[n] or self.component.counters[n].question is not None
            }

    def _recoded(self, time: int) -> Iterator[Coded]:
        """Yield what changes with the codes after a cell; the tables that open next begin here."""
        recodes = dict(self.codes.recodes.get(time, ()))
        begins = self.codes.begins.get(time + 1)
        if begins is not None:
            effects = range(len(self.order[time][0].effects) if recodes else 1)
            same = {(code, e): code for code, e in product(range(len(begins)), effects)}
            recodes.setdefault(REMEMBERED, same)
        for number, become in recodes.items():
            shift = self.fields[number].shift
            changes: list[dict[int, int]] = [{} for _ in self.order[time][0].effects]
            for (code, e), new in become.items():
                change = (code ^ new) << shift
                if number == REMEMBERED and begins is not None:
                    for n, first in begins[new].items():
                        change ^= first << self.fields[n].shift
                changes[e][code] = change
            yield shift, self.fields[number].mask, changes

    def _many(self, group: Group, e: int, opening: int, guards: int) -> Step:
        size = len(group.members)
        shift = self._members[group]
        last = len(group.effects) - 1
        table = []
        for left in range(size + 1):
            # The field of open members is empty until the group's first step has filled it.
            members = size if e == 0 else left
            choices = []
            ways = 1  # to choose who takes it, each number from the one before
            for taken in [members] if e == last else range(members + 1):
                self.meter.spend()
                if taken and e != last:
                    ways = ways * (members - taken + 1) // taken
                if not self._fits(group, e, taken):
                    continue
                add, either, weight, _, _ = self._choice(group, e, taken, opening)
                rest = members - taken
                add += (rest if e == 0 else -taken) << shift
                choices.append((add, either, weight * ways, e, taken))
            table.append(tuple(choices))
            if e == 0:
                break
        mask = 0 if e == 0 else (1 << size.bit_length()) - 1
        return Step(group, e, shift, mask, guards, tuple(table))

    def _fits(self, group: Group, e: int, taken: int) -> bool:
        """Return whether no counter could pass its bound by so much that the guard is skipped."""
        counters = self.component.counters
        return all(amount * taken <= counters[n].high for n, amount in group.effects[e].adds)

    def _choice(self, group: Group, e: int, taken: int, opening: int) -> Choice:
        effect = group.effects[e]
        add, either = opening, 0
        for number, amount in effect.adds if taken else ():
            shift = self.fields[number].shift
            if number in self.codes.sizes:
                continue
            if is_any(self.component.counters[number]):
                either |= 1 << shift
            else:
                add += amount * taken << shift
        return add, either, (effect.values.bit_count() * effect.weight) ** taken, e, taken

    def _close(self, numbers: Sequence[int], codes: Iterable[Coded]) -> Iterator[Close]:
        lift = test = wipe = 0
        tables = []
        weighs: list[tuple[int, int, tuple[int, int]]] = []
        for number in numbers:
            counter = self.component.counters[number]
            field = self.fields[number]
            if counter.is_code:
                continue
            missing = counter.low - self._left[number]
            if missing > 0:
                lift |= ((1 << field.width) - missing - field.bias) << field.shift
                test |= field.guard
            if self._left[number] == 0 and counter.question is None:
                wipe |= field.mask << field.shift
                if counter.table is not None:
                    tables.append((field.shift, field.mask, dict(counter.table)))
                weighs += [(field.shift, field.mask, weigh) for weigh in counter.weighs]
        codes = tuple(codes)
        digits = self.codes.digits if codes else 0
        wipe |= (1 << digits) - 1
        if test or wipe or codes:
            yield Close(lift, test, ~wipe, tuple(tables), tuple(weighs), codes, digits)
