"""Blink Quartets (Blind Kwartetten, Quartett-Blanche, Quantum Go Fish): cards that are not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.lazy import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.quartets.counting import Counts, count_deals
    from games.quartets.deal import DealForm
    from games.quartets.events import Answer, Ask, Quartet
    from games.quartets.flow import layout
    from games.quartets.game import Quartets
    from games.quartets.position import Position, start_position
    from games.quartets.search import QuartetsGame, force
    from games.quartets.session import Session
    from games.quartets.setup import PRESETS, named_groups
    from games.quartets.slots import SlotForm, collapse, count_matchings, hamming_bound, match
    from games.quartets.states import State, format_state, parse_state

__all__ = [
    "PRESETS",
    "REGISTRATION",
    "Answer",
    "Ask",
    "Counts",
    "DealForm",
    "Position",
    "Quartet",
    "Quartets",
    "QuartetsGame",
    "Session",
    "SlotForm",
    "State",
    "collapse",
    "count_deals",
    "count_matchings",
    "force",
    "format_state",
    "hamming_bound",
    "layout",
    "match",
    "named_groups",
    "parse_state",
    "start_position",
]

REGISTRATION = Registration(
    name="quartets",
    summary="Blink Quartets: a game of questions without cards; only what was said counts",
    commands="games.quartets.cli:quartets",
    hidden="games.quartets.game:Quartets",
    search="games.quartets.search:standard",
    cases={
        "transcripts": "games.quartets.cases:transcripts",
        "potentials": "games.quartets.cases:potentials",
        "turns": "games.quartets.cases:turns",
        "peers": "games.quartets.cases:peers",
        "solutions": "games.quartets.cases:solutions",
    },
    examples="games.quartets.examples",
    suffix=".quartets",
    rules="games.quartets.guide",
    purpose="cards",
    page="games.quartets.page.presenter:QuartetsPage",
)

__getattr__, __dir__ = lazily(__name__)
