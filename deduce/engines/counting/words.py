"""States as arrays of 64-bit words: which of them are the same, and which can be completed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from deduce.engines.counting.folds import Alike, Fold
from deduce.engines.counting.prune import Remaining
from deduce.engines.masks import bits_of

__all__ = [
    "Indices",
    "States",
    "folded",
    "full_kinds",
    "located",
    "represented",
    "settled",
    "tests_of",
    "word",
]

MAX_GUARDS = 16
"""Up to this many bounded counters, which of them are full is looked up in a table."""

States = NDArray[np.uint64]
Indices = NDArray[np.int64]


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


def tests_of(
    remaining: Remaining, kinds: States, check: Callable[[], None]
) -> tuple[States, States, NDArray[np.bool_]]:
    """Return lift, test and whether no state passes for each set of full counters.

    The same as `deduce.engines.counting.prune.Remaining.test` for many sets at a time. ``check``
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
