"""What one more event costs beside a count from nothing, in CPU seconds.

``python -m tests.benchmarks.bench_tell`` prints the table of docs/benchmarks/tell.md. Cluedo games
of 3 to 6 players, 30 suggestions each; after each event the same question is asked of the knowledge
that was told the event, and of new knowledge of the same events: read from the text of the log, as
a command does; made of the events; and made of events that are not checked again.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from io import StringIO
from random import Random
from statistics import median
from time import process_time
from typing import Any

from deduce import Knowledge, read, write
from deduce.events import Log
from tests.benchmarks.bench_cluedo import position

QUESTIONS: dict[str, Callable[[Knowledge], Any]] = {
    "count": Knowledge.count,
    "certain": Knowledge.certain,
    "shares": Knowledge.shares,
}


ANEW: dict[str, Callable[[Knowledge], Callable[[], Knowledge]]] = {
    "log read": lambda told: partial(read, StringIO(write(told))),
    "events checked": lambda told: partial(Knowledge, told.game, told.log),
    "events taken as they are": lambda told: partial(Knowledge.of, Log(told.game, told.log)),
}
"""The ways to begin from nothing: each prepares what is then measured."""


def rows(ask: Callable[[Knowledge], Any], games: int) -> Iterator[tuple[float, ...]]:
    """Yield for each event the seconds after `tell`, and those from nothing in each way."""
    random = Random(2026)
    for seed in range(games):
        whole = position(seed, random.randint(3, 6), 30)
        told = Knowledge(whole.game)
        for event in whole.log:
            before = process_time()
            told = told.tell(event)
            answer = ask(told)
            seconds = [process_time() - before]
            for way in ANEW.values():
                begin = way(told)
                before = process_time()
                other = ask(begin())
                seconds.append(process_time() - before)
                if answer != other:
                    raise AssertionError(f"game {seed}, after {event}: {answer} and {other}")
            if len(told.log) > 1:
                yield tuple(seconds)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=20)
    given = parser.parse_args()
    print(f"| question | one more event | {' | '.join(ANEW)} | medians of the ratios |")
    print("|---|---|" + "---|" * (len(ANEW) + 1))
    for name, ask in QUESTIONS.items():
        measured = list(rows(ask, given.games))
        times = [1000 * median(column) for column in zip(*measured, strict=True)]
        ratios = [median(row[0] / row[i] for row in measured) for i in range(1, len(times))]
        cells = [name, *(f"{time:.2f} ms" for time in times)]
        print(f"| {' | '.join(cells)} | {', '.join(f'{ratio:.2f}' for ratio in ratios)} |")


if __name__ == "__main__":
    main()
