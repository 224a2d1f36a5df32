"""What is audited: problems with the answers that are stated for them, read from files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isqrt

from attrs import frozen

from deduce.constraints import Fact, exactly, is_
from deduce.errors import BadInput
from deduce.logs.events import read_text
from deduce.logs.json_values import parse_json
from deduce.logs.problem_json import read_problem
from deduce.logs.problem_text import parse_stated
from deduce.problem import Evidence, Problem, Rule

__all__ = ["Item", "items_of", "read_items", "sudoku"]

_BOARD = re.compile(r"[0-9.]+")


@frozen
class Item:
    """A problem with its name, and the facts that are stated as its answer."""

    name: str
    problem: Problem
    answer: tuple[Fact, ...] = ()


def read_items(file: str) -> Iterator[Item]:
    """Yield the items of a file: a problem as text or JSON, or a sudoku board on each line.

    Raises
    ------
    BadInput
        The file cannot be read, or is none of these forms; with the place.
    """
    yield from items_of(*read_text(file))


def items_of(text: str, source: str) -> Iterator[Item]:
    """Yield the items of a text; see `read_items`. Their names begin with the source."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    try:
        if text.lstrip().startswith("{"):
            yield Item(source, read_problem(parse_json(text)))
        elif lines and _BOARD.fullmatch(lines[0]):
            for number, line in enumerate(text.splitlines(), 1):
                if board := line.strip():
                    try:
                        yield Item(f"{source}:{number}", sudoku(board))
                    except BadInput as error:
                        raise error.at(line=number) from None
        else:
            stated = parse_stated(text)
            yield Item(source, stated.problem, stated.answer)
    except BadInput as error:
        raise error.at(source=source) from None


def sudoku(board: str) -> Problem:
    """Return the problem of a sudoku board that is written in one line, row by row.

    Parameters
    ----------
    board
        81 digits (or 16, for a board of 4 by 4); ``0`` or ``.`` for an empty cell.

    Raises
    ------
    BadInput
        There are not 16 or 81 digits, or one of them is too large.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> Knowledge(sudoku("1..43..22..3....")).certain()["r1c2"]
    2
    """
    size = isqrt(len(board))
    if len(board) not in (16, 81) or not _BOARD.fullmatch(board):
        raise BadInput(f"a board has 16 or 81 digits or dots, not {len(board)} characters")
    high = [digit for digit in board if digit not in ".0" and int(digit) > size]
    if high:
        raise BadInput(f"the digits of this board are 1 to {size}, not {high[0]}")
    box, places = isqrt(size), range(size)
    names = {(r, c): f"r{r + 1}c{c + 1}" for r in places for c in places}
    houses = {f"row {n + 1}": [names[n, c] for c in places] for n in places}
    houses |= {f"column {n + 1}": [names[r, n] for r in places] for n in places}
    houses |= {
        f"box {n + 1}": [names[n // box * box + k // box, n % box * box + k % box] for k in places]
        for n in places
    }
    values = tuple(range(1, size + 1))
    rules = [
        Rule(exactly(1, [is_(cell, digit) for cell in cells]), f"{house} has one {digit}")
        for house, cells in houses.items()
        for digit in values
    ]
    given = [(name, int(d)) for name, d in zip(names.values(), board, strict=True) if d not in ".0"]
    clues = [Evidence(is_(name, digit), number) for number, (name, digit) in enumerate(given, 1)]
    return Problem(dict.fromkeys(names.values(), values), rules, clues)
