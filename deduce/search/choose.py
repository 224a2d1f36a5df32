"""Which solver answers what, and all of them by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from deduce.errors import BadInput
from deduce.search.alphabeta import alphabeta
from deduce.search.deepening import deepening
from deduce.search.errors import NotZeroSum
from deduce.search.game import Action, Game, State, hook
from deduce.search.induction import backward_induction
from deduce.search.limits import Limits
from deduce.search.mcts import mcts
from deduce.search.minimax import expectiminimax, maxn, minimax
from deduce.search.result import Result
from deduce.search.retrograde import retrograde
from deduce.search.solve import solve
from deduce.search.space import explore

__all__ = ["SOLVERS", "best", "search_by"]

SOLVERS: Mapping[str, str] = {
    "retrograde": "every state, cycles too: two players, zero sum, no chance",
    "induction": "every state: any number of players, chance; play must end",
    "alphabeta": "to the end, with a table: two players, zero sum, no chance",
    "deepening": "alpha-beta ply by ply with estimates: two players, zero sum, no chance",
    "minimax": "full width: two players, zero sum, no chance",
    "expectiminimax": "full width: two players, zero sum, chance",
    "maxn": "full width: any number of players, chance",
    "mcts": "Monte-Carlo tree search: any game",
}
"""The solvers that value a state, by name, with what each is for."""


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
    if game.players == 2 and hook(game, "outcomes") is None:
        try:
            return deepening(game, state, all_values=all_values, limits=limits)
        except NotZeroSum:
            pass
    return mcts(game, state, simulations=None, seed=seed, limits=limits)


def search_by(
    name: str,
    game: Game[State, Action],
    state: State | None = None,
    *,
    limits: Limits,
    depth: int | None = None,
    all_values: bool = False,
    seed: int = 0,
    symmetric: bool = False,
) -> Result[State, Action]:
    """Return the answer of the solver of that name; it takes those options that it knows.

    Raises
    ------
    BadInput
        There is no such solver.
    """
    full_width: Mapping[str, Callable[..., Result[State, Action]]] = {
        "minimax": minimax,
        "expectiminimax": expectiminimax,
        "maxn": maxn,
    }
    if name == "best":
        return best(game, state, limits=limits, all_values=all_values, seed=seed)
    if name == "solve":
        return solve(game, state, symmetric=symmetric, limits=limits).result()
    if name in ("retrograde", "induction"):
        space = explore(game, state, symmetric=symmetric, limits=limits)
        solution = retrograde(space) if name == "retrograde" else backward_induction(space)
        return solution.result()
    if name == "alphabeta":
        return alphabeta(game, state, all_values=all_values, limits=limits)
    if name == "deepening":
        return deepening(game, state, depth=depth, all_values=all_values, limits=limits)
    if name in full_width:
        return full_width[name](game, state, depth=depth, limits=limits)
    if name == "mcts":
        return mcts(game, state, simulations=None, seed=seed, limits=limits)
    raise BadInput(f"there is no solver {name!r}; there are {', '.join(SOLVERS)}")
