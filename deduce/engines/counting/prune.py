"""Pruning of a sweep: finding early which states can no longer be completed.

A counter that has reached its upper bound blocks every effect that would add to it. What is left
may then be too little for the lower bound of another counter, or leave a variable without any
value: a player whose hand is full cannot hold the card that they must hold. Which counters are full
is read off a state with one addition and one mask; what follows from that is computed once for each
combination that occurs.
"""

from __future__ import annotations

from deduce.budget import Meter
from deduce.engines.counting.plan import Plan, Step

__all__ = ["NEVER", "Pruner", "Remaining"]

MIN_STATES = 400
"""With fewer states than this, pruning costs more than it saves."""

Test = tuple[int, int]
"""``(lift, test)``: a state is kept if ``(state + lift) & test == test``."""

NEVER: Test = (0, -1)
"""A test that no state passes."""


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
        remaining = Remaining(self.plan, index)
        meter.spend(2 * len(states) + remaining.size)
        lift, test = remaining.full_lift, remaining.full_test
        live = {}
        for state, ways in states.items():
            full = (state + lift) & test
            if full not in seen:
                meter.spend(remaining.size)
                seen[full] = remaining.test(full)
            missing, must = seen[full]
            if (state + missing) & must == must:
                live[state] = ways
        return live


class Remaining:
    """The groups that a plan still has to sweep, with the counters that each effect touches.

    The counters that are full in a state have their guards set in
    ``(state + full_lift) & full_test``.
    """

    def __init__(self, plan: Plan, index: int) -> None:
        open_ = plan.open[index]
        self.full_lift = self.full_test = 0
        for number in open_:
            field = plan.fields[number]
            if field.bounded:
                self.full_lift |= 1 << field.shift
                self.full_test |= field.guard
        self.groups: dict[int, tuple[int, bool, list[tuple[int, int]]]] = {}
        """For each group: its size, whether it is untouched, and of each effect the guards that
        block it and the counters that it touches, as bits."""
        amounts = [1] * len(plan.fields)
        touching: list[list[int]] = [[] for _ in plan.fields]
        for step in plan.steps[index:]:
            if isinstance(step, Step) and id(step.group) not in self.groups:
                effects = []
                numbers: set[int] = set()
                for effect in step.group.effects[step.effect :]:
                    guards = touches = 0
                    for number, amount in effect.adds:
                        numbers.add(number)
                        touches |= 1 << number
                        amounts[number] = max(amounts[number], amount)
                        if number in open_ and plan.fields[number].bounded:
                            guards |= plan.fields[number].guard
                    effects.append((guards, touches))
                for number in numbers:
                    touching[number].append(len(self.groups))
                size = len(step.group.members)
                self.groups[id(step.group)] = (size, step.effect == 0, effects)
        self.needs = [
            (
                1 << number,
                field if number in open_ else None,
                counter.low,
                amounts[number],
                touching[number],
            )
            for number, (field, counter) in enumerate(
                zip(plan.fields, plan.component.counters, strict=True)
            )
            if counter.low and plan.left[index][number]
        ]
        """The counters with a lower bound that can still grow: bit, field (``None``: not open
        yet), bound, the most that one member of the groups adds, and the groups that may add."""
        self.size = sum(len(effects) for _, _, effects in self.groups.values()) + sum(
            len(places) for *_, places in self.needs
        )
        """The number of effects, and of pairs of a counter and a group: what a test looks at."""

    def test(self, full: int) -> Test:
        """Return the test of the states in which these counters are full."""
        offers: list[tuple[int, int]] = []
        for size, untouched, effects in self.groups.values():
            union = 0
            free = False
            for guards, touches in effects:
                if not guards & full:
                    union |= touches
                    free = True
            if untouched and not free:
                return NEVER
            offers.append((size, union))
        lift = test = 0
        for bit, field, low, amount, places in self.needs:
            offered = 0
            for place in places:
                size, union = offers[place]
                if union & bit:
                    offered += size
            missing = low - amount * offered
            if missing > 0:
                if field is None:
                    return NEVER
                lift |= ((1 << field.width) - missing - field.bias) << field.shift
                test |= field.guard
        return lift, test
