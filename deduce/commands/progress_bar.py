"""The line that shows how far a long command is: THE progress display of all commands.

It is on standard error, so that it mixes with nothing that is piped, and only on a terminal.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Protocol

__all__ = ["Advance", "progress_bar"]

FIRST, INTERVAL = 1.0, 0.2
"""Seconds until the line appears, and between its changes."""
HINT = "Ctrl-C shows what is known so far"


class Advance(Protocol):
    """Shows how many steps are done, what else is known, and the total if it has changed."""

    def __call__(self, done: int, text: str = "", *, total: int | None = None) -> None:
        """Show it; calls may be frequent."""


@contextmanager
def progress_bar(what: str, total: int | None = None) -> Iterator[Advance]:
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
    >>> with progress_bar("games", 2) as advance:
    ...     advance(1)
    ...     advance(2, "1 won, 1 lost")
    """
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    began, shown_at, width, last = monotonic(), 0.0, 0, total

    def advance(done: int, text: str = "", *, total: int | None = None) -> None:
        nonlocal shown_at, width, last
        now, last = monotonic(), last if total is None else total
        if not on_terminal or now - began < FIRST or now - shown_at < INTERVAL:
            return
        count = f"{done:,} {what}" if last is None else f"{done:,} of {last:,} {what}"
        parts = [count, *([text] if text else []), f"{now - began:.0f} s ({HINT})"]
        shown = ", ".join(parts)[: shutil.get_terminal_size().columns - 1]
        _write(f"\r{shown:<{width}}")
        shown_at, width = now, len(shown)

    try:
        yield advance
    finally:
        if width:
            _write(f"\r{'':<{width}}\r")


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
