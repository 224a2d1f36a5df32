"""A state graph as a picture for notebooks, the states as the game draws them; needs no library.

What colour says is said in words too: each state has its value below it, and tells everything else
when the mouse rests on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from attrs import frozen

from deduce.errors import BadProblem
from deduce.search.board import svg_of_state
from deduce.search.game import text_of_player, text_of_state
from deduce.search.parts import COLOURS, MAX_DRAWN, edges, label, part, places, standing
from deduce.search.result import number
from deduce.show.svg import (
    FAINT,
    Markup,
    group,
    legible,
    line,
    picture,
    rect,
    shortened,
    text,
)

if TYPE_CHECKING:
    from deduce.search.graph import StateGraph

__all__ = ["graph_svg"]

ROOM = 64
"""A game's own picture is drawn at most so large, in pixels ..."""
LARGEST = 200
"""... and only if none is wider or higher than this; a larger one could not be read."""
LINES, LETTERS = 8, 28
"""How much text a state has at most where it is shown as text."""
MOST = 18
"""How many letters of an action stand on its line."""
BAND = 18
"""The height of the band with a value."""
ABOVE = 24
"""The room for the legend."""
_SIZE = re.compile(r'\bwidth="([\d.]+)"[^>]*? height="([\d.]+)"')


Point = tuple[float, float]
_Drawn = tuple[tuple[Markup, ...], float, float]
"""The shapes of a state, their width and their height."""


@frozen
class _Node:
    """A state as it is drawn: what is in its box, how large that is, and its value."""

    inside: tuple[Markup, ...]
    width: float
    height: float
    value: str
    hover: str


def graph_svg(graph: StateGraph, *, depth: int = 2) -> str:
    """Return the first plies of a graph as SVG, the root on top.

    The band below a state is blue if player 0 wins, orange if he loses, sand for a draw; a thick
    line is a best action and a thick frame ends the game.

    Raises
    ------
    BadProblem
        There are more than `MAX_DRAWN` states.

    Examples
    --------
    >>> from deduce.search.graph import StateGraph
    >>> from games.classics.nim import Nim
    >>> graph = StateGraph(Nim((1, 2))).build()
    >>> _ = graph.solve()
    >>> graph_svg(graph).count("won for player 0 in")
    4
    """
    layers = part(graph, depth=depth)
    if len(layers) > MAX_DRAWN:
        raise BadProblem(f"{len(layers)} states make no readable picture (at most {MAX_DRAWN})")
    nodes = _nodes(graph, layers)
    arrows = {state: list(edges(graph, state, layers)) for state in layers}
    letters = max((min(len(t), MOST) for told in arrows.values() for _, t, _ in told), default=0)
    wide = max(max(node.width, 6.2 * len(node.value)) for node in nodes.values())
    column = max(wide + 18, 9 * letters)
    row = max(node.height for node in nodes.values()) + (56 if letters < 4 else 84)
    spots_of = places(layers)
    breadth = max(x for x, _ in spots_of.values()) + 1
    width = max(breadth * column, 560.0)
    left = (width - breadth * column) / 2
    spots = {
        state: (left + (x + 0.5) * column, ABOVE + 6 + y * row)
        for state, (x, y) in spots_of.items()
    }
    shapes = list(_legend(graph))
    words = []
    for state in layers:
        x, y = spots[state]
        start = x, y + nodes[state].height + (5 + BAND if nodes[state].value else 5)
        for place, (child, told, is_best) in enumerate(arrows[state]):
            end = spots[child][0], spots[child][1] - 6
            at = _between(start, end, _along(start, end, place))
            told = shortened(told, MOST)
            style = {"stroke_width": 2.6 if is_best else 0.8, "opacity": 1 if is_best else 0.7}
            parts = _around(start, end, at, 3.2 * len(told) + 2)
            shapes += [line(*ends, **style) for ends in parts]
            weight = "bold" if is_best else None
            words.append(text(at[0], at[1] + 4, told, size=10.5, font_weight=weight))
    shapes += words
    shapes += [_drawn(graph, state, node, spots[state]) for state, node in nodes.items()]
    deepest = max(layers.values())
    height = ABOVE + 6 + deepest * row + max(node.height for node in nodes.values()) + BAND + 12
    game, root = graph.space.game, graph.root
    desc = f"{len(layers)} of {len(graph)} states, from {text_of_state(game, root)}"
    return picture(width, height, *shapes, title="state graph", desc=desc, style="")


def _nodes(graph: StateGraph, layers: Iterable[Any]) -> dict[Any, _Node]:
    """Return every state as it is drawn: all by the game's own pictures, or all as text."""
    states = list(layers)
    own = {state: _small(svg_of_state(graph.space.game, state)) for state in states}
    nodes, first = {}, text_of_player(graph.space.game, 0)
    for state in states:
        data = graph.nodes[state]
        value, plies = data.get("value") or data.get("utility"), data.get("distance")
        told = "" if value is None else ", ".join(map(number, value))
        told += f" in {plies}" if told and plies else ""
        hover = text_of_state(graph.space.game, state)
        if value is not None:
            hover += f": {standing(graph, state)} for {first}"
            hover += f" in {plies} plies" if plies else ""
        drawn = own[state] if None not in own.values() else None
        inside, width, height = drawn or _as_text(graph, state)
        nodes[state] = _Node(inside, width, height, told, hover)
    return nodes


def _small(own: str | None) -> _Drawn | None:
    """Return the game's picture scaled down; ``None`` if there is none, or it is too large."""
    found = None if own is None else _SIZE.search(own[: own.find(">")])
    if own is None or found is None:
        return None
    width, height = float(found[1]), float(found[2])
    if not (0 < width <= LARGEST and 0 < height <= LARGEST):
        return None
    scale = ROOM / max(width, height, ROOM)
    small = group(Markup(own), transform=f"scale({scale:.3f})")
    return (small,), width * scale, height * scale


def _as_text(graph: StateGraph, state: Any) -> _Drawn:
    data = graph.nodes[state]
    valued = (data.get("value") or data.get("utility")) is not None
    lines = label(graph, state, boards=True)[: -1 if valued else None]
    if len(lines) > LINES or max(map(len, lines)) > LETTERS:
        lines = wrap(text_of_state(graph.space.game, state), LETTERS)[:LINES] or [""]
    inside = tuple(
        text(0, 11 + 14 * place, shortened(words, LETTERS), size=12, anchor="start", **_MONO)
        for place, words in enumerate(lines)
    )
    return inside, 7.3 * min(max(map(len, lines)), LETTERS), 14.0 * len(lines)


_MONO: dict[str, Any] = {"font_family": "monospace", "xml:space": "preserve"}


def _drawn(graph: StateGraph, state: Any, node: _Node, spot: tuple[float, float]) -> Markup:
    """Return a state on white paper, its value in a band of its colour below."""
    x, y = spot
    kind, over = standing(graph, state), graph.nodes[state]["over"]
    width = max(node.width, 6.2 * len(node.value))
    left, high = x - width / 2 - 5, node.height + 10
    shapes = [rect(left, y - 5, width + 10, high, fill="#fff")]
    if node.value:
        shapes.append(rect(left, y - 5 + high, width + 10, BAND, fill=COLOURS[kind]))
        shapes.append(text(x, y - 5 + high + 13, node.value, size=11, fill=_INK))
        high += BAND
    frame = {"rx": 3, "fill": "none", "stroke": "currentColor"}
    inside = group(
        *node.inside,
        transform=f"translate({x - node.width / 2:.2f} {y:.2f})",
        color=_INK,
        fill=_INK,
    )
    box = rect(left, y - 5, width + 10, high, **frame, stroke_width=3 if over else 0.8)
    return group(*shapes, inside, box, title=legible(node.hover))


_INK = "#111"


def _along(start: Point, end: Point, place: int) -> float:
    """Return where on a line its words stand, so that those of lines that cross do not collide."""
    leaning = (end[0] > start[0] + 1) - (end[0] < start[0] - 1)
    return 0.5 + 0.15 * leaning + 0.12 * (place % 2)


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _around(start: Point, end: Point, at: Point, half: float) -> list[tuple[float, ...]]:
    """Return the two parts of a line that leave room for words in between."""
    across, down = abs(end[0] - start[0]), max(abs(end[1] - start[1]), 1e-6)
    length = (across**2 + down**2) ** 0.5
    gap = min(half * length / across if across else 1e9, 8 * length / down) / length
    share = (at[1] - start[1]) / (end[1] - start[1] or 1e-6)
    before = _between(start, end, max(0.0, share - gap))
    after = _between(start, end, min(1.0, share + gap))
    return [(*start, *before), (*after, *end)]


def _legend(graph: StateGraph) -> list[Markup]:
    if "value" not in graph.nodes[graph.root]:
        told = "values are not known; a thick frame ends the game"
        return [text(4, 15, told, size=12, anchor="start", opacity=FAINT)]
    shapes, x = [], 4.0
    for kind, paper in COLOURS.items():
        told = kind
        if kind == "won":
            told += shortened(f" for {text_of_player(graph.space.game, 0)}", 40)
        shapes.append(rect(x, 4, 14, 14, fill=paper, stroke="currentColor", stroke_width=0.8))
        shapes.append(text(x + 20, 15, told, size=12, anchor="start"))
        x += 40 + 6.6 * len(told)
    shapes.append(text(x, 15, "thick line: best action", size=12, anchor="start"))
    return shapes
