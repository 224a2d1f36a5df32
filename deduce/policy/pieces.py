"""A piece of the search for a plan: what one answer to a first question leaves.

Pieces are solved each by itself, in this process or another one, and their results are rows of a
file, from which a search is continued. Their plans are lists of numbers, which files can hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from deduce.budget import UNLIMITED, Budget, Meter
from deduce.errors import Undecided
from deduce.policy.plan import Step
from deduce.policy.solver import Solver
from deduce.policy.task import Task, task_of

if TYPE_CHECKING:
    from deduce.policy.solver import Secrets, Solver
    from deduce.policy.task import Task
    from deduce.reasoning.queries import Queries

__all__ = ["Piece", "Tree", "depth_of", "remembered_task", "solve_piece", "step_of", "tree_of"]


Tree: TypeAlias = list[Any]
"""A plan: the number of a question, and pairs of an answer and the plan after it."""


def depth_of(tree: Tree | None) -> int:
    """Return how many questions a plan asks at most.

    >>> depth_of(None), depth_of([3, [[0, [5, []]], [1, [2, []]]]])
    (0, 2)
    """
    return 0 if tree is None else 1 + max((depth_of(branch) for _, branch in tree[1]), default=0)


def step_of(task: Task, tree: Tree | None) -> Step | None:
    """Return a plan of numbers as one of questions and answers."""
    if tree is None:
        return None
    question, branches = tree
    after = {task.answers[answer]: step_of(task, branch) for answer, branch in branches}
    return Step(task.inquiries[question], {a: step for a, step in after.items() if step})


def tree_of(solver: Solver, secrets: Secrets, left: int) -> Tree | None:
    """Return the plan for a state: the question, and pairs of an answer and the plan after it."""
    if len(secrets) == 1 and not solver.has_final:
        return None
    question = solver.question_for(secrets, left)
    after = left - 1 if left > 0 else left
    branches = []
    for answer, part in solver.parts(question, secrets):
        tree = tree_of(solver, part, after)
        if tree is not None:
            branches.append([answer, tree])
    return [question, branches]


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
