"""Small games with known values, each in one file that is easy to read and to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.lazy import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.classics.connect_four import ConnectFour
    from games.classics.dice_nim import DiceNim
    from games.classics.nim import Nim
    from games.classics.three_player_nim import ThreePlayerNim
    from games.classics.tic_tac_toe import TicTacToe

__all__ = [
    "CONNECT_FOUR",
    "DICE_NIM",
    "NIM",
    "THREE_PLAYER_NIM",
    "TIC_TAC_TOE",
    "ConnectFour",
    "DiceNim",
    "Nim",
    "ThreePlayerNim",
    "TicTacToe",
]

TIC_TAC_TOE = Registration(
    name="tic-tac-toe",
    summary="Three in a row on three by three: a draw",
    search="games.classics.tic_tac_toe:TicTacToe",
    rules="games.classics.tic_tac_toe:RULES",
    examples="games.classics.examples",
)
NIM = Registration(
    name="nim",
    summary="Take from one heap; the last piece wins, or loses (misere)",
    search="games.classics.nim:Nim",
    rules="games.classics.nim:RULES",
    examples="games.classics.examples",
)
CONNECT_FOUR = Registration(
    name="connect-four",
    summary="Drop stones, four in a row; any width and height",
    search="games.classics.connect_four:ConnectFour",
    cases={"solutions": "games.classics.cases:solutions"},
    rules="games.classics.connect_four:RULES",
    examples="games.classics.examples",
)
DICE_NIM = Registration(
    name="dice-nim",
    summary="A die limits how many pieces may be taken; the last piece wins",
    search="games.classics.dice_nim:DiceNim",
    rules="games.classics.dice_nim:RULES",
    examples="games.classics.examples",
)
THREE_PLAYER_NIM = Registration(
    name="three-player-nim",
    summary="Nim for three players with a first, a second and a third place",
    research=True,
    search="games.classics.three_player_nim:ThreePlayerNim",
    rules="games.classics.three_player_nim:RULES",
    examples="games.classics.examples",
)

__getattr__, __dir__ = lazily(__name__)
