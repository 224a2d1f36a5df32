"""Cluedo (in America: Clue): who committed the murder, with which weapon, in which room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.lazy import lazily
from deduce.registry import Registration

if TYPE_CHECKING:
    from games.cluedo.decks import DECKS
    from games.cluedo.events import Accusation, Hand, Has, HasNot, OneOf, Show, Suggestion
    from games.cluedo.game import Cluedo
    from games.cluedo.setup import ENVELOPE, UNDEALT

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
    rules="games.cluedo.rules:RULES",
    face="games.cluedo.face.presenter:cluedo_page",
)

__getattr__, __dir__ = lazily(__name__)
