"""The counting engine: components swept one by one, their results multiplied."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from heapq import heappop, heappush
from itertools import chain, combinations, islice, product
from math import inf, prod
from random import Random
from typing import Any, ClassVar, TypeVar, cast

from attrs import evolve, frozen

from deduce.budget import Meter
from deduce.constraints import Value, Variable
from deduce.engines.base import Joint, Numbers, Question, Ranked, Selective, Tally, Weight
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.lowering import lowered
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import Model, Statement
from deduce.engines.core.residue import Component, Group, Literal, Residue, residue
from deduce.engines.count.part import Parts, Settings
from deduce.engines.count.sweep.draws import below
from deduce.engines.count.sweep.plan import Close, Plan
from deduce.engines.count.trees import Best as BestOfTree
from deduce.engines.count.trees import Tree, trees_of
from deduce.problem import World

__all__ = ["Counting", "Taken", "combined", "ranked", "rounding", "worlds_of"]

KEPT = 1_000_000
"""A sweep that took this number of steps is kept for further draws: it has few states."""


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
        """Return independent worlds, drawn uniformly or by weight; empty when there is none.

        A short sweep is kept, for `again`.
        """
        part = meter.share()
        try:
            swept = _Swept(model, part, self, weighted=weighted)
            worlds = swept.worlds(number, random)
        finally:
            meter.steps += part.steps
        if worlds and part.steps <= KEPT:
            model.drawn[self, weighted] = 2 * (part.steps + KEPT), swept
        return worlds

    def again(
        self, model: Model, meter: Meter, number: int, random: Random, *, weighted: bool
    ) -> Sequence[World] | None:
        """Return worlds from the sweep of an earlier sample; ``None`` if none was kept.

        A budget that might not suffice for a new sweep does not for this one, so that the answer
        does not depend on earlier questions.
        """
        needed, swept = cast("tuple[int, _Swept]", model.drawn.get((self, weighted), (0, None)))
        limit = meter.budget.steps
        if not needed or (limit is not None and limit < needed):
            return None
        swept.meter.become(meter)
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
        trees = trees_of(bounds, state, weighs) if self.trees and bounds.wheres else []
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
        if model.nested or selection is not None:
            model, selection = lowered(model, meter, selection)
        self.model = model
        self.meter = meter
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
        may_be_trees = settings.trees and bounds.wheres
        trees = trees_of(bounds, self.state, used, literals) if may_be_trees else []
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
                of[variable][model.values[i][domain.bit_length() - 1]] = whole
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


T = TypeVar("T")

Taken = tuple[Group, int, int]
"""A group, an effect, and how many members of the group take the values of the effect."""


_Chain = tuple[Taken, "_Chain | None"]
"""What was taken last, and the chain of what was taken before: partial worlds share their pasts."""


class _Best:
    """The greatest weight of a completion of each state of one component."""

    def __init__(self, component: Component, meter: Meter) -> None:
        self.plan = Plan(component, meter)
        self.meter = meter
        self.length = len(self.plan.steps)
        self.start = 0
        self.known: list[dict[int, int]] = [{} for _ in range(self.length + 1)]
        layers: list[dict[int, None]] = [{self.start: None}]
        for index in range(self.length):
            following: dict[int, None] = {}
            for state in layers[-1]:
                for target, _, _ in self.moves(index, state):
                    following[target] = None
            layers.append(following)
        self.known[-1] = dict.fromkeys(layers[-1], 1)
        for index in reversed(range(self.length)):
            after = self.known[index + 1].get
            self.known[index] = {
                state: max(
                    (weight * after(target, 0) for target, weight, _ in self.moves(index, state)),
                    default=0,
                )
                for state in layers[index]
            }
        self.top = self.known[0][self.start]

    def beyond(self, index: int, state: Any) -> int:
        """Return the greatest weight of what is still to be chosen; 0: nothing completes it."""
        return self.known[index].get(state, 0)

    def moves(self, index: int, state: Any) -> Iterator[tuple[Any, int, Taken | None]]:
        """Yield each next state with the factor of a world's weight and what was taken."""
        step = self.plan.steps[index]
        if isinstance(step, Close):
            self.meter.spend()
            if (state + step.lift) & step.test == step.test:
                weight, target = step.closed(state)
                if weight:
                    yield target, weight, None
            return
        effects = step.group.effects
        choices = step.choices[state >> step.shift & step.mask]
        self.meter.spend(len(choices) + 1)
        for add, either, _, effect, taken in choices:
            target = (state | either) + add
            if not target & step.guards:
                yield target, effects[effect].weight ** taken, (step.group, effect, taken)


def ranked(rest: Residue, trees: Sequence[Tree], meter: Meter) -> Iterator[tuple[int, list[Taken]]]:
    """Yield what the groups take in the most probable worlds, with the weight of each such world.

    It is a best-first search over the plans of a sweep. For every state of a plan the greatest
    weight of a completion is calculated backward, once. With this bound, which is exact, a partial
    world is extended only as far as it leads to one of the worlds that are asked for (A* search:
    Hart, Nilsson and Raphael, 1968; for Bayesian networks Nilsson, *An efficient algorithm for
    finding the M most probable configurations*, 1998).

    Groups of several members may take their effects in several ways, which are worlds of the same
    weight.
    """
    bests: list[_Best | BestOfTree] = [
        *map(BestOfTree, trees),
        *(_Best(component, meter) for component in rest.components),
    ]
    tops = [best.top for best in bests]
    factor = rest.factor
    if not factor or not all(tops):
        return
    later = [prod(tops[index + 1 :]) for index in range(len(tops))]
    heap: list[tuple[int, int, int, int, Any, int, _Chain | None]] = []
    ticket = 0
    if not bests:
        yield factor, []
        return
    heappush(heap, (-factor * prod(tops), 0, 0, 0, bests[0].start, factor, None))
    while heap:
        _, _, part, index, state, weight, taken = heappop(heap)
        best = bests[part]
        if index == best.length:
            if part + 1 == len(bests):
                yield weight, _listed(taken)
                continue
            best = bests[part + 1]
            part, index, state = part + 1, 0, best.start
        for target, more, choice in best.moves(index, state):
            beyond = best.beyond(index + 1, target)
            if more and beyond:
                ticket += 1
                bound = weight * more * beyond * later[part]
                chosen = (choice, taken) if choice and choice[2] else taken
                # Deeper first among equals: a world is finished before others are begun.
                entry = (-bound, -ticket, part, index + 1, target, weight * more, chosen)
                heappush(heap, entry)


def _listed(chain: _Chain | None) -> list[Taken]:
    taken: list[Taken] = []
    while chain is not None:
        last, chain = chain
        taken.append(last)
    return taken[::-1]


def worlds_of(
    taken: Sequence[Taken], values_in: Callable[[int], list[int]]
) -> Iterator[dict[int, int]]:
    """Yield the value of each variable, by index, in every world in which the groups take this."""
    by_group: dict[int, list[Taken]] = {}
    for one in taken:
        by_group.setdefault(id(one[0]), []).append(one)
    groups = list(by_group.values())
    for chosen in combined([partial(_assignments, parts, values_in) for parts in groups]):
        yield {variable: value for part in chosen for variable, value in part.items()}


def combined(makers: Sequence[Callable[[], Iterator[T]]]) -> Iterator[list[T]]:
    """Yield all combinations of what some iterators give, as `itertools.product` does.

    That would list all that each gives first; here an iterator is made again. None may be empty.
    """
    ways = [make() for make in makers]
    chosen = [next(way) for way in ways]
    while True:
        yield chosen
        for index in reversed(range(len(makers))):
            following = next(ways[index], None)
            if following is None:
                ways[index] = makers[index]()
                chosen[index] = next(ways[index])
            else:
                chosen[index] = following
                break
        else:
            return


def _assignments(
    parts: Sequence[Taken], values_in: Callable[[int], list[int]]
) -> Iterator[dict[int, int]]:
    def place(index: int, left: tuple[int, ...]) -> Iterator[dict[int, int]]:
        if index == len(parts):
            yield {}
            return
        group, effect, number = parts[index]
        values = values_in(group.effects[effect].values)
        for members in combinations(left, number):
            rest = tuple(member for member in left if member not in members)
            for chosen in product(values, repeat=number):
                for others in place(index + 1, rest):
                    yield {**dict(zip(members, chosen, strict=True)), **others}

    yield from place(0, parts[0][0].members)
