"""Blink Quartets (Blind Kwartetten, Quartett-Blanche, Quantum Go Fish): cards that are not seen.

Blink Quartets, 2 to 10 players

Cards in groups, usually of four, are dealt face down, as equally as possible. No player looks at a
card: what a card is follows only from what the players say. The player who lays aside the most
groups wins.

  turn       The player may declare groups. Then they ask another player who has cards for a card.
             They need a card of the same group themselves.
  yes        The card is handed over, and the turn continues.
  no         The player who was asked has the turn.
  declare    The player has all cards of a group, and lays them aside.

After every statement some deal must agree with all statements so far. A player who makes that
impossible loses: the statement is undone, and they take no more turns, but can still be asked. The
last remaining player wins. If two players lay aside the same number of groups, the one whose last
group came first wins.

What follows from a statement:
  - A player who asks holds a card of the group; in most games, not the card itself.
  - A player who says no does not hold the card.

Options ("deduce quartets new --help") settle what groups of players play differently: whether a
player may ask for a card that may be their own, may be dealt a complete group, or must declare
one. docs/games/quartets.md, section 4, lists them all. First steps:
  deduce quartets new --players Ann,Ben,Cid --groups "8 of 4" game.quartets
  deduce quartets play game.quartets --computer Ben
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.imports import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.quartets.counting import Counts, count_deals
    from games.quartets.deal import DealForm, layout
    from games.quartets.events import Answer, Ask, Quartet
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
    rules="games.quartets",
    purpose="cards",
    page="games.quartets.page.presenter:QuartetsPage",
)

__getattr__, __dir__ = lazily(__name__)
