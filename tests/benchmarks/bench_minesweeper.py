"""How good the guesses of the Minesweeper player are, where the best one can be computed.

``python -m tests.benchmarks.bench_minesweeper [--games N]`` plays games of the expert board from a
modern start. Where few placements of the mines are left, the chance of winning by best play is
computed for every cell: for the best cell, the one that the rating chooses, and the safest one.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from time import process_time

from attrs import frozen

from games.minesweeper.advice import rated
from games.minesweeper.endgame import win_chances
from games.minesweeper.players import Choice, Field, first_cell, play
from games.minesweeper.position import Position
from games.minesweeper.setup import Board

BOARD = Board(30, 16, 99)
MIN_WAYS, MAX_WAYS = 30, 1500


@frozen
class Guess:
    """The chances of winning by three choices in one position."""

    best: float
    rated: float
    safest: float


def guesses(games: int, seed: str) -> Iterator[Guess]:
    """Yield the positions in which all chances of winning can be computed."""
    found: list[Guess] = []

    def watch(position: Position, choice: Choice) -> None:
        if choice.survives == 1:
            return
        view = position.view()
        if MIN_WAYS <= view.weights.total <= MAX_WAYS:
            chances = win_chances(view)
            if chances is not None:
                mined = view.mined()
                safest = min(mined, key=lambda cell: (mined[cell], cell))
                chosen = rated(view, BOARD)[0].index
                found.append(Guess(max(chances.values()), chances[chosen], chances[safest]))

    first = first_cell(BOARD, "modern")
    for number in range(games):
        play(Field.random(BOARD, first, "modern", Random(f"{seed} {number}")), first, watch)
        yield from found
        found.clear()


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", default="3")
    args = parser.parse_args()
    started = process_time()
    met = list(guesses(args.games, args.seed))
    print(f"{len(met)} positions in {args.games} games, {process_time() - started:.0f} s")
    for name in ("best", "rated", "safest"):
        print(f"{name}: {sum(getattr(guess, name) for guess in met) / max(1, len(met)):.4f}")


if __name__ == "__main__":
    main()
