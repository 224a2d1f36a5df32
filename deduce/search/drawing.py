"""Pictures of state graphs: SVG, figures through matplotlib, and Graphviz text.

What colours show is also in the text: each state has its value below it, and in the SVG all that is
known of it when the mouse rests on it. The SVG shows states as the game draws them.

Which part of a graph is drawn, and where everything goes, is the same in both. Lengths are in
pixels.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import IO, TYPE_CHECKING, Any

from attrs import frozen

from deduce.errors import BadProblem
from deduce.search.board import shown_state, svg_of_state
from deduce.search.game import text_of_action, text_of_player, text_of_state
from deduce.search.result import number
from deduce.search.space import CHANCE
from deduce.show.svg import FAINT, Markup, group, legible, line, picture, rect, shortened, text
from deduce.system.files import replace_file

if TYPE_CHECKING:
    from deduce.search.graph import StateGraph
    from deduce.show.canvas import Figure, Form

__all__ = ["MAX_SHOWN", "draw", "graph_figure", "graph_svg", "part", "to_dot"]


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
    """Where the legend, the states and the lines between them are drawn."""

    width: float
    height: float
    fills: tuple[tuple[float, str, str], ...]
    """The fills of the legend: where each begins, its colour, and what it means."""
    note: tuple[float, str]
    """Where the note of the legend begins, and its text."""
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


def legend(graph: StateGraph) -> tuple[list[tuple[float, str, str]], tuple[float, str]]:
    """Return the fills with what each means, and what lines and frames mean; see `Layout`."""
    if "value" not in graph.nodes[graph.root]:
        return [], (4.0, "values are not known; thick frame: game over")
    first = text_of_player(graph.space.game, 0)
    first = first if len(first) <= 30 else first[:29] + "…"
    fills, place = [], 4.0
    for kind, fill in COLOURS.items():
        meaning = f"{kind} for {first}" if kind == "won" else kind
        fills.append((place, fill, meaning))
        place += 40 + 6.6 * len(meaning)
    return fills, (place, "thick line: best action; thick frame: game over")


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
    fills, note = legend(graph)
    width = max(breadth * column, note[0] + 6.4 * len(note[1]))
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
        for index, (child, label, is_best) in enumerate(outgoing[state]):
            end = spots[child].x, spots[child].y
            leaning = (end[0] > start[0] + 1) - (end[0] < start[0] - 1)
            share = 0.5 + 0.15 * leaning + 0.12 * (index % 2)  # so that texts do not collide
            arrows.append(Arrow(start, end, label, between(start, end, share), is_best))
    height = LEGEND + max(layers.values()) * row + highest + BAND + 12
    return Layout(width, height, tuple(fills), note, spots, tuple(arrows))


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
    shapes = _svg_legend(plan)
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


def _svg_legend(plan: Layout) -> list[Markup]:
    shapes = []
    for x, fill, words in plan.fills:
        shapes.append(rect(x, 4, 14, 14, fill=fill, stroke="currentColor", stroke_width=0.8))
        shapes.append(text(x + 20, 15, words, size=12, anchor="start"))
    opacity = None if plan.fills else FAINT
    place, note = plan.note
    return [*shapes, text(place, 15, note, size=12, anchor="start", opacity=opacity)]


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

    for x, fill, meaning in plan.fills:
        box(x, LEGEND / 2 - 11, 14, 14, fc=fill)
        write(x + 20, LEGEND / 2 - 4, words(meaning), 11)
    place, note = plan.note
    write(place, LEGEND / 2 - 4, note, 11)
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
