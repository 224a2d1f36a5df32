"""Which rooms a player can reach: the models of movement, by name.

The real board differs from edition to edition. ``any`` leaves it out, as the games of rules
programs do; ``circle`` keeps what matters of it, that not every room is near.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol, TypeAlias

from attrs import define, field

__all__ = ["MODELS", "Movement"]


class Movement(Protocol):
    """The players' pieces in one game."""

    def reachable(self, player: str) -> tuple[str, ...]:
        """Return the rooms that the player, whose turn begins, can name; at least one."""

    def enter(self, player: str, room: str) -> None:
        """Put the player's piece into a room."""


@define
class Anywhere:
    """Every room can be reached from every other."""

    rooms: Sequence[str]
    players: Sequence[str]
    random: Random

    def reachable(self, player: str) -> tuple[str, ...]:
        """Return all rooms."""
        return tuple(self.rooms)

    def enter(self, player: str, room: str) -> None:
        """Do nothing: it does not matter where anybody stands."""


@define
class Circle:
    """The rooms lie in a circle, in the order of the deck; one die, two pips a room.

    Everybody begins in a room drawn at random. A turn begins with the throw of a die: with 1 or 2
    the player reaches the next room in either direction, with 3 or 4 up to the second, with 5 or 6
    up to the third; he may also stay.

    Examples
    --------
    >>> circle = Circle(("Hall", "Lounge", "Library", "Study", "Attic"), ("Ann",), Random(1))
    >>> circle.enter("Ann", "Hall")
    >>> circle.reachable("Ann"), circle.reachable("Ann")
    (('Hall', 'Lounge', 'Library', 'Study', 'Attic'), ('Hall', 'Lounge', 'Attic'))
    """

    rooms: Sequence[str]
    players: Sequence[str]
    random: Random
    places: dict[str, int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.places = {player: self.random.randrange(len(self.rooms)) for player in self.players}

    def reachable(self, player: str) -> tuple[str, ...]:
        """Throw the die, and return the rooms in the order of the deck."""
        number, here = len(self.rooms), self.places[player]
        steps = (self.random.randint(1, 6) + 1) // 2
        near = {(here + step) % number for step in range(-steps, steps + 1)}
        return tuple(self.rooms[place] for place in sorted(near))

    def enter(self, player: str, room: str) -> None:
        """Move the player's piece."""
        self.places[player] = self.rooms.index(room)


Model: TypeAlias = Callable[[Sequence[str], Sequence[str], Random], Movement]

MODELS: Mapping[str, Model] = {"any": Anywhere, "circle": Circle}
"""By name, each made from rooms, players and chance."""
