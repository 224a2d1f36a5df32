"""What a public log states, seat by seat: observations about roles and hands, and the living seats.

An observation is about one seat, and may differ by the seat's role: "if the seat is a rebel, it
holds no slash".
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from attrs import frozen

from games.pigs.cards import Role

__all__ = ["ByRole", "Kind", "Observation", "Reading", "Survivors"]

ByRole = tuple[int | None, int | None]
"""A set of card types for a seat that is not a rebel, and one for a rebel."""


class Kind(Enum):
    """The kinds of observation."""

    DRAW = auto()
    """The seat gets ``number`` unknown cards."""
    LACK = auto()
    """Under each role it holds none of the types ``by_role``."""
    PLAY = auto()
    """It plays ``card``; under each role no slot to the left is of the types ``by_role``."""
    REACH = auto()
    """It uses ``card`` (the leftmost one of its hand leaves it) because it has reached such a card
    in its one look through the hand; under each role no slot passed since the last one reached is
    of the types ``by_role``."""
    STOP = auto()
    """Its look through the hand ends; no slot behind the last one reached is of ``by_role``."""
    LOSE = auto()
    """It gives up its hand, whose cards are ``card`` if they are shown."""
    ROLE = auto()
    """Roles for which ``by_role`` is ``None`` are ruled out."""


class Observation(NamedTuple):
    """What one event states about a seat; ``None`` in ``by_role``: impossible under that role."""

    event: int
    """Index of the event that showed it."""
    seat: int
    kind: Kind
    by_role: ByRole = (0, 0)
    card: str | None = None
    number: int = 0


class Survivors(NamedTuple):
    """Which seats are alive from an event on, and whether a rebel is among them."""

    event: int
    living: tuple[int, ...]
    rebel_lives: bool | None
    """``True`` while the game goes on or the rebels have won; ``False`` when the Master has won;
    ``None`` between the death of a rebel and the reward or the end that follows."""


@frozen
class Reading:
    """Everything that the events of a log state, as the rules order them."""

    observations: tuple[Observation, ...]
    survivors: tuple[Survivors, ...]
    """In the order of the log; the last is current."""
    boundaries: tuple[int, ...]
    """The numbers of events after which a turn or the game is complete, beginning with 0."""
    shown: dict[int, int]
    """Seat -> index of the event by which it declared its side or showed its role in death."""
    winner: Role | None
    is_complete: bool
    """Whether the last turn of the log is complete."""
