"""The counting engine: components swept one by one, their results multiplied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, islice, product
from math import inf, prod
from random import Random
from typing import ClassVar

from attrs import evolve, frozen

from deduce.budget import Meter
from deduce.constraints import Value, Variable
from deduce.engines.base import Joint, Numbers, Question, Ranked, Tally, Weight
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.lowering import lowered
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import Model, Statement
from deduce.engines.core.residue import Literal, Residue, residue
from deduce.engines.count.part import Parts, Settings
from deduce.engines.count.ranked import Taken, combined, ranked, worlds_of
from deduce.engines.count.sweep.draws import below
from deduce.engines.count.trees import trees_of
from deduce.engines.solve.listing import Selective
from deduce.problem import World

__all__ = ["Counting", "rounding"]


@frozen
class Counting(Settings, Selective):
    """The counting engine.

    Answers depend on none of its settings, except for what ``exact=False`` allows.
    """

    name: ClassVar[str] = "counting"

    def supports(self, model: Model, query: str) -> bool:
        """Return ``True``: a sweep answers everything."""
        return True

    def solve(
        self, model: Model, meter: Meter, selection: Sequence[Statement] | None = None
    ) -> World | None:
        """Return a world that satisfies the selected statements, or ``None``."""
        swept = _Swept(model, meter, self, selection=selection)
        return next(iter(swept.worlds(1, Random(0))), None)

    def possible(self, model: Model, meter: Meter) -> Mapping[Variable, frozenset[Value]]:
        """Return the values that each variable has in some world; an empty mapping: no world."""
        tally = self.tally(model, meter, weighted=False)
        return {variable: frozenset(row) for variable, row in tally.of.items()}

    def tally(self, model: Model, meter: Meter, *, weighted: bool) -> Tally:
        """Return the number (or weight) of all worlds, in all and by variable and value."""
        swept = _Swept(model, meter, self, weighted=weighted)
        return Tally(swept.weight(swept.total), swept.marginals() if swept.total else {})

    def total(self, model: Model, meter: Meter, *, weighted: bool) -> Weight:
        """Return the number (or weight) of all worlds."""
        swept = _Swept(model, meter, self, weighted=weighted, keep=False)
        return swept.weight(swept.total)

    def joint(
        self, model: Model, meter: Meter, questions: Sequence[Question], *, weighted: bool
    ) -> Joint:
        """Return the number (or weight) of worlds for each combination of answers that occurs."""
        return _Swept(model, meter, self, weighted=weighted, questions=questions, keep=False).joint(
            meter
        )

    def sample(
        self, model: Model, meter: Meter, number: int, random: Random, *, weighted: bool
    ) -> Sequence[World]:
        """Return independent worlds, drawn uniformly or by weight; empty when there is none."""
        swept = _Swept(model, meter, self, weighted=weighted)
        return swept.worlds(number, random)

    def numbers(self, model: Model, meter: Meter) -> Numbers:
        """Return how the weight of all worlds is shared out by the number of each likelihood."""
        settings = evolve(self, trees=False)  # these do not keep numbers apart
        return _Swept(model, meter, settings, weighted=True).numbers()

    def ranked(self, model: Model, meter: Meter, number: int) -> Ranked:
        """Return the worlds of the greatest weight with their weights, the greatest first."""
        return list(islice(self._ranked(model, meter), number))

    def worlds(
        self, model: Model, meter: Meter, *, sweeping: Meter | None = None
    ) -> Iterator[World]:
        """Yield every world once, in the order of a sweep, which is made at once.

        What that takes is counted by the meter ``sweeping``, if there is one.
        """
        settings = evolve(self, arrays=False, sets=False, trees=False, orders_from=inf)
        return _Swept(model, sweeping or meter, settings).listed(meter)

    def _ranked(self, model: Model, meter: Meter) -> Iterator[tuple[Weight, World]]:
        model, _ = lowered(model, meter)
        bounds = Bounds(model, meter=meter)
        state = bounds.narrow(bounds.start)
        if state == IMPOSSIBLE:
            return
        weighs = [s.weigh for s in model.statements if s.weigh]
        trees = trees_of(bounds, state, weighs) if self.trees else []
        rest = residue(
            bounds, state, weighs=weighs, without=[i for tree in trees for i in tree.vectors]
        )
        scale = prod(weigh.scale for weigh in weighs)
        for weight, taken in ranked(rest, trees, meter):
            for values in worlds_of(taken, lambda mask: list(bits_of(mask))):
                world = state
                for i, bit in values.items():
                    shift = i * model.stride
                    world = world & ~(model.field << shift) | bit << shift
                yield Fraction(weight, scale), model.world(world)


def rounding() -> Counting:
    """Return the engine that may round probabilities which rest on estimated weights."""
    return Counting(exact=False)


class _Swept:
    """All components of a model, swept."""

    def __init__(
        self,
        model: Model,
        meter: Meter,
        settings: Settings,
        *,
        selection: Sequence[Statement] | None = None,
        weighted: bool = False,
        questions: Sequence[Question] = (),
        keep: bool = True,
    ) -> None:
        model, selection = lowered(model, meter, selection)
        self.model = model
        self.total = 0
        self.scale = 1
        self.labels: list[list[Value]] = [list(question) for question in questions]
        bounds = Bounds(model, selection, meter)
        known = None if selection is not None else model.left
        self.state = bounds.narrow(bounds.start) if known is None else known
        if self.state == IMPOSSIBLE:
            return
        weighs = [s.weigh for s in model.statements if s.weigh]
        self.scale = prod(weigh.scale for weigh in weighs) if weighted else 1
        if not (weighted and any(weigh.estimated for weigh in weighs)):
            settings = evolve(settings, exact=True)
        used = weighs if weighted else ()
        literals = [self._literals(question) for question in questions]
        trees = trees_of(bounds, self.state, used, literals) if settings.trees else []
        within = [i for tree in trees for i in tree.vectors]
        self.residue: Residue = residue(
            bounds, self.state, weighs=used, questions=literals, without=within
        )
        self.parts = Parts(self.residue, trees, meter, settings, keep=keep)
        self.total = self.parts.total

    def _literals(self, question: Question) -> list[Literal]:
        model = self.model
        return [
            (model.index[variable], model.mask(values), label)
            for label, literals in enumerate(question.values())
            for variable, values in literals
        ]

    def weight(self, scaled: int, sharing: int = 1) -> Weight:
        """Return a weight divided by ``sharing``; a number of worlds stays an int."""
        if self.scale == 1:
            return scaled // sharing
        return Fraction(scaled, sharing * self.scale)

    def marginals(self) -> Mapping[Variable, Mapping[Value, Weight]]:
        model = self.model
        of: dict[Variable, dict[Value, Weight]] = {variable: {} for variable in model.variables}
        whole = self.weight(self.total)
        for i, variable in enumerate(model.variables):
            domain = model.domain(self.state, i)
            if domain & (domain - 1) == 0:
                (value,) = model.values_in(i, domain)
                of[variable][value] = whole
        for group, effect, flow in self.parts.flows():
            share = self.weight(flow, effect.values.bit_count())
            for value in model.values_in(group.members[0], effect.values):
                for i in group.members:
                    of[model.variables[i]][value] = share
        for i, place, flow in self.parts.tree_flows():
            of[model.variables[i]][model.values[i][place]] = self.weight(flow)
        return {variable: of[variable] for variable in model.variables[: model.shown]}

    def numbers(self) -> Numbers:
        weighs = sum(s.weigh is not None for s in self.model.statements)
        of: list[dict[int, Weight]] = [{} for _ in range(weighs)]
        if not self.total:
            return of
        for (index, number), flow in self.parts.numbers():
            of[index][number] = self.weight(flow)
        marginals = self.marginals() if any(self.residue.weighed.values()) else {}
        for index, known in self.residue.weighed.items():
            if isinstance(known, int):
                of[index][known] = self.weight(self.total)
                continue
            i, levels = known
            row = marginals[self.model.variables[i]]
            for number, mask in levels:
                of[index][number] = sum(row.get(v, 0) for v in self.model.values_in(i, mask))
        return of

    def joint(self, meter: Meter) -> Joint:
        if not self.total:
            return {}
        price = 1 + len(self.labels)  # of one combination of answers
        table: dict[tuple[Value, ...], Weight] = {}
        for given, ways in self.parts.answers(len(self.labels)):
            options = [
                known[number] if (number := given.get(q, 0)) >= 0 else (-1 - number,)
                for q, known in enumerate(self.residue.answers)
            ]
            weight = self.weight(ways, prod(map(len, options)))
            for choice in product(*options) if weight else ():  # a likelihood may exclude all ways
                meter.spend(price)
                key = tuple(labels[c] for labels, c in zip(self.labels, choice, strict=True))
                table[key] = table.get(key, 0) + weight
        return table

    def worlds(self, number: int, random: Random) -> list[World]:
        """Return worlds drawn independently; empty when there is none."""
        if not self.total or not number:
            return []
        model = self.model
        settled = [values[0] if len(values) == 1 else None for values in self._domains()]
        rows = [settled.copy() for _ in range(number)]
        self.parts.draw(rows, model.values_in, below(random))
        shown = model.variables[: model.shown]
        return [dict(zip(shown, row, strict=False)) for row in rows]

    def listed(self, meter: Meter) -> Iterator[World]:
        """Yield every world once."""
        if not self.total:
            return
        model, price = self.model, 1 + len(self.model.variables) // 4
        row = [values[0] for values in self._domains()]
        shown = model.variables[: model.shown]
        known: dict[Taken, tuple[int, Value]] = {}

        def write(taken: Sequence[Taken]) -> list[Taken]:
            """Write the values of variables that are alone; return what has several ways."""
            several = []
            for item in taken:
                if item not in known:
                    group, effect, _ = item
                    i, mask = group.members[0], group.effects[effect].values
                    alone = len(group.members) == 1 == mask.bit_count()
                    known[item] = (i if alone else -1), model.values_in(i, mask)[0]
                i, value = known[item]
                if i < 0:
                    several.append(item)
                else:
                    row[i] = value
            return several

        for chosen in combined(self.parts.ways(write)):
            taken = list(chain.from_iterable(chosen))
            for values in worlds_of(taken, lambda mask: list(bits_of(mask))) if taken else ({},):
                meter.spend(price)
                for i, bit in values.items():
                    (row[i],) = model.values_in(i, bit)
                yield dict(zip(shown, row, strict=False))

    def _domains(self) -> Iterator[list[Value]]:
        for i in range(len(self.model.variables)):
            yield self.model.values_in(i, self.model.domain(self.state, i))
