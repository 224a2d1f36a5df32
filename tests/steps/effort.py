"""An independent solver that measures its effort: single constraints, and bounded distinctions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deduce.constraints import Constraint, Fact
from deduce.problem import Problem
from tests.steps.grading import Left, closure, found

__all__ = ["MAX_DEPTH", "effort", "rank_correlation"]

MAX_DEPTH = 3
"""How deep the distinctions may be nested."""


class _Solver:
    def __init__(self, problem: Problem, answers: Sequence[Fact]) -> None:
        self.problem = problem
        self.answers = answers
        self.constraints: list[Constraint] = list(problem.constraints())
        self.tries = 0
        self.applications = 0

    def narrow(self, left: Left) -> Left | None:
        work: list[Constraint] = []
        after = closure(self.problem, left, self.constraints, work)
        self.applications += len(work)
        return after

    def refuted(self, left: Left, depth: int) -> bool:
        """Return whether values are in conflict, by distinctions of at most a depth."""
        now = self.narrow(left)
        if now is None or depth == 0:
            return now is None
        while True:
            before = now
            for variable in sorted(now, key=lambda v: (len(before[v]), str(v))):
                for value in sorted(now[variable], key=str):
                    if len(now[variable]) > 1:
                        self.tries += 1
                        if self.refuted({**now, variable: frozenset([value])}, depth - 1):
                            smaller = {**now, variable: now[variable] - {value}}
                            found_ = self.narrow(smaller)
                            if found_ is None:
                                return True
                            now = found_
            if now == before:
                return False

    def solve(self) -> tuple[int, int, int]:
        """Return the depth that was needed, the values tried, and the constraints applied."""
        left = self.narrow({v: frozenset(d) for v, d in self.problem.domains.items()})
        for depth in range(MAX_DEPTH + 1):
            changed = True
            while changed and left is not None:
                if found(self.problem, left, self.answers):
                    return depth, self.tries, self.applications
                changed = False
                if depth == 0:
                    break
                for variable in sorted(left, key=str):
                    for value in sorted(left[variable], key=str):
                        if len(left[variable]) > 1:
                            self.tries += 1
                            if self.refuted({**left, variable: frozenset([value])}, depth - 1):
                                left = self.narrow({**left, variable: left[variable] - {value}})
                                assert left is not None
                                changed = True
                            if found(self.problem, left, self.answers):
                                return depth, self.tries, self.applications
        return MAX_DEPTH + 1, self.tries, self.applications


def effort(problem: Problem, answers: Sequence[Fact]) -> tuple[int, int, int]:
    """Return the depth, the values tried and the constraints applied until answers are found."""
    return _Solver(problem, answers).solve()


def rank_correlation(one: Sequence[Any], two: Sequence[Any]) -> float:
    """Return Spearman's rank correlation, with the mean rank for ties.

    >>> rank_correlation([1, 2, 2, 3], [10, 20, 20, 30])
    1.0
    """
    x, y = _ranks(one), _ranks(two)
    middle = (len(x) + 1) / 2
    covariance = sum((a - middle) * (b - middle) for a, b in zip(x, y, strict=True))
    spread = sum((a - middle) ** 2 for a in x) * sum((b - middle) ** 2 for b in y)
    return float(covariance / spread**0.5) if spread else 0.0


def _ranks(values: Sequence[Any]) -> list[float]:
    ordered = sorted(values)
    first = {value: ordered.index(value) for value in set(values)}
    return [first[value] + (ordered.count(value) + 1) / 2 for value in values]
