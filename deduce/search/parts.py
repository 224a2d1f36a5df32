"""Which part of a state graph is drawn, what is written into it, and where everything goes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from deduce.errors import BadProblem
from deduce.search.game import hook, text_of_action, text_of_state
from deduce.search.result import number
from deduce.search.space import CHANCE

if TYPE_CHECKING:
    from deduce.search.graph import StateGraph

__all__ = ["COLOURS", "MAX_DRAWN", "colour", "edges", "label", "part", "places", "standing"]

MAX_DRAWN = 400
"""More states than this make no picture that anybody can read."""

COLOURS = {"won": "#bcdcf2", "drawn": "#f4eed8", "lost": "#e2935a", "unknown": "#ffffff"}
"""Fills by the value for player 0: blue, sand, orange, white. All kinds of colour blindness tell
them apart, in grey print lost is darkest, and black text stands out from each."""


def part(
    graph: StateGraph,
    *,
    depth: int = 2,
    values: Collection[float] | None = None,
    best: bool = False,
) -> dict[Any, int]:
    """Return the states to be drawn, each with its plies from the root.

    Parameters
    ----------
    graph
        The graph. ``values`` and ``best`` need it solved.
    depth
        How many plies from the root.
    values
        Keep only states with one of these values for player 0; the root always stays.
    best
        Whether to follow best actions only.

    Examples
    --------
    >>> from deduce.search.graph import StateGraph
    >>> from games.classics.nim import Nim
    >>> graph = StateGraph(Nim((1, 2))).build()
    >>> len(part(graph, depth=1)), len(part(graph, depth=9))
    (4, 8)
    """
    if (values is not None or best) and "value" not in graph.nodes[graph.root]:
        raise BadProblem("choosing states by value needs a solved graph: call solve() first")
    layers = {graph.root: 0}
    ring = [graph.root]
    for plies in range(1, depth + 1):
        reached = []
        for state in ring:
            data = graph.nodes[state]
            for child, edge in graph[state].items():
                if child in layers:
                    continue
                actions = edge.get("actions", (edge.get("action"),))
                chosen = data.get("player", CHANCE) == CHANCE or set(actions) & set(
                    data.get("best", ())
                )
                if best and not chosen:
                    continue
                value = graph.nodes[child].get("value")
                if values is not None and (value is None or value[0] not in values):
                    continue
                layers[child] = plies
                reached.append(child)
        ring = reached
    return layers


def label(graph: StateGraph, state: Any, *, boards: bool) -> list[str]:
    """Return the lines of a state's label: board or text, then value and distance."""
    game, data = graph.space.game, graph.nodes[state]
    show = hook(game, "show") if boards else None
    lines = str(show(state)).split("\n") if show else [text_of_state(game, state)]
    value = data.get("value") or data.get("utility")
    if value is not None:
        plies = "" if not data.get("distance") else f" in {data['distance']}"
        lines.append(", ".join(map(number, value)) + plies)
    return lines


def standing(graph: StateGraph, state: Any) -> str:
    """Return how a state stands for player 0: one of `COLOURS`."""
    data = graph.nodes[state]
    value = data.get("value") or data.get("utility")
    if value is None:
        return "unknown"
    return "won" if value[0] > 0 else "lost" if value[0] < 0 else "drawn"


def colour(graph: StateGraph, state: Any) -> str:
    """Return the fill of a state."""
    return COLOURS[standing(graph, state)]


def edges(graph: StateGraph, state: Any, layers: dict[Any, int]) -> Iterator[tuple[Any, str, bool]]:
    """Yield the edges to drawn states: child, text, and whether it is a best action."""
    game, best = graph.space.game, set(graph.nodes[state].get("best", ()))
    for child, edge in graph[state].items():
        if child not in layers:
            continue
        if "probability" in edge:
            yield child, str(edge["probability"]), False
            continue
        actions = edge.get("actions", (edge["action"],))
        more = f" +{len(actions) - 1}" if len(actions) > 1 else ""
        text = text_of_action(game, state, actions[0]) + more
        yield child, text, bool(best & set(actions))


def places(layers: dict[Any, int]) -> dict[Any, tuple[float, int]]:
    """Return column and row of every state: a row per ply, each row centred."""
    rows: dict[int, list[Any]] = {}
    for state, plies in layers.items():
        rows.setdefault(plies, []).append(state)
    breadth = max(map(len, rows.values()))
    return {
        state: (column * breadth / len(row) + (breadth / len(row) - 1) / 2, plies)
        for plies, row in rows.items()
        for column, state in enumerate(row)
    }
