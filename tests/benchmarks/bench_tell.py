"""What one more event costs beside a count from nothing, in CPU seconds.

``python -m tests.benchmarks.bench_tell`` prints the table of docs/benchmarks/tell.md. Cluedo games
of 3 to 6 players, 30 suggestions each; after each event the same question is asked of the knowledge
that was told the event, and of new knowledge of the same events, which are not checked again.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from random import Random
from statistics import median
from time import process_time
from typing import Any

from deduce import Knowledge
from deduce.events import Log
from tests.benchmarks.bench_cluedo import position

QUESTIONS: dict[str, Callable[[Knowledge], Any]] = {
    "count": Knowledge.count,
    "certain": Knowledge.certain,
    "shares": Knowledge.shares,
}


def pairs(ask: Callable[[Knowledge], Any], games: int) -> Iterator[tuple[float, float]]:
    """Yield for each event the seconds after `tell`, and those of the question from nothing."""
    random = Random(2026)
    for seed in range(games):
        whole = position(seed, random.randint(3, 6), 30)
        told = Knowledge(whole.game)
        for event in whole.log:
            before = process_time()
            told = told.tell(event)
            answer = ask(told)
            between = process_time()
            other = ask(Knowledge.of(Log(told.game, told.log)))
            after = process_time()
            if answer != other:
                raise AssertionError(f"game {seed}, after {event}: {answer} and {other}")
            if len(told.log) > 1:
                yield between - before, after - between


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=20)
    given = parser.parse_args()
    print("| question | events | one more event | from nothing | median of the ratios |")
    print("|---|---|---|---|---|")
    for name, ask in QUESTIONS.items():
        rows = list(pairs(ask, given.games))
        told, anew = (1000 * median(row[side] for row in rows) for side in (0, 1))
        ratio = median(told / anew for told, anew in rows)
        print(f"| {name} | {len(rows)} | {told:.2f} ms | {anew:.2f} ms | {ratio:.2f} |")


if __name__ == "__main__":
    main()
