"""How often people err at the table, by kind of slip: the rates that a user may change."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

__all__ = ["RATES"]

RATES: Mapping[str, Fraction] = {
    "pass": Fraction(1, 300),
    "card": Fraction(1, 600),
    "name": Fraction(1, 400),
    "neighbour": Fraction(1, 1200),
    "show": Fraction(1, 600),
    "missing": Fraction(1, 300),
}
"""The probability of each kind of slip, at a table that takes care.

With the classic deck a pass is wrong with 1/200, all kinds together, and a show with 1/300 if it
was seen and 1/600 if it was not. So a game of 60 answers, of which 35 are passes, has a wrong one
with about 20 %: one game in five. This is an assumption, not a measurement; rates of a table are
learned from its finished logs.

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
    because of a wrong name (of the card that was shown, a third of ``name``), or because it was a
    neighbour;
``missing``
    that a line is missing, which makes no other line false.
"""
