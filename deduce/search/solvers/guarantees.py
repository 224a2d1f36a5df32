"""What each player can force against all others together: any number of players, cycles and all.

For each player a sequence of attractors, as in `deduce.search.solvers.retrograde`, the greatest
utility first; all others are one opponent. Endless play gains nothing beyond what a player has.
"""

from __future__ import annotations

from attrs import frozen

from deduce.errors import Unsupported
from deduce.search.game import Action, State, hook
from deduce.search.memory import collector_paused
from deduce.search.solvers.attractor import attracted
from deduce.search.space import StateSpace

__all__ = ["Guarantees", "guarantees"]


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
    secured_of = hook(space.game, "secured")
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
