"""The set-up of a game of Cluedo: players, deck, sizes of the hands, cards outside the hands.

Source: docs/games/cluedo.md, section 1.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any, NoReturn

from attrs import field, frozen

from deduce.errors import BadInput
from deduce.logs.json_values import TypedFields
from deduce.system.renamed import Renamed
from deduce.system.text import fitting, listing, plural

__all__ = [
    "DECKS",
    "ENVELOPE",
    "UNDEALT",
    "Deck",
    "SetUp",
    "frozen_deck",
    "in_another_deck",
    "name_tuple",
]


Deck = Mapping[str, tuple[str, ...]]


class _FrozenDeck(dict[str, tuple[str, ...]]):
    """A deck that cannot be changed; as a dictionary it is written as JSON and as a `repr`."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a deck cannot be changed; make a new one with dict(deck)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[object, ...]:
        return _FrozenDeck, (dict(self),)


def frozen_deck(deck: Mapping[str, Iterable[str]]) -> Deck:
    """Return the deck as a value that cannot be changed.

    Raises
    ------
    BadInput
        It is not a mapping from categories to lists of cards.
    """
    if isinstance(deck, _FrozenDeck):
        return deck
    if not isinstance(deck, Mapping):
        names = ", ".join(DECKS)
        raise BadInput(f"the deck maps categories to cards, or is one of DECKS ({names})")
    for category, cards in deck.items():
        if not isinstance(cards, list | tuple) or not all(isinstance(card, str) for card in cards):
            raise BadInput(f"the deck: {category!r} needs a list of cards, not {cards!r}")
    return _FrozenDeck({category: tuple(cards) for category, cards in deck.items()})


_DECKS = json.loads(files("games.cluedo").joinpath("decks.json").read_text("utf-8"))
DECKS = Renamed({name: frozen_deck(deck) for name, deck in _DECKS.items()}, {"seed": "console"})
"""The editions of ``decks.json``: ``classic`` (English), ``clue`` (American), ``clue-orchid``
(American, since 2016), ``cluedo-orchid`` (English, since 2016), ``clue-2023`` (English, since
2023), ``secrets`` (Discover the Secrets, 2008, 24 cards), ``german``, ``master`` (Master Detective,
30 cards), ``console`` (the console game that the players of this package come from; its text names
the first two or three cards of each category, and Revolver)."""


def in_another_deck(card: str) -> str:
    """Return which deck has a card of this name, to stand behind a message; else an empty string.

    >>> in_another_deck("gloria"), in_another_deck("nobody")
    ("; the deck 'german' has it, so write 'deck: german'", '')
    """
    for name, deck in DECKS.items():
        if fitting(card, [one for cards in deck.values() for one in cards]):
            return f"; the deck {name!r} has it, so write 'deck: {name}'"
    return ""


ENVELOPE = "envelope"
UNDEALT = "undealt"
"""The holders of cards that are not players."""


def name_tuple(names: Iterable[str]) -> tuple[str, ...]:
    """Return a list of names as a tuple; anything else is refused.

    >>> name_tuple(["Rope", "Hall"])
    ('Rope', 'Hall')
    >>> name_tuple("A, B")
    Traceback (most recent call last):
    ...
    deduce.errors.BadInput: a list of names is needed, not 'A, B'; for example ['A', 'B']
    """
    if not isinstance(names, list | tuple):
        texts = names.split(",") if isinstance(names, str) else []
        words = [text.strip() for text in texts if text.strip()]
        example = f"; for example {words}" if words else ""
        raise BadInput(f"a list of names is needed, not {names!r}{example}")
    for name in names:
        if not isinstance(name, str):
            raise BadInput(f"{name!r} is not a name; names are text")
    return tuple(names)


def _sizes(sizes: Iterable[int | None] | None) -> tuple[int | None, ...] | None:
    if sizes is None:
        return None
    if not isinstance(sizes, list | tuple):
        raise BadInput(f"hands: a list of numbers is needed, not {sizes!r}")
    for size in sizes:
        if size is not None and type(size) is not int:
            raise BadInput(f"hands: {size!r} is not a number of cards (None: not known)")
    return tuple(sizes)


def _ordered(deck: Any) -> Any:
    return tuple(deck.items())


@frozen
class SetUp(TypedFields):
    """The set-up of one game: a frozen value, of which `games.cluedo.Cluedo` makes a game.

    The parameters are those of `games.cluedo.Cluedo`.
    """

    players: tuple[str, ...] = field(converter=name_tuple)
    deck: Deck = field(default=DECKS["classic"], converter=frozen_deck, eq=_ordered)
    hands: tuple[int | None, ...] | None = field(default=None, converter=_sizes)
    face_up: tuple[str, ...] = field(default=(), converter=name_tuple)
    undealt: int = 0
    me: str | None = None
    free_suggestions: bool = False

    def __attrs_post_init__(self) -> None:
        self._check_names()
        self._check_counts()

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """All cards of the deck, in order."""
        return tuple(card for cards in self.deck.values() for card in cards)

    @cached_property
    def dealt(self) -> tuple[str, ...]:
        """The cards that are hidden: all but those that lie face up."""
        return tuple(card for card in self.cards if card not in self.face_up)

    @cached_property
    def holders(self) -> tuple[str, ...]:
        """Where a card can be: players in seat order, the undealt pile, the envelope."""
        pile = (UNDEALT,) if self.undealt else ()
        return (*self.players, *pile, ENVELOPE)

    def hand_sizes(self) -> dict[str, tuple[int, int]]:
        """Return for each holder but the envelope the least and the greatest number of cards."""
        in_hands = len(self.dealt) - len(self.deck) - self.undealt
        if self.hands is None:
            share, rest = divmod(in_hands, len(self.players))
            sizes = dict.fromkeys(self.players, (share, share + (rest > 0)))
        else:
            rest = in_hands - sum(size for size in self.hands if size is not None)
            sizes = {
                player: (size, size) if size is not None else (0, rest)
                for player, size in zip(self.players, self.hands, strict=True)
            }
        return sizes | ({UNDEALT: (self.undealt, self.undealt)} if self.undealt else {})

    def groups(self) -> dict[str, list[str]]:
        """Return the dealt cards by category, for tables."""
        return {
            category: [card for card in cards if card not in self.face_up]
            for category, cards in self.deck.items()
        }

    def after(self, player: str) -> tuple[str, ...]:
        """Return the other players in seat order, from the left of a player.

        >>> SetUp(("Ann", "Ben", "Cid")).after("Ben")
        ('Cid', 'Ann')
        """
        seat = self.players.index(player)
        return self.players[seat + 1 :] + self.players[:seat]

    # What names are allowed

    def check_player(self, name: str) -> None:
        """Raise `BadInput` unless there is such a player; the nearest name is in the message."""
        if name not in self.players:
            raise BadInput(f"no player is called {name!r}{listing(self.players, name)}")

    def check_holder(self, name: str) -> None:
        """Raise `BadInput` unless it is a player, the envelope, or the undealt pile if any."""
        if name not in self.holders:
            raise BadInput(f"no holder is called {name!r}{listing(self.holders, name)}")

    def check_cards(self, cards: Sequence[str], *, hidden: bool = False) -> None:
        """Raise `BadInput` unless these are different cards.

        Parameters
        ----------
        cards
            The names; there must be at least one.
        hidden
            Whether cards that lie face up are refused too.
        """
        if not cards:
            raise BadInput("no card is named")
        for card in cards:
            if card not in self.cards:
                raise BadInput(f"no card is called {card!r}{listing(self.cards, card)}")
            if hidden and card in self.face_up:
                raise BadInput(f"{card} lies face up on the table; no player holds it")
        if len(set(cards)) < len(cards):
            twice = next(card for card in cards if list(cards).count(card) > 1)
            raise BadInput(f"{twice} is named twice; name each card once")

    # What a set-up must be

    def _check_names(self) -> None:
        if len(self.players) < 2:
            named = f"only {self.players[0]!r} is named" if self.players else "none is named"
            raise BadInput(
                f"a game needs at least two players, and {named}; "
                "player names are separated by commas, such as Ann, Ben, Cid"
            )
        for names, what in ((self.players, "player"), (self.cards, "card")):
            twice = [name for name in names if names.count(name) > 1]
            if twice:
                raise BadInput(f"two {what}s are called {twice[0]!r}; give each its own name")
            if any(not name.strip() for name in names):
                raise BadInput(f"a {what} has an empty name")
        taken = {ENVELOPE, UNDEALT}.intersection(self.players)
        if taken:
            raise BadInput(f"a player cannot be called {min(taken)!r}: that is where cards can be")
        if not self.deck:
            raise BadInput("the deck has no category")
        for category, cards in self.groups().items():
            if not cards:
                raise BadInput(
                    f"the category {category!r} has no card that could be in the envelope"
                )
        self.check_cards(self.face_up or self.cards)
        if self.me is not None:
            self.check_player(self.me)

    def _check_counts(self) -> None:
        if self.undealt < 0 or any(size is not None and size < 0 for size in self.hands or ()):
            raise BadInput("a number of cards is negative")
        in_hands = len(self.dealt) - len(self.deck) - self.undealt
        total = f"{len(self.cards)} in the deck minus {len(self.deck)} in the envelope"
        if self.face_up:
            total += f", {len(self.face_up)} face up"
        if self.undealt:
            total += f", {self.undealt} undealt"
        if in_hands < 0:
            raise BadInput(f"there are too few cards: {total}")
        if self.hands is None:
            return
        if len(self.hands) != len(self.players):
            raise BadInput(
                f"there are {len(self.players)} players but {plural(len(self.hands), 'hand size')}"
            )
        known = sum(size for size in self.hands if size is not None)
        if known > in_hands or (known < in_hands and None not in self.hands):
            raise BadInput(f"the hands hold {known} cards, but {in_hands} are dealt: {total}")
