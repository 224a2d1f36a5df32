"""The highest chance of finding the secret within a number of questions, by branch and bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deduce.budget import Meter
from deduce.errors import Undecided
from deduce.policy.bounds import capacity
from deduce.policy.solver import MIN_ALIKE, Solver
from deduce.policy.task import Task

if TYPE_CHECKING:
    from deduce.policy.solver import Secrets

__all__ = ["ChanceSolver"]


class ChanceSolver(Solver):
    """Finds how many secrets can be found within a number of questions.

    A part of a state counts at most as many secrets as it has, and as a tree of questions of this
    depth can hold; where that is exact for all parts of a question, it needs no search.
    """

    def __init__(self, task: Task, meter: Meter) -> None:
        super().__init__(task, meter)
        self.most: dict[tuple[int, bytes], tuple[int, int, bool]] = {}
        """The number found, the first question (-1: none helps), and whether it is proved."""

    def room(self, left: int) -> int:
        """Return the most secrets that can be found with this many questions left."""
        return capacity(self.kinds, left, final=self.has_final, most=self.size)

    def search(self, left: int) -> tuple[int, int, bool]:
        """Return how many secrets a plan finds, how many a plan can find at most, and the proof."""
        everything = self.everything()
        bound = self.room(left)
        try:
            found = self.find(everything, left, ())
            return found, found, True
        except Undecided:
            known = self.most.get((left, everything.tobytes()))
            if known is None:
                raise
            return known[0], bound, False

    def find(self, secrets: Secrets, left: int, asked: tuple[int, ...]) -> int:
        """Return how many of the secrets can be found with this many questions left."""
        size = len(secrets)
        if size == 0:
            return 0
        if left == 0:
            return int(size == 1 and not self.has_final)
        if size == 1 or (left == 1 and self.has_final):
            return 1
        key = (left, secrets.tobytes())
        known = self.most.get(key)
        if known is not None and known[2]:
            return known[0]
        self.states += 1
        self.step()
        np = self.np
        questions = self.representatives(asked) if size >= MIN_ALIKE else None
        counts = self._counts(secrets, questions)
        room = self.room(left - 1)
        inside = np.minimum(counts, room)
        if self.has_final:
            inside[:, self.final] = counts[:, self.final]
        elif left == 1:
            inside = (counts == 1).astype(counts.dtype)
        bounds = inside.sum(axis=1)
        bounds[counts.max(axis=1) == size] = 0  # asking it does not help
        order = np.argsort(-bounds, kind="stable")
        best, choice = 0, -1
        for i in order.tolist():
            if bounds[i] <= best:
                break
            question = i if questions is None else int(questions[i])
            found = int(counts[i, self.final]) if self.has_final else 0
            rest = int(bounds[i]) - found
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

    def tree(self, left: int) -> list[Any] | None:
        """Return the plan that was found, as `deduce.policy.best` makes trees."""
        return self._grow(self.everything(), left)

    def _grow(self, secrets: Secrets, left: int) -> list[Any] | None:
        if left == 0 or (len(secrets) == 1 and not self.has_final):
            return None
        known = self.most.get((left, secrets.tobytes()))
        if known is not None:
            question = known[1]
            if question < 0:
                return None
        else:  # one secret, or the last question: one that may end the game
            question = self.question_for(secrets[:1], left)
        branches = []
        for answer, part in self.parts(question, secrets):
            tree = self._grow(part, left - 1)
            if tree is not None:
                branches.append([answer, tree])
        return [question, branches]
