"""A plan that looks one question ahead, for games with too many answers for a search.

The answers are tabulated for the secrets of one state after the other, never all of them. At each
state the plan asks what leaves the least uncertainty (`deduce.policy.solver.Solver.left_open`); it
is not searched whether another question is better.

Source: Neuwirth, *Some strategies for Mastermind* (1982), for the entropy of the answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING

from attrs import evolve

from deduce.budget import Budget, Meter
from deduce.errors import BadInput
from deduce.game import HiddenGame, Rated, hook
from deduce.policy.first_questions import step_of, tree_of
from deduce.policy.inquiries import Inquiry, answers_to, ends, inquiries_of
from deduce.policy.plan import Plan, Step, measured
from deduce.policy.solver import MAX_ASKED, MIN_ALIKE_QUICKLY, Solver, fewest
from deduce.policy.task import Task, check_distinct, check_plain, ending, tabulate
from deduce.problem import World

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.policy.inquiries import Answer
    from deduce.reasoning.queries import Queries

__all__ = ["one_step_plan"]

AT_ONCE = 8_000_000
"""Up to this number of answers the rest of a plan is made from one table."""


def one_step_plan(knowledge: Queries, budget: Budget) -> Plan:
    """Return a plan of the questions that leave the least uncertainty, which is not proved.

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
    return measured(knowledge, first, bound=steps.bound)


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
