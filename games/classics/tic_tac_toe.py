"""Tic-tac-toe: two players, three in a row on a board of three by three.

Cells are numbered 1 to 9, row by row. A state is a pair of bit sets, the crosses and the noughts.
Under best play it is a draw; 5 478 positions can be reached.
"""

from __future__ import annotations

from collections.abc import Sequence

from deduce.errors import BadInput

__all__ = ["Board", "TicTacToe"]

Board = tuple[int, int]

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
FULL = 0o777
WINS = frozenset(cells for cells in range(FULL + 1) if any(cells & line == line for line in LINES))
CELLS = tuple(
    tuple(cell for cell in range(1, 10) if not taken >> cell - 1 & 1) for taken in range(FULL + 1)
)
CENTRE_FIRST = {cell: rank for rank, cell in enumerate((5, 1, 3, 7, 9, 2, 4, 6, 8))}


class TicTacToe:
    """Tic-tac-toe, 2 players; in Python an action is the number of a cell.

    The players take turns to mark a free cell of a board of three by three, X first. Three
    marks of one player in a row, a column or a diagonal win; a full board without such a line
    is a draw.

    An action is the number of a cell, 1 to 9, row by row. A state is written as X..|.O.|..X.

    Examples
    --------
    >>> game = TicTacToe()
    >>> board = game.parse_state("X..|.O.|..X")
    >>> game.to_move(board), game.actions(board)
    (1, (2, 3, 4, 6, 7, 8))
    >>> print(game.show(board))
    X . .
    . O .
    . . X
    """

    players = 2
    utility_bounds = (-1, 1)
    refuses_illegal = True
    zero_sum = True

    def initial_state(self) -> Board:
        """Return the empty board."""
        return 0, 0

    def player_name(self, player: int) -> str:
        """Return the mark of a player."""
        return "XO"[player]

    def to_move(self, state: Board) -> int:
        """Return 0 for crosses, which begin, and 1 for noughts."""
        return (state[0] | state[1]).bit_count() & 1

    def actions(self, state: Board) -> Sequence[int]:
        """Return the free cells in order."""
        return CELLS[state[0] | state[1]]

    def order(self, state: Board, actions: Sequence[int]) -> Sequence[int]:
        """Return the centre first, then the corners."""
        return sorted(actions, key=CENTRE_FIRST.__getitem__)

    def result(self, state: Board, action: int) -> Board:
        """Return the board with the mover's mark in the cell."""
        crosses, noughts = state
        if (crosses | noughts).bit_count() & 1:
            return crosses, noughts | 1 << action - 1
        return crosses | 1 << action - 1, noughts

    def utility(self, state: Board) -> tuple[int, int] | None:
        """Return +1 and -1 once a row is complete, zeros on a full board."""
        crosses, noughts = state
        if crosses in WINS:
            return 1, -1
        if noughts in WINS:
            return -1, 1
        return (0, 0) if crosses | noughts == FULL else None

    def key(self, state: Board) -> Board:
        """Return the least of the eight turned and mirrored boards."""
        crosses, noughts = state
        return min((turn[crosses], turn[noughts]) for turn in _TURNS)

    def tier(self, state: Board) -> int:
        """Return the number of marks."""
        return (state[0] | state[1]).bit_count()

    def pack(self, state: Board) -> int:
        """Return the crosses and, 9 bits higher, the noughts."""
        return state[0] | state[1] << 9

    def unpack(self, code: int) -> Board:
        """Return the board of a number that `pack` gives."""
        return code & FULL, code >> 9

    def show(self, state: Board) -> str:
        """Return the board in three lines."""
        return "\n".join(" ".join(row) for row in self.format_state(state).split("|"))

    def svg(self, state: Board) -> str:
        """Return the board as a picture, a finished line shaded."""
        from games.classics.boards import marks_svg

        cells = [line for line in LINES for marks in state if marks & line == line]
        lines = [[(cell % 3, cell // 3) for cell in range(9) if line >> cell & 1] for line in cells]
        rows = self.format_state(state)
        return marks_svg(rows.split("|"), lines, rows)

    def format_state(self, state: Board) -> str:
        """Return the rows from the top, such as ``X..|.O.|..X``."""
        marks = [".XO"[(state[0] >> cell & 1) + 2 * (state[1] >> cell & 1)] for cell in range(9)]
        return "|".join("".join(marks[row : row + 3]) for row in (0, 3, 6))

    def parse_state(self, text: str) -> Board:
        """Return the board of a text such as ``X..|.O.|..X``.

        Raises
        ------
        BadInput
            It does not have nine cells, or the board cannot be reached in turns.
        """
        cells = text.replace("|", "").replace("\n", "").replace(" ", "").upper()
        if len(cells) != 9 or set(cells) - set("XO."):
            raise BadInput(
                f"a board is nine of X, O and '.', row by row, such as 'X..|.O.|..X', not {text!r}"
            )
        crosses, noughts = (
            sum(1 << cell for cell, mark in enumerate(cells) if mark == player) for player in "XO"
        )
        if crosses.bit_count() - noughts.bit_count() not in (0, 1):
            raise BadInput("X begins and turns alternate, so X has as many marks as O or one more")
        if (crosses if crosses.bit_count() == noughts.bit_count() else noughts) in WINS:
            raise BadInput("the player to move already has a row, so the game was over before")
        return crosses, noughts

    def format_action(self, state: Board, action: int) -> str:
        """Return the cell's number."""
        return str(action)

    def parse_action(self, state: Board, text: str) -> int:
        """Return the cell of a number from 1 to 9.

        Raises
        ------
        BadInput
            It is not a free cell.
        """
        free = self.actions(state)
        if text in map(str, free):
            return int(text)
        raise BadInput(
            f"an action is the number of a free cell ({' '.join(map(str, free))}), not {text!r}"
        )


def _turns() -> tuple[tuple[int, ...], ...]:
    """Return, for each of the eight symmetries, the image of every set of cells."""
    quarter = [(cell % 3) * 3 + 2 - cell // 3 for cell in range(9)]
    mirror = [cell // 3 * 3 + 2 - cell % 3 for cell in range(9)]
    turns, turn = [], list(range(9))
    for _ in range(4):
        turns += [turn, [turn[cell] for cell in mirror]]
        turn = [turn[cell] for cell in quarter]
    return tuple(
        tuple(
            sum(1 << turn[cell] for cell in range(9) if cells >> cell & 1) for cells in range(512)
        )
        for turn in turns
    )


_TURNS = _turns()
