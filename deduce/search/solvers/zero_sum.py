"""What the solvers of two-player zero-sum games share: checks of the game, and deep recursion."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

from deduce.errors import Unsupported
from deduce.search.errors import (
    BadGame,
    BadUtility,
    InfinitePlay,
    NotZeroSum,
    check_utilities,
)
from deduce.search.game import Game, State, Utilities, hook

__all__ = ["deep_recursion", "final_value", "require_two_players", "utility_bounds", "value_bounds"]

MAX_PLIES = 20_000


def utility_bounds(game: Game[Any, Any]) -> tuple[float, float]:
    """Return the least and greatest utility that the game declares, else minus and plus infinity.

    >>> from games.classics.nim import Nim
    >>> utility_bounds(Nim())
    (-1, 1)
    """
    low, high = hook(game, "utility_bounds", (-inf, inf))
    return low, high


def value_bounds(game: Game[Any, Any]) -> tuple[float, float]:
    """Return the bounds of a zero-sum value for either player.

    >>> from games.classics.nim import Nim
    >>> value_bounds(Nim())
    (-1, 1)
    """
    low, high = utility_bounds(game)
    most = max(-low, high)
    return -most, most


def require_two_players(game: Game[Any, Any], solver: str) -> None:
    """Raise `Unsupported` unless the game has two players."""
    if game.players != 2:
        raise Unsupported(
            f"{solver} is for two players, not {game.players}; maxn and mcts take any number"
        )


def final_value(game: Game[State, Any], solver: str) -> Callable[[State], float | None]:
    """Return the function that gives a finished state's value for player 0, else ``None``.

    The function raises `NotZeroSum` or `BadUtility` where the utilities are not those of a
    zero-sum game within its bounds, and `Unsupported` where chance moves.
    """
    utility, outcomes = game.utility, hook(game, "outcomes")
    low, high = utility_bounds(game)

    def value(state: State) -> float | None:
        final = utility(state)
        if final is not None:
            return check(state, final)
        if outcomes is not None and outcomes(state) is not None:
            raise Unsupported(f"{solver} is for games without chance; see expectiminimax and mcts")
        return None

    def check(state: State, final: Utilities) -> float:
        first, second = check_utilities(game, state, final)
        if first != -second:
            raise NotZeroSum(
                f"{solver} needs utilities that sum to 0, not {tuple(map(str, final))}", game, state
            )
        if not (low <= first <= high and low <= second <= high):
            raise BadUtility(
                f"utility {first}, {second} is outside the bounds {low} to {high}", game, state
            )
        return first

    return value


@contextmanager
def deep_recursion(game: Game[State, Any], state: State) -> Iterator[None]:
    """Allow lines of thousands of plies; deeper ones raise `InfinitePlay`."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, MAX_PLIES))
    try:
        yield
    except RecursionError as error:
        raise InfinitePlay(
            f"play went on for thousands of plies (Python's limit of {MAX_PLIES} calls); "
            "give a depth",
            game,
            state,
        ) from error
    except BadGame:
        raise
    finally:
        sys.setrecursionlimit(before)
