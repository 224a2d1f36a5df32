"""The set-up of a game: players, cards and readings, as a value and as text.

A set-up is given by texts ``NAME=VALUE`` on the command line, and by an object in JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from attrs import asdict, field, frozen

from deduce.errors import BadInput, BadProblem
from deduce.logs.json_values import structure
from deduce.system.text import whole_number

__all__ = [
    "DECK",
    "HIDDEN",
    "RANK",
    "RANKS",
    "SUIT",
    "SUITS",
    "Card",
    "Setup",
    "chosen",
    "effective",
    "is_number",
    "is_numeric",
    "parse_cards",
    "parse_deck",
    "parse_pile_card",
    "parse_settings",
    "parse_value",
    "printed",
    "repeated",
    "setup_to_json",
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


MAX_PLAYERS = 5
MAX_DIGITS = 20
"""Characters of a number that is read; no larger number has a meaning here."""


def _cards(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(cards)


@frozen
class Setup:
    """Players, cards, and the reading of the unclear paragraphs.

    `games.propre.rules.Rules` is a set-up whose values are checked and that can be played.
    """

    players: int = 2
    """From 2 to 5 (reading 8)."""
    hand: int = 7
    """Cards dealt to each player (reading 8)."""
    deck: tuple[Card, ...] = field(default=DECK, converter=_cards)
    """The cards of the game, in the order of the deal where that is known."""
    block_everything: bool = True
    """Whether 4.4.4 is offered; the recorded program never does."""
    literal_run: bool = False
    """Whether a single card is a run, so that every ace matches by 4.2.6 (reading 3)."""
    literal_rm2: bool = False
    """Whether a try that fails sets RM to false by 5.2 to 5.4 (reading 2): the option ``try``."""
    swap: bool = True
    """Whether option 2 is offered."""
    short_swap: bool = False
    """Whether option 2 is offered when there are fewer cards to draw than it lays (reading 6)."""
    swap_order: Literal["hand", "sorted", "choice"] = "hand"
    """In which order option 2 lays the hand: as it came, by the text of the cards (hands are then
    kept sorted), or with the two on top that the player names (reading 5)."""
    reshuffle: bool = True
    """Whether the pile is shuffled when there is nothing left to draw (reading 7)."""
    announce: bool = False
    """Whether a last card must have been announced (6.2, reading 12)."""
    talk: bool = False
    """Whether players may talk at the table, and draw for a mistake (6.1, 6.3, reading 18)."""
    endless: bool = False
    """Whether each draw is any of the 52 cards, as in the recorded program (reading 7)."""
    ace_suits: str = SUITS
    """The suits that option 7 may choose."""

    def check(self) -> None:
        """Raise `BadProblem` for values that do not fit together."""
        if not 2 <= self.players <= MAX_PLAYERS:
            raise BadProblem(f"2 to {MAX_PLAYERS} players can play, not {self.players}")
        if self.hand < 1:
            raise BadProblem(f"each player needs at least one card, not {self.hand}")
        unknown = [card for card in self.deck if card not in DECK]
        if unknown:
            raise BadProblem(f"{unknown[0]!r} in the deck is not a card")
        twice = repeated(self.deck)
        if twice:
            raise BadProblem(f"the deck holds {twice} twice")
        needed = self.players * self.hand + 1
        if len(self.deck) < needed:
            raise BadProblem(
                f"{self.players} hands of {self.hand} and the turned card need {needed} cards; "
                f"the deck has {len(self.deck)}"
            )
        if self.short_swap and not self.swap:
            raise BadProblem("short_swap is about option 2, which swap=no leaves out")
        if not self.ace_suits or set(self.ace_suits) - set(SUITS):
            raise BadProblem(f"suits are letters of {SUITS}, not {self.ace_suits!r}")


def setup_to_json(setup: Setup) -> dict[str, object]:
    """Return the number of players and all values that are not the default ones."""
    default = Setup(players=setup.players)
    values = asdict(setup)
    changed = {name: value for name, value in values.items() if value != getattr(default, name)}
    if "deck" in changed:
        changed["deck"] = " ".join(setup.deck)
    return {"players": setup.players, **changed}


def parse_settings(settings: Iterable[str]) -> dict[str, object]:
    """Return the values of texts such as ``announce=yes``, of the types of a set-up.

    Raises
    ------
    BadInput
        A text is not of the form ``NAME=VALUE``, or there is no such name or value in a set-up.

    Examples
    --------
    >>> parse_settings(["announce=yes", "hand=3", "deck=AS 2S"])
    {'announce': True, 'hand': 3, 'deck': ('AS', '2S')}
    """
    default = asdict(Setup())
    values: dict[str, object] = {}
    for setting in settings:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise BadInput(f"a setting is written as NAME=VALUE, not {setting!r}")
        if name == "deck":
            values[name] = parse_deck(text)
        else:
            values[name] = parse_value(text) if isinstance(default.get(name), int) else text
    structure(values, Setup)
    return values


def parse_deck(value: object) -> tuple[Card, ...]:
    """Return the cards of a text, or of a list of texts.

    Raises
    ------
    BadInput
        It is neither, or a word is not a card.
    """
    if not isinstance(value, str | list | tuple):
        raise BadInput(f"a deck is a list of cards, not {value!r}")
    return parse_cards(value if isinstance(value, str) else " ".join(map(str, value)))


def parse_value(text: str) -> object:
    """Return a text as a truth value or a whole number if it is one, else as it is.

    >>> parse_value("no"), parse_value("-1"), parse_value("hand")
    (False, -1, 'hand')
    """
    known = {"true": True, "yes": True, "false": False, "no": False}
    if text.casefold() in known:
        return known[text.casefold()]
    return int(text) if is_number(text) else text


def is_number(word: str) -> bool:
    """Return whether the word is a whole number of at most `MAX_DIGITS` characters.

    >>> is_number("-12"), is_number("9" * 5000), is_number("1.5")
    (True, False, False)
    """
    return (
        not word.startswith("+") and whole_number(word, digits=MAX_DIGITS, signed=True) is not None
    )
