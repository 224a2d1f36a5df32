"""Static guesses: made all at once, before the first answer, so that the code is then certain.

A set of guesses is static if no two codes get the same answers to all of them. The smallest set is
searched for by adding the guess that separates most codes, from many random beginnings, and then
by exhausting all smaller sets where there are few enough. Source: Chvatal, *Mastermind* (1983).
"""

from __future__ import annotations

from itertools import combinations
from math import comb
from random import Random
from typing import TYPE_CHECKING, Any

from attrs import frozen

from deduce.knowledge import Knowledge
from deduce.policy.task import task_of
from games.mastermind.events import Code
from games.mastermind.game import Mastermind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["StaticGuesses", "static_guesses"]

TRIES = 60
"""How many random beginnings are tried by default."""

MAX_SETS = 200_000
"""All smaller sets are examined only if there are no more than these."""


@frozen
class StaticGuesses:
    """Guesses whose answers together identify every code.

    Parameters
    ----------
    guesses
        The guesses.
    bound
        No set of fewer guesses identifies every code.
    proved
        Whether there is no smaller set.
    """

    guesses: tuple[Code, ...]
    bound: int
    proved: bool


def static_guesses(game: Mastermind, *, tries: int = TRIES, seed: int = 0) -> StaticGuesses:
    """Return a smallest set of static guesses that was found.

    Parameters
    ----------
    game
        The set-up.
    tries
        How many random beginnings are tried.
    seed
        The same seed gives the same guesses.

    Examples
    --------
    >>> found = static_guesses(Mastermind(slots=2, colours=3))
    >>> len(found.guesses), found.proved
    (2, True)
    """
    import numpy as np

    task = task_of(Knowledge(game))
    table = task.table
    count, size = table.shape
    kinds = len(task.answers)
    best = list(range(count))
    random = Random(seed)
    for _ in range(tries if size > 1 else 1):
        found = _grown(table, kinds, len(best), random)
        if found is not None:
            best = found
    bound = 0
    while kinds**bound < size:
        bound += 1
    most = int(np.array([len(np.unique(row)) for row in table]).max())
    while bound and most**bound < size:
        bound += 1
    while bound < len(best) and comb(count, bound) <= MAX_SETS:
        smaller = _exhausted(table, kinds, bound)
        if smaller is not None:
            best = smaller
            break
        bound += 1
    guesses: list[Any] = [task.inquiries[i] for i in sorted(best)]
    return StaticGuesses(tuple(guesses), bound, bound >= len(best))


def _joined(before: NDArray[Any], row: NDArray[Any], kinds: int) -> NDArray[np.intp]:
    """Return the class of each code by the answers so far and one more."""
    import numpy as np

    return np.unique(before * kinds + row, return_inverse=True)[1]


def _grown(table: NDArray[Any], kinds: int, limit: int, random: Random) -> list[int] | None:
    """Return guesses that identify every code, fewer than a limit, or ``None``."""
    import numpy as np

    count, size = table.shape
    classes = np.zeros(size, dtype=np.int64)
    chosen: list[int] = []
    while len(np.unique(classes)) < size:
        if len(chosen) + 1 >= limit:
            return None
        # A few guesses are compared, so that each try goes another way.
        candidates = random.sample(range(count), min(count, 200))
        joined = np.sort(classes[None, :] * kinds + table[candidates], axis=1)
        separated = (np.diff(joined, axis=1) != 0).sum(axis=1)
        chosen.append(candidates[int(separated.argmax())])
        classes = _joined(classes, table[chosen[-1]], kinds)
    return chosen


def _exhausted(table: NDArray[Any], kinds: int, number: int) -> list[int] | None:
    """Return a set of this number of guesses that identifies every code, or ``None``."""
    import numpy as np

    size = table.shape[1]
    for chosen in combinations(range(len(table)), number):
        classes = np.zeros(size, dtype=np.int64)
        for i in chosen:
            classes = _joined(classes, table[i], kinds)
        if len(np.unique(classes)) == size:
            return list(chosen)
    return None
