"""Which part of a state graph is drawn, and where everything goes; lengths are in pixels.

The same layout is drawn as SVG and through matplotlib, see `deduce.search.drawing`.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from deduce.errors import BadProblem
from deduce.search.board import shown_state
from deduce.search.game import text_of_action, text_of_player, text_of_state
from deduce.search.result import number
from deduce.search.space import CHANCE

if TYPE_CHECKING:
    from deduce.search.graph import StateGraph

__all__ = [
    "BAND",
    "COLOURS",
    "LEGEND",
    "MAX_DRAWN",
    "MAX_LETTERS",
    "Arrow",
    "Layout",
    "Point",
    "Spot",
    "edges",
    "layout",
    "legend",
    "legend_places",
    "part",
    "standing",
    "state_lines",
    "value_text",
]

MAX_DRAWN = 400
"""A picture of more states than this cannot be read."""
MAX_LETTERS = 18
"""How many letters of an action are written on its line."""

COLOURS = {"won": "#bcdcf2", "drawn": "#f4eed8", "lost": "#e2935a", "unknown": "#ffffff"}
"""Fills by the value for player 0: blue, sand, orange, white. They differ with every kind of
colour blindness; in grey print lost is darkest; black text has enough contrast on each."""

LEGEND = 30
"""The height of the legend above the graph."""
BAND = 18
"""The height of the band with a value below a state."""
PADDING = 5
"""The space around what is inside a box."""

Point = tuple[float, float]


@frozen
class Spot:
    """The box of a state: the middle of its upper edge, its size, and the text of its band."""

    x: float
    y: float
    width: float
    height: float
    """Without the band."""
    value: str
    """The text of the band; empty if there is none."""

    @property
    def bottom(self) -> float:
        """Where the box ends, band included."""
        return self.y + self.height + (BAND if self.value else 0)


@frozen
class Arrow:
    """The line from a state to one that follows it, with the action on it."""

    start: Point
    end: Point
    text: str
    at: Point
    """The middle of the text."""
    best: bool


@frozen
class Layout:
    """Where the states and the lines between them are drawn."""

    width: float
    height: float
    spots: Mapping[Hashable, Spot]
    arrows: tuple[Arrow, ...]


def part(
    graph: StateGraph,
    *,
    depth: int = 2,
    values: Collection[float] | None = None,
    best: bool = False,
) -> dict[Hashable, int]:
    """Return the states to be drawn, each with its plies from the root.

    Parameters
    ----------
    graph
        The graph. ``values`` and ``best`` need it solved.
    depth
        How many plies from the root.
    values
        Keep only states with one of these values for player 0; the root is always kept.
    best
        Whether to follow best actions only.

    Raises
    ------
    BadProblem
        The graph is not solved.

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
    layer = [graph.root]
    for plies in range(1, depth + 1):
        following = []
        for state in layer:
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
                following.append(child)
        layer = following
    return layers


def readable_part(graph: StateGraph, **chosen: Any) -> dict[Hashable, int]:
    """Return `part` of the graph if a picture of it can be read.

    Raises
    ------
    BadProblem
        There are more than `MAX_DRAWN` states.
    """
    layers = part(graph, **chosen)
    if len(layers) > MAX_DRAWN:
        raise BadProblem(
            f"{len(layers)} states make no readable picture (at most {MAX_DRAWN}); "
            "give a smaller depth, or only best actions or some values"
        )
    return layers


def state_lines(graph: StateGraph, state: Hashable, *, boards: bool) -> list[str]:
    """Return the text of a state: the game's ``show`` with ``boards``, else its one-line text."""
    game = graph.space.game
    return shown_state(game, state).split("\n") if boards else [text_of_state(game, state)]


def value_text(graph: StateGraph, state: Hashable) -> str:
    """Return value and distance of a state, such as ``"1, -1 in 3"``; empty if not known."""
    data = graph.nodes[state]
    value = data.get("value") or data.get("utility")
    if value is None:
        return ""
    plies = f" in {data['distance']}" if data.get("distance") else ""
    return ", ".join(map(number, value)) + plies


def standing(graph: StateGraph, state: Hashable) -> str:
    """Return which of `COLOURS` shows a state's value for player 0."""
    data = graph.nodes[state]
    value = data.get("value") or data.get("utility")
    if value is None:
        return "unknown"
    return "won" if value[0] > 0 else "lost" if value[0] < 0 else "drawn"


def legend(graph: StateGraph) -> tuple[list[tuple[str, str]], str]:
    """Return the fills with what each means, and what lines and frames mean."""
    if "value" not in graph.nodes[graph.root]:
        return [], "values are not known; thick frame: game over"
    first = text_of_player(graph.space.game, 0)
    first = first if len(first) <= 30 else first[:29] + "…"
    fills = [
        (fill, f"{kind} for {first}" if kind == "won" else kind) for kind, fill in COLOURS.items()
    ]
    return fills, "thick line: best action; thick frame: game over"


def legend_places(graph: StateGraph) -> list[float]:
    """Return where each fill of the legend begins, and last where the note begins."""
    places = [4.0]
    for _, meaning in legend(graph)[0]:
        places.append(places[-1] + 40 + 6.6 * len(meaning))
    return places


def edges(
    graph: StateGraph, state: Hashable, layers: dict[Hashable, int]
) -> Iterator[tuple[Hashable, str, bool]]:
    """Yield the edges to drawn states: the state, the text, and whether it is a best action."""
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


def layout(
    graph: StateGraph, layers: dict[Hashable, int], sizes: Mapping[Hashable, Point]
) -> Layout:
    """Return where states and lines are drawn: a row per ply, each row centred.

    Parameters
    ----------
    graph
        The graph.
    layers
        The states to be drawn with their plies, see `part`.
    sizes
        Width and height of what is inside the box of each state.
    """
    values = {state: value_text(graph, state) for state in layers}
    widths = {state: max(sizes[state][0], 6.2 * len(values[state])) for state in layers}
    outgoing = {state: list(edges(graph, state, layers)) for state in layers}
    texts = [text for listed in outgoing.values() for _, text, _ in listed]
    letters = max((min(len(text), MAX_LETTERS) for text in texts), default=0)
    highest = max(height for _, height in sizes.values())
    column = max(max(widths.values()) + 18, 9 * letters)
    row = highest + (56 if letters < 4 else 84)
    cells = _cells(layers)
    breadth = max(x for x, _ in cells.values()) + 1
    width = max(breadth * column, legend_places(graph)[-1] + 6.4 * len(legend(graph)[1]))
    left = (width - breadth * column) / 2
    spots = {
        state: Spot(
            left + (x + 0.5) * column,
            LEGEND - PADDING + y * row,
            widths[state] + 2 * PADDING,
            sizes[state][1] + 2 * PADDING,
            values[state],
        )
        for state, (x, y) in cells.items()
    }
    arrows = []
    for state in layers:
        start = spots[state].x, spots[state].bottom
        for index, (child, text, is_best) in enumerate(outgoing[state]):
            end = spots[child].x, spots[child].y
            leaning = (end[0] > start[0] + 1) - (end[0] < start[0] - 1)
            share = 0.5 + 0.15 * leaning + 0.12 * (index % 2)  # so that texts do not collide
            arrows.append(Arrow(start, end, text, between(start, end, share), is_best))
    height = LEGEND + max(layers.values()) * row + highest + BAND + 12
    return Layout(width, height, spots, tuple(arrows))


def between(start: Point, end: Point, share: float) -> Point:
    """Return the point of a line that is a share of the way to its end."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _cells(layers: dict[Hashable, int]) -> dict[Hashable, tuple[float, int]]:
    """Return column and row of every state."""
    rows: dict[int, list[Hashable]] = {}
    for state, plies in layers.items():
        rows.setdefault(plies, []).append(state)
    breadth = max(map(len, rows.values()))
    return {
        state: (column * breadth / len(row) + (breadth / len(row) - 1) / 2, plies)
        for plies, row in rows.items()
        for column, state in enumerate(row)
    }
