"""Connect four of any size: drop stones into columns, four in a row win.

A state is a pair of bit sets ``(mine, stones)``: the stones of the player to move and all stones.
Each column takes ``height + 1`` bits, the lowest cell first; the spare bit on top stays empty, so
that a shift never carries a row from one column into the next.

Known values: 4 wide and 4 high, 5x4 and 5x5 are draws, 6x4 is won by the second player, and the
board of 7x6 by the first (James D. Allen and Victor Allis, 1988). Recorded solutions are solved
again on disk and compared tier by tier (`solutions`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from deduce.errors import BadInput, BadProblem, Unsupported
from deduce.logs.case_forms import of_form

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.search.tiers.table import Expansion
    from deduce.testing.cases import Difference

__all__ = [
    "COLUMNS",
    "ConnectFour",
    "Stones",
    "solutions",
]

Stones = tuple[int, int]

MAX_SIZE = 100
"""The maximum width and height."""

WON_BY = ((1, -1), (-1, 1))
DRAWN = (0, 0)


class ConnectFour:
    """Connect four, 2 players; in Python an action is the number of a column, from 1.

    The players take turns to drop a stone into a column, X first; it falls to the lowest free
    cell. Four stones of one player in a row, a column or a diagonal win; a full board without
    such a line is a draw. The board is 7 wide and 6 high; --set width=5 --set height=4 makes
    another one.

    An action is the number of a column, from 1 at the left. A state is written column by
    column, each from the bottom: /X/XO//.

    Parameters
    ----------
    width, height
        The size of the board in cells.

    Examples
    --------
    >>> game = ConnectFour(width=5, height=4)
    >>> state = game.initial_state()
    >>> for column in (3, 3, 2):
    ...     state = game.result(state, column)
    >>> print(game.show(state))
    . . . . .
    . . . . .
    . . O . .
    . X X . .
    1 2 3 4 5
    >>> game.format_state(state)
    '/X/XO//'
    """

    players = 2
    utility_bounds = (-1, 1)
    refuses_illegal = True
    zero_sum = True

    def __init__(self, width: int = 7, height: int = 6) -> None:
        if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE):
            raise BadProblem(f"a board is 1 to {MAX_SIZE} wide and high, not {width} by {height}")
        self.width = width
        self.height = height
        self._column = height + 1
        self._bottom = (0, *(1 << column * self._column for column in range(width)))
        self._top = sum(bottom << height - 1 for bottom in self._bottom)
        self._full = sum(bottom * ((1 << height) - 1) for bottom in self._bottom)
        self._open: dict[int, tuple[int, ...]] = {}
        self._centre_first: dict[tuple[int, ...], tuple[int, ...]] = {}

    def initial_state(self) -> Stones:
        """Return the empty board."""
        return 0, 0

    def player_name(self, player: int) -> str:
        """Return the mark of a player."""
        return "XO"[player]

    def to_move(self, state: Stones) -> int:
        """Return 0 while both players have the same number of stones, else 1."""
        return state[1].bit_count() & 1

    def actions(self, state: Stones) -> Sequence[int]:
        """Return the columns that are not full, from left to right."""
        filled = state[1] & self._top
        columns = self._open.get(filled)
        if columns is None:
            columns = tuple(
                column
                for column in range(1, self.width + 1)
                if not self._bottom[column] << self.height - 1 & filled
            )
            self._open[filled] = columns
        return columns

    def order(self, state: Stones, actions: Sequence[int]) -> Sequence[int]:
        """Return the columns from the centre outwards."""
        columns = tuple(actions)
        ordered = self._centre_first.get(columns)
        if ordered is None:
            centre = (self.width + 1) / 2
            ordered = tuple(sorted(columns, key=lambda column: abs(column - centre)))
            self._centre_first[columns] = ordered
        return ordered

    def result(self, state: Stones, action: int) -> Stones:
        """Return the state after a stone was dropped into the column."""
        mine, stones = state
        # Adding the bottom cell carries up to the lowest empty cell of the column.
        return mine ^ stones, stones | stones + self._bottom[action]

    def utility(self, state: Stones) -> tuple[int, int] | None:
        """Return +1 for the player who has made a row of four, zeros on a full board."""
        mine, stones = state
        last = mine ^ stones
        up = self._column
        for step in (up, 1, up - 1, up + 1):
            pairs = last & last >> step
            if pairs & pairs >> 2 * step:
                return WON_BY[~stones.bit_count() & 1]
        return DRAWN if stones == self._full else None

    def playout(self, state: Stones, random: Random) -> tuple[int, int]:
        """Return the utilities at the end of one game of random drops."""
        mine, stones = state
        draw, full = random.random, self._full
        up = self._column
        down, over = up - 1, up + 1
        up2, down2, over2 = 2 * up, 2 * down, 2 * over
        bottom, columns = self._bottom, self._open
        last = mine ^ stones
        while True:
            pairs = last & last >> up
            if pairs & pairs >> up2:
                return WON_BY[~stones.bit_count() & 1]
            pairs = last & last >> 1
            if pairs & pairs >> 2:
                return WON_BY[~stones.bit_count() & 1]
            pairs = last & last >> down
            if pairs & pairs >> down2:
                return WON_BY[~stones.bit_count() & 1]
            pairs = last & last >> over
            if pairs & pairs >> over2:
                return WON_BY[~stones.bit_count() & 1]
            if stones == full:
                return DRAWN
            free = columns.get(stones & self._top) or self.actions((0, stones))
            dropped = stones | stones + bottom[free[int(draw() * len(free))]]
            last, stones = dropped ^ last, dropped

    def key(self, state: Stones) -> Stones:
        """Return the lesser of the board and its mirror image."""
        mine, stones = state
        cells = (1 << self._column) - 1
        mirrored_mine = mirrored = 0
        for _ in range(self.width):
            mirrored_mine = mirrored_mine << self._column | mine & cells
            mirrored = mirrored << self._column | stones & cells
            mine >>= self._column
            stones >>= self._column
        return min(state, (mirrored_mine, mirrored))

    def show(self, state: Stones) -> str:
        """Return the board, its top row first, and the numbers of the columns."""
        columns = [text.ljust(self.height, ".") for text in self.format_state(state).split("/")]
        rows = [" ".join(cells) for cells in zip(*columns, strict=True)]
        numbers = " ".join(str(column % 10) for column in range(1, self.width + 1))
        return "\n".join([*reversed(rows), numbers])

    def svg(self, state: Stones) -> str:
        """Return the board as a picture."""
        from games.classics.boards import stones_svg

        columns = self.format_state(state)
        free = () if self.utility(state) else self.actions(state)
        return stones_svg(columns.split("/"), self.height, free, columns)

    def tier(self, state: Stones) -> int:
        """Return the number of stones."""
        return state[1].bit_count()

    def pack(self, state: Stones) -> int:
        """Return the crosses with a 1 above the top stone of each column.

        Raises
        ------
        Unsupported
            The board has more than 64 bits, ``width`` times (``height`` + 1).
        """
        if self.width * self._column > 64:
            raise Unsupported(f"a board of {self.width} by {self.height} does not fit into 64 bits")
        mine, stones = state
        crosses = mine if self.to_move(state) == 0 else mine ^ stones
        return crosses | stones + sum(self._bottom)

    def unpack(self, code: int) -> Stones:
        """Return the state of a number that `pack` gives."""
        stones = 0
        for bottom in self._bottom[1:]:
            column = code // bottom & (1 << self._column) - 1
            stones |= bottom * ((1 << column.bit_length() - 1) - 1)
        crosses = code & stones
        return (stones ^ crosses if stones.bit_count() & 1 else crosses), stones

    def expand_packed(self, codes: NDArray[np.uint64]) -> Expansion:
        """Return the moves of many packed states with the same number of stones."""
        import numpy as np

        from deduce.search.tiers.table import OPEN, Expansion, Moves

        one = np.uint64
        # All bits below the leading 1 of every column, which stay within the column.
        filled = codes.copy()
        shift = 1
        while shift < self._column:
            inner = sum(bottom * ((1 << self._column - shift) - 1) for bottom in self._bottom)
            filled |= filled >> one(shift) & one(inner)
            shift *= 2
        stones = filled >> one(1) & one(self._full)
        heads = filled ^ stones
        crosses = codes ^ heads
        tier = int(stones[0]).bit_count() if len(stones) else 0
        mover = tier & 1
        last = crosses if mover else stones ^ crosses
        won = np.zeros(len(codes), bool)
        up = self._column
        for step in (up, 1, up - 1, up + 1):
            pairs = last & last >> one(step)
            won |= (pairs & pairs >> one(2 * step)) != 0
        ends = np.full(len(codes), OPEN, np.int16)
        ends[stones == one(self._full)] = 1
        ends[won] = 0
        going = np.flatnonzero(ends == OPEN)
        codes, heads = codes[going], heads[going]
        moves = []
        for bottom in self._bottom[1:]:
            head = heads & one(bottom * ((1 << self.height) - 1))
            free = np.flatnonzero(head)
            # A cross leaves its cell 1 and sets the next; a nought leaves its cell 0.
            raised = codes[free] + (head[free] << one(1) if mover == 0 else head[free])
            moves.append(Moves(going[free], raised, tier + 1))
        return Expansion(mover, ends, (WON_BY[1 - mover], DRAWN), moves)

    def format_state(self, state: Stones) -> str:
        """Return the columns from left to right, each from the bottom: ``/X/XO//``."""
        mine, stones = state
        crosses = mine if self.to_move(state) == 0 else mine ^ stones
        return "/".join(
            "".join(
                "X" if crosses & bottom << row else "O"
                for row in range(self.height)
                if stones & bottom << row
            )
            for bottom in self._bottom[1:]
        )

    def parse_state(self, text: str) -> Stones:
        """Return the state of a text such as ``/X/XO//``.

        Raises
        ------
        BadInput
            The columns do not fit this board, or it cannot be reached in turns.
        """
        columns = text.strip().upper().split("/")
        if len(columns) != self.width or max(map(len, columns)) > self.height:
            raise BadInput(
                f"a board is written as {self.width} columns of up to {self.height} stones, each "
                f"from the bottom, separated by '/', not {text!r}"
            )
        players = [0, 0]
        for bottom, column in zip(self._bottom[1:], columns, strict=True):
            for row, mark in enumerate(column):
                if mark not in "XO":
                    raise BadInput(f"a stone is X or O, not {mark!r}")
                players["XO".index(mark)] |= bottom << row
        ahead = players[0].bit_count() - players[1].bit_count()
        if ahead not in (0, 1):
            raise BadInput("X begins and turns alternate, so X has as many stones as O or one more")
        mine, stones = players[ahead], players[0] | players[1]
        # With the roles exchanged: has the player to move already made a row?
        if self.utility((mine ^ stones, stones)) in WON_BY:
            raise BadInput("the player to move already has a row, so the game was over before")
        return mine, stones

    def format_action(self, state: Stones, action: int) -> str:
        """Return the column's number."""
        return str(action)

    def parse_action(self, state: Stones, text: str) -> int:
        """Return the column of a number.

        Raises
        ------
        BadInput
            There is no such column, or it is full.
        """
        free = self.actions(state)
        if text in map(str, free):
            return int(text)
        raise BadInput(
            f"an action is the number of a column that is not full ({' '.join(map(str, free))}), "
            f"not {text!r}"
        )


COLUMNS = ("positions", "finished", "wins", "draws", "losses", "longest_win")
"""The counts of a tier, in the order in which a case lists them."""


SIZE = range(1, 9)
SOLUTIONS = {
    "width": SIZE, "height": SIZE, "value": float, "plies": int, "positions": int,
    "tiers": {str: [int]},
}  # fmt: skip
"""The form of a case."""


@of_form(SOLUTIONS)
def solutions(case: Mapping[str, Any]) -> Iterator[Difference]:
    """Return what differs in a ``connect-four/solutions`` case: value, length, tiers."""
    from deduce.testing.searched import compare_solution

    game = ConnectFour(case["width"], case["height"])
    return compare_solution(game, case, lambda tier: [tier[key] for key in COLUMNS])
