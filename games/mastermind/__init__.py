"""Mastermind, and Bulls and Cows: find a code from the answers to guesses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.lazy import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.mastermind.events import Guess, pegs
    from games.mastermind.game import Mastermind
    from games.mastermind.players import PLAYERS, StaticGuesses, play_game, static_guesses

__all__ = [
    "PLAYERS",
    "REGISTRATION",
    "Guess",
    "Mastermind",
    "StaticGuesses",
    "pegs",
    "play_game",
    "static_guesses",
]

REGISTRATION = Registration(
    name="mastermind",
    summary="Mastermind, and Bulls and Cows: find a code from the answers to guesses",
    commands="games.mastermind.cli:mastermind",
    hidden="games.mastermind.game:Mastermind",
    cases={"answers": "games.mastermind.cases:answers", "plans": "games.mastermind.cases:plans"},
    examples="games.mastermind.examples",
    suffix=".mastermind",
    rules="games.mastermind.guide",
    page="games.mastermind.page:mastermind_page",
)

__getattr__, __dir__ = lazily(__name__)
