"""The sweep over a plan by arrays: many states at a time, with exact weights.

The states before a step are a sorted array of 64-bit words. Every choice of the step maps all of
them at once; the results are nearly sorted stretches, so that a merge sort brings equal states
together in little more than linear time. Weights are `deduce.engines.count.sweep.numbers.Numbers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from math import ceil, inf, lgamma, log, log2

import numpy as np
from attrs import evolve

from deduce.budget import Meter
from deduce.engines.core.residue import Group, hands_of
from deduce.engines.count.sweep.draws import Below, Taken
from deduce.engines.count.sweep.folds import UNFOLDED, Fold, Folds
from deduce.engines.count.sweep.moves import (
    Move,
    Stage,
    States,
    full_kinds,
    located,
    moves,
    represented,
    settled,
    stages,
    tests_of,
    then,
)
from deduce.engines.count.sweep.numbers import (
    ROUNDING,
    Indices,
    Numbers,
    Options,
    TooLarge,
    primes,
    primes_above,
    total,
)
from deduce.engines.count.sweep.plan import Close, Plan
from deduce.engines.count.sweep.sweep import ManyStates, Remaining

__all__ = ["ArraySweep", "live_states"]

PRICE = 8
"""Transitions that cost one step of a `deduce.budget.Budget`."""

KINDS = 64
"""Sets of full counters that are looked at in a step, for one of the guards that may block."""

OVERHEAD = 300
"""Steps that each step of the plan costs, however few states there are."""

WORD_BITS, PRIME_BITS = 78, 31
"""Bits of a number that a word and a float tell in a large sweep, and each prime beside them."""

MAX_GUESSED = 2
"""More primes are used only if a sweep has shown that they are needed."""

CHUNK = 1 << 19
"""Transitions that are merged at a time."""


class ArraySweep:
    """The weights of one component's partial worlds.

    Parameters
    ----------
    plan
        A plan whose states have at most 64 bits.
    meter
        Counts the transitions of both passes.
    folds
        The states that have the same future, or ``None``: no states are made one.
    apart
        The values whose marginals are asked for: they are not made one with others; ``None``: all
        values.
    keep
        Whether the states of all steps are kept, which flows and draws need.
    prune_from
        From how many states on those are dropped that cannot be completed.
    moduli
        The least number of primes beside the machine words.
    max_states
        The most states of all steps together.

    Attributes
    ----------
    total : int
        The weighted number of ways to fill the component.
    final : Mapping[int, int]
        The states at the end, which differ in the answers of questions, with their weights.

    Raises
    ------
    Undecided
        When the meter's budget is used up.
    ManyStates
        There are more states than ``max_states``.
    TooLarge
        A weight does not fit a float.
    """

    def __init__(
        self,
        plan: Plan,
        meter: Meter,
        *,
        folds: Folds | None = None,
        apart: Set[int] | None = None,
        keep: bool = True,
        prune_from: int = 400,
        moduli: int = 0,
        max_states: float = inf,
    ) -> None:
        self.plan = plan
        self.meter = meter
        self.component = plan.component
        self.prune_from = prune_from
        self.folds = folds
        self.apart: Set[int] | None = apart
        self.keep = keep
        self.max_states = max_states
        self.stages = list(stages(plan))
        self.states = 0
        """The number of states of all steps."""
        self._members = 1 + sum(len(group.members) for group in plan.component.groups)
        with np.errstate(over="ignore", invalid="ignore"):
            try:
                self._sweep(primes(max(moduli, self._primes_guessed())))
                needed = max(moduli, self._primes_needed())
                if needed > len(self.moduli):
                    self._sweep(primes(needed))
                else:
                    self._keep_primes(needed)
            except OverflowError as error:
                raise TooLarge(str(error)) from None
        ways = self._last.ints(self._error)
        self.final = dict(zip(self._end.tolist(), ways, strict=True))
        self.total = sum(ways)
        self._after: list[Numbers] | None = None
        self._known: dict[tuple[int, int], Options] = {}
        """What a state that was drawn alone may choose, by its stage."""
        self._flows: dict[tuple[Group, int], int] = {}
        self._numbers: dict[tuple[int, int], int] = {}

    # Forwards

    def _sweep(self, moduli: tuple[int, ...]) -> None:
        self.moduli = moduli
        self.layers: list[tuple[States, Numbers]] = []
        self._roundings = 4.0 * len(self.stages)
        self._largest = 1
        self.states = 0
        states, ways = np.zeros(1, np.uint64), Numbers.ones(1, moduli)
        for stage in self.stages:
            if stage.step is not None:
                states, ways = self._live(stage.index, states, ways)
            self.states += len(states)
            if self.states > self.max_states:
                raise ManyStates
            self._largest = max(self._largest, len(states))
            if self.keep:
                self.layers.append((states, ways))
            states, ways = self._advance(stage, states, ways)
        self._end, self._last = states, ways
        self._largest = max(self._largest, len(states))

    @property
    def _error(self) -> float:
        """A bound of the relative error of a size, of the flows and of the sums too."""
        return 2.0 * (2.0 * self._roundings + self._largest * len(self.stages)) * ROUNDING

    def _primes_needed(self) -> int:
        size = float(self._last.sizes.sum()) * self._members
        return primes_above(size * self._error * 8)

    def _primes_guessed(self) -> int:
        """Return how many primes may be needed: if they suffice, one sweep is enough.

        As if each member was in each hand that it may be in with the share of its size: within a
        factor of 2^4 of the number of worlds in positions of 40 cards and ten players.
        """
        counters, groups = self.component.counters, self.component.groups
        room = {number: counters[number].high for number in hands_of(self.component)}
        bits = 0.0
        if room:
            sizes = [lgamma(1 + high) for high in room.values()]
            bits = (lgamma(self._members) - sum(sizes)) / log(2)
        whole = sum(room.values()) or 1
        for group in groups:
            ways = sum(
                e.values.bit_count()
                * e.weight
                * max((room[n] for n, _ in e.adds if n in room), default=1)
                for e in group.effects
            )
            bits += len(group.members) * log2(max(1, ways) / whole)
        return min(MAX_GUESSED, max(0, ceil((bits - WORD_BITS) / PRIME_BITS)))

    def _keep_primes(self, needed: int) -> None:
        """Leave out the primes that are not needed."""
        self.moduli = self.moduli[:needed]
        self._last = self._last.with_primes(needed)
        self.layers = [(states, ways.with_primes(needed)) for states, ways in self.layers]

    def _fold(self, index: int) -> Fold:
        """Return the fold of the states before a step of the plan."""
        return (self.folds and self.folds.before(index, self.apart)) or UNFOLDED

    def _moves(
        self, stage: Stage, states: States, closing: Stage | None = None
    ) -> Iterator[tuple[Move, States]]:
        """Yield the choices of a stage, with where they lead: for draws, and for all else.

        The targets of a move are settled, and not sorted. The states beside it represent them. A
        stage that is only ``closing`` may be done at once.
        """
        fold = self._fold((closing or stage).after)
        for move in moves(stage, states, self.moduli):
            if closing is not None and closing.close is not None:
                move = then(move, closing.close, self.moduli)
            targets = settled(fold, move.targets)
            yield evolve(move, targets=targets), represented(fold, targets)

    def _advance(self, stage: Stage, states: States, ways: Numbers) -> tuple[States, Numbers]:
        merged: tuple[States, Numbers] = np.zeros(0, np.uint64), Numbers.zeros(0, self.moduli)
        targets: list[States] = []
        weights: list[Numbers] = []
        waiting = 0
        self.meter.spend(OVERHEAD)
        for move, following in self._moves(stage, states):
            self.meter.spend(_price(move, states))
            here = ways if move.which is None else ways.take(move.which)
            here = here.times(move.choice[2])
            targets.append(following)
            weights.append(here if move.factors is None else here * move.factors)
            waiting += len(following)
            if waiting > max(CHUNK, len(merged[0])):
                merged = self._merge([merged[0], *targets], [merged[1], *weights])
                targets, weights, waiting = [], [], 0
        if targets:
            merged = self._merge([merged[0], *targets], [merged[1], *weights])
        if not np.isfinite(merged[1].sizes).all():
            raise TooLarge("a weight does not fit a float")
        return merged

    def _merge(
        self, targets: Sequence[States], weights: Sequence[Numbers]
    ) -> tuple[States, Numbers]:
        self.meter.check()  # what follows takes long for many states
        states = np.concatenate(targets)
        if not len(states):
            return states, Numbers.zeros(0, self.moduli)
        order = np.argsort(states, kind="stable")
        self.meter.check()
        states = states[order]
        starts = np.flatnonzero(np.concatenate(([True], states[1:] != states[:-1])))
        self._roundings += float(np.diff(starts, append=len(states)).max())
        states = states[starts]
        self.meter.check()
        numbers = Numbers.joined(weights)
        self.meter.check()
        return states, numbers.grouped(order, starts, self.meter.check)

    def _live(self, index: int, states: States, ways: Numbers) -> tuple[States, Numbers]:
        """Return the states that may still be completed, as `deduce.engines.count.sweep.sweep`."""
        if len(states) < self.prune_from:
            return states, ways
        which = live_states(Remaining(self.plan, index), states, self.meter)
        return (states, ways) if which is None else (states[which], ways.take(which))

    # Backwards

    def flow(self, group: Group, effect: int) -> int:
        """Return the weight of all ways, each times the members that take the effect's values."""
        if not self._flows:
            for _ in self._backwards():
                pass
        return self._flows.get((group, effect), 0)

    def _backwards(self, *, tallied: bool = True) -> Iterator[Numbers]:
        """Yield the weights of all completions of the states, from the end to the beginning.

        The flows and the numbers are known afterwards, if they are to be ``tallied``.
        """
        states, after = self._end, Numbers.ones(len(self._end), self.moduli)
        yield after
        flows: dict[tuple[Group, int], int] = {}
        if tallied:
            self._numbers = {}
        for stage, (here, ways) in zip(reversed(self.stages), reversed(self.layers), strict=True):
            before = Numbers.zeros(len(here), self.moduli)
            self.meter.spend(OVERHEAD)
            for move, following in self._moves(stage, here):
                self.meter.spend(_price(move, here))
                spot, hit = located(states, following)
                which = hit if move.which is None else move.which[hit]
                on = after.take(spot).times(move.choice[2])
                if move.factors is not None:
                    on = on * move.factors.take(hit)
                before.add_at(which, on)
                _, _, _, effect, taken = move.choice
                if tallied and taken and stage.step is not None:
                    key = stage.step.group, effect
                    flow = total(ways.take(which) * on, self._error)
                    flows[key] = flows.get(key, 0) + flow * taken
            if tallied and stage.step is None and stage.close is not None:
                self._share_out(stage.close, here, ways * before)
            self._roundings += 4
            states, after = here, before
            yield after
        if tallied:
            self._flows = flows

    def numbers(self) -> dict[tuple[int, int], int]:
        """Return the weight of all ways for each likelihood, by index, and number."""
        if not self._flows:
            for _ in self._backwards():
                pass
        return self._numbers

    def _share_out(self, close: Close, states: States, weights: Numbers) -> None:
        """Add the weights of states before a close to the numbers of its likelihoods."""
        for shift, mask, (index, least) in close.weighs:
            values = states >> np.uint64(shift) & np.uint64(mask)
            for value in np.unique(values).tolist():
                some = weights.take(np.flatnonzero(values == np.uint64(value)))
                key = index, least + value
                self._numbers[key] = self._numbers.get(key, 0) + total(some, self._error)

    def draws(self, count: int, draw: Below) -> list[list[Taken]]:
        """Return ways drawn by their weight, each of ``(group, effect, members that take it)``.

        ``draw(n)`` gives a random int below ``n``.
        """
        if self._after is None:
            self._after = list(self._backwards(tallied=False))[::-1]
        at = np.zeros(count, np.uint64)
        ways: list[list[Taken]] = [[] for _ in range(count)]
        for number, stage in enumerate(self.stages):
            if stage.step is None:
                continue  # was done with the step before it
            here, source = np.unique(at, return_inverse=True)
            options = self._options(number, here)
            at, drawn = options.drawn(source, draw, self._error)
            for choice, those in drawn:
                _, _, _, effect, taken = choice
                if taken:
                    item = stage.step.group, effect, taken
                    for n in those.tolist():
                        ways[n].append(item)
        return ways

    def _options(self, number: int, here: States) -> Options:
        """Return what some states may choose in a stage; that of one state is kept."""
        key = number, int(here[0])
        if len(here) == 1 and key in self._known:
            return self._known[key]
        assert self._after is not None
        stage = self.stages[number]
        following = self.stages[number + 1 : number + 2]
        closing = next((other for other in following if other.step is None), None)
        end = number + 1 + (closing is not None)
        ends = self.layers[end][0] if end < len(self.layers) else self._end
        options = Options(len(here))
        for move, targets in self._moves(stage, here, closing):
            spot, hit = located(ends, targets)
            which = hit if move.which is None else move.which[hit]
            on = self._after[end].take(spot).times(move.choice[2])
            if move.factors is not None:
                on = on * move.factors.take(hit)
            options.add(which, on, move.targets[hit], move.choice)
        spot, _ = located(self.layers[number][0], represented(self._fold(stage.index), here))
        counted = self._after[number].take(spot).words
        assert np.array_equal(options.words(), counted), "a draw leaves what is counted"
        if len(here) == 1:
            self._known[key] = options
        return options


def live_states(remaining: Remaining, states: States, meter: Meter) -> Indices | None:
    """Return which states may still be completed by what remains; ``None``: all, as far as known.

    The same as `deduce.engines.count.sweep.sweep.Pruner.live` for many states at a time.
    """
    if not remaining.full_test:
        return None
    meter.spend(len(states) // PRICE + remaining.read)
    meter.check()
    full = (states + np.uint64(remaining.full_lift)) & np.uint64(remaining.full_test)
    kinds, kind = full_kinds(full, remaining.full_test)
    meter.spend(remaining.size * len(kinds) // KINDS)
    lifts, tests, never = tests_of(remaining, kinds, meter.check)
    test_of = tests[kind]
    live = ((states + lifts[kind]) & test_of) == test_of
    live &= ~never[kind]
    if live.all():
        return None
    meter.check()
    return np.flatnonzero(live)


def _price(move: Move, states: States) -> int:
    """Return the steps that a choice costs: for where it leads, and to look at all states."""
    return (len(move.targets) + len(states) // 8) // PRICE
