"""Limits on a search, and the meter that enforces them at almost no cost per node."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import perf_counter
from types import FrameType
from typing import Literal

from attrs import field, frozen

from deduce.errors import BadProblem

__all__ = ["LimitReached", "Limits", "NodeMeter", "Stop", "collector_paused", "deadline"]


GRACE = 1.05
"""By how much a game's own methods may exceed a time limit before they are interrupted."""

AGAIN = 0.1
"""After how many seconds a time limit that ended nothing, since it was swallowed, rings again."""

Stop = Literal["nodes", "time", "depth", "interrupt"]
"""What can end a search early: a limit, the horizon, or the user's Ctrl-C."""


@frozen
class Limits:
    """When a search stops and returns the best result so far; without limits it runs to the end.

    Examples
    --------
    >>> Limits(nodes=100_000, seconds=2.5)
    Limits(nodes=100000, seconds=2.5, progress=None)

    Processor time makes the limit independent of other programs on the machine:

    >>> from deduce.budget import cpu_seconds
    >>> limits = Limits(seconds=0.05, clock=cpu_seconds)
    """

    nodes: int | None = None
    """The maximum number of nodes; each solver documents what it counts as a node."""
    seconds: float | None = None
    """Seconds by ``clock``."""
    progress: Callable[[int, float], None] | None = None
    """Called about twice a second with the nodes and the seconds spent so far."""
    clock: Callable[[], float] = field(default=perf_counter, kw_only=True, repr=False)
    """Returns the current time in seconds: wall time, or with `deduce.budget.cpu_seconds` the
    processor time of the searching thread, which does not depend on other work on the machine."""

    def __attrs_post_init__(self) -> None:
        for name, value in (("nodes", self.nodes), ("seconds", self.seconds)):
            if value is not None and not value > 0:
                raise BadProblem(f"the limit of {name} must be positive, not {value}")


class LimitReached(BaseException):
    """A limit is reached: ``reason`` is ``"nodes"`` or ``"time"``.

    `NodeMeter.until_stopped` catches it. Like Ctrl-C it is not an `Exception`, since it can end the
    methods of a game, which may handle exceptions.
    """

    def __init__(self, reason: Stop) -> None:
        super().__init__(reason)
        self.reason = reason


ENTERING = frozenset(
    function.__code__.co_filename for function in (contextmanager, LimitReached.__init__)
)
"""The code that enters and leaves a block, where a `LimitReached` would not be caught."""


@contextmanager
def deadline(seconds: float | None, *, wall: bool = True) -> Iterator[None]:
    """Raise `LimitReached` when the time is over, also within a game's own methods.

    Where the operating system has no timer that interrupts a program (Windows, WebAssembly), and in
    other threads than the main one, nothing is raised. Where Python swallows it, as in a callback
    of the garbage collector, it is raised again a little later.

    Parameters
    ----------
    seconds
        ``None``: there is no deadline.
    wall
        Whether the seconds are those of the wall clock; else those of the processor.
    """
    unable = not hasattr(signal, "setitimer") or current_thread() is not main_thread()
    if seconds is None or unable:
        yield
        return
    timer = signal.ITIMER_REAL if wall else signal.ITIMER_VIRTUAL
    number = signal.SIGALRM if wall else signal.SIGVTALRM

    left = False

    def ring(_: int, frame: FrameType | None) -> None:
        if left:  # the next ring would find the handler of before, which may end the program
            return
        if frame is not None and frame.f_code.co_filename in ENTERING:
            signal.setitimer(timer, 1e-3)  # the block is being entered or left
            return
        signal.setitimer(timer, AGAIN)
        raise LimitReached("time")

    handler = signal.signal(number, ring)
    started = perf_counter()
    before, _ = signal.setitimer(timer, max(seconds, 1e-6))
    try:
        yield
    finally:
        left = True
        signal.setitimer(timer, 0)
        signal.signal(number, handler)
        if before:
            signal.setitimer(timer, max(1e-6, before - (perf_counter() - started)))


class NodeMeter:
    """Measures the nodes and the seconds of one search, and ends it at its limits.

    A solver counts nodes in a local variable and calls `check` when the count reaches the number
    that the last call returned, so each node costs one comparison. The clock is read about
    50 times a second, however fast or slow the game is, and 50 times before a time limit.

    Examples
    --------
    >>> meter = NodeMeter(Limits(nodes=2))
    >>> check_at = meter.check(0)
    >>> for nodes in range(1, 10):
    ...     if nodes >= check_at:
    ...         check_at = meter.check(nodes)
    Traceback (most recent call last):
    deduce.search.limits.LimitReached: nodes
    """

    def __init__(self, limits: Limits) -> None:
        if not isinstance(limits, Limits):
            raise BadProblem(f"not Limits: {limits!r}; for example Limits(nodes=1000)")
        self._limits = limits
        self.stopped: Stop | None = None
        """What ended a block of `until_stopped`."""
        self._clock = limits.clock
        self._started = limits.clock()
        self._shown = 0.0
        self._interval = 0.02 * min(1.0, limits.seconds or 1.0)

    @property
    def seconds(self) -> float:
        """The seconds since the search began, by the clock of its limits."""
        return self._clock() - self._started

    @contextmanager
    def until_stopped(self) -> Iterator[None]:
        """End the block at a limit or at Ctrl-C, which `stopped` then shows."""
        seconds = self._limits.seconds
        if seconds is not None:
            seconds = max(0.0, seconds - self.seconds) * GRACE
        try:
            with deadline(seconds, wall=self._clock is perf_counter):
                yield
        except LimitReached as limit:
            self.stopped = limit.reason
        except KeyboardInterrupt:
            self.stopped = "interrupt"

    @property
    def is_endless(self) -> bool:
        """Whether there is no limit at all."""
        return self._limits.nodes is None and self._limits.seconds is None

    def check(self, nodes: int) -> int:
        """Return the node count at which to check again.

        Raises
        ------
        LimitReached
            A limit is reached.
        """
        limits, seconds = self._limits, self.seconds
        if limits.nodes is not None and nodes >= limits.nodes:
            raise LimitReached("nodes")
        if limits.seconds is not None and seconds >= limits.seconds:
            raise LimitReached("time")
        if limits.progress and seconds - self._shown >= 0.5:
            self._shown = seconds
            limits.progress(nodes, seconds)
        step = max(1, int(self._interval * nodes / seconds)) if seconds > 0 else 1
        step = min(step, nodes + 1, 100_000)
        return nodes + step if limits.nodes is None else min(nodes + step, limits.nodes)


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause Python's cyclic garbage collector while a large graph is built.

    Nothing that is built becomes garbage, so the collector would only walk the same lists again
    and again; on a graph of 160 000 states that is almost half of the time. Memory held by plain
    reference counts is freed as ever. Also usable as a decorator.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
