"""What an opponent may see, and how probable each of it is: all of it, or draws of it.

My worlds count by my posterior; in each, the cards shown to him that I did not see are as probable
as the declared behaviour says (docs/games/cluedo.md, section 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Protocol, TypeVar

from attrs import frozen

from deduce.errors import BadInput, Contradiction
from deduce.knowledge import Knowledge
from deduce.problem import World
from games.cluedo.opponent import Opponent, View
from games.cluedo.outcomes import whole_weight

__all__ = ["DRAWN", "Views", "Work", "may_see", "whole"]

DRAWN = 200
"""How many worlds are drawn where nobody names a number: under a second, and a probability is then
known to 7 % at worst."""

MOST_WORLDS = 4000
"""Of more worlds, draws are taken: listing them would take longer than looking at the draws."""

MOST_VIEWS = 600
"""The same, for the views that all opponents have in these worlds."""

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Work(Protocol[T_co]):
    """Something that is reckoned step by step, and can always say what is known so far."""

    def steps(self) -> Iterator[tuple[int, int]]:
        """Reckon, and yield after each step how many are done, of how many."""

    def result(self) -> T_co:
        """Return what is known so far."""


def whole(work: Work[T]) -> T:
    """Return the result when all steps are done."""
    for _ in work.steps():
        pass
    return work.result()


@frozen
class Views:
    """The views of an opponent: all of them with weights that add up to 1, or draws of weight 1.

    Parameters
    ----------
    opponent
        Whose views.
    weighted
        The views with their weights; of all views the most probable first.
    drawn
        Whether they are draws.
    """

    opponent: Opponent
    weighted: Sequence[tuple[View, Fraction]]
    drawn: bool


def may_see(
    knowledge: Knowledge, opponents: Sequence[Opponent], *, samples: int | None, seed: int
) -> list[Views]:
    """Return the views of each opponent: all, if there are few, else draws.

    Parameters
    ----------
    knowledge
        What I know.
    opponents
        Who is looked at.
    samples
        Draw so many worlds; 0: take all views, however many there are; left out: draw `DRAWN`
        only where there are too many.
    seed
        Repeats the draws.

    Raises
    ------
    BadInput
        ``samples`` is negative.
    Contradiction
        No world fits.
    Undecided
        The budget does not reach.
    """
    if samples is not None and samples < 0:
        raise BadInput(f"{samples} samples are too few; 0 draws none and is exact")
    if not samples:
        views = _all(knowledge, opponents, unlimited=samples == 0)
        if views is not None:
            return views
    number = samples or DRAWN
    worlds = knowledge.sample(number, seed=seed)
    return [_draws(opponent, worlds, seed) for opponent in opponents]


def _draws(opponent: Opponent, worlds: Sequence[World], seed: int) -> Views:
    random = Random(f"{seed} {opponent.player}")
    draws = [(opponent.draw(world, random), Fraction(1)) for world in worlds]
    return Views(opponent, draws, drawn=True)


def _all(
    knowledge: Knowledge, opponents: Sequence[Opponent], *, unlimited: bool
) -> list[Views] | None:
    """Return all views, or ``None`` where there are too many."""
    if not unlimited and knowledge.count() > MOST_WORLDS:
        return None
    weight = whole_weight(knowledge)
    tables: list[dict[View, Fraction]] = [{} for _ in opponents]
    total = views = 0
    meter = knowledge.budget.meter()
    for world in knowledge.worlds():
        meter.spend()
        times = weight(world)
        total += times
        for opponent, table in zip(opponents, tables, strict=True):
            before = len(table)
            for view, share in opponent.views(world):
                table[view] = table.get(view, Fraction(0)) + times * share
                if not unlimited and views + len(table) - before > MOST_VIEWS:
                    return None
            views += len(table) - before
    if not total:
        raise Contradiction
    return [
        Views(
            opponent,
            sorted(((view, w / total) for view, w in table.items()), key=lambda pair: -pair[1]),
            drawn=False,
        )
        for opponent, table in zip(opponents, tables, strict=True)
    ]
