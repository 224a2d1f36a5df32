"""Tables of allowed rows, looked up by value.

For each value a mask has the rows that contain it, so that the rows within a state, and the values
that they support, take a few operations on whole ints per value instead of one per row (as in
Demeulenaere et al., *Compact-table*, CP 2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from attrs import frozen

from deduce.engines.core.masks import positions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Neighbours", "Relation", "Table"]

FEW = 48
"""Up to this number of rows they are looked at one by one."""

MAX_BITS = 1 << 26
"""With more bits in all masks than this, rows are looked at one by one, to save memory."""

Neighbours: TypeAlias = Sequence[Sequence[int]]
"""For each value of one variable, by rank, the values of another that a row has with it."""


class Table:
    """Rows of bits, one bit in each of some fields.

    Parameters
    ----------
    rows
        The rows.
    fields
        For each variable the bits of its values.

    Attributes
    ----------
    cost : int
        About how many constraints of facts can be examined in the time of one look-up.

    Examples
    --------
    >>> table = Table([0b0101, 0b0110, 0b1001], [0b0011, 0b1100])
    >>> table.within(0b1101), table.within(0b1010)
    ((13, 2), (0, 0))
    """

    def __init__(self, rows: Sequence[int], fields: Sequence[int]) -> None:
        self.rows = rows
        self.fields = fields
        values = sum(field.bit_count() for field in fields)
        self.columns: list[tuple[int, list[tuple[int, int]]]] = []
        """For each field its bits, and for each of these the rows with it; empty: not made."""
        self.cost = len(rows)
        if len(rows) > FEW and values * len(rows) <= MAX_BITS:
            self.cost = min(self.cost, values + values * len(rows) // 4096)
            self.columns = [(field, self._column(field)) for field in fields]

    def _column(self, field: int) -> list[tuple[int, int]]:
        places: dict[int, bytearray] = {}
        size = len(self.rows) // 8 + 1
        for number, row in enumerate(self.rows):
            bit = row & field
            if bit not in places:
                places[bit] = bytearray(size)
            places[bit][number >> 3] |= 1 << (number & 7)
        return [(bit, int.from_bytes(mask, "little")) for bit, mask in places.items()]

    def within(self, state: int) -> tuple[int, int]:
        """Return the values of all rows within a state, and the number of these rows."""
        if not self.columns:
            return self._within(state)
        alive = (1 << len(self.rows)) - 1
        left = []
        for field, column in self.columns:
            if state & field == field:
                left.append(column)
                continue
            present = [item for item in column if state & item[0]]
            if 2 * len(present) <= len(column):
                supported = 0
                for _, rows in present:
                    supported |= rows
                alive &= supported
            else:
                for bit, rows in column:
                    if not state & bit:
                        alive &= ~rows
            left.append(present)
        if not alive:
            return 0, 0
        allowed = 0
        for present in left:
            for bit, rows in present:
                if rows & alive:
                    allowed |= bit
        return allowed, alive.bit_count()

    def _within(self, state: int) -> tuple[int, int]:
        allowed = number = 0
        for row in self.rows:
            if state & row == row:
                allowed |= row
                number += 1
        return allowed, number


@frozen(eq=False)
class Relation:
    """The rows of a table by the positions of their values; equal tables share one.

    So what is made of the rows is made once, for each step of a path as for the first.

    Parameters
    ----------
    rows
        A position for each variable, row by row.
    domains
        For each variable the mask of its values.
    width
        The number of positions.
    """

    rows: Sequence[tuple[int, ...]]
    domains: tuple[int, ...]
    width: int

    @property
    def is_large(self) -> bool:
        """Whether its rows are not looked at one by one."""
        return len(self.rows) > FEW

    @cached_property
    def table(self) -> Table:
        """The rows by value, in fields of ``width`` bits side by side."""
        shifts = range(0, len(self.domains) * self.width, self.width)
        fields = [mask << shift for mask, shift in zip(self.domains, shifts, strict=True)]
        return Table(self.shifted(shifts), fields)

    def shifted(self, shifts: Sequence[int]) -> list[int]:
        """Return the rows, each with the bits of its positions in fields that begin there."""
        rows = [0] * len(self.rows)
        for column, shift in zip(zip(*self.rows, strict=True), shifts, strict=False):
            bits = [1 << at + shift for at in range(self.width)]
            rows = [row | bits[at] for row, at in zip(rows, column, strict=True)]
        return rows

    @cached_property
    def array(self) -> NDArray[np.int64]:
        """The rows as an array."""
        import numpy as np

        return np.array(self.rows, dtype=np.int64).reshape(-1, len(self.domains))

    @cached_property
    def neighbours(self) -> tuple[Neighbours, Neighbours]:
        """For a table of two variables the second's values by the first's, and the reverse.

        Values are numbered from 0 in each domain.
        """
        ranks = [{at: rank for rank, at in enumerate(positions(mask))} for mask in self.domains]
        after: list[list[int]] = [[] for _ in ranks[0]]
        before: list[list[int]] = [[] for _ in ranks[1]]
        for first, second in self.rows:
            a, b = ranks[0][first], ranks[1][second]
            after[a].append(b)
            before[b].append(a)
        return after, before
