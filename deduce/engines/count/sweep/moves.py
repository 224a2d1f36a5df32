"""States as arrays of 64-bit words: the choices of one step, where they lead, and what is the same.

For many states at a time, as `deduce.engines.count.sweep.folds` and `Pruner` for one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from deduce.engines.core.masks import bits_of
from deduce.engines.count.sweep.folds import Alike, Fold
from deduce.engines.count.sweep.numbers import Indices, Numbers
from deduce.engines.count.sweep.plan import Choice, Close, Plan, Step
from deduce.engines.count.sweep.sweep import Remaining

__all__ = [
    "Move",
    "Stage",
    "States",
    "folded",
    "full_kinds",
    "located",
    "moves",
    "represented",
    "settled",
    "stages",
    "tests_of",
    "then",
]

MAX_GUARDS = 16
"""Up to this many bounded counters, which of them are full is looked up in a table."""

CLOSES: Choice = (0, 0, 1, -1, 0)
"""The choice of a close: there is none."""

States = NDArray[np.uint64]


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


def moves(stage: Stage, states: States, moduli: tuple[int, ...]) -> Iterator[Move]:
    """Yield the choices that some states have; the targets are not folded."""
    close = stage.close
    if stage.step is None:
        assert close is not None
        digits = states & np.uint64((1 << close.digits) - 1)
        for digit in np.unique(digits) if close.digits else (None,):
            which = None if digit is None else np.flatnonzero(digits == digit)
            move = Move(which, states if which is None else states[which], CLOSES, None)
            yield then(move, close, moduli)
        return
    chosen = _chosen(stage.step, None if close and close.codes else close, states)
    yield from (then(move, close, moduli) for move in chosen) if close and close.codes else chosen


def _chosen(step: Step, close: Close | None, states: States) -> Iterator[Move]:
    """Yield the choices of a step, and a close that does not look up."""
    if not step.mask:
        for choice in step.choices[0]:
            yield from _move(choice, step.guards, close, states, None)
        return
    left = states >> np.uint64(step.shift) & np.uint64(step.mask)
    for members in np.flatnonzero(np.bincount(np.asarray(left.view(np.int64), np.intp))).tolist():
        which = np.flatnonzero(left == np.uint64(members))
        some = states[which]
        for choice in step.choices[members]:
            yield from _move(choice, step.guards, close, some, which)


def _looked_up(keys: Sequence[int], numbers: States, mask: int) -> tuple[Indices, Indices]:
    """Return where the lowest bits of those numbers are in a sorted list that are there; which."""
    return located(np.array(keys, np.uint64), numbers & np.uint64(mask))


def then(move: Move, close: Close, moduli: tuple[int, ...]) -> Move:
    """Return a move and the close after it, which multiplies weights, or has codes.

    All states have the same digit.
    """
    states, factors = move.targets, move.factors
    digit = int(states[0]) & (1 << close.digits) - 1 if len(states) else 0
    which = np.flatnonzero(_passes(close, states)) if close.test else np.arange(len(states))
    states = states[which]
    targets = states & word(close.keep)
    for shift, mask, table in close.tables:
        entries = {number: weight for number, weight in sorted(table.items()) if weight}
        spot, allowed = _looked_up(list(entries), states >> np.uint64(shift), mask)
        which, states, targets = which[allowed], states[allowed], targets[allowed]
        factors = factors and factors.take(allowed)
        if any(weight != 1 for weight in entries.values()):
            weights = Numbers.of(list(entries.values()), moduli).take(spot)
            factors = weights if factors is None else factors * weights
    for shift, mask, by_digit in close.codes:
        codes = sorted(by_digit[digit])
        spot, allowed = _looked_up(codes, states >> np.uint64(shift), mask)
        changes = np.array([by_digit[digit][code] for code in codes], np.uint64)
        which, states = which[allowed], states[allowed]
        targets = targets[allowed] ^ changes[spot]
        factors = factors and factors.take(allowed)
    which = which if move.which is None else move.which[which]
    return Move(which, targets, move.choice, factors)


def stages(plan: Plan) -> Iterator[Stage]:
    """Yield the steps of a plan, each with the close after it if that has no tables.

    With these, states of the same numbers are made one first.
    """
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
        targets = targets & word(close.keep)
    if len(targets):
        yield Move(which, targets, choice, None)


def _passes(close: Close, states: States) -> NDArray[np.bool_]:
    test = np.uint64(close.test)
    passes: NDArray[np.bool_] = ((states + np.uint64(close.lift)) & test) == test
    return passes


def folded(fold: Fold, states: States) -> States:
    """Return for each state the one that represents all those with the same future."""
    return represented(fold, settled(fold, states))


def settled(fold: Fold, states: States) -> States:
    """Return for each state the one from which a draw continues."""
    for shift, mask, first, span in fold.settled:
        beyond = (states >> np.uint64(shift) & np.uint64(mask)) - np.uint64(first)
        beyond[beyond > np.uint64(span)] = 0
        states = states - (beyond << np.uint64(shift))
    return states


def represented(fold: Fold, states: States) -> States:
    """Return for each settled state the one that represents all those with the same future."""
    for alike in fold.alike:
        states = _sorted(alike, states)
    return states


def _sorted(alike: Alike, states: States) -> States:
    wipe = word(alike.wipe)
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
    keys.sort(axis=0)
    states = states & ~wipe
    for row, shifts in zip(keys, alike.shifts, strict=True):
        for shift, mask, width in reversed(list(zip(shifts, alike.masks, widths, strict=True))):
            states |= (row & np.uint64(mask)) << np.uint64(shift)
            row >>= np.uint64(width)
    return states


def located(states: States, targets: States) -> tuple[Indices, Indices]:
    """Return where the targets are among the states, and which of them are there."""
    if not len(states):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    spot = np.minimum(np.searchsorted(states, targets), len(states) - 1)
    hit = np.flatnonzero(states[spot] == targets)
    return spot[hit], hit


def word(number: int) -> np.uint64:
    """Return the lowest 64 bits of an int, which may be negative."""
    return np.uint64(number & (1 << 64) - 1)


def full_kinds(full: States, test: int) -> tuple[States, Indices]:
    """Return the different sets of full counters, and for each state which one it has."""
    guards = list(bits_of(test))
    if len(guards) > MAX_GUARDS:
        kinds, kind = np.unique(full, return_inverse=True)
        return kinds, kind
    code = np.zeros(len(full), np.uint64)
    for place, guard in enumerate(guards):
        code |= (full >> np.uint64(guard.bit_length() - 1) & np.uint64(1)) << np.uint64(place)
    meant, occurs = np.zeros(1 << len(guards), np.uint64), np.zeros(1 << len(guards), bool)
    meant[code], occurs[code] = full, True
    return meant[occurs], (occurs.cumsum() - 1)[code]


def tests_of(
    remaining: Remaining, kinds: States, check: Callable[[], None]
) -> tuple[States, States, NDArray[np.bool_]]:
    """Return lift, test and whether no state passes for each set of full counters.

    The same as `deduce.engines.count.sweep.sweep.Remaining.test` for many sets at a time. ``check``
    is called from time to time.
    """
    blocked = {guards: (kinds & np.uint64(guards)) != 0 for guards in remaining.guards}

    def all_blocked(guards: Iterable[int]) -> NDArray[np.bool_]:
        result = np.ones(len(kinds), bool)
        for guard in guards:
            result &= blocked[guard]
        return result

    never = np.zeros(len(kinds), bool)
    for choice in remaining.choices:
        check()
        never |= all_blocked(choice)
    lifts = np.zeros(len(kinds), np.uint64)
    tests = np.zeros(len(kinds), np.uint64)
    for field, least, blockable in remaining.needs:
        if least + sum(amount for _, amount in blockable) <= 0:
            continue
        check()
        missing = np.full(len(kinds), least, np.int64)
        for guards, amount in blockable:
            missing += amount * all_blocked(guards)
        short = missing > 0
        if field is None:
            never |= short
        elif short.any():
            lift = ((1 << field.width) - field.bias - missing).astype(np.uint64)
            lifts |= np.where(short, lift << np.uint64(field.shift), np.uint64(0))
            tests |= np.where(short, np.uint64(field.guard), np.uint64(0))
    return lifts, tests, never
