"""Counting by search with component caching: branch, propagate, split, and count no part twice.

After each choice and its propagation, what is still open often falls apart into *components* that
share no constraint. Their counts multiply, and each is looked up by its state before it is counted:
the open values of its variables and what its constraints still need. So the search does not visit
worlds but different components (Sang et al., *Combining component caching and clause learning for
effective model counting*, SAT 2004; Thurley, *sharpSAT*, SAT 2006), here on Counts, Sums and tables
instead of clauses.

What was visited is kept as a graph of choices and products.

`Branching` chooses what is branched on: a variable with the fewest values, and of these the one
that most is demanded of; or, if a Count (or a Sum of ones, which is a Count under a condition)
leaves less choice than any variable, whether one of its facts holds. Where most constraints are
linear equations modulo 2, only variables of the others are branched on, and the rest is eliminated
(`deduce.engines.core.linear`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from math import prod
from random import Random
from typing import Any, Protocol

from attrs import define, field

from deduce.budget import Meter
from deduce.engines.core.bounds import IMPOSSIBLE, WORD, Bounds
from deduce.engines.core.linear import FEWEST, Elimination, Linear, upper
from deduce.engines.core.masks import bits_of, positions, root
from deduce.engines.core.model import CompiledWeigh, Form, Model
from deduce.engines.core.residual import CountResidual, Residual, SumResidual, Watches, residual_of
from deduce.engines.count.search.pairwise import (
    MAX_CELLS,
    MAX_VARIABLES,
    MIN_WAYS,
    Clique,
    Pairs,
    is_pairwise,
)
from deduce.system.arrays import needs_arrays

__all__ = ["MAX_CLIQUE", "Branch", "Branching", "Leaf", "Node", "Search", "Subproblem"]


MAX_CLIQUE = 24
"""Constraints about more open variables than this count alike for the choice of one."""


@define(eq=False)
class Subproblem:
    """A component that is to be counted."""

    state: int
    guards: int
    active: list[int]
    key: Hashable
    mask: int = 0
    """The active constraints, a bit each."""
    reaches: list[int] = field(factory=list)
    """For each active constraint the guards of the variables that it is still about."""
    demands: tuple[tuple[int, Any], ...] = ()
    """For each active constraint its number, and what is demanded of these variables."""
    others: int = 0
    """The guards of the variables of constraints that are not linear, where most are."""


class Branching:
    """How the components of a problem are branched on.

    Parameters
    ----------
    model, residuals, watches
        The problem, and its constraints as the search looks at them.
    """

    def __init__(self, model: Model, residuals: Sequence[Residual], watches: Watches) -> None:
        self.model = model
        self.residuals = residuals
        self.watches = watches

    def choices(self, part: Subproblem) -> list[tuple[int, int]]:
        """Return the states to try for one variable, each with the constraints to examine."""
        model = self.model
        candidates = part.others or self._narrowest(part)
        i = candidates.bit_length() // model.stride - 1
        literal = self._literal(part, model.domain(part.state, i).bit_count())
        if literal is not None:
            i, mask = literal
            domain = model.domain(part.state, i)
            pieces = [domain & mask, domain & ~mask]
        else:
            i = self._variable(part, candidates)
            domain = model.domain(part.state, i)
            pieces = list(bits_of(domain))
        shift = i * model.stride
        others = part.state & ~(model.field << shift)
        choices = []
        for piece in pieces:
            state = others | piece << shift
            removed = (domain ^ piece) << shift
            choices.append((state, self.watches.narrower(state, removed) & part.mask))
        return choices

    def _literal(self, part: Subproblem, fewest: int) -> tuple[int, int] | None:
        """Return a variable and values of it, of the Count that leaves the least choice.

        ``None`` if a variable with the fewest values leaves less.
        """
        if fewest == 2:
            return None
        best, stride = None, self.model.stride
        for (number, demand), reach in zip(part.demands, part.reaches, strict=True):
            residual = self.residuals[number]
            if isinstance(residual, CountResidual | SumResidual) and demand[0] > 0:
                choice = reach.bit_count() - demand[0] + 1
                if choice < fewest:
                    variables = [guard.bit_length() // stride - 1 for guard in bits_of(reach)]
                    if residual.mask_of.keys() >= {*variables}:
                        fewest, best = choice, (residual, variables)
        if best is None:
            return None
        residual, variables = best
        i = min(variables, key=lambda i: self.model.domain(part.state, i).bit_count())
        return i, residual.mask_of[i]

    def _variable(self, part: Subproblem, candidates: int) -> int:
        """Return the variable to branch on, of those with a guard in ``candidates``.

        The one that most constraints are about, where a constraint counts for a quarter with each
        further variable that it is still about.
        """
        stride = self.model.stride
        variables = [guard.bit_length() // stride - 1 for guard in bits_of(candidates)]
        if len(variables) == 1:
            return variables[0]
        score = dict.fromkeys(variables, 0.0)
        for reach in part.reaches:
            weight = 4.0 ** -min(reach.bit_count(), MAX_CLIQUE)
            for guard in bits_of(reach & candidates):
                score[guard.bit_length() // stride - 1] += weight
        return max(variables, key=lambda i: (score[i], -i))

    def _narrowest(self, part: Subproblem) -> int:
        """Return the guards of the variables of a component that have the fewest values."""
        width, state = self.model.width, part.state
        size_of = {
            guard: (state & (guard - (guard >> width))).bit_count()
            for guard in bits_of(part.guards)
        }
        fewest = min(size_of.values())
        return sum(guard for guard, size in size_of.items() if size == fewest)


MIXED = 8
"""From this number of linear constraints on, if they are most, the others are branched on first."""

LOOK = 400
"""The price of the revisions between two looks at the limits."""

MAX_BOUNDED = 30_000
"""Domains that are multiplied at most for the bounds of an interrupted count."""


class Leaf(Protocol):
    """A component that is counted without branching."""

    total: int

    def flows(self) -> Iterable[tuple[int, int]]:
        """Return value bits, each with the weight of the component's worlds that have it."""

    def draw(self, random: Random) -> int:
        """Return the values of the component in a world that is drawn by weight."""


@define(eq=False)
class Branch:
    """One choice: what it settles or frees, and the components that it leaves."""

    rest: int
    """The values of the variables that are in no child; several where a variable is free."""
    total: int
    """The weight of all ways: of the settled likelihoods, the free values and the children."""
    children: tuple[Node, ...]


@define(eq=False)
class Node:
    """A component: its choices, of which exactly one holds in every world, and their weight."""

    total: int = 0
    branches: list[Branch] = field(factory=list)
    leaf: Leaf | None = None
    """What takes the place of the choices where a component is counted in another way."""


@define(eq=False)
class _Frame:
    """A node while its choices are tried; ``parts`` and ``children`` belong to the current one."""

    node: Node
    part: Subproblem
    states: list[tuple[int, int]]
    rest: int = 0
    factor: int = 0
    parts: list[Subproblem] = field(factory=list)
    children: list[Node] = field(factory=list)


class Search:
    """Counts the worlds within states of a problem, and remembers all components for later ones.

    Parameters
    ----------
    bounds
        The constraints in force.
    meter
        Counts the constraints that are examined, by the length of the state.
    weighs
        The likelihoods to apply.

    Raises
    ------
    Undecided
        From `count`, when the meter's budget is used up; it carries what the bounds are then.
    """

    def __init__(self, bounds: Bounds, meter: Meter, weighs: Sequence[CompiledWeigh] = ()) -> None:
        self.model = model = bounds.model
        self.meter = meter
        self.residuals: list[Residual] = []
        forms: list[Form] = [*bounds.counts, *bounds.sums, *bounds.wheres, *weighs]
        for form in forms:
            self.residuals.append(residual_of(form, model, meter))
        self.revise: list[Callable[[int], int]] = [r.revise for r in self.residuals]
        self.watches = Watches(self.residuals, model, meter)
        self.pairwise = frozenset(n for n, r in enumerate(self.residuals) if is_pairwise(r))
        """The constraints that only exclude pairs."""
        self.pairs: Pairs | None = None
        self.price = 3 + model.start.bit_length() // WORD
        self.often = max(1, LOOK // self.price)
        """After how many revisions the limits are looked at."""
        self.cache: dict[Hashable, Node] = {}
        self.branching = Branching(model, self.residuals, self.watches)
        self._stack: list[_Frame] = []
        self._start = model.start

    def count(self, state: int) -> Branch | None:
        """Return all worlds within a propagated state as one choice; ``None``: there is none."""
        self._stack, self._start = [], state
        everything = self._split(state, self.model.guards, list(range(len(self.residuals))))
        if everything is None:
            return None
        rest, factor, parts = everything
        root = Node()
        self._stack = [_Frame(root, Subproblem(state, 0, [], None), [], rest, factor, parts)]
        self._run()
        return root.branches[0] if root.branches else None

    def _run(self) -> None:
        stack, cache = self._stack, self.cache
        while True:
            frame = stack[-1]
            if frame.factor:
                while frame.parts:
                    part = frame.parts[-1]
                    known = cache.get(part.key)
                    if known is None:
                        break
                    frame.parts.pop()
                    if not known.total:
                        frame.factor = 0
                        break
                    frame.children.append(known)
                if not frame.factor:
                    frame.parts = []
                elif frame.parts:
                    self.meter.spend(2 * self.price)
                    leaf: Leaf | None = self._clique(part) or self._linear(part)
                    if leaf is not None:
                        cache[part.key] = Node(leaf.total, leaf=leaf)
                        continue
                    node = Node()
                    stack.append(_Frame(node, part, self.branching.choices(part)))
                    continue
                else:
                    total = frame.factor * prod([child.total for child in frame.children])
                    frame.node.branches.append(Branch(frame.rest, total, tuple(frame.children)))
                    frame.node.total += total
                frame.factor, frame.children = 0, []
            while frame.states:
                # A choice stays on the list until it is examined, for `bounds_on_count`.
                state = self._narrow(*frame.states[-1], frame.part.mask)
                split = None
                if state != IMPOSSIBLE:
                    split = self._split(state, frame.part.guards, frame.part.active)
                frame.states.pop()
                if split is not None:
                    frame.rest, frame.factor, frame.parts = split
                    frame.children = []
                    break
            else:
                stack.pop()
                if not stack:
                    return
                cache[frame.part.key] = frame.node

    def _narrow(self, state: int, queue: int, active: int) -> int:
        """Return the state after propagation of the active constraints, first of the queue."""
        revise, narrower = self.revise, self.watches.narrower
        full, guards = self.model.full, self.model.guards
        work = 0
        while queue:
            lowest = queue & -queue
            queue ^= lowest
            work += 1
            if work % self.often == 0:
                self.meter.check()
            narrowed = revise[lowest.bit_length() - 1](state)
            if narrowed == state:
                continue
            if narrowed == IMPOSSIBLE:
                state = IMPOSSIBLE
                break
            if (narrowed + full) & guards != guards:
                state = IMPOSSIBLE
                break
            queue |= narrower(narrowed, state ^ narrowed) & active
            state = narrowed
        self.meter.spend(work * self.price)
        return state

    def _split(
        self, state: int, guards: int, active: list[int]
    ) -> tuple[int, int, list[Subproblem]] | None:
        """Return what is settled or free, its weight, and the components; ``None``: no world."""
        model = self.model
        ones = guards >> model.width
        fields = guards - ones
        mine = state & fields
        open_ = ((mine & (mine - ones)) + fields) & guards
        factor = 1
        reaches: list[tuple[int, int]] = []
        reach_of: dict[int, int] = {}
        parts_of: dict[int, Hashable] = {}
        self.meter.spend(3 * len(active) * self.price)
        for number in active:
            residual = self.residuals[number]
            part = residual.part(state)
            if part is None:
                factor *= residual.weight(state)
                continue
            reach_of[number], parts_of[number] = part
            reaches.append((part[0], number))
        if not factor:
            return None
        parts = []
        inside = 0
        for reach, members in _joined(reaches):
            inside |= reach
            members.sort()
            own = state & (reach - (reach >> model.width))
            demands = tuple([(number, parts_of[number]) for number in members])
            mask = 0
            for number in members:
                mask |= 1 << number
            reaches_of = [reach_of[number] for number in members]
            key = (own, demands)
            parts.append(Subproblem(state, reach, members, key, mask, reaches_of, demands))
        if len(parts) > 1:
            parts.sort(key=lambda part: -part.guards.bit_count())
        free = open_ & ~inside
        rest = mine & ~(inside - (inside >> model.width))
        while free:
            i = (free.bit_length() - 1) // model.stride
            factor *= model.domain(state, i).bit_count()
            free &= (1 << i * model.stride) - 1
        return rest, factor, parts

    def _clique(self, part: Subproblem) -> Clique | None:
        """Return the component as matrices, if it is one of pairs and large enough for that."""
        if part.guards.bit_count() > MAX_VARIABLES or not self.pairwise.issuperset(part.active):
            return None
        model = self.model
        variables = [guard.bit_length() // model.stride - 1 for guard in bits_of(part.guards)]
        domains = {i: model.domain(part.state, i) for i in variables}
        sizes = sorted(domain.bit_count() for domain in domains.values())
        least = MIN_WAYS << 3 * max(0, len(sizes) - 3)
        if len(sizes) < 2 or prod(sizes) < least or prod(sizes[-3:]) > MAX_CELLS:
            return None
        if self.pairs is None:
            if not needs_arrays():
                self.pairwise = frozenset()
                return None
            self.pairs = Pairs(model, self.residuals)
        self.meter.spend(300 + sum(sizes))
        try:
            return Clique(self.pairs, domains, list(self._weighs(part)), self.meter)
        except OverflowError:
            return None

    def _linear(self, part: Subproblem) -> Linear | None:
        """Return the component as linear equations, if it is nothing else and large enough.

        Where it is something else too, but most of it is linear, the variables of the rest are
        noted, to be branched on first; and it has no world if the equations have no solution.
        """
        if len(part.active) < FEWEST:
            return None
        ones = part.guards >> self.model.width
        own = part.state & (part.guards - ones)
        high = upper(own, ones)
        if high is None:
            return None
        equations: list[int] = []
        others = linear = 0
        for number, reach in zip(part.active, part.reaches, strict=True):
            demanded = self.residuals[number].equations(part.state, high)
            if demanded is None:
                others |= reach
            else:
                linear += 1
                equations += demanded
        if others:
            if linear < MIXED or 2 * linear < len(part.active):
                return None
            part.others = others
            solved = Elimination(equations, self.meter)
            return None if solved.consistent else Linear(own, high, (1,), self.meter)
        return Linear(own, high, equations, self.meter)

    def bounds_on_count(self) -> tuple[int, int]:
        """Return bounds on the weight that an interrupted `count` would have found.

        The choices that are done count in full, the others for nothing or for all combinations of
        the values that they leave.
        """
        if not self._stack:
            return 0, self._combinations(Subproblem(self._start, self.model.guards, [], None))
        low, high, outer, work = 0, 0, 0, 0
        for frame in self._stack:
            work += (len(frame.states) + len(frame.parts)) * len(self.model.variables)
            outer += work <= MAX_BOUNDED
        outer = max(1, outer)  # what is deeper leaves all combinations, as if it were not begun
        for depth in reversed(range(len(self._stack))):
            frame = self._stack[depth]
            inner = depth + 1 < len(self._stack)
            parts = frame.parts[:-1] if inner and frame.factor else frame.parts
            low_branch = high_branch = frame.factor * prod(child.total for child in frame.children)
            if inner:
                low_branch *= low
                high_branch *= high
            for part in parts if frame.factor else ():
                known = self.cache.get(part.key)
                low_branch *= known.total if known else 0
                if depth < outer:
                    high_branch *= known.total if known else self._combinations(part)
            low = frame.node.total + low_branch
            if depth >= outer:
                high = self._combinations(frame.part)
                continue
            untried = sum(
                self._combinations(Subproblem(state, frame.part.guards, [], None))
                for state, _ in frame.states
            )
            high = frame.node.total + high_branch + untried
        return low, high

    def _combinations(self, part: Subproblem) -> int:
        """Return the product of the numbers of values of the variables of a component."""
        model = self.model
        weight = prod(max(w.weights) for w in self._weighs(part))
        return weight * prod(
            model.domain(part.state, guard // model.stride).bit_count()
            for guard in positions(part.guards)
        )

    def _weighs(self, part: Subproblem) -> Iterator[CompiledWeigh]:
        for number in part.active or range(len(self.residuals)):
            form = self.residuals[number].form
            if isinstance(form, CompiledWeigh):
                yield form


def _joined(reaches: Sequence[tuple[int, int]]) -> list[tuple[int, list[int]]]:
    """Return sets of variables without a common one, and the constraints about each."""
    parent = list(range(len(reaches)))
    first: dict[int, int] = {}
    for place, (reach, _) in enumerate(reaches):
        while reach:
            top = reach.bit_length()
            reach ^= 1 << (top - 1)
            parent[root(parent, place)] = root(parent, first.setdefault(top, place))
    groups: dict[int, tuple[int, list[int]]] = {}
    for place, (reach, number) in enumerate(reaches):
        union, members = groups.get(root(parent, place), (0, []))
        members.append(number)
        groups[root(parent, place)] = (union | reach, members)
    return list(groups.values())
