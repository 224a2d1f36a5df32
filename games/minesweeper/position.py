"""What is known on a board that is being played: certain cells, and the risk of all others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from attrs import define, field

from deduce.errors import Contradiction
from games.minesweeper.counting import View
from games.minesweeper.setup import Board, Cell

__all__ = ["Position", "Risks"]


@define
class Risks:
    """The probability of a mine for every cell that is hidden and not decided."""

    near: dict[Cell, Fraction]
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
    """The open cells of a board, and what follows from them number by number.

    Parameters
    ----------
    board
        The board, whose number of mines is known.
    numbers
        The open cells and what they show; `open` adds to them.

    Examples
    --------
    >>> position = Position(Board(3, 3, 2))
    >>> position.open({(0, 0): 1, (2, 0): 0})
    >>> sorted(position.clear), sorted(position.mines)
    ([(1, 0), (1, 1), (2, 1)], [(0, 1)])
    """

    board: Board
    numbers: dict[Cell, int] = field(factory=dict)
    mines: set[Cell] = field(factory=set)
    """Cells that are certainly mines."""
    clear: set[Cell] = field(factory=set)
    """Cells that are certainly clear and not open yet."""

    def open(self, numbers: Mapping[Cell, int]) -> None:
        """Add open cells, and all that follows from single numbers and from pairs of them."""
        self.numbers.update(numbers)
        self.clear.difference_update(numbers)
        waiting = set(numbers)
        for cell in numbers:
            waiting.update(other for other in self.board.around(cell) if other in self.numbers)
        self._propagate(waiting)

    def decide(self, *, mines: Iterable[Cell] = (), clear: Iterable[Cell] = ()) -> None:
        """Add cells that are certain for another reason, and what follows."""
        new = [*mines, *clear]
        self.mines.update(mines)
        self.clear.update(clear)
        self._propagate({n for each in new for n in self.board.around(each) if n in self.numbers})

    def hidden(self) -> list[Cell]:
        """Return the cells that are neither open nor decided."""
        return [
            cell
            for cell in self.board.cells()
            if cell not in self.numbers and cell not in self.mines and cell not in self.clear
        ]

    def left(self) -> int:
        """Return the number of mines that are not located."""
        return (self.board.mines or 0) - len(self.mines)

    def unknown(self, cell: Cell) -> tuple[frozenset[Cell], int]:
        """Return the undecided neighbours of an open cell, and how many of them are mines."""
        cells, mines = set(), self.numbers[cell]
        for other in self.board.around(cell):
            if other in self.mines:
                mines -= 1
            elif other not in self.numbers and other not in self.clear:
                cells.add(other)
        return frozenset(cells), mines

    def _propagate(self, waiting: set[Cell]) -> None:
        """Decide cells by one number alone, and by two whose neighbours contain each other's."""
        while waiting:
            cell = waiting.pop()
            cells, mines = self.unknown(cell)
            if not cells:
                continue
            if mines == 0 or mines == len(cells):
                waiting |= self._decided(cells, is_mine=mines > 0)
                continue
            near = {
                number
                for each in cells
                for number in self.board.around(each)
                if number in self.numbers and number != cell
            }
            for number in near:
                others, count = self.unknown(number)
                extra = cells - others
                if extra and mines - count == len(extra):
                    waiting |= self._decided(extra, is_mine=True)
                    if others - cells:
                        waiting |= self._decided(others - cells, is_mine=False)
                elif extra and others < cells and mines == count:
                    waiting |= self._decided(extra, is_mine=False)
                else:
                    continue
                waiting.add(cell)
                break

    def _decided(self, cells: Iterable[Cell], *, is_mine: bool) -> set[Cell]:
        """Add decided cells; return the open cells beside them."""
        (self.mines if is_mine else self.clear).update(cells)
        return {n for each in cells for n in self.board.around(each) if n in self.numbers}

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
        rules = set()
        for cell in self.numbers:
            cells, mines = self.unknown(cell)
            if cells or mines:
                rules.add((grid.bits(cells), mines))
        hidden, mines = grid.bits(self.hidden()), grid.bits(self.mines)
        return View(grid.around, hidden, mines, self.left(), rules)

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
        cells = self.board.grid().cells
        near, elsewhere = {}, None
        for index, ways in view.mined().items():
            risk = Fraction(ways, total)
            if view.elsewhere >> index & 1:
                elsewhere = risk
            else:
                near[cells[index]] = risk
        return Risks(near, elsewhere, total)

    def probabilities(self) -> dict[Cell, Fraction]:
        """Return the exact probability of a mine for every cell that is not open.

        Raises
        ------
        Contradiction
            No placement of the mines fits the numbers.
        """
        risks = self.risks()
        return {
            cell: Fraction(1)
            if cell in self.mines
            else Fraction(0)
            if cell in self.clear
            else risks.of(cell)
            for cell in self.board.cells()
            if cell not in self.numbers
        }
