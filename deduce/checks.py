"""Checks of an explanation: whether some statements of a model fit a world, or are in conflict.

An explanation takes hundreds of checks of nearly the same statements, so each one shows more than
was asked. A world fits every selection of the statements that it satisfies; a conflict is one of
every selection that contains the statements which its refutation needed. What neither decides is
searched for by `deduce.engines.refutation`, then for some steps by the engine ``bits``, which
branches differently.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from deduce.engines.choose import engine
from deduce.engines.model import Model, Statement, bits_of
from deduce.engines.refutation import Refuter
from deduce.errors import Undecided
from deduce.problem import World
from deduce.queries import Asker

__all__ = ["Checks"]

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
        self._worlds: list[tuple[int, World]] = []
        """The worlds that were found, each with the statements that it satisfies."""
        self._cores: list[list[int]] = [[] for _ in against]
        """For each of ``against`` the selections that are in conflict with it."""
        self._refuter: Refuter | None = None
        self._failures = 0

    def world(self, chosen: int, *, thorough: bool = False) -> World | None:
        """Return a world of these statements and one of ``against``, or ``None``.

        Parameters
        ----------
        chosen
            Statements of the model, a bit for each.
        thorough
            Whether the whole budget may be spent on this check.

        Raises
        ------
        Undecided
            The check takes too long.
        """
        needed = 0
        for number, cores in enumerate(self._cores):
            core = next((core for core in cores if not core & ~chosen), None)
            if core is None:
                world = self._search(chosen | 1 << self.size + number, thorough=thorough)
                if world is not None:
                    return world
                core = self.needed
                cores.append(core)
            needed |= core
        self.needed = needed
        return None

    def fitting(self, world: World) -> int:
        """Return the statements that a world satisfies, a bit for each."""
        known = next((fits for fits, other in self._worlds if other is world), None)
        if known is not None:
            return known
        state = self.model.state(world)
        return sum(
            1 << number
            for number, statement in enumerate(self.statements)
            if self.model.satisfied(statement, state)
        )

    def _search(self, chosen: int, *, thorough: bool) -> World | None:
        for fits, world in reversed(self._worlds):
            if not chosen & ~fits:
                return world
        found, core = self._solve(chosen, thorough=thorough)
        self.needed = core & (1 << self.size) - 1
        if found is not None:
            self._worlds.append((self.fitting(found), found))
        return found

    def _solve(self, chosen: int, *, thorough: bool) -> tuple[World | None, int]:
        selection = [self.statements[bit.bit_length() - 1] for bit in bits_of(chosen)]
        asker = self.asker
        if asker.engine != "auto":
            return asker.solve_selection(selection).value, chosen
        if self._failures >= MAX_FAILURES and not thorough:
            raise Undecided("too many checks of the explanation were not decided")
        meter = asker.budget.meter()
        with suppress(Undecided):
            part = meter.share(STEPS)
            if self._refuter is None:
                self._refuter = Refuter(self.model, self.statements, part)
            state, core = self._refuter.solve(chosen, part)
            return (None if state is None else self.model.world(state)), core
        meter.check()
        if thorough:
            return asker.solve_selection(selection).value, chosen
        try:
            return engine("bits").solve(self.model, meter.share(MORE_STEPS), selection), chosen
        except Undecided:
            self._failures += 1
            raise
