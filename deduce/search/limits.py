"""Limits on a search, and the budget that watches them for next to nothing per node."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Literal

from attrs import field, frozen

from deduce.errors import BadProblem

__all__ = ["Budget", "Limits", "OutOfBudget", "Stop"]

Stop = Literal["nodes", "time", "depth", "interrupt"]
"""What can end a search early: a limit, the horizon, or the user's Ctrl-C."""


@frozen
class Limits:
    """When a search stops and returns the best it has; without limits it runs to the end.

    Examples
    --------
    >>> Limits(nodes=100_000, seconds=2.5)
    Limits(nodes=100000, seconds=2.5, progress=None)

    Two searches that run beside other work are fair to each other by processor time:

    >>> from time import thread_time
    >>> limits = Limits(seconds=0.05, clock=thread_time)
    """

    nodes: int | None = None
    """The greatest number of nodes; what a node is, each solver says."""
    seconds: float | None = None
    """Seconds by ``clock``."""
    progress: Callable[[int, float], None] | None = None
    """Called now and then with the nodes and the seconds spent so far."""
    clock: Callable[[], float] = field(default=perf_counter, kw_only=True, repr=False)
    """What seconds are read from: wall time, or with `time.thread_time` the processor time of the
    thread that searches, which other work on the machine does not change."""

    def __attrs_post_init__(self) -> None:
        for name, value in (("nodes", self.nodes), ("seconds", self.seconds)):
            if value is not None and not value > 0:
                raise BadProblem(f"the limit of {name} must be positive, not {value}")


class OutOfBudget(Exception):
    """A limit is reached; ``reason`` is ``"nodes"`` or ``"time"``. Solvers catch it."""

    def __init__(self, reason: Stop) -> None:
        super().__init__(reason)
        self.reason = reason


class Budget:
    """The running account of one search.

    A solver counts nodes in a local variable and calls `check` when the count reaches the number
    that the last call returned, so that a node costs one comparison. The clock is read about
    fifty times a second, however fast or slow the game is, and fifty times before a time limit.

    Examples
    --------
    >>> budget = Budget(Limits(nodes=2))
    >>> check_at = budget.check(0)
    >>> for nodes in range(1, 10):
    ...     if nodes >= check_at:
    ...         check_at = budget.check(nodes)
    Traceback (most recent call last):
    deduce.search.limits.OutOfBudget: nodes
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._clock = limits.clock
        self._started = limits.clock()
        self._shown = 0.0
        self._interval = 0.02 * min(1.0, limits.seconds or 1.0)

    @property
    def seconds(self) -> float:
        """How many seconds the search has run, by the clock of its limits."""
        return self._clock() - self._started

    @property
    def is_endless(self) -> bool:
        """Whether there is no limit at all."""
        return self._limits.nodes is None and self._limits.seconds is None

    def check(self, nodes: int) -> int:
        """Return the node count at which to check again.

        Raises
        ------
        OutOfBudget
            A limit is reached.
        """
        limits, seconds = self._limits, self.seconds
        if limits.nodes is not None and nodes >= limits.nodes:
            raise OutOfBudget("nodes")
        if limits.seconds is not None and seconds >= limits.seconds:
            raise OutOfBudget("time")
        if limits.progress and seconds - self._shown >= 0.5:
            self._shown = seconds
            limits.progress(nodes, seconds)
        step = max(1, int(self._interval * nodes / seconds)) if seconds > 0 else 1
        step = min(step, nodes + 1, 100_000)
        return nodes + step if limits.nodes is None else min(nodes + step, limits.nodes)
