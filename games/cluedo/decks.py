"""The decks of the usual editions: category, then cards in the order of the sheet."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["DECKS", "Deck"]

Deck = Mapping[str, tuple[str, ...]]

_CLASSIC_ROOMS = (
    "Hall", "Lounge", "Dining Room", "Kitchen", "Ballroom", "Conservatory", "Billiard Room",
    "Library", "Study",
)  # fmt: skip
_CLUE_WEAPONS = ("Candlestick", "Knife", "Lead Pipe", "Revolver", "Rope", "Wrench")

DECKS: Mapping[str, Deck] = {
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
    "master": {
        "suspect": ("Miss Scarlet", "Colonel Mustard", "Mrs White", "Mr Green", "Mrs Peacock",
                    "Professor Plum", "Madame Rose", "Sergeant Gray", "Monsieur Brunette",
                    "Miss Peach"),
        "weapon": (*_CLUE_WEAPONS, "Horseshoe", "Poison"),
        "room": ("Courtyard", "Gazebo", "Drawing Room", "Dining Room", "Kitchen",
                 "Carriage House", "Trophy Room", "Conservatory", "Studio", "Billiard Room",
                 "Library", "Fountain"),
    },
}  # fmt: skip
"""By name: ``classic`` (English), ``clue`` (American), ``clue-orchid`` (American, since 2016),
``master`` (Master Detective, 30 cards)."""
