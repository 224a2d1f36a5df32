"""The jobs of all pages of a server, computed in one thread, fairly.

Every player has a queue. A part of a job of one player is followed by one of the next player, so no
player can keep the others waiting; and while a step of any player is being answered, no part
begins.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import contextmanager, suppress

from attrs import define, field

from deduce.errors import BadInput
from deduce.face.sentences import refused

__all__ = ["Jobs"]

MAX_WAITING = 8
"""How many jobs of one player are computed at the same time."""

PATIENCE = 2.0
"""Seconds for which a part waits for steps: so that steps without end do not end all jobs."""


@define(eq=False)
class _Job:
    parts: Iterator[str]
    put: Callable[[str | None], object]
    wanted: bool = True


@define
class Jobs:
    """The queues, and the thread, which runs while there is anything to compute."""

    _queues: OrderedDict[Hashable, deque[_Job]] = field(factory=OrderedDict)
    _change: threading.Condition = field(factory=threading.Condition)
    _running: bool = False
    _steps: int = 0

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Let jobs wait while a step is answered."""
        with self._change:
            self._steps += 1
        try:
            yield
        finally:
            with self._change:
                self._steps -= 1
                self._change.notify_all()

    async def results(self, player: Hashable, parts: Iterator[str]) -> AsyncIterator[str]:
        """Yield the parts of a job as they are computed.

        Raises
        ------
        BadInput
            The player has too many jobs already.
        """
        loop, results = asyncio.get_running_loop(), asyncio.Queue[str | None]()

        def put(part: str | None) -> None:
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(results.put_nowait, part)

        job = _Job(parts, put)
        with self._change:
            queue = self._queues.setdefault(player, deque())
            if len(queue) >= MAX_WAITING:
                raise BadInput(refused("refused.busy"))
            queue.append(job)
            if not self._running:
                self._running = True
                threading.Thread(target=self._run, daemon=True).start()
        try:
            while (part := await results.get()) is not None:
                yield part
        finally:
            job.wanted = False

    def _run(self) -> None:
        while (following := self._next()) is not None:
            player, job = following
            part = next(job.parts, None) if job.wanted else None
            job.put(part)
            if part is not None:
                with self._change:
                    self._queues.setdefault(player, deque()).append(job)

    def _next(self) -> tuple[Hashable, _Job] | None:
        """Return the job whose part is computed next; ``None``: there is none."""
        with self._change:
            if self._steps:
                self._change.wait_for(lambda: not self._steps, PATIENCE)
            while self._queues:
                player, queue = self._queues.popitem(last=False)
                if queue:
                    job = queue.popleft()
                    self._queues[player] = queue
                    return player, job
            self._running = False
            return None
