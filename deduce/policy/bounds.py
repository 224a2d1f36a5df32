"""Lower bounds: how few questions a number of secrets can take, whatever the questions are.

If a question has ``k`` answers, a plan is a tree in which a node has at most ``k`` branches. Where
one answer ends the game, each question finds one secret itself and the other ``k - 1`` answers
lead on: the secrets are the nodes of the tree. Otherwise they are its leaves, and the least sum
of their depths is that of a Huffman tree (Huffman, *A method for the construction of
minimum-redundancy codes*, 1952).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["NEVER", "capacity", "fewest"]

NEVER = 1 << 40
"""The number of questions of what cannot be done; sums of some stay below 2**63."""


def capacity(answers: int, questions: int, *, final: bool, most: int) -> int:
    """Return how many secrets can be found within a number of questions, up to ``most``.

    >>> capacity(14, 2, final=True, most=1296), capacity(2, 5, final=False, most=1296)
    (14, 32)
    """
    found = 0 if final else 1
    new = 1
    for _ in range(questions):
        before = found
        found = found + new if final else found * answers
        if found >= most or found == before:
            break
        new *= answers - 1
    return min(found, most)


def fewest(
    secrets: int, answers: int, questions: int | None, *, final: bool
) -> NDArray[np.int64] | Any:
    """Return for each number of secrets, from 0 on, the least total of questions.

    Parameters
    ----------
    secrets
        The greatest number.
    answers
        How many answers a question may have.
    questions
        How many questions may be asked; ``None``: any number.
    final
        Whether one of the answers ends the game.

    Examples
    --------
    >>> fewest(5, 14, None, final=True).tolist(), fewest(5, 2, None, final=False).tolist()
    ([0, 1, 3, 5, 7, 9], [0, 0, 2, 5, 8, 12])
    """
    import numpy as np

    totals = np.zeros(secrets + 1, dtype=np.int64)
    depth, room = (1, 1) if final else (0, 1)
    for number in range(1, secrets + 1):
        if final:
            if room == 0:
                depth += 1
                room = (answers - 1) ** (depth - 1)
            totals[number] = totals[number - 1] + depth
            room -= 1
        else:
            while answers ** (depth + 1) <= number and answers > 1:
                depth += 1
            inner = -(-(number - answers**depth) // max(1, answers - 1))
            totals[number] = number * depth + number - answers**depth + inner
    if questions is not None:
        totals[capacity(answers, questions, final=final, most=secrets) + 1 :] = NEVER
    return totals
