"""Queries that engines have in common: answered from a list of all worlds, or left to others.

The list is slow, plain, and the yardstick in the tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import nlargest
from random import Random
from typing import Any, ClassVar, NoReturn

from deduce.budget import Meter
from deduce.constraints import Value, Variable, Weigh
from deduce.engines.base import Joint, Numbers, Question, Ranked, Tally, Weight
from deduce.engines.core.model import Model
from deduce.errors import Unsupported
from deduce.problem import World, number_of

__all__ = ["ByTally", "Listing", "Selective", "weight_of"]


def weight_of(world: World, weighs: Sequence[Weigh]) -> Weight:
    """Return how many times a world counts."""
    weight: Weight = 1
    for weigh in weighs:
        weight *= weigh.weights[number_of(weigh, world)]
    return weight


class ByTally:
    """An engine that reads what is possible from its tally."""

    def tally(self, model: Model, meter: Meter, *, weighted: bool) -> Tally:
        """Return the number (or weight) of all worlds, in all and by variable and value."""
        raise NotImplementedError

    def possible(self, model: Model, meter: Meter) -> Mapping[Variable, frozenset[Value]]:
        """Return the values that each variable has in some world; an empty mapping: no world."""
        rows = self.tally(model, meter, weighted=False).of
        return {variable: frozenset(values) for variable, values in rows.items()}


class Listing(ByTally):
    """The queries of an engine that can list all worlds. Cost: the number of worlds."""

    def worlds(self, model: Model, meter: Meter) -> Iterator[World]:
        """Yield every world once; each listing engine has its own way."""
        raise NotImplementedError

    def tally(self, model: Model, meter: Meter, *, weighted: bool) -> Tally:
        """Return the number (or weight) of all worlds, in all and by variable and value."""
        total: Weight = 0
        of: dict[Variable, dict[Value, Weight]] = {}
        for world, weight in self._weighted(model, meter, weighted=weighted):
            total += weight
            for variable, value in world.items():
                row = of.setdefault(variable, {})
                row[value] = row.get(value, 0) + weight
        return Tally(total, of)

    def total(self, model: Model, meter: Meter, *, weighted: bool) -> Weight:
        """Return the number (or weight) of all worlds."""
        return self.tally(model, meter, weighted=weighted).total

    def joint(
        self, model: Model, meter: Meter, questions: Sequence[Question], *, weighted: bool
    ) -> Joint:
        """Return the number (or weight) of worlds for each combination of answers that occurs."""
        table: dict[tuple[Value, ...], Weight] = {}
        for world, weight in self._weighted(model, meter, weighted=weighted):
            answers = tuple(_answer(question, world) for question in questions)
            table[answers] = table.get(answers, 0) + weight
        return table

    def sample(
        self, model: Model, meter: Meter, number: int, random: Random, *, weighted: bool
    ) -> Sequence[World]:
        """Return independent worlds, drawn uniformly or by weight; empty when there is none."""
        pairs = list(self._weighted(model, meter, weighted=weighted))
        if not pairs:
            return []
        worlds = [world for world, _ in pairs]
        return random.choices(worlds, [weight for _, weight in pairs], k=number)

    def numbers(self, model: Model, meter: Meter) -> Numbers:
        """Return how the weight of all worlds is shared out by the number of each likelihood."""
        weighs = [c for c in model.problem.constraints() if isinstance(c, Weigh)]
        numbers: list[dict[int, Weight]] = [{} for _ in weighs]
        for world, weight in self._weighted(model, meter, weighted=True):
            for weigh, of in zip(weighs, numbers, strict=True):
                number = number_of(weigh, world)
                of[number] = of.get(number, 0) + weight
        return numbers

    def ranked(self, model: Model, meter: Meter, number: int) -> Ranked:
        """Return the worlds of the greatest weight with their weights, the greatest first."""
        pairs = [(weight, world) for world, weight in self._weighted(model, meter, weighted=True)]
        return nlargest(number, pairs, key=lambda pair: pair[0])

    def _weighted(
        self, model: Model, meter: Meter, *, weighted: bool
    ) -> Iterator[tuple[World, Weight]]:
        """Yield the worlds that count, with their weights: no likelihood is 0 in them."""
        constraints = model.problem.constraints()
        weighs = [c for c in constraints if weighted and isinstance(c, Weigh)]
        size = 2 * len(model.variables) + sum(len(weigh.facts) for weigh in weighs)
        for world in self.worlds(model, meter):
            meter.spend(size)
            weight = weight_of(world, weighs)
            if weight:
                yield world, weight


class Selective(ByTally):
    """An engine that leaves queries to others: whatever it does not define raises `Unsupported`."""

    name: ClassVar[str]

    def tally(self, model: Model, meter: Meter, *, weighted: bool) -> Tally:
        """Raise `Unsupported`."""
        self._refuse("count worlds", "counting")

    def total(self, model: Model, meter: Meter, *, weighted: bool) -> Weight:
        """Raise `Unsupported`."""
        self._refuse("count worlds", "counting")

    def joint(
        self, model: Model, meter: Meter, questions: Sequence[Question], *, weighted: bool
    ) -> Joint:
        """Raise `Unsupported`."""
        self._refuse("count worlds", "counting")

    def sample(
        self, model: Model, meter: Meter, number: int, random: Random, *, weighted: bool
    ) -> Sequence[World]:
        """Raise `Unsupported`."""
        self._refuse("draw samples", "counting")

    def numbers(self, model: Model, meter: Meter) -> Numbers:
        """Raise `Unsupported`."""
        self._refuse("count by likelihoods", "counting")

    def ranked(self, model: Model, meter: Meter, number: int) -> Ranked:
        """Raise `Unsupported`."""
        self._refuse("rank worlds", "counting")

    def worlds(self, model: Model, meter: Meter) -> Iterator[World]:
        """Raise `Unsupported`."""
        self._refuse("list worlds", "bits")

    def _refuse(self, what: str, other: str) -> NoReturn:
        raise Unsupported(f"the engine {self.name!r} does not {what}; {other!r} does")


def _answer(question: Question, world: World) -> Any:
    return next(
        label
        for label, literals in question.items()
        if any(world[variable] in values for variable, values in literals)
    )
