"""Minimal and smallest conflicts among units, whatever the units are; and checks of explanations.

* QuickXplain (Junker, *QuickXPlain: preferred explanations and relaxations*, AAAI 2004) gives a
  minimal set that prefers early units, with few checks;
* implicit hitting sets (Ignatiev et al., *Smallest MUS extraction with minimal hitting set
  dualization*, CP 2015) look for a set with fewer units, and prove that there is none, within a
  limit of checks.

A check looks whether some statements of a model fit a world, or are in conflict. An explanation
takes hundreds of checks of nearly the same statements, so each one shows more than was asked. A
world fits every selection of the statements that it satisfies; a conflict is one of every selection
that contains the statements which its refutation needed. What neither decides is searched for by
`deduce.engines.solve.refutation`, from the known world that violates the fewest of the statements;
then for some steps by the engine ``bits``, which branches differently.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from typing import Any, Literal, TypeAlias, TypeVar

from deduce.budget import Budget, Meter
from deduce.engines.choose import engine
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import Model, Statement
from deduce.engines.solve.refutation import Refuter
from deduce.errors import Undecided
from deduce.problem import World
from deduce.reasoning.queries import Asker

__all__ = ["Check", "Checks", "Effort", "quickxplain", "smallest_conflict", "smallest_hitting_set"]


CHECKS = 400
"""How many consistency checks the search for a smaller conflict may take."""

SETS = Budget(steps=20_000)
"""How many partial hitting sets that search may try: some tenths of a second."""

Check = Callable[[Sequence[Hashable]], object]
"""Returns a world that fits these units (any object), or ``None`` when they are in conflict."""


Unit = TypeVar("Unit", bound=Hashable)


def quickxplain(check: Callable[[Sequence[Unit]], object], units: Sequence[Unit]) -> list[Unit]:
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

    def shrink(background: list[Unit], candidates: list[Unit], *, changed: bool) -> list[Unit]:
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
    check: Callable[[Sequence[Unit]], object],
    units: Sequence[Unit],
    conflict: list[Unit],
    fitting: Callable[[Any], set[Unit]],
    *,
    checks: int | None = None,
    sets: Budget | None = None,
) -> tuple[list[Unit], bool]:
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


Effort: TypeAlias = Literal["quick", "usual", "thorough"]
"""What a check may spend: a short search, one by two engines in turn, or the whole budget."""

QUICK_STEPS = 60_000
"""Steps of a quick check: some milliseconds, where nearly all checks take a tenth of it."""

STEPS = 300_000
"""Steps of a search for a world or a refutation, before the fastest engine is asked."""

MORE_STEPS = 1_000_000
"""Steps of the engine ``bits`` after that, in a check that may stay undecided."""

MAX_FAILURES = 4
"""After this number of checks that stayed undecided, no more are made."""


class Checks:
    """Whether selections of statements fit a world in which one of ``against`` holds.

    Parameters
    ----------
    asker
        The model, with the engine and the budget of each check.
    against
        More statements about the model, of which one is to hold.

    Attributes
    ----------
    needed : int
        The statements of the model that the conflict found last needs, a bit for each.
    """

    def __init__(self, asker: Asker, against: Sequence[Statement]) -> None:
        self.asker = asker
        self.model: Model = asker.model
        self.size = len(self.model.statements)
        self.statements = [*self.model.statements, *against]
        self.needed = 0
        self._worlds: dict[int, int] = {}
        """The worlds that were found, as states, each with the statements that it satisfies."""
        self._cores: list[list[int]] = [[] for _ in against]
        """For each of ``against`` the selections that are in conflict with it."""
        self._refuter: Refuter | None = None
        self._failures = 0

    def world(
        self, chosen: int, sides: Sequence[int] | None = None, *, effort: Effort = "usual"
    ) -> int | None:
        """Return a world of these statements and one of ``against``, as a state, or ``None``.

        Parameters
        ----------
        chosen
            Statements of the model, a bit for each.
        sides
            The positions in ``against`` of the statements of which one is to hold; by default all.
        effort
            What this check may spend.

        Raises
        ------
        Undecided
            The check takes too long.
        """
        needed = 0
        for number in range(len(self._cores)) if sides is None else sides:
            cores = self._cores[number]
            core = next((core for core in cores if not core & ~chosen), None)
            if core is None:
                world = self._search(chosen | 1 << self.size + number, effort=effort)
                if world is not None:
                    return world
                core = self.needed
                cores.append(core)
            needed |= core
        self.needed = needed
        return None

    def fitting(self, world: int) -> int:
        """Return the statements that a world which was found satisfies, a bit for each."""
        return self._worlds[world]

    def _search(self, chosen: int, *, effort: Effort) -> int | None:
        near, most = None, 0
        for world, fits in self._worlds.items():
            violated = (chosen & ~fits).bit_count()
            if not violated:
                return world
            if near is None or violated <= most:
                near, most = world, violated
        found, core = self._solve(chosen, near, effort=effort)
        self.needed = core & (1 << self.size) - 1
        if found is not None and found not in self._worlds:
            self._worlds[found] = self._fits(found, near)
        return found

    def _fits(self, world: int, near: int | None) -> int:
        if near is not None and self._refuter is not None:
            return self._refuter.fitting(world, near, self._worlds[near])
        return sum(
            1 << number
            for number, statement in enumerate(self.statements)
            if self.model.satisfied(statement, world)
        )

    def _solve(self, chosen: int, near: int | None, *, effort: Effort) -> tuple[int | None, int]:
        asker = self.asker
        if asker.engine != "auto":
            return self._state(asker.solve_selection(self._selection(chosen)).value), chosen
        if self._failures >= MAX_FAILURES and effort == "usual":
            raise Undecided("too many checks of the explanation were not decided")
        meter = asker.budget.meter()
        try:
            part = meter.share(QUICK_STEPS if effort == "quick" else STEPS)
            if self._refuter is None:
                self._refuter = Refuter(self.model, self.statements, part)
            fits = 0 if near is None else self._worlds[near]
            return self._refuter.solve(chosen, part, near, fits)
        except Undecided:
            if effort == "quick":
                raise
        meter.check()
        selection = self._selection(chosen)
        if effort == "thorough":
            return self._state(asker.solve_selection(selection).value), chosen
        try:
            world = engine("bits").solve(self.model, meter.share(MORE_STEPS), selection)
            return self._state(world), chosen
        except Undecided:
            self._failures += 1
            raise

    def _selection(self, chosen: int) -> list[Statement]:
        return [self.statements[bit.bit_length() - 1] for bit in bits_of(chosen)]

    def _state(self, world: World | None) -> int | None:
        return None if world is None else self.model.state(world)
