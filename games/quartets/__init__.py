"""Blink Quartets (Blind Kwartetten, Quartett-Blanche, Quantum Go Fish): nobody looks at a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.lazy import lazily
from deduce.registry import Registration

if TYPE_CHECKING:
    from games.quartets.events import Answer, Ask, Quartet
    from games.quartets.rules import Quartets

__all__ = ["REGISTRATION", "Answer", "Ask", "Quartet", "Quartets"]

REGISTRATION = Registration(
    name="quartets",
    summary="Blink Quartets: cards that are only what has been said about them",
    commands="games.quartets.cli:quartets",
    hidden="games.quartets.rules:Quartets",
    search="games.quartets.game:standard",
    cases={
        "transcripts": "games.quartets.cases:transcripts",
        "potentials": "games.quartets.cases:potentials",
        "turns": "games.quartets.cases:turns",
        "peers": "games.quartets.cases:peers",
    },
    examples="games.quartets.examples",
    suffix=".quartets",
)

__getattr__, __dir__ = lazily(
    __name__,
    {
        "games.quartets.events": ["Ask", "Answer", "Quartet"],
        "games.quartets.rules": ["Quartets"],
    },
)
