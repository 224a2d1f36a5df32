"""Puzzles: short logs from which every role follows although some seats have not declared."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import attrs
from attrs import frozen

from deduce import steps
from deduce.constraints import is_
from deduce.errors import BadInput, Contradiction, Unsupported
from deduce.knowledge import Knowledge
from deduce.logs.events import Log
from games.pigs.events import public_events
from games.pigs.evidence import role_variable
from games.pigs.game import Pigs
from games.pigs.inference import factors_by_event, infer, marginals, vectors
from games.pigs.proofs import RoleProof, why
from games.pigs.reading import read_events, read_turns
from games.pigs.setup import CARDS, LOYAL, REBEL, Deal, Role, RuleSet, Setup, random_deal, roles_of
from games.pigs.simulation import simulate

__all__ = ["Puzzle", "graded", "is_puzzle", "make_graded_puzzle", "make_puzzle"]

TRIES = 30
"""How many puzzles are made to find one of a grade."""

EFFORT = 600
"""The number of deals that are tried by default."""


@frozen
class Puzzle:
    """A log with exactly one role vector, and why it is the only one."""

    log: Log
    roles: tuple[Role, ...]
    proofs: tuple[RoleProof, ...]
    """One for each seat but the Master's."""
    interrupted: bool = False
    """Whether Ctrl-C ended the search for a shorter one."""


def make_puzzle(
    seats: int,
    *,
    seed: int,
    rebels: int | None = None,
    effort: int = EFFORT,
    rule_set: RuleSet = "contest",
    progress: Callable[[int, Log | None], None] = lambda tried, log: None,
) -> Puzzle:
    """Return the shortest puzzle that a random search finds.

    Half of the effort goes into fresh random deals, half into changing single cards of the best
    one. Ctrl-C ends the search early: the best puzzle so far is returned, if there is one.

    Parameters
    ----------
    seats
        The number of seats, 3 to 10 (of two seats, the second is always the rebel).
    seed
        The same seed gives the same puzzle.
    rebels
        If given, the number of rebels, which the puzzle states.
    effort
        The number of deals to try.
    rule_set
        ``"contest"``, or ``"literal"`` for the original text read literally; the puzzle states
        it, and the size of the pile.
    progress
        Is called after every deal with the number of deals tried and the best log so far.

    Raises
    ------
    BadInput
        A number is out of its range.
    Unsupported
        None of the deals makes a puzzle; more effort or another seed may help.

    Notes
    -----
    About 1 ms for each deal tried.

    Examples
    --------
    >>> puzzle = make_puzzle(3, seed=1, effort=40)
    >>> is_puzzle(puzzle.log)
    True
    """
    if seats < 3:
        raise BadInput(f"a puzzle needs at least 3 seats, not {seats}")
    if effort < 1:
        raise BadInput(f"an effort of {effort}: at least one deal must be tried")
    rng = Random(seed)
    best: tuple[Log, Deal] | None = None
    interrupted = False
    try:
        for tried in range(1, effort + 1):
            if best is None or 2 * tried <= effort:
                deal = random_deal(seats, rebels=rebels, pile=40, rng=rng)
            else:
                deal = _change_one_card(best[1], rng)
            limit = len(best[0].events) if best else None
            log = _shortest(deal, rebels, limit, rule_set)
            if log is not None:
                best = log, deal
            progress(tried, best and best[0])
    except KeyboardInterrupt:
        if best is None:
            raise
        interrupted = True
    if best is None:
        raise Unsupported(
            f"none of {effort} deals made a puzzle: try more (--effort) or another seed"
        )
    log, deal = _minimal(*best), best[1]
    proofs = tuple(why(log, seat, deal.roles[seat - 1]) for seat in range(2, seats + 1))
    return Puzzle(log, deal.roles, proofs, interrupted)


def graded(puzzle: Puzzle, *, seed: int) -> steps.Puzzle:
    """Return a puzzle of pigs as one of the toolkit: with its grade, and steps to the roles."""
    knowledge = Knowledge.of(puzzle.log)
    answers = tuple(
        is_(role_variable(seat), role)
        for seat, role in enumerate(puzzle.roles, start=1)
        if seat > 1
    )
    return steps.Puzzle(knowledge, answers, steps.grade(knowledge, answers), seed)


def make_graded_puzzle(seats: int, *, grade: int, seed: int, **options: Any) -> Puzzle:
    """Return the first puzzle of a grade, from 1 to 5, among those of `TRIES` seeds.

    Parameters
    ----------
    seats
        The number of seats.
    grade
        How hard it is; see `deduce.steps.puzzle`.
    seed
        The same seed gives the same puzzle.
    options
        As for `make_puzzle`.

    Raises
    ------
    BadInput
        A number is out of its range.
    Unsupported
        None of them is of this grade.
    """
    for number in range(TRIES):
        with suppress(Unsupported):
            puzzle = make_puzzle(seats, seed=seed * TRIES + number, **options)
            if puzzle.interrupted or graded(puzzle, seed=seed).grade.level == grade:
                return puzzle
    raise Unsupported(
        f"none of {TRIES} puzzles was of grade {grade}: try another seed, or fewer deals (--effort)"
    )


def is_puzzle(log: Log) -> bool:
    """Return whether only one role vector is possible, but more by declarations alone."""
    return _ends(log)[-1:] == [len(log.events)]


def _change_one_card(deal: Deal, rng: Random) -> Deal:
    """Return the deal with one card of a hand or of the top of the pile replaced."""
    rows = [*deal.hands, deal.pile]
    row = rng.randrange(len(rows))
    index = rng.randrange(min(len(rows[row]), 2 * deal.seats))
    rows[row] = rows[row][:index] + rng.choice(CARDS) + rows[row][index + 1 :]
    return attrs.evolve(deal, hands=tuple(rows[:-1]), pile=rows[-1])


def _shortest(deal: Deal, rebels: int | None, limit: int | None, rule_set: RuleSet) -> Log | None:
    """Return the shortest puzzle with which the game begins, of at most ``limit`` events."""
    trace = simulate(deal, limit=2 * deal.seats, trace=True, rule_set=rule_set).trace
    pile = len(deal.pile) if rule_set == "literal" else None
    game = Pigs(deal.seats, rebels=rebels, rule_set=rule_set, pile=pile)
    log = Log(game, public_events(trace, rule_set=rule_set))
    if limit is not None:
        log = log.upto(
            max(end for end in read_events(log.game, log.events).boundaries if end <= limit)
        )
    ends = _ends(log)
    return log.upto(ends[0]) if ends else None


def _minimal(log: Log, deal: Deal) -> Log:
    """Return a puzzle from which no event can be dropped, made by dropping one after the other.

    A log without some event may not be one that the rules allow; then the event is kept.
    """
    index = len(log.events) - 1
    while index >= 0:
        shorter = Log(log.game, (*log.events[:index], *log.events[index + 1 :]))
        with suppress(BadInput, Contradiction):
            if is_puzzle(shorter) and set(infer(shorter).vectors) == {deal.roles}:
                log, index = shorter, len(shorter.events)
        index -= 1
    return log


def _ends(log: Log) -> list[int]:
    """Return the numbers of events, at ends of turns, after which the log is a puzzle."""
    reading = read_turns(log)
    setup: Setup = log.game
    ends = []
    for number, factors, survivors in factors_by_event(log, reading):
        if number in reading.boundaries:
            total, rebel = marginals(factors, survivors, setup.rebels)
            if set(rebel) <= {0, total}:
                shown = {seat for seat, event in reading.shown.items() if event < number}
                declared = [
                    dict.fromkeys(
                        (REBEL if rebel[seat - 1] else LOYAL,) if seat in shown else roles_of(seat),
                        1,
                    )
                    for seat in setup.players
                ]
                if len(dict(vectors(declared, survivors, setup.rebels))) > 1:
                    ends.append(number)
    return ends
