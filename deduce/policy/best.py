"""The best plan of a game: for each objective, what is proved, or the best that was found."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from deduce.budget import Budget
from deduce.errors import BadInput, Interrupted, Undecided
from deduce.policy.chance import ChanceSolver
from deduce.policy.first_questions import UNLIMITED, FirstQuestions
from deduce.policy.pieces import remembered_task
from deduce.policy.plan import OBJECTIVES, Plan, measured
from deduce.policy.tree import step_of
from deduce.text import plural

if TYPE_CHECKING:
    from deduce.queries import Queries

__all__ = ["NoPlan", "best_plan"]


class NoPlan(BadInput):
    """No plan finds every secret within the number of questions."""


def best_plan(
    knowledge: Queries,
    *,
    objective: str = "expected",
    within: int | None = None,
    budget: Budget = UNLIMITED,
    jobs: int = 1,
    scheduler: str | None = None,
    path: Path | None = None,
    width: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Plan:
    """Return the best plan for finding the secret of a game.

    Parameters
    ----------
    knowledge
        What is known at the beginning; see `deduce.policy.task.task_of` for the games that have
        plans.
    objective
        ``"expected"``: the fewest questions on average; ``"worst"``: the fewest in the worst case,
        and the fewest on average among those plans; ``"chance"``: the most secrets found within
        ``within`` questions.
    within
        How many questions may be asked at most.
    budget
        What the search may spend. When it is used up, or at Ctrl-C, the plan is the best that was
        found, with its bound. Its time is that of the whole call, a tenth of it for putting the
        plan together; its steps, each a state, are those of each part of the search.
    jobs, scheduler
        How many processes, or the address of a Dask scheduler, as for tournaments
        (`deduce.batch.parallel.run_all`). The plan does not depend on it.
    path
        A file to which parts of the search are written, so that it can be continued.
    width
        Begin with a good plan by a beam of this width (`deduce.policy.beam`), which gets up to half
        of the time; 0: with a quick one. It helps where the best plan takes too long; not for
        ``"chance"``.
    progress
        Is called with the number of parts done, and of those planned so far.

    Raises
    ------
    Unsupported
        The game has no plans.
    BadInput
        An option is wrong.
    NoPlan
        No plan finds every secret within so few questions; it is a `BadInput`.
    Undecided
        The budget ran out before any plan was found. If a plan was found that needs more than
        ``within`` questions, it is the ``known`` of the error.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> from games.mastermind import Mastermind
    >>> plan = best_plan(Knowledge(Mastermind(slots=2, colours=3)))
    >>> plan.total, plan.worst, plan.proved
    (21, 3, True)
    """
    if objective not in OBJECTIVES:
        raise BadInput(f"a plan is best at one of {', '.join(OBJECTIVES)}, not {objective!r}")
    if within is not None and (type(within) is not int or within < 0):
        raise BadInput(f"the number of questions is 0 or more, not {within!r}")
    if type(width) is not int or width < 0:
        raise BadInput(f"the width of a beam is 0 or more, not {width!r}")
    if objective == "chance" and within is None:
        raise BadInput("for the highest chance, say within how many questions")
    budget = budget.begun()
    try:
        if objective == "chance":
            return _chance(knowledge, within or 0, budget)
        search = FirstQuestions(knowledge, budget, jobs, scheduler, path, width, progress)
        with closing(search):
            plan = (_worst if objective == "worst" else _expected)(search, within)
    except KeyboardInterrupt:
        raise Interrupted("it was interrupted before any plan could be made") from None
    except Undecided as error:
        raise Undecided(f"no plan could be made: {error}") from error
    if plan is None:
        raise NoPlan(f"no plan finds every secret within {plural(within or 0, 'question')}")
    if within is not None and plan.worst > within:
        kind = Interrupted if plan.interrupted else Undecided
        found = f"no plan within {plural(within, 'question')} was found within the budget"
        raise kind(f"{found}; the best one found needs {plan.worst}", known=plan)
    return plan


def _expected(search: FirstQuestions, within: int | None) -> Plan | None:
    """Return the plan with the fewest questions on average, or one with more than ``within``."""
    try:
        return search.plan("expected", within)
    except Undecided:
        return search.quick_plan("expected", within)


def _worst(search: FirstQuestions, within: int | None) -> Plan | None:
    """Return the plan with the fewest questions in the worst case, or one with more."""
    questions = search.least_questions()
    most = search.solver.size if within is None else within
    try:
        search.shorten(questions)
        while questions <= most:
            plan = search.plan("worst", questions)
            if plan is not None:
                return evolve(plan, within=within, worst_bound=questions)
            questions += 1
    except Undecided:
        return search.quick_plan("worst", within, questions)
    return None


def _chance(knowledge: Queries, within: int, budget: Budget) -> Plan:
    """Return the plan that finds the most secrets within a number of questions."""
    meter = evolve(budget, steps=None).meter()
    solver = ChanceSolver(remembered_task(knowledge, meter), meter)
    bound, proved = solver.search(within, budget.meter())
    first = step_of(solver.task, solver.tree(within))
    return measured(
        knowledge,
        first,
        objective="chance",
        within=within,
        bound=bound,
        proved=proved,
        states=solver.states,
        interrupted=solver.interrupted,
    )
