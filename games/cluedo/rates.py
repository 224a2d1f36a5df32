"""How often people err at the table, by kind of slip: the rates that a user may change."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

__all__ = ["RATES"]

RATES: Mapping[str, Fraction] = {
    "pass": Fraction(1, 100),
    "card": Fraction(1, 200),
    "name": Fraction(1, 100),
    "neighbour": Fraction(1, 200),
    "show": Fraction(1, 100),
    "missing": Fraction(1, 100),
}
"""The probability of each kind of slip.

``pass``
    that a player who holds a named card passes;
``card``
    that the card which was shown is noted as another of the named ones, or wrongly in another line;
``name``
    that a card of a suggestion is written as another of its category;
``neighbour``
    that an answer is written for a neighbour;
``show``
    that a player showed a card which was not seen, and holds none of the cards that are written:
    because of a wrong name, or because it was a neighbour;
``missing``
    that a line is missing, which makes no other line false.
"""
