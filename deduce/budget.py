"""How long a query may take, and the meter that holds an engine to it."""

from __future__ import annotations

import time
from math import isnan

from attrs import evolve, frozen

from deduce.errors import BadInput, Undecided

__all__ = ["STANDARD", "Budget", "Meter"]


@frozen
class Budget:
    """What one query may spend.

    Parameters
    ----------
    steps
        Units of work, the same on every machine: a step is about a third of a microsecond, and the
        default is about ten seconds, whichever engine answers. Each engine has prices for what it
        does: the counting engine pays for every transition by the length of the state (a short one
        costs one step); the bitset search for every constraint that it examines, by the length of
        its bitsets; CP-SAT for its own deterministic time (docs/benchmarks/budgets.md has the
        prices). ``None`` sets no limit.
    seconds
        Wall-clock time; ``None`` sets no limit.
    until
        When all queries together must end, by `time.monotonic`; ``None`` sets no limit.

    Raises
    ------
    BadInput
        A limit is not a number.
    """

    steps: int | None = 30_000_000
    seconds: float | None = None
    until: float | None = None

    def __attrs_post_init__(self) -> None:
        if self.steps is not None and (type(self.steps) is not int or self.steps < 0):
            raise BadInput(f"the steps of a budget are a whole number or None, not {self.steps!r}")
        for seconds in (self.seconds, self.until):
            if seconds is not None and (type(seconds) not in (int, float) or isnan(seconds)):
                raise BadInput(f"the seconds of a budget are a number or None, not {seconds!r}")

    def meter(self) -> Meter:
        """Return a meter that starts now."""
        return Meter(self)

    def begun(self) -> Budget:
        """Return the budget with its seconds running from now, for several queries together."""
        if self.seconds is None:
            return self
        ends = [time.monotonic() + self.seconds] + ([] if self.until is None else [self.until])
        return evolve(self, seconds=None, until=min(ends))

    def at_most(self, steps: int) -> Budget:
        """Return the budget with at most ``steps`` steps."""
        return evolve(self, steps=steps if self.steps is None else min(steps, self.steps))


STANDARD = Budget()
"""The budget of a query that names none."""


class Meter:
    """Adds up what one query has spent.

    Raises
    ------
    Undecided
        From `spend`, when the budget is used up.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.steps = 0
        self._limit = float("inf") if budget.steps is None else budget.steps
        self._end = budget.begun().until

    def spend(self, steps: int = 1) -> None:
        """Count some steps and look at the clock."""
        self.steps += steps
        if self.steps > self._limit:
            raise Undecided(f"not decided within {self.budget.steps} steps")
        if self._end is not None and time.monotonic() > self._end:
            raise Undecided("not decided within the time limit")

    def seconds_left(self) -> float | None:
        """Return the seconds that remain, at least 0, or ``None`` without a time limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())
