"""What a sweep remembers of the rows of tables: codes of their beginnings, as short as possible.

The digits of a row come one after the other, when the group that has the digit is swept, and are
added up to a code. After a digit, the beginnings that may go on alike get the same code, and those
of no row end there. So of a table only that is remembered which makes a difference to what is still
to come: it becomes a minimal automaton (as the tables of Pesant, *A regular language membership
constraint for finite sequences of variables*, CP 2004).

Where a few groups have a digit in very many tables, such as who did it and when, their values are
*remembered* in place of these digits. They are swept first; a table gets their digits when another
of its groups is swept. So the tables that are not open yet take no place in the state, and values
that make no more difference are forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

from deduce.budget import Meter
from deduce.engines.core.residue import Component, Group
from deduce.engines.count.sweep.order import Cell

__all__ = ["REMEMBERED", "Codes"]

Times = dict[Group, tuple[int, int]]
"""The first and the last cell in which a group may add to a counter."""

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
    recodes : dict[int, list[tuple[int, dict[int, int]]]]
        After each cell, what the codes of some tables become.
    rows : dict[int, dict[int, int]]
        For each table the codes of its rows in the end.
    sizes : dict[int, int]
        For each table how many codes there are at most.
    places : dict[Group, int]
        For each group that is remembered, what the number of its effect is multiplied by.
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
        self.recodes: dict[int, list[tuple[int, dict[int, int]]]] = {}
        self.rows: dict[int, dict[int, int]] = {}
        self.sizes: dict[int, int] = {}
        self.begins: dict[int, list[dict[int, int]]] = {}
        self.places: dict[Group, int] = {}
        self.last = 0
        """The last cell before which something is remembered."""
        self._factors: dict[tuple[int, Group], tuple[int, int]] = {}
        """For each table and group the place of its digit in a row, and in the code."""
        self._late: set[tuple[int, Group]] = set()
        times: dict[int, Times] = {}
        for time, (group, effect) in enumerate(order):
            effects = group.effects if effect is None else (group.effects[effect],)
            for number in {n for e in effects for n, _ in e.adds}:
                if component.counters[number].is_code:
                    begin, _ = times.setdefault(number, {}).get(group, (time, time))
                    times[number][group] = begin, time
        self._rests = {n: [(0, row) for row in component.counters[n].table or ()] for n in times}
        """For each table the codes with which it begins, each with what may follow."""
        if remembered:
            self._remember(order, times)
        for number, when in times.items():
            self._read(number, {g: t for g, t in when.items() if not self.is_late(number, g)})

    def is_late(self, number: int, group: Group) -> bool:
        """Return whether a table gets the digit of a group later than the group is swept."""
        return (number, group) in self._late

    def amount(self, number: int, group: Group, amount: int) -> int:
        """Return what a group adds to the code of a table, to whose row it adds an amount."""
        place, factor = self._factors[number, group]
        return amount // place * factor

    def _read(self, number: int, when: Times) -> None:
        """Find the codes of a table whose digits come at these times."""
        pairs = self._rests[number]
        codes = [code for code, _ in pairs]
        rests = [rest for _, rest in pairs]
        factor = size = 1 + max(codes, default=0)
        waiting = sorted(when, key=lambda group: when[group][1])
        for place, group in enumerate(waiting, 1):
            self.meter.spend(1 + len(codes) // 2)
            least, beyond = _digit(number, group)
            self._factors[number, group] = least, factor
            for row, rest in enumerate(rests):
                amount = rest % beyond - rest % least
                codes[row] += amount // least * factor
                rests[row] -= amount
            factor *= beyond // least
            size = max(size, factor)
            end = when[group][1]
            if end < min((when[other][0] for other in waiting[place:]), default=end):
                following: dict[int, set[int]] = {}
                for code, rest in zip(codes, rests, strict=True):
                    following.setdefault(code, set()).add(rest)
                become, kinds = _alike(following)
                if kinds < factor:
                    self.recodes.setdefault(end, []).append((number, become))
                    codes = [become[code] for code in codes]
                    factor = kinds
        self.rows[number] = dict.fromkeys(codes, 1)
        self.sizes[number] = size

    def _remember(self, order: Sequence[Cell], times: Mapping[int, Times]) -> None:
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
                self.places[group] = len(live)
                self.sizes[REMEMBERED] = max(self.sizes.get(REMEMBERED, 1), size)
            extended: dict[int, dict[int, int]] = {}
            for e, effect in enumerate(group.effects if late else group.effects[:1]):
                adds = dict(effect.adds)
                self.meter.spend(1 + len(live) * len(waiting) // 4)
                for code, first_codes in live.items():
                    following = {n: c for n, c in first_codes.items() if n in waiting}
                    for number, codes in moved.items():
                        following[number] = codes.get((following[number], adds.get(number, 0)), -1)
                    if -1 not in following.values():
                        extended[code + e * len(live)] = following
            for number in late:
                waiting[number].discard(group)
            if mine:
                become, _ = _alike({code: list(c.values()) for code, c in extended.items()})
                live = {become[code]: codes for code, codes in extended.items()}
                self.recodes.setdefault(time, []).append((REMEMBERED, become))
                self.last = time

    def _moved(self, number: int, group: Group) -> dict[tuple[int, int], int]:
        """Return the codes of the beginnings of a table's rows, by code and amount of a group."""
        least, beyond = _digit(number, group)
        following: dict[tuple[int, int], set[int]] = {}
        self.meter.spend(1 + len(self._rests[number]) // 2)
        for code, rest in self._rests[number]:
            amount = rest % beyond - rest % least
            following.setdefault((code, amount), set()).add(rest - amount)
        become, _ = _alike(following)
        self._rests[number] = list(
            dict.fromkeys((become[key], rest) for key, rests in following.items() for rest in rests)
        )
        return become


def _digit(number: int, group: Group) -> tuple[int, int]:
    """Return the place of a group's digit in the rows of a table, and the place after it."""
    amounts = [amount for e in group.effects for n, amount in e.adds if n == number]
    return min(amounts), min(amounts) + max(amounts)


K = TypeVar("K", int, tuple[int, int])


def _alike(following: Mapping[K, Collection[int]]) -> tuple[dict[K, int], int]:
    """Return short codes, the same for those with the same items, and how many these are."""
    kinds: dict[object, int] = {}
    become = {}
    for code in sorted(following):
        items = following[code]
        key = frozenset(items) if isinstance(items, set) else tuple(items)
        become[code] = kinds.setdefault(key, len(kinds))
    return become, len(kinds)
