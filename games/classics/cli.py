"""The commands of the small classics: those of ``deduce search`` for one game each."""

from __future__ import annotations

from deduce.search.cli import game_command
from games.classics import CONNECT_FOUR, DICE_NIM, NIM, THREE_PLAYER_NIM, TIC_TAC_TOE

__all__ = ["connect_four", "dice_nim", "nim", "three_player_nim", "tic_tac_toe"]

tic_tac_toe, nim, connect_four, dice_nim, three_player_nim = (
    game_command(entry.name, entry.summary)
    for entry in (TIC_TAC_TOE, NIM, CONNECT_FOUR, DICE_NIM, THREE_PLAYER_NIM)
)
