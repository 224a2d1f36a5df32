"""Cluedo (in America: Clue): who committed the murder, with which weapon, in which room.

CLUEDO (in America: CLUE)

Aim       Find out who committed the murder, with which weapon, and in which
          room: one card of each category, hidden in the envelope.

Deck      21 cards: 6 suspects, 6 weapons and 9 rooms. Other editions and decks
          of your own are possible ("deduce cluedo new" asks).

Deal      One card of each category is put into the envelope, unseen. All other
          cards are dealt to the players; hands may differ by one card. Some
          groups put cards that are left over face up on the table, where they
          are in no hand; others leave them aside, unseen.

Turn      The players take turns clockwise. A player who has moved into a room
          may make a suggestion: a suspect, a weapon, and that room. A player
          may name cards of their own hand.

Answers   Clockwise from the suggester, each player in turn answers. A player
          who holds none of the named cards passes. The first who holds at
          least one must show one of them, of their choice, to the suggester
          only; then no further player answers.

Accusing  Once, on their own turn, a player may accuse: a suspect, a weapon and
          a room. They look into the envelope. If all three cards are in it,
          they win. If not, they make no more suggestions, but go on answering.

What follows from what happens at the table:
  - A player who passed holds none of the named cards.
  - A player who showed a card holds at least one of them; the suggester knows
    which one.
  - A wrong accusation: not all of its cards are in the envelope.
  - Nothing follows from the choice of a suggestion.

Some editions differ: in Master Detective every player who can shows a card; in
others both neighbors answer. A log can record this: it holds what was seen.

How to type a log: "deduce cluedo track --help". First steps:
  deduce cluedo new evening.cluedo
  deduce cluedo track evening.cluedo
  deduce cluedo sheet evening.cluedo
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.imports import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.cluedo.advice import advise
    from games.cluedo.events import Accusation, Hand, Has, HasNot, OneOf, Show, Suggestion
    from games.cluedo.game import Cluedo
    from games.cluedo.opponents.accusing import accuse_or_wait
    from games.cluedo.opponents.minds import Silence, minds, silence
    from games.cluedo.opponents.opponent import Opponent, knowledge_of
    from games.cluedo.opponents.showing import show_card
    from games.cluedo.players.referee import Player, Seat, play
    from games.cluedo.players.tournament import (
        PLAYERS,
        Standing,
        Tournament,
        find_player,
        play_tournament,
    )
    from games.cluedo.setup import DECKS, ENVELOPE, UNDEALT

__all__ = [
    "DECKS",
    "ENVELOPE",
    "PLAYERS",
    "REGISTRATION",
    "UNDEALT",
    "Accusation",
    "Cluedo",
    "Hand",
    "Has",
    "HasNot",
    "OneOf",
    "Opponent",
    "Player",
    "Seat",
    "Show",
    "Silence",
    "Standing",
    "Suggestion",
    "Tournament",
    "accuse_or_wait",
    "advise",
    "find_player",
    "knowledge_of",
    "minds",
    "play",
    "play_tournament",
    "show_card",
    "silence",
]

REGISTRATION = Registration(
    name="cluedo",
    summary="Cluedo / Clue: a sheet that knows what is proved, and what to ask next",
    commands="games.cluedo.cli:cluedo",
    hidden="games.cluedo.game:Cluedo",
    cases={"exact": "games.cluedo.cases:exact", "peers": "games.cluedo.cases:peers"},
    law="games.cluedo.cli.slips:learning_fault",
    examples="games.cluedo.examples",
    suffix=".cluedo",
    rules="games.cluedo",
    purpose="cards",
    page="games.cluedo.page.presenter:cluedo_page",
)

__getattr__, __dir__ = lazily(__name__)
