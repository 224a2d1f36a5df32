"""Sums over all subsets and all supersets, of words modulo 2**64 or modulo a prime.

An array over all sets is a square of high and low halves of the bits, in two layouts: adding along
the first axis is fast, so the halves change places in between. Cost: ``count * 2**count`` additions
for each transform.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from deduce.engines.counting.numbers import WORD

__all__ = ["Sets", "Words", "around", "inside", "reduced", "without_each"]

Sets = NDArray[np.int64]
Words = NDArray[np.uint64]


def inside(count: int, sets: Sets, weights: Words, modulus: int) -> Words:
    """Return for every set the sum over the sets inside it, with low bits along the first axis."""
    low = count // 2
    flat = np.zeros(1 << count, np.uint64)
    np.add.at(flat, sets, weights)
    table = flat.reshape(1 << (count - low), 1 << low)
    for bit in range(count - low):
        pairs = table.reshape(-1, 2, (1 << bit) << low)
        pairs[:, 1] += pairs[:, 0]
    table = np.ascontiguousarray(table.T)
    for bit in range(low):
        pairs = table.reshape(-1, 2, (1 << bit) << (count - low))
        pairs[:, 1] += pairs[:, 0]
    return reduced(table.reshape(-1), modulus)


def around(count: int, sets: Sets, table: Words, modulus: int) -> Words:
    """Return for each set the sum over all sets around it, of which odd ones count negatively."""
    low = count // 2
    table = np.where(_is_odd(count), _negative(table, modulus), table)
    for bit in range(low):
        pairs = table.reshape(-1, 2, (1 << bit) << (count - low))
        pairs[:, 0] += pairs[:, 1]
    table = np.ascontiguousarray(table.reshape(1 << low, 1 << (count - low)).T)
    for bit in range(count - low):
        pairs = table.reshape(-1, 2, (1 << bit) << low)
        pairs[:, 0] += pairs[:, 1]
    return reduced(table.reshape(-1)[sets], modulus)


@lru_cache(maxsize=4)
def _is_odd(count: int) -> NDArray[np.bool_]:
    """Return for every set, low bits along the first axis, whether an odd number is outside it."""
    sizes = np.bitwise_count(np.arange(1 << count))
    odd = (count - sizes.astype(np.int64)) % 2 == 1
    low = count // 2
    return np.ascontiguousarray(odd.reshape(1 << (count - low), 1 << low).T).reshape(-1)


def without_each(tables: Sequence[Words], modulus: int) -> Iterator[Words]:
    """Yield for each table the product of all the others."""
    after = [np.ones_like(tables[0])]
    for table in reversed(tables[1:]):
        after.append(reduced(after[-1] * table, modulus) if len(after) > 1 else table)
    before: Words | None = None
    for table in tables:
        rest = after.pop()
        if before is None:
            yield rest
            before = table
        else:
            yield reduced(before * rest, modulus) if after else before
            before = reduced(before * table, modulus)


def reduced(numbers: Words, modulus: int) -> Words:
    """Return words modulo a prime below 2**31, up to one prime too large; words stay as they are.

    The quotient by floats is never too large, and at most 1 too small.
    """
    if modulus == WORD:
        return numbers
    quotients = (numbers.astype(np.float64) * ((1 - 2.0**-48) / modulus)).astype(np.uint64)
    return numbers - quotients * np.uint64(modulus)


def _negative(numbers: Words, modulus: int) -> Words:
    return np.uint64(0 if modulus == WORD else 2 * modulus) - numbers
