"""Cards as text: a rank and a suit, and the face as which the card counts if that is another one.

``TD`` is the ten of diamonds. ``TD=AD`` is the same card laid sideways, which counts as an ace;
``AC=AH`` is the ace of clubs whose owner chose hearts. `RANK` and `SUIT` give the effective rank
and suit of each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from deduce.errors import BadInput

__all__ = [
    "DECK",
    "HIDDEN",
    "RANK",
    "RANKS",
    "SUIT",
    "SUITS",
    "Card",
    "chosen",
    "effective",
    "is_numeric",
    "parse_cards",
    "parse_pile_card",
    "printed",
    "repeated",
    "sideways",
]

Card: TypeAlias = str
"""``TD``; in a pile also ``TD=AD``."""

RANKS = "A23456789TJQK"
SUITS = "DHSC"
DECK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards, suit by suit."""
HIDDEN: Card = "??"
"""A card that is not seen, in a hand, the deck or the stock."""


def sideways(card: Card) -> Card:
    """Return a numeric card as it counts when it is laid horizontally: rank 11 - r (4.8.2.3).

    >>> sideways("TD"), sideways("5S")
    ('TD=AD', '5S=6S')
    """
    return f"{card}={RANKS[10 - _NUMBER[card[0]]]}{card[1]}"


def chosen(ace: Card, suit: str) -> Card:
    """Return an ace as it counts once its owner has chosen a suit (4.7.2).

    >>> chosen("AC", "H"), chosen("AC", "C")
    ('AC=AH', 'AC')
    """
    return ace if ace[1] == suit else f"{ace}=A{suit}"


def printed(card: Card) -> Card:
    """Return the face that is printed on the card.

    >>> printed("TD=AD")
    'TD'
    """
    return card[:2]


def effective(card: Card) -> Card:
    """Return the face as which the card counts.

    >>> effective("TD=AD")
    'AD'
    """
    return card[-2:]


def is_numeric(rank: int) -> bool:
    """Return whether a rank is from 2 to 10 (4.2.4.2.2, 4.8.2.1)."""
    return 2 <= rank <= 10


_NUMBER = {letter: number for number, letter in enumerate(RANKS, 1)}
_FACES = (
    *DECK,
    *(sideways(card) for card in DECK if is_numeric(_NUMBER[card[0]])),
    *(chosen(f"A{suit}", other) for suit in SUITS for other in SUITS if suit != other),
)
RANK: Mapping[Card, int] = {card: _NUMBER[card[-2]] for card in _FACES}
"""The effective rank of every card and altered card: A = 1, J = 11, Q = 12, K = 13."""
SUIT: Mapping[Card, str] = {card: card[-1] for card in _FACES}
"""The effective suit of every card and altered card."""


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as ``AS, 10h 7d``; 10 may be written for T.

    Raises
    ------
    BadInput
        A word is not a card.

    Examples
    --------
    >>> parse_cards("AS, 10h 7d")
    ('AS', 'TH', '7D')
    """
    return tuple(_card(word) for word in text.replace(",", " ").split())


def parse_pile_card(text: str) -> Card:
    """Return a card of a pile, which may have been altered: ``TD=AD``.

    Raises
    ------
    BadInput
        It is not a card, or the card can never count as the second face.
    """
    face, equals, other_face = text.partition("=")
    card = _card(face)
    if not equals:
        return card
    counts_as = _card(other_face)
    altered = card if counts_as == card else f"{card}={counts_as}"
    if altered not in RANK:
        raise BadInput(
            f"{card} can never count as {counts_as}: only an ace changes its suit, and only a card "
            "from 2 to 10 that is laid sideways changes its rank, to 11 minus its rank"
        )
    return altered


def _card(word: str) -> Card:
    card = word.strip().upper().replace("10", "T")
    if len(card) == 2 and card[0] in RANKS and card[1] in SUITS:
        return card
    raise BadInput(
        f"{word!r} is not a card; a card is a rank of {RANKS} and a suit of {SUITS}, such as TD",
        text=word,
    )


def repeated(cards: Iterable[Card]) -> Card | None:
    """Return the first card that appears twice (by its printed face), if any."""
    seen: set[Card] = set()
    for card in cards:
        if card[:2] in seen:
            return card[:2]
        seen.add(card[:2])
    return None
