"""Components of two or three variables that only exclude pairs of values, counted by matrices.

Ships on a board, appointments, pieces that must not overlap: "at most one" of some facts, or a
table of two variables, rules out pairs of values and nothing else. The last two variables then have
as many ways as their matrix of compatible pairs has ones, and the last three as many as there are
triangles, which is one product of matrices (Itai and Rodeh, *Finding a minimum circuit in a graph*,
SIAM J. Comput. 1978). So a search over k such variables branches on k - 3 of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any

from deduce.engines.counting.residual import Residual
from deduce.engines.model import CompiledCount, CompiledWhere, Model, bits_of

__all__ = ["Pairs", "Triangle", "is_pairwise"]

MIN_CELLS = 64
"""With fewer combinations than this, branching is as fast."""

MAX_CELLS = 1 << 24
"""With more combinations of two variables than this, the matrix would not fit."""


def is_pairwise(residual: Residual) -> bool:
    """Return whether a constraint only excludes pairs of values."""
    form = residual.form
    if isinstance(form, CompiledCount):
        return form.low <= 0 and form.high == 1
    return isinstance(form, CompiledWhere) and len(form.variables) == 2


class Pairs:
    """The compatible pairs of values of any two variables, as matrices of 0 and 1.

    Parameters
    ----------
    model
        The numbering.
    residuals
        The constraints; those that exclude more than pairs are not looked at.
    """

    def __init__(self, model: Model, residuals: Sequence[Residual]) -> None:
        import numpy

        self.numpy: Any = numpy
        self.model = model
        self.forms = [r.form for r in residuals if is_pairwise(r)]
        self.matrices: dict[tuple[int, int], Any] = {}
        self.places = [
            {bit: place for place, bit in enumerate(bits_of(domain))} for domain in model.domains
        ]

    def matrix(self, i: int, j: int) -> Any:
        """Return the matrix of two variables, over all values that they begin with."""
        known = self.matrices.get((i, j))
        if known is not None:
            return known
        numpy = self.numpy
        matrix = numpy.ones((len(self.places[i]), len(self.places[j])), dtype=numpy.float32)
        for form in self.forms:
            if isinstance(form, CompiledCount):
                masks = dict(form.terms)
                if i in masks and j in masks:
                    rows, columns = self.chosen(i, masks[i]), self.chosen(j, masks[j])
                    matrix[numpy.ix_(rows, columns)] = 0
            elif isinstance(form, CompiledWhere) and set(form.variables) == {i, j}:
                allowed = numpy.zeros_like(matrix)
                for row in form.rows:
                    a, b = self.model.domain(row, i), self.model.domain(row, j)
                    allowed[self.places[i][a], self.places[j][b]] = 1
                matrix *= allowed
        self.matrices[i, j] = matrix
        return matrix

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
        The two or three variables.

    Attributes
    ----------
    total : int
        The number of ways.
    """

    def __init__(self, pairs: Pairs, state: int, variables: Sequence[int]) -> None:
        numpy = pairs.numpy
        stride = pairs.model.stride
        self.values = [
            [bit << i * stride for bit in bits_of(pairs.model.domain(state, i))] for i in variables
        ]
        chosen = [pairs.chosen(i, pairs.model.domain(state, i)) for i in variables]
        i, j, *third = variables
        self._numpy = numpy
        self._first = pairs.matrix(i, j)[numpy.ix_(chosen[0], chosen[1])]
        self._third = []
        self._ways = self._first
        if third:
            (k,) = third
            self._third = [
                pairs.matrix(i, k)[numpy.ix_(chosen[0], chosen[2])],
                pairs.matrix(j, k)[numpy.ix_(chosen[1], chosen[2])],
            ]
            self._ways = self._first * (self._third[0] @ self._third[1].T)
        self.total = int(self._ways.sum(dtype=numpy.float64))

    @cached_property
    def flows(self) -> Mapping[int, int]:
        """The number of ways with each value, by its bit."""
        numpy = self._numpy
        sums = [self._ways.sum(1, dtype=numpy.float64), self._ways.sum(0, dtype=numpy.float64)]
        if self._third:
            first, second = self._third
            sums.append(((self._first @ second) * first).sum(0, dtype=numpy.float64))
        return {
            bit: int(ways)
            for bits, row in zip(self.values, sums, strict=True)
            for bit, ways in zip(bits, row.tolist(), strict=True)
            if ways
        }

    def draw(self, random: Random) -> int:
        """Return the bits of one way, each way with the same probability."""
        rows = self._ways.sum(1, dtype=self._numpy.float64).tolist()
        i = _drawn(rows, random)
        j = _drawn(self._ways[i].tolist(), random)
        state = self.values[0][i] | self.values[1][j]
        if self._third:
            both = self._third[0][i] * self._third[1][j]
            state |= self.values[2][_drawn(both.tolist(), random)]
        return state


def _drawn(weights: Sequence[float], random: Random) -> int:
    """Return a position, drawn by its weight, a whole number."""
    spot = random.randrange(int(sum(weights)))
    for position, weight in enumerate(weights):
        spot -= int(weight)
        if spot < 0:
            return position
    raise AssertionError("the weights add up to less than before")
