"""Quantum Go Fish: the older game, in which the four cards of a suit are alike.

There are as many suits of four cards as players; questions name a suit; yes hands over one card.
What is known is a table of numbers, players by suits, so a state is checked by listing the tables.
Recorded positions of other projects come in this form (``quartets/peers``).
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve, frozen

from deduce.errors import BadInput
from deduce.system.text import whole_number

__all__ = ["SuitForm", "parse_suits", "start_suits"]

OF_EACH = 4
Table = tuple[tuple[int, ...], ...]


@frozen
class SuitForm:
    """What is known about each hand.

    Parameters
    ----------
    known
        For each player, how many cards of each suit they are known to hold.
    unknown
        For each player, how many of their cards are not known.
    never
        For each player, the suits of which they have no unknown cards.
    """

    known: Table
    unknown: tuple[int, ...]
    never: tuple[frozenset[int], ...]

    def tables(self) -> Iterator[Table]:
        """Yield every table of numbers of cards, players by suits, that fits."""
        left = [OF_EACH - sum(column) for column in zip(*self.known, strict=True)]
        if min(left) < 0 or sum(left) != sum(self.unknown):
            return
        yield from self._tables(0, left, ())

    def _tables(self, player: int, left: list[int], rows: Table) -> Iterator[Table]:
        if player == len(self.known):
            yield rows
            return
        most = [0 if s in self.never[player] else number for s, number in enumerate(left)]
        for row in _rows(self.unknown[player], most):
            rest = [number - taken for number, taken in zip(left, row, strict=True)]
            held = tuple(a + b for a, b in zip(self.known[player], row, strict=True))
            yield from self._tables(player + 1, rest, (*rows, held))

    def asked(self, by: int, suit: int) -> SuitForm | None:
        """Return the state after a question; ``None`` if the asker cannot hold the suit."""
        if self.known[by][suit]:
            return self
        return self._named(by, suit)

    def answered(self, by: int, to: int, suit: int, *, yes: bool) -> SuitForm | None:
        """Return the state after an answer; ``None`` if it is obviously impossible."""
        if not yes:
            if self.known[by][suit]:
                return None
            never = list(self.never)
            never[by] |= {suit}
            return evolve(self, never=tuple(never))
        form = self.asked(by, suit)
        if form is None:
            return None
        known = [list(row) for row in form.known]
        known[by][suit] -= 1
        known[to][suit] += 1
        return evolve(form, known=tuple(map(tuple, known)))

    def _named(self, player: int, suit: int) -> SuitForm | None:
        """Return the state in which one of the player's unknown cards is of the suit."""
        if not self.unknown[player] or suit in self.never[player]:
            return None
        known = [list(row) for row in self.known]
        known[player][suit] += 1
        unknown = list(self.unknown)
        unknown[player] -= 1
        return evolve(self, known=tuple(map(tuple, known)), unknown=tuple(unknown))


def _rows(number: int, most: list[int]) -> Iterator[tuple[int, ...]]:
    if not most:
        if number == 0:
            yield ()
        return
    for first in range(min(number, most[0]) + 1):
        for rest in _rows(number - first, most[1:]):
            yield (first, *rest)


def start_suits(players: int) -> SuitForm:
    """Return the state before the first question: four cards each.

    >>> sum(1 for _ in start_suits(3).tables())
    120
    """
    nothing = ((0,) * players,) * players
    return SuitForm(nothing, (OF_EACH,) * players, (frozenset(),) * players)


def parse_suits(text: str) -> SuitForm:
    """Return the state that a text such as ``"00??/01?x2/11???"`` describes.

    Hands are separated by ``/``; digits are known cards, ``?`` unknown ones, and the digits after
    ``x`` are suits of which there are no unknown cards.

    Raises
    ------
    BadInput
        A character without a meaning there, or a suit beyond the number of players.
    """
    hands = text.split("/")
    known, unknown, never = [], [], []
    for number, hand in enumerate(hands, start=1):
        cards, _, excluded = hand.partition("x")
        row = [0] * len(hands)
        for mark in cards.replace("?", "") + excluded:
            suit = whole_number(mark)
            if suit is None or suit >= len(hands):
                raise BadInput(
                    f"hand {number}: {mark!r} is not a suit; the suits are 0 to {len(hands) - 1}"
                )
        for mark in cards.replace("?", ""):
            row[int(mark)] += 1
        known.append(tuple(row))
        unknown.append(cards.count("?"))
        never.append(frozenset(map(int, excluded)))
    return SuitForm(tuple(known), tuple(unknown), tuple(never))
