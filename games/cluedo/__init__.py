"""Cluedo (in America: Clue): who did it, with what, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.lazy import lazily
from deduce.registry import Registration

if TYPE_CHECKING:
    from games.cluedo.decks import DECKS
    from games.cluedo.events import Accusation, Hand, Has, HasNot, OneOf, Show, Suggestion
    from games.cluedo.game import ENVELOPE, UNDEALT, Cluedo

__all__ = [
    "DECKS",
    "ENVELOPE",
    "REGISTRATION",
    "UNDEALT",
    "Accusation",
    "Cluedo",
    "Hand",
    "Has",
    "HasNot",
    "OneOf",
    "Show",
    "Suggestion",
]

REGISTRATION = Registration(
    name="cluedo",
    summary="Cluedo / Clue: what a log of suggestions proves about every card",
    commands="games.cluedo.cli:cluedo",
    hidden="games.cluedo.game:Cluedo",
    cases={
        "exact": "games.cluedo.cases:exact",
        "peers": "games.cluedo.cases:peers",
    },
    examples="games.cluedo.examples",
    suffix=".cluedo",
)

__getattr__, __dir__ = lazily(
    __name__,
    {
        "games.cluedo.decks": ["DECKS"],
        "games.cluedo.events": [
            "Hand",
            "Suggestion",
            "Show",
            "Accusation",
            "Has",
            "HasNot",
            "OneOf",
        ],
        "games.cluedo.game": ["Cluedo", "ENVELOPE", "UNDEALT"],
    },
)
