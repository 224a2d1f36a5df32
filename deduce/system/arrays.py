"""Whether there is numpy: a page in a browser loads it only when a question needs it."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec

from deduce.errors import Undecided

__all__ = ["can_come", "has_arrays", "is_awaited", "missed", "needs_arrays"]

can_come = False
"""Whether numpy, where it is not installed, is loaded once a question needs it."""

missed = False
"""Whether a question needed numpy where it is not installed."""


@cache
def has_arrays() -> bool:
    """Return whether numpy is installed."""
    return find_spec("numpy") is not None


def is_awaited() -> bool:
    """Return whether numpy is about to be loaded, after which a question can be asked again."""
    return missed and can_come


def needs_arrays(*, waits: bool = True) -> bool:
    """Return whether numpy is installed, for a question that takes much longer without it.

    Raises
    ------
    Undecided
        It is about to be loaded, and the question ``waits``.
    """
    global missed
    missed = missed or not has_arrays()
    if waits and is_awaited():
        raise Undecided("numpy is not loaded yet")
    return has_arrays()
