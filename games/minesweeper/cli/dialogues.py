"""Minesweeper at the terminal: playing a random board, and following a board elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random

from deduce import Knowledge
from deduce.cli.dialogue import command_of
from deduce.cli.proofs import PROOF_HELP, proof_lines
from deduce.errors import BadInput, Contradiction
from deduce.logs.history import History
from deduce.show.table import percent
from games.minesweeper.game import Minesweeper, Open
from games.minesweeper.notation import board_text, read_opened
from games.minesweeper.players import Field, Start, choose
from games.minesweeper.position import Position
from games.minesweeper.setup import Board, Cell, cell_name, read_cell

__all__ = ["Play", "Track", "drawn"]

HELP = f"""\
advise              which cell to open next
risks               the probability of a mine in every cell
{PROOF_HELP}
board               the board"""
IN_PLAY = ("advise", "risks", "steps", "hint", "board", "help", "quit")
IN_TRACK = (*IN_PLAY, "undo", "redo")


def drawn(board: Board, position: Position, mines: Iterable[Cell] = ()) -> str:
    """Return a board with the letters of its columns and the numbers of its rows.

    >>> print(drawn(Board(3, 2, 1), Position(Board(3, 2, 1), {(0, 0): 1}), [(1, 1)]))
       A B C
     1 1 . .
     2 . * .
    """
    mined = set(mines)
    last = cell_name((board.columns - 1, 0))[:-1]
    return "\n".join(
        _framed(
            board,
            len(last) + 1,
            lambda cell: "*" if cell in mined else str(position.numbers.get(cell, ".")),
        )
    )


def _framed(board: Board, width: int, mark: Callable[[Cell], str]) -> Iterator[str]:
    """Yield the lines of a board, with the letters of its columns and the numbers of its rows."""
    names = [cell_name((x, 0))[:-1] for x in range(board.columns)]
    yield "  " + "".join(f"{name:>{width}}" for name in names)
    for y in range(board.rows):
        marks = [mark((x, y)) for x in range(board.columns)]
        yield f"{y + 1:>2}" + "".join(f"{each:>{width}}" for each in marks)


class _Talk:
    """What the dialogues about a board have in common: the commands that change nothing."""

    prefill = ""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.is_over = False

    def _ask(self, numbers: Mapping[Cell, int], name: str, rest: str) -> Iterator[str]:
        """Yield the answer to a command about the open cells."""
        position = Position(self.board)
        position.open(numbers)
        if name == "quit":
            self.is_over = True
        elif name == "board":
            yield drawn(self.board, position)
        elif name == "advise":
            yield choose(position).reason
        elif name == "risks":
            yield from risk_lines(position)
        else:
            yield from proof_lines(known(position), name, rest)


class Play(_Talk):
    """A `deduce.cli.dialogue.Dialogue` in which a person plays a random board.

    The field is made when the first cell is opened, since that cell is never a mine.
    """

    prompt = "open> "
    help = "Type a cell, such as C4, or: advise, hint, steps, risks, board, help, quit"

    def __init__(self, board: Board, start: Start, seed: int) -> None:
        super().__init__(board)
        self.start: Start = start
        self.random = Random(seed)
        self.field: Field | None = None
        self.position = Position(board)

    def greeting(self) -> Iterator[str]:
        """Return what can be typed."""
        yield f"{self.board.columns} by {self.board.rows} cells, {self.board.mines} mines"
        yield self.help

    def answer(self, line: str) -> Iterator[str]:
        """Yield the board after a cell was opened, or the answer to a command."""
        command = command_of(line, IN_PLAY)
        if command is not None and command[0] != "help":
            name = "advise" if command[0] == "hint" else command[0]
            yield from self._ask(self.position.numbers, name, command[1])
        elif command is None and line.strip():
            yield from self._open(read_cell(line, self.board))
        else:
            yield self.help

    def _open(self, cell: Cell) -> Iterator[str]:
        if cell in self.position.numbers:
            raise BadInput(f"{cell_name(cell)} is open already")
        if self.field is None:
            self.field = Field.random(self.board, cell, self.start, self.random)
        shown = self.field.open(cell, self.position.numbers)
        if shown is None:
            self.is_over = True
            yield drawn(self.board, self.position, self.field.mines)
            yield f"{cell_name(cell)} is a mine: lost"
            return
        self.position.numbers.update(shown)
        clear = len(self.board.cells()) - len(self.field.mines)
        self.is_over = len(self.position.numbers) == clear
        yield drawn(self.board, self.position, self.field.mines if self.is_over else ())
        if self.is_over:
            yield "won"


class Track(_Talk):
    """A dialogue in which a person types what a board elsewhere shows, and gets what follows."""

    prompt = "cell: number> "

    def __init__(self, position: Position, save: Callable[[str], None]) -> None:
        super().__init__(position.board)
        self.history: History[dict[Cell, int]] = History(dict(position.numbers))
        self.save = save

    def greeting(self) -> Iterator[str]:
        """Return what can be typed."""
        yield (
            "Type what a cell shows, such as C4: 2, or: "
            "advise, hint, steps, risks, board, undo, redo, help, quit"
        )

    def answer(self, line: str) -> Iterator[str]:
        """Yield what is certain after an opened cell, or the answer to a command."""
        name, rest = command_of(line, IN_TRACK) or ("", "")
        if not name and line.strip():
            cell, number = read_opened(line, self.board)
            self._keep(self.history.to({**self.history.now, cell: number}))
            yield from self._certain()
        elif name in ("undo", "redo"):
            self._keep(self.history.undo() if name == "undo" else self.history.redo())
        elif name in ("", "help"):
            yield f"CELL: NUMBER        record what a cell shows\n{HELP}"
            yield "undo, redo          take back a line, or repeat it\nquit                end"
        else:
            yield from self._ask(self.history.now, name, rest)

    def _keep(self, history: History[dict[Cell, int]]) -> None:
        self.save(board_text(self.board, history.now) + "\n")
        self.history = history

    def _certain(self) -> Iterator[str]:
        position = Position(self.board)
        position.open(self.history.now)
        try:
            risks = position.risks()
        except Contradiction:
            yield "contradiction: no placement of the mines fits; undo takes the last line back"
            return
        clear = [*position.clear, *(cell for cell, risk in risks.near.items() if risk == 0)]
        mines = [*position.mines, *(cell for cell, risk in risks.near.items() if risk == 1)]
        for name, cells in (("clear", clear), ("mines", mines)):
            names = " ".join(cell_name(cell) for cell in sorted(cells, key=lambda c: (c[1], c[0])))
            yield f"{name}: {names or '-'}"


def known(position: Position) -> Knowledge:
    """Return what the open cells of a position show."""
    board = position.board
    game = Minesweeper(board.columns, board.rows, board.mines)
    cells = sorted(position.numbers, key=lambda cell: (cell[1], cell[0]))
    return Knowledge(game, [Open(cell_name(cell), position.numbers[cell]) for cell in cells])


def risk_lines(position: Position) -> Iterator[str]:
    """Yield the board with the probability of a mine in percent instead of hidden cells."""
    chances = position.probabilities()

    def mark(cell: Cell) -> str:
        if cell in position.numbers:
            return f"[{position.numbers[cell]}]"
        return percent(chances[cell]).removesuffix("%")

    yield from _framed(position.board, 4, mark)
    yield "percent of mines; [2] is an open cell"
