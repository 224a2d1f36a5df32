"""Ctrl-C where it must not come in between."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["interrupted_later"]


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
