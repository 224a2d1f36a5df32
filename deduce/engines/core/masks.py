"""The bits of an int that stands for a set; and sets that are joined."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence

__all__ = ["bits_of", "positions", "root"]


def bits_of(mask: int) -> Iterator[int]:
    """Yield the bits of a mask one by one, the lowest first.

    >>> list(bits_of(0b1011))
    [1, 2, 8]
    """
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def positions(mask: int) -> Iterator[int]:
    """Yield where the bits of a mask are, the lowest first, in time linear in its length.

    >>> list(positions(0b1011))
    [0, 1, 3]
    """
    digits = f"{mask:b}"[::-1]
    at = digits.find("1")
    while at >= 0:
        yield at
        at = digits.find("1", at + 1)


def root(parent: MutableSequence[int], number: int) -> int:
    """Return the number that stands for the set of a number, and shorten the way there.

    >>> parent = [1, 2, 2]
    >>> root(parent, 0), parent
    (2, [2, 2, 2])
    """
    while parent[number] != number:
        parent[number] = number = parent[parent[number]]
    return number
