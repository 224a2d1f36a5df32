"""What an opponent may have observed, and how probable each observation is: all, or draws.

The viewer's deals count by the posterior; in each, the cards that the opponent was shown and the
viewer did not see are as probable as the declared behaviour implies (docs/games/cluedo.md,
section 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from attrs import frozen

from deduce.errors import Contradiction
from deduce.knowledge import Knowledge
from deduce.policy.information import integer_weight
from games.cluedo.opponents.opponent import Observation, Opponent
from games.cluedo.opponents.sampling import Draws

__all__ = ["DRAWN", "Observations", "possible_observations"]

DRAWN = 200
"""How many deals are drawn by default: under a second, and the error of a probability is then at
most 7 %."""

MAX_WORLDS = 4000
"""If there are more deals, some are drawn: listing all would take longer than examining the
draws."""

OBSERVATIONS_PER_DRAW = 3
"""Deals are drawn, too, if all opponents together have more observations per draw than this."""

Weighted = tuple[Observation, Fraction]


class Indexed(Protocol):
    """Observations with their weights, by index."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Weighted: ...


@frozen
class Observations:
    """The observations of an opponent: all, with weights that sum to 1, or draws of weight 1.

    Parameters
    ----------
    opponent
        Whose observations.
    weighted
        The observations with their weights, by index; if they are all, the most probable first.
    drawn
        Whether they are draws.
    """

    opponent: Opponent
    weighted: Indexed
    drawn: bool


def possible_observations(
    knowledge: Knowledge,
    opponents: Sequence[Opponent],
    *,
    samples: int | None,
    seed: int,
    default: int = DRAWN,
) -> list[Observations]:
    """Return the observations of each opponent: all if there are few, else draws.

    Parameters
    ----------
    knowledge
        What the viewer knows.
    opponents
        Whose observations.
    samples
        Draw this number of deals; 0: take all observations, however many there are; left out: draw
        ``default`` deals if there are more than 4000 deals or three times ``default`` observations.
    seed
        The same seed gives the same draws.
    default
        How many deals are drawn if ``samples`` is left out.

    Raises
    ------
    Contradiction
        No deal is possible.
    Undecided
        The budget runs out.
    """
    if not samples:
        limit = OBSERVATIONS_PER_DRAW * default
        observations = _all(knowledge, opponents, None if samples == 0 else limit)
        if observations is not None:
            return observations
    deals = Draws(knowledge, samples or default, seed)
    return [Observations(o, _Drawn(o, deals), drawn=True) for o in opponents]


class _Drawn:
    """The observations of an opponent in drawn deals."""

    def __init__(self, opponent: Opponent, deals: Draws) -> None:
        self.opponent, self.deals = opponent, deals

    def __len__(self) -> int:
        return len(self.deals)

    def __getitem__(self, index: int) -> Weighted:
        deal = self.deals[index]
        random = self.deals.random(self.opponent.player, index)
        return self.opponent.draw(deal, random), Fraction(1)


def _all(
    knowledge: Knowledge, opponents: Sequence[Opponent], limit: int | None
) -> list[Observations] | None:
    """Return all observations, or ``None`` if there are more than ``limit``, or too many deals."""
    if limit is not None and knowledge.count() > MAX_WORLDS:
        return None
    weight_of = integer_weight(knowledge)
    tables: list[dict[Observation, Fraction]] = [{} for _ in opponents]
    total = count = 0
    meter = knowledge.budget.meter()
    for deal in knowledge.worlds():
        meter.spend()
        weight = weight_of(deal)
        total += weight
        for opponent, table in zip(opponents, tables, strict=True):
            before = len(table)
            for observation, share in opponent.observations(deal):
                table[observation] = table.get(observation, Fraction(0)) + weight * share
                if limit is not None and count + len(table) - before > limit:
                    return None
            count += len(table) - before
    if not total:
        raise Contradiction
    return [
        Observations(
            opponent,
            sorted(((seen, weight / total) for seen, weight in table.items()), key=lambda p: -p[1]),
            drawn=False,
        )
        for opponent, table in zip(opponents, tables, strict=True)
    ]
