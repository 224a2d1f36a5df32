"""Boards as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import frozen

from deduce.errors import BadInput, placed
from deduce.logs.json_values import parse_json, structure
from deduce.system.text import whole_number
from games.minesweeper.setup import Board, Cell, checked_board

__all__ = ["board_json", "board_text", "is_board", "read_board"]

HIDDEN = ".#-?"
FLAGS = "FfP"
"""A flag is what a player believes, not what is known: the cell is read as hidden."""
NUMBERS = "012345678"
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
        drawn = structure(parse_json(text), _Drawn)
        return _with_numbers(drawn.rows, drawn.mines)
    mines: int | None = None
    rows: list[list[int | None]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        content = _content(line)
        with placed(line=number):
            if ":" in content:
                mines = _mines(content)
            elif content:
                rows.append(_row(line))
                if len(rows[-1]) != len(rows[0]):
                    raise BadInput(
                        f"this row has {len(rows[-1])} cells and the first has {len(rows[0])}"
                    )
    if not rows:
        raise BadInput(
            "there is no board: write its rows, such as '1..', or a log that begins with "
            "'board: expert'"
        )
    return _with_numbers(rows, mines)


def _content(line: str) -> str:
    """Return a line without surrounding space; nothing for a comment, ``# `` and words."""
    content = line.strip()
    return "" if content.startswith("# ") and any(map(str.isalpha, content)) else content


def _row(line: str) -> list[int | None]:
    for mark in line.strip():
        if mark not in HIDDEN + FLAGS + NUMBERS + " ":
            raise BadInput(
                f"a cell is a digit 0 to 8, '.' for hidden or 'F' for a flag, not {mark!r}",
                column=line.index(mark) + 1,
            )
    return [int(mark) if mark in NUMBERS else None for mark in line if not mark.isspace()]


def _mines(content: str) -> int | None:
    key, _, value = map(str.strip, content.partition(":"))
    if key.lower() != "mines":
        raise BadInput(f"the line is 'mines: NUMBER', not {key!r}")
    mines = whole_number(value, digits=5)
    if mines is None and value != "?":
        raise BadInput(f"the number of mines is a number or '?', not {value!r}")
    return mines


@frozen
class _Drawn:
    """A board in JSON."""

    schema: Literal["deduce/minesweeper-board/1"]
    rows: list[list[int | None]]
    mines: int | None = None


def _with_numbers(
    rows: Sequence[Sequence[int | None]], mines: int | None
) -> tuple[Board, dict[Cell, int]]:
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise BadInput("rows: all rows need the same number of cells, at least 1")
    numbers = {(x, y): n for y, row in enumerate(rows) for x, n in enumerate(row) if n is not None}
    for number in numbers.values():
        if not 0 <= number <= 8:
            raise BadInput(f"rows: a cell is null or a number from 0 to 8, not {number!r}")
    return checked_board(len(rows[0]), len(rows), mines), numbers
