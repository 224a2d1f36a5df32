"""The end of a game: the cell with the greatest chance of winning, by search."""

from __future__ import annotations

from deduce import Knowledge, Problem, Rule, exactly, is_
from games.minesweeper.position import Position
from games.minesweeper.setup import Cell

__all__ = ["best_cell"]

MAX_CELLS = 40
MAX_STATES = 20_000
"""How many sets of placements are looked at before the search is given up."""


def best_cell(position: Position) -> tuple[Cell, int] | None:
    """Return the cell whose opening wins most placements with best play, and how many it wins.

    ``None`` if the search is too large. No cell of the position is certainly clear.
    """
    cells = position.hidden()
    if len(cells) > MAX_CELLS:
        return None
    index = {cell: 1 << i for i, cell in enumerate(cells)}
    rules = [Rule(exactly(position.left(), [is_(cell, True) for cell in cells]))]
    for number in position.numbers:
        near, mines = position.unknown(number)
        if near:
            rules.append(Rule(exactly(mines, [is_(cell, True) for cell in sorted(near)])))
    knowledge = Knowledge(Problem(dict.fromkeys(cells, (False, True)), rules))
    placements = [sum(index[cell] for cell in cells if world[cell]) for world in knowledge.worlds()]
    around = [sum(index.get(other, 0) for other in position.board.around(cell)) for cell in cells]
    search = _Search(around, len(cells))
    try:
        best = max((search.wins_by(tuple(placements), 0, i), -i) for i in range(len(cells)))
    except _TooLarge:
        return None
    return cells[-best[1]], best[0]


class _TooLarge(Exception):
    """The search has met too many states."""


class _Search:
    """Wins by best play; a state is the placements that are left and the cells that are open."""

    def __init__(self, around: list[int], count: int) -> None:
        self.around = around
        self.count = count
        self.known: dict[tuple[tuple[int, ...], int], int] = {}

    def wins(self, placements: tuple[int, ...], opened: int) -> int:
        """Return how many placements are won."""
        if len(placements) == 1:
            return 1
        known = self.known.get((placements, opened))
        if known is not None:
            return known
        if len(self.known) > MAX_STATES:
            raise _TooLarge
        anywhere = 0
        for placement in placements:
            anywhere |= placement
        clear = ~anywhere & ~opened & (1 << self.count) - 1
        if clear:
            cell = (clear & -clear).bit_length() - 1
            best = self.wins_by(placements, opened, cell)
        else:
            best = 0
            for cell in range(self.count):
                bit = 1 << cell
                if opened & bit:
                    continue
                alive = sum(not placement & bit for placement in placements)
                if alive > best:  # at most these can be won
                    best = max(best, self.wins_by(placements, opened, cell))
        self.known[placements, opened] = best
        return best

    def wins_by(self, placements: tuple[int, ...], opened: int, cell: int) -> int:
        """Return how many placements are won if this cell is opened next."""
        bit, around = 1 << cell, self.around[cell]
        opened |= bit
        by_number: dict[int, list[int]] = {}
        won = 0
        every = (1 << self.count) - 1
        for placement in placements:
            if placement & bit:
                continue
            if opened | placement == every:
                won += 1  # the last clear cell
            else:
                by_number.setdefault((placement & around).bit_count(), []).append(placement)
        return won + sum(self.wins(tuple(group), opened) for group in by_number.values())
