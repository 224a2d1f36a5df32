"""What is known on a board that is being played: certain cells, and the risk of all others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain, permutations
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from deduce.errors import BadInput, Contradiction
from games.minesweeper.counting import View
from games.minesweeper.setup import Board, Cell, read_cell

if TYPE_CHECKING:
    from games.minesweeper.game import Open

__all__ = ["Position", "Risks"]

NONE: tuple[set[Cell], int] = (set(), 0)
"""No cells and no mines."""


@frozen
class Risks:
    """The probability of a mine for every cell that is hidden and not decided."""

    near: Mapping[Cell, Fraction]
    """Cells beside a number."""
    elsewhere: Fraction | None
    """Every cell that is beside no number; ``None`` if there is none."""
    ways: int
    """In how many ways the mines can be placed."""

    def of(self, cell: Cell) -> Fraction:
        """Return the probability of a mine in an undecided cell."""
        risk = self.near.get(cell, self.elsewhere)
        assert risk is not None
        return risk


@define
class Position:
    """The open cells of a board, and what is certain because of them.

    Parameters
    ----------
    board
        The board.
    numbers
        The open cells and what they show; `open` adds to them.

    Raises
    ------
    BadInput
        The number of mines is not known.

    Examples
    --------
    >>> position = Position(Board(3, 3, 2))
    >>> position.open({(0, 0): 1, (2, 0): 0})
    >>> sorted(position.clear), sorted(position.mines)
    ([(1, 0), (1, 1), (2, 1)], [(0, 1)])

    No number here decides anything by itself, but two of them together do. Without such pairs,
    counting on a large board with scattered numbers would take minutes:

    >>> position = Position(Board(3, 2, 2))
    >>> position.open({(0, 1): 1, (1, 1): 2, (2, 1): 1})
    >>> sorted(position.clear), sorted(position.mines)
    ([(1, 0)], [(0, 0), (2, 0)])
    """

    board: Board
    numbers: dict[Cell, int] = field(factory=dict)
    mines: set[Cell] = field(factory=set)
    """Cells that are certainly mines."""
    clear: set[Cell] = field(factory=set)
    """Cells that are certainly clear and not open yet."""

    def __attrs_post_init__(self) -> None:
        if self.board.mines is None:
            raise BadInput("the number of mines is needed: add a line 'mines: 10'")

    @classmethod
    def of(cls, board: Board, log: Iterable[Open]) -> Position:
        """Return the position of a log."""
        position = cls(board)
        position.open({read_cell(event.cell, board): event.number for event in log})
        return position

    def open(self, numbers: Mapping[Cell, int]) -> None:
        """Add open cells, and all that follows from single numbers and from pairs of them."""
        self.numbers.update(numbers)
        self.clear.difference_update(numbers)
        self._follow({*numbers, *self._beside(numbers)})

    def decide(self, *, mines: Iterable[Cell] = (), clear: Iterable[Cell] = ()) -> None:
        """Add cells that are certain for another reason, and what follows."""
        self.mines.update(mines)
        self.clear.update(clear)
        self._follow(self._beside([*mines, *clear]))

    def _follow(self, waiting: set[Cell]) -> None:
        """Decide cells by single numbers and by pairs of them.

        If a number has so many more mines than another one that all cells beside it alone must be
        mines, those beside the other one alone are clear. A single number is compared with none.
        """
        while waiting:
            cell = waiting.pop()
            this = self.unknown(cell)
            if not this[0]:
                continue
            near = map(self.unknown, self._beside(this[0]))
            pairs = (each for other in chain([NONE], near) for each in permutations((this, other)))
            for (cells, mines), (others, count) in pairs:
                if cells != others and mines - count == len(cells - others):
                    self.mines |= cells - others
                    self.clear |= others - cells
                    waiting |= {cell, *self._beside(cells ^ others)}
                    break

    def _beside(self, cells: Iterable[Cell]) -> set[Cell]:
        """Return the open cells beside some cells."""
        return {n for each in cells for n in self.board.around(each) if n in self.numbers}

    def hidden(self) -> list[Cell]:
        """Return the cells that are neither open nor decided."""
        known = self.numbers.keys() | self.mines | self.clear
        return [cell for cell in self.board.cells() if cell not in known]

    def left(self) -> int:
        """Return the number of mines that are not located."""
        return (self.board.mines or 0) - len(self.mines)

    def unknown(self, cell: Cell) -> tuple[set[Cell], int]:
        """Return the undecided neighbours of an open cell, and how many of them are mines."""
        cells, mines = set[Cell](), self.numbers[cell]
        for other in self.board.around(cell):
            if other in self.mines:
                mines -= 1
            elif other not in self.numbers and other not in self.clear:
                cells.add(other)
        return cells, mines

    def view(self) -> View:
        """Return the undecided cells as regions.

        Raises
        ------
        Contradiction
            A cell is known as a mine and as clear.
        """
        if not self.mines.isdisjoint(self.clear) or not self.mines.isdisjoint(self.numbers):
            raise Contradiction("the numbers contradict each other")
        grid = self.board.grid()
        rules = {(grid.bits(cells), mines) for cells, mines in map(self.unknown, self.numbers)}
        hidden, mines = grid.bits(self.hidden()), grid.bits(self.mines)
        return View(grid.around, hidden, mines, self.left(), rules - {(0, 0)})

    def risks(self, view: View | None = None) -> Risks:
        """Return the exact probability of a mine for every undecided cell.

        Parameters
        ----------
        view
            What `view` returned, if it is known already.

        Raises
        ------
        Contradiction
            No placement of the mines fits the numbers.

        Notes
        -----
        About a millisecond for a position of the expert board.
        """
        view = view or self.view()
        total = view.weights.total
        if not total:
            raise Contradiction("no placement of the mines fits the numbers")
        cells, near, elsewhere = self.board.grid().cells, dict[Cell, Fraction](), None
        for index, ways in view.mined().items():
            if not view.elsewhere >> index & 1:
                near[cells[index]] = Fraction(ways, total)
            elif elsewhere is None:
                elsewhere = Fraction(ways, total)
        return Risks(near, elsewhere, total)

    def probabilities(self) -> dict[Cell, Fraction]:
        """Return the exact probability of a mine for every cell that is not open.

        Raises
        ------
        Contradiction
            No placement of the mines fits the numbers.
        """
        risks = self.risks()
        known = {cell: risks.of(cell) for cell in self.hidden()}
        known |= {cell: Fraction(cell in self.mines) for cell in self.mines | self.clear}
        return {cell: known[cell] for cell in self.board.cells() if cell in known}
