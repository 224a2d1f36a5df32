"""Pictures of state graphs: a text tree, Graphviz text, and figures through matplotlib."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from deduce.errors import BadProblem
from deduce.search.game import Game, State, hook, text_of_action, text_of_player, text_of_state
from deduce.search.parts import COLOURS, MAX_DRAWN, colour, edges, label, part, places
from deduce.search.result import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from deduce.search.graph import StateGraph
    from deduce.show.canvas import Figure, Form

__all__ = ["MAX_DRAWN", "draw", "graph_figure", "part", "text_tree", "to_dot"]

TITLE = 0.4
"""The room above a figure for how to read it, in inches."""


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
    names = {state: f"s{place}" for place, state in enumerate(layers)}
    lines = ["digraph states {", '  node [shape=box, fontname="monospace", style=filled];']
    for state, name in names.items():
        told = _quoted("\n".join(label(graph, state, boards=boards)))
        over = ", peripheries=2" if graph.nodes[state]["over"] else ""
        lines.append(f'  {name} [label={told}, fillcolor="{colour(graph, state)}"{over}];')
    for state in names:
        for child, text, is_best in edges(graph, state, layers):
            bold = ", penwidth=2.5" if is_best else ""
            lines.append(f"  {names[state]} -> {names[child]} [label={_quoted(text)}{bold}];")
    return "\n".join([*lines, "}"])


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
    """Return how many states were drawn into an SVG, PNG or PDF file: a `graph_figure`.

    ``form`` is the file's format where its name does not end in it, as for an open file.

    Raises
    ------
    BadProblem
        The part has more than `MAX_DRAWN` states.
    BadInput
        The file cannot be written, or its name ends in no format.
    Unsupported
        matplotlib is missing (extra ``plot``).
    """
    from deduce.show.canvas import save

    figure = graph_figure(graph, depth=depth, values=values, best=best, boards=boards)
    save(figure, file, form)
    return len(part(graph, depth=depth, values=values, best=best))


def graph_figure(
    graph: StateGraph,
    *,
    depth: int = 2,
    values: Collection[float] | None = None,
    best: bool = False,
    boards: bool = True,
) -> Figure:
    """Return a part of the graph (see `part`) as a figure, the root on top.

    Blue is won by player 0, orange lost, sand drawn, white unknown; bold arrows are best actions
    and a thick frame ends the game. Each state also tells its value and how many plies are left.

    Raises
    ------
    BadProblem
        The part has more than `MAX_DRAWN` states.
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
    from deduce.show.canvas import Figure, words

    layers = part(graph, depth=depth, values=values, best=best)
    if len(layers) > MAX_DRAWN:
        raise BadProblem(
            f"{len(layers)} states make no readable picture (at most {MAX_DRAWN}); "
            "give a smaller depth, or only best actions or some values"
        )
    labels = {
        state: [words(line, family="monospace") for line in label(graph, state, boards=boards)]
        for state in layers
    }
    columns = max(len(line) for lines in labels.values() for line in lines) * 0.075 + 0.25
    rows = max(map(len, labels.values())) * 0.16 + 0.7
    spots_of = places(layers)
    breadth = max(x for x, _ in spots_of.values()) + 1
    width, height = max(6.4, breadth * columns), TITLE + (max(layers.values()) + 1) * rows
    figure = Figure(figsize=(width, height), layout=None)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    middle = (width - breadth * columns) / 2
    spots = {
        state: (middle + (x + 0.5) * columns, TITLE + (y + 0.5) * rows)
        for state, (x, y) in spots_of.items()
    }
    _legend(axes, graph)
    boxes = {
        state: axes.text(
            *spots[state],
            "\n".join(lines),
            family="monospace",
            fontsize=7,
            ha="center",
            va="center",
            linespacing=1.1,
            bbox={
                "boxstyle": "square,pad=0.3",
                "fc": colour(graph, state),
                "ec": "#222222",
                "lw": 1.6 if graph.nodes[state]["over"] else 0.6,
            },
            zorder=2,
        )
        for state, lines in labels.items()
    }
    # Arrows come after the boxes, since a box knows its size only once it has been drawn.
    for state in layers:
        for place, (child, text, is_best) in enumerate(edges(graph, state, layers)):
            (x, y), (to_x, to_y) = spots[state], spots[child]
            axes.annotate(
                "",
                (to_x, to_y),
                (x, y),
                arrowprops={
                    "arrowstyle": "-|>",
                    "lw": 1.6 if is_best else 0.6,
                    "color": "#222222" if is_best else "#999999",
                    "patchA": boxes[state].get_bbox_patch(),
                    "patchB": boxes[child].get_bbox_patch(),
                    "shrinkA": 0,
                    "shrinkB": 1,
                },
                zorder=3,
            )
            along = (0.34, 0.48, 0.62)[place % 3]  # so that neighbouring texts do not collide
            axes.text(
                x + (to_x - x) * along,
                y + (to_y - y) * along,
                words(text),
                fontsize=6,
                ha="center",
                va="center",
                color="#222222",
                bbox={"boxstyle": "round,pad=0.1", "fc": "white", "ec": "none"},
                zorder=4,
            )
    return figure


def _legend(axes: Axes, graph: StateGraph) -> None:
    """Write above the graph how to read it."""
    from deduce.show.canvas import words

    x, solved = 0.15, "value" in graph.nodes[graph.root]
    first = words(f" for {text_of_player(graph.space.game, 0)}", 30)
    for standing, fill in COLOURS.items() if solved else ():
        box = {"boxstyle": "square,pad=0.3", "fc": fill, "ec": "#222222", "lw": 0.6}
        axes.text(x, 0.2, f"{standing}{first}" if x < 1 else standing, fontsize=7, bbox=box)
        x += 0.67 + 0.055 * len(first) if x < 1 else 0.65
    told = "bold: best action; " if solved else ""
    axes.text(x, 0.2, f"{told}thick frame: the game is over", fontsize=7)


def text_tree(
    game: Game[State, Any],
    state: State | None = None,
    *,
    depth: int = 2,
    graph: StateGraph | None = None,
    best: bool = False,
) -> str:
    """Return the tree below a state as indented text, a line per action.

    With a solved ``graph`` each line also tells value and distance, and ``best`` keeps only the
    best actions.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> print(text_tree(Nim((1, 2)), depth=1))
    1,2 player 0
    ├─ 1 from 1: 0,2 player 1
    ├─ 1 from 2: 1,1 player 1
    └─ 2 from 2: 1,0 player 1
    """
    root = game.initial_state() if state is None else state
    return "\n".join([_told(game, root, graph), *_branches(game, root, depth, graph, best=best)])


def _branches(
    game: Game[State, Any], state: State, depth: int, graph: StateGraph | None, *, best: bool
) -> Iterator[str]:
    if depth == 0 or game.utility(state) is not None:
        return
    outcomes = hook(game, "outcomes")
    by_chance = outcomes(state) if outcomes else None
    if by_chance is not None:
        steps = [(f"chance {share}", child) for child, share in by_chance]
    else:
        after = [(action, game.result(state, action)) for action in game.actions(state)]
        if best and graph is not None:
            wanted = _best_children(graph, state)
            after = [(a, child) for a, child in after if _home(graph, child) in wanted]
        steps = [(text_of_action(game, state, a), child) for a, child in after]
    for place, (text, child) in enumerate(steps):
        last = place == len(steps) - 1
        yield f"{'└─' if last else '├─'} {text}: {_told(game, child, graph)}"
        for line in _branches(game, child, depth - 1, graph, best=best):
            yield f"{'   ' if last else '│  '}{line}"


def _told(game: Game[State, Any], state: State, graph: StateGraph | None) -> str:
    """Return the state's text with what is known of its value."""
    text = text_of_state(game, state)
    final = game.utility(state)
    if final is not None:
        return f"{text} = {', '.join(map(number, final))}"
    known = {} if graph is None else graph.nodes[_home(graph, state)]
    if known.get("value") is None:
        return text
    distance = known.get("distance")
    plies = "" if distance is None else f" in {distance}"
    return f"{text} = {', '.join(map(number, known['value']))}{plies}"


def _home(graph: StateGraph, state: Any) -> Any:
    """Return the node that stands for a state: itself or, in a symmetric graph, another."""
    return graph.space.states[graph.space.number(state)]


def _best_children(graph: StateGraph, state: Any) -> set[Any]:
    """Return the nodes that the best actions of a state lead to."""
    home = _home(graph, state)
    best = set(graph.nodes[home].get("best", ()))
    return {
        child
        for child, edge in graph[home].items()
        if best & set(edge.get("actions", (edge["action"],)))
    }


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
