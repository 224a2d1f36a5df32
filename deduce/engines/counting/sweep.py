"""Dynamic programming over a plan: forward weights, backward weights, flows and draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from deduce.budget import Meter
from deduce.engines.counting.plan import Close, Plan, Step
from deduce.engines.counting.prune import MIN_STATES, Pruner
from deduce.engines.counting.residue import Component, Group

__all__ = ["Sweep"]

States = dict[int, int]

WORD = 64
"""A transition costs one step; longer states one more, and one for each 8 words of 64 bits."""


class Sweep:
    """The weights of one component's partial worlds.

    Parameters
    ----------
    component
        Groups and counters, from `deduce.engines.counting.residue`.
    meter
        Counts the transitions of both passes, by the length of the states.
    prune_from
        From how many states on those are dropped that cannot be completed.

    Attributes
    ----------
    total : int
        The weighted number of ways to fill the component.

    Raises
    ------
    Undecided
        When the meter's budget is used up.
    """

    def __init__(self, component: Component, meter: Meter, prune_from: int = MIN_STATES) -> None:
        self.component = component
        self.plan = Plan(component)
        self.meter = meter
        self.spent = 0
        """The price of the forward pass, which is that of the backward pass too."""
        self.layers: list[States] = []
        """The states before each step, with the weight of all ways to get there."""
        self.final = self._forward(meter, prune_from)
        self.total = sum(self.final.values())
        self._after: list[States] = []
        self._flows: dict[tuple[Group, int], int] = {}

    def _forward(self, meter: Meter, prune_from: int) -> States:
        price = 1 + (self.plan.size > WORD) + self.plan.size // (8 * WORD)
        states: States = {0: 1}
        pruner = Pruner(self.plan, prune_from)
        for index, step in enumerate(self.plan.steps):
            if isinstance(step, Close):
                self.layers.append(states)
                states = _close(step, states)
                continue
            states = pruner.live(index, states, meter)
            self.layers.append(states)
            work = price * len(states) * len(step.choices[-1])
            self.spent += work
            meter.spend(work)
            states = _advance(step, states)
        return states

    def flow(self, group: Group, effect: int) -> int:
        """Return the weight of all ways, each times the members that take the effect's values."""
        self.after()
        return self._flows.get((group, effect), 0)

    def after(self) -> list[States]:
        """Return, before each step and at the end, the weight of all completions of each state."""
        if self._after:
            return self._after
        self.meter.spend(self.spent)
        after = dict.fromkeys(self.final, 1)
        result = [after]
        for step, states in zip(reversed(self.plan.steps), reversed(self.layers), strict=True):
            if isinstance(step, Close):
                after = _reopen(step, states, after)
            else:
                after = self._retreat(step, states, after)
            result.append(after)
        result.reverse()
        self._after = result
        return result

    def _retreat(self, step: Step, states: States, after: States) -> States:
        before: States = {}
        flows = [0] * len(step.group.effects)
        ways_on = after.get
        shift, mask, choices = step.shift, step.mask, step.choices
        for state, ways in states.items():
            total = 0
            for add, either, weight, effect, taken in choices[state >> shift & mask]:
                on = ways_on((state | either) + add)
                if on:
                    on *= weight
                    total += on
                    if taken:
                        flows[effect] += ways * on * taken
            if total:
                before[state] = total
        for effect, flow in enumerate(flows):
            if flow:
                key = (step.group, effect)
                self._flows[key] = self._flows.get(key, 0) + flow
        return before

    def draw(self, below: Callable[[int], int]) -> Iterator[tuple[Group, int, int]]:
        """Yield ``(group, effect, members that take it)`` for one way, drawn by its weight.

        ``below(n)`` gives a random int below ``n``.
        """
        after = self.after()
        state = 0
        for number, step in enumerate(self.plan.steps):
            if isinstance(step, Close):
                state &= step.keep
                continue
            options = []
            for add, either, weight, effect, taken in step.choices[state >> step.shift & step.mask]:
                target = (state | either) + add
                on = after[number + 1].get(target)
                if on:
                    options.append((on * weight, target, effect, taken))
            spot = below(sum(option[0] for option in options))
            for weight, target, effect, taken in options:
                if spot < weight:
                    if taken:
                        yield step.group, effect, taken
                    state = target
                    break
                spot -= weight


def _advance(step: Step, states: States) -> States:
    following: States = {}
    weight_so_far = following.get
    shift, mask, guards, choices = step.shift, step.mask, step.guards, step.choices
    if mask:
        for state, ways in states.items():
            for add, either, weight, _, _ in choices[state >> shift & mask]:
                target = (state | either) + add
                if not target & guards:
                    following[target] = weight_so_far(target, 0) + ways * weight
        return following
    for add, either, weight, _, _ in choices[0]:
        if weight == 1 and not either:  # by far the most common choice: one variable, one value
            for state, ways in states.items():
                target = state + add
                if not target & guards:
                    following[target] = weight_so_far(target, 0) + ways
        else:
            for state, ways in states.items():
                target = (state | either) + add
                if not target & guards:
                    following[target] = weight_so_far(target, 0) + ways * weight
    return following


def _close(close: Close, states: States) -> States:
    following: States = {}
    lift, test, keep = close.lift, close.test, close.keep
    for state, ways in states.items():
        if (state + lift) & test == test:
            for shift, mask, table in close.tables:
                ways *= table.get(state >> shift & mask, 0)
            if ways:
                state &= keep
                following[state] = following.get(state, 0) + ways
    return following


def _reopen(close: Close, states: States, after: States) -> States:
    before: States = {}
    lift, test, keep = close.lift, close.test, close.keep
    for state in states:
        if (state + lift) & test == test:
            on = after.get(state & keep, 0)
            for shift, mask, table in close.tables:
                on *= table.get(state >> shift & mask, 0)
            if on:
                before[state] = on
    return before
