"""A good plan by a beam: in large sets of secrets only the most promising questions are tried.

A question is promising if it leaves little uncertainty: the sum of ``n * log(n)`` over the sizes of
its parts is small. Sets of up to 100 secrets are solved exactly, so what is left to chance are the
first questions. The plan is not proved to be the best; the search of `deduce.policy.solver` begins
with its total.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.policy.bounds import NEVER

if TYPE_CHECKING:
    from deduce.policy.solver import Secrets, Solver

__all__ = ["Beam"]

EXACT = 100
"""Sets of up to this number of secrets are solved exactly."""

RIGHT = 2.5
"""By how much a question that may be right at once is better, in the same unit."""


class Beam:
    """Finds a good plan, which it leaves in the ``found`` and ``values`` of a solver.

    Parameters
    ----------
    solver
        The solver.
    width
        How many questions are tried as the first and as the second one; as the third a quarter of
        this number, after that an eighth, but at least one.
    """

    def __init__(self, solver: Solver, width: int) -> None:
        self.solver = solver
        self.widths = (width, width, max(1, width // 4), max(1, width // 8))
        self.total: dict[tuple[int, bytes], int] = {}
        """The total of each state for which a plan was found."""
        self.tried: dict[tuple[int, bytes], int] = {}
        """The limit below which the beam has no plan for a state."""

    def plan(
        self, secrets: Secrets, left: int, limit: int = NEVER, asked: tuple[int, ...] = ()
    ) -> int:
        """Return the total of a plan if one below a limit is found, else the limit or more.

        The best plan so far is always left in the solver.

        Parameters
        ----------
        secrets, left, asked
            The state, as in `deduce.policy.solver.Solver.solve`.
        limit
            Totals from here on are not of interest.

        Raises
        ------
        Undecided
            The solver's budget ran out.
        """
        solver, size = self.solver, len(secrets)
        if size <= EXACT:
            return solver.solve(secrets, limit, asked, left)
        key = (left, secrets.tobytes())
        if key in self.total:
            return self.total[key]
        if self.tried.get(key, 0) >= limit:
            return limit
        solver.step()
        best, choice = limit, -1
        for question in self._promising(secrets, left, limit, asked):
            total = self._total(question, secrets, left, best, asked)
            if total < best:
                best, choice = total, question
                if key not in solver.found or best < solver.found[key][0]:
                    solver.found[key] = best, choice
        if choice < 0:
            self.tried[key] = limit
            return limit
        self.total[key] = best
        return best

    def _promising(
        self, secrets: Secrets, left: int, limit: int, asked: tuple[int, ...]
    ) -> list[int]:
        """Return the most promising questions that may stay below a limit, the best first."""
        solver, np = self.solver, self.solver.np
        rated = solver.rated(secrets, left, asked)
        counts = rated.counts
        uncertain = (counts * np.log(np.maximum(counts, 1))).sum(axis=1)
        if solver.has_final:
            uncertain -= RIGHT * counts[:, solver.final]
        order = np.argsort(uncertain, kind="stable")
        width = self.widths[min(len(asked), len(self.widths) - 1)]
        chosen = order[rated.bounds[order] < limit][:width]
        return [rated.question(index) for index in chosen.tolist()]

    def _total(
        self, question: int, secrets: Secrets, left: int, limit: int, asked: tuple[int, ...]
    ) -> int:
        """Return the total of a question if it is below a limit, else something not below it."""
        solver = self.solver
        after = left - 1 if left > 0 else left
        parts = sorted((part for _, part in solver.parts(question, secrets)), key=len)
        lows = [solver.quick(part, after) for part in parts]
        total, rest = len(secrets), sum(lows)
        for part, low in zip(parts, lows, strict=True):
            if total + rest >= limit:
                return limit
            rest -= low
            total += self.plan(part, after, limit - total - rest, (*asked, question))
        return total
