"""The jobs of all pages of a server, computed one part after the other, fairly.

Every player has a queue. A part of a job of one player is followed by one of the next player, so no
player can keep the others waiting; and while a step of any player is being answered, no part
begins.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Hashable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress

from attrs import define, field

from deduce.errors import BadInput
from deduce.face.sentences import refused

__all__ = ["Jobs"]

MAX_JOBS = 8
"""How many jobs of one player are computed at the same time."""

PATIENCE = 2.0
"""Seconds for which a part waits for steps: so that steps without end do not end all jobs."""


@define
class Jobs:
    """The queues, and the one thread that computes."""

    _queues: defaultdict[Hashable, asyncio.Lock] = field(factory=lambda: defaultdict(asyncio.Lock))
    _turn: asyncio.Lock = field(factory=asyncio.Lock)
    _thread: Executor = field(factory=lambda: ThreadPoolExecutor(1))
    _jobs: Counter[Hashable] = field(factory=Counter)
    _steps: int = 0
    _no_steps: asyncio.Event = field(factory=asyncio.Event)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Let jobs wait while a step is answered."""
        self._steps += 1
        self._no_steps.clear()
        try:
            yield
        finally:
            self._steps -= 1
            if not self._steps:
                self._no_steps.set()

    async def results(self, player: Hashable, parts: Iterator[str]) -> AsyncIterator[str]:
        """Yield the parts of a job as they are computed.

        Raises
        ------
        BadInput
            The player has too many jobs already.
        """
        if self._jobs[player] >= MAX_JOBS:
            raise BadInput(refused("refused.busy"))
        self._jobs[player] += 1
        try:
            while True:
                async with self._queues[player], self._turn:
                    if self._steps:
                        with suppress(TimeoutError):
                            await asyncio.wait_for(self._no_steps.wait(), PATIENCE)
                    loop = asyncio.get_running_loop()
                    part = await loop.run_in_executor(self._thread, next, parts, None)
                if part is None:
                    return
                yield part
        finally:
            self._jobs[player] -= 1
