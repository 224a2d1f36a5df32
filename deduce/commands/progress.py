"""The line that shows how far a long command is: THE progress display of all commands.

It is on standard error, so that it mixes with nothing that is piped, and only on a terminal.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

__all__ = ["Advance", "progress"]

Advance = Callable[..., None]
"""Called as ``advance(done)`` or ``advance(done, note)`` as often as is convenient."""

FIRST, INTERVAL = 1.0, 0.2
"""Seconds until the line appears, and between its changes."""
HINT = "Ctrl-C shows what is known so far"


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Advance]:
    """Give a function that shows how many are done; the line is removed at the end.

    Parameters
    ----------
    what
        What is counted, in the plural: ``"nodes"``.
    total
        How many there are; ``None`` if that is not known.

    Notes
    -----
    The line appears after a second and changes five times a second, so calls may be frequent. At
    the end and after any exception it is gone. Without a terminal nothing is written.

    Examples
    --------
    >>> with progress("games", 2) as advance:
    ...     advance(1)
    ...     advance(2, "1 won, 1 lost")
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, note="": None
        return
    began, shown_at, width = monotonic(), 0.0, 0

    def advance(done: int, note: str = "") -> None:
        nonlocal shown_at, width
        now = monotonic()
        if now - began < FIRST or now - shown_at < INTERVAL:
            return
        count = f"{done:,}" if total is None else f"{done:,} of {total:,}"
        parts = [f"{count} {what}", *([note] if note else []), f"{now - began:.0f} s"]
        text = f"{', '.join(parts)} ({HINT})"[: shutil.get_terminal_size().columns - 1]
        _write(f"\r{text:<{width}}")
        shown_at, width = now, len(text)

    try:
        yield advance
    finally:
        if width:
            _write(f"\r{'':<{width}}\r")


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
