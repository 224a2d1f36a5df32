"""Pig-slaying in numbers: simulator, inference, explanations, and the filter beside the engines.

``python tests/benchmarks/bench_pigs.py`` prints the tables of docs/benchmarks/pigs.md (some
minutes; ``--quick`` leaves out the engines). All times are CPU seconds.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from random import Random
from statistics import median
from typing import Any

from deduce.budget import Budget
from deduce.constraints import is_
from deduce.engines.core.model import Model
from deduce.engines.solve.bits import Bits
from deduce.errors import Undecided
from deduce.logs.events import Log
from deduce.system.clock import cpu_seconds
from games.pigs.deals import Deal, random_deal
from games.pigs.evidence import role_variable
from games.pigs.inference import infer
from games.pigs.proofs import why
from games.pigs.simulation import simulate
from games.pigs.timelines import timeline
from tests.pigs.strategies import deal_of, document, knowledge_of, log_from_json, simulations

BUDGETS = {"counting": Budget(3_000_000), "cpsat": Budget(None, 60), "bits": Budget(300)}
"""What an engine may spend on one question: some seconds; a minute for CP-SAT."""


def seconds(work: Callable[[], Any], repeat: int = 5) -> float:
    """Return the minimum CPU seconds of several runs."""
    best = float("inf")
    for _ in range(repeat):
        started = cpu_seconds()
        work()
        best = min(best, cpu_seconds() - started)
    return best


def many_deals() -> list[Deal]:
    """Return 1000 deals for ten seats with a pile of 2000."""
    rng = Random(2482)
    return [random_deal(10, pile=2000, rng=rng) for _ in range(1000)]


def longest_game() -> Deal:
    """Return the recorded game with the most turns."""
    return deal_of(max(simulations(), key=lambda case: int(case["turns"])))


def recorded_logs() -> list[tuple[str, Log]]:
    """Return the recorded logs, the shortest first."""
    cases = document("pigs_inference")["cases"]
    return [(c["id"], log_from_json(c)) for c in sorted(cases, key=lambda c: len(c["log"]))]


def whole_games() -> list[Log]:
    """Return the recorded logs of whole games as a spectator sees them."""
    return [
        log_from_json(case)
        for case in document("pigs_inference")["cases"]
        if case["kind"] == "ended" and not case["viewpoint"] and not case["open_hands"]
    ]


def decides(log: Log, engine: str) -> bool:
    """Return whether the engine finds out about every role of every seat; check what it says."""
    found = infer(log)
    asker = knowledge_of(log, engine=engine, budget=BUDGETS[engine]).asker
    for seat in log.game.players[1:]:
        for role in ("ZP", "FP"):
            try:
                answer = asker.is_consistent(is_(role_variable(seat), role)).value
            except Undecided:
                return False
            if answer is not (role in found.possible[seat - 1]):
                raise AssertionError((engine, seat, role))
    return True


def counts(log: Log, engine: str) -> bool:
    """Return whether the engine counts all worlds; check what it says."""
    asker = knowledge_of(log, engine=engine, budget=BUDGETS[engine]).asker
    try:
        total = asker.tally(weighted=True).value.total
    except Undecided:
        return False
    if total != infer(log).total:
        raise AssertionError(engine)
    return True


def spent(log: Log, *, hamming: bool) -> int | None:
    """Return how many branchings the bitset search needs for one world, or None: too many."""
    meter = Budget(300).meter()
    try:
        Bits(hamming=hamming).solve(Model(knowledge_of(log).problem), meter)
    except Undecided:
        return None
    return meter.steps


def print_own() -> None:
    """Print the figures of our own algorithms."""
    deals = many_deals()
    print(f"1000 games, 10 seats, pile 2000: {seconds(lambda: list(map(simulate, deals))):.3f} s")
    print(f"longest recorded game: {1000 * seconds(lambda: simulate(longest_game()), 20):.1f} ms")
    print_spread("infer, whole game, spectator", infer, whole_games())
    print_spread("infer, all recorded logs", infer, (log for _, log in recorded_logs()))
    print_spread("timeline, all recorded logs", timeline, (log for _, log in recorded_logs()))
    times = []
    for _, log in recorded_logs():
        for seat, role in infer(log).certain.items():
            times.append(seconds(lambda log=log, s=seat, r=role: why(log, s, r), 2))  # type: ignore[misc]
    times.sort()
    print(f"why, {len(times)} certain roles: {spread(times)}")


def print_spread(name: str, work: Callable[[Log], Any], logs: Iterable[Log]) -> None:
    """Print the median and the worst time of some work on logs."""
    print(f"{name}: {spread([seconds(lambda log=log: work(log), 3) for log in logs])}")  # type: ignore[misc]


def spread(times: list[float]) -> str:
    return f"median {1000 * median(times):.2f} ms, worst {1000 * max(times):.1f} ms"


def print_engines() -> None:
    """Print, by length of the log, how often each engine decides, and how much slower it is."""
    logs = recorded_logs()
    tasks: list[tuple[str, str, Callable[[Log, str], bool]]] = [
        ("counting, all probabilities", "counting", counts),
        ("CP-SAT, possible roles", "cpsat", decides),
        ("bits, possible roles", "bits", decides),
    ]
    print("log events | task | decided | CPU median, worst | ratio to the filter, median")
    for least, most in ((0, 25), (26, 50), (51, 100), (101, 300)):
        chosen = [log for _, log in logs if least <= len(log.events) <= most][::2]
        for name, engine, task in tasks:
            times, ratios = [], []
            for log in chosen:
                started = cpu_seconds()
                done = task(log, engine)
                time = cpu_seconds() - started
                if done:
                    times.append(time)
                    ratios.append(time / seconds(lambda log=log: infer(log), 3))  # type: ignore[misc, operator]
            line = f"{least}-{most} | {name} | {len(times)} of {len(chosen)}"
            if times:
                line += f" | {1000 * median(times):.0f} ms, {1000 * max(times):.0f} ms"
                line += f" | {median(ratios):.0f}"
            print(line, flush=True)
    pairs = [(spent(log, hamming=True), spent(log, hamming=False)) for _, log in logs[:62:2]]
    with_bound = [pair for pair in pairs if pair[0] != pair[1]]
    print(f"branchings with and without the Hamming bound, where they differ: {with_bound}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the engines")
    quick = parser.parse_args().quick
    print_own()
    if not quick:
        print_engines()


if __name__ == "__main__":
    main()
