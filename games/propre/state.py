"""The state of a game (section 1) and the options of its players, as values.

Both are named tuples: a game that is solved makes half a million of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from games.propre.cards import Card

__all__ = ["END", "KINDS", "SWAP", "Option", "State"]

KINDS = ("none", "swap", "attack", "block", "ten", "jack", "ace", "normal")
"""The card options in the order of the specification: option 1 to option 8."""


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


END = Option("none")
SWAP = Option("swap")


class State(NamedTuple):
    """Where a game stands. The specification's names are in brackets.

    ``deck`` is what lies to be drawn in a known order, the next card first; ``stock`` lies under
    it in an order that nobody knows, so that a card drawn from it is chance.
    """

    hands: tuple[tuple[Card, ...], ...]
    """The cards of each seat, in the order in which they came."""
    pile: tuple[Card, ...]
    """The cards on the table, the top last, altered faces such as ``TD=AD``."""
    active: int = 0
    """The active player (1.1)."""
    attack_value: int = 0
    """What the player at turn must draw (AV, 1.2)."""
    move_value: int = 1
    """How many seats the turn moves on at the next step 1 (MV, 1.3)."""
    clockwise: bool = True
    """CW, 1.4."""
    first_card: bool = True
    """Whether no card has been played in this turn (FC, 1.5)."""
    require_match: bool = True
    """RM, 1.6; its shadow RM2 lives only while an option is chosen."""
    bridging: bool = False
    """B, 1.7."""
    prevent_wins: bool = False
    """PW, 1.8."""
    deck: tuple[Card, ...] = ()
    stock: tuple[Card, ...] = ()
    due: int = 0
    """Cards that the active player has still to draw before his turn ends."""
    said: tuple[int, ...] = ()
    """With announcements, for each seat 0: not said, 1: said, 2: said before the active player
    last changed (6.2.3). Empty without."""
    winner: int = -1
    """The seat that has won (3.1); -1 while the game goes on."""

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the active player."""
        return self.hands[self.active]

    def __str__(self) -> str:
        """Return the table in a few lines, all hands open."""
        from games.propre.show import table_text

        return table_text(self)

    def _repr_html_(self) -> str:
        from games.propre.page import table_svg

        return table_svg(self)

    def _repr_mimebundle_(self, **kinds: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def but(self, **changes: Any) -> State:
        """Return the state with some fields changed."""
        return self._replace(**changes)
