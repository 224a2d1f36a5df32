"""The solver that fits a game or that has a name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from attrs import evolve

from deduce.errors import BadInput, Unsupported
from deduce.search.errors import NotZeroSum
from deduce.search.game import Action, Game, State, has_chance
from deduce.search.graph_game import is_graph
from deduce.search.limits import Limits, NodeMeter
from deduce.search.result import Result, Solution
from deduce.search.solvers import SOLVERS
from deduce.search.solvers.retrograde import backward_induction, retrograde
from deduce.search.solvers.shared import Subject, solves_graphs, takes_graphs, write_solution
from deduce.search.space import CHANCE, StateSpace, explore

__all__ = ["best", "search_by", "solve", "solve_space"]


@takes_graphs
def best(
    game: Game[State, Action],
    state: State | None = None,
    *,
    limits: Limits,
    all_values: bool = False,
    seed: int = 0,
) -> Result[State, Action]:
    """Return the best action that can be found within the limits.

    Alpha-beta with iterative deepening for two players whose utilities sum to 0, without chance
    and with an ``estimate`` or a short game; Monte-Carlo tree search for all others.

    Raises
    ------
    BadProblem
        There is no limit.

    Examples
    --------
    >>> from games.classics.tic_tac_toe import TicTacToe
    >>> best(TicTacToe(), limits=Limits(seconds=5)).proved
    True
    """
    if game.players == 2 and not has_chance(game):
        try:
            return search_by("deepening", game, state, all_values=all_values, limits=limits)
        except (NotZeroSum, Unsupported):  # or the state is one of a variant with chance
            pass
    return search_by("mcts", game, state, seed=seed, limits=limits)


def search_by(
    name: str,
    game: Subject[State, Action],
    state: State | None = None,
    *,
    limits: Limits,
    depth: int | None = None,
    all_values: bool = False,
    seed: int = 0,
    symmetric: bool = False,
) -> Result[State, Action]:
    """Return the result of a solver; options that the solver does not have are ignored.

    Parameters
    ----------
    name
        One of `SOLVERS`, or ``"best"`` or ``"solve"`` for the one that fits the game.
    game, state
        The game or a graph, and where to begin if not at its initial state.
    limits, depth, all_values, seed, symmetric
        As in the solvers.

    Raises
    ------
    BadInput
        There is no such solver.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> search_by("alphabeta", Nim((1, 2)), limits=Limits()).best_actions
    ((1, 1),)
    """
    options: dict[str, object] = {"depth": depth, "all_values": all_values, "seed": seed}
    if name == "best":
        return best(game, state, limits=limits, all_values=all_values, seed=seed)
    if name == "solve":
        return solve(game, state, symmetric=symmetric, limits=limits).result()
    if name not in SOLVERS:
        raise BadInput(f"there is no solver {name!r}; there are {', '.join(SOLVERS)}")
    solver = SOLVERS[name]
    if solver.solves_spaces:
        return _solve(solver.load(), game, state, symmetric=symmetric, limits=limits).result()
    chosen = {option: options[option] for option in solver.options}
    if name == "mcts":
        chosen["simulations"] = None
    result: Result[State, Action] = solver.load()(game, state, limits=limits, **chosen)
    return result


def solve(
    game: Subject[State, Action],
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
        The game or a graph, and where to begin if not at its initial state.
    symmetric
        Whether to merge the states that share the game's ``key``.
    infinite
        The value of endless play for player 0 of a two-player zero-sum game.
    limits
        For the exploration; when they end it, the values that are certain nevertheless are given.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> solve(Nim((1, 3, 5), misere=True)).result().best_actions
    ((2, 3),)
    """
    by_value = partial(solve_space, infinite=infinite)
    return _solve(by_value, game, state, symmetric=symmetric, limits=limits)


def _solve(
    solver: Callable[..., Solution[State, Action]],
    game: Subject[State, Action],
    state: State | None,
    *,
    symmetric: bool,
    limits: Limits | None,
) -> Solution[State, Action]:
    """Return the solution of all states that can be reached; a graph gets the values, too."""
    meter = NodeMeter(limits or Limits())
    if state is None and getattr(game, "has_game", False):
        subject: Any = game.build(limits=limits)  # type: ignore[union-attr]
    elif state is None and is_graph(game) and limits is None:
        subject = game
    else:
        subject = explore(game, state, symmetric=symmetric, limits=limits)
    if getattr(subject, "has_game", True) and getattr(subject, "stopped", None) == "interrupt":
        # The values of a part of the states would take long after Ctrl-C, and show little.
        space = getattr(subject, "space", subject)
        unknown: list[None] = [None] * len(space)
        return Solution(space, "solve", [*unknown], [*unknown], seconds=meter.seconds)
    solution = solver(subject)
    if is_graph(game) and subject is not game:
        write_solution(game, solution)
    return evolve(solution, seconds=meter.seconds)


@solves_graphs
def solve_space(
    space: StateSpace[State, Action], *, infinite: float = 0
) -> Solution[State, Action]:
    """Return the values of all states of a space, a game or a graph.

    Retrograde analysis for two players whose utilities always sum to 0, without chance; backward
    induction for everything else, which needs play that always ends.

    Raises
    ------
    InfinitePlay
        Backward induction is needed, but play can go on forever.

    Examples
    --------
    >>> from deduce.search.space import explore
    >>> from games.classics.nim import Nim
    >>> solve_space(explore(Nim((1, 2)))).result().value
    (1, -1)
    """
    ends = (utilities for utilities in space.utilities if utilities is not None)
    if space.game.players == 2 and CHANCE not in space.movers and all(a == -b for a, b in ends):
        return retrograde(space, infinite=infinite)
    return backward_induction(space)
