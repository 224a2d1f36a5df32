"""What solvers share: graphs in place of games, checks of zero-sum games, and deep recursion."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import wraps
from math import inf
from typing import Any, Concatenate, ParamSpec

from deduce.errors import Unsupported
from deduce.search.errors import (
    BadGame,
    BadUtility,
    InfinitePlay,
    NotZeroSum,
    check_utilities,
)
from deduce.search.game import Action, AnyGame, Extra, Game, State, Utilities, hook
from deduce.search.graph_game import Graph, as_game, is_graph, rooted
from deduce.search.limits import Limits, NodeMeter
from deduce.search.result import AnyResult, AnySolution, Result, Solution
from deduce.search.space import StateSpace, space_of

__all__ = [
    "Search",
    "Step",
    "Subject",
    "deep_recursion",
    "final_value",
    "require_two_players",
    "same",
    "solves_graphs",
    "takes_graphs",
    "utilities_of",
    "utility_bounds",
    "value_bounds",
    "write_result",
    "write_solution",
]


MAX_PLIES = 20_000


Step = tuple[Hashable, Hashable]
"""An action, and the state after it."""


class Search:
    """What the searches from one state share: where they begin, what they spend, their result.

    Parameters
    ----------
    solver
        What results call it.
    game, root
        The game, and where to begin if not at its initial state.
    limits
        When the search stops.
    """

    def __init__(self, solver: str, game: AnyGame, root: Hashable, limits: Limits | None) -> None:
        self.solver = solver
        self.game = game
        self.root = game.initial_state() if root is None else root
        self.meter = NodeMeter(limits or Limits())
        self.key: Callable[[Hashable], Hashable] = hook(game, Extra.key) or same
        self.outcomes = hook(game, Extra.outcomes)
        self.nodes = 0
        self.check_at = 0
        """At how many nodes the meter is asked again."""

    def result(self, mover: int | None, **known: Any) -> AnyResult:
        """Return the result of the search, with what is known besides the mover at the root."""
        return Result(
            self.solver,
            self.root,
            mover,
            nodes=self.nodes,
            seconds=self.meter.seconds,
            game=self.game,
            **{"value": None, "estimate": None, **known},
        )

    def line(
        self, action: Hashable, follow: Callable[[Hashable], Step | None]
    ) -> tuple[Hashable, ...]:
        """Return an action and those after it, until the game ends, repeats or nothing follows."""
        line, state, met = [action], self.game.result(self.root, action), {self.root}
        while state not in met and self.game.utility(state) is None and (step := follow(state)):
            met.add(state)
            action, state = step
            line.append(action)
        return tuple(line)


def same(state: Hashable) -> Hashable:
    """Return the state itself: the key of a game without symmetries."""
    return state


def utilities_of(value: float, mover: int) -> Utilities:
    """Return the utilities of both players, from the value for one of them.

    >>> utilities_of(3, 1)
    (-3, 3)
    """
    return (-value, value) if mover else (value, -value)


def utility_bounds(game: AnyGame) -> tuple[float, float]:
    """Return the least and greatest utility that the game declares, else minus and plus infinity.

    >>> from games.classics.nim import Nim
    >>> utility_bounds(Nim())
    (-1, 1)
    """
    low, high = hook(game, Extra.utility_bounds, (-inf, inf))
    return low, high


def value_bounds(game: AnyGame) -> tuple[float, float]:
    """Return the bounds of a zero-sum value for either player.

    >>> from games.classics.nim import Nim
    >>> value_bounds(Nim())
    (-1, 1)
    """
    low, high = utility_bounds(game)
    most = max(-low, high)
    return -most, most


def require_two_players(game: AnyGame, solver: str) -> None:
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
    utility, outcomes = game.utility, hook(game, Extra.outcomes)
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


P = ParamSpec("P")

Subject = Game[State, Action] | Graph[State, Action]
"""A game, a `StateGraph`, or any other graph that `GraphGame` takes."""


def takes_graphs(
    search: Callable[Concatenate[Game[State, Action], P], Result[State, Action]],
) -> Callable[Concatenate[Subject[State, Action], P], Result[State, Action]]:
    """Let a solver of one state take a graph too, and write its result into the graph."""

    @wraps(search)
    def solver(
        game: Subject[State, Action], *args: P.args, **options: P.kwargs
    ) -> Result[State, Action]:
        if not is_graph(game):
            return search(as_game(game), *args, **options)
        given: Any = options.pop("state", None) if not args else args[0]
        own, state = rooted(game, given)
        result: Result[State, Action] = search(own, state, *args[1:], **options)  # type: ignore[arg-type]
        write_result(game, result)
        return result

    return solver  # type: ignore[return-value] # `game` can be given by name, too


def solves_graphs(
    solve: Callable[Concatenate[StateSpace[State, Action], P], Solution[State, Action]],
) -> Callable[
    Concatenate[StateSpace[State, Action] | Subject[State, Action], P], Solution[State, Action]
]:
    """Let a solver of spaces take a game or a graph too, and write its values into the graph."""

    @wraps(solve)
    def solver(
        space: StateSpace[State, Action] | Subject[State, Action],
        *args: P.args,
        **options: P.kwargs,
    ) -> Solution[State, Action]:
        solution = solve(space_of(space), *args, **options)
        if is_graph(space):
            write_solution(space, solution)
        return solution

    return solver  # type: ignore[return-value] # `game` can be given by name, too


def write_solution(graph: Any, solution: AnySolution) -> None:
    """Write ``value``, ``distance`` and ``best`` into every node that the solution is about."""
    nodes = graph.nodes
    for index, state in enumerate(solution.space.states):
        if state not in nodes:
            continue
        data = nodes[state]
        data["value"] = solution.values[index]
        data["distance"] = solution.distances[index]
        data["best"] = solution.best(index)
        data.pop("estimate", None)


def write_result(graph: Any, result: AnyResult) -> None:
    """Write what a search found out into the node of its state and into those that follow it.

    A proved value becomes ``value``, anything else ``estimate`` (which never replaces a value);
    ``best`` and ``distance`` are written where the search knows them.
    """
    proved, game = result.value is not None, result.game
    data = _write(graph, result.state, result.value or result.estimate, proved=proved)
    if proved and result.distance is not None:
        data["distance"] = result.distance
    is_new = not {*result.best_actions} <= {*data.get("best", ())}
    if result.best_actions and is_new and (proved or data.get("value") is None):
        data["best"] = result.best_actions
    for action, known in result.root_values.items():
        if game is not None and known.bound == "exact":
            child = game.result(result.state, action)
            _write(graph, child, known.utilities, proved=known.proved)


def _write(graph: Any, state: Hashable, utilities: Any, *, proved: bool) -> dict[str, Any]:
    """Return the attributes of a node, with these utilities as value or estimate."""
    data: dict[str, Any] = graph.nodes[state] if state in graph else {}
    if proved:
        if data.get("value") != utilities:  # of another solver, before the graph was changed
            data.pop("distance", None)
            data.pop("best", None)
        data["value"] = utilities
        data.pop("estimate", None)
    elif utilities is not None and data.get("value") is None:
        data["estimate"] = utilities
    return data
