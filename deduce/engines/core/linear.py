"""Systems of linear equations modulo 2, as a leaf of the search with component caching.

Where every variable of a component has two values left, a constraint may be *affine*: the rows that
it allows are the solutions of linear equations modulo 2. "A says that B and C are the same" is one,
"an odd number of these three tell the truth" another. A component of such constraints alone has no
world, or 2 to the power of the number of variables less the rank. Gaussian elimination finds the
rank, where branching takes exponential time.

An unknown is the upper of a variable's two value bits, an equation an int with the bits of its
unknowns, and with bit 0 where they are to add up to 1. (Bit 0 is never an upper value.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from deduce.budget import Meter
from deduce.engines.core.masks import bits_of

__all__ = ["FEWEST", "Elimination", "Linear", "equations_of", "is_affine", "upper"]

FEWEST = 4
"""From this number of constraints on a component is eliminated; smaller ones are branched on."""

MANY = 16
"""Rows with which an equation is compared in a step."""

WORD = 1024
"""Bits of an equation that cost one more step."""

MAX_ROWS = 4096
"""More rows than this are not looked at before propagation."""


def upper(own: int, ones: int) -> int | None:
    """Return the upper value bits of fields with two values each; ``None``: one has more.

    Parameters
    ----------
    own
        Fields that are all open, with at least two values each.
    ones
        The lowest bit of each of these fields.
    """
    high = own & (own - ones)
    return None if high & (high - ones) else high


def equations_of(rows: Sequence[int], unknowns: int) -> tuple[int, ...] | None:
    """Return equations whose solutions are these vectors; ``None``: there are no such ones.

    Vectors are affine just if the space of their differences has as many elements as there are.

    Parameters
    ----------
    rows
        Different vectors of unknowns, at least one.
    unknowns
        The unknowns that they are about.

    Examples
    --------
    >>> equations_of([0b0010, 0b0100], 0b0110)
    (7,)
    >>> equations_of([0b0010, 0b0100, 0b0110], 0b0110) is None
    True
    """
    if len(rows) & (len(rows) - 1):
        return None
    dimension = len(rows).bit_length() - 1
    first = rows[0]
    space: dict[int, int] = {}
    for row in rows:
        difference = _reduced(row ^ first, space)
        if difference:
            if len(space) == dimension:
                return None
            _enter(difference, space)
    return tuple(_equations(first, unknowns, space))


def _reduced(vector: int, rows: dict[int, int]) -> int:
    """Return a vector without the pivots of the rows."""
    for pivot, row in rows.items():
        if vector & pivot:
            vector ^= row
    return vector


def _enter(vector: int, rows: dict[int, int]) -> None:
    """Add a reduced vector to the rows, so that each pivot stays in one of them only."""
    pivot = 1 << (vector.bit_length() - 1)
    for other, row in rows.items():
        if row & pivot:
            rows[other] = row ^ vector
    rows[pivot] = vector


def _equations(first: int, unknowns: int, space: dict[int, int]) -> Iterator[int]:
    """Yield for each unknown without a pivot the equation that gives it by those with one."""
    for unknown in bits_of(unknowns):
        if unknown in space:
            continue
        equation = unknown
        for pivot, vector in space.items():
            if vector & unknown:
                equation |= pivot
        yield equation | (first & equation).bit_count() & 1


def is_affine(rows: Sequence[int], fields: Sequence[int]) -> bool:
    """Return whether rows of values are what equations allow; no, if there are very many.

    Parameters
    ----------
    rows
        Different rows, with one bit in each of the fields.
    fields
        The bits of the values of each variable.

    Examples
    --------
    >>> is_affine([0b0101, 0b1010], [0b0011, 0b1100])
    True
    """
    if not 0 < len(rows) <= MAX_ROWS or any(field.bit_count() > 2 for field in fields):
        return False
    high = sum(field & (field - 1) for field in fields)
    return equations_of([row & high for row in rows], high) is not None


class Elimination:
    """Equations modulo 2, solved.

    Parameters
    ----------
    equations
        The equations.
    meter
        What pays: for each equation its comparison with the rows before.

    Attributes
    ----------
    rows : dict
        For each unknown that is given by others its equation, which has no other such unknown.
    consistent : bool
        Whether there is a solution.

    Examples
    --------
    >>> from deduce.budget import UNLIMITED
    >>> solved = Elimination([0b0111, 0b1101], UNLIMITED)
    >>> solved.consistent, solved.rows
    (True, {4: 7, 8: 10})
    >>> Elimination([0b0110, 0b0111], UNLIMITED).consistent
    False
    """

    def __init__(self, equations: Iterable[int], meter: Meter) -> None:
        self.rows: dict[int, int] = {}
        self.consistent = True
        for equation in equations:
            meter.spend((1 + len(self.rows) // MANY) * (1 + equation.bit_length() // WORD))
            left = _reduced(equation, self.rows)
            if left == 1:
                self.consistent = False
                return
            if left:
                _enter(left, self.rows)


class Linear:
    """A component of affine constraints, counted by elimination; a leaf in the graph of a search.

    Parameters
    ----------
    own, high
        The two values of each variable, and the upper of them.
    equations
        What is demanded.
    meter
        What pays for the elimination.
    """

    def __init__(self, own: int, high: int, equations: Iterable[int], meter: Meter) -> None:
        solved = Elimination(equations, meter)
        self.own, self.high = own, high
        self.rows = solved.rows
        free = high.bit_count() - len(self.rows)
        self.total = 1 << free if solved.consistent else 0

    def flows(self) -> Iterator[tuple[int, int]]:
        """Yield value bits, each with the number of worlds that have it: all, or half of them."""
        low = self.own ^ self.high
        for lower, unknown in zip(bits_of(low), bits_of(self.high), strict=True):
            row = self.rows.get(unknown, 0)
            if row & ~1 == unknown:
                yield (unknown if row & 1 else lower), self.total
            else:
                yield lower, self.total // 2
                yield unknown, self.total // 2

    def draw(self, random: Random) -> int:
        """Return the values of the component in a world that is drawn uniformly."""
        drawn = random.getrandbits(self.high.bit_length()) & self.high
        for pivot in self.rows:
            drawn &= ~pivot
        solution = drawn | 1
        for pivot, row in self.rows.items():
            if (row & solution).bit_count() & 1:
                drawn |= pivot
        low = self.own ^ self.high
        for lower, unknown in zip(bits_of(low), bits_of(self.high), strict=True):
            if not drawn & unknown:
                drawn |= lower
        return drawn
