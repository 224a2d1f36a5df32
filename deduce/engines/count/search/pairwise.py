"""Components of two or three variables that only exclude pairs of values, counted by matrices.

Ships on a board, appointments, pieces that must not overlap: "at most one" of some facts, or a
table of two variables, rules out pairs of values and nothing else. The last two variables then have
as many ways as their matrix of compatible pairs has ones, and the last three as many as there are
triangles, which is one product of matrices (Itai and Rodeh, *Finding a minimum circuit in a graph*,
SIAM J. Comput. 1978). So a search over k such variables branches on k - 3 of them. The rows of a
matrix are packed into words of 64 bits, so that a product counts bits; that is exact, and faster
than floating-point numbers are with matrices of this size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from random import Random
from typing import Any

from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import CompiledCount, CompiledWhere, Model
from deduce.engines.core.residual import Residual

__all__ = ["Pairs", "Triangle", "cells_of", "is_pairwise"]

MIN_CELLS = 64
"""With fewer combinations than this, branching is as fast."""

MAX_CELLS = 1 << 22
"""With more words of 64 bits than this in the product of two matrices, it would not fit."""

WORD = 64
"""Bits of a word."""


def is_pairwise(residual: Residual) -> bool:
    """Return whether a constraint only excludes pairs of values."""
    form = residual.form
    if isinstance(form, CompiledCount):
        return form.low <= 0 and form.high == 1
    return isinstance(form, CompiledWhere) and len(form.variables) == 2


def cells_of(sizes: Sequence[int]) -> int:
    """Return the number of words that variables would take, given how many values they have.

    Parameters
    ----------
    sizes
        The numbers of values, ascending.
    """
    return prod(sizes[:-1]) * (1 + sizes[-1] // WORD)


class Pairs:
    """The compatible pairs of values of any two variables, as matrices of bits.

    Parameters
    ----------
    model
        The numbering.
    residuals
        The constraints; those that exclude more than pairs are not looked at.

    Raises
    ------
    ImportError
        numpy is not installed, or is older than version 2.
    """

    def __init__(self, model: Model, residuals: Sequence[Residual]) -> None:
        import numpy

        if not hasattr(numpy, "bitwise_count"):
            raise ImportError("numpy 2 or later is needed")
        self.numpy: Any = numpy
        self.model = model
        self.forms = [r.form for r in residuals if is_pairwise(r)]
        self.matrices: dict[tuple[int, int], tuple[Any, Any]] = {}
        self.places = [
            {bit: place for place, bit in enumerate(bits_of(domain))} for domain in model.domains
        ]

    def matrix(self, i: int, j: int) -> tuple[Any, Any]:
        """Return the matrix of two variables over all their values: as Booleans, and packed."""
        known = self.matrices.get((i, j))
        if known is not None:
            return known
        numpy = self.numpy
        matrix = numpy.ones((len(self.places[i]), len(self.places[j])), dtype=bool)
        for form in self.forms:
            if isinstance(form, CompiledCount):
                masks = dict(form.terms)
                if i in masks and j in masks:
                    rows, columns = self.chosen(i, masks[i]), self.chosen(j, masks[j])
                    matrix[numpy.ix_(rows, columns)] = False
            elif isinstance(form, CompiledWhere) and set(form.variables) == {i, j}:
                allowed = numpy.zeros_like(matrix)
                for row in form.rows:
                    a, b = self.model.domain(row, i), self.model.domain(row, j)
                    allowed[self.places[i][a], self.places[j][b]] = True
                matrix &= allowed
        self.matrices[i, j] = matrix, self._packed(matrix)
        return self.matrices[i, j]

    def _packed(self, matrix: Any) -> Any:
        """Return a matrix with 64 columns in a word."""
        numpy = self.numpy
        rows, columns = matrix.shape
        padded = numpy.zeros((rows, -(-columns // WORD) * WORD), dtype=bool)
        padded[:, :columns] = matrix
        return numpy.packbits(padded, axis=1, bitorder="little").view("<u8")

    def words(self, chosen: Sequence[int], size: int) -> Any:
        """Return the bits of some places of a variable with ``size`` values, packed."""
        row = self.numpy.zeros((1, size), dtype=bool)
        row[0, chosen] = True
        return self._packed(row)[0]

    def product(self, left: Any, right: Any) -> Any:
        """Return for each two rows the number of bits that both have."""
        numpy = self.numpy
        both = left[:, None, :] & right[None, :, :]
        return numpy.bitwise_count(both).sum(-1, dtype=numpy.int64)

    def chosen(self, i: int, mask: int) -> list[int]:
        """Return the places of some values of a variable in its matrices."""
        places = self.places[i]
        return [places[bit] for bit in bits_of(mask & self.model.domains[i])]


class Triangle:
    """A component of two or three variables that only exclude pairs.

    Parameters
    ----------
    pairs
        The matrices.
    state
        The possible values.
    variables
        The two or three variables, that with the most values last.

    Attributes
    ----------
    total : int
        The number of ways.
    """

    def __init__(self, pairs: Pairs, state: int, variables: Sequence[int]) -> None:
        self.pairs = pairs
        self.variables = variables
        stride = pairs.model.stride
        self.domains = [pairs.model.domain(state, i) for i in variables]
        self.shifts = [i * stride for i in variables]
        self.total = int(self._ways().sum())

    def _chosen(self) -> list[list[int]]:
        domains = zip(self.variables, self.domains, strict=True)
        return [self.pairs.chosen(i, domain) for i, domain in domains]

    def _ways(self) -> Any:
        """Return for each two values of the first two variables the number of ways with both."""
        pairs, numpy = self.pairs, self.pairs.numpy
        first, second, *third = self._chosen()
        i, j = self.variables[:2]
        compatible = pairs.matrix(i, j)[0][numpy.ix_(first, second)]
        if not third:
            return compatible.astype(numpy.int64)
        k = self.variables[2]
        words = pairs.words(third[0], len(pairs.places[k]))
        left = pairs.matrix(i, k)[1][first] & words
        return pairs.product(left, pairs.matrix(j, k)[1][second]) * compatible

    def flows(self) -> Iterator[tuple[int, int]]:
        """Yield each value by its bit, with the number of ways in which a variable has it."""
        pairs, numpy = self.pairs, self.pairs.numpy
        ways = self._ways()
        sums = [ways.sum(1), ways.sum(0)]
        chosen = self._chosen()
        if len(chosen) == 3:
            i, j, k = self.variables
            words = pairs.words(chosen[1], len(pairs.places[j]))
            left = pairs.matrix(i, j)[1][chosen[0]] & words
            compatible = pairs.matrix(i, k)[0][numpy.ix_(chosen[0], chosen[2])]
            sums.append((pairs.product(left, pairs.matrix(k, j)[1][chosen[2]]) * compatible).sum(0))
        for domain, shift, row in zip(self.domains, self.shifts, sums, strict=True):
            for bit, number in zip(bits_of(domain), row.tolist(), strict=True):
                if number:
                    yield bit << shift, number

    def draw(self, random: Random) -> int:
        """Return the bits of one way, each way with the same probability."""
        ways = self._ways()
        bits = [list(bits_of(domain)) for domain in self.domains]
        row = _drawn(ways.sum(1).tolist(), random)
        column = _drawn(ways[row].tolist(), random)
        state = bits[0][row] << self.shifts[0] | bits[1][column] << self.shifts[1]
        if len(bits) == 3:
            chosen = self._chosen()
            i, j, k = self.variables
            both = self.pairs.matrix(i, k)[0][chosen[0][row]]
            both = (both & self.pairs.matrix(j, k)[0][chosen[1][column]])[chosen[2]]
            state |= bits[2][_drawn(both.tolist(), random)] << self.shifts[2]
        return state


def _drawn(weights: Sequence[int], random: Random) -> int:
    """Return a position, drawn by its weight."""
    spot = random.randrange(sum(weights))
    for position, weight in enumerate(weights):
        spot -= weight
        if spot < 0:
            return position
    raise AssertionError("the weights add up to less than before")
