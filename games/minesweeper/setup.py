"""The board: its size, its cells and their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from attrs import field, frozen

from deduce.errors import BadInput, BadProblem

__all__ = ["LEVELS", "MAX_SIDE", "Board", "Cell", "Grid", "board_named", "cell_name", "read_cell"]

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
class Board:
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

    columns: int = field(default=9)
    rows: int = field(default=9)
    mines: int | None = field(default=None)

    def __attrs_post_init__(self) -> None:
        for name, value in (("columns", self.columns), ("rows", self.rows)):
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_SIDE:
                raise BadProblem(f"a board has 1 to {MAX_SIDE} {name}, not {value!r}")
        mines, size = self.mines, self.columns * self.rows
        if mines is not None and (
            isinstance(mines, bool) or not isinstance(mines, int) or not 0 <= mines <= size
        ):
            raise BadProblem(f"a board of {size} cells has 0 to {size} mines, not {mines!r}")

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
    size, colon, mines = name.partition(":")
    columns, times, rows = size.partition("x")
    numbers = [columns, rows, *([mines] if colon else [])]
    if not times or not all(
        each.isascii() and each.isdigit() and len(each) < 6 for each in numbers
    ):
        raise BadInput(
            f"a board is {', '.join(LEVELS)}, or COLUMNSxROWS:MINES such as 12x8:15, not {name!r}"
        )
    try:
        return Board(int(columns), int(rows), int(mines) if colon else None)
    except BadProblem as error:
        raise BadInput(str(error)) from None


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
    name = text.strip().upper()
    letters = name.rstrip("0123456789")
    digits = name[len(letters) :]
    if 1 <= len(letters) <= 2 and letters.isascii() and letters.isalpha() and 0 < len(digits) < 4:
        column = 0
        for letter in letters:
            column = 26 * column + ord(letter) - 64
        cell = column - 1, int(digits) - 1
        if cell in neighbours(board.columns, board.rows):
            return cell
    last = cell_name((board.columns - 1, board.rows - 1))
    raise BadInput(f"{text.strip()!r} is not a cell of the board, which has A1 to {last}")
