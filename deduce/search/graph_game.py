"""A graph that was made elsewhere as a game: any `networkx.DiGraph` with a few attributes.

This module does not import networkx: a caller with a graph has done so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from operator import index
from typing import Any, Protocol, TypeAlias, TypeGuard, cast

from deduce.errors import BadInput
from deduce.search.errors import BadGraph, are_shares
from deduce.search.game import Action, Game, Outcomes, State, Utilities
from deduce.system.text import nearest, plural

__all__ = ["Graph", "GraphGame", "as_game", "is_graph", "rooted"]

CHANCE = -1
"""The attribute ``player`` of a node where chance moves."""


class Graph(Protocol[State, Action]):
    """What type checkers accept as a graph: a `networkx.DiGraph` or a class derived from it."""

    graph: dict[str, Action]

    def successors(self, n: State) -> Iterator[State]:
        """Return the nodes after a node."""


AnyGraph: TypeAlias = Graph[Any, Any]
"""A graph whose kinds of nodes and actions do not matter."""

Attributes: TypeAlias = Mapping[str, Any]
"""The attributes of a node or an edge."""


class GraphGame:
    """The game that is played on a directed graph; its states are the nodes.

    Every function of `deduce.search` takes this game. The solvers also take the graph itself and
    write their values into it, see `deduce.search.solvers.shared`.

    Parameters
    ----------
    graph
        A `networkx.DiGraph` or `networkx.MultiDiGraph` with the attributes below. The game is a
        copy of it as it is now. All other attributes are ignored.

        Nodes with successors
            ``player``: who moves, numbered from 0; -1 where chance moves.
        Nodes without successors
            ``utility``: one number per player; the text ``"1 -1"``, as files of graphs have it,
            is read as numbers.
        Edges where a player moves
            ``action`` (optional): the name of the move; if it is missing, the successor. All
            actions of a node are different. ``actions`` lists several moves of one edge.
        Edges where chance moves
            ``probability``: positive, with sum 1 at each node; a `fractions.Fraction` is exact.
        The graph
            ``graph.graph["root"]`` (optional): the node in which the game begins; if it is
            missing, the only node without predecessors. ``players`` (optional): their number; if
            it is missing, that of the numbers of a utility.
        All nodes
            ``label`` (optional): the text of the state; if it is missing, that of the node.

    Raises
    ------
    BadGraph
        The first attribute that is missing or wrong, with its node and what would be right.

    Notes
    -----
    ``utility_bounds`` and ``zero_sum`` follow from the utilities. Linear in nodes and edges.

    Examples
    --------
    >>> import networkx as nx
    >>> graph = nx.DiGraph([("start", "left"), ("start", "right")])
    >>> graph.nodes["start"]["player"] = 0
    >>> graph.nodes["left"]["utility"] = (1, -1)
    >>> graph.nodes["right"]["utility"] = (-1, 1)
    >>> game = GraphGame(graph)
    >>> game.initial_state(), game.actions("start"), game.players, game.zero_sum
    ('start', ['left', 'right'], 2, True)
    """

    def __init__(self, graph: AnyGraph) -> None:
        source: Any = graph
        if not is_graph(source) or not source.is_directed():
            raise BadGraph(
                f"a game needs a directed graph (networkx.DiGraph), not {type(source).__name__}; "
                "each edge leads from a state to the next"
            )
        if not len(source):
            raise BadGraph("the graph has no nodes")
        nodes = source.nodes
        self._ends = {node: _utility(node, nodes[node]) for node in source if not source[node]}
        movers = {node: _player(node, nodes[node]) for node in source if source[node]}
        first = next(iter(self._ends.values()), ())
        declared = source.graph.get("players")
        self.players: int = declared or len(first) or max(movers.values()) + 1
        self._check_players(movers)
        self._movers = movers
        self._moves: dict[Hashable, dict[Hashable, Hashable]] = {}
        self._chances: dict[Hashable, Outcomes] = {}
        for node, mover in movers.items():
            edges = [(child, data) for _, child, data in source.edges(node, data=True)]
            if mover == CHANCE:
                self._chances[node] = _outcomes(node, edges)
            else:
                self._moves[node] = _moves(node, edges)
        numbers = [number for utility in self._ends.values() for number in utility] or [0]
        self.utility_bounds = (min(numbers), max(numbers))
        self.zero_sum = all(sum(utility) == 0 for utility in self._ends.values())
        self._texts = {node: str(data.get("label", node)) for node, data in nodes(data=True)}
        self._root = _root(source)

    def _check_players(self, movers: Mapping[Hashable, int]) -> None:
        for node, utility in self._ends.items():
            if len(utility) != self.players:
                raise BadGraph(
                    f"the utility {utility!r} has {plural(len(utility), 'number')}, not one for "
                    f"each of {plural(self.players, 'player')} as graph.graph['players'] or "
                    "another node has it",
                    node,
                )
        for node, mover in movers.items():
            if not CHANCE <= mover < self.players:
                raise BadGraph(
                    f"there is no player {mover}: players are 0 to {self.players - 1}, as many as "
                    "a utility has numbers, and chance is -1",
                    node,
                )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphGame) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def initial_state(self) -> Any:
        """Return the root.

        Raises
        ------
        BadGraph
            The graph does not have one.
        """
        if self._root is None:
            raise BadGraph(
                "the graph has no root: not exactly one of its nodes has no predecessor; "
                "set graph.graph['root'], or give a state"
            )
        return self._root[0]

    @property
    def states(self) -> list[Any]:
        """All nodes, the root first if there is one."""
        return list(dict.fromkeys((*(self._root or ()), *self._texts)))

    def to_move(self, state: Hashable) -> int:
        """Return the player who moves at a node."""
        return self._movers[state]

    def actions(self, state: Hashable) -> Sequence[Any]:
        """Return the actions of a node, in the order of its edges."""
        return list(self._moves[state])

    def result(self, state: Hashable, action: Hashable) -> Any:
        """Return the node after an action."""
        return self._moves[state][action]

    def utility(self, state: Hashable) -> Utilities | None:
        """Return the utilities of a node without successors, else ``None``."""
        return self._ends.get(state)

    @property
    def outcomes(self) -> Callable[[Hashable], Outcomes | None] | None:
        """The function from a state to its outcomes; ``None`` if chance moves nowhere."""
        return self._chances.get if self._chances else None

    def format_state(self, state: Hashable) -> str:
        """Return the label of a node."""
        return self._texts[state]

    def parse_state(self, text: str) -> Any:
        """Return the node that has this label.

        Raises
        ------
        BadInput
            No node or more than one has it.
        """
        nodes = [node for node, label in self._texts.items() if label == text]
        if len(nodes) != 1:
            near = nearest(text, self._texts.values()) if not nodes else ""
            raise BadInput(f"{plural(len(nodes), 'node')} of the graph are called {text!r}{near}")
        return nodes[0]

    def require(self, state: Hashable) -> None:
        """Raise `BadInput` unless the graph has this node."""
        if state not in self._texts:
            near = nearest(str(state), map(str, self._texts))
            raise BadInput(f"the graph has no node {state!r}{near}")


def is_graph(subject: object) -> TypeGuard[Any]:
    """Return whether an object is a graph of networkx, directed or not."""
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(subject, networkx.Graph)


def as_game(subject: Game[State, Action] | Graph[State, Action]) -> Game[State, Action]:
    """Return the game itself, that of a `StateGraph`, or the `GraphGame` of another graph."""
    if not is_graph(subject):
        if isinstance(subject, type) or not hasattr(subject, "initial_state"):
            raise BadInput(f"not a game or a graph: {subject!r}; for example Nim((1, 2))")
        return cast(Game[State, Action], subject)
    has_game = getattr(subject, "has_game", False)
    return cast(Game[State, Action], subject.space.game if has_game else GraphGame(subject))


def rooted(
    subject: Game[State, Action] | Graph[State, Action], state: State | None = None
) -> tuple[Game[State, Action], State]:
    """Return the game of a game or graph, and the state or else the one in which it begins.

    Raises
    ------
    BadInput
        The state is not a node of the graph.
    """
    game = as_game(subject)
    if isinstance(game, GraphGame) and state is not None:
        game.require(state)
    if state is None:
        has_root = getattr(subject, "has_game", False)
        state = cast(Any, subject).root if has_root else game.initial_state()
    return game, state


def _root(graph: Any) -> tuple[Any] | None:
    """Return the root in a tuple, because a node may be any value."""
    if "root" in graph.graph:
        root = graph.graph["root"]
        if root not in graph:
            raise BadGraph(
                f"the root {root!r} is not a node of the graph; nodes are such as "
                f"{next(iter(graph))!r}"
            )
        return (root,)
    sources = [node for node, degree in graph.in_degree() if not degree]
    return (sources[0],) if len(sources) == 1 else None


def _utility(node: Hashable, data: Attributes) -> Utilities:
    """Return the utilities of a node without successors."""
    given = data.get("utility")
    if given is None and data.get("expanded") is False:
        raise BadGraph("the node is not expanded; build the state graph before it is copied", node)
    if given is None:
        raise BadGraph(
            "a node without successors needs the attribute 'utility' with one number per player, "
            "such as (1, -1)",
            node,
        )
    try:
        parts = given.replace(",", " ").split() if isinstance(given, str) else given
        utility = tuple(_number(part) if isinstance(part, str) else part for part in parts)
        if utility and all(map(isfinite, utility)):
            return utility
    except (TypeError, ValueError, ZeroDivisionError):
        pass
    raise BadGraph(
        f"the utility {given!r} is not one finite number per player, such as (1, -1)", node
    )


def _number(text: str) -> float:
    value = Fraction(text)
    return int(value) if value.denominator == 1 else value  # type: ignore[return-value]


def _player(node: Hashable, data: Attributes) -> int:
    """Return who moves at a node with successors."""
    if data.get("utility") is not None:
        raise BadGraph("a node with a utility is the end of the game, but it has successors", node)
    if "player" not in data:
        raise BadGraph(
            "a node with successors needs the attribute 'player': a number from 0, or -1 where "
            "chance moves",
            node,
        )
    player = data["player"]
    try:
        if not isinstance(player, bool):
            return index(player)
    except TypeError:
        pass
    raise BadGraph(
        f"the player {player!r} is not a whole number: 0 for the first, -1 where chance moves", node
    )


def _moves(
    node: Hashable, edges: Iterable[tuple[Hashable, Attributes]]
) -> dict[Hashable, Hashable]:
    """Return the node after each action."""
    moves: dict[Hashable, Hashable] = {}
    for child, data in edges:
        for action in data.get("actions") or (data.get("action", child),):
            try:
                is_new = action not in moves
            except TypeError:
                raise BadGraph(
                    f"the action {action!r} of the edge to {child!r} cannot be hashed; "
                    "use a text, a number or a tuple",
                    node,
                ) from None
            if not is_new:
                raise BadGraph(
                    f"the action {action!r} leads to {moves[action]!r} and to {child!r}; "
                    "give each edge its own attribute 'action'",
                    node,
                )
            moves[action] = child
    return moves


def _outcomes(node: Hashable, edges: Iterable[tuple[Hashable, Attributes]]) -> Outcomes:
    """Return the nodes that chance leads to with their probabilities."""
    outcomes = []
    for child, data in edges:
        if "probability" not in data:
            raise BadGraph(
                f"chance moves here (player -1), so the edge to {child!r} needs the attribute "
                "'probability'",
                node,
            )
        outcomes.append((child, data["probability"]))
    shares = [share for _, share in outcomes]
    if not are_shares(shares):
        texts = ", ".join(map(str, shares))
        raise BadGraph(f"the probabilities {texts} are not positive numbers with sum 1", node)
    return outcomes
