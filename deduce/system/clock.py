"""Time and interruptions: clocks of every platform, WebAssembly included, and a later Ctrl-C."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["cpu_seconds", "interrupted_later"]


cpu_seconds = getattr(time, "thread_time", time.process_time)
"""Return the processor time of this thread in seconds; of the process where threads have none."""


@contextmanager
def interrupted_later() -> Iterator[None]:
    """Let a Ctrl-C in the block come after it; processes that the block starts get none at all."""
    mask = getattr(signal, "pthread_sigmask", None)  # not everywhere
    before = mask(signal.SIG_BLOCK, [signal.SIGINT]) if mask else ()
    try:
        yield
    finally:
        if mask:
            mask(signal.SIG_SETMASK, before)
