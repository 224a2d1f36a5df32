"""The state graph of a game as a networkx graph, built as far as needed.

Importing this module imports networkx; nothing else in `deduce.search` needs it until a graph is
built.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from typing import Any

from deduce.errors import BadProblem, missing_package
from deduce.search.game import AnyGame, text_of_action, text_of_state
from deduce.search.graph_game import as_game
from deduce.search.limits import Limits, Stop, collector_paused
from deduce.search.result import AnySolution, number
from deduce.search.solvers.choose import solve_space
from deduce.search.solvers.retrograde import attractor
from deduce.search.space import CHANCE, OPEN, OVER, AnySpace, StateSpace, explore
from deduce.system.display import Displayed

try:
    import networkx as nx
except ImportError:
    raise missing_package("a state graph", "networkx") from None

__all__ = ["StateGraph"]


class StateGraph(Displayed, nx.DiGraph):  # type: ignore[type-arg]
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
    Graph attributes
        ``root``: the state from which the graph was built; ``players``: how many there are.

    Transpositions are one node. With ``symmetric`` so are the states that share the game's
    ``key``; the node is the first of them that was reached, and its edges carry its own actions.
    `Solution.result` takes any state and returns that state's own actions.

    Every solver takes the graph in place of a game and writes what it finds into the nodes.

    Copies and subgraphs that networkx makes of it keep all attributes but have no game: they can
    be analysed and, if complete, solved as any other graph, but not expanded or drawn.

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
        game: AnyGame | None = None,
        root: Hashable = None,
        *,
        symmetric: bool = False,
        **attributes: Any,
    ) -> None:
        super().__init__(**attributes)
        self._space: AnySpace | None = None
        self._added = 0
        if game is not None:
            game = as_game(game)
            self._space = StateSpace(game, symmetric=symmetric)
            self._space.add_root(game.initial_state() if root is None else root)
            self._add_new([])

    @classmethod
    def of(cls, space: AnySpace) -> StateGraph:
        """Return the graph of a space that has been explored already."""
        graph = cls()
        graph._space = space
        graph._add_new(range(len(space)))
        return graph

    @property
    def space(self) -> AnySpace:
        """The same states as lists.

        Raises
        ------
        BadProblem
            The graph is a copy made by networkx, without a game.
        """
        if self._space is None:
            raise BadProblem("this copy of a state graph has no game; use the original graph")
        return self._space

    @property
    def has_game(self) -> bool:
        """Whether the graph has its game; a copy made by networkx does not."""
        return self._space is not None

    @property
    def root(self) -> Any:
        """The state from which the graph was built."""
        return self.space.states[0]

    @property
    def frontier(self) -> list[object]:
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
        index = self.space.number(state)
        if self.space.movers[index] == OPEN:
            self.space.expand(index, index + 1)
            self._add_new([index])
        return [self.space.states[child] for child in self.space.children[index]]

    @collector_paused()
    def build(self, *, depth: int | None = None, limits: Limits | None = None) -> StateGraph:
        """Return the graph itself, grown breadth first to the end or until a limit is reached.

        With ``depth`` only states that are fewer than this number of plies from the root are
        expanded, as many as a picture of this depth needs.

        ``limits.nodes`` counts expanded states, those of this call. Afterwards `is_complete`,
        `frontier` and `stopped` show how far it got; Ctrl-C stops it like a limit.
        """
        before = self.space.frontier
        known = len(self.space)
        explore(self.space.game, space=self.space, depth=depth, limits=limits)
        self._add_new([*before, *range(known, len(self.space))])
        return self

    @collector_paused()
    def solve(self, *, infinite: float = 0) -> AnySolution:
        """Return the values of all states and write them into the nodes.

        See `deduce.search.solvers.choose.solve_space`, which chooses the method.
        """
        return solve_space(self, infinite=infinite)

    def attractor(
        self, coalition: Collection[int], targets: Iterable[Hashable]
    ) -> dict[object, tuple[int, object]]:
        """Return the states from which a coalition can force play into ``targets``.

        Each has the number of plies that it takes and the coalition's action (``None`` where the
        coalition does not move, or where the state is a target).
        """
        attracted = attractor(self, coalition, targets)
        return {
            state: (plies, attracted.strategy.get(state))
            for state, plies in attracted.plies.items()
        }

    def for_export(self) -> nx.DiGraph[int]:
        """Return a copy with numbered nodes and attributes that every file format can hold.

        Labels and actions are the game's texts; for GraphML, GEXF, Pajek, JSON and the like.
        """
        space, game = self.space, self.space.game
        plain: nx.DiGraph[int] = nx.DiGraph(root=0, players=game.players)
        for index, state in enumerate(space.states):
            data = self.nodes[state]
            texts: dict[str, object] = {"label": text_of_state(game, state)}
            texts.update({k: data[k] for k in ("player", "over", "expanded") if k in data})
            for name in ("utility", "value"):
                if data.get(name) is not None:
                    texts[name] = " ".join(number(u) for u in data[name])
            if data.get("distance") is not None:
                texts["distance"] = data["distance"]
            if "best" in data:
                texts["best"] = "; ".join(text_of_action(game, state, a) for a in data["best"])
            plain.add_node(index, **texts)
        numbers = {state: index for index, state in enumerate(space.states)}
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

    def _add_new(self, expanded: Iterable[int]) -> None:
        """Add the new states, and the edges from those just expanded."""
        space = self.space
        states, movers = space.states, space.movers
        self.add_nodes_from(
            (states[index], {"over": False, "expanded": False})
            for index in range(self._added, len(states))
        )
        self._added = len(states)
        self.graph.update(root=states[0], players=space.game.players)
        expanded = [index for index in expanded if movers[index] != OPEN]
        self.add_edges_from(edge for index in expanded for edge in self._edges(index))
        nodes = self.nodes
        for index in expanded:
            data = nodes[states[index]]
            data["expanded"] = True
            if movers[index] == OVER:
                data["over"] = True
                data["utility"] = space.utilities[index]
            else:
                data["player"] = movers[index]

    def _edges(self, index: int) -> Iterable[tuple[object, object, dict[str, object]]]:
        """Return the edges from a state, one per state that can follow."""
        space = self.space
        states, state, after = space.states, space.states[index], space.children[index]
        if space.movers[index] == CHANCE:
            shares: dict[int, object] = {}
            for child, share in zip(after, space.chances[index], strict=True):
                shares[child] = shares.get(child, 0) + share
            return [(state, states[child], {"probability": p}) for child, p in shares.items()]
        actions = space.actions[index]
        if len(set(after)) == len(after):
            return [
                (state, states[child], {"action": action})
                for child, action in zip(after, actions, strict=True)
            ]
        every: dict[int, tuple[object, ...]] = {}
        for child, action in zip(after, actions, strict=True):
            every[child] = (*every.get(child, ()), action)
        return [
            (state, states[child], {"action": a[0], **({"actions": a} if a[1:] else {})})
            for child, a in every.items()
        ]

    def __repr__(self) -> str:
        if self._space is None:
            return f"<StateGraph: {len(self)} states, {self.number_of_edges()} edges, no game>"
        open_ = len(self.space.frontier)
        how = f"{open_} not expanded" if open_ else "complete"
        return f"<StateGraph: {len(self)} states, {self.number_of_edges()} edges, {how}>"

    __str__ = __repr__
