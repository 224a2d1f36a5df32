"""The search with component caching as an engine.

Marginals need one pass down the graph that the search leaves, and samples are drawn along it
(Darwiche, *A differential approach to inference in Bayesian networks*, JACM 2003).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import ClassVar

from deduce.budget import Meter
from deduce.constraints import Value, Variable
from deduce.engines.base import Joint, Question, Selective, Tally, Weight
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.lowering import lowered
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import Model, Statement
from deduce.engines.count.search.search import Branch, Node, Search
from deduce.errors import Undecided
from deduce.problem import World

__all__ = ["Components"]


class Components(Selective):
    """The engine that counts by branching, splitting into components and caching them."""

    name: ClassVar[str] = "components"

    def supports(self, model: Model, query: str) -> bool:
        """Return whether the query needs no list of worlds and no numbers of likelihoods."""
        return query not in {"numbers", "ranked", "worlds"}

    def solve(
        self, model: Model, meter: Meter, selection: Sequence[Statement] | None = None
    ) -> World | None:
        """Return a world that satisfies the selected statements, or ``None``."""
        searched = _Searched(model, meter, selection=selection)
        return None if searched.root is None else searched.world(Random(0))

    def tally(self, model: Model, meter: Meter, *, weighted: bool) -> Tally:
        """Return the number (or weight) of all worlds, in all and by variable and value.

        Raises
        ------
        Undecided
            The budget is used up; ``at_least`` and ``at_most`` are bounds on the number of worlds.
        """
        searched = _Searched(model, meter, weighted=weighted)
        if searched.root is None:
            return Tally(0, {})
        total = searched.weight(searched.root.total)
        try:
            return Tally(total, searched.marginals(searched.root))
        except Undecided as error:
            if not weighted:
                error.at_least = error.at_most = searched.root.total
            raise

    def total(self, model: Model, meter: Meter, *, weighted: bool) -> Weight:
        """Return the number (or weight) of all worlds."""
        searched = _Searched(model, meter, weighted=weighted)
        return 0 if searched.root is None else searched.weight(searched.root.total)

    def joint(
        self, model: Model, meter: Meter, questions: Sequence[Question], *, weighted: bool
    ) -> Joint:
        """Return the number (or weight) of worlds for each combination of answers that occurs.

        Each combination of the answers to all questions but one is counted, with what the others
        have left in the cache; the marginals then have the answers to that one.
        """
        searched = _Searched(model, meter, weighted=weighted, counted=False)
        table: dict[tuple[Value, ...], Weight] = {}
        if searched.state == IMPOSSIBLE:
            return table
        literals = [searched.literals(question) for question in questions]
        sizes = list(map(len, literals))
        last = sizes.index(max(sizes)) if sizes else 0
        read = literals[last : last + 1]
        for combination in product(*literals[:last], *literals[last + 1 :]):
            state = searched.state
            for _, _, mask in combination:
                state &= mask
            root = searched.within(state)
            if root is None:
                continue
            labels = [label for label, _, _ in combination]
            if not read:
                table[()] = searched.weight(root.total)
                continue
            flows = searched.flows(root)
            for label, values, _ in read[0]:
                total = sum(flows.get(bit, 0) for bit in bits_of(values))
                if total:
                    answers = (*labels[:last], label, *labels[last:])
                    table[answers] = table.get(answers, 0) + searched.weight(total)
        return table

    def sample(
        self, model: Model, meter: Meter, number: int, random: Random, *, weighted: bool
    ) -> Sequence[World]:
        """Return independent worlds, drawn uniformly or by weight; empty when there is none."""
        searched = _Searched(model, meter, weighted=weighted)
        if searched.root is None:
            return []
        worlds = []
        for _ in range(number):
            meter.spend(len(model.variables))
            worlds.append(searched.world(random))
        return worlds


class _Searched:
    """A model and what the search has found in it."""

    def __init__(
        self,
        model: Model,
        meter: Meter,
        *,
        selection: Sequence[Statement] | None = None,
        weighted: bool = False,
        counted: bool = True,
    ) -> None:
        model, selection = lowered(model, meter, selection)
        self.model = model
        self.bounds = Bounds(model, selection, meter)
        weighs = [s.weigh for s in model.statements if weighted and s.weigh]
        self.scale = prod(weigh.scale for weigh in weighs)
        self.state = self.bounds.narrow(self.bounds.start)
        self.root: Branch | None = None
        if self.state == IMPOSSIBLE:
            return
        self.search = Search(self.bounds, meter, weighs)
        if counted:
            try:
                self.root = self.search.count(self.state)
            except Undecided as error:
                if not weighted:
                    error.at_least, error.at_most = self.search.bounds_on_count()
                raise

    def weight(self, scaled: int) -> Weight:
        """Return a weight with its scale divided out; a number of worlds stays an int."""
        return scaled if self.scale == 1 else Fraction(scaled, self.scale)

    def within(self, state: int) -> Branch | None:
        """Return the worlds within a state as one choice; ``None``: none has any weight."""
        state = self.bounds.narrow(state)
        root = None if state == IMPOSSIBLE else self.search.count(state)
        return root if root is not None and root.total else None

    def literals(self, question: Question) -> list[tuple[Value, int, int]]:
        """Return the labels of a question, each with a literal and a mask that leaves it."""
        model = self.model
        result = []
        for label, literals in question.items():
            for variable, values in literals:
                i = model.index[variable]
                shift = i * model.stride
                values_left = model.domain(self.state, i) & model.mask(values)
                if values_left:
                    result.append(
                        (
                            label,
                            values_left << shift,
                            ~(model.field << shift) | values_left << shift,
                        )
                    )
        return result

    def flows(self, root: Branch) -> dict[int, int]:
        """Return for each value bit the scaled weight of the worlds of a choice with it."""
        return _flows(self.model, root, _below(root), self.search.meter, self.search.price)

    def marginals(self, root: Branch) -> Mapping[Variable, Mapping[Value, Weight]]:
        model = self.model
        of: dict[Variable, dict[Value, Weight]] = {variable: {} for variable in model.variables}
        for bit, flow in sorted(self.flows(root).items()):
            i, value = divmod(bit.bit_length() - 1, model.stride)
            of[model.variables[i]][model.values[i][value]] = self.weight(flow)
        return {variable: of[variable] for variable in model.variables[: model.shown]}

    def world(self, random: Random) -> World:
        assert self.root is not None
        return self.model.world(_drawn(self.model, self.root, random))


def _below(root: Branch) -> list[Node]:
    """Return the nodes that a choice leads to, children before parents."""
    order: list[Node] = []
    known: set[int] = set()
    waiting: list[tuple[Node, bool]] = [(child, False) for child in root.children]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif id(node) not in known:
            known.add(id(node))
            waiting.append((node, True))
            waiting += [(child, False) for branch in node.branches for child in branch.children]
    return order


def _flows(
    model: Model, root: Branch, nodes: Sequence[Node], meter: Meter, price: int
) -> dict[int, int]:
    """Return for each value bit the weight of the worlds with it.

    Parameters
    ----------
    model, root
        The problem, and all its worlds as one choice.
    nodes
        All nodes that the choice leads to, children before parents.
    meter, price
        What a choice costs is counted there.
    """
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
    for node in reversed(nodes):
        weight = above.get(id(node))
        if weight and node.leaf is not None:
            meter.spend(1000)
            for bit, flow in node.leaf.flows():
                flows[bit] = flows.get(bit, 0) + weight * flow
        elif weight:
            for branch in node.branches:
                meter.spend(price + branch.rest.bit_count())
                pass_down(branch, weight)
    return flows


def _drawn(model: Model, root: Branch, random: Random) -> int:
    """Return the state of a world that is drawn by weight."""
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
            if child.leaf is not None:
                state |= child.leaf.draw(random)
                continue
            spot = random.randrange(child.total)
            for choice in child.branches:
                if spot < choice.total:
                    waiting.append(choice)
                    break
                spot -= choice.total
    return state
