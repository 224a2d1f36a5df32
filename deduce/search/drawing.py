"""Pictures of state graphs: SVG, figures through matplotlib, and Graphviz text.

What colours show is also in the text: each state has its value below it, and in the SVG all that is
known of it when the mouse rests on it. The SVG shows states as the game draws them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import IO, TYPE_CHECKING, Any

from deduce.search.board import svg_of_state
from deduce.search.game import text_of_player, text_of_state
from deduce.search.layout import (
    BAND,
    COLOURS,
    LEGEND,
    MAX_LETTERS,
    PADDING,
    Arrow,
    Layout,
    Point,
    Spot,
    between,
    edges,
    layout,
    legend,
    legend_places,
    part,
    readable_part,
    standing,
    state_lines,
    value_text,
)
from deduce.show.svg import FAINT, Markup, group, legible, line, picture, rect, shortened, text
from deduce.system.files import replace_file

if TYPE_CHECKING:
    from deduce.search.graph import StateGraph
    from deduce.show.canvas import Figure, Form

__all__ = ["MAX_SHOWN", "draw", "graph_figure", "graph_svg", "to_dot"]

MAX_SHOWN = 40
"""How many states a notebook shows if no depth is given."""
MAX_SCALED = 64
"""A game's own picture is drawn at most this large, in pixels ..."""
MAX_PICTURE = 200
"""... and only if it is not wider or higher than this; a larger one could not be read."""
MAX_LINES, MAX_WIDTH = 8, 28
"""How many lines and letters a state has at most where it is shown as text."""
LINE, LETTER = 14, 7.3
"""The size of a line and of a letter of a state's text, in pixels."""
PIXELS = 96
"""Pixels per inch of a figure."""

_SIZE = re.compile(r'\bwidth="([\d.]+)"[^>]*? height="([\d.]+)"')
_INK = "#111"
_MONO: dict[str, object] = {"font_family": "monospace", "xml:space": "preserve"}


def to_dot(
    graph: StateGraph,
    *,
    depth: int = 2,
    values: Collection[float] | None = None,
    best: bool = False,
    boards: bool = True,
) -> str:
    r"""Return a part of the graph (see `part`) as Graphviz text, for ``dot -Tsvg``.

    Examples
    --------
    >>> from deduce.search.graph import StateGraph
    >>> from games.classics.nim import Nim
    >>> print(to_dot(StateGraph(Nim((1,))).build()))
    digraph states {
      node [shape=box, fontname="monospace", style=filled];
      s0 [label="1 player 0", fillcolor="#ffffff"];
      s1 [label="0 player 1\n1, -1", fillcolor="#bcdcf2", peripheries=2];
      s0 -> s1 [label="1 from 1"];
    }
    """
    layers = part(graph, depth=depth, values=values, best=best)
    names = {state: f"s{index}" for index, state in enumerate(layers)}
    lines = ["digraph states {", '  node [shape=box, fontname="monospace", style=filled];']
    for state, name in names.items():
        value = value_text(graph, state)
        label = [*state_lines(graph, state, boards=boards), *([value] if value else [])]
        over = ", peripheries=2" if graph.nodes[state]["over"] else ""
        fill = COLOURS[standing(graph, state)]
        lines.append(f'  {name} [label={_quoted(label)}, fillcolor="{fill}"{over}];')
    for state in names:
        for child, action, is_best in edges(graph, state, layers):
            bold = ", penwidth=2.5" if is_best else ""
            lines.append(f"  {names[state]} -> {names[child]} [label={_quoted([action])}{bold}];")
    return "\n".join([*lines, "}"])


def _quoted(lines: Collection[str]) -> str:
    escaped = "\n".join(lines).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def draw(
    graph: StateGraph,
    file: Path | str | IO[bytes],
    *,
    form: Form | None = None,
    depth: int = 2,
    values: Collection[float] | None = None,
    best: bool = False,
    boards: bool = True,
) -> int:
    """Return how many states were drawn into an SVG, PNG or PDF file.

    SVG is that of `graph_svg`; PNG and PDF are a `graph_figure` and need matplotlib.

    Parameters
    ----------
    graph
        The graph.
    file
        A path, or a binary file that is open.
    form
        The format if the name of the file does not end in it.
    depth, values, best
        Which part, see `part`.
    boards
        Whether states are shown as boards; otherwise as one line of text.

    Raises
    ------
    BadProblem
        The part has too many states to be read.
    BadInput
        The file cannot be written, or its name ends in no format.
    Unsupported
        matplotlib is missing (extra ``plot``).

    Examples
    --------
    >>> from io import BytesIO
    >>> from games.classics.nim import Nim
    >>> from deduce.search.graph import StateGraph
    >>> draw(StateGraph(Nim((1, 2))).build(), BytesIO(), form="svg", depth=2)
    7
    """
    layers = readable_part(graph, depth=depth, values=values, best=best)
    if (form or Path(str(file)).suffix.lower()) in ("svg", ".svg"):
        svg = _svg(graph, layers, boards=boards, style="background:#fff;color:#111")
        if isinstance(file, str | Path):
            replace_file(Path(file), svg + "\n")
        else:
            file.write(svg.encode() + b"\n")
    else:
        from deduce.show.canvas import save

        save(_figure(graph, layers, boards=boards), file, form)
    return len(layers)


def graph_svg(
    graph: StateGraph,
    *,
    depth: int | None = None,
    values: Collection[float] | None = None,
    best: bool = False,
    boards: bool = True,
) -> str:
    """Return the first plies of a graph as SVG, the root on top.

    The band below a state is blue if player 0 wins, orange if they lose, sand for a draw; a thick
    line is a best action and a thick frame marks the end of the game.

    Parameters
    ----------
    graph
        The graph.
    depth
        How many plies; if not given, up to 3 of which `MAX_SHOWN` states can be drawn.
    values, best, boards
        As in `draw`.

    Raises
    ------
    BadProblem
        The part has too many states to be read.

    Examples
    --------
    >>> from deduce.search.graph import StateGraph
    >>> from games.classics.nim import Nim
    >>> graph = StateGraph(Nim((1, 2))).build()
    >>> _ = graph.solve()
    >>> graph_svg(graph, depth=2).count("won for player 0 in")
    4
    """
    if depth is None:
        fitting = (d for d in (3, 2, 1) if len(part(graph, depth=d)) <= MAX_SHOWN)
        depth = next(fitting, 0)
    layers = readable_part(graph, depth=depth, values=values, best=best)
    return _svg(graph, layers, boards=boards, style="")


def graph_figure(
    graph: StateGraph,
    *,
    depth: int = 2,
    values: Collection[float] | None = None,
    best: bool = False,
    boards: bool = True,
) -> Figure:
    """Return a part of the graph as a matplotlib figure, in the same layout as `graph_svg`.

    States are shown as text. Parameters are those of `draw`.

    Raises
    ------
    BadProblem
        The part has too many states to be read.
    Unsupported
        matplotlib is missing (extra ``plot``).

    Examples
    --------
    >>> from deduce.search.graph import StateGraph
    >>> from games.classics.nim import Nim
    >>> graph = StateGraph(Nim((1, 2))).build()
    >>> _ = graph.solve()
    >>> graph_figure(graph).axes[0].texts[0].get_text()
    'won for player 0'
    """
    layers = readable_part(graph, depth=depth, values=values, best=best)
    return _figure(graph, layers, boards=boards)


def _lines(graph: StateGraph, state: Hashable, *, boards: bool) -> list[str]:
    """Return a state's text in a few short lines."""
    lines = state_lines(graph, state, boards=boards)
    if len(lines) > MAX_LINES or max(map(len, lines)) > MAX_WIDTH:
        lines = wrap(text_of_state(graph.space.game, state), MAX_WIDTH)[:MAX_LINES] or [""]
    return [shortened(each, MAX_WIDTH) for each in lines]


def _size(lines: Collection[str]) -> Point:
    return LETTER * max(map(len, lines)), float(LINE * len(lines))


# SVG


def _svg(graph: StateGraph, layers: dict[Hashable, int], *, boards: bool, style: str) -> str:
    inside, sizes = _contents(graph, layers, boards=boards)
    plan = layout(graph, layers, sizes)
    shapes = _svg_legend(graph)
    shapes += [shape for arrow in plan.arrows for shape in _svg_lines(arrow)]
    shapes += [_svg_words(arrow) for arrow in plan.arrows]
    shapes += [_svg_box(graph, s, plan.spots[s], inside[s], sizes[s]) for s in layers]
    desc = (
        f"{len(layers)} of {len(graph)} states, from {text_of_state(graph.space.game, graph.root)}"
    )
    return picture(plan.width, plan.height, *shapes, title="state graph", desc=desc, style=style)


def _contents(
    graph: StateGraph, layers: dict[Hashable, int], *, boards: bool
) -> tuple[dict[Hashable, tuple[Markup, ...]], dict[Hashable, Point]]:
    """Return shapes and size of every state: all as the game draws them, or all as text."""
    drawn = {state: _scaled(graph, state) if boards else None for state in layers}
    inside: dict[Hashable, tuple[Markup, ...]] = {}
    sizes: dict[Hashable, Point] = {}
    for state in layers:
        own = drawn[state] if None not in drawn.values() else None
        if own is not None:
            inside[state], sizes[state] = (own[0],), own[1]
            continue
        lines = _lines(graph, state, boards=boards)
        sizes[state] = _size(lines)
        inside[state] = tuple(
            text(0, 11 + LINE * index, each, size=12, anchor="start", **_MONO)
            for index, each in enumerate(lines)
        )
    return inside, sizes


def _scaled(graph: StateGraph, state: Hashable) -> tuple[Markup, Point] | None:
    """Return the game's picture scaled down; ``None`` if there is none, or it is too large."""
    own = svg_of_state(graph.space.game, state)
    size = None if own is None else _SIZE.search(own[: own.find(">")])
    if own is None or size is None:
        return None
    width, height = float(size[1]), float(size[2])
    if not (0 < width <= MAX_PICTURE and 0 < height <= MAX_PICTURE):
        return None
    scale = MAX_SCALED / max(width, height, MAX_SCALED)
    small = group(Markup(own), transform=f"scale({scale:.3f})")
    return small, (width * scale, height * scale)


def _svg_box(
    graph: StateGraph, state: Hashable, spot: Spot, inside: tuple[Markup, ...], size: Point
) -> Markup:
    """Return a state on white paper, its value in a band of its colour below."""
    left, kind, plies = spot.x - spot.width / 2, standing(graph, state), ""
    shapes = [rect(left, spot.y, spot.width, spot.height, fill="#fff")]
    hover = text_of_state(graph.space.game, state)
    if spot.value:
        bottom = spot.y + spot.height
        shapes.append(rect(left, bottom, spot.width, BAND, fill=COLOURS[kind]))
        shapes.append(text(spot.x, bottom + 13, spot.value, size=11, fill=_INK))
        if graph.nodes[state].get("distance"):
            plies = f" in {graph.nodes[state]['distance']} plies"
        hover += f": {kind} for {text_of_player(graph.space.game, 0)}{plies}"
    shapes.append(
        group(
            *inside,
            transform=f"translate({spot.x - size[0] / 2:.2f} {spot.y + PADDING:.2f})",
            color=_INK,
            fill=_INK,
        )
    )
    frame = {"rx": 3, "fill": "none", "stroke": "currentColor"}
    thick = 3 if graph.nodes[state]["over"] else 0.8
    height = spot.bottom - spot.y
    shapes.append(rect(left, spot.y, spot.width, height, **frame, stroke_width=thick))
    return group(*shapes, title=legible(hover))


def _svg_lines(arrow: Arrow) -> Iterator[Markup]:
    """Yield the two parts of a line, which leave space for the text between them."""
    (x, y), (to_x, to_y) = start, end = arrow.start, arrow.end
    across, down = abs(to_x - x), max(abs(to_y - y), 1e-6)
    length = (across**2 + down**2) ** 0.5
    half = 3.2 * min(len(arrow.text), MAX_LETTERS) + 2
    gap = min(half * length / across if across else 1e9, 8 * length / down) / length
    share = (arrow.at[1] - y) / (to_y - y or 1e-6)
    style = {
        "stroke_width": 2.6 if arrow.best else 0.8,
        "opacity": 1 if arrow.best else 0.7,
    }
    yield line(*start, *between(start, end, max(0.0, share - gap)), **style)
    yield line(*between(start, end, min(1.0, share + gap)), *end, **style)


def _svg_words(arrow: Arrow) -> Markup:
    words, weight = shortened(arrow.text, MAX_LETTERS), "bold" if arrow.best else None
    return text(arrow.at[0], arrow.at[1] + 4, words, size=10.5, font_weight=weight)


def _svg_legend(graph: StateGraph) -> list[Markup]:
    fills, note = legend(graph)
    places = legend_places(graph)
    shapes = []
    for (fill, words), x in zip(fills, places, strict=False):
        shapes.append(rect(x, 4, 14, 14, fill=fill, stroke="currentColor", stroke_width=0.8))
        shapes.append(text(x + 20, 15, words, size=12, anchor="start"))
    opacity = None if fills else FAINT
    return [*shapes, text(places[-1], 15, note, size=12, anchor="start", opacity=opacity)]


# matplotlib


def _figure(graph: StateGraph, layers: dict[Hashable, int], *, boards: bool) -> Figure:
    from matplotlib.patches import Rectangle

    from deduce.show.canvas import Figure, words

    lines = {state: _lines(graph, state, boards=boards) for state in layers}
    plan: Layout = layout(graph, layers, {state: _size(lines[state]) for state in layers})
    figure = Figure(figsize=(plan.width / PIXELS, plan.height / PIXELS), layout=None)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, plan.width), ylim=(plan.height, 0))
    axes.axis("off")

    def box(x: float, y: float, width: float, height: float, **style: Any) -> None:
        axes.add_patch(Rectangle((x, y), width, height, **{"ec": _INK, "lw": 0.6, **style}))

    def write(x: float, y: float, words: str, size: float, **style: Any) -> None:
        axes.text(x, y, words, fontsize=size * 72 / PIXELS, color=_INK, va="center", **style)

    fills, note = legend(graph)
    places = legend_places(graph)
    for (fill, meaning), x in zip(fills, places, strict=False):
        box(x, LEGEND / 2 - 11, 14, 14, fc=fill)
        write(x + 20, LEGEND / 2 - 4, words(meaning), 11)
    write(places[-1], LEGEND / 2 - 4, note, 11)
    for state, spot in plan.spots.items():
        left, thick = spot.x - spot.width / 2, 1.8 if graph.nodes[state]["over"] else 0.6
        box(left, spot.y, spot.width, spot.height, fc="white", zorder=2)
        for index, each in enumerate(lines[state]):
            y = spot.y + PADDING + LINE * (index + 0.5)
            start = spot.x - _size(lines[state])[0] / 2
            shown = words(each, family="monospace")
            write(start, y, shown, 12, family="monospace", zorder=4)
        if spot.value:
            bottom = spot.y + spot.height
            box(left, bottom, spot.width, BAND, fc=COLOURS[standing(graph, state)], zorder=2)
            write(spot.x, bottom + BAND / 2, spot.value, 11, ha="center", zorder=4)
        box(left, spot.y, spot.width, spot.bottom - spot.y, fc="none", lw=thick, zorder=3)
    for arrow in plan.arrows:
        style = {
            "arrowstyle": "-|>",
            "lw": 1.6 if arrow.best else 0.6,
            "color": _INK if arrow.best else "#999999",
            "shrinkA": 0,
            "shrinkB": 0,
        }
        axes.annotate("", arrow.end, arrow.start, arrowprops=style, zorder=1)
        paper = {"boxstyle": "round,pad=0.1", "fc": "white", "ec": "none"}
        shown = words(arrow.text, MAX_LETTERS)
        write(*arrow.at, shown, 10, ha="center", bbox=paper, zorder=1.5)
    return figure
