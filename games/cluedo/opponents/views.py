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
from games.cluedo.advice.outcomes import whole_weight
from games.cluedo.opponents.opponent import Opponent, View

__all__ = ["DRAWN", "Draws", "Numbered", "Views", "Work", "check_samples", "may_see", "whole"]

DRAWN = 200
"""How many worlds are drawn where nobody names a number: under a second, and a probability is then
known to 7 % at worst."""

BATCH = 100
"""How many worlds are drawn at a time, so that an interrupt finds some looked at."""

MOST_WORLDS = 4000
"""Of more worlds, draws are taken: listing them would take longer than looking at the draws."""

VIEWS_PER_DRAW = 3
"""The same, where all opponents together have more views in these worlds than so many a draw."""

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


class Numbered(Protocol):
    """Views with their weights, each to be had by its number from 0 on."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: int, /) -> tuple[View, Fraction]: ...


@frozen
class Views:
    """The views of an opponent: all of them with weights that add up to 1, or draws of weight 1.

    Parameters
    ----------
    opponent
        Whose views.
    weighted
        The views with their weights, by number; of all views the most probable first.
    drawn
        Whether they are draws.
    """

    opponent: Opponent
    weighted: Numbered
    drawn: bool


def check_samples(samples: int | None, least: int = 0) -> None:
    """Raise `BadInput` for a number of draws that cannot be."""
    if samples is not None and samples < least:
        raise BadInput(f"{samples} samples are too few; at least {least}")


def may_see(
    knowledge: Knowledge,
    opponents: Sequence[Opponent],
    *,
    samples: int | None,
    seed: int,
    usual: int = DRAWN,
) -> list[Views]:
    """Return the views of each opponent: all, if there are few, else draws.

    Parameters
    ----------
    knowledge
        What I know.
    opponents
        Who is looked at.
    samples
        Draw so many worlds; 0: take all views, however many there are; left out: draw ``usual``
        only where there are more than 4000 worlds or three times ``usual`` views.
    seed
        Repeats the draws.
    usual
        How many worlds are drawn where nobody names a number.

    Raises
    ------
    Contradiction
        No world fits.
    Undecided
        The budget does not reach.
    """
    if not samples:
        most = VIEWS_PER_DRAW * usual
        views = _all(knowledge, opponents, None if samples == 0 else most)
        if views is not None:
            return views
    worlds = Draws(knowledge, samples or usual, seed)
    return [Views(o, _DrawnViews(o, worlds), drawn=True) for o in opponents]


class Draws:
    """Worlds drawn by the posterior, when they are looked at; `IndexError` after the last.

    Parameters
    ----------
    knowledge
        Whose worlds.
    number
        How many.
    seed
        Repeats them.
    """

    def __init__(self, knowledge: Knowledge, number: int, seed: int) -> None:
        self.knowledge, self.number, self.seed = knowledge, number, seed
        self._batch: tuple[int, Sequence[World]] = (-1, ())

    def __len__(self) -> int:
        return self.number

    def __getitem__(self, place: int) -> World:
        if not 0 <= place < self.number:
            raise IndexError(place)
        batch, rest = divmod(place, BATCH)
        if self._batch[0] != batch:
            number = min(BATCH, self.number - batch * BATCH)
            seed = self.random("worlds", batch).getrandbits(32)
            self._batch = batch, self.knowledge.sample(number, seed=seed)
        return self._batch[1][rest]

    def random(self, what: str, place: int) -> Random:
        """Return the chance for one use of one world."""
        return Random(f"{self.seed} {what} {place}")


class _DrawnViews:
    """The views of an opponent in drawn worlds."""

    def __init__(self, opponent: Opponent, worlds: Draws) -> None:
        self.opponent, self.worlds = opponent, worlds

    def __len__(self) -> int:
        return len(self.worlds)

    def __getitem__(self, place: int) -> tuple[View, Fraction]:
        world = self.worlds[place]
        random = self.worlds.random(self.opponent.player, place)
        return self.opponent.draw(world, random), Fraction(1)


def _all(
    knowledge: Knowledge, opponents: Sequence[Opponent], most: int | None
) -> list[Views] | None:
    """Return all views, or ``None`` where there are more than ``most``, or too many worlds."""
    if most is not None and knowledge.count() > MOST_WORLDS:
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
                if most is not None and views + len(table) - before > most:
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
