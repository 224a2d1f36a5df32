"""The board: tiles, distances, bullet lines and the map's obstacles.

Tiles are numbered 0..90 row by row, tile ``13 * y + x``; `NOWHERE` is where dead units are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from attrs import frozen

from deduce.errors import BadInput

__all__ = [
    "DISTANCE",
    "FLOOR",
    "HEIGHT",
    "LINE_OFFSETS",
    "NOWHERE",
    "OBSTACLE",
    "RANGE",
    "TILES",
    "WIDTH",
    "Board",
    "line",
    "position",
    "tile_at",
    "x_of",
    "y_of",
]

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
