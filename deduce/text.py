"""Small helps for text that people type or read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

__all__ = ["fold", "join", "nearest"]


def fold(name: str) -> str:
    """Return the name without case, blanks and punctuation, for forgiving comparison.

    >>> fold("Prof. Plum")
    'profplum'
    """
    return re.sub(r"[\W_]+", "", name).casefold()


def join(items: Sequence[str], word: str = "and") -> str:
    """Return the items as a person lists them.

    >>> join(["Rope", "Hall", "Plum"], "or")
    'Rope, Hall or Plum'
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def nearest(word: str, names: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the nearest of the names, or an empty string.

    >>> nearest("ropp", ["Rope", "Hall"])
    "; did you mean 'Rope'?"
    """
    folded = {fold(name): name for name in names}
    close = get_close_matches(fold(word), folded, n=1, cutoff=0.5)
    return f"; did you mean {folded[close[0]]!r}?" if close else ""
