"""How long a query may take and how much memory, and the meter that holds every loop to it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import isnan

from attrs import evolve, field, frozen

from deduce.errors import BadInput, Undecided

__all__ = [
    "STANDARD",
    "UNLIMITED",
    "Budget",
    "Meter",
    "cpu_seconds",
    "memory_in_use",
]


cpu_seconds = getattr(time, "thread_time", time.process_time)
"""Return the processor time of this thread in seconds; of the process where threads have none."""


INTERVAL = 2_000
"""Steps between two looks at the clock and at the memory: about a millisecond."""

MEMORY_SECONDS = 0.01
"""Seconds between two looks at the memory, which takes longer than one at the clock."""


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
        Time by ``clock``; ``None`` sets no limit.
    until
        When all queries together must end, by ``clock``; ``None`` sets no limit.
    memory
        Bytes by which the memory of the process may grow; ``None`` sets no limit. It is not
        enforced where the operating system does not tell how much memory is in use.
    clock
        Returns the current time in seconds: wall-clock time, or with
        `deduce.budget.cpu_seconds` the processor time of this thread.

    Raises
    ------
    BadInput
        A limit is not a number, or is negative; or the clock cannot be called.

    Notes
    -----
    The limits of time and memory are kept within 20 %: every loop looks at the meter, that of
    compiling a problem too. The predicate of a `Where` runs in the process and cannot be stopped:
    one that takes a second exceeds the limit by a second, and one that never returns is never
    stopped.

    Examples
    --------
    >>> Budget(seconds=2.0).seconds, Budget().at_most(1000).steps
    (2.0, 1000)
    """

    steps: int | None = 30_000_000
    seconds: float | None = None
    until: float | None = None
    memory: int | None = field(default=1 << 30, kw_only=True)
    clock: Callable[[], float] = field(default=time.monotonic, kw_only=True, repr=False)
    _loaded: float = field(factory=lambda: _Loaded.seconds, init=False, repr=False, eq=False)
    """Seconds that loading packages had taken when this budget began."""

    def __attrs_post_init__(self) -> None:
        for name, limit in (("steps", self.steps), ("memory", self.memory)):
            if limit is not None and (type(limit) is not int or limit < 0):
                what = "steps of a budget are" if name == "steps" else "memory of a budget is"
                unit = "" if name == "steps" else " of bytes"
                raise BadInput(f"the {what} a whole number{unit} or None, not {limit!r}")
        for seconds in (self.seconds, self.until):
            if seconds is not None and (type(seconds) not in (int, float) or isnan(seconds)):
                raise BadInput(f"the seconds of a budget are a number or None, not {seconds!r}")
        if self.seconds is not None and self.seconds < 0:
            raise BadInput(f"the seconds of a budget are 0 or more, not {self.seconds!r}")
        if not callable(self.clock):
            raise BadInput(f"the clock of a budget is a function, not {self.clock!r}")
        if self.clock is not time.monotonic and not isinstance(now := self.clock(), int | float):
            raise BadInput(f"the clock of a budget returns seconds, not {now!r}")

    def meter(self) -> Meter:
        """Return a meter that starts now."""
        return Meter(self)

    def begun(self) -> Budget:
        """Return the budget with its seconds running from now, for several queries together."""
        if self.seconds is None:
            return self
        ends = [self.clock() + self.seconds] + ([] if self.until is None else [self.end()])
        return evolve(self, seconds=None, until=min(ends))

    def end(self) -> float:
        """Return when queries must end; what loading packages takes meanwhile is added."""
        until = float("inf") if self.until is None else self.until
        return until + max(0.0, _Loaded.seconds - self._loaded)

    def at_most(self, steps: int) -> Budget:
        """Return the budget with at most ``steps`` steps."""
        return evolve(self, steps=steps if self.steps is None else min(steps, self.steps))


class _Loaded:
    """How long packages were loaded in this process, which counts toward no limit."""

    seconds = 0.0


STANDARD = Budget()
"""The budget of a query that names none."""


class Meter:
    """Adds up what one query has spent.

    Parameters
    ----------
    budget
        The limits.

    Raises
    ------
    Undecided
        From `spend` and `check`, when the budget is used up.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.steps = 0
        self._limit = float("inf") if budget.steps is None else budget.steps
        self._begun = budget.begun()
        self._timed = self._begun.until is not None
        self._clock = budget.clock
        self._watched = self._timed or budget.memory is not None
        self._next = self._limit
        if self._watched:
            self._next = 0 if self._timed else min(self._limit, INTERVAL)
        self._base: int | None = None

    def spend(self, steps: int = 1) -> None:
        """Count some steps; look at the clock and the memory from time to time."""
        self.steps += steps
        if self.steps > self._next:
            self.check()

    def check(self) -> None:
        """Look at all limits now; for work of which a single step may take long."""
        if self.steps > self._limit:
            raise Undecided(f"not decided within {self.budget.steps} steps")
        if not self._watched:
            return
        self._next = min(self._limit, self.steps + INTERVAL)
        if self._timed and self._clock() > self._begun.end():
            raise Undecided("not decided within the time limit")
        if self.budget.memory is not None and memory_in_use() - self.base() > self.budget.memory:
            mebibytes = self.budget.memory / 2**20
            raise Undecided(f"not decided within {mebibytes:.4g} MiB of memory")

    def base(self) -> int:
        """Return the memory in use when it was first looked at, in bytes."""
        if self._base is None:
            self._base = memory_in_use()
        return self._base

    def share(self, steps: int | None = None, *, halved: bool = False) -> Meter:
        """Return a meter for a part of the work: at most these steps of what is left.

        ``halved``: and half of the time that is left. The memory is measured from the
        same beginning. What the part spends is not counted here:
        add its ``steps`` when it has ended.
        """
        left = None if self.budget.steps is None else max(0, self.budget.steps - self.steps)
        limits = [limit for limit in (steps, left) if limit is not None]
        until = self._begun.end() if self._timed else None
        if until is not None and halved:
            now = self._clock()
            until = now + max(0.0, until - now) / 2
        budget = evolve(
            self.budget,
            steps=min(limits, default=None),
            seconds=None,
            until=until,
        )
        part = Meter(budget)
        part._base = self.base() if budget.memory is not None else None
        return part

    def become(self, other: Meter) -> None:
        """Go on as another meter, for work that is continued by a later question."""
        vars(self).update(vars(other))

    def seconds_left(self) -> float | None:
        """Return the seconds that remain, at least 0, or ``None`` without a time limit."""
        return max(0.0, self._begun.end() - self._clock()) if self._timed else None

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Leave out of all limits of time what is done in the block: a package is imported."""
        began = self._clock()
        try:
            yield
        finally:
            _Loaded.seconds += self._clock() - began


UNLIMITED = Budget(steps=None, memory=None).meter()
"""A meter without limits, for work that is not part of a question."""


def memory_in_use() -> int:
    """Return the bytes of memory that the process has in use; 0 where that is not known."""
    return _memory_at(int(time.monotonic() / MEMORY_SECONDS))


@lru_cache(maxsize=1)
def _memory_at(moment: int) -> int:
    """Return what is in use, which is read once in each of the moments of `MEMORY_SECONDS`."""
    try:
        with open("/proc/self/statm", "rb", buffering=0) as file:
            return int(file.read().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return _peak()


_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def _peak() -> int:
    """Return the largest memory so far, which grows as far as what is in use exceeds it."""
    try:
        import resource
        import sys

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024
    except (ImportError, AttributeError, OSError):  # JupyterLite has an empty `resource`
        return 0
