"""A line that shows how far a batch is, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress"]


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int, str], None]]:
    """Give a function that takes how many are done, and a few words on how it stands.

    It shows a bar on standard error, and does nothing where that is no terminal.
    """
    if not sys.stderr.isatty():
        yield lambda done, words: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, words: bar.update(task, completed=done, description=words or what)
