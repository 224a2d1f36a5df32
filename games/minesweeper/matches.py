"""Many games of the program, one seed each, in one process or several."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from attrs import evolve, frozen

from deduce.batch.parallel import run_all
from deduce.batch.statistics import wilson
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
    board: Board, start: Start, seed: int, games: int, *, jobs: int = 1
) -> Iterator[Tally]:
    """Yield the results so far, after every game.

    Raises
    ------
    BadInput
        The mines do not fit.
    """
    tally = Tally(0)
    items = [(board, start, seed, number) for number in range(games)]
    for outcome in run_all(_one, items, jobs=jobs):
        tally = evolve(
            tally,
            games=tally.games + 1,
            won=tally.won + outcome.won,
            undecided=tally.undecided + outcome.undecided,
            guesses=tally.guesses + outcome.guesses,
        )
        yield tally


def _one(item: tuple[Board, Start, int, int]) -> Outcome:
    board, start, seed, number = item
    first = first_cell(board, start)
    return play(Field.random(board, first, start, Random(f"{seed} {number}")), first)
