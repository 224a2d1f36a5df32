"""The command of every hidden game that Quartets takes over as it is: ``model``."""

from __future__ import annotations

from deduce.commands import GameCommands, Look
from games.quartets import REGISTRATION

__all__ = ["model"]

model = GameCommands(REGISTRATION, Look(log="game.quartets", example="a1=Ann")).commands["model"]
"""Export the problem that a transcript leaves, for another solver."""
