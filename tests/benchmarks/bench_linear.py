"""Two hundred people whose statements are linear equations modulo 2, and some that are not.

``python -m tests.benchmarks.bench_linear`` prints the CPU seconds of `count` and `is_consistent`
for each kind of statement; with ``--ganak`` those of pyganak on the exported formula instead.
docs/benchmarks/counting-search.md has the figures.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random

from deduce import Knowledge, Problem, Undecided, Where
from deduce.formats import export

KINDS = {"same": 0.0, "odd": 0.0, "odd, 2 % both": 0.02, "odd, 5 % both": 0.05, "both": 1.0}
"""Kinds of statements, with the share of "these two both tell the truth"."""


def people(size: int, kind: str, seed: int) -> Problem:
    """Return a problem in which each of some people makes one statement; it has a world."""
    random = Random(seed)
    truth = [random.random() < 0.5 for _ in range(size)]
    rules = []
    for speaker in range(size):
        others = random.sample([other for other in range(size) if other != speaker], 3)
        said: Callable[..., bool] = lambda a, b, c: (a + b + c) % 2 == 1  # noqa: E731
        if kind == "same":
            said, others = (lambda a, b: a == b), others[:2]
        elif random.random() < KINDS[kind]:
            said, others = (lambda a, b: a and b), others[:2]
        negated = said(*(truth[other] for other in others)) != truth[speaker]

        def fits(
            speaks: bool, *row: bool, said: Callable[..., bool] = said, negated: bool = negated
        ) -> bool:
            return speaks == (said(*row) != negated)

        rules.append(Where((speaker, *others), fits, f"{speaker} speaks of {others}"))
    return Problem(dict.fromkeys(range(size), (True, False)), rules)


def timed(ask: Callable[[], object]) -> str:
    """Return an answer with its CPU seconds."""
    start = time.process_time()
    try:
        answer = ask()
    except Undecided:
        answer = "undecided"
    return f"{answer} ({time.process_time() - start:.2f} s)"


def main() -> None:
    """Print a line for each problem."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinds", default=list(KINDS), nargs="*", choices=list(KINDS))
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--ganak", action="store_true")
    given = parser.parse_args()
    for kind in given.kinds:
        for seed in (1, 2):
            problem = people(given.people, kind, seed)
            if given.ganak:
                from tests.benchmarks.bench_gallery import by_ganak

                text = export(problem, "dimacs")
                print(kind, seed, timed(lambda: by_ganak(text)), flush=True)  # noqa: B023
                continue
            found = [timed(Knowledge(problem).count), timed(Knowledge(problem).is_consistent)]
            print(kind, seed, *found, flush=True)


if __name__ == "__main__":
    main()
