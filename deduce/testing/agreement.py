"""Answers about a log that must agree: engines, orders, names, earlier and later knowledge."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

from deduce.budget import Budget
from deduce.errors import Contradiction, Undecided
from deduce.game import RECORD, SeenInParts, Slips, Viewer, hook
from deduce.knowledge import Knowledge
from deduce.logs.events import Log
from deduce.reasoning.doubts import doubted
from deduce.testing.conclusions import ERROR
from deduce.testing.hidden import engine_fault, format_fault
from deduce.testing.laws import renaming

__all__ = ["hidden_fault"]

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
