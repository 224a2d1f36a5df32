"""Plans as lists of numbers, which files of results can hold, and as questions and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deduce.policy.plan import Step

if TYPE_CHECKING:
    from deduce.policy.solver import Secrets, Solver
    from deduce.policy.task import Task

__all__ = ["depth_of", "step_of", "tree_of"]


def depth_of(tree: list[Any] | None) -> int:
    """Return how many questions a plan asks at most.

    >>> depth_of(None), depth_of([3, [[0, [5, []]], [1, [2, []]]]])
    (0, 2)
    """
    return 0 if tree is None else 1 + max((depth_of(branch) for _, branch in tree[1]), default=0)


def step_of(task: Task, tree: list[Any] | None) -> Step | None:
    """Return a plan of numbers as one of questions and answers."""
    if tree is None:
        return None
    question, branches = tree
    after = {task.answers[answer]: step_of(task, branch) for answer, branch in branches}
    return Step(task.inquiries[question], {a: step for a, step in after.items() if step})


def tree_of(solver: Solver, secrets: Secrets, left: int) -> list[Any] | None:
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
