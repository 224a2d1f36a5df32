"""The set-up of a game: players, cards and readings, as a value and as text.

A set-up is given by texts ``NAME=VALUE`` on the command line, and by an object in JSON.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from attrs import asdict, field, frozen

from deduce.errors import BadInput, BadProblem
from deduce.jsonvalues import structure
from deduce.text import whole_number
from games.propre.cards import DECK, SUITS, Card, parse_cards, repeated

__all__ = [
    "Setup",
    "is_number",
    "parse_deck",
    "parse_settings",
    "parse_value",
    "setup_to_json",
]

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


def setup_to_json(setup: Setup) -> dict[str, Any]:
    """Return the number of players and all values that are not the default ones."""
    default = Setup(players=setup.players)
    values = asdict(setup)
    changed = {name: value for name, value in values.items() if value != getattr(default, name)}
    if "deck" in changed:
        changed["deck"] = " ".join(setup.deck)
    return {"players": setup.players, **changed}


def parse_settings(settings: Iterable[str]) -> dict[str, Any]:
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
    values: dict[str, Any] = {}
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


def parse_deck(value: Any) -> tuple[Card, ...]:
    """Return the cards of a text, or of a list of texts.

    Raises
    ------
    BadInput
        It is neither, or a word is not a card.
    """
    if not isinstance(value, str | list):
        raise BadInput(f"a deck is a list of cards, not {value!r}")
    return parse_cards(value if isinstance(value, str) else " ".join(map(str, value)))


def parse_value(text: str) -> Any:
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
