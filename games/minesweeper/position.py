"""What is known on a board that is being played: certain cells, and the risk of all others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb

from attrs import define, field

from deduce import Knowledge, Problem, Rule, exactly, is_
from deduce.constraints import Count, Weigh
from deduce.errors import Contradiction
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

    def risks(self) -> Risks:
        """Return the exact probability of a mine for every undecided cell.

        The cells beside no number are alike, so only those beside a number become variables: a
        world of theirs with k mines counts once for each way to place the other mines elsewhere.

        Raises
        ------
        Contradiction
            No placement of the mines fits the numbers.

        Notes
        -----
        About 5 milliseconds for a position of the expert board.
        """
        if not self.mines.isdisjoint(self.clear) or not self.mines.isdisjoint(self.numbers):
            raise Contradiction("the numbers contradict each other")
        rules = []
        near: dict[Cell, None] = {}
        seen: set[tuple[frozenset[Cell], int]] = set()
        for cell in self.numbers:
            cells, mines = self.unknown(cell)
            if not 0 <= mines <= len(cells):
                raise Contradiction("the numbers contradict each other")
            if cells and (cells, mines) not in seen:
                seen.add((cells, mines))
                near.update(dict.fromkeys(sorted(cells)))
                rules.append(Rule(exactly(mines, [is_(each, True) for each in sorted(cells)])))
        elsewhere = sum(cell not in near for cell in self.hidden())
        left = self.left()
        low, high = max(0, left - elsewhere), min(left, len(near))
        if low > high:
            raise Contradiction("the mines that are left do not fit")
        if not near:
            return Risks(
                {}, Fraction(left, elsewhere) if elsewhere else None, comb(elsewhere, left)
            )
        facts = [is_(cell, True) for cell in near]
        ways = [comb(elsewhere, left - k) if low <= k <= high else 1 for k in range(len(near) + 1)]
        rules += [Rule(Count(facts, low, high)), Rule(Weigh(facts, ways))]
        knowledge = Knowledge(Problem(dict.fromkeys(near, (False, True)), rules))
        tally = knowledge.asker.tally(weighted=True).value
        if not tally.total:
            raise Contradiction("no placement of the mines fits the numbers")
        total = int(tally.total)
        risks = {cell: Fraction(int(tally.of[cell].get(True, 0)), total) for cell in near}
        outside = (left - sum(risks.values(), Fraction())) / elsewhere if elsewhere else None
        return Risks(risks, outside, total)

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

    def with_number(self, cell: Cell, number: int) -> Position:
        """Return the position after a cell would be opened and show a number."""
        after = Position(self.board, {**self.numbers}, {*self.mines}, {*self.clear})
        after.open({cell: number})
        return after
