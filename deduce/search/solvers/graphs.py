"""How solvers take a graph in place of a game or a space, and what they write into it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from deduce.search.game import Action, Game, State
from deduce.search.graph_game import Graph, is_graph, rooted
from deduce.search.result import Result
from deduce.search.solution import Solution
from deduce.search.space import StateSpace, space_of

__all__ = ["Subject", "solves_graphs", "takes_graphs", "write_result", "write_solution"]

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
            return search(game, *args, **options)  # type: ignore[arg-type]
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


def write_solution(graph: Any, solution: Solution[Any, Any]) -> None:
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


def write_result(graph: Any, result: Result[Any, Any]) -> None:
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
