"""Mastermind, and Bulls and Cows: find a code from the answers to guesses.

Mastermind, and Bulls and Cows

A code is hidden: a colour in each of some slots. In Mastermind there are 4 slots and 6 colours, and
a colour may occur several times. In Bulls and Cows the colours are the ten digits, and no digit
occurs twice. Any other numbers of slots and colours can be played.

  guess      The player names a code. It need not agree with the answers so far. Where colours
             occur once only, a guess names no colour twice either.
  black      A black peg (a bull) for each slot in which the colour is right.
  white      A white peg (a cow) for each further colour that is in the code, but in another slot.
             A colour counts as often as it occurs in both, so the pegs do not exceed the slots.

All slots black ends the game; the guess that does so counts. The fewer guesses, the better.

In the static game all guesses are made before the first answer is given; then the code must be
certain.

A log has one line for each guess: the code, its black and its white pegs.

  1122: 1 2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.imports import lazily
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
    rules="games.mastermind",
    page="games.mastermind.page:mastermind_page",
)

__getattr__, __dir__ = lazily(__name__)
