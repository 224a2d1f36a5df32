"""Minimal and smallest conflicts among units, whatever the units are.

* QuickXplain (Junker, *QuickXPlain: preferred explanations and relaxations*, AAAI 2004) gives a
  minimal set that prefers early units, with few checks;
* implicit hitting sets (Ignatiev et al., *Smallest MUS extraction with minimal hitting set
  dualization*, CP 2015) look for a set with fewer units, and prove that there is none, within a
  limit of checks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from typing import Any

from deduce.budget import Budget, Meter
from deduce.errors import Undecided

__all__ = ["Check", "quickxplain", "smallest_conflict", "smallest_hitting_set"]

CHECKS = 400
"""How many consistency checks the search for a smaller conflict may take."""

SETS = Budget(steps=20_000)
"""How many partial hitting sets that search may try: some tenths of a second."""

Check = Callable[[Sequence[Hashable]], object]
"""Returns a world that fits these units (any object), or ``None`` when they are in conflict."""


def quickxplain(check: Check, units: Sequence[Hashable]) -> list[Hashable]:
    """Return a minimal conflict among the units, preferring early ones.

    Parameters
    ----------
    check
        Returns a world for a selection of units, or ``None`` when they are in conflict.
    units
        All units, which are in conflict together.

    Examples
    --------
    >>> def check(units):
    ...     return None if {2, 5} <= set(units) else {"a": "world"}
    >>> quickxplain(check, range(8))
    [2, 5]
    """

    def shrink(
        background: list[Hashable], candidates: list[Hashable], *, changed: bool
    ) -> list[Hashable]:
        if changed and check(background) is None:
            return []
        if len(candidates) == 1:
            return candidates
        half = len(candidates) // 2
        early, late = candidates[:half], candidates[half:]
        needed_late = shrink(background + early, late, changed=bool(early))
        needed_early = shrink(background + needed_late, early, changed=bool(needed_late))
        return needed_early + needed_late

    listed = list(units)
    if not listed or check([]) is None:
        return []
    return shrink([], listed, changed=False)


def smallest_conflict(
    check: Check,
    units: Sequence[Hashable],
    conflict: list[Hashable],
    fitting: Callable[[Any], set[Hashable]],
    *,
    checks: int | None = None,
    sets: Budget | None = None,
) -> tuple[list[Hashable], bool]:
    """Return a conflict with as few units as possible, and whether that is proved.

    Every set of units that fits some world as a whole leaves a *correction set*: each conflict
    contains one of the others. So a smallest hitting set of the correction sets is never larger
    than a smallest conflict, and it is one as soon as it is itself in conflict. If the limits, or
    the budget of a check, do not suffice, ``conflict`` is returned as it was given.

    Parameters
    ----------
    check, units
        As for `quickxplain`.
    conflict
        A minimal conflict, the best so far.
    fitting
        Returns the units that a world satisfies.
    checks
        The maximum number of checks, not counting those that a check itself leads to; by default
        `CHECKS`.
    sets
        What the search for hitting sets may spend, in partial sets; by default `SETS`.
    """
    place = {unit: i for i, unit in enumerate(units)}
    corrections: list[frozenset[int]] = []
    meter = (sets or SETS).meter()
    left = CHECKS if checks is None else checks
    with suppress(Undecided):
        while left > 0:
            hitting = smallest_hitting_set(corrections, len(conflict) - 1, meter)
            if hitting is None:
                return conflict, True
            chosen = [units[i] for i in hitting]
            world = check(chosen)
            left -= 1
            if world is None:
                return chosen, True
            fits = fitting(world) | set(chosen)
            for unit in units:
                if unit not in fits:
                    world = check([*fits, unit])
                    left -= 1
                    if world is not None:
                        fits |= fitting(world) | {unit}
            corrections.append(frozenset(place[unit] for unit in units if unit not in fits))
    return conflict, False


def smallest_hitting_set(
    sets: Sequence[frozenset[int]], limit: int, meter: Meter
) -> list[int] | None:
    """Return a smallest set of at most ``limit`` ints that meets every set, the earliest of them.

    Sizes are tried in turn, so the first set that is found is a smallest. Disjoint sets need an
    int each, which bounds the size from below.
    """

    def hit(left: list[frozenset[int]], size: int) -> list[int] | None:
        if not left:
            return []
        if _apart(left) > size:
            return None
        meter.spend()
        fewest = min(left, key=len)
        for element in sorted(fewest):
            rest = hit([s for s in left if element not in s], size - 1)
            if rest is not None:
                return sorted([element, *rest])
        return None

    for size in range(limit + 1):
        found = hit(list(sets), size)
        if found is not None:
            return found
    return None


def _apart(sets: Sequence[frozenset[int]]) -> int:
    """Return how many sets without a common element are found by taking the smallest first."""
    union: set[int] = set()
    number = 0
    for one in sorted(sets, key=len):
        if union.isdisjoint(one):
            union |= one
            number += 1
    return number
