"""Attractors: the states from which some players together can force play into a set."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from attrs import frozen

from deduce.search.game import Action, State
from deduce.search.graph_game import is_graph
from deduce.search.solvers.graphs import Subject
from deduce.search.space import StateSpace, space_of

__all__ = ["Attractor", "attractor"]


@frozen
class Attractor:
    """The states from which a coalition can force a set of targets.

    Of a `StateSpace` states and actions are numbers; of a game or a graph they are themselves.
    """

    plies: Mapping[Any, int]
    """State -> plies until the set is reached if the coalition is fast and the others delay."""
    strategy: Mapping[Any, Any]
    """State where the coalition moves -> its action, or the index of it in the state's list."""


def attractor(
    space: StateSpace[State, Action] | Subject[State, Action],
    coalition: Collection[int],
    targets: Iterable[Any],
) -> Attractor:
    """Return from where the players of ``coalition`` can force play into ``targets``, and how.

    All others, chance included, count as opponents: the set is reached with certainty.

    Parameters
    ----------
    space
        The explored states; unexpanded ones count as safe for the opponents. Or a game or a graph;
        the plies become the attribute ``plies`` of the graph's nodes, ``None`` where the targets
        cannot be forced.
    coalition
        The players who cooperate.
    targets
        Numbers of states of a space; states of a game or a graph.

    Notes
    -----
    Linear in states and actions (Wieslaw Zielonka, 1998, and earlier folklore).

    Examples
    --------
    From how many states of connect four, 3 wide and 4 high, can the first player force a row?

    >>> from deduce.search.space import explore
    >>> from games.classics.connect_four import ConnectFour
    >>> space = explore(ConnectFour(3, 4))
    >>> rows = [n for n, u in enumerate(space.utilities) if u == (1, -1)]
    >>> forced = attractor(space, {0}, rows)
    >>> len(rows), len(forced.plies), 0 in forced.plies
    (168, 336, False)
    """
    if isinstance(space, StateSpace):
        return _attract(space, coalition, targets)
    graph, space = space, space_of(space)
    states, actions = space.states, space.actions
    numbers = _attract(space, coalition, map(space.number, targets))
    plies = {states[index]: count for index, count in numbers.plies.items()}
    if is_graph(graph):
        for node, data in graph.nodes.items():
            data["plies"] = plies.get(node)
    return Attractor(plies, {states[i]: actions[i][a] for i, a in numbers.strategy.items()})


def _attract(
    space: StateSpace[Any, Any], coalition: Collection[int], targets: Iterable[int]
) -> Attractor:
    movers, before = space.movers, space.predecessors()
    waiting = [len(after) for after in space.children]
    layer = list(dict.fromkeys(targets))
    plies = dict.fromkeys(layer, 0)
    strategy: dict[int, int] = {}
    steps = 0
    while layer:
        steps += 1
        reached = []
        for index in layer:
            for previous in before[index]:
                if previous in plies:
                    continue
                if movers[previous] in coalition:
                    strategy[previous] = space.children[previous].index(index)
                else:
                    waiting[previous] -= 1
                    if waiting[previous]:
                        continue
                plies[previous] = steps
                reached.append(previous)
        layer = reached
    return Attractor(plies, strategy)
