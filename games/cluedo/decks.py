"""The decks of the usual editions: category, then cards in the order of the sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from deduce.errors import BadInput

__all__ = ["DECKS", "Deck", "frozen_deck"]

Deck = Mapping[str, tuple[str, ...]]


class _FrozenDeck(dict[str, tuple[str, ...]]):
    """A deck that cannot be changed; as a dictionary it is written as JSON and as a `repr`."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a deck cannot be changed; make a new one with dict(deck)")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
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


_CLASSIC_ROOMS = (
    "Hall", "Lounge", "Dining Room", "Kitchen", "Ballroom", "Conservatory", "Billiard Room",
    "Library", "Study",
)  # fmt: skip
_CLUE_WEAPONS = ("Candlestick", "Knife", "Lead Pipe", "Revolver", "Rope", "Wrench")

_EDITIONS: Mapping[str, Deck] = {
    "classic": {
        "suspect": ("Miss Scarlett", "Colonel Mustard", "Mrs White", "Reverend Green",
                    "Mrs Peacock", "Professor Plum"),
        "weapon": ("Candlestick", "Dagger", "Lead Piping", "Revolver", "Rope", "Spanner"),
        "room": _CLASSIC_ROOMS,
    },
    "clue": {
        "suspect": ("Miss Scarlet", "Colonel Mustard", "Mrs White", "Mr Green", "Mrs Peacock",
                    "Professor Plum"),
        "weapon": _CLUE_WEAPONS,
        "room": _CLASSIC_ROOMS,
    },
    "clue-orchid": {
        "suspect": ("Miss Scarlet", "Colonel Mustard", "Dr Orchid", "Mr Green", "Mrs Peacock",
                    "Professor Plum"),
        "weapon": _CLUE_WEAPONS,
        "room": _CLASSIC_ROOMS,
    },
    "cluedo-orchid": {
        "suspect": ("Miss Scarlett", "Colonel Mustard", "Dr Orchid", "Reverend Green",
                    "Mrs Peacock", "Professor Plum"),
        "weapon": ("Candlestick", "Dagger", "Lead Piping", "Revolver", "Rope", "Spanner"),
        "room": _CLASSIC_ROOMS,
    },
    "clue-2023": {
        "suspect": ("Miss Scarlett", "Colonel Mustard", "Chef White", "Mayor Green",
                    "Solicitor Peacock", "Professor Plum"),
        "weapon": ("Candlestick", "Dagger", "Lead Pipe", "Revolver", "Rope", "Wrench"),
        "room": _CLASSIC_ROOMS,
    },
    "secrets": {
        "suspect": ("Kasandra Scarlett", "Jack Mustard", "Diane White", "Jacob Green",
                    "Eleanor Peacock", "Victor Plum"),
        "weapon": ("Rope", "Candlestick", "Knife", "Pistol", "Baseball Bat", "Dumbbell",
                   "Trophy", "Poison", "Axe"),
        "room": ("Hall", "Guest House", "Dining Room", "Kitchen", "Patio", "Spa", "Theatre",
                 "Living Room", "Observatory"),
    },
    "german": {
        "suspect": ("Fräulein Gloria", "Oberst von Gatow", "Frau Weiß", "Reverend Grün",
                    "Baronin von Porz", "Professor Bloom"),
        "weapon": ("Leuchter", "Dolch", "Heizungsrohr", "Pistole", "Seil", "Rohrzange"),
        "room": ("Halle", "Salon", "Speisezimmer", "Küche", "Musikzimmer", "Wintergarten",
                 "Billardzimmer", "Bibliothek", "Arbeitszimmer"),
    },
    "master": {
        "suspect": ("Miss Scarlet", "Colonel Mustard", "Mrs White", "Mr Green", "Mrs Peacock",
                    "Professor Plum", "Madame Rose", "Sergeant Gray", "Monsieur Brunette",
                    "Miss Peach"),
        "weapon": (*_CLUE_WEAPONS, "Horseshoe", "Poison"),
        "room": ("Courtyard", "Gazebo", "Drawing Room", "Dining Room", "Kitchen",
                 "Carriage House", "Trophy Room", "Conservatory", "Studio", "Billiard Room",
                 "Library", "Fountain"),
    },
    "seed": {
        "suspect": ("Mustard", "Orchid", "Green", "Peacock", "Plum", "Scarlett"),
        "weapon": ("Candlestick", "Dagger", "Lead Piping", "Revolver", "Rope", "Spanner"),
        "room": ("Ballroom", "Billiard Room", "Conservatory", "Dining Room", "Hall", "Kitchen",
                 "Library", "Lounge", "Study"),
    },
}  # fmt: skip

DECKS: Mapping[str, Deck] = {name: frozen_deck(deck) for name, deck in _EDITIONS.items()}
"""By name: ``classic`` (English), ``clue`` (American), ``clue-orchid`` (American, since 2016),
``cluedo-orchid`` (English, since 2016), ``clue-2023`` (English, since 2023), ``secrets`` (Discover
the Secrets, 2008, 24 cards), ``german``, ``master`` (Master Detective, 30 cards), ``seed`` (the
console game that the players of this package come from; its text names the first two or three cards
of each category, and Revolver)."""
