"""Blink Quartets (Blind Kwartetten, Quartett-Blanche, Quantum Go Fish): nobody looks at a card."""

from deduce.registry import Registration

__all__ = ["REGISTRATION"]

REGISTRATION = Registration(
    name="quartets",
    summary="Blink Quartets: cards that are only what has been said about them",
    commands="games.quartets.cli:quartets",
    hidden="games.quartets.rules:Quartets",
    search="games.quartets.game:standard",
    cases={
        "transcripts": "games.quartets.cases:replay_transcripts",
        "potentials": "games.quartets.cases:replay_potentials",
        "turns": "games.quartets.cases:replay_turns",
        "peers": "games.quartets.cases:replay_peers",
    },
    examples="games.quartets.examples",
)
