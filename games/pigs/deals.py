"""How a game begins: a deal, random deals, and the contest's text format for deals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import cast

from attrs import frozen

from deduce.errors import BadInput
from deduce.system.display import Displayed
from deduce.system.text import plural, whole_number
from games.pigs.setup import (
    CARDS,
    LOYAL,
    MASTER,
    MAX_SEATS,
    PLAIN_WEIGHTS,
    REBEL,
    ROLES,
    STARTING_HAND,
    Role,
)

__all__ = ["MAX_PILE", "Deal", "format_deal", "parse_deal", "random_deal"]

MAX_PILE = 2000
"""The contest's limit for the number of cards in the pile."""


@frozen
class Deal(Displayed):
    """How a game begins: everything that is hidden, which determines the outcome.

    Parameters
    ----------
    roles
        The role of each seat, beginning with the Master's.
    hands
        The cards of each seat, from left to right.
    pile
        The draw pile, top first. Its last card is never used up: it can be drawn again and again.
    """

    roles: tuple[Role, ...]
    hands: tuple[str, ...]
    pile: str

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.roles)


def random_deal(
    seats: int,
    *,
    rebels: int | None = None,
    pile: int = 200,
    weights: Mapping[str, int] = PLAIN_WEIGHTS,
    rng: Random,
) -> Deal:
    """Return a deal in which the seats of the rebels and all cards are random and independent.

    Parameters
    ----------
    seats
        The number of seats, 2 to 10.
    rebels
        The number of rebels; ``None``: any number from 1, each equally likely.
    pile
        The number of cards in the pile, 1 to 2000.
    weights
        The weight of each card type.
    rng
        The source of randomness.

    Raises
    ------
    BadInput
        A number is out of its range.

    Examples
    --------
    >>> random_deal(3, rebels=1, pile=5, rng=Random(1))
    Deal(roles=('MP', 'ZP', 'FP'), hands=('...', '...', '...'), pile='...')
    """
    if not 2 <= seats <= MAX_SEATS:
        raise BadInput(f"a game has 2 to {MAX_SEATS} seats, not {seats}")
    if rebels is not None and not 1 <= rebels < seats:
        raise BadInput(f"{rebels} rebels: with {seats} seats there are 1 to {seats - 1}")
    if not 1 <= pile <= MAX_PILE:
        raise BadInput(f"a pile of {pile} cards: there have to be 1 to {MAX_PILE}")
    if not any(weights.values()):
        raise BadInput("card weights: one must be positive")
    if rebels is None:
        rebels = rng.randint(1, seats - 1)
    others: list[Role] = [REBEL if seat < rebels else LOYAL for seat in range(seats - 1)]
    rng.shuffle(others)
    odds = [weights[card] for card in CARDS]

    def draw(number: int) -> str:
        return "".join(rng.choices(CARDS, odds, k=number))

    hands = tuple(draw(STARTING_HAND) for _ in range(seats))
    return Deal((MASTER, *others), hands, draw(pile))


def parse_deal(
    text: str, *, source: str | None = None, warn: Callable[[str], None] = lambda message: None
) -> Deal:
    """Return the deal that a text in the contest's format describes.

    The text is ``n m``, then for each seat its role and four cards, then the m cards of the pile;
    all words are separated by any blanks or line ends. Like the contest's programs, it ignores
    whatever follows the m cards of the pile.

    Parameters
    ----------
    text
        The text.
    source
        The name of the text, for messages.
    warn
        Is called with a message, which names the line, if the pile is longer than announced.

    Raises
    ------
    BadInput
        The text ends early, a role or card is unknown, the Master is not in seat 1 and only there,
        or there is no rebel. The line is given.

    Examples
    --------
    >>> parse_deal("2 2  MP W K D D  FP W D P F  F F")
    Deal(roles=('MP', 'FP'), hands=('WKDD', 'WDPF'), pile='FF')
    """
    words = _Words(text, source)
    seats, size = words.number("the number of seats"), words.number("the size of the pile")
    if not 2 <= seats <= MAX_SEATS:
        raise words.error(f"a game has 2 to {MAX_SEATS} seats, not {seats}")
    if size < 1:
        raise words.error("an empty pile: there has to be at least one card to draw")
    roles: list[Role] = []
    hands: list[str] = []
    for seat in range(1, seats + 1):
        role = words.one_of(ROLES, f"the role of seat {seat}")
        if (seat == 1) != (role == MASTER):
            right = "the Master MP sits in seat 1" if seat == 1 else "only seat 1 is the Master"
            raise words.error(f"seat {seat} is {role}: {right}")
        roles.append(cast(Role, role))
        hands.append(
            "".join(words.one_of(CARDS, f"a card of seat {seat}") for _ in range(STARTING_HAND))
        )
    if REBEL not in roles:
        raise words.error("there is no rebel (FP): the Master would have no opponent")
    pile = "".join(words.one_of(CARDS, f"card {k + 1} of {size} of the pile") for k in range(size))
    left = len(words.words) - words.position
    if left:
        line = words.words[words.position][1]
        where = f"{source}:{line}" if source else f"line {line}"
        rest = f"{plural(left, 'word')} after it {'is' if left == 1 else 'are'} ignored"
        warn(f"{where}: the pile has {plural(size, 'card')}; {rest}")
    return Deal(tuple(roles), tuple(hands), pile)


def format_deal(deal: Deal) -> str:
    """Return the deal in the contest's format.

    >>> print(format_deal(Deal(("MP", "FP"), ("WKDD", "WDPF"), "FF")), end="")
    2 2
    MP W K D D
    FP W D P F
    F F
    """
    rows = [f"{deal.seats} {len(deal.pile)}"]
    rows += [" ".join([role, *hand]) for role, hand in zip(deal.roles, deal.hands, strict=True)]
    return "\n".join([*rows, " ".join(deal.pile)]) + "\n"


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
        """Return an error at the word that was taken last."""
        word, line = self.words[max(self.position - 1, 0)] if self.words else (None, None)
        return BadInput(message, source=self.source, line=line, text=word)

    def take(self, what: str) -> str:
        """Return the next word, which should be ``what``."""
        if self.position == len(self.words):
            raise self.error(f"the text ends where {what} should be")
        self.position += 1
        return self.words[self.position - 1][0]

    def number(self, what: str) -> int:
        """Return the next word as a number."""
        word = self.take(what)
        number = whole_number(word, digits=6)
        if number is None:
            raise self.error(f"{what} has to be a number, not {word!r}")
        return number

    def one_of(self, known: Iterable[str], what: str) -> str:
        """Return the next word, which should be one of the known ones."""
        word = self.take(what)
        if word not in tuple(known):
            raise self.error(f"{what} has to be one of {', '.join(known)}, not {word!r}")
        return word
