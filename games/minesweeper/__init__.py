"""Minesweeper: exact probabilities, advice and a player, on boards of any size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.lazy import lazily
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
    rules="games.minesweeper.guide",
    page="games.minesweeper.page:minesweeper_page",
)

__getattr__, __dir__ = lazily(__name__)
