"""The board: its size, its cells and their neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from attrs import frozen

from deduce.errors import BadInput, BadProblem
from deduce.logs.json_values import TypedFields

__all__ = [
    "LEVELS",
    "MAX_SIDE",
    "Board",
    "Cell",
    "Grid",
    "board_named",
    "cell_name",
    "checked_board",
    "normal_name",
    "read_cell",
]

Cell = tuple[int, int]
"""Column and row, numbered from 0 at the top left."""

MAX_SIDE = 100
"""The maximum width and height."""


def cell_name(cell: Cell) -> str:
    """Return the letters of the column and the number of the row, as in a spreadsheet.

    >>> cell_name((0, 0)), cell_name((26, 15))
    ('A1', 'AA16')
    """
    column, row = cell
    letters = ""
    while column >= 0:
        column, letter = divmod(column, 26)
        letters = chr(65 + letter) + letters
        column -= 1
    return f"{letters}{row + 1}"


@cache
def neighbours(columns: int, rows: int) -> Mapping[Cell, tuple[Cell, ...]]:
    """Return the up to eight neighbours of every cell of a board of this size."""
    cells = {(x, y) for y in range(rows) for x in range(columns)}
    steps = [(i, j) for j in (-1, 0, 1) for i in (-1, 0, 1) if i or j]
    return {
        (x, y): tuple((x + i, y + j) for i, j in steps if (x + i, y + j) in cells)
        for x, y in sorted(cells, key=lambda cell: (cell[1], cell[0]))
    }


@cache
def _named(columns: int, rows: int) -> Mapping[str, Cell]:
    return {cell_name(cell): cell for cell in neighbours(columns, rows)}


@frozen
class Grid:
    """The cells of a board as bits, in lines along its shorter side."""

    cells: tuple[Cell, ...]
    index: Mapping[Cell, int]
    around: tuple[int, ...]
    """The neighbours of each cell."""

    def bits(self, cells: Iterable[Cell]) -> int:
        """Return a set of cells as bits."""
        return sum(1 << self.index[cell] for cell in set(cells))


@cache
def _grid(columns: int, rows: int) -> Grid:
    """Return the cells of a board of this size as bits."""
    near = neighbours(columns, rows)
    cells = tuple(sorted(near) if columns >= rows else near)
    index = {cell: number for number, cell in enumerate(cells)}
    around = tuple(sum(1 << index[other] for other in near[cell]) for cell in cells)
    return Grid(cells, index, around)


@frozen
class Board(TypedFields):
    """A board with its number of mines.

    Parameters
    ----------
    columns, rows
        Its size, up to 100 by 100.
    mines
        How many there are; ``None`` if that is not known: then every number is possible.

    Raises
    ------
    BadProblem
        The size is out of range, or there are more mines than cells.

    Examples
    --------
    >>> Board(3, 2, 1).around((0, 0))
    ((1, 0), (0, 1), (1, 1))
    """

    columns: int = 9
    rows: int = 9
    mines: int | None = None

    def __attrs_post_init__(self) -> None:
        for name, value in (("columns", self.columns), ("rows", self.rows)):
            if not 1 <= value <= MAX_SIDE:
                raise BadProblem(f"a board has 1 to {MAX_SIDE} {name}, not {value}")
        mines, size = self.mines, self.columns * self.rows
        if mines is not None and not 0 <= mines <= size:
            raise BadProblem(f"a board of {size} cells has 0 to {size} mines, not {mines}")

    def named_cells(self) -> Mapping[str, Cell]:
        """Return all cells by their names, row by row."""
        return _named(self.columns, self.rows)

    def cells(self) -> tuple[Cell, ...]:
        """Return all cells, row by row."""
        return tuple(neighbours(self.columns, self.rows))

    def around(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the neighbours of a cell."""
        return neighbours(self.columns, self.rows)[cell]

    def grid(self) -> Grid:
        """Return the cells as bits."""
        return _grid(self.columns, self.rows)


LEVELS = {
    "beginner": Board(9, 9, 10),
    "intermediate": Board(16, 16, 40),
    "expert": Board(30, 16, 99),
}
"""The three usual boards."""


def board_named(name: str) -> Board:
    """Return a usual board, or one such as ``12x8:15``: columns, rows and mines.

    Raises
    ------
    BadInput
        It is neither.

    Examples
    --------
    >>> board_named("expert")
    Board(columns=30, rows=16, mines=99)
    >>> board_named("4x3:2")
    Board(columns=4, rows=3, mines=2)
    """
    if name in LEVELS:
        return LEVELS[name]
    size = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})(?::([0-9]{1,5}))?", name)
    if size is None:
        raise BadInput(
            f"a board is {', '.join(LEVELS)}, or COLUMNSxROWS:MINES such as 12x8:15, not {name!r}"
        )
    return checked_board(*(None if number is None else int(number) for number in size.groups()))


def checked_board(*size: int | None) -> Board:
    """Return a board of columns, rows and mines that were read from a text.

    Raises
    ------
    BadInput
        A board cannot have this size or this number of mines.
    """
    try:
        return Board(*size)  # type: ignore[arg-type]
    except BadProblem as error:
        raise BadInput(str(error)) from None


def normal_name(text: str) -> str:
    """Return the name of a cell in capital letters, without zeros before the row.

    >>> normal_name(" c04")
    'C4'
    """
    return re.sub("(?<![0-9])0+(?=[0-9])", "", text.strip().upper())


def read_cell(text: str, board: Board) -> Cell:
    """Return the cell of a name such as ``C4``.

    Raises
    ------
    BadInput
        It is not the name of a cell of the board.

    Examples
    --------
    >>> read_cell("c4", Board(9, 9, 10))
    (2, 3)
    """
    cell = board.named_cells().get(normal_name(text))
    if cell is None:
        last = cell_name((board.columns - 1, board.rows - 1))
        raise BadInput(f"{text.strip()!r} is not a cell of the board, which has A1 to {last}")
    return cell
