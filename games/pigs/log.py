"""A public log: what a table saw of a game, and what the reader knows besides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs
from attrs import field, frozen

from deduce.errors import BadInput
from games.pigs.cards import CARDS, LOYAL, MASTER, PLAIN_WEIGHTS, REBEL, STARTING_HAND, Role
from games.pigs.events import Declare, Die, Draw, Event, LoseAll, PublicEvent, Suspect
from games.pigs.rules import MOST_SEATS

__all__ = ["Log", "Viewpoint", "check_cards", "public_log"]

MOST_DEALT = 100
"""Cards of a starting hand; the contest deals 4."""


def check_cards(cards: str, *, what: str) -> str:
    """Return the cards if all of them are letters of cards.

    Raises
    ------
    BadInput
        One is not; the message names it and ``what`` the cards are.
    """
    for card in cards:
        if card not in CARDS:
            raise BadInput(
                f"{what}: unknown card {card!r}; cards are {', '.join(CARDS)}", text=cards
            )
    return cards


@frozen
class Viewpoint:
    """A seat that knows its own role and all its cards in the order in which it drew them."""

    seat: int
    role: Role
    cards: str


@frozen
class Log:
    """A public log and the options of its table.

    Raises
    ------
    BadInput
        The options do not fit together.
    """

    players: int
    events: tuple[PublicEvent, ...]
    hand: int = STARTING_HAND
    """Cards dealt to each seat at the start."""
    rebels: int | None = None
    """The number of rebels, where the table tells it."""
    discards_shown: bool = False
    """Whether cards lost by death or by the Master's penalty are shown."""
    weights: Mapping[str, int] = field(factory=lambda: dict(PLAIN_WEIGHTS))
    """Prior weight of each card type; all 1 counts worlds."""
    viewpoint: Viewpoint | None = None
    open_hands: tuple[str, ...] | None = None
    """Every seat's cards in the order of drawing, where the table plays with open hands."""
    lines: tuple[int, ...] = field(default=(), eq=False, repr=False)
    """The line of each event, when the log was read from text."""
    source: str | None = field(default=None, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if not 2 <= self.players <= MOST_SEATS:
            raise BadInput(f"{self.players} seats: a game has 2 to {MOST_SEATS}")
        if not 0 <= self.hand <= MOST_DEALT:
            raise BadInput(f"a starting hand of {self.hand} cards: it has 0 to {MOST_DEALT}")
        if self.rebels is not None and not 1 <= self.rebels < self.players:
            raise BadInput(
                f"{self.rebels} rebels: with {self.players} seats there are 1 to {self.players - 1}"
            )
        if set(self.weights) != set(CARDS):
            raise BadInput(f"card weights: give one for each of {', '.join(CARDS)}")
        if min(self.weights.values()) < 0 or not any(self.weights.values()):
            raise BadInput("card weights: none may be negative and one must be positive")
        if self.viewpoint is not None:
            self._check_viewpoint(self.viewpoint)
        if self.open_hands is not None:
            if len(self.open_hands) != self.players:
                raise BadInput(
                    f"open hands of {len(self.open_hands)} seats: the table has {self.players}"
                )
            for seat, cards in enumerate(self.open_hands, 1):
                check_cards(cards, what=f"open hand of seat {seat}")

    def _check_viewpoint(self, view: Viewpoint) -> None:
        if not 1 <= view.seat <= self.players:
            raise BadInput(f"viewpoint: there is no seat {view.seat}, only 1 to {self.players}")
        if (view.seat == 1) != (view.role == MASTER) or view.role not in (MASTER, LOYAL, REBEL):
            right = "MP" if view.seat == 1 else "ZP or FP"
            raise BadInput(f"viewpoint: seat {view.seat} is {right}, not {view.role}")
        check_cards(view.cards, what=f"cards of seat {view.seat}")

    def upto(self, number: int) -> Log:
        """Return the log of the first ``number`` events."""
        return attrs.evolve(self, events=self.events[:number], lines=self.lines[:number])


def public_log(
    trace: Iterable[Event],
    players: int,
    *,
    hand: int = STARTING_HAND,
    rebels: int | None = None,
    discards_shown: bool = False,
) -> Log:
    """Return what everybody at the table saw of a game.

    Parameters
    ----------
    trace
        All events of the game, as `games.pigs.simulate.simulate` gives them.
    players
        The number of seats.
    hand, rebels, discards_shown
        What the table tells, see `Log`.

    Examples
    --------
    >>> from games.pigs.simulate import Deal, simulate
    >>> game = simulate(Deal(("MP", "FP"), ("WKDD", "WDPF"), "FF"), trace=True)
    >>> public_log(game.trace, 2).events[:2]
    (Turn(seat=1), Use(seat=1, card='W', target=None))
    """
    events: list[PublicEvent] = []
    for event in trace:
        if isinstance(event, Draw | Declare | Suspect):
            continue
        if isinstance(event, Die | LoseAll) and not discards_shown:
            event = attrs.evolve(event, cards=None)
        events.append(event)
    return Log(players, tuple(events), hand=hand, rebels=rebels, discards_shown=discards_shown)
