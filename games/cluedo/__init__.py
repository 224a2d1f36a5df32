"""Cluedo (in America: Clue): who did it, with what, and where."""

from deduce.registry import Registration

__all__ = ["REGISTRATION"]

REGISTRATION = Registration(
    name="cluedo",
    summary="Cluedo / Clue: what a log of suggestions proves about every card",
    commands="games.cluedo.cli:cluedo",
    hidden="games.cluedo.rules:Cluedo",
    cases={
        "exact": "games.cluedo.cases:replay_exact",
        "peers": "games.cluedo.cases:replay_peers",
    },
    examples="games.cluedo.examples",
)
