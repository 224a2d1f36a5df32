"""The coefficient of a product of polynomials in which every variable occurs once, by signs.

A holder's hands are a polynomial: each hand is the product of its cards, times its weight. A deal
is a term of the product of all polynomials in which every card occurs once, and a sum over all
choices of signs for the cards leaves exactly these terms. For cards ``x`` of signs 1 and -1:

    coefficient = mean over all x of (product of x) * (product of the polynomials at x)

It is the formula of Glynn, *The permanent of a square matrix* (2010), for hands instead of rows. As
all hands of a holder have the same size, all signs may be changed at once: one of them stays 1, and
half of the choices are enough. The values of a polynomial at all choices are the Walsh-Hadamard
transform of its weights, and so are the coefficients of the rest without one holder.

An array over all choices is a matrix of high and low halves of the cards. Adding along the first
axis is fast, and hands have few high halves, so their low halves are transformed first. Cost: up to
``count * 2**count`` additions for each transform, of which about a third are made.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

__all__ = ["Places", "Signs"]

ENTRIES = 1 << 13
"""How many entries of tables are multiplied at a time."""

Floats: TypeAlias = NDArray[np.float64]
Sets: TypeAlias = NDArray[np.int64]


class Signs:
    """All choices of signs for some cards, of which the last stays 1.

    Parameters
    ----------
    count
        How many cards there are, at least 1.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.low = (count - 1) // 2
        """How many cards are in the low half."""
        self.high = count - 1 - self.low
        """How many cards are in the high half."""
        self.odd = _odd(self.high, self.low)
        """The product of the signs, for every choice."""
        self._differences = np.empty(1 << max(0, count - 2))
        """Room for half of a matrix: to ask for it at each step takes longer than to add."""

    def places(self, sets: Sets) -> Places:
        """Return where sets of cards are in the matrix."""
        high = (sets & (1 << self.count - 1) - 1) >> self.low
        occurs = np.zeros(1 << self.high, np.bool_)
        occurs[high] = True
        used = np.flatnonzero(occurs)
        column = np.cumsum(occurs) - 1
        return Places(used, (sets & (1 << self.low) - 1) * len(used) + column[high])

    def values(self, places: Sequence[Places], weights: Sequence[Floats]) -> Floats:
        """Return polynomials with these weights of the sets, for every choice of signs.

        One array has all of them, one after the other: memory that is asked for at once costs less.
        """
        tables = np.zeros((len(places), 1 << self.high, 1 << self.low))
        for table, of, some in zip(tables, places, weights, strict=True):
            columns = len(of.used)
            sums = np.bincount(of.cells, some, columns << self.low)
            part = np.asarray(sums.reshape(-1, columns), np.float64)
            self._transform(part, self.low)
            table[of.used] = part.T
            self._transform(table, self.high)
        return tables

    def without_each(self, tables: Floats) -> float:
        """Return the coefficient of all cards in the product of some polynomials, by their values.

        Each table is replaced by the product of the signs and of all other tables. Some entries at
        a time, which fit a cache. Cost: three products for each entry.
        """
        total = 0.0
        flat, odd = tables.reshape(len(tables), -1), self.odd.reshape(-1)
        for first in range(0, self.odd.size, ENTRIES):
            some = slice(first, first + ENTRIES)
            chunks = list(flat[:, some])
            before = [odd[some]]
            for chunk in chunks:
                before.append(before[-1] * chunk)
            total += float(before.pop().sum())
            after = chunks[-1].copy()
            chunks[-1][:] = before.pop()
            for chunk in chunks[-2::-1]:
                following = after * chunk
                np.multiply(before.pop(), after, out=chunk)
                after = following
        return total / (1 << self.count - 1)

    def coefficients(self, places: Places, table: Floats) -> Floats:
        """Return the coefficient of all cards outside each set, of a polynomial.

        Its values times the signs, as `without_each` leaves them, are overwritten.
        """
        full = self._transform(table, self.high)
        part = self._transform(np.ascontiguousarray(full[places.used].T), self.low)
        found: Floats = part.reshape(-1)[places.cells] / (1 << self.count - 1)
        return found

    def _transform(self, table: Floats, bits: int) -> Floats:
        """Replace two rows that differ in a bit by their sum and difference, for every bit."""
        differences = self._differences[: table.size // 2]
        for bit in range(bits):
            pairs = table.reshape(-1, 2, table.shape[1] << bit)
            minus = differences.reshape(len(pairs), -1)
            np.subtract(pairs[:, 0], pairs[:, 1], out=minus)
            pairs[:, 0] += pairs[:, 1]
            pairs[:, 1] = minus
        return table


@frozen(eq=False)
class Places:
    """Where some sets of cards are in the matrix of a transform."""

    used: Sets
    """The high halves that occur."""
    cells: Sets
    """For each set its place in a table of low halves (row) by the high halves that occur."""


@lru_cache(maxsize=4)
def _odd(high: int, low: int) -> Floats:
    sizes = np.bitwise_count(np.arange(1 << high + low)).astype(np.int64)
    odd = np.asarray(1 - 2 * (sizes % 2), np.float64)
    return odd.reshape(1 << high, 1 << low)
