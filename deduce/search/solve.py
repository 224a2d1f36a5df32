"""Solving a game completely, with the method that fits it."""

from __future__ import annotations

from attrs import evolve

from deduce.search.game import Action, Game, State
from deduce.search.induction import backward_induction
from deduce.search.limits import Limits
from deduce.search.retrograde import retrograde
from deduce.search.solution import Solution
from deduce.search.space import CHANCE, StateSpace, explore

__all__ = ["solve", "solve_space"]


def solve(
    game: Game[State, Action],
    state: State | None = None,
    *,
    symmetric: bool = False,
    infinite: float = 0,
    limits: Limits | None = None,
) -> Solution[State, Action]:
    """Return the values of all states that can be reached.

    Parameters
    ----------
    game, state
        The game, and where to begin if not at its initial state.
    symmetric
        Whether to merge the states that share the game's ``key``.
    infinite
        What play that never ends is worth to player 0 of a two-player zero-sum game.
    limits
        For the exploration; when they end it, the values that are still certain are given.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> solve(Nim((1, 3, 5), misere=True)).result().best_actions
    ((2, 3),)
    """
    clock = (limits or Limits()).clock
    started = clock()
    space = explore(game, state, symmetric=symmetric, limits=limits)
    solution = solve_space(space, infinite=infinite)
    return evolve(solution, seconds=clock() - started)


def solve_space(
    space: StateSpace[State, Action], *, infinite: float = 0
) -> Solution[State, Action]:
    """Return the values of all states of a space.

    Retrograde analysis for two players whose utilities always sum to 0, without chance; backward
    induction for everything else, which needs play that always ends.

    Raises
    ------
    InfinitePlay
        Backward induction is needed, but play can go on for ever.
    """
    ends = (utilities for utilities in space.utilities if utilities is not None)
    if space.game.players == 2 and CHANCE not in space.movers and all(a == -b for a, b in ends):
        return retrograde(space, infinite=infinite)
    return backward_induction(space)
