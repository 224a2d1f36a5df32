"""What the counting engine costs on problems with many states, in CPU seconds.

``python -m tests.benchmarks.bench_sweep`` prints the table of docs/benchmarks/sweep.md. With an
earlier version of deduce first in PYTHONPATH the same script measures that one, for ratios.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from time import process_time
from typing import Any

from deduce.budget import Budget
from deduce.constraints import at_most, exactly, is_
from deduce.engines.choose import engine
from deduce.engines.model import Model
from deduce.errors import Undecided
from deduce.knowledge import Knowledge
from deduce.problem import Problem
from tests.benchmarks.bench_cluedo import BIG_DECK, position, standard

BUDGET = Budget(200_000_000, None)


def count(problem: Problem) -> Any:
    """Return the number of worlds, without marginals where the engine can."""
    counting: Any = engine("counting")
    model = Model(problem)
    if hasattr(counting, "total"):
        return counting.total(model, BUDGET.meter(), weighted=False)
    return counting.tally(model, BUDGET.meter(), weighted=False).total


def cells(problem: Problem) -> Any:
    """Return all marginals."""
    return engine("counting").tally(Model(problem), BUDGET.meter(), weighted=False)


def joint(knowledge: Knowledge) -> Any:
    """Return the joint distribution of the solution."""
    return knowledge.using(engine="counting", budget=BUDGET).joint(*knowledge.game.questions())  # type: ignore[attr-defined]


def derangements(n: int) -> Problem:
    """Return the ways to give each of ``n`` persons another person's gift."""
    domains = {i: [j for j in range(n) if j != i] for i in range(n)}
    once = [exactly(1, [is_(i, j) for i in range(n) if i != j]) for j in range(n)]
    return Problem(domains, once)


def permanent(n: int) -> Problem:
    """Return the permutations within a random matrix of zeros and ones, half of them ones."""
    random = Random(n)
    rows = {i: [j for j in range(n) if j == i or random.random() < 0.5] for i in range(n)}
    once = [exactly(1, [is_(i, j) for i in range(n) if j in rows[i]]) for j in range(n)]
    return Problem(rows, once)


def minefield(size: int, mines: int, opened: float, seed: int) -> Problem:
    """Return a square minefield of which this share is open, as it is played: zeros open more."""
    random = Random(seed)
    grid = [(r, c) for r in range(size) for c in range(size)]
    mined = set(random.sample(grid, mines))
    free = [cell for cell in grid if cell not in mined]
    around = {(r, c): [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)] for r, c in grid}
    shown: set[tuple[int, int]] = set()
    while len(shown) < opened * len(grid):
        waiting = [random.choice(free)]
        while waiting:
            cell = waiting.pop()
            if cell in around and cell not in shown:
                shown.add(cell)
                if not any(near in mined for near in around[cell]):
                    waiting += around[cell]
    hidden = {cell: ("mine", "free") for cell in grid if cell not in shown}
    rules = [exactly(mines, [is_(cell, "mine") for cell in hidden])]
    for open_cell in sorted(shown):
        near = around[open_cell]
        facts = [is_(cell, "mine") for cell in near if cell in hidden]
        if facts:
            rules.append(exactly(sum(cell in mined for cell in near), facts))
    return Problem(hidden, rules)


def quartets(players: int, groups: int) -> Problem:
    """Return the deals of quartets in which no player holds a complete group."""
    names = [f"p{i}" for i in range(players)]
    cards = [f"{g}{k}" for g in range(groups) for k in range(4)]
    sizes = [len(cards) // players + (i < len(cards) % players) for i in range(players)]
    rules = [
        exactly(size, [is_(card, name) for card in cards])
        for name, size in zip(names, sizes, strict=True)
    ]
    for g in range(groups):
        rules += [at_most(3, [is_(f"{g}{k}", name) for k in range(4)]) for name in names]
    return Problem(dict.fromkeys(cards, names), rules)


def large(viewer: Any, number: int) -> list[Knowledge]:
    """Return positions of 40 cards and 10 players after 26 suggestions."""
    return [position(seed, 10, 26, BIG_DECK).seen_by(viewer) for seed in range(number)]


def works(number: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield what is measured, each with its work; the problem is made beforehand."""
    for what, viewer, work in (
        ("40 cards, count for one player", "Ann", lambda k: count(k.problem)),
        ("40 cards, joint of the solution for one player", "Ann", joint),
        ("40 cards, all marginals for one player", "Ann", lambda k: cells(k.problem)),
        ("40 cards, count for the bystander", None, lambda k: count(k.problem)),
    ):
        for seed, knowledge in enumerate(large(viewer, number)):
            knowledge.problem  # noqa: B018
            yield f"{what}, position {seed}", lambda k=knowledge, w=work: w(k)  # type: ignore[misc]
    for n in (16, 18, 24):
        yield f"derangements of {n}, count", lambda n=n: count(derangements(n))  # type: ignore[misc]
    yield "derangements of 16, all cells", lambda: cells(derangements(16))
    for n in (16, 20):
        yield f"permanent, n = {n}, all cells", lambda n=n: cells(permanent(n))  # type: ignore[misc]
    field = minefield(40, 320, 0.25, 1)
    yield "minefield 40 x 40, a quarter open, all cells", lambda: cells(field)
    deal = quartets(4, 13)
    yield "quartets, 52 cards, 4 players, no complete group, count", lambda: count(deal)


def _measured(work: Callable[[], Any], pipe: Any) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = process_time()
    try:
        work()
    except Undecided:
        pipe.send(None)
        return
    spent = process_time() - started
    pipe.send((spent, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024))


def alone(work: Callable[[], Any], limit: float) -> tuple[float, float] | None:
    """Return the CPU seconds and the MiB of a work in a process of its own; ``None``: too long."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_measured, args=(work, theirs))
    process.start()
    result = ours.recv() if ours.poll(limit) else None
    process.kill()
    process.join()
    return result


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=9)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one line")
    parser.add_argument("--standard", type=int, default=400)
    given = parser.parse_args()
    times = []
    for knowledge in standard(given.standard):
        knowledge.problem  # noqa: B018
        spent = []
        for _ in range(3):
            started = process_time()
            cells(knowledge.problem)
            spent.append(process_time() - started)
        times.append(min(spent))
    if times:
        print(f"standard positions, all marginals, median {median(times) * 1e3:.2f} ms")
        print(f"standard positions, all marginals, worst {max(times) * 1e3:.1f} ms", flush=True)
    for what, work in works(given.positions):
        result = alone(work, given.limit)
        figure = "undecided" if result is None else f"{result[0]:.2f} s, {result[1]:.0f} MiB"
        print(f"{what:<60} {figure}", flush=True)


if __name__ == "__main__":
    main()
