"""The contest's text format: a deal in, the outcome out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

from deduce.errors import BadInput
from games.pigs.cards import CARDS, MASTER, REBEL, ROLES, STARTING_HAND, Role
from games.pigs.rules import MOST_SEATS
from games.pigs.simulate import Deal, Outcome

__all__ = ["format_deal", "format_outcome", "parse_deal"]


def parse_deal(text: str, *, source: str | None = None) -> Deal:
    """Return the deal that a text in the contest's format describes.

    The text is ``n m``, then for each seat its role and four cards, then the m cards of the pile;
    all words are separated by any blanks or line ends.

    Raises
    ------
    BadInput
        Counts do not match, a role or card is unknown, there is not exactly one Master in seat 1,
        or there is no rebel. The line is given.

    Examples
    --------
    >>> parse_deal("2 2  MP W K D D  FP W D P F  F F")
    Deal(roles=('MP', 'FP'), hands=('WKDD', 'WDPF'), pile='FF')
    """
    words = _Words(text, source)
    players, size = words.number("the number of seats"), words.number("the size of the pile")
    if not 2 <= players <= MOST_SEATS:
        raise words.error(f"{players} seats: a game has 2 to {MOST_SEATS}")
    if size < 1:
        raise words.error("an empty pile: there has to be at least one card to draw")
    roles: list[Role] = []
    hands: list[str] = []
    for seat in range(1, players + 1):
        role = words.one_of(ROLES, f"the role of seat {seat}")
        if (seat == 1) != (role == MASTER):
            right = "the Master MP sits in seat 1" if seat == 1 else "only seat 1 is the Master"
            raise words.error(f"seat {seat} is {role}: {right}")
        roles.append(cast(Role, role))
        hands.append(
            "".join(words.one_of(CARDS, f"a card of seat {seat}") for _ in range(STARTING_HAND))
        )
    if REBEL not in roles:
        raise words.error("there is no rebel (FP): the Master would have nobody to beat")
    pile = "".join(words.one_of(CARDS, f"card {k + 1} of {size} of the pile") for k in range(size))
    words.end(f"the {size} cards of the pile")
    return Deal(tuple(roles), tuple(hands), pile)


def format_deal(deal: Deal) -> str:
    """Return the deal in the contest's format.

    >>> print(format_deal(Deal(("MP", "FP"), ("WKDD", "WDPF"), "FF")), end="")
    2 2
    MP W K D D
    FP W D P F
    F F
    """
    rows = [f"{deal.players} {len(deal.pile)}"]
    rows += [" ".join([role, *hand]) for role, hand in zip(deal.roles, deal.hands, strict=True)]
    return "\n".join([*rows, " ".join(deal.pile)]) + "\n"


def format_outcome(outcome: Outcome) -> str:
    """Return what the contest wants printed: the winner, then each hand or ``DEAD``."""
    rows: list[str] = [outcome.winner or "UNDECIDED"]
    rows += ["DEAD" if hand is None else " ".join(hand) for hand in outcome.hands]
    return "\n".join(rows) + "\n"


class _Words:
    """The blank-separated words of a text, each with its line."""

    def __init__(self, text: str, source: str | None) -> None:
        self.words = [
            (word, number)
            for number, line in enumerate(text.splitlines(), 1)
            for word in line.split()
        ]
        self.position = 0
        self.source = source

    def error(self, message: str) -> BadInput:
        """Return the error for the word that was taken last."""
        word, line = self.words[max(self.position - 1, 0)] if self.words else (None, None)
        return BadInput(message, source=self.source, line=line, text=word)

    def take(self, what: str) -> str:
        if self.position == len(self.words):
            raise self.error(f"the text ends where {what} should stand")
        self.position += 1
        return self.words[self.position - 1][0]

    def number(self, what: str) -> int:
        word = self.take(what)
        if not re.fullmatch(r"[0-9]{1,6}", word):
            raise self.error(f"{what} has to be a number, not {word!r}")
        return int(word)

    def one_of(self, known: Iterable[str], what: str) -> str:
        word = self.take(what)
        if word not in tuple(known):
            raise self.error(f"{what} has to be one of {', '.join(known)}, not {word!r}")
        return word

    def end(self, what: str) -> None:
        if self.position < len(self.words):
            self.position += 1
            raise self.error(f"{self.words[self.position - 1][0]!r} stands after {what}")
