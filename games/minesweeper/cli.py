"""``deduce minesweeper``: the commands about a board, a player, and playing oneself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from random import Random
from typing import get_args

import click
from attrs import asdict

from deduce import Knowledge
from deduce.cli import GameCommands, Look
from deduce.cli.dialogue import Dialogue, command_of, run
from deduce.cli.endings import EXIT_INTERRUPTED
from deduce.cli.numbers import MAX_GAMES, jobs_option, whole_option
from deduce.cli.output import (
    end_with,
    file_option,
    json_line,
    json_option,
    new_file_argument,
    print_answer,
    take_all,
    usage,
    write_or_print,
)
from deduce.cli.proofs import proof_lines
from deduce.errors import BadInput, placed
from deduce.estimates import wilson
from deduce.logs.events import read_log
from deduce.show.table import percent
from deduce.system.files import read_text
from deduce.system.text import plural
from games.minesweeper import REGISTRATION
from games.minesweeper.advice import rated
from games.minesweeper.game import Minesweeper, Open
from games.minesweeper.notation import board_json, board_text
from games.minesweeper.players import Field, Outcome, Start, choose, first_cell, play_games
from games.minesweeper.position import Position
from games.minesweeper.setup import Board, Cell, board_named, cell_name, read_cell

__all__ = ["Play", "drawn", "known", "minesweeper", "risk_lines"]


COMMANDS = ("advise", "risks", "steps", "hint", "board", "help", "quit")


def drawn(position: Position, mines: Collection[Cell] = ()) -> str:
    """Return a board with the letters of its columns and the numbers of its rows.

    >>> print(drawn(Position(Board(3, 2, 1), {(0, 0): 1}), [(1, 1)]))
       A B C
     1 1 . .
     2 . * .
    """
    width = len(cell_name((position.board.columns - 1, 0)))
    marks = dict.fromkeys(mines, "*")
    marks |= {cell: str(number) for cell, number in position.numbers.items()}
    return "\n".join(_framed(position.board, width, lambda cell: marks.get(cell, ".")))


def _framed(board: Board, width: int, mark: Callable[[Cell], str]) -> Iterator[str]:
    """Yield the lines of a board, with the letters of its columns and the numbers of its rows."""
    names = [cell_name((x, 0))[:-1] for x in range(board.columns)]
    yield "  " + "".join(f"{name:>{width}}" for name in names)
    for y in range(board.rows):
        marks = [mark((x, y)) for x in range(board.columns)]
        yield f"{y + 1:>2}" + "".join(f"{each:>{width}}" for each in marks)


class Play(Dialogue):
    """A person plays a random board.

    The field is made when the first cell is opened, since that cell is never a mine.
    """

    prompt = "open> "
    is_over = False
    help = "Type a cell, such as C4, or: advise, hint, steps, risks, board, help, quit"

    def __init__(self, board: Board, start: Start, seed: int) -> None:
        self.board = board
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
        name, rest = command_of(line or "help", COMMANDS) or ("", "")
        if name == "quit":
            self.is_over = True
        elif name == "board":
            yield drawn(self.position)
        elif name in ("advise", "hint"):
            yield choose(self.position).reason
        elif name == "risks":
            yield from risk_lines(self.position)
        elif name == "steps":
            yield from proof_lines(known(self.position), name, rest)
        elif name == "help":
            yield self.help
        else:
            yield from self._open(read_cell(line, self.board))

    def _open(self, cell: Cell) -> Iterator[str]:
        if cell in self.position.numbers:
            raise BadInput(f"{cell_name(cell)} is open already")
        if self.field is None:
            self.field = Field.random(self.board, cell, self.start, self.random)
        shown = self.field.open(cell, self.position.numbers)
        if shown is None:
            self.is_over = True
            yield drawn(self.position, self.field.mines)
            yield f"{cell_name(cell)} is a mine: lost"
            return
        self.position.open(shown)
        clear = len(self.board.cells()) - len(self.field.mines)
        self.is_over = len(self.position.numbers) == clear
        yield drawn(self.position, self.field.mines if self.is_over else ())
        if self.is_over:
            yield "won"


def known(position: Position) -> Knowledge:
    """Return what the open cells of a position show."""
    shown = [cell for cell in position.board.cells() if cell in position.numbers]
    events = [Open(cell_name(cell), position.numbers[cell]) for cell in shown]
    return Knowledge(Minesweeper.of(position.board), events)


def risk_lines(position: Position) -> Iterator[str]:
    """Yield the board with the probability of a mine in percent instead of hidden cells."""
    chances = position.probabilities()

    def mark(cell: Cell) -> str:
        if cell in position.numbers:
            return f"[{position.numbers[cell]}]"
        return percent(chances[cell]).removesuffix("%")

    yield from _framed(position.board, 4, mark)
    yield "percent of mines; [2] is an open cell"


minesweeper = GameCommands(
    REGISTRATION,
    Look(variable="CELL", value="mine", example="C4=mine", log="board.txt"),
)

LOG_HELP = "LOG is a board as text or JSON, or a log of opened cells; - is standard input."


def _board(_context: click.Context, _param: click.Parameter, value: str) -> Board:
    """Return the board of a name; a wrong one is wrong usage."""
    with usage("--board"):
        return board_named(value)


board_option = click.option(
    "--board",
    callback=_board,
    default="expert",
    show_default=True,
    metavar="BOARD",
    help="beginner, intermediate, expert, or columns, rows and mines such as 12x8:15.",
)
start_option = click.option(
    "--start",
    type=click.Choice(get_args(Start)),
    default="classic",
    show_default=True,
    help="Whether the first cell alone is clear (classic), or its neighbours too (modern).",
)
seed_option = whole_option("--seed", default=0, help="The same seed repeats the boards.")


def read_position(log: str) -> tuple[Position, str]:
    """Return the position of a log or board, and its source for messages."""
    text, source = read_text(log)
    read = read_log(text, Minesweeper, source=source)
    with placed(source=source):
        return Position.of(read.game, read.events), source


@minesweeper.command(epilog=LOG_HELP)
@click.argument("log", metavar="LOG", type=click.Path())
@json_option
def solve(log: str, *, as_json: bool) -> None:
    """Show the exact probability of a mine in every cell.

    \b
    Example:  deduce minesweeper solve board.txt

    Exit code 1: no placement of the mines fits the numbers.
    """  # noqa: D301
    position, _ = read_position(log)
    chances = position.probabilities()
    names = {cell_name(cell): chance for cell, chance in chances.items()}
    document = {
        "schema": "deduce/minesweeper-solve/1",
        "placements": str(position.risks().ways),
        "clear": [name for name, chance in names.items() if chance == 0],
        "mines": [name for name, chance in names.items() if chance == 1],
        "probabilities": {name: float(chance) for name, chance in names.items()},
    }
    print_answer(document, risk_lines(position), as_json=as_json)


@minesweeper.command(epilog=LOG_HELP)
@click.argument("log", metavar="LOG", type=click.Path())
@json_option
def advise(log: str, *, as_json: bool) -> None:
    """Name the cell to open next, and why.

    \b
    Example:  deduce minesweeper advise board.txt

    This is a cell that is certainly clear; otherwise, near the end, the cell with the greatest
    chance of winning; otherwise the cell with the greatest chance to survive it and the next one.
    `solve` shows all probabilities. Other games rank questions by information; here only winning
    counts, so the command always looks ahead and needs no --turns.
    """  # noqa: D301
    position, source = read_position(log)
    with placed(source=source):
        choice = choose(position)
    others = {}
    if choice.survives < 1:
        cells = position.board.grid().cells
        for rating in rated(position.view(), position.board):
            name = cell_name(cells[rating.index])
            others[name] = {"clear": rating.clear, "next": rating.both}
    document = {
        "schema": "deduce/minesweeper-advise/1",
        "cell": cell_name(choice.cell),
        "clear": float(choice.survives),
        "reason": choice.reason,
        "considered": others,
    }
    print_answer(document, [choice.reason], as_json=as_json)


@minesweeper.command()
@new_file_argument()
@board_option
@start_option
@seed_option
@click.option("--cell", metavar="CELL", help="The first cell.  [default: a good one]")
@click.option("--closed", is_flag=True, help="Open no cell, for a board that is played elsewhere.")
@json_option
def new(
    log: Path | None,
    board: Board,
    start: Start,
    seed: int,
    cell: str | None,
    *,
    closed: bool,
    as_json: bool,
) -> None:
    """Write a random board with one open cell into the file LOG, or print it.

    \b
    Example:  deduce minesweeper new --board beginner --seed 3 board.txt
              deduce minesweeper advise board.txt
              deduce minesweeper new --board expert --closed elsewhere.txt
    """  # noqa: D301
    first = first_cell(board, start) if cell is None else read_cell(cell, board)
    field = Field.random(board, first, start, Random(seed))
    numbers = {} if closed else field.open(first) or {}
    text = json_line(board_json(board, numbers)) if as_json else board_text(board, numbers)
    write_or_print(log, text)


@minesweeper.command()
@board_option
@start_option
@seed_option
@whole_option(
    "--games",
    low=1,
    high=MAX_GAMES,
    metavar="N",
    help="Let the program play N games, instead of playing yourself.",
)
@jobs_option("With --games: use this number of processes.")
@file_option(
    "--results", help="With --games: write every game to FILE, and continue it if it exists."
)
@json_option
def play(
    board: Board,
    start: Start,
    seed: int,
    games: int | None,
    jobs: int,
    results: Path | None,
    *,
    as_json: bool,
) -> None:
    """Play a board yourself, or let the program play many.

    \b
    Example:  deduce minesweeper play --board beginner
              deduce minesweeper play --games 100 --seed 1 --start modern
    """  # noqa: D301
    Field.random(board, first_cell(board, start), start, Random(0))  # refuses what cannot be
    if games is None:
        if as_json or results is not None:
            raise click.UsageError(f"--{'json' if as_json else 'results'} needs --games")
        end_with(run(Play(board, start, seed)))
    totals: Counter[str] = Counter()

    def take(outcome: Outcome) -> str:
        totals.update(asdict(outcome), games=1)
        return f"{totals['won']} won"

    played = play_games(board, start, seed, games, jobs=jobs, path=results)
    is_whole = take_all(played, "games", games, take)
    count, won, undecided = totals["games"], totals["won"], totals["undecided"]
    share = won / count if count else 0.0
    low, high = wilson(share, count)
    document = {
        "schema": "deduce/minesweeper-play/1",
        "board": f"{board.columns}x{board.rows}:{board.mines}",
        "start": start,
        "seed": seed,
        "games": count,
        "won": won,
        "undecided": undecided,
        "guesses": totals["guesses"],
        "interval": [low, high],
    }
    lines = [
        f"{won} of {plural(count, 'game')} won: {share:.1%} "
        f"({low:.1%} to {high:.1%}), {plural(totals['guesses'], 'guess', 'guesses')}"
    ]
    if undecided:
        lines.append(f"{plural(undecided, 'game')} with an undecided position")
    print_answer(document, lines, as_json=as_json)
    if not is_whole:
        end_with(EXIT_INTERRUPTED)
