"""The state of a game (section 1) and the options of its players, as values.

Both are named tuples, because solving a game makes half a million of them.
"""

from __future__ import annotations

from typing import NamedTuple

from deduce.errors import BadInput
from deduce.system.display import Displayed
from games.propre.setup import Card

__all__ = ["END", "FULL_NAME", "KINDS", "SWAP", "Option", "Saying", "State"]

KINDS = ("none", "swap", "attack", "block", "ten", "jack", "ace", "normal", "try")
"""The card options in the order of the specification: option 1 to option 8. ``try`` is a choice
that fails (5.4), which has an effect only in the variant ``literal_rm2``."""
FULL_NAME = "propreantepenultimate card"
"""The name of the game (6.3.1); its second word announces a last card (6.2)."""


class Option(NamedTuple):
    """A card option with the choice that follows from it.

    ``choice`` is ``mv-1`` or ``mv+1`` for a ten, a suit for an ace, ``vertical`` or
    ``horizontal`` for a numeric card played by option 8, ``all`` for a block that sets AV to 0,
    ``announce`` for a turn that ends with the announcement, the two cards that end on top for a
    swap; empty where there is nothing to choose.

    Examples
    --------
    >>> print(Option("ace", "AC", "H"))
    ace AC H
    """

    kind: str
    card: Card = ""
    choice: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in self if part)


class Saying(NamedTuple):
    """What a player says at the table (section 6), in lower case.

    Examples
    --------
    >>> [Saying(words).paragraph for words in ("last card", "card", "propre card", FULL_NAME)]
    ['6.1.1', None, '6.3.1', None]
    """

    words: str
    desired: bool = False
    """Whether the player desires the card, and so need not draw it (6.1.2, 6.3.3)."""
    drawn: Card = ""
    """The card that the player must draw; empty if there is none."""

    @classmethod
    def parse(cls, text: str) -> Saying:
        """Return what a text such as ``Last Card, desired`` says.

        Raises
        ------
        BadInput
            There are no words in it.
        """
        words = text.casefold().replace(",", " ").split()
        desired = words[-1:] == ["desired"]
        if desired:
            del words[-1]
        if not words:
            raise BadInput("say what? Type for example: say card")
        return cls(" ".join(words), desired)

    @property
    def paragraph(self) -> str | None:
        """The paragraph by which the player must draw a card, if any.

        Words other than "Last Card" and "Card" are an attempt to say the name of the game.
        """
        if self.words == "last card":
            return "6.1.1"
        return None if self.words in ("card", FULL_NAME) else "6.3.1"

    def __str__(self) -> str:
        return self.words + (", desired" if self.desired else "")


END = Option("none")
SWAP = Option("swap")


class _Fields(NamedTuple):
    """The fields of a `State`."""

    hands: tuple[tuple[Card, ...], ...]
    """The cards of each seat, in the order in which they came."""
    pile: tuple[Card, ...]
    """The cards on the table, the top last, altered faces such as ``TD=AD``."""
    active: int = 0
    """The seat at turn (1.1)."""
    attack_value: int = 0
    """How many cards the player at turn must draw (AV, 1.2)."""
    move_value: int = 1
    """By how many seats the turn moves on at the next step 1 (MV, 1.3)."""
    clockwise: bool = True
    """CW, 1.4."""
    first_card: bool = True
    """Whether no card has been played in this turn (FC, 1.5)."""
    require_match: bool = True
    """RM, 1.6; its copy RM2 exists only while an option is chosen."""
    bridging: bool = False
    """B, 1.7."""
    prevent_wins: bool = False
    """PW, 1.8."""
    deck: tuple[Card, ...] = ()
    """The cards to be drawn in a known order, the next card first."""
    stock: tuple[Card, ...] = ()
    """The cards below the deck, in an unknown order, so that a draw from it is chance."""
    due: int = 0
    """How many cards the player at turn must still draw before the turn ends."""
    said: tuple[int, ...] = ()
    """With announcements, for each seat: 0 not announced, 1 announced, 2 announced before the
    player at turn last changed (6.2.3). Empty without announcements."""
    winner: int = -1
    """The seat that has won (3.1); -1 while the game goes on."""


class State(_Fields, Displayed):
    """The state of a game. The names of the specification are in brackets.

    Examples
    --------
    >>> print(State(hands=(("2H",), ("6S", "AH")), pile=("AS",), deck=("2S",)))
    pile  AS  <- top
          1 to draw, AV 0, MV 1, clockwise
    > seat 0: 2H
      seat 1: AH 6S
    """

    __slots__ = ()

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the player at turn."""
        return self.hands[self.active]
