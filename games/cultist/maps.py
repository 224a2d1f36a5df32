"""Maps from seeds, drawn as the referee draws them: with Java's ``SplittableRandom``.

The generator is the published algorithm of Steele, Lea and Flood, *Fast splittable pseudorandom
number generators* (OOPSLA 2014), with the constants of the Java class library.
"""

from __future__ import annotations

from games.cultist.board import FLOOR, HEIGHT, OBSTACLE, WIDTH, Board, tile_at
from games.cultist.state import FULL_HP, NEUTRAL, UNITS, Neutrals, State

__all__ = ["FIRST_RNG", "SplittableRandom", "new_state"]

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
