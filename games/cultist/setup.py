"""States and actions, immutable values that searches hash, and the first state of a seed.

A state stores its fourteen units in three byte strings, because byte strings are copied, compared
and searched in C; this makes several hundred thousand turns per second possible.

Maps are drawn as the referee draws them, with Java's ``SplittableRandom``: the published algorithm
of Steele, Lea and Flood, *Fast splittable pseudorandom number generators* (OOPSLA 2014), with the
constants of the Java class library.

The board has tiles, distances, bullet lines and the map's obstacles. Tiles are numbered 0..90 row
by row, tile ``13 * y + x``; `NOWHERE` is where dead units are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

from attrs import frozen

from deduce.errors import BadInput
from deduce.system.display import Displayed

__all__ = [
    "CONVERT",
    "CULTISTS",
    "DISTANCE",
    "FIRST_RNG",
    "FLOOR",
    "FULL_HP",
    "HEIGHT",
    "LAST_TURN",
    "LEADERS",
    "LINE_OFFSETS",
    "MOVE",
    "NEUTRAL",
    "NOWHERE",
    "OBSTACLE",
    "OWNER_NAMES",
    "RANGE",
    "SHOOT",
    "TILES",
    "UNITS",
    "WAIT",
    "WIDTH",
    "Action",
    "Board",
    "Neutrals",
    "SplittableRandom",
    "State",
    "Unit",
    "line",
    "new_state",
    "position",
    "sides",
    "state_of",
    "tile_at",
    "x_of",
    "y_of",
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
    >>> from games.cultist.setup import new_state
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


FIRST_RNG = 42
"""The state of the neutrals' generator at the start of every game."""
_MASK = (1 << 64) - 1
_GOLDEN_GAMMA = 0x9E3779B97F4A7C15
_OBSTACLE_CHANCE = 0.2


class SplittableRandom:
    """The methods of Java's ``SplittableRandom`` that the maps need.

    Parameters
    ----------
    seed
        Any integer; only its low 64 bits are used, as in Java.

    Examples
    --------
    >>> generator = SplittableRandom(0)
    >>> [generator.next_int(5) for _ in range(4)]
    [3, 1, 2, 3]
    """

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def _next(self) -> int:
        self._state = (self._state + _GOLDEN_GAMMA) & _MASK
        return self._state

    def _next_32_bits(self) -> int:
        z = self._next()
        z = ((z ^ (z >> 33)) * 0x62A9D9ED799705F5) & _MASK
        return (((z ^ (z >> 28)) * 0xCB24D0A5C88C35B3) & _MASK) >> 32

    def next_int(self, bound: int) -> int:
        """Return an integer from 0 to ``bound`` minus 1; all are equally likely."""
        bits = self._next_32_bits()
        if bound & (bound - 1) == 0:
            return bits & (bound - 1)
        while True:
            half = bits >> 1
            drawn = half % bound
            if half + (bound - 1) - drawn < 1 << 31:  # else in the last, incomplete interval
                return drawn
            bits = self._next_32_bits()

    def next_double(self) -> float:
        """Return a multiple of 2**-53 that is at least 0 and less than 1."""
        z = self._next()
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((z ^ (z >> 31)) >> 11) * 2.0**-53


def new_state(seed: int, neutrals: Neutrals = "referee") -> State:
    """Return the first state of the game that the referee sets up for a seed.

    Parameters
    ----------
    seed
        The platform's seed, a signed 64-bit integer; of a larger one the low 64 bits are used.
    neutrals
        How neutrals move; see `State`. In the variants with chance the seed determines the random
        steps too.

    Examples
    --------
    >>> new_state(0).board.grid[:2]
    ('...x.x.x.x...', '...x.....x...')

    Notes
    -----
    Rules document, section 1: six neutrals on the left, their mirror images, then obstacles until
    every floor tile can be reached. Takes about half a millisecond.
    """
    random = SplittableRandom(seed)
    leaders = [tile_at(0, 3), tile_at(WIDTH - 1, 3)]
    left: list[tuple[int, int]] = []
    while len(left) < (UNITS - 2) // 2:
        point = random.next_int(WIDTH // 2 - 1) + 1, random.next_int(HEIGHT)
        if point not in left:
            left.append(point)
    tiles = [tile_at(x, y) for x, y in left] + [tile_at(WIDTH - 1 - x, y) for x, y in left]
    taken = {*leaders, *tiles}
    grid = _obstacles(random, taken)
    while not _is_connected(grid):
        grid = _obstacles(random, taken)
    return State(
        board=Board.of(grid),
        turn=0,
        rng=FIRST_RNG if neutrals == "referee" else random.next_int(1 << 31),
        tiles=bytes(leaders + tiles),
        hp=bytes([FULL_HP] * UNITS),
        owners=bytes([0, 1] + [NEUTRAL] * (UNITS - 2)),
        neutrals=neutrals,
    )


def _obstacles(random: SplittableRandom, taken: set[int]) -> tuple[str, ...]:
    rows = [[FLOOR] * WIDTH for _ in range(HEIGHT)]
    for x in range(WIDTH // 2):
        for y in range(HEIGHT):
            if tile_at(x, y) not in taken and random.next_double() < _OBSTACLE_CHANCE:
                rows[y][x] = rows[y][WIDTH - 1 - x] = OBSTACLE
    return tuple("".join(row) for row in rows)


def _is_connected(grid: tuple[str, ...]) -> bool:
    """Return whether every floor tile can be reached from the first leader's tile."""
    reached = {(0, 3)}
    pending = [(0, 3)]
    while pending:
        x, y = pending.pop()
        for i, j in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            inside = 0 <= i < WIDTH and 0 <= j < HEIGHT
            if inside and (i, j) not in reached and grid[j][i] == FLOOR:
                reached.add((i, j))
                pending.append((i, j))
    return len(reached) == sum(row.count(FLOOR) for row in grid)


WIDTH, HEIGHT = 13, 7
TILES = WIDTH * HEIGHT
NOWHERE = TILES
"""The tile of a dead unit, outside the board."""
RANGE = 6
"""How far a cultist shoots, in Manhattan distance."""
FLOOR, OBSTACLE = ".", "x"
_OUT_OF_RANGE = 99


def tile_at(x: int, y: int) -> int:
    """Return the tile in column ``x`` and row ``y``, both counted from 0."""
    return WIDTH * y + x


def x_of(tile: int) -> int:
    """Return the column of a tile, 0 on the left."""
    return tile % WIDTH


def y_of(tile: int) -> int:
    """Return the row of a tile, 0 at the top."""
    return tile // WIDTH


def position(tile: int) -> str:
    """Return the column and the row of a tile as text.

    >>> position(16)
    '(3, 1)'
    """
    return f"({x_of(tile)}, {y_of(tile)})"


def _distance(a: int, b: int) -> int:
    if NOWHERE in (a, b):
        return _OUT_OF_RANGE
    return abs(x_of(a) - x_of(b)) + abs(y_of(a) - y_of(b))


DISTANCE: Sequence[bytes] = tuple(
    bytes(_distance(a, b) for b in range(TILES + 1)) for a in range(TILES + 1)
)
"""``DISTANCE[a][b]``: the Manhattan distance of two tiles; 99, out of range, from `NOWHERE`."""


def line(dx: int, dy: int) -> tuple[tuple[int, int], ...]:
    """Return the offsets strictly between a shooter and a target, from the shooter on.

    The line is an integer Bresenham line that is always drawn from the end with the lower ``y``,
    so a shot and the shot in the opposite direction pass over the same tiles.

    Parameters
    ----------
    dx, dy
        The target's position relative to the shooter.

    Examples
    --------
    >>> line(3, 1)
    ((1, 0), (2, 1))
    >>> line(-3, -1)
    ((-1, 0), (-2, -1))

    Notes
    -----
    Rules document, section 5. Bresenham's algorithm breaks ties by the direction of drawing,
    which is why the direction matters.
    """
    if dy <= 0:  # the target is not below: draw from it to the shooter, then reverse the list
        drawn = _bresenham(-dx, -dy)
        return tuple((dx + x, dy + y) for x, y in reversed(drawn))
    return tuple(_bresenham(dx, dy))


def _bresenham(to_x: int, to_y: int) -> list[tuple[int, int]]:
    """Return the offsets strictly between (0, 0) and a point that is not above it."""
    dx, dy = abs(to_x), abs(to_y)
    step = 1 if to_x > 0 else -1
    error, x, y = dx - dy, 0, 0
    passed: list[tuple[int, int]] = []
    while True:
        twice = 2 * error
        if twice > -dy:
            error -= dy
            x += step
        if twice < dx:
            error += dx
            y += 1
        if (x, y) == (to_x, to_y):
            return passed
        passed.append((x, y))


LINE_OFFSETS: Mapping[tuple[int, int], tuple[tuple[int, int], ...]] = {
    (dx, dy): line(dx, dy)
    for dx in range(-RANGE, RANGE + 1)
    for dy in range(-RANGE, RANGE + 1)
    if 0 < abs(dx) + abs(dy) <= RANGE
}
"""All 84 offsets within range, each with the offsets strictly between, from the shooter on."""

Line = tuple[tuple[int, ...], int | None]
"""The floor tiles that a bullet passes, from the shooter on, and the tile of the obstacle that it
hits before the target, if any."""


@frozen(eq=False, repr=False)
class Board:
    """The obstacles of one map, and tables that follow from them; made by `Board.of`.

    Two boards with the same grid are the same object, so comparing states is cheap.
    """

    grid: tuple[str, ...]
    """7 rows of 13 characters, ``.`` floor and ``x`` obstacle."""
    neighbours: tuple[tuple[int, ...], ...]
    """For each tile the floor tiles next to it: up, right, down, left; none for `NOWHERE`."""
    lines: tuple[Mapping[int, Line], ...]
    """``lines[a][b]``: the line from a shooter on tile a to a target on tile b within range."""

    @staticmethod
    def of(grid: Iterable[str]) -> Board:
        """Return the board of a grid.

        Raises
        ------
        BadInput
            The grid is not 7 rows of 13 characters ``.`` or ``x``. The ``line`` and ``column`` of
            the error are those of the grid.

        Examples
        --------
        >>> board = Board.of(["............."] * 6 + ["......x......"])
        >>> board is Board.of(board.grid)
        True
        >>> board.neighbours[tile_at(6, 5)] == (tile_at(6, 4), tile_at(7, 5), tile_at(5, 5))
        True
        """
        rows = tuple(grid)
        board = _boards.get(rows)
        if board is None:
            _check(rows)
            lines = tuple(_Lines(rows, tile) for tile in range(TILES))
            board = _boards[rows] = Board(rows, _neighbours(rows), lines)
        return board

    def is_floor(self, tile: int) -> bool:
        """Return whether the tile is floor."""
        return self.grid[tile // WIDTH][tile % WIDTH] == FLOOR

    @cached_property
    def walks(self) -> tuple[bytes, ...]:
        """``walks[goal][tile]``: steps of the shortest walk over floor, units ignored.

        It is 99 where no walk exists, and from and to `NOWHERE`.
        """
        nowhere = bytes([_OUT_OF_RANGE] * (TILES + 1))
        return (*(bytes(self._walk(goal)) for goal in range(TILES)), nowhere)

    def _walk(self, goal: int) -> list[int]:
        steps = [_OUT_OF_RANGE] * (TILES + 1)
        steps[goal] = 0
        queue = deque([goal])
        while queue:
            tile = queue.popleft()
            for near in self.neighbours[tile]:
                if steps[near] == _OUT_OF_RANGE:
                    steps[near] = steps[tile] + 1
                    queue.append(near)
        return steps

    def __repr__(self) -> str:
        return f"Board.of({self.grid!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Board.of, (self.grid,)


_boards: dict[tuple[str, ...], Board] = {}


def _check(rows: tuple[str, ...]) -> None:
    if len(rows) != HEIGHT:
        raise BadInput(f"a grid has {HEIGHT} rows, not {len(rows)}")
    for line_number, row in enumerate(rows, start=1):
        if len(row) != WIDTH:
            raise BadInput(
                f"a row has {WIDTH} tiles, not {len(row)}: {row!r}", line=line_number, text=row
            )
        for column, tile in enumerate(row, start=1):
            if tile not in (FLOOR, OBSTACLE):
                raise BadInput(
                    f"a tile is '.' (floor) or 'x' (obstacle), not {tile!r}",
                    line=line_number,
                    column=column,
                    text=row,
                )


def _neighbours(rows: tuple[str, ...]) -> tuple[tuple[int, ...], ...]:
    neighbours: list[tuple[int, ...]] = []
    for tile in range(TILES):
        x, y = x_of(tile), y_of(tile)
        around = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        neighbours.append(
            tuple(
                tile_at(i, j)
                for i, j in around
                if 0 <= i < WIDTH and 0 <= j < HEIGHT and rows[j][i] == FLOOR
            )
        )
    return (*neighbours, ())


class _Lines(dict[int, Line]):
    """The lines from one tile to the targets within range, each computed when first used."""

    def __init__(self, rows: tuple[str, ...], start: int) -> None:
        super().__init__()
        self._rows = rows
        self._start = start

    def __missing__(self, target: int) -> Line:
        x, y = x_of(self._start), y_of(self._start)
        passed: list[int] = []
        obstacle = None
        for i, j in LINE_OFFSETS[x_of(target) - x, y_of(target) - y]:
            tile = tile_at(x + i, y + j)
            if self._rows[y + j][x + i] == OBSTACLE:
                obstacle = tile
                break
            passed.append(tile)
        self[target] = tuple(passed), obstacle
        return self[target]
