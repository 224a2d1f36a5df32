"""The boards of the classics as pictures for notebooks.

Crosses are blue and noughts are orange; their shapes differ too, so the colours add no information.
The part of a picture that an action would change has the action's text in ``data-action``, so that
a page can make it clickable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from deduce.show.svg import (
    FAINT,
    SIDES,
    Markup,
    circle,
    group,
    line,
    picture,
    rect,
    shade,
    text,
)
from deduce.system.text import plural

__all__ = ["die", "heaps_svg", "marks_svg", "pile_svg", "stones_svg"]

CELL = 44
PIECE = 16
"""The distance between two pieces of a heap in pixels."""
MAX_DRAWN = 20
"""A heap with more pieces is drawn as a bar."""
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def marks_svg(rows: Sequence[str], lines: Iterable[Sequence[tuple[int, int]]], desc: str) -> str:
    """Return a board of crosses and noughts.

    Parameters
    ----------
    rows
        The rows from the top, of ``X``, ``O`` and ``.``.
    lines
        Finished lines, each as the columns and rows of its cells.
    desc
        The position as text.

    Examples
    --------
    >>> "cross in 5" in marks_svg(("...", ".X.", "..."), (), "...|.X.|...")
    True
    """
    size, width = len(rows), len(rows) * CELL
    inner = range(CELL, width, CELL)
    shapes = [
        rect(x * CELL + 2, y * CELL + 2, CELL - 4, CELL - 4, rx=4, fill=shade(0.5))
        for finished in lines
        for x, y in finished
    ]
    shapes += [line(x, 2, x, width - 2, stroke_width=2) for x in inner]
    shapes += [line(2, y, width - 2, y, stroke_width=2) for y in inner]
    for y, row in enumerate(rows):
        for x, mark in enumerate(row):
            shapes.append(_mark(x, y, mark, y * size + x + 1))
    return picture(width, width, *shapes, title="Tic-tac-toe", desc=desc)


def _mark(column: int, row: int, mark: str, number: int) -> Markup:
    x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
    if mark == "X":
        arms = _cross(x, y, 12, stroke=SIDES[0], stroke_width=5)
        return group(*arms, title=f"cross in {number}")
    if mark == "O":
        ring = circle(x, y, 12.5, fill="none", stroke=SIDES[1], stroke_width=5)
        return group(ring, title=f"nought in {number}")
    free = rect(column * CELL, row * CELL, CELL, CELL, fill="none", pointer_events="all")
    label = text(x, y + 4, number, size=12, opacity=FAINT)
    return group(free, label, title=f"{number} is free", data_action=number)


def _cross(x: float, y: float, arm: float, **style: object) -> tuple[Markup, Markup]:
    style = {"stroke_linecap": "round", **style}
    return (
        line(x - arm, y - arm, x + arm, y + arm, **style),
        line(x - arm, y + arm, x + arm, y - arm, **style),
    )


def stones_svg(columns: Sequence[str], height: int, free: Iterable[int], desc: str) -> str:
    """Return a board of columns into which stones were dropped.

    Parameters
    ----------
    columns
        The stones of each column from the bottom, of ``X`` and ``O``.
    height
        How many stones a column holds.
    free
        The numbers, from 1, of the columns that are not full.
    desc
        The position as text.

    Examples
    --------
    >>> "X in column 2" in stones_svg(("", "X"), 4, (1, 2), "/X")
    True
    """
    step, open_columns = 34, set(free)
    width, tall = len(columns) * step + 8, height * step + 8
    shapes = [
        rect(1, 1, width - 2, tall - 2, rx=8, fill="none", stroke="currentColor", stroke_width=1.5)
    ]
    for number, column in enumerate(columns, 1):
        x = 4 + (number - 0.5) * step
        parts = [rect(x - step / 2, 0, step, tall + 20, fill="none", pointer_events="all")]
        for row in range(height):
            y = 4 + (height - row - 0.5) * step
            parts.append(_stone(x, y, column[row : row + 1], number))
        parts.append(text(x, tall + 15, number, size=12, opacity=FAINT))
        shapes.append(group(*parts, data_action=number if number in open_columns else None))
    return picture(width, tall + 20, *shapes, title="Connect four", desc=desc)


def _stone(x: float, y: float, mark: str, column: int) -> Markup:
    if not mark:
        return circle(x, y, 13, fill="none", stroke="currentColor", opacity=0.35)
    inside: tuple[Markup, ...] = (circle(x, y, 5, fill="none", stroke="#fff", stroke_width=2.5),)
    if mark == "X":
        inside = _cross(x, y, 4.5, stroke="#fff", stroke_width=2.5)
    disc = circle(x, y, 13, fill=SIDES[mark == "O"])
    return group(disc, *inside, title=f"{mark} in column {column}")


def heaps_svg(heaps: Sequence[int], desc: str) -> str:
    """Return heaps of pieces, one in each row; a large heap is a bar.

    Parameters
    ----------
    heaps
        The number of pieces of each heap.
    desc
        The position as text.

    Examples
    --------
    >>> heaps_svg((1, 2), "1,2 player 0").count("<circle")
    3
    """
    shapes = []
    for number, size in enumerate(heaps, 1):
        y = number * 28 - 12
        shapes.append(text(12, y + 5, number, size=12, opacity=FAINT))
        shapes += _pieces(32, y, size, f"{{}} from {number}".format)
    width = 80 + min(max(heaps, default=0), MAX_DRAWN) * PIECE
    return picture(width, 4 + 28 * len(heaps), *shapes, title="Nim", desc=desc)


def pile_svg(pieces: int, thrown: int, desc: str) -> str:
    """Return one heap and the die of the turn; ``thrown`` is 0 before the throw.

    >>> "5 thrown" in pile_svg(3, 5, "3 pieces, player 0 has thrown 5")
    True
    """
    shapes = [die(22, 22, thrown)]
    shapes += _pieces(58, 22, pieces, str, max_taken=thrown)
    width = 106 + min(pieces, MAX_DRAWN) * PIECE
    return picture(width, 44, *shapes, title="Dice nim", desc=desc)


def _pieces(
    x: float, y: float, size: int, action: Callable[[int], str], *, max_taken: int | None = None
) -> Iterator[Markup]:
    """Yield a heap; the ``n``-th piece from the right has the action of taking ``n``."""
    if size > MAX_DRAWN:
        width = MAX_DRAWN * PIECE
        yield rect(x - 7, y - 7, width, 14, rx=7, fill=SIDES[0], title=plural(size, "piece"))
    for index in range(size if size <= MAX_DRAWN else 0):
        take = size - index
        allowed = max_taken is None or take <= max_taken
        yield circle(
            x + index * PIECE,
            y,
            6.5,
            fill=SIDES[0],
            title=f"piece {index + 1} of {size}",
            data_action=action(take) if allowed else None,
        )
    beside = x + (min(size, MAX_DRAWN) * PIECE if size else 0)
    yield text(beside, y + 5, f"{size}", size=14, anchor="start", title=plural(size, "piece"))


def die(x: float, y: float, thrown: int) -> Markup:
    """Return a die around a point: pips, a number above six, or ``?`` before the throw.

    >>> die(20, 20, 4).count("<circle"), die(20, 20, 0).count("<circle")
    (4, 0)
    """
    frame = rect(x - 18, y - 18, 36, 36, rx=7, fill="none", stroke="currentColor", stroke_width=1.5)
    if not thrown:
        dots = [text(x, y + 6, "?", size=18, opacity=FAINT)]
        return group(frame, *dots, title="not thrown yet")
    if thrown in PIPS:
        dots = [circle(x + 10 * i, y + 10 * j, 3.5) for i, j in PIPS[thrown]]
    else:
        dots = [text(x, y + 5, thrown, size=14)]
    return group(frame, *dots, title=f"{thrown} thrown")
