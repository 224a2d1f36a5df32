"""Propreantepenultimate Card: a shedding game whose rules are a numbered specification."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.lazy import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.propre.evidence import Observation
    from games.propre.game import ChanceGame, OpenGame, open_game
    from games.propre.notation import format_state, parse_position, parse_state
    from games.propre.players import advise
    from games.propre.playthrough import Playthrough
    from games.propre.rules import Rules
    from games.propre.setup import END, SWAP, Option, Saying, State
    from games.propre.wording import IllegalOption, explain, parse_option, play

__all__ = [
    "END",
    "REGISTRATION",
    "SWAP",
    "ChanceGame",
    "IllegalOption",
    "Observation",
    "OpenGame",
    "Option",
    "Playthrough",
    "Rules",
    "Saying",
    "State",
    "advise",
    "explain",
    "format_state",
    "open_game",
    "parse_option",
    "parse_position",
    "parse_state",
    "play",
]

REGISTRATION = Registration(
    name="propre",
    summary="Propreantepenultimate Card: play it, solve it with open hands, compare options",
    commands="games.propre.cli:propre",
    search="games.propre.game:open_game",
    cases={
        "options": "games.propre.cases:options",
        "transitions": "games.propre.cases:transitions",
        "games": "games.propre.cases:games",
        "solutions": "games.propre.cases:solutions",
        "solved": "games.propre.cases:solved",
        "derived": "games.propre.cases:derived",
    },
    research=True,
    examples="games.propre.examples",
    rules="games.propre.guide",
    purpose="cards",
)

__getattr__, __dir__ = lazily(__name__)
