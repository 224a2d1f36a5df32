"""Puzzles: short logs from which every role follows, though not all have declared."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import attrs
from attrs import frozen

from deduce.errors import BadInput, Unsupported
from games.pigs.cards import CARDS, LOYAL, REBEL, Role
from games.pigs.census import marginals, vectors
from games.pigs.deals import random_deal
from games.pigs.facts import roles_of
from games.pigs.follow import follow
from games.pigs.log import Log, public_log
from games.pigs.simulate import Deal, simulate
from games.pigs.timeline import steps
from games.pigs.why import Why, why

__all__ = ["Puzzle", "is_puzzle", "make_puzzle"]

EFFORT = 600


@frozen
class Puzzle:
    """A log with exactly one role vector, and why it is the only one."""

    log: Log
    roles: tuple[Role, ...]
    reasons: tuple[Why, ...]
    """For each seat after the Master."""


def make_puzzle(
    players: int,
    *,
    seed: int,
    rebels: int | None = None,
    effort: int = EFFORT,
    progress: Callable[[int, Log], None] = lambda tried, log: None,
) -> Puzzle:
    """Return the shortest puzzle that a random search finds.

    Half of the effort goes into fresh random deals, half into changing single cards of the best
    one. Ctrl-C ends the search early: the best puzzle so far is returned, if there is one.

    Parameters
    ----------
    players
        3 to 10 seats (with two, the second is the rebel before anything happens).
    seed
        The same seed gives the same puzzle.
    rebels
        If given, so many are rebels and the puzzle tells it.
    effort
        How many deals to try.
    progress
        Told after how many deals which new best log was found.

    Raises
    ------
    BadInput
        A number is out of its range.
    Unsupported
        No deal that was tried makes a puzzle; more effort or another seed may.

    Notes
    -----
    About 1 ms for each deal tried.

    Examples
    --------
    >>> puzzle = make_puzzle(3, seed=1, effort=40)
    >>> is_puzzle(puzzle.log)
    True
    """
    if players < 3:
        raise BadInput(f"{players} seats: a puzzle needs at least 3")
    if effort < 1:
        raise BadInput(f"an effort of {effort}: at least one deal has to be tried")
    rng = Random(seed)
    best: tuple[Log, Deal] | None = None
    try:
        for tried in range(1, effort + 1):
            if best is None or 2 * tried <= effort:
                deal = random_deal(players, rebels=rebels, pile=40, rng=rng)
            else:
                deal = _change_one_card(best[1], rng)
            limit = len(best[0].events) if best else None
            log = _shortest(deal, rebels, limit)
            if log is not None:
                if best is None or len(log.events) < len(best[0].events):
                    progress(tried, log)
                best = log, deal
    except KeyboardInterrupt:
        if best is None:
            raise
    if best is None:
        raise Unsupported(
            f"none of {effort} deals made a puzzle: try more (--effort) or another seed"
        )
    log, deal = best
    reasons = tuple(why(log, seat, deal.roles[seat - 1]) for seat in range(2, players + 1))
    return Puzzle(log, deal.roles, reasons)


def is_puzzle(log: Log) -> bool:
    """Return whether exactly one role vector fits, but declarations alone leave more than one."""
    return _ends(log)[-1:] == [len(log.events)]


def _change_one_card(deal: Deal, rng: Random) -> Deal:
    """Return the deal with one card of a hand or of the top of the pile replaced."""
    rows = [*deal.hands, deal.pile]
    row = rng.randrange(len(rows))
    place = rng.randrange(min(len(rows[row]), 2 * deal.players))
    rows[row] = rows[row][:place] + rng.choice(CARDS) + rows[row][place + 1 :]
    return attrs.evolve(deal, hands=tuple(rows[:-1]), pile=rows[-1])


def _shortest(deal: Deal, rebels: int | None, limit: int | None) -> Log | None:
    """Return the shortest puzzle that the game begins with, of at most ``limit`` events."""
    trace = simulate(deal, limit=2 * deal.players, trace=True).trace
    log = public_log(trace, deal.players, rebels=rebels)
    if limit is not None:
        log = log.upto(max(end for end in follow(log).boundaries if end <= limit))
    ends = _ends(log)
    return log.upto(ends[0]) if ends else None


def _ends(log: Log) -> list[int]:
    """Return after which numbers of events, at the end of a turn, the log is a puzzle."""
    facts = follow(log)
    ends = []
    for number, factors, standing in steps(log, facts):
        if number in facts.boundaries:
            total, rebel = marginals(factors, standing, log.rebels)
            if set(rebel) <= {0, total}:
                shown = {seat for seat, event in facts.shown.items() if event < number}
                told = [
                    _only(REBEL if rebel[seat - 1] else LOYAL)
                    if seat in shown
                    else dict.fromkeys(roles_of(seat), 1)
                    for seat in range(1, log.players + 1)
                ]
                if len(dict(vectors(told, standing, log.rebels))) > 1:
                    ends.append(number)
    return ends


def _only(role: Role) -> dict[Role, int]:
    return {role: 1}
