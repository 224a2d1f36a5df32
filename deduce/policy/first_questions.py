"""The search over the first questions of a plan, in one process or several.

The first questions that are not alike are taken by their lower bounds. What an answer to one of
them leaves is a piece of work of its own, so that pieces can be shared out, and continued from a
file. What is not solved within the budget gets a quick plan and keeps its lower bound. A beam, in
which only the most promising questions are tried, may give a good plan to begin with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import evolve, frozen

from deduce.batch.parallel import run_all
from deduce.batch.results import ResultsFile, Written
from deduce.budget import Budget, Meter
from deduce.errors import BadInput, Undecided
from deduce.policy.plan import Plan, Step, plan_from
from deduce.policy.solver import NEVER, Solver
from deduce.policy.task import Task, task_of
from deduce.system.saved import signature

if TYPE_CHECKING:
    from deduce.policy.solver import Secrets
    from deduce.reasoning.queries import Queries

__all__ = [
    "UNLIMITED",
    "Beam",
    "FirstQuestions",
    "Piece",
    "Tree",
    "depth_of",
    "remembered_task",
    "solve_piece",
    "step_of",
    "tree_of",
]

EXACT = 100
"""Sets of up to this number of secrets are solved exactly."""


class Beam:
    """Finds a good plan, which it leaves in the ``found`` and ``values`` of a solver.

    Parameters
    ----------
    solver
        The solver.
    width
        How many questions are tried as the first and as the second one; as the third a quarter of
        this number, after that an eighth, but at least one.
    """

    def __init__(self, solver: Solver, width: int) -> None:
        self.solver = solver
        self.widths = (width, width, max(1, width // 4), max(1, width // 8))
        self.total: dict[tuple[int, bytes], int] = {}
        """The total of each state for which a plan was found."""
        self.tried: dict[tuple[int, bytes], int] = {}
        """The limit below which the beam has no plan for a state."""

    def plan(
        self, secrets: Secrets, left: int, limit: int = NEVER, asked: tuple[int, ...] = ()
    ) -> int:
        """Return the total of a plan if one below a limit is found, else the limit or more.

        The best plan so far is always left in the solver.

        Parameters
        ----------
        secrets, left, asked
            The state, as in `deduce.policy.solver.Solver.solve`.
        limit
            Totals from here on are not of interest.

        Raises
        ------
        Undecided
            The solver's budget ran out.
        """
        solver, size = self.solver, len(secrets)
        if size <= EXACT:
            return solver.solve(secrets, limit, asked, left)
        key = (left, secrets.tobytes())
        if key in self.total:
            return self.total[key]
        if self.tried.get(key, 0) >= limit:
            return limit
        solver.step()
        best, choice = limit, -1
        for question in self._promising(secrets, left, limit, asked):
            total = self._total(question, secrets, left, best, asked)
            if total < best:
                best, choice = total, question
                if key not in solver.found or best < solver.found[key][0]:
                    solver.found[key] = best, choice
        if choice < 0:
            self.tried[key] = limit
            return limit
        self.total[key] = best
        return best

    def _promising(
        self, secrets: Secrets, left: int, limit: int, asked: tuple[int, ...]
    ) -> list[int]:
        """Return the most promising questions that may stay below a limit, the best first."""
        solver, np = self.solver, self.solver.np
        rated = solver.rated(secrets, left, asked)
        order = np.argsort(solver.left_open(rated), kind="stable")
        width = self.widths[min(len(asked), len(self.widths) - 1)]
        chosen = order[rated.bounds[order] < limit][:width]
        return [rated.question(index) for index in chosen.tolist()]

    def _total(
        self, question: int, secrets: Secrets, left: int, limit: int, asked: tuple[int, ...]
    ) -> int:
        """Return the total of a question if it is below a limit, else something not below it."""
        solver = self.solver
        after = left - 1 if left > 0 else left
        parts = sorted((part for _, part in solver.parts(question, secrets)), key=len)
        lows = [solver.quick(part, after) for part in parts]
        total, rest = len(secrets), sum(lows)
        for part, low in zip(parts, lows, strict=True):
            if total + rest >= limit:
                return limit
            rest -= low
            total += self.plan(part, after, limit - total - rest, (*asked, question))
        return total


UNLIMITED = Budget(steps=None)

SEARCHED = 0.9
"""The part of the time in which plans are searched; in the rest the best one is put together."""

SIGNATURE = "signature"

LARGE = 4
"""How many of the parts of a first question are solved last, each as a task of its own."""


class FirstQuestions:
    """The search for the fewest questions."""

    def __init__(
        self,
        knowledge: Queries,
        budget: Budget,
        jobs: int,
        scheduler: str | None,
        path: Path | None,
        width: int,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.knowledge = knowledge
        meter = evolve(budget, steps=None).meter()
        self.budget = budget
        left = meter.seconds_left()
        if budget.until is not None and left is not None:
            self.budget = evolve(budget, until=budget.until - (1 - SEARCHED) * left)
        self.jobs, self.scheduler = jobs, scheduler
        self.path = path
        self.width = width
        self.progress = progress
        self.task = remembered_task(knowledge, meter)
        self.solver = Solver(self.task, meter)
        """Looks one question ahead, and makes quick plans; pieces have solvers of their own."""
        self.states = 0
        self.interrupted = False
        self.shortest = -1
        """The fewest questions in the worst case of a quick plan; -1: no plan with a limit."""
        self.done = self.planned = 0
        self.rows: dict[int, Written] = {}
        self.file: ResultsFile | None = None
        self._header: Written = {}
        """What the file is for."""

    def least_questions(self) -> int:
        """Return a number of questions with less than which no plan can do."""
        size = self.task.table.shape[1]
        questions = 0
        while self.solver.bound_by_size(questions)[size] >= NEVER:
            questions += 1
        return questions

    def plan(self, objective: str, within: int | None) -> Plan | None:
        """Return the best plan; ``None`` if there is none within so few questions.

        Raises
        ------
        Undecided
            None was found, although there may be one.
        """
        if self.path is not None and self.file is None:
            self._header = {
                "of": "plan",
                "game": repr(self.knowledge.game),
                "events": list(map(repr, self.knowledge.log)),
                "objective": objective,
                "within": within if objective == "expected" else None,
            } | ({"width": self.width} if self.width else {})
            self.file = ResultsFile(self.path, self._header)
            self.rows = {row["trial"]: row for row in self.file.rows()}
        try:
            return self._plan(objective, within)
        except KeyboardInterrupt:
            self.interrupted = True
            raise Undecided("it was interrupted") from None

    def shorten(self, least: int) -> None:
        """Find quick plans that need fewer and fewer questions in the worst case.

        They are for `quick_plan`, if the search then finds none. So they come first.

        Parameters
        ----------
        least
            No plan does with fewer questions.

        Raises
        ------
        Undecided
            The time is used up.
        """
        solver = self.solver
        everything = solver.everything()
        try:
            solver.plan_quickly(everything, -1)
            left = self._depth(-1) - 1
            while left >= least and solver.plan_quickly(everything, left) < NEVER:
                self.shortest = left
                left = self._depth(left) - 1
        except KeyboardInterrupt:
            self.interrupted = True
            raise Undecided("it was interrupted") from None

    def _depth(self, left: int) -> int:
        """Return how many questions the plan that was found with a limit asks at most."""
        return depth_of(tree_of(self.solver, self.solver.everything(), left))

    def quick_plan(self, objective: str, within: int | None, least: int | None = None) -> Plan:
        """Return the best plan by quick questions, which may need more than ``within`` of them.

        Parameters
        ----------
        objective, within
            Of the plan that was searched for.
        least
            For ``"worst"``: no plan does with fewer questions in the worst case.

        Raises
        ------
        Undecided
            The time is not even enough for this plan.
        KeyboardInterrupt
            It was interrupted before there was one.
        """
        solver = self.solver
        everything = solver.everything()
        if self.interrupted and not solver.has_plan(everything, self.shortest):
            raise KeyboardInterrupt
        solver.plan_quickly(everything, self.shortest)
        return plan_from(
            self.knowledge,
            step_of(self.task, tree_of(solver, everything, self.shortest)),
            objective=objective,
            within=within,
            bound=solver.known_bound(everything, -1),
            worst_bound=least,
            states=self.states,
            interrupted=self.interrupted,
        )

    def close(self) -> None:
        """Close the file of results."""
        if self.file is not None:
            self.file.close()

    def _plan(self, objective: str, within: int | None) -> Plan | None:
        solver = self.solver
        everything = solver.everything()
        left = -1 if within is None else within
        size = len(everything)
        if size == 1 and not solver.has_final:
            return plan_from(self.knowledge, None, objective=objective, within=within, proved=True)
        if solver.bound_by_size(left)[size] >= NEVER:
            return None
        best = self._begin(everything, left)
        tree = tree_of(solver, everything, left) if best < NEVER else None
        unproved: list[int] = []
        low = solver.known_bound(everything, left)
        try:
            for low, first in self._firsts(left):
                if low >= best:  # so are all others
                    break
                if unproved or self.interrupted:
                    unproved.append(low)
                    continue
                total, exact, grown = self._solve_first(first, left, best)
                if total < best:
                    best, tree = total, grown
                if exact < total:
                    unproved.append(exact)
        except KeyboardInterrupt:
            self.interrupted = True
            unproved.append(low)
        bound = min([best, *unproved])
        if best >= NEVER:
            if unproved:
                raise Undecided("no such plan was found within the budget")
            return None
        return plan_from(
            self.knowledge,
            step_of(self.task, tree),
            objective=objective,
            within=within,
            bound=bound,
            proved=bound == best,
            states=self.states,
            interrupted=self.interrupted,
        )

    def _begin(self, everything: Secrets, left: int) -> int:
        """Return the total of a good plan, with which the search begins."""
        solver, whole = self.solver, self.solver.meter
        if left >= 0:
            solver.plan_quickly(everything, -1)  # for `quick_plan`, when the time is used up
        quick = solver.plan_quickly(everything, left)
        try:
            if self.width:
                solver.meter = whole.share(halved=True)
                Beam(solver, self.width).plan(everything, left, quick)
        except KeyboardInterrupt:
            self.interrupted = True
        except Undecided:
            pass  # the best plan so far is in the solver
        finally:
            solver.meter = whole
        return solver.plan_quickly(everything, left)

    def _firsts(self, left: int) -> list[tuple[int, _First]]:
        """Return the first questions that are not alike, by their lower bounds."""
        solver = self.solver
        everything = solver.everything()
        after = left - 1 if left > 0 else left
        questions = solver.representatives(())
        firsts = []
        for question in range(solver.count) if questions is None else questions.tolist():
            parts = sorted(solver.parts(question, everything), key=lambda pair: len(pair[1]))
            if parts and len(parts[-1][1]) == len(everything):
                continue
            lows = [self._bound(part, after, question) for _, part in parts]
            firsts.append((len(everything) + sum(lows), _First(question, parts, lows)))
        firsts.sort(key=lambda pair: (pair[0], pair[1].question))
        return firsts

    def _bound(self, part: Secrets, left: int, question: int) -> int:
        """Return a lower bound of what a first question leaves; a better one after a beam."""
        solver = self.solver
        try:
            if self.width:
                return solver.bound_ahead(part, left, (question,))
            return max(int(solver.bound_by_size(left)[len(part)]), solver.quick(part, left))
        except Undecided:
            return solver.known_bound(part, left)

    def _solve_first(self, first: _First, left: int, best: int) -> tuple[int, int, Tree]:
        """Return the total of the best plan with a first question, its lower bound, and the plan.

        If the bound is at least ``best``, the total is this bound. The plan is empty then, and
        where the total is `NEVER`.
        """
        solver = self.solver
        after = left - 1 if left > 0 else left
        values = list(first.lows)
        trees: dict[int, Tree | None] = {}
        undone: list[int] = []
        open_ = [i for i, (_, part) in enumerate(first.parts) if len(part) > 2]
        size = len(solver.everything())
        for batch in (open_[:-LARGE], open_[-LARGE:]):
            low = size + sum(values)
            if low >= best:
                break
            if undone:
                undone += batch
                continue
            pieces = [
                Piece(
                    self.knowledge,
                    self.budget,
                    self.planned + number,
                    first.question,
                    first.parts[i][0],
                    best - low + values[i],
                    after,
                )
                for number, i in enumerate(batch, start=1)
            ]
            self.planned += len(pieces)
            for i, row in zip(batch, self._results(pieces), strict=True):
                values[i] = max(values[i], row["value"])
                if row["done"]:
                    trees[i] = row["plan"]
                else:
                    undone.append(i)
        low = size + sum(values)
        if low >= best:
            return low, low, []
        total = low
        try:
            for i in undone:
                quick = solver.plan_quickly(first.parts[i][1], after, (first.question,))
                total += quick - values[i]
        except Undecided:
            total = NEVER
        if total >= NEVER:
            return NEVER, low, []
        branches = []
        for i, (answer, part) in enumerate(first.parts):
            tree = trees[i] if i in trees else tree_of(solver, part, after)
            if tree is not None:
                branches.append([answer, tree])
        return total, low, [first.question, branches]

    def _results(self, pieces: Sequence[Piece]) -> list[Written]:
        """Return the rows of some pieces, from the file or solved now."""
        rows: dict[int, Written] = {}
        for piece in pieces:
            row = self.rows.get(piece.number)
            if row is not None and self._is_signed(piece, row):
                rows[piece.number] = row
        left = [piece for piece in pieces if piece.number not in rows]
        # The largest first, so that no process ends up alone with it.
        try:
            for row in run_all(solve_piece, left[::-1], jobs=self.jobs, scheduler=self.scheduler):
                rows[row["trial"]] = row
                if self.file is not None and row["done"]:
                    self._keep(self.file, row)
                self.states += row["states"]
                self.done += 1
                if self.progress is not None:
                    self.progress(self.done, self.planned)
        except KeyboardInterrupt:
            self.interrupted = True
        undone = {"value": 0, "done": False, "plan": None}
        return [rows.get(piece.number, undone) for piece in pieces]

    def _is_signed(self, piece: Piece, row: Written) -> bool:
        """Return whether a row of the file was written by this account; refuse other searches."""
        for name in ("question", "answer", "bound", "left"):
            if row.get(name) != getattr(piece, name):
                raise self._bad(piece.number, f"{name} is not that of this search")
        plain = {name: value for name, value in row.items() if name != SIGNATURE}
        signed = row.get(SIGNATURE)
        return signed is not None and signed == signature([self._header, plain])

    def _keep(self, file: ResultsFile, row: Written) -> None:
        """Add a row to the file, or compare it with the row that is there, which is not signed."""
        number, value, bound = row["trial"], row["value"], row["bound"]
        if number not in self.rows:
            file.add(row | {SIGNATURE: signature([self._header, row])})
            return
        known = self.rows[number].get("value")
        if type(known) is not int or min(known, bound) != min(value, bound):
            raise self._bad(number, f"the value is {known!r}, but solving it again gives {value}")

    def _bad(self, trial: int, message: str) -> BadInput:
        return BadInput(f"trial {trial}: {message}; name another file", source=str(self.path))


@frozen
class _First:
    """A first question: its parts by answer, the smallest first, and their lower bounds."""

    question: int
    parts: Sequence[tuple[int, Secrets]]
    lows: Sequence[int]


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
    if question < 0:
        return None
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
    solver = Solver(remembered_task(piece.knowledge, UNLIMITED.meter()), piece.budget.meter())
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
