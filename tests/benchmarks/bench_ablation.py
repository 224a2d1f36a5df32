"""What is lost without each piece of the engines: answers, and time.

``python -m tests.benchmarks.bench_ablation`` asks each question with and without each piece that it
may need, each time in a process of its own, and prints the table of docs/benchmarks/ablation.md
(about five minutes). ``--piece NAME`` looks at one of them, and ``--all`` asks it all questions.
The times are CPU seconds; read the ratios.
"""

from __future__ import annotations

import argparse
import os
import resource
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import cache, partial
from operator import ne
from time import process_time
from typing import Any
from unittest.mock import patch

from deduce.constraints import Where
from deduce.errors import Undecided
from deduce.knowledge import Knowledge
from deduce.problem import Problem
from games.battleship import Battleship
from tests.benchmarks import situations
from tests.benchmarks.bench_slips import RATES, game_of
from tests.benchmarks.situations import BIG_DECK, position, problems
from tests.engines.test_components import HARDEST, _derangement, _sudoku, speakers

COUNTING = "deduce.engines.count"
MAX_SECONDS = 40
NOTABLE = 1.3
"""A question that takes this many times as long without a piece is named in the table."""

SHORT = 0.05
"""Seconds up to which the time of a question is not compared."""


def no(*_: object, **__: object) -> None:
    """Stand for a function that finds nothing."""


PIECES: Mapping[str, Mapping[str, Any]] = {
    "matching": {"deduce.engines.solve.matching.Matching.supports": lambda *_: False},
    "the search with component caching": {f"{COUNTING}.search.components.Components.supports": no},
    "matrices of pairs (`pairwise`)": {f"{COUNTING}.search.search.Search._clique": no},
    "elimination (`linear`)": {
        f"{COUNTING}.search.search.Search._linear": no,
        "deduce.engines.choose.looks_linear": no,
    },
    "branching on a fact of a Count": {f"{COUNTING}.search.branching.Branching._literal": no},
    "the order of a decomposition": {f"{COUNTING}.search.branching.MAX_WIDTH": -1.0},
    "tables by value (`table`)": {"deduce.engines.core.table.FEW": 10**9},
    "arrays (`arrays`, `moves`, `numbers`)": {
        f"{COUNTING}.part.has_arrays": lambda: False,
        "deduce.engines.choose.has_arrays": lambda: False,
    },
    "rows of answers (`labelled`)": {f"{COUNTING}.part.Part._labelled": no},
    "alike values made one (`folds`)": {f"{COUNTING}.sweep.folds._Likeness.before": lambda *_: []},
    "pruning (`prune`)": {
        f"{COUNTING}.sweep.prune.Pruner.live": lambda _, index, states, meter: states,
        f"{COUNTING}.sweep.arrays.live_states": no,
        f"{COUNTING}.sweep.labelled.live_states": no,
    },
    "counting by sets (`hands`, `partition`)": {f"{COUNTING}.part.Part._by_sets": None},
    "sets by floats (`rounded`)": {f"{COUNTING}.part.Part._long_partition": no},
    "a short search before a sweep": {"deduce.engines.choose.MAX_STATES_OF_BOTH": 0.0},
}
"""The pieces, each with what takes its place."""

ASKED: Mapping[str, str] = {
    "matching": "potentials P089, transcript T155, derangements",
    "the search with component caching": "sudoku, 60 speakers, four ships, pigs g215, pigs g227",
    "matrices of pairs (`pairwise`)": "four ships, battleship",
    "elimination (`linear`)": "100 odd speakers, 60 speakers",
    "branching on a fact of a Count": "sudoku, battleship, pigs g215",
    "the order of a decomposition": "60 speakers, pigs g215, pigs g227, colours",
    "tables by value (`table`)": "four ships, 60 speakers",
    "arrays (`arrays`, `moves`, `numbers`)": "40 cards, permanent, quartets, doubts",
    "rows of answers (`labelled`)": "40 cards",
    "alike values made one (`folds`)": "derangements, quartets, 40 cards",
    "pruning (`prune`)": "40 cards, ten players, potentials P085, permanent",
    "counting by sets (`hands`, `partition`)": "doubts, permanent",
    "sets by floats (`rounded`)": "doubts",
    "a short search before a sweep": "pigs g217, pigs g227",
}
"""What each piece is asked: how the names of the questions begin."""


def _ships() -> Problem:
    """Return ships of 2, 3, 3 and 4 cells on a board of 8 by 8, which must not overlap."""
    squares = {
        i: [
            tuple((r + k * down, c + k * (1 - down)) for k in range(length))
            for down in (0, 1)
            for r in range(8 - down * (length - 1))
            for c in range(8 - (1 - down) * (length - 1))
        ]
        for i, length in enumerate((2, 3, 3, 4))
    }
    pairs = [(i, j) for i in squares for j in range(i)]
    rules = [Where(pair, lambda a, b: not {*a} & {*b}, f"{pair} do not overlap") for pair in pairs]
    return Problem(squares, rules)


@cache
def _doubted() -> Knowledge:
    game, _, log = game_of("0/none", 5)
    return Knowledge(game, log, doubts=RATES)


def _of(problem: Problem) -> Knowledge:
    return Knowledge(problem)


def _large() -> Knowledge:
    return position(0, 10, 26, BIG_DECK).seen_by("Ann")


def _colours() -> Problem:
    """Return a board of 20 by 3 in four colours, of which no neighbours have the same."""
    board = {(x, y): range(4) for x in range(20) for y in range(3)}
    pairs = [
        (cell, other)
        for cell in board
        for other in ((cell[0] + 1, cell[1]), (cell[0], cell[1] + 1))
        if other in board
    ]
    return Problem(board, [Where(pair, ne, f"{pair} differ") for pair in pairs])


def _ten_players() -> Knowledge:
    return position(0, 10, 6, BIG_DECK).seen_by("Ann")


QUESTIONS: Mapping[str, Callable[[], object]] = {
    "sudoku, count": lambda: _of(_sudoku(HARDEST)).count(),
    "sudoku of 20 clues, count": lambda: _of(_sudoku(HARDEST.replace("8", ".", 1))).count(),
    "60 speakers, count": lambda: _of(speakers(60, 3)).count(),
    "four ships, count": lambda: _of(_ships()).count(),
    "four ships, shares": lambda: _of(_ships()).shares(),
    "Battleship 8 by 8, count": lambda: Knowledge(Battleship(8, 8, (2, 3, 4, 5))).count(),
    "100 odd speakers, count": lambda: _of(situations.people(100, "odd", 1)).count(),
    "100 odd speakers, consistent": lambda: _of(situations.people(100, "odd", 1)).is_consistent(),
    "derangements of 20, count": lambda: _of(_derangement(20)).count(),
    "derangements of 24, count": lambda: _of(_derangement(24)).count(),
    "permanent of 16, shares": lambda: _of(situations.permanent(16)).shares(),
    "minefield 24 by 24, shares": lambda: _of(
        situations.square_minefield(24, 115, 0.25, 1)
    ).shares(),
    "quartets of 9 groups, count": lambda: _of(situations.quartets(4, 9)).count(),
    "40 cards, count": lambda: _large().count(),
    "40 cards, joint": lambda: _large().joint(*_large().game.questions()),  # type: ignore[attr-defined]
    "40 cards, shares": lambda: _large().shares(),
    "40 cards, sample": lambda: len(_large().sample(1000, seed=1)),
    "colours by components, count": lambda: _of(_colours()).using(engine="components").count(),
    "ten players after 6 suggestions, count": lambda: _ten_players().count(),
    "doubts, posterior": lambda: _doubted().posterior(),
    "doubts, exact posterior": lambda: _doubted().using(engine="counting").posterior(),
    "potentials P085, count": lambda: _of(problems()["potentials P085"]()).count(),
    "potentials P089, possible": lambda: _of(problems()["potentials P089"]()).possible(),
    "transcript T155, consistent": lambda: _of(problems()["transcript T155"]()).is_consistent(),
    "pigs g215, possible": lambda: _of(problems()["pigs g215"]()).possible(),
    "pigs g217, count": lambda: _of(problems()["pigs g217"]()).count(),
    "pigs g227, count": lambda: _of(problems()["pigs g227"]()).count(),
}
"""What is asked, without an engine's name unless it is written."""


def measured(piece: str | None, question: str) -> tuple[float, str]:
    """Return the CPU seconds of a question without a piece, and how it ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
        end = "failed"
        started = process_time()
        try:
            with ExitStack() as stack:
                for name, value in PIECES[piece].items() if piece else ():
                    stack.enter_context(patch(name, value))
                QUESTIONS[question]()
            end = "answered"
        except Undecided:
            end = "undecided"
        finally:
            os.write(writer, f"{process_time() - started} {end}".encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        words = pipe.read().split()
    os.waitpid(child, 0)
    return (float(words[0]), words[1]) if words else (float(MAX_SECONDS), "killed")


def main() -> None:
    """Print a row for each piece: the answers that are lost, and the questions that take longer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--piece", action="append", choices=list(PIECES))
    parser.add_argument("--all", action="store_true")
    chosen = parser.parse_args()
    whole = cache(partial(measured, None))
    print("| without | asked | answers lost | longer | shorter |\n|---|---|---|---|---|")
    for piece in chosen.piece or PIECES:
        asked = [
            q for q in QUESTIONS if chosen.all or q.startswith(tuple(ASKED[piece].split(", ")))
        ]
        lost, longer, shorter = [], [], []
        for question in asked:
            seconds, end = whole(question)
            now, ending = measured(piece, question)
            ratio = max(now, SHORT) / max(seconds, SHORT)
            if ending != "answered":
                lost.append(f"{question} ({end} with it)" if end != "answered" else question)
            elif ratio > NOTABLE:
                longer.append(f"{question} ({ratio:.1f} times)")
            elif ratio * NOTABLE < 1:
                shorter.append(f"{question} ({ratio:.2f})")
        cells = ("; ".join(some) or "-" for some in (lost, longer, shorter))
        print(f"| {piece} | {len(asked)} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
