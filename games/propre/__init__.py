"""Propreantepenultimate Card: a shedding game whose rules are a numbered specification.

Propreantepenultimate Card, 2 to 5 players, 52 cards, 7 cards each

The first player without cards wins. One card is turned up to begin the pile. Then the players take
turns, and in a turn a player plays any number of cards.

  first card     It matches the card on top in suit or rank. The queen of hearts also goes on any
                 king, and the king of hearts on any queen. A 2, 3, 5, 7, jack or ace that is played
                 for its effect needs no match.
  further cards  They match one of the two cards on top in rank, or are one rank higher or lower
                 (and then also match the card on top in suit or rank); or the three ranks are a
                 sum or a product; or the rank is the length of the run of equal ranks on top. The
                 ace of spades goes with an ace, jack, queen or king.

Effects; a last card has none, except a block against an attack:

  2, 5           attack: the next player draws that many cards, or attacks in turn, or blocks
  3, 7           block: reduces the attack by that number; a 3 on a 7, or a 7 on a 3, may end it
  10             the turn skips one player, or one more turn for the player
  jack           reverses the direction of play
  ace            counts as any suit

A card may also be played without its effect if it matches and there is no attack. Then a card
from 2 to 10 may be laid sideways: it counts as 11 minus its rank. A third 6 on two 6s is never
allowed.

A player who plays no card draws one card, or all cards of an attack. Instead, a player who is not
attacked may lay the whole hand on the pile and draw as many cards. When there is nothing left to
draw, the pile is shuffled except for its top.

A player whose hand is empty at the end of a turn wins. (If the last card was a block that left some
of the attack, that player must first draw the rest.)

Every numbered paragraph, and the reading of unclear ones, is in docs/games/propre.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.imports import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.propre.evidence import Observation
    from games.propre.game import ChanceGame, OpenGame, open_game
    from games.propre.notation import format_state, parse_position, parse_state
    from games.propre.players import advise
    from games.propre.playthrough import Playthrough
    from games.propre.rules import Rules
    from games.propre.setup import END, SWAP, Option, Saying, State
    from games.propre.wording import IllegalOption, explain, parse_option, play

__all__ = [
    "END",
    "REGISTRATION",
    "SWAP",
    "ChanceGame",
    "IllegalOption",
    "Observation",
    "OpenGame",
    "Option",
    "Playthrough",
    "Rules",
    "Saying",
    "State",
    "advise",
    "explain",
    "format_state",
    "open_game",
    "parse_option",
    "parse_position",
    "parse_state",
    "play",
]

REGISTRATION = Registration(
    name="propre",
    summary="Propreantepenultimate Card: play it, solve it with open hands, compare options",
    commands="games.propre.cli:propre",
    search="games.propre.game:open_game",
    cases={
        "options": "games.propre.cases:options",
        "transitions": "games.propre.cases:transitions",
        "games": "games.propre.cases:games",
        "solutions": "games.propre.cases:solutions",
        "solved": "games.propre.cases:solved",
        "derived": "games.propre.cases:derived",
    },
    research=True,
    examples="games.propre.examples",
    rules="games.propre",
    purpose="cards",
)

__getattr__, __dir__ = lazily(__name__)
