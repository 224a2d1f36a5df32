"""The best plan of a game: for each objective, what is proved, or the best that was found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from deduce.budget import Budget, Meter
from deduce.errors import BadInput, Interrupted, Undecided
from deduce.game import HiddenGame, Rated, hook
from deduce.policy.first_questions import (
    UNLIMITED,
    FirstQuestions,
    remembered_task,
    step_of,
    tree_of,
)
from deduce.policy.inquiries import Inquiry, answers_to, ends, inquiries_of
from deduce.policy.plan import OBJECTIVES, Plan, Step, plan_from
from deduce.policy.solver import (
    MAX_ASKED,
    MIN_ALIKE,
    MIN_ALIKE_QUICKLY,
    QuestionBounds,
    Solver,
    capacity,
    fewest,
)
from deduce.policy.task import (
    MAX_ENTRIES,
    Task,
    check_distinct,
    check_plain,
    ending,
    entries_of,
    tabulate,
)
from deduce.problem import World
from deduce.system.text import plural

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.policy.inquiries import Answer
    from deduce.reasoning.queries import Queries
if TYPE_CHECKING:
    from deduce.policy.solver import Secrets
    from deduce.reasoning.queries import Queries

__all__ = ["ChanceSolver", "NoPlan", "best_plan"]


AT_ONCE = 8_000_000
"""Up to this number of answers the rest of a plan is made from one table."""


def one_step_plan(knowledge: Queries, budget: Budget) -> Plan:
    """Return a plan of the questions that leave the least uncertainty, which is not proved.

    For games with too many answers for a search: they are tabulated for the secrets of one state
    after the other, never all of them, and it is not searched whether another question is better.

    Source: Neuwirth, *Some strategies for Mastermind* (1982), for the entropy of the answers.

    Parameters
    ----------
    knowledge
        What is known at the beginning; see `deduce.policy.task.task_of`.
    budget
        Its time is that of the whole call; steps are not limited.

    Raises
    ------
    Unsupported, BadInput
        As `deduce.policy.task.task_of`, but for the number of answers.
    Undecided
        The time is used up.

    Notes
    -----
    Cost: an answer of every question for every secret, times the number of questions that the plan
    asks; three minutes of CPU time for 32,768 secrets and as many questions. The memory does not
    grow with the number of questions times that of secrets.
    """
    check_plain(knowledge)
    meter = evolve(budget, steps=None).meter()
    steps = _Steps(knowledge.game, inquiries_of(knowledge, every=True), meter)
    first = steps.step(tuple(knowledge.worlds()), ())
    return plan_from(knowledge, first, bound=steps.bound)


class _Steps:
    def __init__(self, game: HiddenGame, inquiries: Sequence[Inquiry], meter: Meter) -> None:
        import numpy as np

        self.np = np
        self.game, self.inquiries, self.meter = game, inquiries, meter
        self.bound = 0
        """No plan for the first secrets asked about has a smaller total."""
        self._ending: dict[tuple[Answer, ...], NDArray[np.bool_]] = {}

    def step(self, worlds: Sequence[World], asked: tuple[int, ...]) -> Step | None:
        """Return the plan for some secrets after the questions that were asked."""
        game, inquiries = self.game, self.inquiries
        if len(worlds) == 1 or len(worlds) * len(inquiries) <= AT_ONCE:
            task = self._tabulated(range(len(inquiries)), worlds)
            check_distinct(task.table, task.final)
            solver = Solver(task, self.meter)
            everything = solver.everything()
            solver.plan_quickly(everything, -1, asked)
            return step_of(task, tree_of(solver, everything, -1))
        question = self._best(worlds, asked)
        parts: dict[Answer, list[World]] = {}
        for world in worlds:
            self.meter.spend()
            [(answer, _)] = answers_to(game, inquiries[question], world)
            parts.setdefault(answer, []).append(world)
        after = {
            answer: self.step(part, (*asked, question))
            for answer, part in parts.items()
            if not ends(game, inquiries[question], answer)
        }
        return Step(inquiries[question], {a: step for a, step in after.items() if step})

    def _best(self, worlds: Sequence[World], asked: tuple[int, ...]) -> int:
        """Return the question that leaves the least open, of those that are alike for one."""
        best, least, kinds, final = -1, inf, 0, False
        candidates = self._different(len(worlds), asked)
        size = max(1, AT_ONCE // len(worlds))
        for begin in range(0, len(candidates), size):
            numbers = candidates[begin : begin + size]
            task = self._tabulated(numbers, worlds)
            solver = Solver(task, self.meter)
            open_ = solver.left_open(solver.rated(solver.everything(), -1, None))
            kinds, final = max(kinds, solver.kinds), final or solver.has_final
            if open_.min() < least:
                best, least = numbers[int(open_.argmin())], float(open_.min())
        if best < 0:
            raise BadInput("some worlds get the same answers to all questions: no plan finds them")
        if not asked:
            self.bound = int(fewest(len(worlds), kinds, None, final=final)[-1])
        return best

    def _tabulated(self, numbers: Sequence[int], worlds: Sequence[World]) -> Task:
        """Return the answers to some questions; which of them end the game is remembered."""

        def ends_of(answers: Sequence[Answer]) -> NDArray[np.bool_]:
            key = tuple(answers)
            if key not in self._ending:
                self._ending[key] = ending(self.game, self.inquiries, key)
            return self._ending[key][numbers]

        asked = [self.inquiries[i] for i in numbers]
        return tabulate(self.game, asked, worlds, self.meter, ends_of)

    def _different(self, size: int, asked: tuple[int, ...]) -> list[int]:
        """Return the questions that are not alike, or all, which takes less time for few worlds."""
        alike = hook(self.game, Rated.alike_after)
        if alike is None or len(asked) > MAX_ASKED or size < MIN_ALIKE_QUICKLY:
            return list(range(len(self.inquiries)))
        numbers = alike([self.inquiries[i] for i in asked], self.inquiries)
        found: list[int] = sorted(self.np.unique(numbers, return_index=True)[1].tolist())
        return found


class ChanceSolver(Solver):
    """Finds how many secrets can be found within a number of questions.

    A part of a state counts at most as many secrets as it has, and as a tree of questions of this
    depth can hold; where that is exact for all parts of a question, it needs no search.
    """

    def __init__(self, task: Task, meter: Meter) -> None:
        super().__init__(task, meter)
        self.most: dict[tuple[int, bytes], tuple[int, int, bool]] = {}
        """The number found, the first question (-1: none helps), and whether it is proved."""
        self.interrupted = False

    def room(self, left: int) -> int:
        """Return the most secrets that can be found with this many questions left."""
        return capacity(self.kinds, left, final=self.has_final, most=self.size)

    def search(self, left: int, meter: Meter) -> tuple[int, bool]:
        """Return how many secrets a plan can find at most, and whether one is known that does.

        The search itself is held to a meter of its own; the quick plan before it is not.

        Raises
        ------
        Undecided
            The budget ran out before any plan was found.
        """
        everything = self.everything()
        quick = self.find_quickly(everything, left, ())
        bound = min(len(everything), self.room(left))
        self.meter = meter
        try:
            bound = self.find(everything, left, ())
        except KeyboardInterrupt:
            self.interrupted = True
        except Undecided:
            pass  # the best plan so far is in ``most``
        known = self.most.get((left, everything.tobytes()))
        return bound, bound == (quick if known is None else known[0])

    def find_quickly(self, secrets: Secrets, left: int, asked: tuple[int, ...]) -> int:
        """Return how many secrets the most promising question finds at every step.

        Raises
        ------
        Undecided
            The budget ran out.
        """
        known = self._simple(len(secrets), left)
        if known is not None:
            return known
        self.step()
        rated = self._rated(secrets, left, asked)
        best = int(rated.bounds.argmax())
        found, question = 0, -1
        if rated.bounds[best] > 0:
            question = rated.question(best)
            found = int(rated.counts[best, self.final]) if self.has_final else 0
            for _, part in self.parts(question, secrets):
                found += self.find_quickly(part, left - 1, (*asked, question))
        self.most[left, secrets.tobytes()] = found, question, False
        return found

    def find(self, secrets: Secrets, left: int, asked: tuple[int, ...]) -> int:
        """Return how many of the secrets can be found with this many questions left.

        Raises
        ------
        Undecided
            The budget ran out; the best so far is in ``most``.
        """
        simple = self._simple(len(secrets), left)
        if simple is not None:
            return simple
        key = (left, secrets.tobytes())
        best, choice, proved = self.most.get(key, (0, -1, False))
        if proved:
            return best
        self.states += 1
        self.step()
        rated = self._rated(secrets, left, asked)
        room = self.room(left - 1)
        for i in self.np.argsort(-rated.bounds, kind="stable").tolist():
            if rated.bounds[i] <= best:
                break
            question = rated.question(i)
            found = int(rated.counts[i, self.final]) if self.has_final else 0
            rest = int(rated.bounds[i]) - found
            for _, part in sorted(self.parts(question, secrets), key=lambda pair: len(pair[1])):
                rest -= min(len(part), room) if self.has_final or left > 1 else int(len(part) == 1)
                found += self.find(part, left - 1, (*asked, question))
                if found + rest <= best:
                    break
            if found > best:
                best, choice = found, question
                self.most[key] = best, choice, False
        self.most[key] = best, choice, True
        return best

    def _simple(self, size: int, left: int) -> int | None:
        """Return how many secrets are found where that needs no search, else ``None``."""
        if size == 0:
            return 0
        if left == 0:
            return int(size == 1 and not self.has_final)
        return 1 if size == 1 or (left == 1 and self.has_final) else None

    def _rated(self, secrets: Secrets, left: int, asked: tuple[int, ...]) -> QuestionBounds:
        """Return for each question how many secrets it can find at most, its bound."""
        np = self.np
        questions = self.representatives(asked) if len(secrets) >= MIN_ALIKE else None
        counts = self._counts(secrets, questions)
        inside = np.minimum(counts, self.room(left - 1))
        if self.has_final:
            inside[:, self.final] = counts[:, self.final]
        elif left == 1:
            inside = (counts == 1).astype(counts.dtype)
        bounds, largest = inside.sum(axis=1), counts.max(axis=1)
        bounds[largest == len(secrets)] = 0  # asking it does not help
        return QuestionBounds(questions, counts, bounds, largest)

    def question_for(self, secrets: Secrets, left: int) -> int:
        """Return the question that was found for a state; -1: there is none."""
        if left == 0:
            return -1
        known = self.most.get((left, secrets.tobytes()))
        if known is not None:
            return known[1]
        # One secret, or the last question: one that may end the game.
        return super().question_for(secrets[:1], left)


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

    Where secrets times questions exceed `deduce.policy.task.MAX_ENTRIES`, the plan for
    ``"expected"`` looks one question ahead and is not proved (`one_step_plan`); other
    objectives and options are refused there.

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
        Begin with a good plan by a beam of this width (`deduce.policy.first_questions.Beam`), which
        gets up to half of the time; 0: with a quick one. It helps where the best plan takes too
        long; not for ``"chance"``.
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
        raise BadInput(f"the objective must be one of {', '.join(OBJECTIVES)}, not {objective!r}")
    if within is not None and (type(within) is not int or within < 0):
        raise BadInput(f"the number of questions is 0 or more, not {within!r}")
    if type(width) is not int or width < 0:
        raise BadInput(f"the width of a beam is 0 or more, not {width!r}")
    if objective == "chance" and within is None:
        raise BadInput("the objective 'chance' needs a number of questions (within)")
    budget = budget.begun()
    try:
        if objective == "expected" and (within, path, width) == (None, None, 0):
            check_plain(knowledge)
            if entries_of(knowledge) > MAX_ENTRIES:
                return one_step_plan(knowledge, budget)
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
    first = step_of(solver.task, tree_of(solver, solver.everything(), within))
    return plan_from(
        knowledge,
        first,
        objective="chance",
        within=within,
        bound=bound,
        proved=proved,
        states=solver.states,
        interrupted=solver.interrupted,
    )
