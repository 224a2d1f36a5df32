"""Building millions of small objects that all stay alive."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["collector_paused"]


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
