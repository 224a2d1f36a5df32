"""What a Cluedo log of ten players and 40 cards, and one of four to eight players, can be asked.

``python -m tests.benchmarks.bench_ten_players`` prints a row for each question that is undecided or
takes more than five CPU seconds, and how many were answered (docs/benchmarks/cluedo.md). Each log
is seeded by its number: ``--first 4 --last 8`` asks the logs 4 to 7, ``--standard`` the others.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from random import Random
from time import process_time
from typing import Any

from deduce import Knowledge
from deduce.errors import Undecided
from games.cluedo.show import solutions
from tests.benchmarks.situations import BIG_DECK, position

SLOW = 5.0

QUESTIONS: Mapping[str, Callable[[Knowledge], Any]] = {
    "count": Knowledge.count,
    "certain": Knowledge.certain,
    "shares": Knowledge.shares,
    "posterior": Knowledge.posterior,
    "solution": solutions,
}
"""The sheet shows the first four, and the solutions below."""


def large(number: int) -> Iterator[tuple[str, Knowledge]]:
    """Yield a log of ten players with 40 cards and 4 to 30 suggestions, as two viewers see it."""
    known = position(number, 10, Random(number).randint(4, 30), BIG_DECK)
    yield from (("own", known), ("bystander", known.seen_by(None)))


def standard(number: int) -> Iterator[tuple[str, Knowledge]]:
    """Yield a log of the classic deck with four to eight players, every third with doubts."""
    random = Random(number)
    known = position(number, random.randint(4, 8), random.randint(4, 30))
    if number % 2:
        known = known.seen_by(None)
    view = "bystander" if number % 2 else "own"
    if number % 3 == 2:
        view, known = f"{view} with doubts", known.doubting(0.02)
    yield view, known


def main() -> None:
    """Ask all questions about some logs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--last", type=int, default=40)
    parser.add_argument("--standard", action="store_true")
    options = parser.parse_args()
    answered = asked = 0
    for number in range(options.first, options.last):
        for view, knowledge in (standard if options.standard else large)(number):
            for name, ask in QUESTIONS.items():
                fresh = Knowledge(knowledge.game, knowledge.log, viewer=knowledge.viewer,
                                  doubts=knowledge.doubts)  # fmt: skip
                began, result = process_time(), "answered"
                try:
                    ask(fresh)
                    answered += 1
                except Undecided as error:
                    result = f"{error}"
                asked += 1
                seconds = process_time() - began
                if result != "answered" or seconds > SLOW:
                    events = len(knowledge.log)
                    print(f"{number} {view}, {events} events, {name}: {seconds:.1f} s, {result}")
        print(f"{number}: {answered} of {asked} answered so far", flush=True)


if __name__ == "__main__":
    main()
