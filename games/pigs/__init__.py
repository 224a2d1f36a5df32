"""Pig-slaying: a Master, loyals and rebels play by a known policy; most roles are hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.lazy import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.pigs.events import (
        At,
        Declare,
        Die,
        End,
        EndTurn,
        Hit,
        LoseAll,
        Nullify,
        Reply,
        Reward,
        Save,
        Turn,
        Use,
        public_events,
    )
    from games.pigs.game import Pigs
    from games.pigs.inference import Inference, Timeline, infer, timeline
    from games.pigs.proofs import RoleProof, why, why_impossible
    from games.pigs.puzzle import Puzzle, make_puzzle
    from games.pigs.setup import Deal, Viewpoint, format_deal, parse_deal, random_deal
    from games.pigs.show import timeline_figure
    from games.pigs.simulation import Outcome, format_outcome, simulate

__all__ = [
    "REGISTRATION",
    "At",
    "Deal",
    "Declare",
    "Die",
    "End",
    "EndTurn",
    "Hit",
    "Inference",
    "LoseAll",
    "Nullify",
    "Outcome",
    "Pigs",
    "Puzzle",
    "Reply",
    "Reward",
    "RoleProof",
    "Save",
    "Timeline",
    "Turn",
    "Use",
    "Viewpoint",
    "format_deal",
    "format_outcome",
    "infer",
    "make_puzzle",
    "parse_deal",
    "public_events",
    "random_deal",
    "simulate",
    "timeline",
    "timeline_figure",
    "why",
    "why_impossible",
]

REGISTRATION = Registration(
    name="pigs",
    summary="Pig-slaying: who is a rebel? What each move shows about hidden roles",
    commands="games.pigs.cli:pigs",
    hidden="games.pigs.game:Pigs",
    cases={
        "simulation": "games.pigs.cases:simulation",
        "inference": "games.pigs.cases:inference",
        "published": "games.pigs.cases:simulation",
    },
    research=True,
    examples="games.pigs.examples",
    suffix=".pigs",
    rules="games.pigs.guide",
    purpose="roles",
    page="games.pigs.page:pigs_page",
)

__getattr__, __dir__ = lazily(__name__)
