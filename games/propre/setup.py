"""The set-up of a game: players, cards and readings, as a value and as text.

A set-up is given by texts ``NAME=VALUE`` on the command line, and by an object in JSON.

The state of a game (section 1) and the options of its players are named tuples, because solving a
game makes half a million of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypeAlias

from attrs import asdict, field, frozen

from deduce.errors import BadInput, BadProblem
from deduce.logs.json_values import structure
from deduce.system.display import Displayed
from deduce.system.text import whole_number

__all__ = [
    "DECK",
    "END",
    "FULL_NAME",
    "HIDDEN",
    "KINDS",
    "RANK",
    "RANKS",
    "SUIT",
    "SUITS",
    "SWAP",
    "Card",
    "Option",
    "Saying",
    "Setup",
    "State",
    "chosen",
    "effective",
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
    number = whole_number(text, digits=MAX_DIGITS, signed=True)
    return text if number is None or text.startswith("+") else number


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
