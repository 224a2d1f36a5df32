"""A state graph as a picture for notebooks, the states as the game draws them; needs no library.

What colour says is said in words too: each state has its value below it, and tells everything else
when the mouse rests on it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from attrs import frozen

from deduce.errors import BadProblem
from deduce.search.board import svg_of_state
from deduce.search.game import text_of_state
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
LARGEST = 240
"""... and only if it is not wider or higher than this; a larger one could not be read."""
LINES, LETTERS = 8, 22
"""How much text a state has at most where it is shown as text."""
ABOVE = 24
"""The room for the legend."""
_SIZE = re.compile(r'\bwidth="([\d.]+)"[^>]*? height="([\d.]+)"')


Point = tuple[float, float]


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

    Blue is won by player 0, orange lost, sand drawn, not filled unknown; a thick line is a best
    action and a thick frame ends the game.

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
    >>> graph_svg(graph).count("won in")
    4
    """
    layers = part(graph, depth=depth)
    if len(layers) > MAX_DRAWN:
        raise BadProblem(f"{len(layers)} states make no readable picture (at most {MAX_DRAWN})")
    nodes = {state: _node(graph, state) for state in layers}
    column = max(node.width for node in nodes.values()) + 14
    row = max(node.height for node in nodes.values()) + 56
    spots_of = places(layers)
    breadth = max(x for x, _ in spots_of.values()) + 1
    width = max(breadth * column, 470.0)
    left = (width - breadth * column) / 2
    spots = {
        state: (left + (x + 0.5) * column, ABOVE + 6 + y * row)
        for state, (x, y) in spots_of.items()
    }
    shapes = list(_legend(solved="value" in graph.nodes[graph.root]))
    words = []
    for state in layers:
        x, y = spots[state]
        start = x, y + nodes[state].height + (22 if nodes[state].value else 6)
        for place, (child, told, is_best) in enumerate(edges(graph, state, layers)):
            end = spots[child][0], spots[child][1] - 6
            at = _between(start, end, (0.35, 0.55, 0.75)[place % 3])  # neighbours do not collide
            told = shortened(told, 18)
            style = {"stroke_width": 2.6 if is_best else 0.8, "opacity": 1 if is_best else 0.7}
            parts = _around(start, end, at, 3.2 * len(told) + 2)
            shapes += [line(*ends, **style) for ends in parts]
            weight = "bold" if is_best else None
            words.append(text(at[0], at[1] + 4, told, size=10.5, font_weight=weight))
    shapes += words
    shapes += [_drawn(graph, state, node, spots[state]) for state, node in nodes.items()]
    deepest = max(layers.values())
    height = ABOVE + 6 + deepest * row + max(node.height for node in nodes.values()) + 22
    game, root = graph.space.game, graph.root
    desc = f"{len(layers)} of {len(graph)} states, from {text_of_state(game, root)}"
    return picture(width, height, *shapes, title="state graph", desc=desc, style="")


def _node(graph: StateGraph, state: Any) -> _Node:
    game, data = graph.space.game, graph.nodes[state]
    value, plies = data.get("value") or data.get("utility"), data.get("distance")
    told = "" if value is None else ", ".join(map(number, value))
    told += f" in {plies}" if told and plies else ""
    hover = text_of_state(game, state)
    if value is not None:
        hover += f": {standing(graph, state)}" + (f" in {plies} plies" if plies else "")
    own = svg_of_state(game, state)
    found = None if own is None else _SIZE.search(own[: own.find(">")])
    if own is not None and found is not None:
        width, height = float(found[1]), float(found[2])
        if 0 < width <= LARGEST and 0 < height <= LARGEST:
            scale = ROOM / max(width, height, ROOM)
            small = group(Markup(own), transform=f"scale({scale:.3f})")
            return _Node((small,), width * scale, height * scale, told, hover)
    lines = label(graph, state, boards=True)[: None if value is None else -1]
    if len(lines) > LINES or max(map(len, lines)) > LETTERS:
        lines = [text_of_state(game, state)]
    inside = tuple(
        text(0, 11 + 14 * place, shortened(words, LETTERS), size=12, anchor="start", **_MONO)
        for place, words in enumerate(lines)
    )
    letters = max(min(len(words), LETTERS) for words in lines)
    return _Node(inside, 7.3 * letters, 14.0 * len(lines), told, hover)


_MONO: dict[str, Any] = {"font_family": "monospace", "xml:space": "preserve"}


def _drawn(graph: StateGraph, state: Any, node: _Node, spot: tuple[float, float]) -> Markup:
    x, y = spot
    kind, over = standing(graph, state), graph.nodes[state]["over"]
    frame = {"rx": 4, "stroke": "currentColor", "stroke_width": 3 if over else 0.8}
    left = x - node.width / 2
    box = rect(left - 5, y - 5, node.width + 10, node.height + 10, fill=COLOURS[kind], **frame)
    inside = group(*node.inside, transform=f"translate({left:.2f} {y:.2f})", color=_INK)
    value = text(x, y + node.height + 17, node.value, size=11)
    return group(box, group(inside, fill=_INK), value, title=legible(node.hover))


_INK = "#111"


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


def _legend(*, solved: bool) -> list[Markup]:
    if not solved:
        told = "values are not known; a thick frame ends the game"
        return [text(4, 15, told, size=12, anchor="start", opacity=FAINT)]
    shapes, x = [], 4.0
    for kind, paper in COLOURS.items():
        told = f"{kind} for player 0" if kind == "won" else kind
        shapes.append(rect(x, 4, 14, 14, fill=paper, stroke="currentColor", stroke_width=0.8))
        shapes.append(text(x + 20, 15, told, size=12, anchor="start"))
        x += 34 + 6.6 * len(told)
    shapes.append(text(x, 15, "thick line: best action", size=12, anchor="start"))
    return shapes
