"""Seeing early which states of a sweep can no longer be completed.

A counter that has reached its upper bound blocks every effect that would add to it. What is left
may then be too little for the lower bound of another counter, or leave a variable without any
value: a player whose hand is full cannot have the card that he still has to have. Which counters
are full is read off a state with one addition and one mask; what follows from that is worked out
once for each combination that occurs.
"""

from __future__ import annotations

from deduce.budget import Meter
from deduce.engines.plan import Plan, Step

__all__ = ["Pruner"]

WORTHWHILE = 400
"""Below this many states looking costs more than it saves."""

Test = tuple[int, int]
"""``(lift, test)``: a state lives if ``(state + lift) & test == test``."""

HOPELESS: Test = (0, -1)
"""A test that no state passes."""


class Pruner:
    """Drops the states that cannot be completed, before each step of a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.full_lift = self.full_test = 0
        for field in plan.fields:
            if field.bounded:
                self.full_lift |= 1 << field.shift
                self.full_test |= field.guard

    def live(self, place: int, states: dict[int, int], meter: Meter) -> dict[int, int]:
        """Return the states before step ``place`` that may still be completed."""
        if len(states) < WORTHWHILE:
            return states
        seen: dict[int, Test] = {}
        coming = _Coming(self.plan, place)
        lift, test = self.full_lift, self.full_test
        kept = {}
        for state, ways in states.items():
            full = (state + lift) & test
            if full not in seen:
                meter.spend(len(coming.groups))
                seen[full] = coming.test(full)
            missing, must = seen[full]
            if (state + missing) & must == must:
                kept[state] = ways
        return kept


class _Coming:
    """The groups that a plan still has to sweep, with the guards that each effect touches."""

    def __init__(self, plan: Plan, place: int) -> None:
        self.groups: dict[int, tuple[int, bool, list[int]]] = {}
        """For each group: its size, whether it is untouched, the effects' guards."""
        for step in plan.steps[place:]:
            if isinstance(step, Step) and id(step.group) not in self.groups:
                effects = [
                    sum(plan.fields[number].guard for number, _ in effect.adds)
                    for effect in step.group.effects[step.effect :]
                ]
                size = len(step.group.members)
                self.groups[id(step.group)] = (size, step.effect == 0, effects)
        touched = 0
        for _, _, effects in self.groups.values():
            for guards in effects:
                touched |= guards
        self.needs = [
            (field, counter.low)
            for field, counter in zip(plan.fields, plan.component.counters, strict=True)
            if counter.low and touched & field.guard
        ]

    def test(self, full: int) -> Test:
        """Return the test of the states in which these counters are full."""
        offers: list[tuple[int, int]] = []
        for size, untouched, effects in self.groups.values():
            union = 0
            free = False
            for guards in effects:
                if not guards & full:
                    union |= guards
                    free = True
            if untouched and not free:
                return HOPELESS
            offers.append((size, union))
        lift = test = 0
        for field, low in self.needs:
            guard = field.guard
            missing = low - sum(size for size, union in offers if union & guard)
            if missing > 0:
                lift |= ((1 << field.width) - missing - field.bias) << field.shift
                test |= guard
        return lift, test
