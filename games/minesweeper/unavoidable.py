"""Guesses that cannot be avoided: pairs and squares of cells that no number tells apart.

Two cells side by side of which one is a mine are told apart only by the cells that touch one of
them alone. If all of these are mines, one of the two has to be guessed. The same holds for a square
of four cells with two mines in opposite corners, if the four cells that touch its corners alone are
mines. Who opens such a cell early loses nothing, and may learn more.
"""

from __future__ import annotations

from functools import cache

from attrs import frozen

from games.minesweeper.lookahead import View, indices
from games.minesweeper.setup import Board

__all__ = ["Pattern", "patterns", "stakes"]

MAX_MISSING = 3
"""How many cells around may still have to be mines."""
MAX_ENABLERS = 1
"""With up to this number of them, those cells count, too."""


@frozen
class Pattern:
    """Cells as bits, of which one half are mines; exchanging the halves changes no other number.

    So it is as long as all cells of ``ends``, which touch one half more than the other, are mines.
    """

    first: int
    second: int
    ends: int


@cache
def patterns(board: Board) -> tuple[Pattern, ...]:
    """Return all pairs and squares of a board."""
    grid = board.grid()
    index, around = grid.index, grid.around
    result = []
    for x, y in grid.cells:
        for other in ((x + 1, y), (x, y + 1)):
            if other in index:
                a, b = index[x, y], index[other]
                ends = (around[a] ^ around[b]) & ~(1 << a | 1 << b)
                result.append(Pattern(1 << a, 1 << b, ends))
        if (x + 1, y + 1) in index:
            square = [index[x + i, y + j] for i, j in ((0, 0), (1, 1), (1, 0), (0, 1))]
            a, b, c, d = (1 << i for i in square)
            corners = grid.bits(
                cell
                for cell in ((x - 1, y - 1), (x + 2, y - 1), (x - 1, y + 2), (x + 2, y + 2))
                if cell in index
            )
            result.append(Pattern(a | b, c | d, corners))
    return tuple(result)


def stakes(view: View, board: Board) -> dict[int, int]:
    """Return for cells in how many placements they are a mine that has to be guessed anyway.

    Parameters
    ----------
    view
        The undecided cells.
    board
        The board.
    """
    result: dict[int, int] = {}
    closed = view.hidden | view.mines
    for pattern in patterns(board):
        cells = pattern.first | pattern.second
        if cells & ~view.hidden or pattern.ends & ~closed:
            continue
        missing = pattern.ends & view.hidden
        needed = missing.bit_count()
        half = pattern.first.bit_count()
        if needed > MAX_MISSING or needed + half > view.left:
            continue
        rules = {(pattern.first, half), (pattern.second, 0)}
        if missing:
            rules.add((missing, needed))
        ways = view.with_rules(rules)
        if ways:
            if needed + half <= MAX_ENABLERS + 1:
                cells |= missing
            for index in indices(cells):
                result[index] = result.get(index, 0) + ways
    return result
