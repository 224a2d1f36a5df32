"""How hard the levels of the gym are: by the hardest step, and by the optimal questions."""

from __future__ import annotations

from collections import Counter
from random import Random

from deduce import Knowledge, gym
from deduce.constraints import Fact
from deduce.gym.players import turn
from deduce.policy.best import best_plan
from deduce.steps.puzzle import grade

PLANNED = {"guess-who": (1, 2, 3), "mastermind": (1, 2)}
"""The games and levels whose best plan takes seconds."""

EPISODES = {1: 18, 2: 6, 3: 2}
"""How many episodes of each level are played; the first has seed 7."""


def row(name: str, level: int) -> str:
    """Return the row of the table of docs/gym.md."""
    grades = Counter(hardest_step(name, level, 7 + i) for i in range(EPISODES[level]))
    counts = [f"{grade or 'none'}: {number}" for grade, number in grades.most_common()]
    optimal = optimal_questions(name, level)
    shown = "-" if optimal is None else f"{optimal:.3f}"
    return f"| {name} | {level} | {', '.join(counts)} | {shown} |"


def hardest_step(name: str, level: int, seed: int) -> int | None:
    """Return the grade of the hardest step of an episode, with the questions of ``deduction``.

    Whenever an answer to a subject becomes certain, it is graded how hard it is to find it at that
    moment; ``None`` if nothing became certain.
    """
    episode = gym.make(name, seed=seed, level=level, regret=False)
    episode.reset()
    found: set[str] = set()
    hardest = 0
    while True:
        known = episode.knowledge()
        certain = []
        for label, row in episode.beliefs().items():
            if label not in found and 1 in row.values():
                found.add(label)
                subject = episode.subjects()[label]
                literals = known.question(subject)[episode.truth(subject)]
                certain += [Fact(variable, values) for variable, values in literals]
        if certain:
            hardest = max(hardest, grade(known, certain).level)
        if episode.done:
            return hardest or None
        random = Random(f"deduction/{episode.key}/{len(episode.log)}")
        episode.step(turn(episode, "deduction", random))


def optimal_questions(name: str, level: int) -> float | None:
    """Return the least mean number of questions in the set-up of seed 7, where that is cheap."""
    if level not in PLANNED.get(name, ()):
        return None
    plan = best_plan(Knowledge(gym.make(name, seed=7, level=level).game))
    return plan.expected if plan.proved else None
