"""A bar that shows how far a long command is, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

__all__ = ["Advance", "progress_bar"]


class Advance(Protocol):
    """Moves a bar: how many steps are done, what to show beside it, the total if it changes."""

    def __call__(self, done: int, text: str = "", *, total: int | None = None) -> None:
        """Move the bar."""


@contextmanager
def progress_bar(what: str, total: int | None = None) -> Iterator[Advance]:
    """Give a function that moves a bar on standard error, and removes the bar at the end.

    Where standard error is not a terminal, the function does nothing.

    Parameters
    ----------
    what
        What is counted, shown beside the bar until another text is given.
    total
        How many steps there are, if it is known already.
    """

    def ignore(done: int, text: str = "", *, total: int | None = None) -> None:
        pass

    if not sys.stderr.isatty():
        yield ignore
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)

        def advance(done: int, text: str = "", *, total: int | None = None) -> None:
            bar.update(task, completed=done, description=text or what, total=total)

        yield advance
