"""Boards as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from attrs import frozen

from deduce.errors import BadInput, BadProblem
from deduce.logs.json_values import parse_json, structure
from games.minesweeper.setup import Board, Cell

__all__ = ["board_json", "board_text", "is_board", "read_board"]

HIDDEN = ".#-?"
FLAGS = "FfP"
"""A flag is what a player believes, not what is known: the cell is read as hidden."""
SCHEMA = "deduce/minesweeper-board/1"


def board_text(board: Board, numbers: Mapping[Cell, int]) -> str:
    """Return a board as lines: ``.`` for a hidden cell, else the number.

    >>> print(board_text(Board(3, 2, 1), {(0, 0): 1}))
    mines: 1
    1..
    ...
    """
    head = [] if board.mines is None else [f"mines: {board.mines}"]
    columns, rows = range(board.columns), range(board.rows)
    lines = ["".join(str(numbers.get((x, y), ".")) for x in columns) for y in rows]
    return "\n".join([*head, *lines])


def board_json(board: Board, numbers: Mapping[Cell, int]) -> dict[str, object]:
    """Return a board as a JSON document; a hidden cell is null.

    >>> board_json(Board(2, 1, 1), {(0, 0): 1})["rows"]
    [[1, None]]
    """
    return {
        "schema": SCHEMA,
        "mines": board.mines,
        "rows": [[numbers.get((x, y)) for x in range(board.columns)] for y in range(board.rows)],
    }


def is_board(text: str) -> bool:
    """Return whether a text is a board, and not a log, whose first line is ``board: ...``."""
    lines = filter(None, map(_content, text.splitlines()))
    return next(lines, "").partition(":")[0].strip().lower() != "board"


def read_board(text: str) -> tuple[Board, dict[Cell, int]]:
    r"""Return the board of a text or JSON document, and the numbers of its open cells.

    A line ``mines: 10`` gives the number of mines; a line of ``#``, a space and words is a comment.
    In the rows ``.`` (or ``#``, ``-``, ``?``) is hidden, ``F`` a flag, a digit an open cell; spaces
    between cells are allowed.

    Raises
    ------
    BadInput
        With line and column.

    Examples
    --------
    >>> read_board("mines: 1\n1.\n..")
    (Board(columns=2, rows=2, mines=1), {(0, 0): 1})
    """
    if text.lstrip().startswith("{"):
        return _read_json(text)
    mines: int | None = None
    rows: list[str] = []
    numbers: dict[Cell, int] = {}
    for line_number, line in enumerate(text.splitlines(), start=1):
        content = _content(line)
        if not content:
            continue
        key, colon, value = content.partition(":")
        if colon:
            mines = _mines(key.strip(), value.strip(), line_number)
            continue
        cells = content.replace(" ", "")
        for column, mark in enumerate(cells):
            if mark not in HIDDEN + FLAGS + "012345678":
                raise BadInput(
                    f"a cell is a digit 0 to 8, '.' for hidden or 'F' for a flag, not {mark!r}",
                    line=line_number,
                    column=line.index(mark) + 1,
                )
            if mark in "012345678":
                numbers[column, len(rows)] = int(mark)
        if rows and len(cells) != len(rows[0]):
            raise BadInput(
                f"this row has {len(cells)} cells and the first has {len(rows[0])}",
                line=line_number,
            )
        rows.append(cells)
    if not rows:
        raise BadInput(
            "there is no board: write its rows, such as '1..', or a log that begins with "
            "'board: expert'"
        )
    return _board(len(rows[0]), len(rows), mines), numbers


def _content(line: str) -> str:
    """Return a line without surrounding space; nothing for a comment, ``# `` and words."""
    content = line.strip()
    return "" if content.startswith("# ") and any(map(str.isalpha, content)) else content


def _mines(key: str, value: str, line: int) -> int | None:
    if key.lower() != "mines":
        raise BadInput(f"the line is 'mines: NUMBER', not {key!r}", line=line)
    if value == "?":
        return None
    if not (value.isascii() and value.isdigit() and len(value) < 6):
        raise BadInput(f"the number of mines is a number or '?', not {value!r}", line=line)
    return int(value)


def _board(columns: int, rows: int, mines: int | None) -> Board:
    try:
        return Board(columns, rows, mines)
    except BadProblem as error:
        raise BadInput(str(error)) from None


@frozen
class _Drawn:
    """A board in JSON."""

    schema: Literal["deduce/minesweeper-board/1"]
    rows: list[list[int | None]]
    mines: int | None = None


def _read_json(text: str) -> tuple[Board, dict[Cell, int]]:
    drawn = structure(parse_json(text), _Drawn)
    numbers: dict[Cell, int] = {}
    for y, row in enumerate(drawn.rows):
        if not row or len(row) != len(drawn.rows[0]):
            raise BadInput("rows: all rows need the same number of cells, at least 1")
        for x, value in enumerate(row):
            if value is not None and not 0 <= value <= 8:
                raise BadInput(f"rows: a cell is null or a number from 0 to 8, not {value!r}")
            if value is not None:
                numbers[x, y] = value
    if not drawn.rows:
        raise BadInput("rows: all rows need the same number of cells, at least 1")
    return _board(len(drawn.rows[0]), len(drawn.rows), drawn.mines), numbers
