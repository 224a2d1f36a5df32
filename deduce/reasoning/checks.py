"""Checks of an explanation: whether some statements of a model fit a world, or are in conflict.

An explanation takes hundreds of checks of nearly the same statements, so each one shows more than
was asked. A world fits every selection of the statements that it satisfies; a conflict is one of
every selection that contains the statements which its refutation needed. What neither decides is
searched for by `deduce.engines.solve.refutation`, from the known world that violates the fewest of
the statements; then for some steps by the engine ``bits``, which branches differently.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from deduce.engines.choose import engine
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import Model, Statement
from deduce.engines.solve.refutation import Refuter
from deduce.errors import Undecided
from deduce.problem import World
from deduce.reasoning.queries import Asker

__all__ = ["Checks", "Effort"]

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
