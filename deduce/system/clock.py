"""Clocks that every platform has, WebAssembly included."""

from __future__ import annotations

import time

__all__ = [
    "cpu_seconds",
]


cpu_seconds = getattr(time, "thread_time", time.process_time)
"""Return the processor time of this thread in seconds; of the process where threads have none."""
