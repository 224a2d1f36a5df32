"""Minesweeper: exact probabilities, advice and a player, on boards of any size.

Minesweeper, 1 player

Some cells of a board are mines. Opening a cell that is a mine loses; any other cell shows how many
of its up to eight neighbours are mines, and around a 0 all neighbours are opened too. The game is
won when every cell that is not a mine is open.

  classic start   the first cell that is opened is not a mine
  modern start    the first cell and its neighbours are not mines

All placements of the mines that the start allows are equally likely. Cells are named by column and
row: A1 is the top left corner, AD16 the bottom right corner of the expert board.

A board is written row by row: a digit is an open cell, '.' a hidden one, 'F' a flag (which is read
as hidden, since it is what a player believes); a line 'mines: 10' gives the number of mines. A log
begins with 'board: expert' or 'board: 12x8:15', then come lines such as 'C4: 2'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.imports import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.minesweeper.game import Minesweeper, Open
    from games.minesweeper.notation import board_text, read_board
    from games.minesweeper.players import Field, Outcome, choose, play
    from games.minesweeper.position import Position
    from games.minesweeper.setup import LEVELS, Board

__all__ = [
    "LEVELS",
    "REGISTRATION",
    "Board",
    "Field",
    "Minesweeper",
    "Open",
    "Outcome",
    "Position",
    "board_text",
    "choose",
    "play",
    "read_board",
]

REGISTRATION = Registration(
    name="minesweeper",
    summary="Minesweeper: where the mines are, and which cell to open",
    commands="games.minesweeper.cli:minesweeper",
    hidden="games.minesweeper.game:Minesweeper",
    examples="games.minesweeper.examples",
    rules="games.minesweeper",
    page="games.minesweeper.page:minesweeper_page",
)

__getattr__, __dir__ = lazily(__name__)
