"""The set-up of a table: its seats, what everyone knows from the start, and what one seat knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal

import attrs
from attrs import field, frozen

from deduce.errors import BadInput, Unsupported
from deduce.game import RECORD, Viewer
from deduce.logs.events import Log
from deduce.system.renamed import Renamed
from deduce.system.text import plural

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
    "Role",
    "RuleSet",
    "Setup",
    "Side",
    "Viewpoint",
    "check_cards",
    "log_of",
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
class Setup:
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
        for name in ("seats", "hand", "rebels", "pile"):
            number = getattr(self, name)
            if type(number) is not int and (number is not None or name in ("seats", "hand")):
                raise BadInput(f"{name} is a whole number, not {number!r}")
        if type(self.discards_shown) is not bool:
            raise BadInput(f"discards_shown is true or false, not {self.discards_shown!r}")
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
