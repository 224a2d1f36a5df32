"""The state graph of a game as a networkx graph, built as far as is wanted.

Importing this module imports networkx; everything else in `deduce.search` goes without it until
a graph is asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Any

import networkx as nx

from deduce.errors import BadProblem
from deduce.search.game import Game, text_of_action, text_of_state
from deduce.search.limits import Limits, Stop
from deduce.search.memory import collector_paused
from deduce.search.result import number
from deduce.search.solution import Solution
from deduce.search.solvers.attractor import attractor
from deduce.search.solvers.choose import solve_space
from deduce.search.space import CHANCE, OPEN, OVER, StateSpace, explore

__all__ = ["MAX_SHOWN", "StateGraph"]

MAX_SHOWN = 40
"""More states than this are not drawn in a notebook unasked."""


class StateGraph(nx.DiGraph):  # type: ignore[type-arg]
    """A `networkx.DiGraph` whose nodes are the states of a game.

    A new graph holds the root alone. `expand` grows it by one state, `build` to the end or to a
    limit, and `solve` writes the values; every networkx algorithm works on it at any time.

    Node attributes
        ``player``: who moves (-1: chance; absent: the game is over, or the node is not expanded);
        ``over``: whether the game is over, ``expanded``: whether the edges from here are known;
        ``utility`` of finished states; after `solve` also ``value`` (one number per player),
        ``distance`` (plies to the end, `Solution`) and ``best`` (the best actions).
    Edge attributes
        ``action``; where chance moves ``probability`` instead. If several actions lead to the
        same state, ``action`` is the first and ``actions`` lists them all.

    Transpositions are one node. With ``symmetric`` so are the states that share the game's
    ``key``; the node is the first of them that was met, and its edges carry its own actions.
    `Solution.result` takes any state and answers in that state's own actions.

    Copies and subgraphs that networkx makes of it keep all attributes but know no game: they can
    be analysed and drawn, not expanded.

    Examples
    --------
    >>> from games.classics.tic_tac_toe import TicTacToe
    >>> graph = StateGraph(TicTacToe()).build()
    >>> graph
    <StateGraph: 5478 states, 16167 edges, complete>
    >>> solution = graph.solve()
    >>> graph.nodes[graph.root]["value"], nx.dag_longest_path_length(graph)
    ((0, 0), 9)
    """

    def __init__(
        self,
        game: Game[Any, Any] | None = None,
        root: Hashable = None,
        *,
        symmetric: bool = False,
        **attributes: Any,
    ) -> None:
        super().__init__(**attributes)
        self._space: StateSpace[Any, Any] | None = None
        self._drawn = 0
        if game is not None:
            self._space = StateSpace(game, symmetric=symmetric)
            self._space.add_root(game.initial_state() if root is None else root)
            self._draw_new([])

    @classmethod
    def of(cls, space: StateSpace[Any, Any]) -> StateGraph:
        """Return the graph of a space that has been explored already."""
        graph = cls()
        graph._space = space
        graph._draw_new(range(len(space)))
        return graph

    @property
    def space(self) -> StateSpace[Any, Any]:
        """The same states as lists.

        Raises
        ------
        BadProblem
            The graph is a copy that networkx made, without a game.
        """
        if self._space is None:
            raise BadProblem("this copy of a state graph has no game; ask the original")
        return self._space

    @property
    def root(self) -> Any:
        """The state that the graph began with."""
        return self.space.states[0]

    @property
    def frontier(self) -> list[Any]:
        """The states that are known but not expanded."""
        return [self.space.states[number] for number in self.space.frontier]

    @property
    def is_complete(self) -> bool:
        """Whether every state has been expanded."""
        return OPEN not in self.space.movers

    @property
    def stopped(self) -> Stop | None:
        """What ended the last `build` early: ``nodes``, ``time``, ``interrupt`` or nothing."""
        return self.space.stopped

    def expand(self, state: Hashable) -> list[Any]:
        """Return the states after a node, adding them to the graph if they are new.

        Raises
        ------
        BadInput
            The state is not in the graph.
        BadGame
            The game breaks the protocol.
        """
        place = self.space.number(state)
        if self.space.movers[place] == OPEN:
            self.space.expand(place, place + 1)
            self._draw_new([place])
        return [self.space.states[child] for child in self.space.children[place]]

    @collector_paused()
    def build(self, *, limits: Limits | None = None) -> StateGraph:
        """Return the graph itself, grown breadth first to the end or until a limit is reached.

        ``limits.nodes`` counts expanded states, those of this call. Afterwards `is_complete`,
        `frontier` and `stopped` tell how far it got; Ctrl-C stops it like a limit.
        """
        before = self.space.frontier
        known = len(self.space)
        explore(self.space.game, space=self.space, limits=limits)
        self._draw_new([*before, *range(known, len(self.space))])
        return self

    @collector_paused()
    def solve(self, *, infinite: float = 0) -> Solution[Any, Any]:
        """Return the values of all states and write them into the nodes.

        See `deduce.search.solvers.choose.solve_space`, which chooses the method.
        """
        solution = solve_space(self.space, infinite=infinite)
        nodes = self.nodes
        for place, state in enumerate(self.space.states):
            data = nodes[state]
            data["value"] = solution.values[place]
            data["distance"] = solution.distances[place]
            data["best"] = solution.best(place)
        return solution

    def attractor(
        self, coalition: Collection[int], targets: Iterable[Hashable]
    ) -> dict[Any, tuple[int, Any]]:
        """Return the states from which a coalition can force play into ``targets``.

        Each comes with the plies that it takes and the coalition's action (``None`` where it
        does not move, or has arrived).
        """
        space = self.space
        found = attractor(space, coalition, map(space.number, targets))
        return {
            space.states[place]: (
                plies,
                space.actions[place][found.strategy[place]] if place in found.strategy else None,
            )
            for place, plies in found.plies.items()
        }

    def for_export(self) -> nx.DiGraph[int]:
        """Return a copy with numbered nodes and attributes that every file format can hold.

        Labels and actions are the game's texts; for GraphML, GEXF, Pajek, JSON and the like.
        """
        space, game = self.space, self.space.game
        plain: nx.DiGraph[int] = nx.DiGraph()
        for place, state in enumerate(space.states):
            data = self.nodes[state]
            texts: dict[str, Any] = {"label": text_of_state(game, state)}
            texts.update({k: data[k] for k in ("player", "over", "expanded") if k in data})
            for name in ("utility", "value"):
                if data.get(name) is not None:
                    texts[name] = " ".join(number(u) for u in data[name])
            if data.get("distance") is not None:
                texts["distance"] = data["distance"]
            if "best" in data:
                texts["best"] = "; ".join(text_of_action(game, state, a) for a in data["best"])
            plain.add_node(place, **texts)
        numbers = {state: place for place, state in enumerate(space.states)}
        for source, target, data in self.edges(data=True):
            if "probability" in data:
                plain.add_edge(
                    numbers[source], numbers[target], probability=float(data["probability"])
                )
            else:
                choices = data.get("actions", (data["action"],))
                text = "; ".join(text_of_action(game, source, a) for a in choices)
                plain.add_edge(numbers[source], numbers[target], action=text)
        return plain

    def _draw_new(self, expanded: Iterable[int]) -> None:
        """Add the states not drawn yet, and the edges from those just expanded."""
        space = self.space
        states, movers = space.states, space.movers
        self.add_nodes_from(
            (states[place], {"over": False, "expanded": False})
            for place in range(self._drawn, len(states))
        )
        self._drawn = len(states)
        expanded = [place for place in expanded if movers[place] != OPEN]
        self.add_edges_from(edge for place in expanded for edge in self._edges(place))
        nodes = self.nodes
        for place in expanded:
            data = nodes[states[place]]
            data["expanded"] = True
            if movers[place] == OVER:
                data["over"] = True
                data["utility"] = space.utilities[place]
            else:
                data["player"] = movers[place]

    def _edges(self, place: int) -> Iterable[tuple[Any, Any, dict[str, Any]]]:
        """Return the edges from a state, one per state that can follow."""
        space = self.space
        states, state, after = space.states, space.states[place], space.children[place]
        if space.movers[place] == CHANCE:
            shares: dict[int, Any] = {}
            for child, share in zip(after, space.chances[place], strict=True):
                shares[child] = shares.get(child, 0) + share
            return [(state, states[child], {"probability": p}) for child, p in shares.items()]
        actions = space.actions[place]
        if len(set(after)) == len(after):
            return [
                (state, states[child], {"action": action})
                for child, action in zip(after, actions, strict=True)
            ]
        every: dict[int, tuple[Any, ...]] = {}
        for child, action in zip(after, actions, strict=True):
            every[child] = (*every.get(child, ()), action)
        return [
            (state, states[child], {"action": a[0], **({"actions": a} if a[1:] else {})})
            for child, a in every.items()
        ]

    def svg(self, *, depth: int | None = None) -> str:
        """Return a picture of the first plies; see `deduce.search.picture.graph_svg`.

        Without ``depth`` it is as many as are easy to read.
        """
        from deduce.search.parts import part
        from deduce.search.picture import graph_svg

        if depth is None:
            depth = next((d for d in (3, 2, 1) if len(part(self, depth=d)) <= MAX_SHOWN), 0)
        return graph_svg(self, depth=depth)

    def _repr_html_(self) -> str | None:
        if self._space is None:
            return None
        return f'<div style="overflow-x:auto">{self.svg()}</div>'

    def __repr__(self) -> str:
        if self._space is None:
            return f"<StateGraph: {len(self)} states, {self.number_of_edges()} edges, no game>"
        open_ = len(self.space.frontier)
        how = f"{open_} not expanded" if open_ else "complete"
        return f"<StateGraph: {len(self)} states, {self.number_of_edges()} edges, {how}>"

    __str__ = __repr__
