"""Components of two to five variables that only exclude pairs of values, counted by matrices.

Ships on a board, appointments, pieces that must not overlap: "at most one" of some facts, or a
table of two variables, rules out pairs of values and nothing else. Two variables then have as many
ways as their matrix of compatible pairs has ones; three as many as there are triangles, which is
one product of matrices (Itai and Rodeh, *Finding a minimum circuit in a graph*, SIAM J. Comput.
1978); and four have one such product for each two values of two of them (Nešetřil and Poljak, *On
the complexity of the subgraph problem*, 1985).

Of five variables that with the fewest conflicts is left out, and what it forbids is subtracted by
inclusion and exclusion: compatible with its value ``e`` are all ways of the four others, less those
in which a value of one conflicts with ``e``, plus those in which the values of two do, and so on.
Values that conflict are few, as a rule: of three ships that do not overlap, at most two can cover
one of two cells. So the four others are counted once, and not for every value of the fifth. A
search over k such variables branches on k - 5 of them.

Products are those of floating-point numbers, and exact: every sum is smaller than the numbers that
a float has digits for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import prod
from random import Random
from typing import Any, TypeAlias

from deduce.budget import Meter
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import CompiledCount, CompiledWeigh, CompiledWhere, Model
from deduce.engines.core.residual import Residual

__all__ = ["MAX_CELLS", "MAX_VARIABLES", "Clique", "Pairs", "is_pairwise"]

MAX_VARIABLES = 5
"""More variables than this are branched on first."""

MIN_WAYS = 64
"""With fewer combinations of the values of three variables than this, branching is as fast; of four
and five, with fewer than 8 and 64 times this."""

MAX_CELLS = 1 << 24
"""With more combinations of three variables than this, an array of them would not fit."""

PRICE = 4000
"""Additions of a product of matrices that cost one step; a third to all of a microsecond."""

EXACT = 1 << 53
"""Whole numbers up to this have an exact float of 64 bits."""

EXACT_SHORT = 1 << 24
"""Whole numbers up to this have an exact float of 32 bits."""

SMALL = 1 << 18
"""Up to so many additions a product of matrices is made by one thread: libraries divide larger ones
among threads, which wait for each other where the cores have other work."""

TRIES = 1024
"""Draws that are tried at a time."""

RARE = 1000
"""Where fewer tries than one of so many succeed, draws are made value by value."""


def is_pairwise(residual: Residual) -> bool:
    """Return whether a constraint excludes pairs of values only, or weighs those of a variable."""
    form = residual.form
    if isinstance(form, CompiledCount):
        return form.low <= 0 and form.high == 1
    if isinstance(form, CompiledWeigh):
        return len(form.terms) == 1
    return isinstance(form, CompiledWhere) and len(form.variables) == 2


Matrix: TypeAlias = Any
"""An array of numpy with exact numbers."""


class Pairs:
    """The compatible pairs of values of any two variables, as matrices.

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
        self.matrices: dict[tuple[int, int], Matrix] = {}
        self.places = [
            {bit: place for place, bit in enumerate(bits_of(domain))} for domain in model.domains
        ]

    def matrix(self, i: int, j: int) -> Matrix:
        """Return the matrix of two variables over all their values: whether they are compatible."""
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
        self.matrices[i, j], self.matrices[j, i] = matrix, matrix.T
        return matrix

    def chosen(self, i: int, mask: int) -> list[int]:
        """Return the places of some values of a variable in its matrices."""
        places = self.places[i]
        return [places[bit] for bit in bits_of(mask & self.model.domains[i])]


def _weights(i: int, domain: int, weighs: Sequence[CompiledWeigh]) -> list[int]:
    """Return the weight of each value of a variable, by the likelihoods about it alone."""
    levels = [(weigh.weights, of) for weigh in weighs for j, of in weigh.terms if j == i]
    return [
        prod(weights[next(amount for amount, mask in of if mask & bit)] for weights, of in levels)
        for bit in bits_of(domain)
    ]


class Clique:
    """A component of two to five variables that only exclude pairs.

    Parameters
    ----------
    pairs
        The matrices.
    domains
        The possible values of each variable, by its index.
    weighs
        The likelihoods, each about one of the variables.
    meter
        Counts the additions.

    Attributes
    ----------
    total : int
        The weight of all ways.

    Raises
    ------
    OverflowError
        Sums would be greater than a float can hold exactly.
    """

    def __init__(
        self,
        pairs: Pairs,
        domains: Mapping[int, int],
        weighs: Sequence[CompiledWeigh],
        meter: Meter,
    ) -> None:
        numpy = self._numpy = pairs.numpy
        self._pairs, self._weighs, self._meter = pairs, weighs, meter
        weights = {i: _weights(i, domain, weighs) for i, domain in domains.items()}
        if prod(map(sum, weights.values())) << len(domains) > EXACT:
            raise OverflowError
        most = max(map(len, weights.values()))
        alike = all(set(row) <= {1} for row in weights.values())
        kind = numpy.float32 if alike and most**2 < EXACT_SHORT else numpy.float64
        places = {i: pairs.chosen(i, domain) for i, domain in domains.items()}
        fits = {
            (i, j): pairs.matrix(i, j)[numpy.ix_(places[i], places[j])].astype(kind)
            for i in domains
            for j in domains
            if i != j
        }
        order = sorted(domains, key=lambda i: len(places[i]))
        if len(order) == MAX_VARIABLES:
            order.sort(key=lambda i: -sum(int((1 - fits[i, j]).sum()) for j in order if j != i))
        self._domains = {i: domains[i] for i in order}
        self._weights = [numpy.array(weights[i], kind) for i in order]
        self._fits = {
            (a, b): fits[i, j] for a, i in enumerate(order) for b, j in enumerate(order) if i != j
        }
        self._drawn: list[Sequence[int]] = []
        self._tries = 8
        self._ends: Matrix = None
        if len(order) == MAX_VARIABLES:
            self._last = self._with_last()
            self.total = int(self._last[0].sum())
        else:
            self.total = int(self._ways(range(len(order))).sum(dtype=numpy.float64))

    def _ways(self, order: Sequence[int]) -> Matrix:
        """Return an array of the weight of all ways by the values of all variables but the last.

        Parameters
        ----------
        order
            Two to four variables.
        """
        fits, weights = self._fits, self._weights
        *first, last = order
        ways = fits[first[0], last] * weights[last]
        for i in first[1:-1]:
            ways = ways[..., None, :] * fits[i, last]
        ways = self._product(ways, fits[last, first[-1]]) if first[1:] else ways.sum(1)
        shape = ways.shape
        for a, i in enumerate(first):
            ways *= weights[i].reshape([size if b == a else 1 for b, size in enumerate(shape)])
        for (a, i), (b, j) in combinations(enumerate(first), 2):
            ways *= fits[i, j].reshape([n if c in (a, b) else 1 for c, n in enumerate(shape)])
        return ways

    def _product(self, left: Matrix, right: Matrix) -> Matrix:
        """Return the product of matrices, in small pieces."""
        size, columns = right.shape
        rows = left.reshape(-1, size)
        self._meter.spend(1 + len(rows) * size * columns // PRICE)
        height = max(1, SMALL // (size * columns))
        whole = len(rows) - len(rows) % height
        found = self._numpy.empty((len(rows), columns), left.dtype)
        if whole:
            pieces = found[:whole].reshape(-1, height, columns)
            self._numpy.matmul(rows[:whole].reshape(-1, height, size), right, out=pieces)
        if whole < len(rows):
            self._numpy.matmul(rows[whole:], right, out=found[whole:])
        return found.reshape(*left.shape[:-1], columns)

    def _with_last(self) -> list[Matrix]:
        """Return for each of the first four variables the ways by its value and the fifth's."""
        numpy, fits, weights = self._numpy, self._fits, self._weights
        last = MAX_VARIABLES - 1
        conflicts = [1 - fits[i, last] for i in range(last)]
        signed = [numpy.zeros(conflict.shape) for conflict in conflicts]
        pairs: set[tuple[int, int]] = set()
        for i, j, k in combinations(range(last), 3):
            ways = self._ways((i, j, k, 6 - i - j - k))
            by_k = self._product(ways, conflicts[k])
            signed[i] += (by_k * conflicts[j]).sum(1, dtype=numpy.float64)
            signed[j] += (by_k * conflicts[i][:, None]).sum(0, dtype=numpy.float64)
            by_j = self._product(ways.swapaxes(1, 2), conflicts[j])
            signed[k] += (by_j * conflicts[i][:, None]).sum(0, dtype=numpy.float64)
            for axis, (a, b) in (2, (i, j)), (1, (i, k)), (0, (j, k)):
                if (a, b) not in pairs:
                    of_both = ways.sum(axis, dtype=numpy.float64)
                    if not any(a in pair for pair in pairs):
                        signed[a] += of_both.sum(1)[:, None]
                    if not any(b in pair for pair in pairs):
                        signed[b] += of_both.sum(0)[:, None]
                    signed[a] -= of_both @ conflicts[b]
                    signed[b] -= of_both.T @ conflicts[a]
                    pairs.add((a, b))
        self._subtract_threes(conflicts, signed)
        return [
            signed[i] * fits[i, last] * weights[last].astype(numpy.float64) for i in range(last)
        ]

    def _subtract_threes(self, conflicts: Sequence[Matrix], signed: Sequence[Matrix]) -> None:
        """Subtract the ways in which the three other values conflict with the fifth."""
        numpy, fits, weights = self._numpy, self._fits, self._weights
        for e in range(len(weights[-1])):
            lists = [numpy.flatnonzero(conflict[:, e]) for conflict in conflicts]
            for i in range(len(lists)):
                j, k, m = (other for other in range(len(lists)) if other != i)
                self._meter.spend(100)
                in_j, in_k = numpy.nonzero(fits[j, k][numpy.ix_(lists[j], lists[k])])
                in_j, in_k = lists[j][in_j], lists[k][in_k]
                left = (fits[j, m][in_j] * fits[k, m][in_k] * weights[m])[:, lists[m]]
                some = left.any(1)
                if not some.any():
                    continue
                in_j, in_k = in_j[some], in_k[some]
                ways = self._product(left[some], fits[m, i][lists[m]])
                ways *= fits[j, i][in_j] * fits[k, i][in_k]
                ways *= (weights[j][in_j] * weights[k][in_k])[:, None]
                signed[i][:, e] -= ways.sum(0, dtype=numpy.float64) * weights[i]

    def flows(self) -> Iterator[tuple[int, int]]:
        """Yield each value by its bit, with the weight of the ways in which a variable has it."""
        stride = self._pairs.model.stride
        for (i, domain), row in zip(self._domains.items(), self._sums(), strict=True):
            for bit, number in zip(bits_of(domain), row.tolist(), strict=True):
                if number:
                    yield bit << i * stride, int(number)

    def _sums(self) -> list[Matrix]:
        """Return for each variable the weight of the ways by its value."""
        kind, size = self._numpy.float64, len(self._domains)
        if size == MAX_VARIABLES:
            return [*(ways.sum(1) for ways in self._last), self._last[0].sum(0)]
        ways = self._ways(range(size))
        axes = set(range(size - 1))
        sums = [ways.sum(tuple(axes - {axis}), dtype=kind) for axis in range(size - 1)]
        other = self._ways([size - 1, *range(size - 1)])
        return [*sums, other.sum(tuple(axes - {0}), dtype=kind)]

    def draw(self, random: Random) -> int:
        """Return the bits of one way that is drawn by its weight."""
        stride = self._pairs.model.stride
        bits = [list(bits_of(domain)) for domain in self._domains.values()]
        while not self._drawn:
            self._draw(random)
        row = self._drawn.pop()
        return sum(of[a] << i * stride for of, a, i in zip(bits, row, self._domains, strict=True))

    def _draw(self, random: Random) -> None:
        """Draw some ways: four values by their weight, and a fifth, which may conflict with them.

        The weight of all fifth values is the same for each four, so what is drawn without a
        conflict comes by its weight.
        """
        numpy, last, weights = self._numpy, self._weights[-1], self._weights
        size = len(self._domains)
        if self._ends is None:
            ways = self._ways(range(min(size, MAX_VARIABLES - 1)))
            self._shape, self._ends = ways.shape, ways.cumsum(dtype=numpy.float64)
        everything = int(self._ends[-1])
        fifth = int(last.sum()) if size == MAX_VARIABLES else 1
        if size == MAX_VARIABLES and self.total * RARE < everything * fifth:
            self._drawn.append(self._by_value(random))
            return
        self._tries = min(2 * self._tries, TRIES)
        picks = numpy.array([random.randrange(everything) for _ in range(self._tries)])
        cells = numpy.searchsorted(self._ends, picks, "right")
        values = list(numpy.unravel_index(cells, self._shape))
        begins = numpy.where(cells > 0, self._ends[cells - 1], 0)
        each = prod(
            of[value].astype(numpy.float64) for of, value in zip(weights, values, strict=False)
        )
        values.append(self._fitting(values, (picks - begins) // each))
        if size == MAX_VARIABLES:
            spots = numpy.array([random.randrange(fifth) for _ in picks])
            values.append(self._fitting(values, spots))
        rows = numpy.stack(values, 1)
        self._drawn += rows[rows[:, -1] < len(last)].tolist()

    def _fitting(self, values: Sequence[Matrix], spots: Matrix) -> Matrix:
        """Return the value of the next variable at each spot of the weights of those that fit."""
        fits = [self._fits[i, len(values)][value] for i, value in enumerate(values)]
        ends = (prod(fits) * self._weights[len(values)]).cumsum(1, dtype=self._numpy.float64)
        return (ends <= spots[:, None]).sum(1)

    def _by_value(self, random: Random) -> Sequence[int]:
        """Draw a way: the last value by its weight, then the others that fit it."""
        spot, last = random.randrange(self.total), len(self._domains) - 1
        e = int((self._sums()[-1].cumsum() <= spot).sum())
        stride = self._pairs.model.stride
        domains, places = {}, []
        for i, (variable, domain) in enumerate(list(self._domains.items())[:-1]):
            bits = list(bits_of(domain))
            domains[variable] = sum(
                bits[a] for a in self._numpy.flatnonzero(self._fits[i, last][:, e])
            )
            places.append((variable, bits))
        drawn = Clique(self._pairs, domains, self._weighs, self._meter).draw(random)
        field = self._pairs.model.field
        return [*(bits.index(drawn >> i * stride & field) for i, bits in places), e]
