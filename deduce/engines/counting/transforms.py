"""Sums over all subsets and all supersets, modulo 2**64 or a prime.

An array over all sets is a square of high and low halves of the bits. Adding along the first axis
is fast, so the sums over low halves are made in a table with low halves first. Cost: up to
``count * 2**count`` additions for each transform.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from deduce.engines.counting.numbers import WORD

__all__ = [
    "Sets",
    "Words",
    "around",
    "inside",
    "reduced",
    "signed",
    "without_each",
]

Sets = NDArray[np.int64]
Words = NDArray[np.uint64]

COLUMNS = 128
"""How many columns of a table are added up at a time."""

ENTRIES = 1 << 13
"""How many entries of tables are multiplied at a time."""


def inside(count: int, sets: Sets, weights: Words, modulus: int) -> Words:
    """Return for every set the sum over the sets inside it."""
    low = count // 2
    used, places = _halves(count, sets)
    table = np.zeros((1 << low, len(used)), weights.dtype)
    np.add.at(table.reshape(-1), places, weights)
    for bit in range(low):
        pairs = table.reshape(-1, 2, len(used) << bit)
        pairs[:, 1] += pairs[:, 0]
    full = np.zeros((1 << (count - low), 1 << low), weights.dtype)
    full[used] = table.T
    for pairs in _pairs(full, count - low):
        pairs[:, 1] += pairs[:, 0]
    return reduced(full.reshape(-1), modulus)


def around(count: int, sets: Sets, table: Words, modulus: int) -> Words:
    """Return for each set the sum over all sets around it, of which odd ones count negatively."""
    low = count // 2
    used, places = _halves(count, sets)
    full = signed(count, table, modulus).reshape(1 << (count - low), 1 << low)
    for pairs in _pairs(full, count - low):
        pairs[:, 0] += pairs[:, 1]
    part = np.ascontiguousarray(full[used].T)
    for bit in range(low):
        pairs = part.reshape(-1, 2, len(used) << bit)
        pairs[:, 0] += pairs[:, 1]
    return reduced(part.reshape(-1)[places], modulus)


def _halves(count: int, sets: Sets) -> tuple[Sets, Sets]:
    """Return the high halves that occur, and where each set is in a table of low halves by these.

    Small sets have few high halves, and the sums over low halves are only needed for them.
    """
    low = count // 2
    high = sets >> low
    occurs = np.zeros(1 << (count - low), np.bool_)
    occurs[high] = True
    used = np.flatnonzero(occurs)
    column = np.cumsum(occurs) - 1
    return used, (sets & (1 << low) - 1) * len(used) + column[high]


def _pairs(table: Words, bits: int) -> Iterator[Words]:
    """Yield the rows without and with each bit, for some columns at a time, which fit a cache."""
    for first in range(0, table.shape[1], COLUMNS):
        for bit in range(bits):
            rows = table.reshape(-1, 2, 1 << bit, table.shape[1])
            yield rows[..., first : first + COLUMNS]


def signed(count: int, table: Words, modulus: int) -> Words:
    """Return the numbers of all sets, with those outside which an odd number is negated."""
    return np.where(_is_odd(count), _negative(table, modulus), table)


@lru_cache(maxsize=4)
def _is_odd(count: int) -> NDArray[np.bool_]:
    """Return for every set whether an odd number is outside."""
    odd: NDArray[np.bool_] = (count - np.bitwise_count(np.arange(1 << count))) % 2 == 1
    return odd


def without_each(tables: Sequence[Words], modulus: int) -> Words:
    """Replace each table by the product of all the others, and return the product of all.

    Some entries at a time, which fit a cache. Cost: three products for each entry.
    """
    whole = np.empty_like(tables[0])
    for first in range(0, len(whole), ENTRIES):
        chunks = [table[first : first + ENTRIES] for table in tables]
        before = [np.ones_like(chunks[0])]
        for chunk in chunks:
            before.append(reduced(before[-1] * chunk, modulus))
        whole[first : first + ENTRIES] = before.pop()
        after = np.ones_like(chunks[0])
        for chunk in reversed(chunks):
            following = reduced(after * chunk, modulus)
            chunk[:] = reduced(before.pop() * after, modulus)
            after = following
    return whole


def reduced(numbers: Words, modulus: int) -> Words:
    """Return words modulo a prime below 2**31, up to one prime too large.

    Words modulo 2**64 stay as they are. The quotient by floats is never too large, and at most 1
    too small.
    """
    if modulus == WORD:
        return numbers
    quotients = (numbers.astype(np.float64) * ((1 - 2.0**-48) / modulus)).astype(np.uint64)
    rests: Words = numbers - quotients * np.uint64(modulus)
    return rests


def _negative(numbers: Words, modulus: int) -> Words:
    negative: Words = np.uint64(0 if modulus == WORD else 2 * modulus) - numbers
    return negative
