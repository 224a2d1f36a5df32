"""Which uncertain cell to open: the chance to survive it and the next one, and what is at stake.

Of every cell that is nearly as safe as the safest it is worked out, for each number that it can
show, how safe the safest cells would be afterwards. A cell that may belong to a guess that cannot
be avoided (see `stakes`) counts for more: the risk is taken anyway.

Two cells side by side of which one is a mine are told apart only by the cells that touch one of
them alone. If all of these are mines, one of the two has to be guessed. The same holds for a square
of four cells with two mines in opposite corners, if the four cells that touch its corners alone are
mines. Who opens such a cell early loses nothing, and may learn more.

Source: the methods, and that they win more games, are those of public solvers, as the notes of
JSMinesweeper (D. N. Hill) describe them; the weights were compared on 1000 games.
"""

from __future__ import annotations

from functools import cache

from attrs import frozen

from games.minesweeper.counting import View, indices
from games.minesweeper.setup import Board

__all__ = ["Pattern", "Rating", "patterns", "rated", "stakes"]


MARGIN = 0.9
"""Cells are rated that are clear with at least this part of the best probability."""
MAX_ELSEWHERE = 8
"""How many cells that are beside no number are rated: those most likely to show 0."""
SECOND = 0.2
"""The weight of the second safest cell after the next number; the safest has the rest."""
STAKE = 0.9
"""The weight of guesses that cannot be avoided."""
ONE_NUMBER = 0.5
"""The weight of a cell that can only show one number: opening it tells nothing."""


@frozen
class Rating:
    """What is expected of opening a cell."""

    index: int
    """Of the cell in the grid of the board."""
    clear: float
    """The probability that it is clear."""
    both: float
    """The probability that the safest cell after it is clear, too."""
    zero: float
    """About the probability that it shows 0: as if its neighbours were independent."""
    score: float
    """What cells are compared by."""
    is_due: bool = False
    """Whether it has to be guessed unless it is clear, so that nothing is lost by opening it."""


def rated(view: View, board: Board) -> list[Rating]:
    """Return ratings, the best first. Cells that cannot be the best may be left out.

    Parameters
    ----------
    view
        The undecided cells, none of which is certain.
    board
        The board.
    """
    total, mined = view.weights.total, view.mined()
    clear = {cell: 1 - ways / total for cell, ways in mined.items()}
    zero = {cell: _zero(view, clear, cell) for cell in mined}
    if view.hidden.bit_count() == len(board.cells()):  # nothing is open
        first = [Rating(cell, clear[cell], clear[cell], zero[cell], zero[cell]) for cell in mined]
        return sorted(first, key=_order)[:MAX_ELSEWHERE]
    stake = {
        cell: min(ways, mined[cell], total - mined[cell])
        for cell, ways in stakes(view, board).items()
    }
    due = [cell for cell, ways in stake.items() if ways == mined[cell]]
    for cell in sorted(due, key=lambda each: (mined[each], each)):
        afters = list(view.after(cell))
        if len(afters) > 1:
            both = sum(after.ways / total * after.safest for after in afters)
            return [Rating(cell, clear[cell], both, zero[cell], 1.0, is_due=True)]
    enough = max(clear.values()) * MARGIN
    chosen = [cell for cell in mined if clear[cell] + stake.get(cell, 0) / total >= enough]
    far = [cell for cell in chosen if view.elsewhere >> cell & 1]
    dropped = set(sorted(far, key=lambda cell: (-zero[cell], cell))[MAX_ELSEWHERE:])
    chosen = [cell for cell in chosen if cell not in dropped]
    # The most promising first, so that others are given up early.
    chosen.sort(key=lambda cell: (-clear[cell] - STAKE * (stake.get(cell, 0) / total), -zero[cell]))
    ratings: list[Rating] = []
    best = 0.0
    for cell in chosen:
        left = clear[cell]
        weight = 1 + STAKE * (stake.get(cell, 0) / (total - mined[cell]))
        both = score = 0.0
        afters = []
        for after in view.after(cell):
            afters.append(after)
            share = after.ways / total
            left -= share
            both += share * after.safest
            score += share * ((1 - SECOND) * after.safest + SECOND * after.second)
            if (score + left) * weight < best:
                break
        else:
            score *= weight * (ONE_NUMBER if len(afters) == 1 else 1)
            best = max(best, score)
            ratings.append(Rating(cell, clear[cell], both, zero[cell], score))
    return sorted(ratings, key=_order)


def _order(rating: Rating) -> tuple[float, float, int]:
    return -rating.score, -rating.zero, rating.index


def _zero(view: View, clear: dict[int, float], cell: int) -> float:
    if view.around[cell] & view.mines:
        return 0.0
    chance = clear[cell]
    for other in indices(view.around[cell] & view.hidden):
        chance *= clear[other]
    return chance


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
