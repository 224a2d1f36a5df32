"""Counting by search with component caching: branch, propagate, split, and count no part twice.

After each choice and its propagation, what is still open often falls apart into *components* that
share no constraint. Their counts multiply, and each is looked up by its state before it is counted:
the open values of its variables and what its constraints still need. So the search does not visit
worlds but different components (Sang et al., *Combining component caching and clause learning for
effective model counting*, SAT 2004; Thurley, *sharpSAT*, SAT 2006), here on Counts, Sums and tables
instead of clauses.

The variables are chosen so that a component falls apart early: against the order of an elimination
by minimum degree, as in Korhonen and Järvisalo, *Integrating tree decompositions into decision
heuristics of propositional model counters* (CP 2021); where the decomposition is too wide to help,
a variable with the fewest values is chosen, and of these the one that most is demanded of; or, if a
Count leaves less choice than any variable, whether one of its facts holds.

What was visited is kept as a graph of alternatives and products, so that marginals need one pass
down that graph, and samples are drawn along it (Darwiche, *A differential approach to inference in
Bayesian networks*, JACM 2003).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from math import log2, prod
from random import Random
from typing import Any

from attrs import define, field

from deduce.budget import Meter
from deduce.engines.bounds import IMPOSSIBLE, WORD, Bounds
from deduce.engines.counting.pairwise import (
    MAX_CELLS,
    MIN_CELLS,
    Pairs,
    Triangle,
    cells_of,
    is_pairwise,
)
from deduce.engines.counting.residual import CountResidual, Form, Residual, Watches, residual_of
from deduce.engines.model import CompiledWeigh, bits_of

__all__ = ["Node", "Search"]

MAX_WIDTH = 40.0
"""Bits of the widest bag of a decomposition that is still followed."""

MAX_SHARE = 0.25
"""The share of the bits of all variables that this bag may have."""

MAX_CLIQUE = 24
"""A constraint about more open variables than this does not count for the decomposition."""

MAX_COMPARED = 100
"""With more constraints than this, components are found variable by variable."""

MAX_ORDERED = 1500
"""More variables than this are not decomposed, since that takes quadratic time."""


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
    triangle: Triangle | None = None
    """What takes the place of the choices where pairs of values exclude each other."""


@define(eq=False)
class _Part:
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


@define(eq=False)
class _Frame:
    """A node while its choices are tried; ``parts`` and ``children`` belong to the current one."""

    node: Node
    part: _Part
    states: list[tuple[int, int]]
    rest: int = 0
    factor: int = 0
    parts: list[_Part] = field(factory=list)
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
        self.watches = Watches(self.residuals, model)
        self.pairwise = frozenset(n for n, r in enumerate(self.residuals) if is_pairwise(r))
        """The constraints that only exclude pairs."""
        self.pairs: Pairs | None = None
        self.price = 3 + model.start.bit_length() // WORD
        self.cache: dict[Hashable, Node] = {}
        self.nodes: list[Node] = []
        """All nodes, children before parents."""
        self.rank: list[int] = []
        self.dynamic = True
        self._stack: list[_Frame] = []
        self._start = model.start

    def count(self, state: int) -> Branch | None:
        """Return all worlds within a propagated state as one choice; ``None``: there is none."""
        self._stack, self._start = [], state
        if not self.rank:
            self._decompose(state)
        everything = self._split(state, self.model.guards, list(range(len(self.residuals))))
        if everything is None:
            return None
        rest, factor, parts = everything
        root = Node()
        self._stack = [_Frame(root, _Part(state, 0, [], None), [], rest, factor, parts)]
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
                    triangle = self._triangle(part)
                    if triangle is not None:
                        node = cache[part.key] = Node(triangle.total, triangle=triangle)
                        self.nodes.append(node)
                        continue
                    node = Node()
                    stack.append(_Frame(node, part, self._choices(part)))
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
                self.nodes.append(frame.node)

    def _narrow(self, state: int, queue: int, active: int) -> int:
        """Return the state after propagation of the active constraints, first of the queue."""
        revise, narrower = self.revise, self.watches.narrower
        full, guards = self.model.full, self.model.guards
        work = 0
        while queue:
            lowest = queue & -queue
            queue ^= lowest
            work += 1
            if work & 127 == 0:
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
    ) -> tuple[int, int, list[_Part]] | None:
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
            parts.append(_Part(state, reach, members, key, mask, reaches_of, demands))
        if len(parts) > 1:
            parts.sort(key=lambda part: -part.guards.bit_count())
        free = open_ & ~inside
        rest = mine & ~(inside - (inside >> model.width))
        while free:
            i = (free.bit_length() - 1) // model.stride
            factor *= model.domain(state, i).bit_count()
            free &= (1 << i * model.stride) - 1
        return rest, factor, parts

    def _triangle(self, part: _Part) -> Triangle | None:
        """Return the component as matrices, if it is one of pairs and large enough for that."""
        size = part.guards.bit_count()
        if size > 3 or not self.pairwise.issuperset(part.active):
            return None
        stride = self.model.stride
        variables = [guard.bit_length() // stride - 1 for guard in bits_of(part.guards)]
        size_of = {i: self.model.domain(part.state, i).bit_count() for i in variables}
        variables.sort(key=lambda i: size_of[i])
        sizes = [size_of[i] for i in variables]
        if prod(sizes) < MIN_CELLS or cells_of(sizes) > MAX_CELLS:
            return None
        if self.pairs is None:
            try:
                self.pairs = Pairs(self.model, self.residuals)
            except ImportError:
                self.pairwise = frozenset()
                return None
        self.meter.spend(300 + sum(sizes) + cells_of(sizes) // 50)
        return Triangle(self.pairs, part.state, variables)

    def _choices(self, part: _Part) -> list[tuple[int, int]]:
        """Return the states to try for one variable, each with the constraints to examine."""
        model = self.model
        candidates = self._narrowest(part) if self.dynamic else part.guards
        i = candidates.bit_length() // model.stride - 1
        literal = None
        if self.dynamic:
            literal = self._literal(part, model.domain(part.state, i).bit_count())
        if literal is not None:
            i, mask = literal
            domain = model.domain(part.state, i)
            pieces = [domain & mask, domain & ~mask]
        else:
            i = self._variable(part, candidates)
            domain = model.domain(part.state, i)
            pieces = self._pieces(part, i, domain)
        shift = i * model.stride
        others = part.state & ~(model.field << shift)
        choices = []
        for piece in pieces:
            state = others | piece << shift
            removed = (domain ^ piece) << shift
            choices.append((state, self.watches.narrower(state, removed) & part.mask))
        return choices

    def _pieces(self, part: _Part, i: int, domain: int) -> list[int]:
        """Return the values of a variable, those together that no constraint distinguishes."""
        about = self.watches.about(i)
        pieces = [domain]
        for number in part.active:
            if about >> number & 1:
                masks = self.residuals[number].masks(i)
                if masks is None:
                    return list(bits_of(domain))
                for mask in masks:
                    pieces = [
                        piece
                        for whole in pieces
                        for piece in (whole & mask, whole & ~mask)
                        if piece
                    ]
        return pieces

    def _literal(self, part: _Part, fewest: int) -> tuple[int, int] | None:
        """Return a variable and values of it, of the Count that leaves the least choice.

        ``None`` if a variable with the fewest values leaves less.
        """
        if fewest == 2:
            return None
        best = None
        for (number, demand), reach in zip(part.demands, part.reaches, strict=True):
            residual = self.residuals[number]
            if isinstance(residual, CountResidual) and demand[0] > 0:
                choice = reach.bit_count() - demand[0] + 1
                if choice < fewest:
                    fewest, best = choice, (residual, reach)
        if best is None:
            return None
        residual, reach = best
        stride = self.model.stride
        variables = [guard.bit_length() // stride - 1 for guard in bits_of(reach)]
        i = min(variables, key=lambda i: self.model.domain(part.state, i).bit_count())
        return i, residual.mask_of[i]

    def _variable(self, part: _Part, candidates: int) -> int:
        """Return the variable to branch on, of those with a guard in ``candidates``.

        Where a decomposition is followed, the one that it has first. Elsewhere the one that most
        constraints are about, where a constraint counts for a quarter with each further variable
        that it is still about.
        """
        stride, rank = self.model.stride, self.rank
        variables = [guard.bit_length() // stride - 1 for guard in bits_of(candidates)]
        if not self.dynamic or len(variables) == 1:
            return min(variables, key=rank.__getitem__)
        score = dict.fromkeys(variables, 0.0)
        for reach in part.reaches:
            weight = 4.0 ** -min(reach.bit_count(), MAX_CLIQUE)
            for guard in bits_of(reach & candidates):
                score[guard.bit_length() // stride - 1] += weight
        return max(variables, key=lambda i: (score[i], -rank[i]))

    def _narrowest(self, part: _Part) -> int:
        """Return the guards of the variables of a component that have the fewest values."""
        ones = part.guards >> self.model.width
        fields = part.guards - ones
        left = part.state & fields
        while True:
            left &= left - ones
            more = (left + fields) & part.guards
            if more != part.guards:
                return part.guards & ~more

    def _decompose(self, state: int) -> None:
        """Rank the variables: what an elimination by minimum degree leaves to the end is first."""
        model = self.model
        size = len(model.variables)
        domains = [model.domain(state, i).bit_count() for i in range(size)]
        open_ = [i for i in range(size) if domains[i] > 1]
        self.rank = list(range(size))
        if len(open_) > MAX_ORDERED:
            return
        near = dict.fromkeys(open_, 0)
        for residual in self.residuals:
            scope = [i for i in residual.variables if domains[i] > 1]
            if len(scope) <= MAX_CLIQUE:
                mask = sum(1 << i for i in scope)
                for i in scope:
                    near[i] |= mask
        bits = {i: log2(domains[i]) for i in open_}
        width = 0.0
        position = size
        for i in near:
            near[i] &= ~(1 << i)
        while near:
            self.meter.spend(len(near))
            i = min(near, key=lambda i: (near[i].bit_count(), -bits[i]))
            mask = near.pop(i)
            position -= 1
            self.rank[i] = position
            around = [j for j in near if mask >> j & 1] if mask else []
            for j in around:
                near[j] = (near[j] | mask) & ~(1 << i | 1 << j)
            width = max(width, bits[i] + sum(bits[j] for j in around))
        self.dynamic = width > min(MAX_WIDTH, MAX_SHARE * sum(bits.values()))

    def bounds_on_count(self) -> tuple[int, int]:
        """Return bounds on the weight that an interrupted `count` would have found.

        The choices that are done count in full, the others for nothing or for all combinations of
        the values that they leave.
        """
        if not self._stack:
            return 0, self._combinations(_Part(self._start, self.model.guards, [], None))
        low, high = 0, 1
        inner = False
        for frame in reversed(self._stack):
            low_branch = high_branch = 0
            if frame.factor:
                low_branch = high_branch = frame.factor
                for child in frame.children:
                    low_branch *= child.total
                    high_branch *= child.total
                parts = frame.parts[:-1] if inner else frame.parts
                for part in parts:
                    known = self.cache.get(part.key)
                    low_branch *= known.total if known else 0
                    high_branch *= known.total if known else self._combinations(part)
                if inner:
                    low_branch *= low
                    high_branch *= high
            untried = sum(
                self._combinations(_Part(state, frame.part.guards, [], None))
                for state, _ in frame.states
            )
            inner = True
            low = frame.node.total + low_branch
            high = frame.node.total + high_branch + untried
        return low, high

    def _combinations(self, part: _Part) -> int:
        """Return the product of the numbers of values of the variables of a component."""
        model = self.model
        weight = prod(max(w.weights) for w in self._weighs(part))
        return weight * prod(
            model.domain(part.state, (guard.bit_length() - 1) // model.stride).bit_count()
            for guard in bits_of(part.guards)
        )

    def _weighs(self, part: _Part) -> Iterator[CompiledWeigh]:
        for number in part.active or range(len(self.residuals)):
            form = self.residuals[number].form
            if isinstance(form, CompiledWeigh):
                yield form

    def flows(self, root: Branch) -> dict[int, int]:
        """Return for each value bit the weight of the worlds with it, from a result of `count`."""
        model = self.model
        flows: dict[int, int] = {}
        above: dict[int, int] = {}
        """For each node the weight of all that is combined with it."""

        def pass_down(branch: Branch, weight: int) -> None:
            """Add the flow of a branch that comes ``weight`` times."""
            whole = weight * branch.total
            for child in branch.children:
                above[id(child)] = above.get(id(child), 0) + whole // child.total
            rest = branch.rest
            while rest:
                shift = (rest.bit_length() - 1) // model.stride * model.stride
                values = rest >> shift
                rest ^= values << shift
                if values & (values - 1) == 0:
                    bit = values << shift
                    flows[bit] = flows.get(bit, 0) + whole
                else:
                    each = whole // values.bit_count()
                    for value in bits_of(values):
                        bit = value << shift
                        flows[bit] = flows.get(bit, 0) + each

        pass_down(root, 1)
        for node in reversed(self.nodes):
            weight = above.get(id(node))
            if weight and node.triangle is not None:
                self.meter.spend(1000)
                for bit, flow in node.triangle.flows():
                    flows[bit] = flows.get(bit, 0) + weight * flow
            elif weight:
                for branch in node.branches:
                    self.meter.spend(self.price + branch.rest.bit_count())
                    pass_down(branch, weight)
        return flows

    def draw(self, root: Branch, random: Random) -> int:
        """Return the state of a world that is drawn by weight."""
        model = self.model
        state = 0
        waiting = [root]
        while waiting:
            branch = waiting.pop()
            rest = branch.rest
            while rest:
                shift = (rest.bit_length() - 1) // model.stride * model.stride
                values = rest >> shift
                rest ^= values << shift
                state |= random.choice(list(bits_of(values))) << shift
            for child in branch.children:
                if child.triangle is not None:
                    state |= child.triangle.draw(random)
                    continue
                spot = random.randrange(child.total)
                for choice in child.branches:
                    if spot < choice.total:
                        waiting.append(choice)
                        break
                    spot -= choice.total
        return state


def _joined(reaches: Sequence[tuple[int, int]]) -> list[tuple[int, list[int]]]:
    """Return sets of variables without a common one, and the constraints about each."""
    if len(reaches) > MAX_COMPARED:
        return _joined_by_variable(reaches)
    groups: list[tuple[int, list[int]]] = []
    for reach, number in reaches:
        members = [number]
        apart = []
        for group in groups:
            if group[0] & reach:
                reach |= group[0]
                members += group[1]
            else:
                apart.append(group)
        apart.append((reach, members))
        groups = apart
    return groups


def _joined_by_variable(reaches: Sequence[tuple[int, int]]) -> list[tuple[int, list[int]]]:
    """Return the same, in time that is not quadratic in the number of constraints."""
    parent = list(range(len(reaches)))

    def root(place: int) -> int:
        while parent[place] != place:
            parent[place] = place = parent[parent[place]]
        return place

    first: dict[int, int] = {}
    for place, (reach, _) in enumerate(reaches):
        while reach:
            top = reach.bit_length()
            reach ^= 1 << (top - 1)
            parent[root(place)] = root(first.setdefault(top, place))
    groups: dict[int, tuple[int, list[int]]] = {}
    for place, (reach, number) in enumerate(reaches):
        union, members = groups.get(root(place), (0, []))
        members.append(number)
        groups[root(place)] = (union | reach, members)
    return list(groups.values())
