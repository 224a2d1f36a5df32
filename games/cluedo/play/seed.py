"""The seed's players: simple ways to ask and to show, with simple bookkeeping.

Source: the rules document, section 5: suggest at random, or cards not yet placed, or those with the
most "no"; show at random, or the card shown most often before (the text's words), or least often
(its code); accuse only when certain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from deduce.errors import BadInput
from deduce.text import nearest
from games.cluedo.events import Event, Suggestion
from games.cluedo.play.players import SHOWS, Maker, Seat
from games.cluedo.play.sheet import Sheet

__all__ = ["SeedPlayer", "asks_most_no", "asks_not_placed", "asks_random", "showing"]

Ask = Callable[["SeedPlayer", Sequence[str]], str]
"""Chooses one of several cards of a category."""


class SeedPlayer:
    """A player with a `Sheet`, a way to ask and a way to show."""

    def __init__(self, seat: Seat, ask: Ask) -> None:
        self.seat = seat
        self.ask = ask
        self.way = "random"
        self.sheet = Sheet(seat.game)
        self.shown: Counter[str] = Counter()

    def see(self, event: Event) -> None:
        """Write it down."""
        self.sheet.tell(event)
        if isinstance(event, Suggestion):
            self.shown.update(s.card for s in event.shows if s.by == self.seat.me and s.card)

    def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
        """Return a card of each category, chosen by the player's way to ask."""
        *kinds, _ = self.seat.game.deck.values()
        return [self.ask(self, kind) for kind in (*kinds, rooms)]

    def show(self, suggestion: Suggestion, cards: tuple[str, ...]) -> str:
        """Return a card by the player's way to show; of several alike, any."""
        if self.way == "random":
            return self.seat.random.choice(cards)
        number = (max if self.way == "most-shown" else min)(self.shown[card] for card in cards)
        return self.seat.random.choice([card for card in cards if self.shown[card] == number])

    def accuse(self) -> Sequence[str] | None:
        """Return the solution when the sheet has it."""
        return self.sheet.solution()

    def certain(self) -> Mapping[str, str]:
        """Return what the sheet has placed."""
        return self.sheet.placed


def _any(player: SeedPlayer, cards: Sequence[str]) -> str:
    return player.seat.random.choice(cards)


def _not_placed(player: SeedPlayer, cards: Sequence[str]) -> str:
    left = [card for card in cards if not player.sheet.is_placed(card)]
    return player.seat.random.choice(left or cards)


def _most_no(player: SeedPlayer, cards: Sequence[str]) -> str:
    left = [card for card in cards if not player.sheet.is_placed(card)] or cards
    most = max(player.sheet.no(card) for card in left)
    return player.seat.random.choice([card for card in left if player.sheet.no(card) == most])


def asks_random(seat: Seat) -> SeedPlayer:
    """Return a player who names any cards."""
    return SeedPlayer(seat, _any)


def asks_not_placed(seat: Seat) -> SeedPlayer:
    """Return a player who names cards that the sheet has not placed, where there are any."""
    return SeedPlayer(seat, _not_placed)


def asks_most_no(seat: Seat) -> SeedPlayer:
    """Return a player who names, of the cards not placed, those that most players do not have."""
    return SeedPlayer(seat, _most_no)


def showing(name: str, maker: Maker, way: str) -> Maker:
    """Return the maker of the same player with another way to show.

    Raises
    ------
    BadInput
        There is no such way, or the player has one of his own.
    """
    if maker not in (asks_random, asks_not_placed, asks_most_no):
        raise BadInput(f"the player {name!r} has a way to show of its own; leave out '+{way}'")
    if way not in SHOWS:
        hint = nearest(way, SHOWS) or f" ({', '.join(SHOWS)})"
        raise BadInput(f"no way to show is called {way!r}{hint}")

    def make(seat: Seat) -> SeedPlayer:
        player = maker(seat)
        assert isinstance(player, SeedPlayer)
        player.way = way
        return player

    return make
