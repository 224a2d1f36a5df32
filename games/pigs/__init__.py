"""Pig-slaying: a Master, loyals and rebels play by a known policy; most roles are hidden.

Pig-slaying (SDOI2010), 2 to 10 seats

One Master (MP), loyals (ZP) and rebels (FP) sit in a circle. Seat 1 is the Master; all other roles
are hidden. The rebels win when the Master dies, the Master and the loyals when all rebels are dead.
Every seat has 4 hp (hit points) and 4 cards, and plays by the policy below, so every action, and
every action that is not taken, is evidence of roles.

Turn      Draw 2 cards; then use the leftmost card that is usable now, and look again from the left.

  P peach      with less than 4 hp: 1 hp more
  K slash      if the next seat is an enemy, once in a turn: it discards a dodge or loses 1 hp
  F duel       if there is an enemy: both discard slashes in turn; who cannot loses 1 hp
  N invasion   every other seat discards a slash or loses 1 hp
  W volley     every other seat discards a dodge or loses 1 hp
  Z crossbow   equipped at once: any number of slashes in a turn
  D dodge      only as an answer
  J nullify    stops a duel, an invasion or a volley for a seat that has declared its side; from the
               user on, the first seat of that side uses one, and the other side may counter it

Enemies   Of the Master: declared rebels and suspicious seats. Of a loyal: declared rebels. Of a
          rebel: the Master and declared loyals. A rebel duels the Master, others their first enemy.

Declaring A seat declares its side when it uses a slash, a duel or a nullify. An undeclared seat
          whose invasion or volley damages the Master is suspicious.

At 0 hp   The seat discards a peach and has 1 hp, or dies and shows its role. The killer of a rebel
          draws 3 cards. A Master who kills a loyal loses all cards.

Every numbered paragraph is in docs/games/pigs.md. First steps:
  deduce pigs puzzle --players 4 --seed 2 > puzzle.pigs
  deduce pigs infer puzzle.pigs
  deduce pigs why 4=FP puzzle.pigs
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.imports import lazily
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
    rules="games.pigs",
    purpose="roles",
    page="games.pigs.page:pigs_page",
)

__getattr__, __dir__ = lazily(__name__)
