"""Queries about a problem whose worlds are listed, in columns.

What players say about their knowledge is judged among all worlds, which are listed for that
(`deduce.reasoning.knowing`). The same list then answers every query.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from math import prod
from operator import and_
from random import Random
from typing import ClassVar

from attrs import frozen

from deduce.budget import Meter
from deduce.constraints import Weigh
from deduce.engines.base import ByTally, Joint, Numbers, Question, Ranked, Tally, Weight
from deduce.engines.core.model import Model, Statement
from deduce.engines.core.worlds import Column, Left, Mask, Worlds
from deduce.problem import World

__all__ = ["ListedWorlds"]


@frozen
class _Weighed:
    """Worlds in classes of equal weight: a column of the classes, and the weight of each."""

    worlds: Worlds
    mask: Mask
    column: Column
    weights: Sequence[Weight]
    numbers: Sequence[Column]
    """For each likelihood the number by which it weighs each world."""

    def groups(self, *columns: Column) -> Iterator[tuple[tuple[int, ...], int, int]]:
        """Yield combinations of values, the class, and how many worlds have them."""
        for row, number in self.worlds.groups([*columns, self.column], self.mask).items():
            yield row[:-1], row[-1], number

    def summed(self, *columns: Column) -> dict[tuple[int, ...], Weight]:
        """Return the weight of the worlds for each combination of values of columns."""
        table: dict[tuple[int, ...], Weight] = {}
        for row, kind, number in self.groups(*columns):
            if weight := self.weights[kind] * number:
                table[row] = table.get(row, 0) + weight
        return table

    def states(self, kind: int) -> Sequence[int]:
        """Return the worlds of a class, as states."""
        of = self.worlds.holding_value(self.column, kind) & self.mask
        return list(self.worlds.states(of))


class ListedWorlds(ByTally):
    """The engine of problems whose worlds are listed. Cost: the number of worlds."""

    name: ClassVar[str] = "worlds"

    def supports(self, model: Model, query: str) -> bool:
        """Return whether there is a list of the worlds."""
        return isinstance(model.all_worlds, Left)

    def solve(
        self, model: Model, meter: Meter, selection: Sequence[Statement] | None = None
    ) -> World | None:
        """Return a world that satisfies the selected statements, or ``None``."""
        worlds, mask = _left(model, meter, selection)
        state = next(worlds.states(mask), None)
        return None if state is None else model.world(state)

    def tally(self, model: Model, meter: Meter, *, weighted: bool) -> Tally:
        """Return the number (or weight) of all worlds, in all and by variable and value."""
        weighed = _weighed(model, meter, weighted=weighted)
        total = sum(weighed.summed().values())
        if not total:
            return Tally(0, {})
        of = {
            variable: {
                model.values[i][place]: weight
                for (place,), weight in weighed.summed(weighed.worlds.column(i)).items()
            }
            for i, variable in enumerate(model.variables)
        }
        return Tally(total, of)

    def total(self, model: Model, meter: Meter, *, weighted: bool) -> Weight:
        """Return the number (or weight) of all worlds."""
        return sum(_weighed(model, meter, weighted=weighted).summed().values())

    def joint(
        self, model: Model, meter: Meter, questions: Sequence[Question], *, weighted: bool
    ) -> Joint:
        """Return the number (or weight) of worlds for each combination of answers that occurs."""
        weighed = _weighed(model, meter, weighted=weighted)
        labels = [list(question) for question in questions]
        columns = [weighed.worlds.answers(question)[0] for question in questions]
        return {
            tuple(of[number] for of, number in zip(labels, row, strict=True)): weight
            for row, weight in weighed.summed(*columns).items()
        }

    def sample(
        self, model: Model, meter: Meter, number: int, random: Random, *, weighted: bool
    ) -> Sequence[World]:
        """Return independent worlds, drawn uniformly or by weight; empty when there is none."""
        weighed = _weighed(model, meter, weighted=weighted)
        shares = {kind: weight for (kind,), weight in weighed.summed(weighed.column).items()}
        if not shares:
            return []
        total = sum(shares.values())
        parts = [float(Fraction(weight) / total) for weight in shares.values()]
        kinds = random.choices(list(shares), parts, k=number)
        states = {kind: weighed.states(kind) for kind in set(kinds)}
        return [model.world(random.choice(states[kind])) for kind in kinds]

    def numbers(self, model: Model, meter: Meter) -> Numbers:
        """Return how the weight of all worlds is shared out by the number of each likelihood."""
        weighed = _weighed(model, meter, weighted=True)
        return [
            {number: weight for (number,), weight in weighed.summed(numbers).items()}
            for numbers in weighed.numbers
        ]

    def ranked(self, model: Model, meter: Meter, number: int) -> Ranked:
        """Return the worlds of the greatest weight with their weights, the greatest first."""
        weighed = _weighed(model, meter, weighted=True)
        ranked: list[tuple[Weight, World]] = []
        for kind in sorted(range(len(weighed.weights)), key=lambda k: -weighed.weights[k]):
            if len(ranked) < number and (weight := weighed.weights[kind]):
                states = weighed.states(kind)[: number - len(ranked)]
                ranked += [(weight, model.world(state)) for state in states]
        return ranked

    def worlds(self, model: Model, meter: Meter) -> Iterator[World]:
        """Yield every world once."""
        worlds, mask = _left(model, meter, None)
        for state in worlds.states(mask):
            meter.spend(len(model.variables))
            yield model.world(state)


def _left(model: Model, meter: Meter, selection: Sequence[Statement] | None) -> tuple[Worlds, Mask]:
    """Return the list of worlds and those that satisfy the selected statements."""
    assert isinstance(model.all_worlds, Left)
    worlds = model.all_worlds.worlds
    statements = model.statements if selection is None else selection
    meter.spend(1 + worlds.size * len(model.variables) // 16)
    return worlds, reduce(and_, map(worlds.holding, statements), worlds.all)


def _weighed(model: Model, meter: Meter, *, weighted: bool) -> _Weighed:
    worlds, mask = _left(model, meter, None)
    likelihoods = [
        (weigh, statement.weigh)
        for weigh, statement in zip(model.problem.constraints(), model.statements, strict=True)
        if weighted and isinstance(weigh, Weigh) and statement.weigh is not None
    ]
    numbers = [worlds.numbers(form) for _, form in likelihoods]
    columns, different = [], list[list[Weight]]()
    for (weigh, _), column in zip(likelihoods, numbers, strict=True):
        places = {weight: place for place, weight in enumerate(dict.fromkeys(weigh.weights))}
        columns.append(worlds.replaced(column, [places[weight] for weight in weigh.weights]))
        different.append([*places])
    kind = worlds.alike(columns)
    weights: dict[int, Weight] = {}
    for row in worlds.groups([*columns, kind], worlds.all):
        weights[row[-1]] = prod(some[place] for some, place in zip(different, row, strict=False))
    size = max(weights, default=-1) + 1
    by_kind = [weights.get(number, Fraction(0)) for number in range(size)]
    return _Weighed(worlds, mask, kind, by_kind, numbers)
