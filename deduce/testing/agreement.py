"""Answers that must agree: engines, orders, names, earlier and later knowledge, search methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from deduce.budget import Budget
from deduce.errors import BadInput, Contradiction, Undecided, Unsupported
from deduce.game import RECORD, SeenInParts, Slips, Viewer, hook
from deduce.knowledge import Knowledge
from deduce.logs.events import Log
from deduce.reasoning.doubts import doubted
from deduce.search.game import AnyGame, outcomes_of
from deduce.search.limits import Limits
from deduce.search.solvers import SOLVERS
from deduce.search.solvers.choose import search_by
from deduce.search.testing import check_values, evaluate
from deduce.testing.cases import Difference, compare
from deduce.testing.conclusions import ERROR
from deduce.testing.hidden import engine_fault, format_fault
from deduce.testing.laws import renaming

__all__ = ["compare_solution", "hidden_fault", "search_fault"]

MAX_LISTED = 200
"""Up to this number of worlds, engines that list them are asked too."""


def hidden_fault(log: Log, viewer: Viewer, world: object, *, seed: str, budget: Budget) -> str:
    """Return what two answers about a log disagree about, or an empty string.

    Compared are all engines; the true world, if it is known, with all answers; the last event with
    those before; what another viewer knows, asked afterwards, with the same asked at once; doubts
    with their rates; the problem with names and order changed; the log with what is read back.
    """
    knowledge = Knowledge.of(log, viewer=viewer, budget=budget)
    faults = (_truth, _engines, _monotony, _viewers, _doubts, _renaming)
    for fault_of in faults:
        with suppress(Undecided):
            fault = fault_of(knowledge, world, Random(seed))
            if fault:
                return fault
    return format_fault(log.game, log.events)


def _truth(knowledge: Knowledge, world: Any, random: Random) -> str:
    if world is None:
        return ""
    if not knowledge.is_consistent():
        return "a true log is called a contradiction"
    possible, posterior = knowledge.possible(), knowledge.posterior()
    for variable in possible:
        value = world[variable]
        if value not in possible[variable]:
            return f"{variable}={value} is true, but called impossible"
        if not posterior[variable].get(value):
            return f"{variable}={value} is true, but has the posterior 0"
    return ""


def _engines(knowledge: Knowledge, world: object, random: Random) -> str:
    few = knowledge.count() <= MAX_LISTED
    return engine_fault(knowledge, few, lambda what: suppress(Undecided))


def _monotony(knowledge: Knowledge, world: object, random: Random) -> str:
    if not knowledge.log or not knowledge.is_consistent():
        return ""
    earlier = knowledge.upto(len(knowledge.log) - 1)
    now, before = knowledge.possible(), earlier.possible()
    for variable, values in now.items():
        # What an event makes possible at all, such as a card lost by it, is not possible again.
        extra = values.intersection(earlier.problem.domains.get(variable, ()))
        extra -= before.get(variable, extra)
        if extra:
            return f"{variable} becomes possible again: {sorted(map(str, extra))[0]}"
    return ""


def _viewers(knowledge: Knowledge, world: object, random: Random) -> str:
    """What one viewer was asked has no influence on what another one knows."""
    game, log = knowledge.game, knowledge.log
    other = random.choice([RECORD, None, *hook(game, SeenInParts.players, ())])
    earlier = knowledge.upto(max(len(log) - 1, 0))
    with suppress(Contradiction):
        earlier.possible()
    with suppress(Contradiction):
        found = dict(earlier.tell(*log[-1:]).seen_by(other).possible())
        fresh = Knowledge(game, log, viewer=other, budget=knowledge.budget)
        if found != dict(fresh.possible()):
            return f"what {other} knows depends on what {knowledge.viewer} was asked before"
    return ""


def _doubts(knowledge: Knowledge, world: object, random: Random) -> str:
    """No answer is wrong more often than any slip happens; rounding changes next to nothing."""
    rates, declared = hook(knowledge.game, Slips.slip_rates, None), True
    if rates is None:
        return ""
    for piece in doubted(knowledge.game, knowledge.log, knowledge.viewer, declared):
        if piece.doubt and piece.doubt > sum(rates.values()):
            return f"{piece} is doubted with {piece.doubt}, all slips have {sum(rates.values())}"
    with suppress(Contradiction):
        doubtful = knowledge.doubting(declared)
        rounded = doubtful.posterior()
        for variable, row in doubtful.using(engine="counting").posterior().items():
            for value, share in row.items():
                if abs(share - rounded[variable].get(value, 0)) > ERROR:
                    return f"{variable}={value} has {share}, and {rounded[variable]} rounded"
    return ""


def _renaming(knowledge: Knowledge, world: object, random: Random) -> str:
    return renaming(knowledge.problem, partial(Knowledge, budget=knowledge.budget), random)


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
        path = _playthrough(game, random)
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


def _playthrough(game: Any, random: Random, plies: int = 400) -> list[object]:
    path = [game.initial_state()]
    while len(path) < plies and game.utility(path[-1]) is None:
        by_chance = outcomes_of(game, path[-1])
        if by_chance is not None:
            path.append(random.choice(list(by_chance))[0])
        else:
            path.append(game.result(path[-1], random.choice(list(game.actions(path[-1])))))
    return path


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
