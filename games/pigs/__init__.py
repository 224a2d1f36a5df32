"""Pig-slaying: a Master, loyals and rebels play by a known policy, and nobody says who is who."""

from __future__ import annotations

from deduce.registry import Registration

__all__ = ["REGISTRATION"]

REGISTRATION = Registration(
    name="pigs",
    summary="Pig-slaying (SDOI2010): simulate games, infer hidden roles exactly from public logs",
    commands="games.pigs.cli:pigs",
    cases={
        "simulation": "games.pigs.cases:simulation",
        "inference": "games.pigs.cases:inference",
        "published": "games.pigs.cases:simulation",
    },
    examples="games.pigs.examples",
)
