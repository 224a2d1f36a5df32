"""Whole games of Cluedo between programs: the referee, the players, tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.lazy import lazily

if TYPE_CHECKING:
    from games.cluedo.players.catalogue import PLAYERS, find_player
    from games.cluedo.players.referee import Played, PlayerError, play
    from games.cluedo.players.seat import Maker, Player, Seat
    from games.cluedo.players.tournament import Standing, Tournament, play_tournament

__all__ = [
    "PLAYERS",
    "Maker",
    "Played",
    "Player",
    "PlayerError",
    "Seat",
    "Standing",
    "Tournament",
    "find_player",
    "play",
    "play_tournament",
]

__getattr__, __dir__ = lazily(__name__)
