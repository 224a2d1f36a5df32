"""What `why` costs on sudoku and on Minesweeper, in CPU seconds.

``python -m tests.benchmarks.bench_why`` prints the table of docs/benchmarks/why.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from statistics import median
from time import process_time

from deduce import Budget, Knowledge, Problem, exactly, is_
from deduce.clock import cpu_seconds
from deduce.constraints import Fact
from deduce.explain import Why
from deduce.problem import Evidence
from games.minesweeper.game import MINE, Minesweeper, Open
from games.minesweeper.setup import cell_name
from tests.engines.test_components import HARDEST

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def sudoku(clues: str) -> Problem:
    """Return a sudoku whose clues are evidence."""
    rows = [[(r, c) for c in range(9)] for r in range(9)]
    columns = [[(r, c) for r in range(9)] for c in range(9)]
    boxes = [[(r + i // 3, c + i % 3) for i in range(9)] for r in (0, 3, 6) for c in (0, 3, 6)]
    units = [*rows, *columns, *boxes]
    rules = [exactly(1, [is_(cell, v) for cell in unit]) for unit in units for v in range(1, 10)]
    told = [(i, int(clue)) for i, clue in enumerate(clues) if clue != "."]
    evidence = [Evidence(is_((i // 9, i % 9), v), n) for n, (i, v) in enumerate(told, 1)]
    return Problem({cell: range(1, 10) for row in rows for cell in row}, rules, evidence)


def minefield(seed: int, moves: int) -> Knowledge:
    """Return an expert board after some openings: of a certain cell, else of any without a mine."""
    random = Random(seed)
    game = Minesweeper(30, 16, 99)
    cells = list(game.cells())
    mined = set(random.sample(cells, 99))
    free = [cell for cell in cells if cell not in mined]
    opened: dict[str, int] = {}
    while len(opened) < moves:
        waiting = [random.choice(free)]
        while waiting:
            cell = waiting.pop()
            if cell_name(cell) in opened:
                continue
            around = list(game.around(cell))
            number = sum(other in mined for other in around)
            opened[cell_name(cell)] = number
            if number == 0:
                waiting += around
    return Knowledge(game, [Open(cell, number) for cell, number in opened.items()])


def boards(number: int) -> Iterator[tuple[Knowledge, Fact]]:
    """Yield expert boards, each with what is certain of a cell that nobody opened."""
    for seed in range(number):
        k = minefield(seed, 60 + 2 * seed)
        opened = {event.cell for event in k.log}
        certain = {cell: v for cell, v in k.certain().items() if cell not in opened}
        if certain:
            cell = Random(seed).choice(sorted(certain, key=str))
            yield k, is_(cell, certain[cell])


def timed(knowledge: Knowledge, claim: Fact, seconds: float) -> tuple[float, Why]:
    """Return the seconds of an explanation, and the explanation."""
    budget = Budget(steps=None, seconds=seconds, clock=cpu_seconds)
    asked = Knowledge(knowledge.game, knowledge.log, budget=budget)
    asked.asker  # noqa: B018
    started = process_time()
    why = asked.why(claim)
    return process_time() - started, why


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=20, help="cells of each sudoku")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args()
    for name, clues in (("easy", EASY), ("hardest", HARDEST)):
        k = Knowledge(sudoku(clues))
        solution = k.certain()
        cells = [(i // 9, i % 9) for i, clue in enumerate(clues) if clue == "."]
        Random(1).shuffle(cells)
        rows = [timed(k, is_(c, solution[c]), given.seconds) for c in cells[: given.cells]]
        _print(f"sudoku, {name}", rows)
    rows = [timed(k, claim, given.seconds) for k, claim in boards(given.positions)]
    _print("Minesweeper, expert", rows)
    mines = [why for _, why in rows if MINE in why.claim]
    print(f"{len(mines)} of the claims are about a mine")


def _print(name: str, rows: list[tuple[float, Why]]) -> None:
    times = [seconds for seconds, _ in rows]
    proved = sum(why.smallest for _, why in rows)
    print(
        f"{name}: {len(rows)} explanations, median {median(times):.3f} s, "
        f"worst {max(times):.2f} s, {proved} proved smallest",
        flush=True,
    )


if __name__ == "__main__":
    main()
