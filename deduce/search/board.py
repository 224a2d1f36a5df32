"""A state as people see it: the game's own picture in a notebook, its text everywhere else."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from deduce.search.game import (
    AnyGame,
    Extra,
    Game,
    State,
    hook,
    outcomes_of,
    text_of_action,
    text_of_state,
    turn,
)
from deduce.search.result import number, utilities_text
from deduce.system.display import Displayed
from deduce.system.text import visible

if TYPE_CHECKING:
    from deduce.search.graph import StateGraph

__all__ = ["Board", "shown_state", "svg_of_state", "text_tree", "tree_lines"]


@frozen
class Board(Displayed):
    """A state with the game that knows how it looks.

    States are plain values, often nothing but numbers, and do not know their game; this shows one.
    A notebook draws the game's ``svg(state)``; without one, and in a terminal, it shows the text
    of ``show`` or ``format_state``.

    Parameters
    ----------
    game
        The game. Its ``svg``, ``show`` and ``format_state`` are all optional.
    state
        The state; left out: the initial one.

    Examples
    --------
    >>> from games.classics.tic_tac_toe import TicTacToe
    >>> game = TicTacToe()
    >>> print(Board(game, game.parse_state("X..|.O.|..X")))
    X . .
    . O .
    . . X
    O to move
    """

    game: AnyGame
    state: Hashable = field()

    @state.default
    def _initial(self) -> object:
        return self.game.initial_state()

    def __str__(self) -> str:
        return visible(f"{shown_state(self.game, self.state)}\n{self.standing}")

    @property
    def standing(self) -> str:
        """Who is to move, or how the game has ended."""
        final = self.game.utility(self.state)
        if final is not None:
            return f"over: {utilities_text(self.game, final)}"
        return turn(self.game, self.state)


def shown_state(game: AnyGame, state: Hashable) -> str:
    """Return the game's ``show`` of a state, which may have several lines, or its one-line text."""
    show = hook(game, Extra.show)
    return str(show(state)) if show else text_of_state(game, state)


def svg_of_state(game: AnyGame, state: Hashable) -> str | None:
    """Return the game's picture of a state as an SVG element; ``None`` if it draws none."""
    draw = hook(game, Extra.svg)
    return None if draw is None else str(draw(state))


def text_tree(
    game: Game[State, Any],
    state: State | None = None,
    *,
    depth: int = 2,
    graph: StateGraph | None = None,
    best: bool = False,
) -> str:
    """Return the tree below a state as indented text, one line per action.

    With a solved ``graph`` each line also has value and distance, and ``best`` keeps only the
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
    return "\n".join(tree_lines(game, root, depth=depth, graph=graph, best=best))


def tree_lines(
    game: Game[State, Any], root: State, *, depth: int, graph: StateGraph | None, best: bool
) -> Iterator[str]:
    """Yield the lines of `text_tree`, each as soon as it is known."""
    yield _known(game, root, graph)
    yield from _branches(game, root, depth, graph, best=best)


def _branches(
    game: Game[State, object], state: State, depth: int, graph: StateGraph | None, *, best: bool
) -> Iterator[str]:
    if depth == 0 or game.utility(state) is not None:
        return
    outcomes = outcomes_of(game, state)
    if outcomes is not None:
        steps = [(f"chance {share}", child) for child, share in outcomes]
    else:
        after = [(action, game.result(state, action)) for action in game.actions(state)]
        if best and graph is not None:
            wanted = _best_children(graph, state)
            after = [(a, child) for a, child in after if _home(graph, child) in wanted]
        steps = [(text_of_action(game, state, a), child) for a, child in after]
    for index, (text, child) in enumerate(steps):
        last = index == len(steps) - 1
        yield f"{'└─' if last else '├─'} {text}: {_known(game, child, graph)}"
        for line in _branches(game, child, depth - 1, graph, best=best):
            yield f"{'   ' if last else '│  '}{line}"


def _known(game: Game[State, object], state: State, graph: StateGraph | None) -> str:
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


def _home(graph: StateGraph, state: Hashable) -> object:
    """Return the node that stands for a state: itself or, in a symmetric graph, another."""
    return graph.space.states[graph.space.number(state)]


def _best_children(graph: StateGraph, state: Hashable) -> set[Hashable]:
    """Return the nodes that the best actions of a state lead to."""
    home = _home(graph, state)
    best = set(graph.nodes[home].get("best", ()))
    return {
        child
        for child, edge in graph[home].items()
        if best & set(edge.get("actions", (edge["action"],)))
    }
