"""The sweep over a plan by arrays: many states at a time, with exact weights.

The states before a step are a sorted array of 64-bit words. Every choice of the step maps all of
them at once; the results are nearly sorted stretches, so that a merge sort brings equal states
together in little more than linear time. Weights are `deduce.engines.counting.numbers.Numbers`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from math import inf

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from deduce.budget import Meter
from deduce.engines.counting.draws import Below, Taken
from deduce.engines.counting.folds import Alike, Fold, Folds
from deduce.engines.counting.numbers import ROUNDING, Numbers, modulus, primes, total
from deduce.engines.counting.plan import Choice, Close, Plan, Step
from deduce.engines.counting.prune import Remaining
from deduce.engines.counting.residue import Group
from deduce.engines.counting.sweep import ManyStates
from deduce.engines.model import bits_of

__all__ = ["ArraySweep", "TooLarge"]

PRICE = 8
"""Transitions that cost one step of a `deduce.budget.Budget`."""

OVERHEAD = 300
"""Steps that each step of the plan costs, however few states there are."""

CHUNK = 1 << 19
"""Transitions that are merged at a time."""

MAX_PRIMES = 30

MAX_GUARDS = 16
"""Up to this many bounded counters, which of them are full is looked up in a table."""

States = NDArray[np.uint64]
Indices = NDArray[np.int64]


class TooLarge(Exception):
    """Weights beyond what floats can hold; the dictionary sweep has no such limit."""


@frozen(eq=False)
class Stage:
    """A step of the plan and the close after it; or a close with tables, ``step=None``."""

    index: int
    """The position of its first step in the plan."""
    after: int
    """The position of the step that follows."""
    step: Step | None
    close: Close | None


@frozen(eq=False)
class Move:
    """One choice for many states: all of them, or those at the indices ``which``."""

    which: Indices | None
    targets: States
    choice: Choice
    factors: Numbers | None


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
        self.stages = list(_stages(plan))
        self.states = 0
        """The number of states of all steps."""
        self._members = 1 + sum(len(group.members) for group in plan.component.groups)
        with np.errstate(over="ignore", invalid="ignore"):
            try:
                self._sweep(primes(moduli))
                needed = self._primes_needed()
                if needed > moduli:
                    self._sweep(primes(needed))
            except OverflowError as error:
                raise TooLarge(str(error)) from None
        ways = self._last.ints(self._error)
        self.final = dict(zip(self._end.tolist(), ways, strict=True))
        self.total = sum(ways)
        self._after: list[Numbers] | None = None
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
        if not np.isfinite(size):
            raise TooLarge("the number of worlds does not fit a float")
        count = 0
        while not size * self._error * 8 < modulus(primes(count)):
            count += 1
            if count > MAX_PRIMES:
                raise TooLarge("too many primes")
        return count

    def _fold(self, stage: Stage) -> Fold:
        if self.folds is None:
            return Fold((), ())
        return self.folds.before(stage.after, self.apart)

    def _advance(self, stage: Stage, states: States, ways: Numbers) -> tuple[States, Numbers]:
        fold = self._fold(stage)
        merged: tuple[States, Numbers] = np.zeros(0, np.uint64), Numbers.zeros(0, self.moduli)
        targets: list[States] = []
        weights: list[Numbers] = []
        waiting = 0
        self.meter.spend(OVERHEAD)
        for move in self._moves(stage, states):
            self.meter.spend(len(states) // PRICE)
            here = ways if move.which is None else ways.take(move.which)
            here = here.times(move.choice[2])
            targets.append(folded(fold, move.targets))
            weights.append(here if move.factors is None else here * move.factors)
            waiting += len(move.targets)
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
        return states[starts], Numbers.joined(weights).grouped(order, starts)

    def _live(self, index: int, states: States, ways: Numbers) -> tuple[States, Numbers]:
        """Return the states that may still be completed, as `deduce.engines.counting.prune`."""
        if len(states) < self.prune_from:
            return states, ways
        remaining = Remaining(self.plan, index)
        if not remaining.full_test:
            return states, ways
        self.meter.spend(len(states) // PRICE + remaining.size)
        full = (states + np.uint64(remaining.full_lift)) & np.uint64(remaining.full_test)
        kinds, kind = _kinds(full, remaining.full_test)
        self.meter.spend(remaining.size * len(kinds) // PRICE)
        lifts, tests, never = _tests(remaining, kinds)
        test_of = tests[kind]
        live = ((states + lifts[kind]) & test_of) == test_of
        live &= ~never[kind]
        if live.all():
            return states, ways
        which = np.flatnonzero(live)
        return states[which], ways.take(which)

    def _moves(self, stage: Stage, states: States) -> Iterator[Move]:
        """Yield the choices that some states have; the targets are not folded."""
        close = stage.close
        if stage.step is None:
            assert close is not None
            yield from self._tables(close, states)
            return
        step = stage.step
        if not step.mask:
            for choice in step.choices[0]:
                yield from _move(choice, step.guards, close, states, None)
            return
        left = states >> np.uint64(step.shift) & np.uint64(step.mask)
        for members in np.unique(left).tolist():
            which = np.flatnonzero(left == np.uint64(members))
            some = states[which]
            for choice in step.choices[members]:
                yield from _move(choice, step.guards, close, some, which)

    def _tables(self, close: Close, states: States) -> Iterator[Move]:
        """Yield the one move of a close that multiplies weights."""
        which = np.flatnonzero(_passes(close, states))
        factors = Numbers.ones(len(which), self.moduli)
        for shift, mask, table in close.tables:
            entries = {number: weight for number, weight in sorted(table.items()) if weight}
            numbers = np.array(list(entries), np.uint64)
            values = states[which] >> np.uint64(shift) & np.uint64(mask)
            if not entries:
                return
            spot = np.minimum(np.searchsorted(numbers, values), len(numbers) - 1)
            allowed = np.flatnonzero(numbers[spot] == values)
            which, spot = which[allowed], spot[allowed]
            factors = factors.take(allowed)
            if any(weight != 1 for weight in entries.values()):
                factors = factors * Numbers.of(list(entries.values()), self.moduli).take(spot)
        yield Move(which, states[which] & _word(close.keep), (0, 0, 1, -1, 0), factors)

    def _then(self, move: Move, close: Close) -> Move:
        """Return a move and the close with tables after it."""
        for closed in self._tables(close, move.targets):
            assert closed.which is not None
            which = closed.which if move.which is None else move.which[closed.which]
            return Move(which, closed.targets, move.choice, closed.factors)
        nothing = np.zeros(0, np.int64)
        return Move(nothing, np.zeros(0, np.uint64), move.choice, None)

    # Backwards

    def flow(self, group: Group, effect: int) -> int:
        """Return the weight of all ways, each times the members that take the effect's values."""
        if not self._flows:
            for _ in self._backwards():
                pass
        return self._flows.get((group, effect), 0)

    def _backwards(self) -> Iterator[Numbers]:
        """Yield the weights of all completions of the states, from the end to the beginning."""
        states, after = self._end, Numbers.ones(len(self._end), self.moduli)
        yield after
        flows: dict[tuple[Group, int], int] = {}
        self._numbers = {}
        for stage, (here, ways) in zip(reversed(self.stages), reversed(self.layers), strict=True):
            fold = self._fold(stage)
            before = Numbers.zeros(len(here), self.moduli)
            self.meter.spend(OVERHEAD)
            for move in self._moves(stage, here):
                self.meter.spend(2 * len(here) // PRICE)
                spot, hit = _located(states, folded(fold, move.targets))
                which = hit if move.which is None else move.which[hit]
                on = after.take(spot).times(move.choice[2])
                if move.factors is not None:
                    on = on * move.factors.take(hit)
                before.add_at(which, on)
                _, _, _, effect, taken = move.choice
                if taken and stage.step is not None:
                    key = stage.step.group, effect
                    flow = total(ways.take(which) * on, self._error)
                    flows[key] = flows.get(key, 0) + flow * taken
            if stage.step is None and stage.close is not None:
                self._share_out(stage.close, here, ways * before)
            self._roundings += 4
            states, after = here, before
            yield after
        self._flows = flows

    def numbers(self) -> dict[tuple[int, int], int]:
        """Return the weight of all ways for each likelihood, by index, and number."""
        if not self._flows:
            for _ in self._backwards():
                pass
        return self._numbers

    def _share_out(self, close: Close, states: States, weights: Numbers) -> None:
        """Add the weights of states before a close to the numbers of its likelihoods."""
        for shift, mask, (index, settled) in close.weighs:
            values = states >> np.uint64(shift) & np.uint64(mask)
            for value in np.unique(values).tolist():
                some = weights.take(np.flatnonzero(values == np.uint64(value)))
                key = index, settled + value
                self._numbers[key] = self._numbers.get(key, 0) + total(some, self._error)

    def draws(self, count: int, draw: Below) -> list[list[Taken]]:
        """Return ways drawn by their weight, each of ``(group, effect, members that take it)``.

        ``draw(n)`` gives a random int below ``n``.
        """
        if self._after is None:
            self._after = list(self._backwards())[::-1]
        ends = [states for states, _ in self.layers[1:]] + [self._end]
        at = [0] * count
        ways: list[list[Taken]] = [[] for _ in range(count)]
        for number, stage in enumerate(self.stages):
            if stage.step is None:
                continue  # was done with the step before it
            here = np.unique(np.array(at, np.uint64))
            options: dict[int, list[tuple[int, int, int, int]]] = {s: [] for s in here.tolist()}
            end = number
            tables = None
            if number + 1 < len(self.stages) and self.stages[number + 1].step is None:
                end += 1
                tables = self.stages[end].close
            fold = self._fold(self.stages[end])
            for move in self._moves(stage, here):
                move = move if tables is None else self._then(move, tables)
                spot, hit = _located(ends[end], folded(fold, move.targets))
                which = hit if move.which is None else move.which[hit]
                on = self._after[end + 1].take(spot).times(move.choice[2])
                if move.factors is not None:
                    on = on * move.factors.take(hit)
                weights = on.ints(self._error)
                sources, targets = here[which].tolist(), move.targets[hit].tolist()
                for source, target, weight in zip(sources, targets, weights, strict=True):
                    options[source].append((weight, target, move.choice[3], move.choice[4]))
            sums = {state: sum(option[0] for option in some) for state, some in options.items()}
            for n, state in enumerate(at):
                spot_left = draw(sums[state])
                for weight, target, effect, taken in options[state]:
                    if spot_left < weight:
                        if taken and stage.step is not None:
                            ways[n].append((stage.step.group, effect, taken))
                        at[n] = target
                        break
                    spot_left -= weight
        return ways


def folded(fold: Fold, states: States) -> States:
    """Return for each state the one that represents all those with the same future."""
    for shift, mask, first, span in fold.settled:
        beyond = (states >> np.uint64(shift) & np.uint64(mask)) - np.uint64(first)
        beyond[beyond > np.uint64(span)] = 0
        states = states - (beyond << np.uint64(shift))
    for alike in fold.alike:
        states = _sorted(alike, states)
    return states


def _sorted(alike: Alike, states: States) -> States:
    wipe = _word(alike.wipe)
    if alike.masks == (1,):
        spread = [0]
        for (shift,) in reversed(alike.shifts):
            spread.append(spread[-1] | 1 << shift)
        low: States = np.array(spread, np.uint64)[np.bitwise_count(states & wipe)]
        return states & ~wipe | low
    keys = np.zeros((len(alike.shifts), len(states)), np.uint64)
    widths = [mask.bit_length() for mask in alike.masks]
    for row, shifts in zip(keys, alike.shifts, strict=True):
        for shift, mask, width in zip(shifts, alike.masks, widths, strict=True):
            row <<= np.uint64(width)
            row |= states >> np.uint64(shift) & np.uint64(mask)
    _sort_rows(keys)
    states = states & ~wipe
    for row, shifts in zip(keys, alike.shifts, strict=True):
        for shift, mask, width in reversed(list(zip(shifts, alike.masks, widths, strict=True))):
            states |= (row & np.uint64(mask)) << np.uint64(shift)
            row >>= np.uint64(width)
    return states


def _sort_rows(rows: States) -> None:
    """Sort each column by exchanges between rows (Batcher's odd-even merge sort)."""
    count = len(rows)
    p = 1
    while p < count:
        k = p
        while k >= 1:
            for j in range(k % p, count - k, 2 * k):
                for i in range(min(k, count - j - k)):
                    if (i + j) // (2 * p) == (i + j + k) // (2 * p):
                        low = np.minimum(rows[i + j], rows[i + j + k])
                        np.maximum(rows[i + j], rows[i + j + k], out=rows[i + j + k])
                        rows[i + j] = low
            k //= 2
        p *= 2


def _kinds(full: States, test: int) -> tuple[States, Indices]:
    """Return the different sets of full counters, and for each state which one it has."""
    guards = list(bits_of(test))
    if len(guards) > MAX_GUARDS:
        kinds, kind = np.unique(full, return_inverse=True)
        return kinds, kind
    packed = np.zeros(len(full), np.uint64)
    for place, guard in enumerate(guards):
        packed |= (full >> np.uint64(guard.bit_length() - 1) & np.uint64(1)) << np.uint64(place)
    occurs = np.zeros(1 << len(guards), bool)
    occurs[packed] = True
    codes = np.flatnonzero(occurs)
    number = np.zeros(1 << len(guards), np.int64)
    number[codes] = np.arange(len(codes))
    kinds = np.zeros(len(codes), np.uint64)
    for place, guard in enumerate(guards):
        kinds |= (codes.astype(np.uint64) >> np.uint64(place) & np.uint64(1)) * np.uint64(guard)
    return kinds, number[packed]


def _tests(remaining: Remaining, kinds: States) -> tuple[States, States, NDArray[np.bool_]]:
    """Return lift, test and whether no state passes for each set of full counters.

    The same as `deduce.engines.counting.prune.Remaining.test` for many sets at a time.
    """
    never = np.zeros(len(kinds), bool)
    offered = {bit: np.zeros(len(kinds), np.int64) for bit, *_ in remaining.needs}
    for size, untouched, effects in remaining.groups.values():
        free = np.zeros(len(kinds), bool)
        union: dict[int, NDArray[np.bool_]] = {}
        for guards, touches in effects:
            allowed = (kinds & np.uint64(guards)) == 0
            free |= allowed
            for bit in bits_of(touches):
                if bit in offered:
                    union[bit] = union[bit] | allowed if bit in union else allowed
        if untouched:
            never |= ~free
        for bit, allowed in union.items():
            offered[bit] += size * allowed
    lifts = np.zeros(len(kinds), np.uint64)
    tests = np.zeros(len(kinds), np.uint64)
    for bit, field, low, amount, _ in remaining.needs:
        missing = low - amount * offered[bit]
        short = missing > 0
        if field is None:
            never |= short
        elif short.any():
            lift = ((1 << field.width) - field.bias - missing).astype(np.uint64)
            lifts |= np.where(short, lift << np.uint64(field.shift), np.uint64(0))
            tests |= np.where(short, np.uint64(field.guard), np.uint64(0))
    return lifts, tests, never


def _stages(plan: Plan) -> Iterator[Stage]:
    steps = plan.steps
    for index, step in enumerate(steps):
        following = steps[index + 1] if index + 1 < len(steps) else None
        if isinstance(step, Close):
            if step.tables:
                yield Stage(index, index + 1, None, step)
        elif isinstance(following, Close) and not following.tables:
            yield Stage(index, index + 2, step, following)
        else:
            yield Stage(index, index + 1, step, None)


def _move(
    choice: Choice, guards: int, close: Close | None, states: States, which: Indices | None
) -> Iterator[Move]:
    add, either, _, _, _ = choice
    targets = (states | np.uint64(either)) + np.uint64(add & (1 << 64) - 1)
    live = None
    if guards:
        live = (targets & np.uint64(guards)) == 0
    if close is not None and close.test:
        passes = _passes(close, targets)
        live = passes if live is None else live & passes
    if live is not None:
        some = np.flatnonzero(live)
        if len(some) < len(targets):
            targets = targets[some]
            which = some if which is None else which[some]
    if close is not None:
        targets = targets & _word(close.keep)
    if len(targets):
        yield Move(which, targets, choice, None)


def _passes(close: Close, states: States) -> NDArray[np.bool_]:
    test = np.uint64(close.test)
    passes: NDArray[np.bool_] = ((states + np.uint64(close.lift)) & test) == test
    return passes


def _located(states: States, targets: States) -> tuple[Indices, Indices]:
    """Return where the targets are among the states, and which of them are there."""
    if not len(states):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    spot = np.minimum(np.searchsorted(states, targets), len(states) - 1)
    hit = np.flatnonzero(states[spot] == targets)
    return spot[hit], hit


def _word(number: int) -> np.uint64:
    return np.uint64(number & (1 << 64) - 1)
