"""A piece of the search for a plan: what one answer to a first question leaves.

Pieces are solved each by itself, in this process or another one, and their results are rows of a
file, from which a search is continued.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from deduce.budget import UNLIMITED, Budget, Meter
from deduce.errors import Undecided
from deduce.policy.solver import Solver
from deduce.policy.task import Task, task_of
from deduce.policy.tree import tree_of

if TYPE_CHECKING:
    from deduce.queries import Queries

__all__ = ["Piece", "remembered_task", "solve_piece"]


@frozen
class Piece:
    """A part of the search: the secrets that one answer to a first question leaves."""

    knowledge: Queries
    budget: Budget
    number: int
    question: int
    answer: int
    bound: int
    left: int


def remembered_task(knowledge: Queries, meter: Meter) -> Task:
    """Return the task, which takes longer to make than most pieces take to be solved."""
    task = _tasks.pop(knowledge, None) or task_of(knowledge, meter)
    while len(_tasks) >= MAX_TASKS:
        del _tasks[next(iter(_tasks))]
    _tasks[knowledge] = task
    return task


MAX_TASKS = 2
_tasks: dict[Queries, Task] = {}
"""The last tasks, the newest at the end."""


def solve_piece(piece: Piece) -> dict[str, Any]:
    """Return the result of a piece, as a row of a file of results.

    Every piece begins without what others have found, so that the plan is the same however the
    pieces are shared out.
    """
    solver = Solver(remembered_task(piece.knowledge, UNLIMITED), piece.budget.meter())
    secrets = dict(solver.parts(piece.question, solver.everything()))[piece.answer]
    try:
        solver.bound_ahead(secrets, piece.left, (piece.question,))
        value = solver.solve(secrets, piece.bound, (piece.question,), piece.left)
        done = True
    except Undecided:
        done, value = False, solver.known_bound(secrets, piece.left)
    return {
        "trial": piece.number,
        "question": piece.question,
        "answer": piece.answer,
        "bound": piece.bound,
        "left": piece.left,
        "value": value,
        "done": done,
        "states": solver.states,
        "plan": tree_of(solver, secrets, piece.left) if done and value < piece.bound else None,
    }
