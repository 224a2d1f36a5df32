"""Many games of the program, one seed each, in one process or several."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from attrs import asdict, evolve, frozen

from deduce.batch.parallel import run_all
from deduce.batch.results import ResultsFile
from deduce.batch.statistics import wilson
from deduce.errors import BadInput
from deduce.jsonvalues import structure
from games.minesweeper.players import Field, Outcome, Start, play
from games.minesweeper.setup import Board, Cell

__all__ = ["Tally", "first_cell", "play_games"]


@frozen
class Tally:
    """Results of games so far."""

    games: int
    won: int = 0
    undecided: int = 0
    guesses: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the share of games won, 95 %."""
        return wilson(self.won / self.games if self.games else 0.0, self.games)


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
) -> Iterator[Tally]:
    """Yield the results so far, after every game.

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
    tally = Tally(0)
    with nullcontext() if path is None else ResultsFile(path, header, number="game") as file:
        known = {} if file is None else dict(_known(row, path) for row in file.rows())
        done = {number: outcome for number, outcome in known.items() if number < games}
        items = [(board, start, seed, number) for number in range(games) if number not in done]
        for number, outcome in chain(done.items(), run_all(_one, items, jobs=jobs)):
            if file is not None and number not in done:
                file.add({"game": number, **asdict(outcome)})
            tally = evolve(
                tally,
                games=tally.games + 1,
                won=tally.won + outcome.won,
                undecided=tally.undecided + outcome.undecided,
                guesses=tally.guesses + outcome.guesses,
            )
            yield tally


def _known(row: dict[str, Any], path: Path | None) -> tuple[int, Outcome]:
    """Return the number and the outcome of a game that is in the file."""
    outcome = {name: value for name, value in row.items() if name != "game"}
    try:
        return row["game"], structure(outcome, Outcome)
    except BadInput as error:
        raise error.at(source=str(path)) from None


def _one(item: tuple[Board, Start, int, int]) -> tuple[int, Outcome]:
    board, start, seed, number = item
    first = first_cell(board, start)
    return number, play(Field.random(board, first, start, Random(f"{seed} {number}")), first)
