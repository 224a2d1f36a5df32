"""Small games with known values, each in one file that is easy to read and to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deduce.system.imports import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.classics.connect_four import ConnectFour
    from games.classics.nim import DiceNim, Nim, ThreePlayerNim
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


def _classic(name: str, summary: str, game: str, **others: Any) -> Registration:
    """Return the registration of a game in a file of this package, such as ``"nim:Nim"``."""
    return Registration(
        name=name,
        summary=summary,
        search=f"{__name__}.{game}",
        examples=f"{__name__}.examples",
        **others,
    )


TIC_TAC_TOE = _classic(
    "tic-tac-toe", "Three in a row on three by three: a draw", "tic_tac_toe:TicTacToe"
)
NIM = _classic("nim", "Take from one heap; the last piece wins, or loses (misere)", "nim:Nim")
CONNECT_FOUR = _classic(
    "connect-four",
    "Drop stones, four in a row; any width and height",
    "connect_four:ConnectFour",
    cases={"solutions": "games.classics.connect_four:solutions"},
)
DICE_NIM = _classic(
    "dice-nim", "A die limits how many pieces may be taken; the last piece wins", "nim:DiceNim"
)
THREE_PLAYER_NIM = _classic(
    "three-player-nim",
    "Nim for three players with a first, a second and a third place",
    "nim:ThreePlayerNim",
    research=True,
)

__getattr__, __dir__ = lazily(__name__)
