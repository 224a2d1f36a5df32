"""What advice and best plans cost: ``python -m tests.benchmarks.bench_questions [--bulls FILE]``.

With ``--bulls``, the best plan of Bulls and Cows is searched as well, beginning with a beam of
``--width``, which takes long; it is continued from the file if that exists. With ``--seconds`` that
search ends after so long, and states what was found.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from deduce.budget import Budget
from deduce.knowledge import Knowledge
from deduce.policy.best import best_plan
from games.cluedo.advice import advise
from games.mastermind import Mastermind
from tests.benchmarks.bench_cluedo import position

BULLS = Mastermind(slots=4, colours=10, repeat=False)


def plans(bulls: Path | None, width: int, seconds: float | None) -> Iterator[tuple[str, str]]:
    """Yield the figures of the best plans."""
    tasks: list[tuple[str, Mastermind, dict[str, Any]]] = [
        ("4 slots, 6 colours", Mastermind(), {}),
        ("at most five guesses", Mastermind(), {"within": 5}),
        ("worst case", Mastermind(), {"objective": "worst"}),
        ("within 3", Mastermind(), {"objective": "chance", "within": 3}),
        ("within 4", Mastermind(), {"objective": "chance", "within": 4}),
    ]
    if bulls is not None:
        budget = Budget(steps=None, seconds=seconds)
        tasks.append(("Bulls and Cows", BULLS, {"path": bulls, "width": width, "budget": budget}))
    for name, game, options in tasks:
        started = process_time()
        plan = best_plan(Knowledge(game), **options)
        seconds = process_time() - started
        figures = f"total {plan.total}, found {plan.found}, worst {plan.worst}"
        yield name, f"{figures}, bound {plan.bound}, proved {plan.proved}, {seconds:.1f} s"


def advice() -> Iterator[tuple[str, str]]:
    """Yield the cost of advice."""
    Knowledge(Mastermind()).advise()  # imports numpy
    for guesses in (
        ["1111: 0 0", "1111: 0 0"],
        ["1123: 1 1", "4455: 0 1"],
        ["1122: 1 0", "1133: 1 0"],
    ):
        knowledge = Knowledge(Mastermind()).tell(*guesses)
        started = process_time()
        knowledge.advise()
        yield f"Mastermind after {guesses}", f"{1000 * (process_time() - started):.0f} ms"
    random = Random(7)
    setups = [(seed, random.randint(3, 6), random.randint(8, 16)) for seed in range(30)]
    times = []
    for setup in setups:
        knowledge = position(*setup)
        started = process_time()
        advise(knowledge)
        times.append(process_time() - started)
    yield "Cluedo, 30 positions, median and sum", f"{median(times):.2f} s, {sum(times):.1f} s"
    opening = position(0, 6, 0)
    started = process_time()
    advise(opening)
    yield "Cluedo, opening of six", f"{process_time() - started:.2f} s"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bulls", type=Path, help="search Bulls and Cows, with results in a file")
    parser.add_argument("--width", type=int, default=32, help="the width of its beam")
    parser.add_argument("--seconds", type=float, help="how long its search may take")
    args = parser.parse_args()
    for name, figure in chain(advice(), plans(args.bulls, args.width, args.seconds)):
        print(f"{name}: {figure}", flush=True)


if __name__ == "__main__":
    main()
