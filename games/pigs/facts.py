"""What a public log says, seat by seat: observations about roles and hands, and who lives.

An observation is about one seat, and may say different things under its different roles: "if it is
a rebel, it holds no slash".
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from attrs import frozen

from games.pigs.cards import LOYAL, MASTER, REBEL, Role

__all__ = ["ByRole", "Facts", "Kind", "Observation", "Standing", "roles_of"]

ByRole = tuple[int | None, int | None]
"""Something for a seat that is no rebel, and for a rebel."""


class Kind(Enum):
    """What an observation says."""

    DRAW = auto()
    """The seat gets ``number`` unknown cards."""
    LACK = auto()
    """Under a role it holds none of the types ``by_role``."""
    PLAY = auto()
    """It plays ``card``; under a role no slot left of it is of the types ``by_role``."""
    LOSE = auto()
    """It gives up its hand: each ``card``, if shown."""
    ROLE = auto()
    """Roles for which ``by_role`` is None are out."""


class Observation(NamedTuple):
    """What one event says about one seat. ``None`` in ``by_role``: impossible under that role."""

    event: int
    """Index of the event that showed it."""
    seat: int
    kind: Kind
    by_role: ByRole = (0, 0)
    card: str | None = None
    number: int = 0


class Standing(NamedTuple):
    """Which seats live from an event on, and what that says about the rebels among them."""

    event: int
    living: tuple[int, ...]
    rebel_lives: bool | None
    """True while the game goes on or the rebels have won; False when they are beaten; None between
    the death of a rebel and the reward or the end that tells which it is."""


@frozen
class Facts:
    """All that a log says in public."""

    observations: tuple[Observation, ...]
    standings: tuple[Standing, ...]
    boundaries: tuple[int, ...]
    """Numbers of events after which a turn or the game is complete; 0 is one."""
    shown: dict[int, int]
    """Seat -> index of the event by which it declared its side or showed its role in death."""
    winner: Role | None


def roles_of(seat: int) -> tuple[Role, ...]:
    """Return the roles that a seat may have."""
    return (MASTER,) if seat == 1 else (LOYAL, REBEL)
