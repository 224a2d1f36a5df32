"""Alternatives of the same knowledge: CPU time for each, by `Alternatives` and by `Knowledge`.

``python -m tests.benchmarks.bench_alternatives`` prints the times and their ratio on what opponents
know in random standard positions of Cluedo, the figure in the docstring of `deduce.alternatives`.
"""

from __future__ import annotations

import argparse
from random import Random
from typing import Any

from deduce.clock import cpu_seconds
from deduce.knowledge import Knowledge
from games.cluedo.game import game_of
from games.cluedo.opponents.opponent import Certainties, Observation, Opponent, opponents
from tests.benchmarks.bench_cluedo_opponents import middle


def drawn(knowledge: Knowledge, opponent: Opponent, draws: int) -> list[Observation]:
    """Return observations of an opponent in deals drawn by the posterior."""
    random = Random(1)
    return [opponent.draw(deal, random) for deal in knowledge.sample(draws, seed=1)]


def by_alternatives(opponent: Opponent, observations: list[Observation]) -> list[int]:
    """Return the number of solutions that remain possible for each observation."""
    certainties = Certainties(opponent)
    return [certainties.given(observation).solutions for observation in observations]


def by_knowledge(opponent: Opponent, observations: list[Observation]) -> list[int]:
    """Return the same from a knowledge for each observation."""
    solutions = []
    for observation in observations:
        knowledge = opponent.knowledge_with(observation)
        knowledge.certain()
        solutions.append(len(knowledge.joint(*game_of(knowledge).questions())))
    return solutions


def compare(positions: int, draws: int) -> None:
    """Print the mean CPU time of an alternative in both ways."""
    seconds = {by_alternatives: 0.0, by_knowledge: 0.0}
    count = 0
    for knowledge in middle(positions):
        for opponent in opponents(knowledge):
            observations = drawn(knowledge, opponent, draws)
            count += len(observations)
            results = []
            for way in seconds:
                start = cpu_seconds()
                results.append(way(opponent, observations))
                seconds[way] += cpu_seconds() - start
            assert results[0] == results[1]
    fast, slow = (1000 * total / count for total in seconds.values())
    print(f"Alternatives {fast:.2f} ms, Knowledge {slow:.2f} ms: {slow / fast:.1f} times")


def test_alternatives_of_a_standard_position(benchmark: Any) -> None:
    [knowledge] = middle(1)
    opponent = opponents(knowledge)[0]
    observations = drawn(knowledge, opponent, 20)
    benchmark(by_alternatives, opponent, observations)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, default=8)
    parser.add_argument("--draws", type=int, default=20)
    given = parser.parse_args()
    compare(given.positions, given.draws)
