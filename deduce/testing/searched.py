"""Searched games: values that must agree, and solutions compared with what is recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from deduce.errors import BadInput, Undecided, Unsupported
from deduce.search.game import AnyGame
from deduce.search.limits import Limits
from deduce.search.playouts import playthrough
from deduce.search.solvers import SOLVERS
from deduce.search.solvers.choose import search_by
from deduce.search.testing import check_values, evaluate
from deduce.testing.cases import Difference, compare

__all__ = ["compare_solution", "search_fault"]

MOST_PLIES = 400
"""After these a game is looked at where it has come to."""


def search_fault(game: Any, *, seed: str, state: Any = None) -> tuple[str, Any]:
    """Return what search methods disagree about, or an empty string, and the state.

    Parameters
    ----------
    game
        The game.
    seed
        Selects the playthrough.
    state
        The state to compare; left out: one near the end of a random playthrough, from which few
        states can be reached.
    """
    random = Random(seed)
    values: dict[object, Any] = {}
    if state is None:
        played = playthrough(game, random=random)
        path = [game.initial_state(), *(after for _, after in islice(played, MOST_PLIES))]
        check_values(game, path)
        state = path[-1]
        for earlier in reversed(path):
            if not evaluate(game, earlier, values):
                break
            state = earlier
    elif not evaluate(game, state, values):
        return "", state
    expected = values.get(state)
    if expected is None or game.utility(state) is not None:
        return "", state
    for name in SOLVERS:
        with suppress(Unsupported, BadInput):
            limits = Limits(nodes=5_000, seconds=1)
            result = search_by(name, game, state, limits=limits).uninterrupted()
            if result.value is not None and tuple(result.value) != tuple(expected):
                return f"{name} answers {result.value}, listing all states {expected}", state
    return "", state


def compare_solution(
    game: AnyGame,
    case: Mapping[str, Any],
    of_tier: Callable[[Mapping[str, int]], object] = lambda tier: tier["positions"],
) -> Iterator[Difference]:
    """Yield what differs in a searched game that is solved on disk.

    Parameters
    ----------
    game
        The game.
    case
        The expected ``positions``, and of ``value``, ``plies`` and ``tiers`` those that are known.
        Value and plies are those of the first player, or lists of what each player can force.
    of_tier
        Returns what the case has of the counts of a tier.

    Raises
    ------
    Undecided
        The game has far more positions than expected.
    """
    from deduce.search.tiers.solve import solve_on_disk

    left = 3 * case["positions"]  # each is collected, expanded and valued

    def count(states: int) -> None:
        nonlocal left
        left -= states
        if left < 0:
            raise Undecided(f"the game has more than {case['positions']:,} positions")

    with TemporaryDirectory() as folder:
        table = solve_on_disk(game, folder, progress=count)
        first = table.probe(table.root)
        found = {
            "value": list(first.utilities) if first.secured_in else first.utilities[0],
            "plies": list(first.secured_in) or first.plies,
            "positions": len(table),
            "tiers": {str(tier["tier"]): of_tier(tier) for tier in table.tiers},
        }
    for name, value in found.items():
        if name in case:
            yield from compare(name, case[name], value)
