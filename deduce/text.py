"""Small helps for text that people type or read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from deduce.errors import BadInput

__all__ = ["by_name", "fold", "join", "name_of", "nearest", "pick"]


@lru_cache(maxsize=1000)
def fold(name: str) -> str:
    """Return the name without case, accents, blanks and punctuation, for forgiving comparison.

    >>> fold("Prof. Plum"), fold("Zoë")
    ('profplum', 'zoe')
    """
    parts = unicodedata.normalize("NFKD", name)
    return re.sub(r"[\W_]+", "", parts).casefold()


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


def pick(word: str, names: Iterable[str], what: str = "name") -> str:
    """Return the one name that a typed word means.

    A word means the name that it equals, else the one that it equals but for case, blanks and
    punctuation, else the one that it begins, else the one in which it begins a word.

    Parameters
    ----------
    word
        What was typed.
    names
        What could be meant.
    what
        What the names are, for the message.

    Raises
    ------
    BadInput
        The word means no name (the nearest is shown) or several (they are shown).

    Examples
    --------
    >>> cards = ["Professor Plum", "Rope", "Lead Piping"]
    >>> pick("plum", cards), pick("ro", cards), pick("lead-piping", cards)
    ('Professor Plum', 'Rope', 'Lead Piping')
    """
    listed = list(dict.fromkeys(names))
    if word in listed:
        return word
    folded = fold(word)
    squeezed = "".join(word.split()).casefold()
    ways: list[Callable[[str], bool]] = [
        lambda name: "".join(name.split()).casefold() == squeezed,
        lambda name: fold(name) == folded,
        lambda name: fold(name).startswith(folded),
        lambda name: any(fold(part).startswith(folded) for part in re.split(r"[\W_]+", name)),
    ]
    for means in ways if folded else ways[:1]:
        found = [name for name in listed if means(name)]
        if len(found) > 1:
            raise BadInput(f"{word!r} may be {join(found, 'or')}; say more of the {what}")
        if found:
            return found[0]
    known = f" ({', '.join(listed)})" if len(listed) <= 12 else ""
    raise BadInput(f"no {what} is called {word!r}{nearest(word, listed)}{known}")


def name_of(thing: Hashable) -> str:
    """Return a variable, value or player as people type it.

    >>> name_of("Rope"), name_of((1, 12))
    ('Rope', '1,12')
    """
    if isinstance(thing, tuple):
        return ",".join(map(name_of, thing))
    return str(thing)


def by_name(things: Iterable[Hashable]) -> dict[str, Any]:
    """Return the things by name; if two have the same name, all of them by their ``repr``.

    >>> by_name([1, 2]), by_name([1, "1"])
    ({'1': 1, '2': 2}, {'1': 1, "'1'": '1'})
    """
    listed = list(things)
    named = {name_of(thing): thing for thing in listed}
    return named if len(named) == len(listed) else {repr(thing): thing for thing in listed}
