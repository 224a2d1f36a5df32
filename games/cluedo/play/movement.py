"""Which rooms a player can reach: the models of movement, by name.

The real board differs from edition to edition. ``any`` leaves it out, as programs for the rules of
Cluedo usually do; ``circle`` keeps its main effect, that not every room is near.
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
        """Do nothing: it does not matter where the pieces are."""


@define
class Circle:
    """The rooms form a circle in the order of the deck; one die, two points for each room.

    All players begin in rooms drawn at random. A turn begins with the roll of a die: with 1 or 2
    the player reaches the next room in either direction, with 3 or 4 up to the second, with 5 or 6
    up to the third; the player may also stay.

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
    room_of: dict[str, int] = field(init=False)
    """The index of the room of each player's piece."""

    def __attrs_post_init__(self) -> None:
        self.room_of = {player: self.random.randrange(len(self.rooms)) for player in self.players}

    def reachable(self, player: str) -> tuple[str, ...]:
        """Roll the die, and return the rooms in the order of the deck."""
        count, here = len(self.rooms), self.room_of[player]
        steps = (self.random.randint(1, 6) + 1) // 2
        near = {(here + step) % count for step in range(-steps, steps + 1)}
        return tuple(self.rooms[index] for index in sorted(near))

    def enter(self, player: str, room: str) -> None:
        """Move the player's piece."""
        self.room_of[player] = self.rooms.index(room)


Model: TypeAlias = Callable[[Sequence[str], Sequence[str], Random], Movement]

MODELS: Mapping[str, Model] = {"any": Anywhere, "circle": Circle}
"""By name, each made from rooms, players and a source of random numbers."""
