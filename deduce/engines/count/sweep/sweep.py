"""Dynamic programming over a plan: forward weights, backward weights, flows and draws.

`Pruner` finds early which states can no longer be completed. A counter that has reached its upper
bound blocks every effect that would add to it. What is left may then be too little for the lower
bound of another counter, or leave a variable without any value: a player whose hand is full cannot
hold the card that they must hold. Which counters are full is read off a state with one addition and
one mask; what follows from that is computed once for each combination that occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import chain, islice
from math import inf

from deduce.budget import UNLIMITED, Meter
from deduce.engines.core.residue import Group
from deduce.engines.count.sweep.draws import Below, Node, Option, Taken, every_way, way
from deduce.engines.count.sweep.folds import UNFOLDED, Fold, Folds
from deduce.engines.count.sweep.plan import Close, Field, Plan, Step

__all__ = ["NEVER", "ManyStates", "Pruner", "Remaining", "Sweep", "pieces"]


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
        self.folds: list[Fold | None] = [None] * (len(plan.steps) + 1)
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
            if (fold := self.folds[index + 1]) is not None:
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
            work = self.price + (0 if fold is None else fold.price)
            if isinstance(step, Close):
                after = _reopen(step, pieces(states, work, self.meter), fold, after)
            else:
                work += self.price * (len(step.choices[-1]) - 1)
                after = self._retreat(step, pieces(states, work, self.meter), fold, after)
            result.append(after)
        result.reverse()
        self._after = result
        return result

    def _retreat(
        self, step: Step, parts: Iterable[States], fold: Fold | None, after: States
    ) -> States:
        flows = [0] * len(step.group.effects)
        before: States = {}
        for states in parts:
            before |= _retreated(step, states, fold, after, flows)
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
        fold, before = self.folds[end] or UNFOLDED, self.folds[number] or UNFOLDED
        options = list(_options(step, close, state, end, fold, self._after[end]))
        counted = self._after[number][before.represented(state)]
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
    for state, ways in chain.from_iterable(map(dict.items, parts)):
        for add, either, weight, _, _ in choices[state >> shift & mask]:
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


def _retreated(
    step: Step, states: States, fold: Fold | None, after: States, flows: list[int]
) -> States:
    """Return the weights before a step; add to the flows."""
    before: States = {}
    ways_on = after.get
    shift, mask, choices = step.shift, step.mask, step.choices
    for state, ways in states.items():
        total = 0
        for add, either, weight, effect, taken in choices[state >> shift & mask]:
            target = (state | either) + add
            on = ways_on(target if fold is None else fold(target))
            if on:
                on *= weight
                total += on
                if taken:
                    flows[effect] += ways * on * taken
        if total:
            before[state] = total
    return before


def _reopen(close: Close, parts: Iterable[States], fold: Fold | None, after: States) -> States:
    before: States = {}
    lift, test, keep = close.lift, close.test, close.keep
    looks_up = bool(close.tables or close.codes)
    for state in chain.from_iterable(parts):
        if (state + lift) & test == test:
            factor, target = close.closed(state) if looks_up else (1, state & keep)
            if not factor:
                continue
            on = after.get(target if fold is None else fold(target), 0)
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
