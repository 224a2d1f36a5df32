"""The set-up of a table: its seats, what everyone knows from the start, and what one seat knows.

A game begins with a deal: a random one, or one in the contest's text format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import TYPE_CHECKING, Final, Literal, cast

import attrs
from attrs import field, frozen

from deduce.errors import BadInput, Unsupported
from deduce.game import RECORD, Viewer
from deduce.logs.events import Log
from deduce.logs.json_values import TypedFields
from deduce.system.display import Displayed
from deduce.system.renamed import Renamed
from deduce.system.text import plural, whole_number

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge

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
    "MAX_PILE",
    "MAX_SEATS",
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
    "Deal",
    "Role",
    "RuleSet",
    "Setup",
    "Side",
    "Viewpoint",
    "check_cards",
    "format_deal",
    "log_of",
    "parse_deal",
    "random_deal",
    "roles_of",
]


Role = Literal["MP", "ZP", "FP"]
Side = Literal["loyal", "rebel"]
RuleSet = Literal["contest", "literal"]
"""The rules of a table: those of the contest, or the original text read literally."""
RULE_SETS: Renamed[RuleSet] = Renamed(
    {"contest": "contest", "literal": "literal"}, {"seed": "literal"}
)

MASTER: Final = "MP"
LOYAL: Final = "ZP"
REBEL: Final = "FP"
ROLES: tuple[Role, ...] = (MASTER, LOYAL, REBEL)
ROLE_NAMES: Mapping[str, str] = {MASTER: "Master", LOYAL: "loyal", REBEL: "rebel"}

SIDE_OF: Mapping[Role, Side] = {MASTER: "loyal", LOYAL: "loyal", REBEL: "rebel"}
OTHER_SIDE: Mapping[Side, Side] = {"loyal": "rebel", "rebel": "loyal"}

CARDS = "PKDFNWJZ"
PEACH, SLASH, DODGE, DUEL, INVASION, VOLLEY, NULLIFY, CROSSBOW = tuple(CARDS)
_NAMES = ("peach", "slash", "dodge", "duel", "invasion", "volley", "nullify", "crossbow")
CARD_NAMES: Mapping[str, str] = dict(zip(CARDS, _NAMES, strict=True))

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


MAX_SEATS = 10
"""The contest's limit; the minimum is 2."""

MAX_HAND = 100
"""The maximum number of cards of a starting hand; the contest deals 4."""


def _rule_set(name: RuleSet) -> RuleSet:
    present: RuleSet = RULE_SETS.current(name)
    return present


@frozen
class Viewpoint:
    """A seat that knows its own role and all its cards, in the order in which it drew them."""

    seat: int
    role: Role
    cards: str

    def __attrs_post_init__(self) -> None:
        if self.role not in roles_of(self.seat):
            right = " or ".join(roles_of(self.seat))
            raise BadInput(f"viewpoint: seat {self.seat} is {right}, not {self.role}")
        check_cards(self.cards, what=f"cards of seat {self.seat}")


def _weights(weights: Mapping[str, int]) -> dict[str, int]:
    if not isinstance(weights, Mapping):
        raise BadInput(f"card weights are a mapping from cards to numbers, not {weights!r}")
    return dict(weights)


def _hands(hands: object) -> object:
    if hands is not None and not isinstance(hands, tuple | list):
        raise BadInput(f"open hands are a list with the cards of each seat, not {hands!r}")
    return hands if hands is None else tuple(hands)


@frozen
class Setup(TypedFields):
    """The options of a table.

    Parameters
    ----------
    seats
        The number of seats, 2 to 10; seat 1 is the Master.
    hand
        The number of cards dealt to each seat at the start.
    rebels
        The number of rebels, if everyone knows it.
    discards_shown
        Whether cards lost by death or by the Master's penalty are shown.
    weights
        The prior weight of each card type; with all 1, weights are numbers of deals.
    viewpoint
        The seat that keeps the log, if it also records its own role and cards.
    open_hands
        Every seat's cards in the order of drawing, if all hands are open.
    rule_set
        ``"contest"``, or ``"literal"`` for the original text read literally
        (docs/games/pigs.md, section 10).
    pile
        The number of cards in the pile, if everyone knows it; only under the literal rules, in
        which an empty pile gives no cards. ``None``: the pile is never empty.

    Raises
    ------
    BadInput
        An option is out of its range, or the options contradict each other.
    """

    seats: int
    hand: int = STARTING_HAND
    rebels: int | None = None
    discards_shown: bool = False
    weights: Mapping[str, int] = field(
        factory=lambda: dict(PLAIN_WEIGHTS), converter=_weights, hash=False
    )
    viewpoint: Viewpoint | None = None
    open_hands: tuple[str, ...] | None = field(default=None, converter=_hands)
    rule_set: RuleSet = field(default="contest", converter=_rule_set)
    pile: int | None = None

    def __attrs_post_init__(self) -> None:
        if not 2 <= self.seats <= MAX_SEATS:
            raise BadInput(f"a game has 2 to {MAX_SEATS} seats, not {self.seats}")
        if not 0 <= self.hand <= MAX_HAND:
            raise BadInput(f"a starting hand of {self.hand} cards: it has 0 to {MAX_HAND}")
        if self.rebels is not None and not 1 <= self.rebels < self.seats:
            raise BadInput(
                f"{self.rebels} rebels: with {self.seats} seats there are 1 to {self.seats - 1}"
            )
        if set(self.weights) != set(CARDS):
            raise BadInput(f"card weights: give one for each of {', '.join(CARDS)}")
        if any(type(weight) is not int for weight in self.weights.values()):
            raise BadInput(f"card weights are whole numbers, not {self.weights}")
        if min(self.weights.values()) < 0 or not any(self.weights.values()):
            raise BadInput("card weights: none may be negative and one must be positive")
        if self.rule_set not in RULE_SETS:
            raise BadInput(f"the rules are 'contest' or 'literal', not {self.rule_set!r}")
        if self.pile is not None:
            if self.rule_set == "contest":
                raise BadInput("the size of the pile matters only under the literal rules")
            if self.pile < 0:
                raise BadInput(f"a pile of {plural(self.pile, 'card')}: it has 0 or more")
        if self.viewpoint is not None:
            if not isinstance(self.viewpoint, Viewpoint):
                raise BadInput(f"not a Viewpoint: {self.viewpoint!r}")
            self.check_seat(self.viewpoint.seat)
        if self.open_hands is not None:
            if len(self.open_hands) != self.seats:
                raise BadInput(
                    f"open hands of {len(self.open_hands)} seats: the table has {self.seats}"
                )
            for seat, cards in enumerate(self.open_hands, 1):
                check_cards(cards, what=f"open hand of seat {seat}")

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of the seats, each of which can be a viewer."""
        return tuple(range(1, self.seats + 1))

    def check_seat(self, seat: int) -> None:
        """Raise `BadInput` unless the table has this seat."""
        if type(seat) is not int or not 1 <= seat <= self.seats:
            raise BadInput(f"there is no seat {seat!r}, only 1 to {self.seats}")

    def seen_by(self, viewer: Viewer) -> Setup:
        """Return the set-up without what is hidden from the viewer: another seat's viewpoint."""
        view = self.viewpoint
        if view is None or viewer is RECORD or viewer == view.seat:
            return self
        return attrs.evolve(self, viewpoint=None)

    def known_cards(self, seat: int) -> str | None:
        """Return the seat's cards in the order of drawing; ``None`` if they are not known."""
        if self.viewpoint is not None and self.viewpoint.seat == seat:
            return self.viewpoint.cards
        return self.open_hands[seat - 1] if self.open_hands else None

    def possible_roles(self, seat: int) -> tuple[Role, ...]:
        """Return the roles that the seat may have before anything has happened."""
        view = self.viewpoint
        return (view.role,) if view is not None and view.seat == seat else roles_of(seat)


def log_of(source: Log | Knowledge) -> Log:
    """Return the log of some knowledge as its viewer sees it; a log itself is returned unchanged.

    Raises
    ------
    Unsupported
        The knowledge rests on assumptions, which the exact method of this game cannot take.
    """
    if isinstance(source, Log):
        return source
    if source.assumed:
        raise Unsupported("the exact method takes no assumptions: ask the knowledge itself")
    setup: Setup = source.game  # type: ignore[assignment]
    return Log(setup.seen_by(source.viewer), source.log)


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
    Setup(seats, rebels=rebels, weights=weights)  # refuses what a table cannot be
    if not 1 <= pile <= MAX_PILE:
        raise BadInput(f"a pile of {pile} cards: there have to be 1 to {MAX_PILE}")
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
    seats = words.number("the first word of a deal, the number of seats,")
    size = words.number("the size of the pile")
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
