"""The board as a picture."""

from __future__ import annotations

from collections.abc import Mapping

from deduce.show.svg import Markup, picture, rect, text
from games.minesweeper.notation import board_text
from games.minesweeper.setup import Board, Cell, cell_name

__all__ = ["board_svg"]

SIDE = 26
"""The side of a cell, in pixels."""


def board_svg(board: Board, numbers: Mapping[Cell, int]) -> str:
    """Return a board as one SVG element: numbers in open cells, the others empty and framed.

    >>> board_svg(Board(2, 1, 1), {(0, 0): 1}).count("<rect")
    2
    """
    shapes: list[Markup] = []
    for x, y in board.cells():
        is_open = (x, y) in numbers
        style = {"fill": "currentColor", "fill_opacity": 0.12} if is_open else {"fill": "none"}
        left, top = SIDE * (x + 1), SIDE * (y + 1)
        shapes.append(rect(left, top, SIDE, SIDE, stroke="currentColor", stroke_width=0.8, **style))
        if is_open:
            shapes.append(text(left + SIDE / 2, top + SIDE * 0.68, str(numbers[x, y]), size=14))
    letters = [cell_name((x, 0))[:-1] for x in range(board.columns)]
    shapes += [text(SIDE * (x + 1.5), SIDE * 0.7, name, size=11) for x, name in enumerate(letters)]
    rows = range(board.rows)
    shapes += [text(SIDE / 2, SIDE * (y + 1.65), str(y + 1), size=11) for y in rows]
    width, height = SIDE * (board.columns + 1), SIDE * (board.rows + 1)
    lines = "; ".join(board_text(board, numbers).splitlines())
    return picture(width + 2, height + 2, *shapes, title="Minesweeper", desc=lines)
