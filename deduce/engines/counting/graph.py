"""What a search with component caching has found: a graph of choices and products.

Marginals need one pass down the graph, and samples are drawn along it (Darwiche, *A differential
approach to inference in Bayesian networks*, JACM 2003).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Protocol

from attrs import define, field

from deduce.budget import Meter
from deduce.engines.masks import bits_of
from deduce.engines.model import Model

__all__ = ["Branch", "Leaf", "Node", "draw", "flows"]


class Leaf(Protocol):
    """A component that is counted without branching."""

    total: int

    def flows(self) -> Iterable[tuple[int, int]]:
        """Return value bits, each with the weight of the component's worlds that have it."""
        ...

    def draw(self, random: Random) -> int:
        """Return the values of the component in a world that is drawn by weight."""
        ...


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


def flows(
    model: Model, root: Branch, nodes: Sequence[Node], meter: Meter, price: int
) -> dict[int, int]:
    """Return for each value bit the weight of the worlds with it.

    Parameters
    ----------
    model, root
        The problem, and all its worlds as one choice.
    nodes
        All nodes of the graph, children before parents.
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


def draw(model: Model, root: Branch, random: Random) -> int:
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
