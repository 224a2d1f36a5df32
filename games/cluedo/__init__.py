"""Cluedo (in America: Clue): who committed the murder, with which weapon, in which room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.lazy import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.cluedo.advice import advise
    from games.cluedo.events import Accusation, Hand, Has, HasNot, OneOf, Show, Suggestion
    from games.cluedo.game import Cluedo
    from games.cluedo.opponents.accusing import accuse_or_wait
    from games.cluedo.opponents.minds import minds
    from games.cluedo.opponents.opponent import Opponent, knowledge_of
    from games.cluedo.opponents.showing import show_card
    from games.cluedo.opponents.silence import Silence, silence
    from games.cluedo.players.referee import Player, Seat, play
    from games.cluedo.players.tournament import (
        PLAYERS,
        Standing,
        Tournament,
        find_player,
        play_tournament,
    )
    from games.cluedo.setup import DECKS, ENVELOPE, UNDEALT

__all__ = [
    "DECKS",
    "ENVELOPE",
    "PLAYERS",
    "REGISTRATION",
    "UNDEALT",
    "Accusation",
    "Cluedo",
    "Hand",
    "Has",
    "HasNot",
    "OneOf",
    "Opponent",
    "Player",
    "Seat",
    "Show",
    "Silence",
    "Standing",
    "Suggestion",
    "Tournament",
    "accuse_or_wait",
    "advise",
    "find_player",
    "knowledge_of",
    "minds",
    "play",
    "play_tournament",
    "show_card",
    "silence",
]

REGISTRATION = Registration(
    name="cluedo",
    summary="Cluedo / Clue: a sheet that knows what is proved, and what to ask next",
    commands="games.cluedo.cli:cluedo",
    hidden="games.cluedo.game:Cluedo",
    cases={"exact": "games.cluedo.cases:exact", "peers": "games.cluedo.cases:peers"},
    law="games.cluedo.cli.slips:learning_fault",
    examples="games.cluedo.examples",
    suffix=".cluedo",
    rules="games.cluedo.guide",
    purpose="cards",
    page="games.cluedo.page.presenter:cluedo_page",
)

__getattr__, __dir__ = lazily(__name__)
