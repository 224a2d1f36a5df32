"""States and actions: immutable values that searches hash and compare.

A state stores its fourteen units in three byte strings, because byte strings are copied, compared
and searched in C; this makes several hundred thousand turns per second possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from deduce.display import Displayed
from deduce.errors import BadInput
from games.cultist.board import HEIGHT, NOWHERE, WIDTH, Board, position, tile_at, x_of, y_of

__all__ = [
    "CONVERT",
    "CULTISTS",
    "FULL_HP",
    "LAST_TURN",
    "LEADERS",
    "MOVE",
    "NEUTRAL",
    "OWNER_NAMES",
    "SHOOT",
    "UNITS",
    "WAIT",
    "Action",
    "Neutrals",
    "State",
    "Unit",
    "sides",
    "state_of",
]

UNITS = 14
LEADERS = range(2)
CULTISTS = range(2, UNITS)
FULL_HP = 10
NEUTRAL = 2
"""The owner of a unit that belongs to neither side."""
OWNER_NAMES = ("A", "B", "n")
"""What texts and pictures call the owners: side 0, side 1, neutral."""
LAST_TURN = 149
MOVE, SHOOT, CONVERT = "MOVE", "SHOOT", "CONVERT"

Neutrals = Literal["referee", "slots", "statement"]
"""How neutrals move: by the referee's generator, or at random in one of two variants."""


class Action(NamedTuple):
    """What a side does in its turn.

    Examples
    --------
    >>> print(Action("SHOOT", 3, 9))
    3 SHOOT 9
    >>> print(Action("MOVE", 3, tile_at(4, 5)))
    3 MOVE 4 5
    """

    verb: str
    """``"WAIT"``, ``"MOVE"``, ``"SHOOT"`` or ``"CONVERT"``."""
    unit: int
    """The id of the unit that acts; -1 for WAIT."""
    target: int
    """The tile to move to, or the id of the unit to shoot at or to convert; -1 for WAIT."""

    def __str__(self) -> str:
        """Return the text that the referee reads."""
        if self.verb == MOVE:
            return f"{self.unit} MOVE {x_of(self.target)} {y_of(self.target)}"
        return f"{self.unit} {self.verb} {self.target}" if self.unit >= 0 else self.verb


WAIT = Action("WAIT", -1, -1)


class Unit(NamedTuple):
    """One unit, with its position as column and row."""

    id: int
    hp: int
    x: int | None
    y: int | None
    """``None`` for both once the unit is dead and removed."""
    owner: int
    """0, 1, or 2 for a neutral."""

    @property
    def is_leader(self) -> bool:
        """Whether the unit is a leader; this depends on its id alone."""
        return self.id in LEADERS

    @property
    def is_alive(self) -> bool:
        """Whether the unit has hit points left."""
        return self.hp > 0


class _Fields(NamedTuple):
    """The fields of `State`; a NamedTuple cannot itself inherit from `Displayed`."""

    board: Board
    turn: int
    rng: int
    tiles: bytes
    hp: bytes
    owners: bytes
    chance: bool = False
    neutrals: Neutrals = "referee"


class State(_Fields, Displayed):
    """Everything that determines the rest of the game, including how the neutrals move.

    Parameters
    ----------
    board
        The obstacles.
    turn
        0..149 for the turn to be played, 150 after the last one.
    rng
        The generator's state before the turn's first draw. In the variants with chance it is the
        seed of the next random step, which only the referee uses.
    tiles
        The tile of each unit; `NOWHERE` for a dead one.
    hp
        The hit points of each unit; 0 for a dead one.
    owners
        The owner of each unit: 0, 1 or 2 (neutral). A dead unit keeps its owner, as in the
        referee's list of neutrals.
    chance
        Whether the side has acted and chance moves a neutral next, in the variants with chance.
        A unit killed in this turn then has 0 hit points and is still on its tile.
    neutrals
        How neutrals move: ``"referee"``: by the generator, as on the platform. ``"slots"``: one of
        twelve slots is drawn at random, then a direction. ``"statement"``: one of the neutrals
        that can move is drawn at random, then a direction, as the platform's statement describes.

    Examples
    --------
    >>> from games.cultist.maps import new_state
    >>> state = new_state(0)
    >>> state.player, state.counts, state.units[2]
    (0, (1, 1), Unit(id=2, hp=10, x=4, y=2, owner=2))
    """

    __slots__ = ()

    @property
    def player(self) -> int:
        """The side whose turn it is, 0 or 1."""
        return self.turn & 1

    @property
    def counts(self) -> tuple[int, int]:
        """Living units of side 0 and side 1, leaders included."""
        first, second, _ = sides(self.owners)
        hp = self.hp
        return sum(1 for unit in first if hp[unit]), sum(1 for unit in second if hp[unit])

    @property
    def units(self) -> tuple[Unit, ...]:
        """All fourteen units in the order of their ids."""
        units = []
        for i, (tile, hp, owner) in enumerate(zip(self.tiles, self.hp, self.owners, strict=True)):
            x, y = (None, None) if tile == NOWHERE else (x_of(tile), y_of(tile))
            units.append(Unit(i, hp, x, y, owner))
        return tuple(units)


@lru_cache(maxsize=1 << 14)
def sides(owners: bytes) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return the ids of the units of side 0, of side 1 and of neither, dead ones included.

    >>> sides(bytes([0, 1, 2, 0]))
    ((0, 3), (1,), (2,))
    """
    first, second, neutral = (
        tuple(unit for unit, owner in enumerate(owners) if owner == side) for side in range(3)
    )
    return first, second, neutral


def state_of(
    board: Board,
    units: Sequence[Unit],
    *,
    turn: int = 0,
    rng: int,
    chance: bool = False,
    neutrals: Neutrals = "referee",
) -> State:
    """Return the state with the given units, in any order; units left out are dead neutrals.

    Parameters
    ----------
    board
        The obstacles.
    units
        At most one unit for each id.
    turn
        0..150.
    rng
        The generator's state, 0..2**31 - 1.
    chance
        Whether chance moves next; only then may a unit with 0 hit points have a position.
    neutrals
        How neutrals move.

    Raises
    ------
    BadInput
        The turn or the generator's state is out of range, or chance moves after the end; or a unit
        is off the board, on an obstacle, on another unit's tile, listed twice, or has impossible
        hit points or an impossible owner or position.
    """
    if not 0 <= turn <= LAST_TURN + 1:
        raise BadInput(f"a turn is 0 to {LAST_TURN}, or {LAST_TURN + 1} at the end, not {turn}")
    if chance and turn > LAST_TURN:
        raise BadInput(f"the game is over after turn {LAST_TURN}, so chance cannot move")
    if not 0 <= rng < 1 << 31:
        raise BadInput(f"the generator's state is 0 to {(1 << 31) - 1}, not {rng}")
    tiles, hp = bytearray([NOWHERE] * UNITS), bytearray(UNITS)
    owners = bytearray([0, 1] + [NEUTRAL] * len(CULTISTS))
    ids: set[int] = set()
    for index, unit in enumerate(units, start=1):
        tile = _tile_of(unit, board, f"unit {index}", chance=chance)
        if unit.id in ids:
            raise BadInput(f"unit {index}: id {unit.id} is given twice")
        ids.add(unit.id)
        if tile != NOWHERE and tile in tiles:
            raise BadInput(
                f"unit {index}: units {tiles.index(tile)} and {unit.id} are both "
                f"at {position(tile)}"
            )
        tiles[unit.id], hp[unit.id], owners[unit.id] = tile, unit.hp, unit.owner
    return State(board, turn, rng, bytes(tiles), bytes(hp), bytes(owners), chance, neutrals)


def _tile_of(unit: Unit, board: Board, where: str, *, chance: bool) -> int:
    if not 0 <= unit.id < UNITS:
        raise BadInput(f"{where}: an id is 0 to {UNITS - 1}, not {unit.id}")
    if not 0 <= unit.hp <= FULL_HP:
        raise BadInput(f"{where}: unit {unit.id} has {unit.hp} hp, not 0 to {FULL_HP}")
    if unit.is_leader and unit.owner != unit.id:
        raise BadInput(f"{where}: unit {unit.id} is always the leader of side {unit.id}")
    if unit.owner not in (0, 1, NEUTRAL):
        raise BadInput(f"{where}: an owner is 0, 1 or {NEUTRAL} (neutral), not {unit.owner}")
    if unit.hp == 0 and unit.x is None and unit.y is None:
        return NOWHERE
    if unit.hp == 0 and not chance:
        raise BadInput(
            f"{where}: unit {unit.id} has 0 hp but a position; dead units are off the board "
            "unless chance moves next"
        )
    if unit.x is None or unit.y is None:
        raise BadInput(f"{where}: unit {unit.id} has {unit.hp} hp but no position")
    if not (0 <= unit.x < WIDTH and 0 <= unit.y < HEIGHT):
        raise BadInput(
            f"{where}: unit {unit.id} is off the board at ({unit.x}, {unit.y}); "
            f"x is 0 to {WIDTH - 1} and y 0 to {HEIGHT - 1}"
        )
    tile = tile_at(unit.x, unit.y)
    if not board.is_floor(tile):
        raise BadInput(f"{where}: unit {unit.id} is on the obstacle at {position(tile)}")
    return tile
