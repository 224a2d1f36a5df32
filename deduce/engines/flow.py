"""Circulations with lower and upper bounds: the flow on which `deduce.engines.matching` is built.

Maximum flow by Dinic's blocking flows; lower bounds by the usual reduction, which sends what an
edge must carry through an extra source and sink (Ahuja, Magnanti and Orlin, *Network Flows*, 1993,
section 6.7). Capacities are ints, so every flow is one of ints.
"""

from __future__ import annotations

from deduce.budget import Meter

__all__ = ["Network"]


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

        Cost: for the unit-like networks of `deduce.engines.matching` about the square root of the
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
