"""Dynamic programming over a plan: forward weights, backward weights, flows and draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import chain, repeat
from math import inf
from operator import add as plus
from operator import mul as times

from deduce.budget import Meter
from deduce.engines.core.residue import Group
from deduce.engines.count.sweep.draws import Below, Node, Option, Taken, every_way, way
from deduce.engines.count.sweep.folds import Fold, Folds
from deduce.engines.count.sweep.plan import Close, Plan, Step
from deduce.engines.count.sweep.prune import MIN_STATES, Pruner, pieces

__all__ = ["ManyStates", "Sweep"]

States = dict[int, int]

Choosable = tuple[int, int, Taken | None, tuple[int, int]]
"""The weight of a choice, of what is beyond it, who takes what, and the step and state after it."""

WORD = 64
"""A transition costs one step; longer states one more, and one for each 8 words of 64 bits."""


class ManyStates(Exception):
    """A sweep has more states than it may."""


class Sweep:
    """The weights of one component's partial worlds.

    Parameters
    ----------
    plan
        The steps, from `deduce.engines.count.sweep.plan`.
    meter
        Counts the transitions of both passes, by the length of the states.
    prune_from
        From how many states on those are dropped that cannot be completed.
    folds
        The states that have the same future; ``None``: no states are made one.
    apart
        The values whose marginals are asked for: they are not made one with others; ``None``: all
        values.
    max_width
        The most states before a step.
    max_states
        The most states of all steps together.

    Attributes
    ----------
    total : int
        The weighted number of ways to fill the component.

    Raises
    ------
    ManyStates
        There are more states than ``max_width`` or ``max_states``.
    Undecided
        When the meter's budget is used up.
    """

    def __init__(
        self,
        plan: Plan,
        meter: Meter,
        prune_from: int = MIN_STATES,
        *,
        folds: Folds | None = None,
        apart: Set[int] | None = frozenset(),
        max_width: float = inf,
        max_states: float = inf,
    ) -> None:
        self.plan = plan
        self.component = plan.component
        self.meter = meter
        self.price = 1 + (plan.size > WORD) + plan.size // (8 * WORD)
        """The price of one choice in one state."""
        self.layers: list[States] = []
        """The states before each step, with the weight of all ways to get there."""
        self.folds = [Fold((), ()) for _ in range(len(plan.steps) + 1)]
        if folds is not None:
            self.folds = [folds.before(i, apart) for i in range(len(plan.steps) + 1)]
        self.states = 0
        """The number of states of all steps."""
        self.final = self._forward(meter, prune_from, max_width, max_states)
        self.total = sum(self.final.values())
        self._after: list[States] = []
        self._flows: dict[tuple[Group, int], int] = {}
        self._nodes: dict[tuple[int, int], Node | None] = {}

    def _forward(
        self, meter: Meter, prune_from: int, max_width: float, max_states: float
    ) -> States:
        price = self.price
        states: States = {0: 1}
        pruner = Pruner(self.plan, prune_from)
        for index, step in enumerate(self.plan.steps):
            if isinstance(step, Close):
                self.layers.append(states)
                states = _close(step, pieces(states, price, meter))
            else:
                states = pruner.live(index, states, meter)
                self.layers.append(states)
                states = _advance(step, pieces(states, price * len(step.choices[-1]), meter))
            if fold := self.folds[index + 1]:
                states = _folded(fold, pieces(states, fold.price, meter))
            self.states += len(states)
            if len(states) > max_width or self.states > max_states:
                raise ManyStates
        return states

    def flow(self, group: Group, effect: int) -> int:
        """Return the weight of all ways, each times the members that take the effect's values."""
        self.after()
        return self._flows.get((group, effect), 0)

    def after(self) -> list[States]:
        """Return, before each step and at the end, the weight of all completions of each state."""
        if self._after:
            return self._after
        after = dict.fromkeys(self.final, 1)
        result = [after]
        steps = zip(self.plan.steps, self.layers, self.folds[1:], strict=True)
        for step, states, fold in reversed(list(steps)):
            work = self.price + (fold.price if fold else 0)
            if isinstance(step, Close):
                after = _reopen(step, pieces(states, work, self.meter), fold, after)
            else:
                work += self.price * (len(step.choices[-1]) - 1)
                after = self._retreat(step, pieces(states, work, self.meter), fold, after)
            result.append(after)
        result.reverse()
        self._after = result
        return result

    def _retreat(self, step: Step, parts: Iterable[States], fold: Fold, after: States) -> States:
        flows = [0] * len(step.group.effects)
        retreated = _retreated if step.mask else _all_retreated
        before: States = {}
        for states in parts:
            before |= retreated(step, states, fold, after, flows)
        for effect, flow in enumerate(flows):
            if flow:
                key = (step.group, effect)
                self._flows[key] = self._flows.get(key, 0) + flow
        return before

    def numbers(self) -> dict[tuple[int, int], int]:
        """Return the weight of all ways for each likelihood, by index, and number."""
        after = self.after()
        flows: dict[tuple[int, int], int] = {}
        for index, step in enumerate(self.plan.steps):
            if not isinstance(step, Close) or not step.weighs:
                continue
            self.meter.spend(len(self.layers[index]))
            on = after[index].get
            for state, ways in self.layers[index].items():
                weight = ways * on(state, 0)
                if weight:
                    for shift, mask, (weigh, settled) in step.weighs:
                        key = weigh, settled + (state >> shift & mask)
                        flows[key] = flows.get(key, 0) + weight
        return flows

    def draws(self, count: int, draw: Below) -> Iterator[list[Taken]]:
        """Yield ways drawn by their weight, each of ``(group, effect, members that take it)``.

        ``draw(n)`` gives a random int below ``n``.
        """
        self.after()
        start = self._forced(Option(0, self.total, (), (0, 0)))
        for _ in range(count):
            yield way(start, draw(start.beyond), self._node)

    def ways(
        self, write: Callable[[Sequence[Taken]], Sequence[Taken]]
    ) -> Iterator[Sequence[Taken]]:
        """Go through all ways once (`deduce.engines.count.sweep.draws.every_way`)."""
        self.after()
        return every_way(self._forced(Option(0, self.total, (), (0, 0))), self._node, write)

    def _forced(self, option: Option) -> Option:
        """Return an option that goes on as long as there is nothing to choose."""
        taken = list(option.taken)
        end = option.end
        while len(following := self._following(*end)) == 1:
            [(_, beyond, item, end)] = following
            option.beyond = beyond
            if item is not None:
                taken.append(item)
        option.taken, option.end = tuple(taken), end
        return option

    def _node(self, at: tuple[int, int]) -> Node | None:
        """Return the node at a step and state; ``None`` at the end of the sweep."""
        if at in self._nodes:
            return self._nodes[at]
        node = Node()
        first = 0
        for weight, beyond, item, end in self._following(*at):
            taken = () if item is None else (item,)
            node.options.append(self._forced(Option(first, beyond, taken, end)))
            first += weight
            node.ends.append(first)
        self._nodes[at] = found = node if node.options else None
        return found

    def _following(self, number: int, state: int) -> list[Choosable]:
        """Return the options at a step and a settled state, and the close that follows each."""
        steps = self.plan.steps
        if number == len(steps):
            return []
        step = steps[number]
        assert isinstance(step, Step), "a close is taken with the step before it"
        following = steps[number + 1] if number + 1 < len(steps) else None
        close = following if isinstance(following, Close) else None
        end = number + 1 + (close is not None)
        options = list(_options(step, close, state, end, self.folds[end], self._after[end]))
        counted = self._after[number][self.folds[number].represented(state)]
        assert sum(option[0] for option in options) == counted, "a draw leaves what is counted"
        return options


def _options(
    step: Step, close: Close | None, state: int, end: int, fold: Fold, after: States
) -> Iterator[Choosable]:
    """Yield the options for each choice, and the close that follows it."""
    for add, either, ways, effect, taken in step.choices[state >> step.shift & step.mask]:
        target = (state | either) + add
        weight = ways
        if target & step.guards:
            continue
        if close is not None:
            if (target + close.lift) & close.test != close.test:
                continue
            factor, target = close.closed(target)
            weight *= factor
        target = fold.settle(target)
        beyond = after.get(fold.represented(target), 0)
        if weight and beyond:
            item = (step.group, effect, taken) if taken else None
            yield weight * beyond, beyond, item, (end, target)


def _advance(step: Step, parts: Iterable[States]) -> States:
    following: States = {}
    weight_so_far = following.get
    shift, mask, guards, choices = step.shift, step.mask, step.guards, step.choices
    for states in parts:
        if mask:
            for state, ways in states.items():
                for add, either, weight, _, _ in choices[state >> shift & mask]:
                    target = (state | either) + add
                    if not target & guards:
                        following[target] = weight_so_far(target, 0) + ways * weight
            continue
        for add, either, weight, _, _ in choices[0]:
            if weight == 1 and not either:  # by far the most common: one variable, one value
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


def _close(close: Close, parts: Iterable[States]) -> States:
    following: States = {}
    lift, test, keep = close.lift, close.test, close.keep
    looks_up = bool(close.tables or close.codes)
    for states in parts:
        for state, ways in states.items():
            if (state + lift) & test == test:
                if looks_up:
                    factor, state = close.closed(state)
                    ways *= factor
                else:
                    state &= keep
                if ways:
                    following[state] = following.get(state, 0) + ways
    return following


def _retreated(step: Step, states: States, fold: Fold, after: States, flows: list[int]) -> States:
    """Return the weights before a step whose choices depend on the state; add to the flows."""
    before: States = {}
    ways_on = after.get
    shift, mask, choices = step.shift, step.mask, step.choices
    folds = bool(fold)
    for state, ways in states.items():
        total = 0
        for add, either, weight, effect, taken in choices[state >> shift & mask]:
            target = (state | either) + add
            on = ways_on(fold(target) if folds else target)
            if on:
                on *= weight
                total += on
                if taken:
                    flows[effect] += ways * on * taken
        if total:
            before[state] = total
    return before


def _all_retreated(
    step: Step, states: States, fold: Fold, after: States, flows: list[int]
) -> States:
    """Return the weights before a step with the same choices for every state, one by one."""
    many = list(states.values())
    totals = [0] * len(states)
    for add, either, weight, effect, taken in step.choices[0]:
        targets = [(state | either) + add for state in states]
        if fold:
            targets = list(map(fold, targets))
        on = list(map(after.get, targets, repeat(0)))
        totals = list(map(plus, totals, on if weight == 1 else [each * weight for each in on]))
        if taken:
            flows[effect] += sum(map(times, many, on)) * weight * taken
    return {state: total for state, total in zip(states, totals, strict=True) if total}


def _reopen(close: Close, parts: Iterable[States], fold: Fold, after: States) -> States:
    before: States = {}
    lift, test, keep = close.lift, close.test, close.keep
    folds, looks_up = bool(fold), bool(close.tables or close.codes)
    for state in chain.from_iterable(parts):
        if (state + lift) & test == test:
            factor, target = close.closed(state) if looks_up else (1, state & keep)
            if not factor:
                continue
            on = after.get(fold(target) if folds else target, 0)
            if on:
                before[state] = on * factor
    return before


def _folded(fold: Fold, parts: Iterable[States]) -> States:
    following: States = {}
    for states in parts:
        for state, ways in states.items():
            target = fold(state)
            following[target] = following.get(target, 0) + ways
    return following
