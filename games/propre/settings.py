"""The set-up as text and JSON: what `games.propre.rules.Rules` holds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import asdict

from deduce.errors import BadInput, BadProblem
from deduce.text import join, nearest
from games.propre.cards import Card, parse_cards
from games.propre.rules import Rules

__all__ = [
    "is_number",
    "parse_deck",
    "parse_rules",
    "parse_settings",
    "parse_value",
    "rules_to_json",
]

LONGEST = 20
"""Characters of a number; none that has more means anything here."""


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """Return what is not usual about the set-up, as `parse_rules` reads it."""
    usual = Rules(players=rules.players)
    told = {name: value for name, value in asdict(rules).items() if value != getattr(usual, name)}
    if "deck" in told:
        told["deck"] = " ".join(rules.deck)
    return {"players": rules.players, **told}


def parse_rules(told: Mapping[str, Any]) -> Rules:
    """Return the set-up of an object such as ``{"players": 3, "announce": true}``.

    Raises
    ------
    BadInput
        A name or a value is not one of a set-up; the message lists those there are.

    Examples
    --------
    >>> parse_rules({"players": 2, "hand": 2, "deck": "6H 2H 6S AH AS 2S"}).hand
    2
    """
    values = {name: _checked(name, value) for name, value in told.items()}
    try:
        return Rules(**values)
    except BadProblem as error:
        raise BadInput(str(error)) from error


def _checked(name: str, value: Any) -> Any:
    """Return the value of a field of `Rules`, which is known and of the right type."""
    known = asdict(Rules())
    if name not in known:
        raise BadInput(f"a set-up has no {name!r}{nearest(name, known)} (known: {join([*known])})")
    if name == "deck":
        return parse_deck(value)
    if type(value) is not type(known[name]):
        raise BadInput(f"{name} is such as {json.dumps(known[name])}, not {json.dumps(value)}")
    if name == "swap_order" and value not in ("hand", "sorted", "choice"):
        raise BadInput(f"swap_order is hand, sorted or choice, not {value!r}")
    return value


def parse_settings(settings: Iterable[str]) -> dict[str, Any]:
    """Return the values of texts such as ``announce=yes``, of the types of a set-up.

    Raises
    ------
    BadInput
        A text is not of the form ``NAME=VALUE``, or the name or the value is none of a set-up.

    Examples
    --------
    >>> parse_settings(["announce=yes", "hand=3", "deck=AS 2S"])
    {'announce': True, 'hand': 3, 'deck': 'AS 2S'}
    """
    usual = asdict(Rules())
    told: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise BadInput(f"a setting is written as NAME=VALUE, not {setting!r}")
        told[name] = parse_value(text) if isinstance(usual.get(name), (bool, int)) else text
        _checked(name, told[name])
    return told


def parse_deck(value: Any) -> tuple[Card, ...]:
    """Return the cards of a text, or of a list of texts.

    Raises
    ------
    BadInput
        It is neither, or a word is no card.
    """
    if not isinstance(value, str | list):
        raise BadInput(f"a deck is a list of cards, not {value!r}")
    return parse_cards(value if isinstance(value, str) else " ".join(map(str, value)))


def parse_value(text: str) -> Any:
    """Return the truth value or the whole number that a text says, or else the text.

    >>> parse_value("no"), parse_value("-1"), parse_value("hand")
    (False, -1, 'hand')
    """
    known = {"true": True, "yes": True, "false": False, "no": False}
    if text.casefold() in known:
        return known[text.casefold()]
    return int(text) if is_number(text) else text


def is_number(word: str) -> bool:
    """Return whether the word is a whole number, of digits that a person can count.

    >>> is_number("-12"), is_number("9" * 5000), is_number("1.5")
    (True, False, False)
    """
    return len(word) <= LONGEST and word.removeprefix("-").isdecimal()
