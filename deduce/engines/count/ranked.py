"""The most probable worlds, the first first: best-first search over the plans of a sweep.

For every state of a plan the greatest weight of a completion is calculated backward, once. With
this bound, which is exact, a partial world is extended only as far as it leads to one of the worlds
that are asked for (A* search: Hart, Nilsson and Raphael, 1968; for Bayesian networks Nilsson, *An
efficient algorithm for finding the M most probable configurations*, 1998).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import combinations, product
from math import prod
from typing import Any, TypeVar

from deduce.budget import Meter
from deduce.engines.core.residue import Component, Group, Residue
from deduce.engines.count.sweep.plan import Close, Plan
from deduce.engines.count.trees import Best as BestOfTree
from deduce.engines.count.trees import Tree

__all__ = ["Taken", "combined", "ranked", "worlds_of"]

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
