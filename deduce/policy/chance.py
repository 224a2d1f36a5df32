"""The highest chance of finding the secret within a number of questions, by branch and bound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from deduce.budget import Meter
from deduce.errors import Undecided
from deduce.policy.bounds import capacity
from deduce.policy.solver import MIN_ALIKE, Rated, Solver
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

    def _rated(self, secrets: Secrets, left: int, asked: tuple[int, ...]) -> Rated:
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
        return Rated(questions, counts, bounds, largest)

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
