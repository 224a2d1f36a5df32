"""Attractors: the states from which some players together can force play into a set.

What each player can force against all others together (`guarantees`) is a sequence of attractors
for each player, the greatest utility first; endless play gains nothing beyond what a player has.
"""

from __future__ import annotations

from collections.abc import (
    Collection,
    Iterable,
    Iterator,
    Mapping,
    MutableSequence,
    Sequence,
)
from typing import Any

from attrs import frozen

from deduce.errors import Unsupported
from deduce.search.game import Action, Packed, State, hook
from deduce.search.graph_game import is_graph
from deduce.search.limits import collector_paused
from deduce.search.solvers.shared import Subject
from deduce.search.space import AnySpace, StateSpace, space_of

__all__ = ["Attractor", "Guarantees", "attracted", "attractor", "guarantees"]


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


def _attract(space: AnySpace, coalition: Collection[int], targets: Iterable[int]) -> Attractor:
    plies: dict[int, int] = {}
    strategy: dict[int, int] = {}
    waiting, closed = [len(after) for after in space.children], bytearray(len(space))
    moves = space.movers, space.predecessors()
    for steps, layer in attracted(*moves, coalition, dict.fromkeys(targets), waiting, closed):
        for index in layer:
            plies[index] = steps
            if steps and space.movers[index] in coalition:
                after = (plies.get(child, steps) for child in space.children[index])
                strategy[index] = next(i for i, left in enumerate(after) if left < steps)
    return Attractor(plies, strategy)


def attracted(
    movers: Sequence[int],
    before: Sequence[Sequence[int]],
    coalition: Collection[int],
    targets: Iterable[int],
    waiting: MutableSequence[int],
    closed: bytearray,
) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield plies and the states from which a coalition needs them to force one of the targets.

    Parameters
    ----------
    movers, before
        Of each state who moves and its predecessors, as a `StateSpace` has them.
    coalition, targets
        As in `attractor`.
    waiting
        How many actions of each state the opponents still have; it is counted down.
    closed
        1 for states that are not asked about; those that are yielded become 1.
    """
    layer, plies = list(targets), 0
    for index in layer:
        closed[index] = 1
    while layer:
        yield plies, layer
        plies += 1
        reached = []
        for index in layer:
            for previous in before[index]:
                if closed[previous]:
                    continue
                if movers[previous] not in coalition:
                    waiting[previous] -= 1
                    if waiting[previous]:
                        continue
                closed[previous] = 1
                reached.append(previous)
        layer = reached


@frozen
class Guarantees:
    """What players can force from each state of a space, in the order of its numbers."""

    values: list[tuple[float, ...]]
    """For each player the utility that they can be sure of, whatever all others do."""
    plies: list[tuple[int, ...]]
    """For each player the plies until they have it: they hurry, and the others delay without giving
    more; 0 where they have it already."""


@collector_paused()
def guarantees(space: StateSpace[State, Action]) -> Guarantees:
    """Return what each player can force to have, against all others together.

    Parameters
    ----------
    space
        All states of a game with the method ``secured(state)``: what each player has already,
        however the game goes on. No move lowers it; in a finished state it is the utility.

    Raises
    ------
    Unsupported
        The game has no such method, or not all states were explored.

    Notes
    -----
    Linear in states and actions, for each player and each number that can be secured.

    Examples
    --------
    >>> from deduce.search.space import explore
    >>> from games.quartets.search import standard
    >>> space = explore(standard(2, 3, 2, preset="seed", goal="groups"), symmetric=True)
    >>> guarantees(space).values[0]
    (1.0, 2.0)
    """
    secured_of = hook(space.game, Packed.secured)
    if secured_of is None:
        raise Unsupported("what players can force needs a game with the method 'secured'")
    if space.frontier:
        raise Unsupported(
            f"what a player can force needs all positions; {len(space.frontier)} of {len(space)} "
            f"are not expanded (stopped by {space.stopped or 'the caller'})"
        )
    secured = [secured_of(state) for state in space.states]
    before = space.predecessors()
    columns = [
        _of_player(space, before, player, [own[player] for own in secured])
        for player in range(space.game.players)
    ]
    return Guarantees(
        list(zip(*(values for values, _ in columns), strict=True)),
        list(zip(*(plies for _, plies in columns), strict=True)),
    )


def _of_player(
    space: StateSpace[State, Action], before: list[list[int]], player: int, secured: list[float]
) -> tuple[list[float], list[int]]:
    """Return what one player can force from each state, and the plies until they have it."""
    waiting, closed = [len(children) for children in space.children], bytearray(len(space))
    values, plies = [0.0] * len(space), [0] * len(space)
    targets: dict[float, list[int]] = {}
    for index, own in enumerate(secured):
        targets.setdefault(own, []).append(index)
    for value in sorted(targets, reverse=True):
        open_targets = [index for index in targets[value] if not closed[index]]
        moves = attracted(space.movers, before, {player}, open_targets, waiting, closed)
        for count, layer in moves:
            for index in layer:
                values[index], plies[index] = value, count
    return values, plies
