"""Cultist Wars: speed of the rules and of the bots' searches, in CPU time.

``python tests/benchmarks/bench_cultist.py`` prints the table of docs/benchmarks/cultist.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import process_time

from games.cultist.advice import analyse
from games.cultist.cases import leaves, state_of_case
from games.cultist.evaluation import default_evaluation, square_roots
from games.cultist.rules import actions, is_over, result
from games.cultist.setup import State, new_state

DATA = Path(__file__).parents[1] / "data"


def middle_games() -> list[State]:
    """Return the ten recorded positions in which perft was counted in the middle of a game."""
    cases = json.loads((DATA / "cultist_perft.json").read_text())["cases"]
    return [state_of_case(case) for case in cases if "grid" in case]


def perft(states: list[State]) -> int:
    """Return how many states were made to depth 3 or less, each by a call of `result`."""
    return sum(leaves(state, depth) for state in states for depth in (1, 2, 3))


def playouts(games: int) -> int:
    """Return how many turns of uniform random play were made, from the start to the end."""
    random, turns = Random(1), 0
    for seed in range(games):
        state = new_state(seed)
        while not is_over(state):
            state = result(state, random.choice(actions(state)))
            turns += 1
    return turns


def evaluations(evaluation: Callable[[State], float], states: list[State]) -> int:
    """Return how many states were evaluated."""
    for _ in range(200):
        for state in states:
            evaluation(state)
    return 200 * len(states)


def search(states: list[State], depth: int) -> int:
    """Return how many states the default bot's search looked at."""
    return sum(analyse(state, depth=depth).nodes for state in states)


WORK: dict[str, Callable[[], int]] = {
    "perft nodes": lambda: perft(middle_games()),
    "turns of random play": lambda: playouts(40),
    "evaluations (default)": lambda: evaluations(default_evaluation, middle_games()),
    "evaluations (square roots)": lambda: evaluations(square_roots, middle_games()),
    "search nodes at depth 3": lambda: search(middle_games(), 3),
}


def rate(work: Callable[[], int]) -> float:
    """Return how much is done in a second of CPU time, the best of five runs."""
    best = 0.0
    for _ in range(5):
        began = process_time()
        done = work()
        best = max(best, done / (process_time() - began))
    return best


if __name__ == "__main__":
    for name, work in WORK.items():
        print(f"{name:<28}{rate(work):>12,.0f} /s")
