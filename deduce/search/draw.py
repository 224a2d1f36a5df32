"""Pictures of state graphs: a text tree, Graphviz text, and SVG or PNG through matplotlib."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

from deduce.errors import BadProblem
from deduce.search.game import Game, State, hook, text_of_action, text_of_state
from deduce.search.result import number
from deduce.search.space import CHANCE

if TYPE_CHECKING:
    from deduce.search.graph import StateGraph

__all__ = ["MAX_DRAWN", "draw", "part", "text_tree", "to_dot"]

MAX_DRAWN = 400
"""More states than this make no picture that anybody can read."""

WIN, DRAW, LOSS, UNKNOWN = "#a9d5a0", "#eee6c5", "#eab0a5", "#ffffff"


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
      s1 [label="0 player 1\n1, -1", fillcolor="#a9d5a0", peripheries=2];
      s0 -> s1 [label="1 from 1"];
    }
    """
    layers = part(graph, depth=depth, values=values, best=best)
    names = {state: f"s{place}" for place, state in enumerate(layers)}
    lines = ["digraph states {", '  node [shape=box, fontname="monospace", style=filled];']
    for state, name in names.items():
        label = _quoted("\n".join(_label(graph, state, boards=boards)))
        over = ", peripheries=2" if graph.nodes[state]["over"] else ""
        lines.append(f'  {name} [label={label}, fillcolor="{_colour(graph, state)}"{over}];')
    for state in names:
        for child, text, is_best in _edges(graph, state, layers):
            bold = ", penwidth=2.5" if is_best else ""
            lines.append(f"  {names[state]} -> {names[child]} [label={_quoted(text)}{bold}];")
    return "\n".join([*lines, "}"])


def draw(
    graph: StateGraph,
    file: Path | str | IO[bytes],
    *,
    form: Literal["svg", "png", "pdf"] | None = None,
    depth: int = 2,
    values: Collection[float] | None = None,
    best: bool = False,
    boards: bool = True,
) -> int:
    """Return how many states were drawn into an SVG, PNG or PDF file, the root on top.

    ``form`` is the file's format where its name does not end in it, as for an open file.
    Green is won by player 0, red lost, yellow drawn, white unknown; bold arrows are best actions
    and a double frame ends the game. What is drawn is a `part` of the graph. Needs matplotlib
    (extra ``plot``).

    Raises
    ------
    BadProblem
        The part has more than `MAX_DRAWN` states, or matplotlib is missing.
    """
    layers = part(graph, depth=depth, values=values, best=best)
    if len(layers) > MAX_DRAWN:
        raise BadProblem(
            f"{len(layers)} states make no readable picture (at most {MAX_DRAWN}); "
            "give a smaller depth, or only best actions or some values"
        )
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        raise BadProblem("drawing needs matplotlib; install deduce-toolkit[plot]") from None
    labels = {state: _label(graph, state, boards=boards) for state in layers}
    columns = max(len(line) for label in labels.values() for line in label) * 0.075 + 0.25
    rows = max(map(len, labels.values())) * 0.16 + 0.7
    places = _places(layers)
    breadth = max(x for x, _ in places.values()) + 1
    width, height = max(3, breadth * columns), (max(layers.values()) + 1) * rows
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    middle = (width - breadth * columns) / 2
    spots = {
        state: (middle + (x + 0.5) * columns, (y + 0.5) * rows) for state, (x, y) in places.items()
    }
    boxes = {
        state: axes.text(
            *spots[state],
            "\n".join(label),
            family="monospace",
            fontsize=7,
            ha="center",
            va="center",
            linespacing=1.1,
            bbox={
                "boxstyle": "square,pad=0.3",
                "fc": _colour(graph, state),
                "ec": "#222222",
                "lw": 1.6 if graph.nodes[state]["over"] else 0.6,
            },
            zorder=2,
        )
        for state, label in labels.items()
    }
    # Arrows come after the boxes, since a box knows its size only once it has been drawn.
    for state in layers:
        for place, (child, text, is_best) in enumerate(_edges(graph, state, layers)):
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
                text,
                fontsize=6,
                ha="center",
                va="center",
                color="#222222",
                bbox={"boxstyle": "round,pad=0.1", "fc": "white", "ec": "none"},
                zorder=4,
            )
    stamp = {"Date": None} if form == "svg" or str(file).endswith(".svg") else None
    with rc_context({"svg.hashsalt": "deduce"}):  # the same picture is the same file
        figure.savefig(file, format=form, dpi=150, metadata=stamp)
    return len(layers)


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


def _label(graph: StateGraph, state: Any, *, boards: bool) -> list[str]:
    """Return the lines of a state's label: board or text, then value and distance."""
    game, data = graph.space.game, graph.nodes[state]
    show = hook(game, "show") if boards else None
    lines = str(show(state)).split("\n") if show else [text_of_state(game, state)]
    value = data.get("value") or data.get("utility")
    if value is not None:
        plies = "" if not data.get("distance") else f" in {data['distance']}"
        lines.append(", ".join(map(number, value)) + plies)
    return lines


def _colour(graph: StateGraph, state: Any) -> str:
    data = graph.nodes[state]
    value = data.get("value") or data.get("utility")
    if value is None:
        return UNKNOWN
    return WIN if value[0] > 0 else LOSS if value[0] < 0 else DRAW


def _edges(
    graph: StateGraph, state: Any, layers: dict[Any, int]
) -> Iterator[tuple[Any, str, bool]]:
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


def _places(layers: dict[Any, int]) -> dict[Any, tuple[float, int]]:
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


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
