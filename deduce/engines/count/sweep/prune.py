"""Pruning of a sweep: finding early which states can no longer be completed.

A counter that has reached its upper bound blocks every effect that would add to it. What is left
may then be too little for the lower bound of another counter, or leave a variable without any
value: a player whose hand is full cannot hold the card that they must hold. Which counters are full
is read off a state with one addition and one mask; what follows from that is computed once for each
combination that occurs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from deduce.budget import UNLIMITED, Meter
from deduce.engines.core.residue import Group
from deduce.engines.count.sweep.plan import Field, Plan, Step

__all__ = ["NEVER", "Pruner", "Remaining", "pieces"]

MIN_STATES = 400
"""With fewer states than this, pruning costs more than it saves."""

PIECE = 100_000
"""Steps between two looks at the limits: some hundredths of a second."""

LOOKED = 4
"""Sets of guards that are looked at in a step."""

Test = tuple[int, int]
"""``(lift, test)``: a state is kept if ``(state + lift) & test == test``."""

Need = tuple[Field | None, int, tuple[tuple[frozenset[int], int], ...]]
"""The field of a counter (``None``: not open yet); what is missing at least, less than 0 where more
can be added than is needed; and what is missing beyond that if all these guards are set."""

NEVER: Test = (0, -1)
"""A test that no state passes."""


def pieces(states: dict[int, int], price: int, meter: Meter) -> Iterator[dict[int, int]]:
    """Yield states with their weights piece by piece; each piece is paid for before it is used."""
    size = max(1, PIECE // max(1, price))
    if len(states) <= size:
        meter.spend(price * len(states))
        yield states
        return
    items = iter(states.items())
    while piece := dict(islice(items, size)):
        meter.spend(price * len(piece))
        yield piece


class Pruner:
    """Drops the states that cannot be completed, before each step of a plan.

    Parameters
    ----------
    plan
        The plan of the sweep.
    min_states
        Nothing is pruned while there are fewer states than this.
    """

    def __init__(self, plan: Plan, min_states: int = MIN_STATES) -> None:
        self.plan = plan
        self.min_states = min_states

    def live(self, index: int, states: dict[int, int], meter: Meter) -> dict[int, int]:
        """Return the states before step ``index`` that may still be completed."""
        if len(states) < self.min_states:
            return states
        seen: dict[int, Test] = {}
        remaining = Remaining(self.plan, index, meter)
        lift, test = remaining.full_lift, remaining.full_test
        live = {}
        for state, ways in chain.from_iterable(map(dict.items, pieces(states, 2, meter))):
            full = (state + lift) & test
            if full not in seen:
                meter.spend(1 + remaining.size // LOOKED)
                seen[full] = remaining.test(full)
            missing, must = seen[full]
            if (state + missing) & must == must:
                live[state] = ways
        return live


Guards = frozenset[int]
"""The guards that block each of some effects; those are all blocked if every one of them is set.
"""


class Remaining:
    """What the groups that a plan still has to sweep need, and which full counters block.

    The counters that are full in a state have their guards set in
    ``(state + full_lift) & full_test``.

    Attributes
    ----------
    guards : list[int]
        The different guards of full counters that block an effect.
    choices : set[Guards]
        For groups that have not taken anything yet: if all effects are blocked, no state passes.
    needs : list[Need]
        The counters with a lower bound that can still grow.
    size : int
        How much a test looks at.
    """

    def __init__(self, plan: Plan, index: int, meter: Meter = UNLIMITED) -> None:
        open_ = plan.open[index]
        self.full_lift = self.full_test = 0
        guard_of = [0] * len(plan.fields)
        for number in open_:
            field = plan.fields[number]
            if field.bounded:
                self.full_lift |= 1 << field.shift
                self.full_test |= field.guard
                guard_of[number] = field.guard
        self.choices: set[Guards] = set()
        amounts = [1] * len(plan.fields)
        offers: list[dict[Guards, int]] = [{} for _ in plan.fields]
        guards_of_all: set[int] = set()
        self.read = 0
        """The number of effects that were looked at to find out what is needed."""
        seen: set[Group] = set()
        for step in plan.steps[index:]:
            if not isinstance(step, Step) or step.group in seen:
                continue
            seen.add(step.group)
            by_number: dict[int, set[int]] = {}
            every: set[int] = set()
            for effect in step.group.effects[step.effect :]:
                guards = 0
                for number, amount in effect.adds:
                    guards |= guard_of[number]
                    if amount > amounts[number]:
                        amounts[number] = amount
                every.add(guards)
                for number, _ in effect.adds:
                    by_number.setdefault(number, set()).add(guards)
                self.read += 1 + len(effect.adds)
            meter.spend(sum(1 + len(effect.adds) for effect in step.group.effects[step.effect :]))
            guards_of_all |= every
            if step.effect == 0 and 0 not in every:
                self.choices.add(frozenset(every))
            members = len(step.group.members)
            for number, numbers_guards in by_number.items():
                offer, key = offers[number], frozenset(numbers_guards)
                offer[key] = offer.get(key, 0) + members
        self.guards = sorted(guards_of_all - {0})
        self.needs: list[Need] = []
        for number, counter in enumerate(plan.component.counters):
            if counter.low and plan.left[index][number]:
                most = amounts[number] * sum(offers[number].values())
                blockable = tuple(
                    (guards, amounts[number] * members)
                    for guards, members in offers[number].items()
                    if 0 not in guards
                )
                field_if_open = plan.fields[number] if number in open_ else None
                self.needs.append((field_if_open, counter.low - most, blockable))
        self.size = len(self.guards) + len(self.choices) + len(self.needs)
        self.size += sum(len(blockable) for *_, blockable in self.needs)

    def test(self, full: int) -> Test:
        """Return the test of the states in which these counters are full."""
        blocked = {guards for guards in self.guards if guards & full}
        for guards in self.choices:
            if guards <= blocked:
                return NEVER
        lift = test = 0
        for field, missing, blockable in self.needs:
            for guards, amount in blockable:
                if guards <= blocked:
                    missing += amount
            if missing > 0:
                if field is None:
                    return NEVER
                lift |= ((1 << field.width) - missing - field.bias) << field.shift
                test |= field.guard
        return lift, test
