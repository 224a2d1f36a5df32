"""Cultist Wars: two sides convert and shoot cultists; perfect information on a 13 x 7 board."""

from __future__ import annotations

from deduce.registry import Registration

__all__ = ["REGISTRATION"]

REGISTRATION = Registration(
    name="cultist",
    summary="Cultist Wars: convert neutrals, shoot cultists, own more units after 150 turns",
    commands="games.cultist.cli:cultist",
    search="games.cultist.rules:CultistWars",
    cases={
        kind: f"games.cultist.cases:{kind}"
        for kind in (
            "transitions",
            "shots",
            "lines",
            "paths",
            "maps",
            "games",
            "perft",
            "endgames",
        )
    },
    examples="games.cultist.examples",
)
