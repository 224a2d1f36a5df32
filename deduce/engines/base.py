"""The interface of an engine: what each query means, for every engine alike; and shared queries.

==========  ==============================================================  =====================
engine      how it works                                                    answers
==========  ==============================================================  =====================
bits        bitset search pruned by propagation and the Hamming bound       everything, by search
matching    flow through values and nested capacities                       solve, possible
counting    dynamic programming over open constraints                       everything
components  search that splits into components and caches them              all but lists, numbers
cpsat       OR-Tools CP-SAT                                                 everything, by search
reference   python-constraint, the slow oracle                              everything, by listing
==========  ==============================================================  =====================

The answer never depends on the engine. An engine that cannot answer raises `Unsupported`; one that
runs out of its budget raises `Undecided`; neither is ever mistaken for "no".

Laws that hold for every engine, and between any two:

* the marginals of a joint distribution are those of the tally, and its sum is the total;
* what is not weighted looks at worlds only; what is weighted leaves out worlds that a likelihood
  gives the weight 0, and if these are all worlds, returns the total 0, an empty joint distribution,
  no draws and no ranked worlds;
* a world is drawn as often as it weighs, and 0 worlds are drawn from any problem;
* a value that is returned is the one of its variable's own domain: where ``True`` and 1 are in two
  domains, facts compare them by ``==``, as Python does, and answers do not exchange them.

Engines inherit queries that they answer from a list of all worlds (`Listing`, slow, plain, and the
yardstick in the tests) or leave to other engines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import nlargest
from random import Random
from typing import Any, ClassVar, NoReturn, Protocol, TypeAlias

from attrs import frozen

from deduce.budget import Meter
from deduce.constraints import Value, Variable, Weigh
from deduce.engines.core.model import Model, Statement
from deduce.errors import Unsupported
from deduce.problem import World, number_of

__all__ = [
    "ByTally",
    "Engine",
    "Joint",
    "Listing",
    "Numbers",
    "Question",
    "Ranked",
    "Selective",
    "Tally",
    "Weight",
    "weight_of",
]


Question = Mapping[Any, Sequence[tuple[Any, frozenset[Any]]]]
"""Labels, each with the literals that stand for it: exactly one literal holds in every world."""

Weight: TypeAlias = Fraction | int
"""How many worlds, an int; or, weighted, the sum of their weights."""

Joint = Mapping[tuple[Value, ...], Weight]
"""The weight of the worlds that give these answers, in the order of the questions."""


Numbers = Sequence[Mapping[int, Weight]]
"""For each `Weigh`, in the order of the problem, the weight of the worlds by its number."""


Ranked = Sequence[tuple[Weight, World]]
"""Worlds with their weights, the greatest weight first."""


@frozen
class Tally:
    """Weights of worlds: in all, and for each value of each variable.

    Values that no world has are left out. ``of`` has the marginals; divided by the total, these are
    the posterior, or the shares where all worlds weigh the same.
    """

    total: Weight
    of: Mapping[Variable, Mapping[Value, Weight]]


class Engine(Protocol):
    """A way to answer queries about a model."""

    name: ClassVar[str]
    """By method, not by vendor."""

    def supports(self, model: Model, query: str) -> bool:
        """Return whether the engine can answer this query (a method's name) about this model."""

    def solve(
        self, model: Model, meter: Meter, selection: Sequence[Statement] | None = None
    ) -> World | None:
        """Return a world that satisfies the selected statements, or ``None``; default: all."""

    def possible(self, model: Model, meter: Meter) -> Mapping[Variable, frozenset[Value]]:
        """Return the values that each variable has in some world; an empty mapping: no world."""

    def tally(self, model: Model, meter: Meter, *, weighted: bool) -> Tally:
        """Return the number (or weight) of all worlds, in all and by variable and value."""

    def total(self, model: Model, meter: Meter, *, weighted: bool) -> Weight:
        """Return the number (or weight) of all worlds."""

    def joint(
        self, model: Model, meter: Meter, questions: Sequence[Question], *, weighted: bool
    ) -> Joint:
        """Return the number (or weight) of worlds for each combination of answers that occurs.

        Summed over the other questions, it is the row of `tally` for the variable of a question.
        Combinations without weight are left out; an empty mapping: nothing has any weight.
        """

    def sample(
        self, model: Model, meter: Meter, number: int, random: Random, *, weighted: bool
    ) -> Sequence[World]:
        """Return independent worlds, drawn uniformly or by weight; empty when there is none.

        Each world comes with the probability that `tally` gives it: its weight, divided by the
        total. Of 0 worlds, the result is empty.
        """

    def numbers(self, model: Model, meter: Meter) -> Numbers:
        """Return how the weight of all worlds is shared out by the number of each likelihood.

        Numbers of the same kind may be lumped together under one of them.
        """

    def ranked(self, model: Model, meter: Meter, number: int) -> Ranked:
        """Return the worlds of the greatest weight with their weights, the greatest first."""

    def worlds(self, model: Model, meter: Meter) -> Iterator[World]:
        """Yield every world once."""


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
