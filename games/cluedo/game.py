"""Cluedo: the set-up of one game, its rules as Counts, and which events can be.

The variables are the dealt cards, the values are the holders: the players, the envelope, and the
pile of undealt cards where there is one. Source: docs/games/cluedo.md, sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar

from attrs import field, frozen

from deduce.constraints import Count, Fact, exactly, is_
from deduce.errors import BadInput
from deduce.game import Viewer
from deduce.problem import Evidence, Rule
from deduce.text import listing, nearest
from games.cluedo import simulate
from games.cluedo.decks import DECKS, Deck
from games.cluedo.events import (
    ENVELOPE,
    UNDEALT,
    Accusation,
    Event,
    Hand,
    Has,
    HasNot,
    OneOf,
    Suggestion,
)
from games.cluedo.knowledge import evidence

__all__ = ["ENVELOPE", "UNDEALT", "Cluedo"]


def _deck(deck: Mapping[str, Iterable[str]]) -> Deck:
    return {category: tuple(cards) for category, cards in deck.items()}


@frozen(hash=False)
class Cluedo:
    """One game's set-up.

    Parameters
    ----------
    players
        Names in seat order.
    deck
        Category -> cards, in order; `games.cluedo.decks.DECKS` has the usual editions.
    hands
        How many cards each player holds, ``None`` where unknown; left out: all cards are dealt
        as evenly as possible, and if that leaves some players one more, it is not known whom.
    face_up
        Cards that lie open on the table, in no hand and not in the envelope.
    undealt
        How many cards lie unseen outside hands and envelope.
    me
        The player who keeps the log; the cards that he writes down he has seen.

    Raises
    ------
    BadInput
        A set-up that cannot be, with the sum where numbers do not add up.

    Examples
    --------
    >>> Cluedo(players=("Ann", "Ben", "Cid"), hands=(6, 6, 5))
    Traceback (most recent call last):
    ...
    deduce.errors.BadInput: the hands hold 17 cards, but 18 are dealt: 21 in the deck less 3 in \
the envelope
    """

    name: ClassVar[str] = "cluedo"
    events: ClassVar[tuple[type, ...]] = (Hand, Suggestion, Accusation, Has, HasNot, OneOf)

    players: tuple[str, ...]
    deck: Deck = field(default=DECKS["classic"], converter=_deck)
    hands: tuple[int | None, ...] | None = None
    face_up: tuple[str, ...] = ()
    undealt: int = 0
    me: str | None = None

    def __attrs_post_init__(self) -> None:
        self._check_names()
        self._check_numbers()

    # The set-up

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards of the deck, in order."""
        return tuple(card for cards in self.deck.values() for card in cards)

    @property
    def dealt(self) -> tuple[str, ...]:
        """The cards that somebody may hold: all but those that lie face up."""
        return tuple(card for card in self.cards if card not in self.face_up)

    @property
    def holders(self) -> tuple[str, ...]:
        """Where a card can be: players in seat order, the undealt pile, the envelope."""
        pile = (UNDEALT,) if self.undealt else ()
        return (*self.players, *pile, ENVELOPE)

    def hand_sizes(self) -> dict[str, tuple[int, int]]:
        """Return for each holder but the envelope the least and the greatest number of cards."""
        in_hands = len(self.dealt) - len(self.deck) - self.undealt
        known = self.hands or (None,) * len(self.players)
        if self.hands is None:
            share, more = divmod(in_hands, len(self.players))
            sizes = dict.fromkeys(self.players, (share, share + (more > 0)))
        else:
            rest = in_hands - sum(size for size in known if size is not None)
            sizes = {
                player: (size, size) if size is not None else (0, rest)
                for player, size in zip(self.players, known, strict=True)
            }
        return sizes | ({UNDEALT: (self.undealt, self.undealt)} if self.undealt else {})

    # The hidden game

    def variables(self) -> Mapping[str, tuple[str, ...]]:
        """Return every dealt card with the places where it can be."""
        return dict.fromkeys(self.dealt, self.holders)

    def rules(self) -> Iterator[Rule]:
        """Return: one card of each category in the envelope; the sizes of the hands."""
        for category, cards in self.deck.items():
            dealt = [card for card in cards if card not in self.face_up]
            sentence = f"exactly one {category} is in the envelope"
            yield Rule(exactly(1, [is_(card, ENVELOPE) for card in dealt]), sentence)
        for holder, (low, high) in self.hand_sizes().items():
            facts = [is_(card, holder) for card in self.dealt]
            if (low, high) != (0, len(facts)):
                number = str(low) if low == high else f"{low} to {high}"
                yield Rule(
                    Count(facts, low, high), f"{holder} holds {number} card{'s'[: high != 1]}"
                )

    def evidence(self, log: Sequence[Event], viewer: Viewer) -> Iterator[Evidence]:
        """Return what the log says to the viewer; see `games.cluedo.knowledge`."""
        return evidence(self, log, viewer)

    def say(self, fact: Fact) -> str:
        """Return a fact as a player says it.

        >>> Cluedo(players=("Ann", "Ben")).say(is_("Rope", "envelope"))
        'Rope is in the envelope'
        """
        names = " or ".join(sorted(str(value) for value in fact.values))
        no = "not " if fact.negated else ""
        if fact.values == {ENVELOPE}:
            return f"{fact.variable} is {no}in the envelope"
        return f"{names} {'does not have' if fact.negated else 'has'} {fact.variable}"

    def questions(self) -> list[Mapping[str, Fact]]:
        """Return the solution as one question per category: which card is in the envelope."""
        return [
            {card: is_(card, ENVELOPE) for card in cards if card not in self.face_up}
            for cards in self.deck.values()
        ]

    def groups(self) -> dict[str, list[str]]:
        """Return the dealt cards by category, for tables."""
        return {
            category: [card for card in cards if card not in self.face_up]
            for category, cards in self.deck.items()
        }

    # The text notation

    @classmethod
    def parse_log(cls, text: str) -> tuple[Cluedo, list[Event]]:
        """Return the game and the events of a log; see `games.cluedo.notation.logs`."""
        from games.cluedo.notation.logs import parse_log

        return parse_log(text)

    def format_log(self, events: Iterable[Event]) -> str:
        """Return the log as text, which `parse_log` reads back to equal values."""
        from games.cluedo.notation.logs import format_log

        return format_log(self, events)

    def parse_event(self, text: str) -> Event:
        """Return the event that a line says; see `games.cluedo.notation.events`."""
        from games.cluedo.notation.events import parse_event

        return parse_event(self, text)

    def format_event(self, event: Event) -> str:
        """Return the event as a line of text."""
        from games.cluedo.notation.events import format_event

        return format_event(self, event)

    # Playing at random

    def deal(self, random: Random) -> dict[str, str]:
        """Return a random deal; see `games.cluedo.simulate`."""
        return simulate.deal(self, random)

    def record(self, world: Mapping[str, str], random: Random) -> list[Event]:
        """Return a random log of a deal; see `games.cluedo.simulate`."""
        return simulate.record(self, world, random)

    # Which events can be

    def check(self, event: Event) -> None:
        """Raise `BadInput` for an event that cannot happen at this table."""
        match event:
            case Hand(player, cards):
                self._check_player(player)
                if cards:
                    self._check_cards(cards, held=True)
                low, high = self.hand_sizes()[player]
                if not low <= len(cards) <= high:
                    size = low if low == high else f"{low} to {high}"
                    raise BadInput(f"{player} holds {size} cards; {len(cards)} are named")
            case Suggestion(by, cards, passes, shows):
                self._check_suggestion(by, cards, passes, {show.by: show.card for show in shows})
                if len({show.by for show in shows}) < len(shows):
                    raise BadInput("a player shows one card to a suggestion, not two")
            case Accusation(by, cards, correct):
                self._check_player(by)
                self._check_cards(cards, held=correct)
            case Has(holder, card, known_to) | HasNot(holder, card, known_to):
                self._check_holder(holder)
                self._check_cards([card], held=True)
                for player in known_to or ():
                    self._check_player(player)
            case OneOf(holder, cards, known_to):
                self._check_holder(holder)
                self._check_cards(cards, held=True)
                for player in known_to or ():
                    self._check_player(player)

    def _check_suggestion(
        self,
        by: str,
        cards: Sequence[str],
        passes: Sequence[str],
        shows: Mapping[str, str | None],
    ) -> None:
        self._check_player(by)
        self._check_cards(cards)
        for player in (*passes, *shows):
            self._check_player(player)
            if player == by:
                raise BadInput(f"{by} suggests and cannot answer")
        if len(set(passes)) < len(passes):
            raise BadInput("a player passes twice")
        if shows and all(card in self.face_up for card in cards):
            raise BadInput("all cards that are named lie face up; nobody can show one")
        for player, card in shows.items():
            if player in passes:
                raise BadInput(f"{player} cannot both pass and show a card")
            if card is not None and card not in cards:
                raise BadInput(f"{player} shows {card}, which was not named")
            if card is not None:
                self._check_cards([card], held=True)

    def _check_player(self, name: str) -> None:
        if name not in self.players:
            hint = nearest(name, self.players)
            raise BadInput(f"no player is called {name!r}{hint} ({', '.join(self.players)})")

    def _check_holder(self, name: str) -> None:
        if name not in self.holders:
            hint = nearest(name, self.holders)
            raise BadInput(f"no holder is called {name!r}{hint} ({', '.join(self.holders)})")

    def _check_cards(self, cards: Sequence[str], *, held: bool = False) -> None:
        if not cards:
            raise BadInput("no card is named")
        for card in cards:
            if card not in self.cards:
                near = nearest(card, self.cards)
                raise BadInput(f"no card is called {card!r}{near}{listing(self.cards, near)}")
            if held and card in self.face_up:
                raise BadInput(f"{card} lies face up on the table; nobody holds it")
        if len(set(cards)) < len(cards):
            twice = next(card for card in cards if list(cards).count(card) > 1)
            raise BadInput(f"{twice} is named twice")

    def _check_names(self) -> None:
        if not self.players:
            raise BadInput("a game needs players; there are none")
        for names, what in ((self.players, "player"), (self.cards, "card")):
            twice = [name for name in names if names.count(name) > 1]
            if twice:
                raise BadInput(f"two {what}s are called {twice[0]!r}")
            if any(not name.strip() for name in names):
                raise BadInput(f"a {what} has an empty name")
        taken = {ENVELOPE, UNDEALT}.intersection(self.players)
        if taken:
            raise BadInput(f"no player can be called {min(taken)!r}: that is a place for cards")
        if not self.deck:
            raise BadInput("the deck has no category")
        for category, cards in self.deck.items():
            if not [card for card in cards if card not in self.face_up]:
                raise BadInput(
                    f"the category {category!r} has no card that could be in the envelope"
                )
        self._check_cards(self.face_up or self.cards)
        if self.me is not None:
            self._check_player(self.me)

    def _check_numbers(self) -> None:
        if self.undealt < 0 or any(size is not None and size < 0 for size in self.hands or ()):
            raise BadInput("a number of cards is negative")
        in_hands = len(self.dealt) - len(self.deck) - self.undealt
        sum_ = f"{len(self.cards)} in the deck less {len(self.deck)} in the envelope"
        if self.face_up:
            sum_ += f", {len(self.face_up)} face up"
        if self.undealt:
            sum_ += f", {self.undealt} undealt"
        if in_hands < 0:
            raise BadInput(f"there are too few cards: {sum_}")
        if self.hands is None:
            return
        if len(self.hands) != len(self.players):
            raise BadInput(
                f"there are {len(self.players)} players but {len(self.hands)} hand sizes"
            )
        named = sum(size for size in self.hands if size is not None)
        if named > in_hands or (named < in_hands and None not in self.hands):
            raise BadInput(f"the hands hold {named} cards, but {in_hands} are dealt: {sum_}")
