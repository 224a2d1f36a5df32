"""Playing: certain cells, else the cell that is best for surviving now and at the next guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Literal

from attrs import asdict, frozen

from deduce.batch.parallel import run_all
from deduce.batch.results import ResultsFile
from deduce.errors import BadInput, Undecided, placed
from deduce.logs.json_values import structure
from games.minesweeper.advice import best_cell, isolated, rated
from games.minesweeper.position import Position
from games.minesweeper.setup import Board, Cell, cell_name

__all__ = ["Field", "Outcome", "Start", "choose", "first_cell", "play", "play_games"]


Start = Literal["classic", "modern"]
"""Whether the first cell alone is clear of mines, or its neighbours too."""


@frozen
class Field:
    """A board with its mines, which a player opens cell by cell.

    Examples
    --------
    >>> field = Field(Board(3, 1, 1), frozenset({(2, 0)}))
    >>> field.open((0, 0)), field.open((2, 0))
    ({(0, 0): 0, (1, 0): 1}, None)
    """

    board: Board
    mines: frozenset[Cell]

    @classmethod
    def random(cls, board: Board, first: Cell, start: Start, random: Random) -> Field:
        """Return a field on which the first cell can be opened.

        Raises
        ------
        BadInput
            There are too many mines, or their number is not known.
        """
        if board.mines is None:
            raise BadInput("a field needs a number of mines")
        spared = {first, *(board.around(first) if start == "modern" else ())}
        cells = [cell for cell in board.cells() if cell not in spared]
        if board.mines > len(cells):
            raise BadInput(
                f"{board.mines} mines do not fit on {len(cells)} cells: the start "
                f"keeps {len(spared)} clear"
            )
        return cls(board, frozenset(random.sample(cells, board.mines)))

    def open(self, cell: Cell, opened: Mapping[Cell, int] | None = None) -> dict[Cell, int] | None:
        """Return what opening a cell shows, around zeros too; ``None`` if it is a mine."""
        if cell in self.mines:
            return None
        known, new = opened or {}, dict[Cell, int]()
        waiting = [cell]
        while waiting:
            each = waiting.pop()
            if each in known or each in new:
                continue
            around = self.board.around(each)
            new[each] = sum(other in self.mines for other in around)
            if new[each] == 0:
                waiting += around
        return new


@frozen
class Choice:
    """A cell to open."""

    cell: Cell
    survives: Fraction
    """The probability that it is clear."""
    reason: str
    """Why this one, as a sentence."""


def choose(position: Position, *, checked: bool = False) -> Choice:
    """Return the cell to open next.

    A certain cell if there is one. If few placements of the mines are left, in all or in a region
    that nothing outside can tell more about, the cell with the greatest chance of winning, by
    search over all of them. Else a cell that, unless it is clear, has to be guessed anyway; else,
    of the cells that are nearly as safe as the safest, the one with the best rating
    (`games.minesweeper.advice`): the chance to survive it and the next cell too.

    Parameters
    ----------
    position
        The position.
    checked
        Whether it is known that the numbers do not contradict each other, which saves a count.

    Raises
    ------
    BadInput
        The board is solved.
    Contradiction
        No placement of the mines fits the numbers.
    """
    solved = len(position.numbers) + (position.board.mines or 0) >= len(position.board.cells())
    if (solved or position.clear) and not checked:  # else the risks are needed below
        with suppress(Undecided):
            position.risks()  # refuses numbers that contradict each other
    if solved:
        raise BadInput("every clear cell is open: the board is solved")
    if position.clear:
        cell = min(position.clear, key=lambda each: (each[1], each[0]))
        return Choice(cell, Fraction(1), f"{cell_name(cell)} is certainly clear")
    view = position.view()
    risks = position.risks(view)
    certain = [cell for cell in position.hidden() if risks.of(cell) in (0, 1)]
    if certain:
        mines = [cell for cell in certain if risks.of(cell)]
        position.decide(mines=mines, clear={*certain}.difference(mines))
        return choose(position, checked=True)
    cells = position.board.grid().cells
    found = best_cell(view) or isolated(view)
    if found is not None:
        index, wins, count = found
        cell = cells[index]
        reason = f"{cell_name(cell)}: {wins} of {count} placements are won"
        return Choice(cell, 1 - risks.of(cell), reason)
    best = rated(view, position.board)[0]
    cell = cells[best.index]
    reason = f"{cell_name(cell)} is clear with {100 * best.clear:.1f} %"
    if best.is_due:
        reason += "; if not, it has to be guessed anyway"
    else:
        reason += f", and the next cell too with {100 * best.both:.1f} %"
    return Choice(cell, 1 - risks.of(cell), reason)


@frozen
class Outcome:
    """How a game ended."""

    won: bool
    guesses: int
    """How many cells were opened that were not certainly clear, the first one included."""
    undecided: bool = False
    """Whether a position could not be decided within the limits; then a hidden cell is opened."""


def play(
    field: Field, first: Cell, watch: Callable[[Position, Choice], None] | None = None
) -> Outcome:
    """Play a game to its end.

    Parameters
    ----------
    field
        The field.
    first
        The cell to open first.
    watch
        Called before every cell that is opened, but the first, with the position.

    Examples
    --------
    >>> play(Field(Board(4, 1, 1), frozenset({(3, 0)})), (0, 0))
    Outcome(won=True, guesses=1, undecided=False)
    """
    position = Position(field.board)
    wanted = len(field.board.cells()) - len(field.mines)
    guesses, undecided = 0, False
    cell, certain = first, False
    while True:
        shown = field.open(cell, position.numbers)
        guesses += not certain
        if shown is None:
            return Outcome(won=False, guesses=guesses, undecided=undecided)
        position.open(shown)
        if len(position.numbers) == wanted:
            return Outcome(won=True, guesses=guesses, undecided=undecided)
        try:
            choice = choose(position, checked=True)
        except Undecided:
            undecided = True
            choice = Choice(position.hidden()[0], Fraction(0), "undecided within the limits")
        if watch:
            watch(position, choice)
        cell, certain = choice.cell, choice.survives == 1


def first_cell(board: Board, start: Start) -> Cell:
    """Return the cell that the program opens first.

    Where only that cell is sure to be clear, a corner has the greatest chance to show 0. Where its
    neighbours are clear too, it shows 0 anyway, and a cell inside opens more.
    """
    if start == "classic":
        return 0, 0
    return min(3, board.columns - 1), min(3, board.rows - 1)


def play_games(
    board: Board,
    start: Start,
    seed: int,
    games: int,
    *,
    jobs: int = 1,
    path: Path | None = None,
) -> Iterator[Outcome]:
    """Yield how every game ended, first those that the file has already.

    Parameters
    ----------
    board, start, seed
        Which games: the same seed gives the same fields.
    games
        How many.
    jobs
        In how many processes.
    path
        A file to which every game is added, so that an interrupted run can be continued; games
        that it has already are not played again.

    Raises
    ------
    BadInput
        The mines do not fit, or the file has other games.
    """
    size = f"{board.columns}x{board.rows}:{board.mines}"
    header = {"of": "minesweeper", "board": size, "start": start, "seed": seed}
    with nullcontext() if path is None else ResultsFile(path, header, number="game") as file:
        known = {} if file is None else dict(_known(row, path) for row in file.rows())
        done = {number: outcome for number, outcome in known.items() if number < games}
        yield from done.values()
        left = [number for number in range(games) if number not in done]
        for number, outcome in run_all(partial(_one, board, start, seed), left, jobs=jobs):
            if file is not None:
                file.add({"game": number, **asdict(outcome)})
            yield outcome


def _known(row: dict[str, Any], path: Path | None) -> tuple[int, Outcome]:
    """Return the number and the outcome of a game that is in the file."""
    outcome = {name: value for name, value in row.items() if name != "game"}
    with placed(source=str(path)):
        return row["game"], structure(outcome, Outcome)


def _one(board: Board, start: Start, seed: int, number: int) -> tuple[int, Outcome]:
    first = first_cell(board, start)
    return number, play(Field.random(board, first, start, Random(f"{seed} {number}")), first)
