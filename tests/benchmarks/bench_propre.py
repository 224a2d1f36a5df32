"""Propreantepenultimate Card: option generation, solving, hidden hands, advice, players.

``python -m tests.benchmarks.bench_propre`` prints the figures of ``docs/benchmarks/propre.md``.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from deduce.search import solve
from games.propre.evidence import Observation
from games.propre.game import open_game
from games.propre.notation import parse_position
from games.propre.players import advise, simulate, tally
from games.propre.rules import Rules
from games.propre.state import Option, State

DATA = Path(__file__).parents[1] / "data" / "propre_options.json"
FULL = "hands 2H 5D 7C 9S TS JD KC / 7; pile 4H"
DEALS = {
    "8 cards": "5S 5H 7S 2S 3H 3S 7H 2H",
    "8 cards, fewer states": "JH 2S JS 2H 6S 6H TH TS",
    "10 cards": "7H 2H 2S JS 3S KH KS 3H 7S JH",
    "10 cards, fewer states": "3S 3H TH TS QS KS QH 6S 6H KH",
}
"""Four of the recorded solved deals."""


def recorded_states() -> list[tuple[Rules, State]]:
    """Return the 450 states of the recorded option tables."""
    document = json.loads(DATA.read_text(encoding="utf-8"))
    return [
        parse_position(json.dumps({**case["state"], "rules": {"block_everything": False}}))
        for case in document["cases"]
    ]


def seconds(work: Callable[[], Any], repeat: int = 3) -> float:
    """Return the least CPU seconds of several runs."""
    best = float("inf")
    for _ in range(repeat):
        started = process_time()
        work()
        best = min(best, process_time() - started)
    return best


def all_options(states: list[tuple[Rules, State]]) -> int:
    return sum(len(rules.options(state)) for rules, state in states)


def solve_deal(deck: str) -> int:
    return len(solve(open_game(deck), symmetric=True).space)


def full_observation() -> Observation:
    rules, state = parse_position(FULL)
    return Observation.of(rules, state, me=0)


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deal", help="solve this deal alone, and print seconds and memory")
    parser.add_argument("--games", type=int, default=20, help="games between players")
    wanted = parser.parse_args()
    if wanted.deal:
        started = process_time()
        states = solve_deal(wanted.deal)
        spent = process_time() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{states} states, {spent:.2f} s, {peak:.0f} MiB")
        return
    recorded = recorded_states()
    rate = len(recorded) / seconds(lambda: all_options(recorded))
    print(f"options: {rate:,.0f} states/s")
    for name, deck in DEALS.items():
        command = [sys.executable, "-m", "tests.benchmarks.bench_propre", "--deal", deck]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        print(f"solved, {name}: {run.stdout.strip()}")
    seen = full_observation()
    print(f"answer to an attack: {seconds(lambda: seen.answer([Option('attack', '2H')])):.4f} s")
    print(f"where 44 cards are: {seconds(lambda: full_observation().knowledge.shares()):.4f} s")
    print(f"400 deals: {seconds(lambda: full_observation().knowledge.sample(400, seed=1)):.4f} s")
    spent = seconds(lambda: advise(seen, seconds=None, worlds=20))
    print(f"advice from 20 deals: {spent:.2f} s")
    for names, lie_open in ((("greedy", "random"), False), (("sampling", "greedy"), False),
                            (("search", "greedy"), True)):  # fmt: skip
        outcomes = list(
            simulate(Rules(), names, games=wanted.games, open_hands=lie_open, seconds=0.5)
        )
        print(f"{' against '.join(names)}: {tally(names, outcomes).wins}")


if __name__ == "__main__":
    main()
