"""The words of the game: roles, sides, cards and their names, with the contest's letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, get_args

from deduce.errors import BadInput

__all__ = [
    "CARDS",
    "CARD_NAMES",
    "CROSSBOW",
    "DODGE",
    "DUEL",
    "FULL_HP",
    "INVASION",
    "LOYAL",
    "MASTER",
    "NULLIFY",
    "OTHER_SIDE",
    "PEACH",
    "PLAIN_WEIGHTS",
    "REBEL",
    "ROLES",
    "ROLE_NAMES",
    "RULE_SETS",
    "SIDE_OF",
    "SLASH",
    "STARTING_HAND",
    "VOLLEY",
    "Role",
    "RuleSet",
    "Side",
    "check_cards",
    "roles_of",
]

Role = Literal["MP", "ZP", "FP"]
Side = Literal["loyal", "rebel"]
RuleSet = Literal["contest", "seed"]
"""The rules of a table: those of the contest, or the seed text read literally."""
RULE_SETS: tuple[RuleSet, ...] = get_args(RuleSet)

MASTER: Final = "MP"
LOYAL: Final = "ZP"
REBEL: Final = "FP"
ROLES: tuple[Role, ...] = (MASTER, LOYAL, REBEL)
ROLE_NAMES: Mapping[str, str] = {MASTER: "Master", LOYAL: "loyal", REBEL: "rebel"}

SIDE_OF: Mapping[Role, Side] = {MASTER: "loyal", LOYAL: "loyal", REBEL: "rebel"}
OTHER_SIDE: Mapping[Side, Side] = {"loyal": "rebel", "rebel": "loyal"}

PEACH: Final = "P"
SLASH: Final = "K"
DODGE: Final = "D"
DUEL: Final = "F"
INVASION: Final = "N"
VOLLEY: Final = "W"
NULLIFY: Final = "J"
CROSSBOW: Final = "Z"
CARDS = "PKDFNWJZ"
CARD_NAMES: Mapping[str, str] = {
    PEACH: "peach",
    SLASH: "slash",
    DODGE: "dodge",
    DUEL: "duel",
    INVASION: "invasion",
    VOLLEY: "volley",
    NULLIFY: "nullify",
    CROSSBOW: "crossbow",
}

FULL_HP = 4
STARTING_HAND = 4
PLAIN_WEIGHTS: Mapping[str, int] = dict.fromkeys(CARDS, 1)
"""Every card type equally likely: with these weights, the total weight is the number of deals."""


def roles_of(seat: int) -> tuple[Role, ...]:
    """Return the roles that a seat may have: seat 1 is always the Master."""
    return (MASTER,) if seat == 1 else (LOYAL, REBEL)


def check_cards(cards: str, *, what: str) -> str:
    """Return the cards if each is a letter of a card.

    Parameters
    ----------
    cards
        One letter for each card.
    what
        What the cards are, for the message.

    Raises
    ------
    BadInput
        A letter does not stand for a card; the message names it.
    """
    for card in cards:
        if card not in CARDS:
            raise BadInput(
                f"{what}: unknown card {card!r}; cards are {', '.join(CARDS)}", text=cards
            )
    return cards
