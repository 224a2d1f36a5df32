"""What can happen in a game of Cluedo, as far as it says something about the cards.

Source: the rules document of this project, section 2 (docs/games/cluedo.md). ``passes`` are the
players who were *seen* to show nothing; they are never derived from the seating.
"""

from __future__ import annotations

from attrs import frozen

__all__ = [
    "ENVELOPE",
    "UNDEALT",
    "Accusation",
    "Event",
    "Hand",
    "Has",
    "HasNot",
    "OneOf",
    "Show",
    "Suggestion",
]

ENVELOPE = "envelope"
UNDEALT = "undealt"
"""The holders of cards that are no players."""


@frozen
class Hand:
    """A player's complete hand; every other card is then not his. Known to that player only."""

    player: str
    cards: tuple[str, ...]


@frozen
class Show:
    """Somebody showed a card to the suggester; ``card`` is ``None`` where it was not seen."""

    by: str
    card: str | None = None


@frozen
class Suggestion:
    """A suggestion and the answers that were seen.

    Every player in ``passes`` holds none of the cards; everyone in ``shows`` holds at least one of
    them, and the shown card if it is named. Suggester and shower know which card it was.
    """

    by: str
    cards: tuple[str, ...]
    passes: tuple[str, ...] = ()
    shows: tuple[Show, ...] = ()


@frozen
class Accusation:
    """An accusation. Right: exactly the envelope. Wrong: not all of the cards are in it."""

    by: str
    cards: tuple[str, ...]
    correct: bool = False


@frozen
class Has:
    """A holder has a card: seen, dropped, told by a card effect.

    ``known_to`` lists the players who learnt it; ``None`` means everybody.
    """

    holder: str
    card: str
    known_to: tuple[str, ...] | None = None


@frozen
class HasNot:
    """A holder does not have a card."""

    holder: str
    card: str
    known_to: tuple[str, ...] | None = None


@frozen
class OneOf:
    """A holder has at least one of some cards."""

    holder: str
    cards: tuple[str, ...]
    known_to: tuple[str, ...] | None = None


Event = Hand | Suggestion | Accusation | Has | HasNot | OneOf
