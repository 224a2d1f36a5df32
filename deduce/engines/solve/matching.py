"""Hands, bijections and capacities as a flow, in polynomial time however large they are.

The engine is for problems in which every Count is about one single value, and in which the Counts
about a value are *laminar*: of two sets of variables one contains the other, or they share none.
Hand sizes, "each identity once", a bound per suit within a hand, "at least one of these three"
are; two overlapping "one of these three" about one player are not.

Then the worlds are exactly the flows of whole units through this network::

    variable -> innermost Count about the value -> ... -> outermost Count -> value
    (1 unit)    (low to high units)                       (low to high)      (any number)

Variables with the same domain and the same Counts go together as one node with several units.

The flow is a circulation with lower and upper bounds: maximum flow by Dinic's blocking flows; lower
bounds by the usual reduction, which sends what an edge must carry through an extra source and sink
(Ahuja, Magnanti and Orlin, *Network Flows*, 1993, section 6.7). Capacities are ints, so every flow
is one of ints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from attrs import frozen

from deduce.budget import Meter
from deduce.constraints import Value, Variable
from deduce.engines.base import Selective
from deduce.engines.core.masks import positions
from deduce.engines.core.model import (
    CompiledCount,
    CompiledLogic,
    CompiledSum,
    CompiledWhere,
    Model,
    Statement,
)
from deduce.errors import Unsupported
from deduce.problem import World

__all__ = ["Alike", "Matching", "Network", "Place", "Placing", "places_of"]


EDGES = 8
"""Edges of a variable that cost a step."""


@frozen(eq=False)
class Place:
    """A Count about one value: ``low`` to ``high`` of the ``members`` (a bit each) have it.

    ``parent`` is the position of the smallest place around this one, or ``None``.
    """

    bit: int
    members: int
    low: int
    high: int
    parent: int | None


def places_of(statements: Sequence[Statement]) -> list[Place] | None:
    """Return the places, outer before inner, or ``None`` if the statements are not of the kind.

    Cost: one pass over the facts.
    """
    counts: list[tuple[int, int, CompiledCount]] = []
    for form in dict.fromkeys(statement.form for statement in statements):
        if isinstance(form, CompiledSum | CompiledWhere | CompiledLogic):
            return None
        if isinstance(form, CompiledCount):
            bits = {mask for _, mask in form.terms if mask}
            if len(bits) > 1 or any(bit & (bit - 1) for bit in bits):
                return None
            members = sum(1 << i for i, mask in form.terms if mask)
            counts.append((members, next(iter(bits), 1), form))
    counts.sort(key=lambda count: -count[0].bit_count())
    places: list[Place] = []
    innermost: dict[tuple[int, int], int] = {}
    """For a value and a variable the smallest place so far."""
    for members, bit, form in counts:
        around = {innermost.get((bit, i)) for i, mask in form.terms if mask}
        if len(around) > 1:
            return None
        parent = around.pop() if around else None
        innermost.update(((bit, i), len(places)) for i, mask in form.terms if mask)
        places.append(Place(bit, members, form.low, max(form.low, form.high), parent))
    return places


@frozen(eq=False)
class Alike:
    """Variables with the same domain in the same places, and their edges: value, edge, head.

    A value is its position in a field.
    """

    members: tuple[int, ...]
    node: int
    ways: tuple[tuple[int, int, int], ...]


class Placing:
    """The network of a problem.

    Parameters
    ----------
    model, possible, places
        The problem: its layout, what its facts leave possible, its places.
    meter
        What pays: a step for some edges.

    Attributes
    ----------
    network : Network
        Node 0 is the way back from the values to the variables, node ``1 + p`` is place ``p``.
    alike : list of Alike
        The groups of variables; each is a node too.
    """

    def __init__(self, model: Model, possible: int, places: Sequence[Place], meter: Meter) -> None:
        groups = self._grouped(model, possible, places, meter)
        first = 1 + len(places) + model.width
        self.network = network = Network(first + len(groups))
        for p, place in enumerate(places):
            root = _root(places, place.bit.bit_length() - 1)
            parent = root if place.parent is None else 1 + place.parent
            network.edge(1 + p, parent, place.low, place.high)
        most = len(model.variables)
        for j in range(model.width):
            network.edge(_root(places, j), 0, 0, most)
        self.alike: list[Alike] = []
        for node, (ways, members) in enumerate(groups.items(), first):
            size = len(members)
            network.edge(0, node, size, size)
            meter.spend(1 + len(ways) // EDGES)
            edges = [(j, network.edge(node, head, 0, size), head) for j, head in ways]
            self.alike.append(Alike(tuple(members), node, tuple(edges)))

    @staticmethod
    def _grouped(
        model: Model, possible: int, places: Sequence[Place], meter: Meter
    ) -> dict[tuple[tuple[int, int], ...], list[int]]:
        """Return the variables by their values' first nodes."""
        inner: dict[int, list[tuple[int, int]]] = {}
        for p, place in reversed(list(enumerate(places))):
            at = inner.setdefault(place.bit.bit_length() - 1, [])
            at.append((place.members, 1 + p))
        groups: dict[tuple[tuple[int, int], ...], list[int]] = {}
        for i in range(len(model.variables)):
            ways = []
            for j in positions(model.domain(possible, i)):
                around = (node for members, node in inner.get(j, ()) if members >> i & 1)
                ways.append((j, next(around, _root(places, j))))
            meter.spend(1 + len(ways) // EDGES)
            groups.setdefault(tuple(ways), []).append(i)
        return groups


class Matching(Selective):
    """The engine of flows: a world, and which values are possible.

    Its other queries raise `Unsupported`; counting matchings is as hard as computing permanents.

    Examples
    --------
    >>> from deduce.budget import Budget
    >>> from deduce.constraints import exactly, is_
    >>> from deduce.problem import Problem
    >>> slots = {slot: ("red", "blue", "green") for slot in "abc"}
    >>> once = [exactly(1, [is_(slot, colour) for slot in slots]) for colour in slots["a"]]
    >>> pair = [is_("a", "red", "blue"), is_("b", "red", "blue")]
    >>> model = Model(Problem(slots, [*once, *pair]))
    >>> Matching().possible(model, Budget().meter())["c"]
    frozenset({'green'})
    """

    name: ClassVar[str] = "matching"

    def supports(self, model: Model, query: str) -> bool:
        """Return whether the query is about one world and the Counts are laminar."""
        return query in {"solve", "possible"} and places_of(model.statements) is not None

    def solve(
        self, model: Model, meter: Meter, selection: Sequence[Statement] | None = None
    ) -> World | None:
        """Return a world that satisfies the selected statements, or ``None``.

        Raises
        ------
        Unsupported
            A statement is not of the kind that the engine is for.
        """
        placing = _placed(model, meter, model.statements if selection is None else selection)
        if placing is None:
            return None
        state = 0
        for group in placing.alike:
            members = iter(group.members)
            for j, edge, _ in group.ways:
                for _ in range(placing.network.flow(edge)):
                    state |= 1 << (next(members) * model.stride + j)
        return model.world(state)

    def possible(self, model: Model, meter: Meter) -> Mapping[Variable, frozenset[Value]]:
        """Return the values that each variable has in some world; an empty mapping: no world.

        One flow answers for all. An edge that carries nothing in this flow carries something in
        another one exactly if it is on a cycle of the residual network, that is, if both its
        ends are in one strongly connected component: the difference of two flows is a sum of such
        cycles (Berge 1957 for matchings; Régin, "A filtering algorithm for constraints of
        difference in CSPs", AAAI 1994, and for bounds on values AAAI 1996).
        """
        placing = _placed(model, meter, model.statements)
        if placing is None:
            return {}
        component = placing.network.components()
        found: dict[Variable, frozenset[Value]] = {}
        for group in placing.alike:
            mask = sum(
                1 << j
                for j, edge, head in group.ways
                if placing.network.flow(edge) or component[group.node] == component[head]
            )
            found.update(
                (model.variables[i], frozenset(model.values_in(i, mask))) for i in group.members
            )
        return found


def _placed(model: Model, meter: Meter, statements: Sequence[Statement]) -> Placing | None:
    """Return the network with a flow in it, or ``None`` if there is none."""
    places = places_of(statements)
    if places is None:
        raise Unsupported(
            "the engine 'matching' is for Counts about single values that are nested or disjoint; "
            "'bits' accepts every kind of constraint"
        )
    placing = Placing(model, model.facts_only(statements), places, meter)
    return placing if placing.network.circulate(meter) else None


def _root(places: Sequence[Place], position: int) -> int:
    """Return the node of a value: it follows the nodes of the places."""
    return 1 + len(places) + position


class Network:
    """Nodes ``0 .. nodes-1`` and bounded edges; in a circulation as much leaves a node as enters.

    Examples
    --------
    Two guests, one bed each, and a host who wants at least one of them:

    >>> from deduce.budget import Budget
    >>> network = Network(3)
    >>> edges = [network.edge(0, 1, 2, 2), network.edge(1, 2, 0, 2), network.edge(2, 0, 1, 2)]
    >>> network.circulate(Budget().meter()), network.flow(edges[1])
    (True, 2)
    """

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self._source, self._sink = nodes, nodes + 1
        self._arcs: list[list[int]] = [[] for _ in range(nodes + 2)]
        """The arcs out of each node. Arc ``a ^ 1`` is the way back of arc ``a``."""
        self._head: list[int] = []
        self._room: list[int] = []
        self._low: list[int] = []
        self._excess = [0] * nodes

    def edge(self, tail: int, head: int, low: int, high: int) -> int:
        """Return the number of a new edge that carries between ``low`` and ``high``."""
        self._low.append(low)
        self._excess[head] += low
        self._excess[tail] -= low
        return self._arc(tail, head, high - low) // 2

    def circulate(self, meter: Meter) -> bool:
        """Return whether a circulation within all bounds exists, and construct one. Call it once.

        Cost: for the unit-like networks here about the square root of the
        number of units times the number of edges.
        """
        wanted = 0
        for node, excess in enumerate(self._excess):
            if excess > 0:
                self._arc(self._source, node, excess)
                wanted += excess
            elif excess < 0:
                self._arc(node, self._sink, -excess)
        sent = 0
        while True:
            meter.spend(len(self._head))
            level = self._levels()
            if level[self._sink] < 0:
                return sent == wanted
            sent += self._block(level)

    def flow(self, edge: int) -> int:
        """Return how much the edge carries."""
        return self._low[edge] + self._room[2 * edge + 1]

    def components(self) -> list[int]:
        """Return each node's strongly connected component in the residual network.

        Call it after a successful `circulate`. Tarjan's algorithm, without recursion.
        """
        number = 0
        order = [0] * self.nodes
        lowest = [0] * self.nodes
        component = [-1] * self.nodes
        open_: list[int] = []
        for root in range(self.nodes):
            if order[root]:
                continue
            number += 1
            order[root] = lowest[root] = number
            open_.append(root)
            path = [(root, iter(self._residual(root)))]
            while path:
                node, ways = path[-1]
                for head in ways:
                    if not order[head]:
                        number += 1
                        order[head] = lowest[head] = number
                        open_.append(head)
                        path.append((head, iter(self._residual(head))))
                        break
                    if component[head] < 0:
                        lowest[node] = min(lowest[node], order[head])
                else:
                    path.pop()
                    if path:
                        parent = path[-1][0]
                        lowest[parent] = min(lowest[parent], lowest[node])
                    if lowest[node] == order[node]:
                        while True:
                            member = open_.pop()
                            component[member] = node
                            if member == node:
                                break
        return component

    def _arc(self, tail: int, head: int, room: int) -> int:
        number = len(self._head)
        self._head += (head, tail)
        self._room += (room, 0)
        self._arcs[tail].append(number)
        self._arcs[head].append(number + 1)
        return number

    def _residual(self, node: int) -> list[int]:
        heads = (self._head[arc] for arc in self._arcs[node] if self._room[arc])
        return [head for head in heads if head < self.nodes]

    def _levels(self) -> list[int]:
        """Return each node's distance from the source in arcs with room, -1 where none leads."""
        level = [-1] * (self.nodes + 2)
        level[self._source] = 0
        queue = [self._source]
        for node in queue:
            for arc in self._arcs[node]:
                head = self._head[arc]
                if self._room[arc] and level[head] < 0:
                    level[head] = level[node] + 1
                    queue.append(head)
        return level

    def _block(self, level: list[int]) -> int:
        """Send flow along shortest paths until each of them is blocked; return how much."""
        arcs, head, room = self._arcs, self._head, self._room
        place = [0] * len(arcs)
        path: list[int] = []
        node, sent = self._source, 0
        while True:
            if node == self._sink:
                amount = min(room[arc] for arc in path)
                sent += amount
                for arc in path:
                    room[arc] -= amount
                    room[arc ^ 1] += amount
                full = next(k for k, arc in enumerate(path) if not room[arc])
                node = head[path[full] ^ 1]
                del path[full:]
            for position in range(place[node], len(arcs[node])):
                arc = arcs[node][position]
                if room[arc] and level[head[arc]] == level[node] + 1:
                    place[node] = position
                    path.append(arc)
                    node = head[arc]
                    break
            else:
                place[node] = len(arcs[node])
                if not path:
                    return sent
                node = head[path.pop() ^ 1]
                place[node] += 1
