"""The best plan of a game: the search, in one process or several, and what it proves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from deduce.batch.parallel import run_all
from deduce.batch.results import ResultsFile
from deduce.budget import Budget, Meter
from deduce.errors import BadInput, Undecided
from deduce.policy.beam import Beam
from deduce.policy.bounds import NEVER
from deduce.policy.chance import ChanceSolver
from deduce.policy.plan import OBJECTIVES, Plan, measured
from deduce.policy.solver import Solver
from deduce.policy.task import Task, task_of
from deduce.policy.tree import step_of, tree_of
from deduce.text import plural

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge
    from deduce.policy.solver import Secrets

__all__ = ["NoPlan", "best_plan"]

UNLIMITED = Budget(steps=None)

SEARCHED = 0.9
"""The part of the time in which plans are searched; in the rest the best one is put together."""

LARGE = 4
"""How many of the parts of a first question are solved last, each as a task of its own."""


class NoPlan(BadInput):
    """No plan finds every secret within the number of questions."""


@frozen
class Piece:
    """A part of the search: the secrets that one answer to a first question leaves."""

    knowledge: Knowledge
    budget: Budget
    number: int
    question: int
    answer: int
    bound: int
    left: int


def best_plan(
    knowledge: Knowledge,
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
        What the search may spend. When it is used up, the plan is the best that was found, with its
        bound. Its time is that of the whole call, a tenth of it for putting the plan together; its
        steps, each a state, are those of each part of the search.
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
        The budget ran out before any plan was found.

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
    if objective == "chance":
        if within is None:
            raise BadInput("for the highest chance, say within how many questions")
        return _chance(knowledge, within, budget.begun())
    budget = budget.begun()
    search = _Search(knowledge, budget, jobs, scheduler, path, width, progress)
    try:
        if objective == "expected":
            plan = search.plan(objective, within)
        else:
            plan = None
            least = search.least_questions()
            most = len(search.solver.everything()) if within is None else within
            for questions in range(least, most + 1):
                plan = search.plan(objective, questions)
                if plan is not None:
                    break
    finally:
        search.close()
    if plan is None:
        raise NoPlan(f"no plan finds every secret within {plural(within or 0, 'question')}")
    return plan


def _chance(knowledge: Knowledge, within: int, budget: Budget) -> Plan:
    meter = budget.meter()
    solver = ChanceSolver(_task(knowledge, meter), meter)
    _, bound, proved = solver.search(within)
    first = step_of(solver.task, solver.tree(within))
    return measured(
        knowledge,
        first,
        objective="chance",
        within=within,
        bound=bound,
        proved=proved,
        states=solver.states,
    )


def _task(knowledge: Knowledge, meter: Meter) -> Task:
    """Return the task, which takes longer to make than most pieces take to be solved."""
    task = _tasks.pop(knowledge, None) or task_of(knowledge, meter)
    while len(_tasks) >= MAX_TASKS:
        del _tasks[next(iter(_tasks))]
    _tasks[knowledge] = task
    return task


MAX_TASKS = 2
_tasks: dict[Knowledge, Task] = {}
"""The last tasks, the newest at the end."""


def _solve(piece: Piece) -> dict[str, Any]:
    """Return the result of a piece, as a row of a file of results.

    Every piece begins without what others have found, so that the plan is the same however the
    pieces are shared out.
    """
    solver = Solver(_task(piece.knowledge, UNLIMITED.meter()), piece.budget.meter())
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


class _Search:
    """The search for the fewest questions."""

    def __init__(
        self,
        knowledge: Knowledge,
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
        self.task = _task(knowledge, meter)
        self.solver = Solver(self.task, meter)
        """Looks one question ahead, and makes quick plans; pieces have solvers of their own."""
        self.states = 0
        self.interrupted = False
        self.done = self.planned = 0
        self.rows: dict[int, dict[str, Any]] = {}
        self.file: ResultsFile | None = None

    def least_questions(self) -> int:
        """Return a number of questions with less than which no plan can do."""
        size = self.task.table.shape[1]
        questions = 0
        while self.solver.bound_by_size(questions)[size] >= NEVER:
            questions += 1
        return questions

    def plan(self, objective: str, within: int | None) -> Plan | None:
        """Return the best plan; ``None`` if there is none within so few questions."""
        if self.path is not None and self.file is None:
            header = {
                "of": "plan",
                "game": repr(self.knowledge.game),
                "events": list(map(repr, self.knowledge.log)),
                "objective": objective,
                "within": within if objective == "expected" else None,
            } | ({"width": self.width} if self.width else {})
            self.file = ResultsFile(self.path, header)
            self.rows = {row["trial"]: row for row in self.file.rows()}
        return self._plan(objective, within)

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
            return measured(self.knowledge, None, objective=objective, within=within, proved=True)
        if solver.bound_by_size(left)[size] >= NEVER:
            return None
        best = self._begin(everything, left)
        tree = tree_of(solver, everything, left) if best < NEVER else None
        unproved: list[int] = []
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
        bound = min([best, *unproved])
        if best >= NEVER:
            if unproved:
                raise Undecided(f"no plan within {within} questions was found within the budget")
            return None
        return measured(
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

    def _solve_first(self, first: _First, left: int, best: int) -> tuple[int, int, list[Any]]:
        """Return the total of the best plan with a first question, its lower bound, and the plan.

        If the bound is at least ``best``, the total is this bound. The plan is empty then, and
        where the total is `NEVER`.
        """
        solver = self.solver
        after = left - 1 if left > 0 else left
        values = list(first.lows)
        trees: dict[int, Any] = {}
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

    def _results(self, pieces: Sequence[Piece]) -> list[dict[str, Any]]:
        """Return the rows of some pieces, from the file or solved now."""
        rows: dict[int, dict[str, Any]] = {}
        for piece in pieces:
            row = self.rows.get(piece.number)
            if row is not None and row["done"]:
                self._check(piece, row)
                rows[piece.number] = row
        left = [piece for piece in pieces if piece.number not in rows]
        # The largest first, so that no process ends up alone with it.
        try:
            for row in run_all(_solve, left[::-1], jobs=self.jobs, scheduler=self.scheduler):
                rows[row["trial"]] = row
                if self.file is not None and row["done"]:
                    self.file.add(row)
                self.states += row["states"]
                self.done += 1
                if self.progress is not None:
                    self.progress(self.done, self.planned)
        except KeyboardInterrupt:
            self.interrupted = True
        undone = {"value": 0, "done": False, "plan": None}
        return [rows.get(piece.number, undone) for piece in pieces]

    def _check(self, piece: Piece, row: dict[str, Any]) -> None:
        """Refuse a row of another search."""
        wanted = (piece.question, piece.answer, piece.bound, piece.left)
        if wanted != tuple(row.get(name) for name in ("question", "answer", "bound", "left")):
            raise BadInput("the file has the parts of another search", source=str(self.path))


@frozen
class _First:
    """A first question: its parts by answer, the smallest first, and their lower bounds."""

    question: int
    parts: Sequence[tuple[int, Secrets]]
    lows: Sequence[int]
