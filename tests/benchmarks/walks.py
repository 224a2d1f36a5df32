"""Processor time of a hidden traveller: `python tests/benchmarks/walks.py [MOVES ...]`.

The graph has 199 nodes and 468 streets, as the map of a board game about a hidden traveller has.
Each line is the least of five runs: the problem; count, shares and ten samples of one knowledge.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from random import Random
from time import process_time

from deduce import Knowledge, Problem, is_, moves

NODES, STREETS = 199, 468


def traveller(moved: int) -> Problem:
    """Return the paths with a number of moves from a known start."""
    random = Random(5)
    streets = {(random.randrange(max(0, node - 6), node), node) for node in range(1, NODES)}
    while len(streets) < STREETS:
        node = random.randrange(1, NODES)
        streets.add((max(0, node - random.randint(1, 12)), node))
    graph: dict[int, list[int]] = {node: [] for node in range(NODES)}
    for a, b in sorted(streets):
        graph[a].append(b)
        graph[b].append(a)
    problem = moves(["x"], graph, range(moved + 1))
    return Problem(problem.domains, [*problem.rules, is_(("x", 0), 5)])


def times(moved: int) -> list[float]:
    """Return the seconds that the problem, the count, the shares and the samples take."""
    began = [process_time()]
    problem = traveller(moved)
    began.append(process_time())
    knowledge = Knowledge(problem)
    knowledge.count()
    began.append(process_time())
    knowledge.shares()
    began.append(process_time())
    knowledge.sample(10, seed=1)
    began.append(process_time())
    return [after - before for before, after in pairwise(began)]


def main() -> None:
    """Print the seconds for each number of moves."""
    print("moves problem count shares sample")
    for moved in map(int, sys.argv[1:] or ("15", "24", "48")):
        least = [min(column) for column in zip(*(times(moved) for _ in range(5)), strict=True)]
        print(moved, *(f"{seconds:.4f}" for seconds in least))


if __name__ == "__main__":
    main()
