"""Problems of predicates that were undecided: the time of the default engine, and how it grows.

``python -m tests.benchmarks.bench_walls_of_tables`` prints the tables of docs/benchmarks/walls.md
(about a minute): CPU seconds, each question in a process of its own that has loaded numpy, with a
problem that is already made.
"""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Mapping
from math import log
from statistics import linear_regression
from time import process_time

import numpy as np

from deduce import Knowledge
from deduce.errors import Undecided
from deduce.problem import Problem
from tests.benchmarks.walls_of_tables import kakuro, loops, multiplier, timetable, werewolves

MAX_SECONDS = 40

Asked = Callable[[Knowledge], object]

QUERIES: Mapping[str, Asked] = {
    "count": Knowledge.count,
    "shares": Knowledge.shares,
    "posterior": Knowledge.posterior,
    "sample of 100": lambda known: known.sample(100, seed=1),
    "certain": Knowledge.certain,
    "worlds": lambda known: len(list(known.worlds())),
}

TABLE: Mapping[str, tuple[Callable[[], Problem], str]] = {
    "crime timetable, 6 times": (timetable, "count, shares, sample of 100"),
    "kakuro 8 by 8": (kakuro, "certain"),
    "multiplier 4 by 4, factors known": (multiplier, "posterior"),
    "multiplier 4 by 4, factors unknown": (lambda: multiplier(known=False), "count, posterior"),
    "one night of werewolves": (werewolves, "count, shares"),
    "timetable without a crime": (lambda: timetable(crime=False), "count, shares"),
    "the same, 24 predicates always true": (
        lambda: timetable(crime=False, idle=24),
        "count, shares",
    ),
    "unions of loops, 5 by 5 points": (loops, "worlds"),
}

GROWTH: Mapping[str, tuple[Callable[[int], Problem], str, range]] = {
    "crime timetable, by times": (timetable, "shares", range(5, 8)),
    "multiplier, by bits of a factor": (multiplier, "posterior", range(2, 7)),
    "kakuro, by side": (kakuro, "certain", range(4, 8)),
}


def measured(make: Callable[[], Problem], query: str) -> tuple[float, str]:
    """Return the CPU seconds of a query in a process of its own, and how it ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_SECONDS, MAX_SECONDS))
        np.ones(1).argsort()
        problem, end = make(), "failed"
        began = process_time()
        try:
            QUERIES[query](Knowledge(problem))
            end = "answered"
        except Undecided:
            end = "undecided"
        finally:
            os.write(writer, f"{process_time() - began} {end}".encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        words = pipe.read().split()
    os.waitpid(child, 0)
    return (float(words[0]), words[1]) if words else (float(MAX_SECONDS), "killed")


def main() -> None:
    """Print both tables."""
    print("| problem | query | CPU seconds |\n|---|---|---|")
    for name, (make, queries) in TABLE.items():
        for query in queries.split(", "):
            seconds, end = measured(make, query)
            print(f"| {name} | {query} | {seconds:.2f}{'' if end == 'answered' else f' ({end})'} |")
    print("\n| problem | CPU seconds by size | order |\n|---|---|---|")
    for name, (of_size, query, sizes) in GROWTH.items():
        points = []
        for size in sizes:
            seconds, end = measured(lambda size=size, of=of_size: of(size), query)  # type: ignore[misc]
            if end == "answered":
                points.append((size, seconds))
        cells = ", ".join(f"{size}: {seconds:.2f}" for size, seconds in points)
        slope = linear_regression(*zip(*[(log(n), log(s)) for n, s in points], strict=True)).slope
        print(f"| {name}, {query} | {cells} | n^{slope:.1f} |", flush=True)


if __name__ == "__main__":
    main()
