"""How a broken promise is reported."""

from __future__ import annotations

__all__ = ["ConformanceError", "how_to_repeat"]


class ConformanceError(AssertionError):
    """A game (or an engine) breaks a promise; the message names it, and how to repeat it."""


ConformanceError.__module__ = "deduce.testing"  # where it is imported from


def how_to_repeat(game: object, seed: int) -> str:
    """Return the call that checks one deal again.

    >>> how_to_repeat("GAME", 3)
    "check_hidden_game('GAME', deals=1, seed=3)"
    """
    return f"check_hidden_game({game!r}, deals=1, seed={seed})"
