"""Drawing the worlds that an estimate rests on, in the way that takes the least time.

Exact draws need a sweep over all that is open; where that is large, weighted draws by importance
are often worth as much in a fraction of the time, and possible where the sweep is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from deduce.engines.choose import has_arrays
from deduce.errors import Undecided
from deduce.problem import World

if TYPE_CHECKING:
    from deduce.queries import Queries

__all__ = ["drawn_worlds"]

FEW_STEPS = 400_000
"""What exact draws may spend before weighted draws are tried: about a sixth of a second."""

GOOD, POOR = 0.1, 0.001
"""The share of weighted draws that must be effective: at first, and where a sweep is too large."""

Drawn: TypeAlias = tuple[Sequence[World], Sequence[int], int]
"""Worlds, a weight for each, and the number of draws without weights that they are worth."""


def drawn_worlds(knowledge: Queries, number: int, *, seed: int, weighted: bool) -> Drawn:
    """Return drawn worlds with whole numbers as weights, all 1 unless drawn by importance.

    Parameters
    ----------
    knowledge
        What is known. Only the engine that it names is used, if it names one.
    number
        How many worlds, or how many effective ones.
    seed
        The same seed gives the same draws.
    weighted
        Whether worlds count by the posterior.

    Raises
    ------
    Undecided
        In no way worlds can be drawn within the budget.
    """

    def swept(steps: int | None) -> Drawn:
        budget = knowledge.budget if steps is None else knowledge.budget.at_most(steps)
        worlds = knowledge.using(budget=budget).sample(number, seed=seed, weighted=weighted)
        return worlds, [1] * len(worlds), number

    def proposed(share: float) -> Drawn:
        from deduce.engines.counting.importance import weighted_worlds

        asker, random = knowledge.asker, Random(seed)
        drawn = weighted_worlds(
            asker.model, asker.budget.meter(), number, random, weighted=weighted, share=share
        )
        return drawn.worlds, drawn.weights, int(drawn.effective)

    if knowledge.engine != "auto" or not has_arrays():
        return swept(None)
    ways: list[Callable[[], Drawn]] = [
        lambda: swept(FEW_STEPS),
        lambda: proposed(GOOD),
        lambda: swept(None),
    ]
    for way in ways:
        with suppress(Undecided):
            return way()
    return proposed(POOR)
