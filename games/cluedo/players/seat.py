"""What a player of tournaments is: the interface for players written by others.

A player has one seat in one game and sees only what that seat sees: the referee gives it a `Seat`,
passes on every event as the seat sees it, and asks it three things. A seat gives no access to the
deal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol, TypeAlias

from attrs import frozen

from games.cluedo.events import Event, Suggestion
from games.cluedo.game import Cluedo

__all__ = ["Maker", "Player", "Seat"]


@frozen
class Seat:
    """What a player is given when a game begins.

    Parameters
    ----------
    game
        The set-up, which all players know: the players in seat order, the deck, the size of each
        hand. ``game.me`` is the player at this seat, so ``Knowledge(seat.game, events)`` is what
        this player knows.
    hand
        The cards of this seat.
    random
        For whatever the player draws. A player that draws all its random numbers from here plays
        the same game again when the tournament is repeated.
    deals
        How many deals the player may consider in a decision; ``None``: as many as it likes. It is
        a number and not a time, so that the same seed gives the same game on every machine.
    """

    game: Cluedo
    hand: tuple[str, ...]
    random: Random
    deals: int | None = None

    @property
    def me(self) -> str:
        """The player's name in this game."""
        return str(self.game.me)


class Player(Protocol):
    """One seat of one game; a `Maker` makes a new one for every game.

    A turn is: `suggest`, the others answer, `accuse`. An exception in a player, or an answer that
    is not a move of the game, ends the tournament with a message that names the player.
    """

    def see(self, event: Event) -> None:
        """Take note of an event as this seat sees it: first its own hand, then every event.

        The card that is shown to a suggestion is named only for the suggester and the player who
        shows it.
        """

    def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
        """Return one card of each category; the last, the room, is one of ``rooms``."""

    def show(self, suggestion: Suggestion, cards: tuple[str, ...]) -> str:
        """Return which of its own ``cards`` to show; called only if there are several.

        ``suggestion`` has the suggester, the named cards, and the players who passed before.
        """

    def accuse(self) -> Sequence[str] | None:
        """Return the solution, to win or to be out of the game; or ``None``, to go on."""

    def certain(self) -> Mapping[str, str]:
        """Return what the player is certain of, card -> holder; checked against the deal.

        A player that does not keep track returns ``{}``.
        """


Maker: TypeAlias = Callable[[Seat], Player]
"""What makes a player for a seat: often just the player's class."""
