"""The best plan by branch and bound over sets of secrets.

A state is the set of secrets that are still possible. A question splits it; its cost is one for
each secret of the set, plus the costs of its parts. Each part is bounded from below by its size
(`fewest`), then by the best question that this bound allows, and only if that does
not exceed the best plan so far is it solved. Where all parts have at most two secrets the bound is
exact. Values, bounds and best questions are kept in a table of states. Questions that are alike
after those that were asked, and questions that split a state in the same way, are examined once.

Source: Knuth, *The computer as master mind* (1977), for the splitting; Koyama and Lai, *An optimal
Mastermind strategy* (1993), for the search over the whole tree, which first gave 5625.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from deduce.budget import Meter
from deduce.policy.task import Task

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]
    Secrets: TypeAlias = NDArray[np.unsignedinteger[Any]]

__all__ = ["NEVER", "QuestionBounds", "Solver", "capacity", "fewest"]

NEVER = 1 << 40
"""The number of questions of what cannot be done; sums of some stay below 2**63."""


def capacity(answers: int, questions: int, *, final: bool, most: int) -> int:
    """Return how many secrets can be found within a number of questions, up to ``most``.

    >>> capacity(14, 2, final=True, most=1296), capacity(2, 5, final=False, most=1296)
    (14, 32)
    """
    found = 0 if final else 1
    new = 1
    for _ in range(questions):
        before = found
        found = found + new if final else found * answers
        if found >= most or found == before:
            break
        new *= answers - 1
    return min(found, most)


def fewest(secrets: int, answers: int, questions: int | None, *, final: bool) -> NDArray[np.int64]:
    """Return for each number of secrets, from 0 on, the least total of questions.

    Parameters
    ----------
    secrets
        The greatest number.
    answers
        How many answers a question may have.
    questions
        How many questions may be asked; ``None``: any number.
    final
        Whether one of the answers ends the game.

    Notes
    -----
    With ``k`` answers a plan is a tree in which a node has at most ``k`` branches. Where one answer
    ends the game, each question finds one secret itself and the other ``k - 1`` answers lead on:
    the secrets are the nodes of the tree. Otherwise they are its leaves, and the least sum of their
    depths is that of a Huffman tree (Huffman, *A method for the construction of minimum-redundancy
    codes*, 1952).

    Examples
    --------
    >>> fewest(5, 14, None, final=True).tolist(), fewest(5, 2, None, final=False).tolist()
    ([0, 1, 3, 5, 7, 9], [0, 0, 2, 5, 8, 12])
    """
    import numpy as np

    totals = np.zeros(secrets + 1, dtype=np.int64)
    depth, room = (1, 1) if final else (0, 1)
    for number in range(1, secrets + 1):
        if final:
            if room == 0:
                depth += 1
                room = (answers - 1) ** (depth - 1)
            totals[number] = totals[number - 1] + depth
            room -= 1
        else:
            while answers ** (depth + 1) <= number and answers > 1:
                depth += 1
            inner = -(-(number - answers**depth) // max(1, answers - 1))
            totals[number] = number * depth + number - answers**depth + inner
    if questions is not None:
        totals[capacity(answers, questions, final=final, most=secrets) + 1 :] = NEVER
    return totals


Key: TypeAlias = tuple[int, bytes]
"""The number of questions left (-1: any number), and the secrets."""

MAX_ASKED = 2
"""After more questions than this, almost no other questions are alike."""

MIN_ALIKE = 20
"""Sets of fewer secrets are solved faster than the questions that are alike are found."""

MIN_ALIKE_QUICKLY = 2000
"""The same where questions are rated, but not searched."""

MAX_SPLITS = 120
"""In larger sets, questions that split them in the same way are not looked for: there are few."""

BY_BOUND = 40
"""Up to this number of secrets a quick plan goes by bounds, with more by what is left open."""

RIGHT = 1.5
"""By how much a question that may be right at once is better, in the unit of `Solver.left_open`."""

MAX_QUICK = 2
"""How many questions more a quick plan tries where the first leaves too much for those left."""


@frozen(eq=False)
class QuestionBounds:
    """What is known of questions about a state before any is searched."""

    questions: Ints | None
    """Their numbers; ``None``: all questions, in order."""
    counts: Ints
    """For each of them, how many secrets give each answer."""
    bounds: Ints
    """For each of them a lower bound of the total of the state."""
    largest: Ints
    """The size of the largest part that goes on."""

    def question(self, index: int) -> int:
        """Return the number of the question at an index."""
        return index if self.questions is None else int(self.questions[index])


class Solver:
    """Finds the fewest questions for sets of secrets of a task.

    Parameters
    ----------
    task
        The task.
    meter
        What the search may spend: a step is one state.
    """

    def __init__(self, task: Task, meter: Meter) -> None:
        import numpy as np

        self.np = np
        self.task = task
        self.meter = meter
        self.table = task.table
        self.count, self.size = task.table.shape
        self.kinds = len(task.answers)
        self.final = -1 if task.final is None else task.final
        self.has_final = task.final is not None
        self._fewest: dict[int, Ints] = {}
        self._alike = task.alike_after()
        self._representatives: dict[tuple[int, ...], Ints] = {}
        self.values: dict[Key, tuple[int, int]] = {}
        """The exact total of a state, and the best first question."""
        self.low: dict[Key, int] = {}
        """A lower bound of the total of a state."""
        self.found: dict[Key, tuple[int, int]] = {}
        """The total of a state by the quick plan, and its first question."""
        self.states = 0

    @cached_property
    def _rows(self) -> Ints:
        """The table, with numbers of answers that are different in each row."""
        np = self.np
        shift = np.arange(self.count, dtype=np.int32) * np.int32(self.kinds)
        rows: Ints = self.table + shift[:, None]
        return rows

    def step(self) -> None:
        """Count a state, which takes so long that the clock is looked at for each."""
        self.meter.spend()
        self.meter.check()

    def everything(self) -> Secrets:
        """Return the set of all secrets."""
        return self.np.arange(self.size, dtype=self.np.min_scalar_type(self.size))

    def bound_by_size(self, left: int) -> Ints:
        """Return the least total for each number of secrets with this many questions left."""
        if left not in self._fewest:
            self._fewest[left] = fewest(
                self.size, self.kinds, None if left < 0 else left, final=self.has_final
            )
        return self._fewest[left]

    def representatives(self, asked: tuple[int, ...]) -> Ints | None:
        """Return one of each questions that are alike after others, or ``None``: all differ."""
        if self._alike is None or len(asked) > MAX_ASKED:
            return None
        if asked not in self._representatives:
            _, first = self.np.unique(self._alike(asked), return_index=True)
            self._representatives[asked] = self.np.sort(first)
        return self._representatives[asked]

    def parts(self, question: int, secrets: Secrets) -> list[tuple[int, Secrets]]:
        """Return the answers to a question, and the secrets of each; not the final answer."""
        np = self.np
        answers = self.table[question, secrets]
        order = np.argsort(answers, kind="stable")
        cuts = np.flatnonzero(np.diff(answers[order])) + 1
        split = np.split(secrets[order], cuts)
        named = [(int(self.table[question, part[0]]), part) for part in split]
        return [(answer, part) for answer, part in named if answer != self.final]

    def _counts(self, secrets: Secrets, questions: Ints | None) -> Ints:
        np = self.np
        if questions is None:
            rows, count = self._rows[:, secrets], self.count
        else:
            count = len(questions)
            shift = ((questions - np.arange(count)) * self.kinds)[:, None]
            rows = self._rows[np.ix_(questions, secrets)] - shift
        counted = np.bincount(np.asarray(rows.ravel(), np.intp), minlength=count * self.kinds)
        counts: Ints = counted.reshape(count, self.kinds)
        return counts

    def _bounds(self, counts: Ints, size: int, left: int) -> tuple[Ints, Ints]:
        """Return for each question a lower bound, and the size of the largest part that goes on."""
        after = self.bound_by_size(left - 1 if left > 0 else left)
        totals = after[counts]
        bounds = size + totals.sum(axis=1)
        if self.has_final:
            bounds -= totals[:, self.final]
            counts = counts.copy()
            counts[:, self.final] = 0
        largest = counts.max(axis=1)
        bounds[largest == size] = NEVER  # asking it does not help
        return bounds, largest

    def rated(self, secrets: Secrets, left: int, asked: tuple[int, ...] | None) -> QuestionBounds:
        """Return bounds for the questions about a state, of questions that are alike for one.

        ``asked=None``: for all questions.
        """
        is_one_enough = asked is not None and len(secrets) >= MIN_ALIKE
        questions = self.representatives(asked or ()) if is_one_enough else None
        counts = self._counts(secrets, questions)
        return QuestionBounds(questions, counts, *self._bounds(counts, len(secrets), left))

    def quick(self, secrets: Secrets, left: int) -> int:
        """Return a lower bound of the total of a state by looking one question ahead.

        Raises
        ------
        Undecided
            The budget ran out.
        """
        size = len(secrets)
        if size <= 2:
            return int(self.bound_by_size(left)[size])
        key = (left, secrets.tobytes())
        known = self.values.get(key)
        if known is not None:
            return known[0]
        low = self.low.get(key)
        if low is not None:
            return low
        self.meter.check()
        bounds, largest = self._bounds(self._counts(secrets, None), size, left)
        best = int(bounds.argmin())
        low = int(bounds[best])
        exact = self.np.flatnonzero((largest <= 2) & (bounds == low))
        if len(exact):
            self.values[key] = low, int(exact[0])
        else:
            self.low[key] = low
        return low

    def known_bound(self, secrets: Secrets, left: int) -> int:
        """Return the lower bound of the total of a state that is known without more work."""
        key = (left, secrets.tobytes())
        known = self.values.get(key)
        by_size = int(self.bound_by_size(left)[len(secrets)])
        return known[0] if known is not None else max(by_size, self.low.get(key, 0))

    def bound_ahead(self, secrets: Secrets, left: int, asked: tuple[int, ...]) -> int:
        """Return a lower bound by looking two questions ahead, and remember it.

        It is greater than that of `quick`, and takes about a second for a thousand secrets and five
        thousand questions.

        Raises
        ------
        Undecided
            The budget ran out.
        """
        low = self.quick(secrets, left)
        key = (left, secrets.tobytes())
        if key in self.values:
            return low
        rated = self.rated(secrets, left, asked)
        after = left - 1 if left > 0 else left
        best = NEVER
        for i in self.np.argsort(rated.bounds, kind="stable").tolist():
            if rated.bounds[i] >= best:
                break
            self.step()
            total = len(secrets)
            for _, part in self.parts(rated.question(i), secrets):
                total += self.quick(part, after)
                if total >= best:
                    break
            best = min(best, total)
        self.low[key] = max(low, best)
        return self.low[key]

    def solve(self, secrets: Secrets, bound: int, asked: tuple[int, ...], left: int) -> int:
        """Return the least total of a state if it is below a bound, else a bound not below it.

        Parameters
        ----------
        secrets
            The state, in ascending order.
        bound
            Totals from here on are not of interest.
        asked
            The questions that led here, as far as they matter for what is alike.
        left
            How many questions may be asked; -1: any number.

        Raises
        ------
        Undecided
            The budget ran out.
        """
        np = self.np
        size = len(secrets)
        if size <= 2:
            return int(self.bound_by_size(left)[size])
        key = (left, secrets.tobytes())
        known = self.values.get(key)
        if known is not None:
            return known[0]
        low = self.low.get(key, 0)
        if low >= bound:
            return low
        self.states += 1
        self.step()
        rated = self.rated(secrets, left, asked)
        bounds, largest = rated.bounds, rated.largest
        least = int(bounds.min())
        if least >= bound:
            self.low[key] = max(low, least)
            return self.low[key]
        exact = np.flatnonzero(largest <= 2)
        best, choice = NEVER, -1
        if len(exact):
            i = int(exact[bounds[exact].argmin()])
            best, choice = int(bounds[i]), rated.question(i)
        if best > least:
            order = np.argsort(bounds, kind="stable")
            order = order[(bounds[order] < min(best, bound)) & (largest[order] > 2)]
            seen: set[bytes] = set()
            for i in order.tolist():
                limit = min(best, bound)
                if bounds[i] >= limit:
                    break
                question = rated.question(i)
                if size <= MAX_SPLITS and self._is_repeated(question, secrets, seen):
                    continue
                total = self._total(question, secrets, limit, asked, left)
                if total < limit:
                    best, choice = total, question
        if best < bound:
            self.values[key] = best, choice
            return best
        self.low[key] = max(low, bound)
        return self.low[key]

    def _is_repeated(self, question: int, secrets: Secrets, seen: set[bytes]) -> bool:
        """Return whether another question has split the secrets in the same way; remember it."""
        answers = self.table[question, secrets]
        _, first, inverse = self.np.unique(answers, return_index=True, return_inverse=True)
        split = first[inverse].astype(self.np.int16)
        split[answers == self.final] = -1
        signature = split.tobytes()
        if signature in seen:
            return True
        seen.add(signature)
        return False

    def _total(
        self, question: int, secrets: Secrets, limit: int, asked: tuple[int, ...], left: int
    ) -> int:
        """Return the total of a question if it is below a limit, else something not below it."""
        after = left - 1 if left > 0 else left
        by_size = self.bound_by_size(after)
        total = len(secrets)
        open_: list[tuple[Secrets, int]] = []
        for _, part in self.parts(question, secrets):
            size = len(part)
            if size <= 2:
                total += int(by_size[size])
                continue
            key = (after, part.tobytes())
            known = self.values.get(key)
            if known is not None:
                total += known[0]
            else:
                open_.append((part, max(self.low.get(key, 0), int(by_size[size]))))
        open_.sort(key=lambda pair: len(pair[0]))
        rest = sum(low for _, low in open_)
        better = []
        for part, low in open_:
            if total + rest >= limit:
                return limit
            quick = max(low, self.quick(part, after))
            rest += quick - low
            better.append((part, quick))
        so_far = (*asked, question)
        for part, low in better:
            if total + rest >= limit:
                return limit
            rest -= low
            total += self.solve(part, limit - total - rest, so_far, after)
        return total

    # A plan without search

    def plan_quickly(self, secrets: Secrets, left: int, asked: tuple[int, ...] = ()) -> int:
        """Return the total of a state by the question with the least bound at every step.

        `NEVER` if these questions do not find every secret.

        Raises
        ------
        Undecided
            The budget ran out.
        """
        size = len(secrets)
        if size <= 2:
            return int(self.bound_by_size(left)[size])
        key = (left, secrets.tobytes())
        known = self.values.get(key) or self.found.get(key)
        if known is not None:
            return known[0]
        self.step()
        alike = asked if size >= MIN_ALIKE_QUICKLY else None
        rated = self._right_at_once(secrets, left) or self.rated(secrets, left, alike)
        best, choice = NEVER, int(rated.bounds.argmin())
        for i in self._quick_choices(rated, len(secrets), left):
            total = self._quick_total(rated.question(i), secrets, left, asked)
            if total < NEVER:
                best, choice = total, i
                break
        self.found[key] = best, rated.question(choice)
        return best

    def _right_at_once(self, secrets: Secrets, left: int) -> QuestionBounds | None:
        """Return bounds for the questions that may be right, if one of them cannot be bettered."""
        if not self.has_final or len(secrets) > self.kinds:
            return None
        questions = self._right[secrets]
        counts = self._counts(secrets, questions)
        rated = QuestionBounds(questions, counts, *self._bounds(counts, len(secrets), left))
        least = self.bound_by_size(left)[len(secrets)]
        return rated if rated.bounds.min() == least else None

    @cached_property
    def _right(self) -> Ints:
        """For each secret a question that ends the game."""
        right: Ints = (self.table == self.final).argmax(axis=0)
        return right

    def left_open(self, rated: QuestionBounds) -> Floats:
        """Return for each question how much its answer leaves open: the least, the better.

        That is the sum of ``n log(n)`` over its answers, less `RIGHT` if it may be right at once. A
        question that does not help leaves open more than any other.
        """
        np, counts = self.np, rated.counts
        open_ = (counts * np.log(np.maximum(counts, 1))).sum(axis=1)
        if self.has_final:
            open_ -= RIGHT * counts[:, self.final]
        open_[rated.bounds >= NEVER] = np.inf
        numbers: Floats = open_
        return numbers

    def _quick_choices(self, rated: QuestionBounds, size: int, left: int) -> list[int]:
        """Return the questions that a quick plan tries until one leads to all secrets."""
        np, bounds, open_ = self.np, rated.bounds, self.left_open(rated)
        keys = (open_, bounds) if size <= BY_BOUND else (bounds, open_)
        choices = [int(np.lexsort(keys)[0])]
        if left > 0:  # where few questions are left, the largest part decides
            choices += np.lexsort((bounds, rated.largest))[:MAX_QUICK].tolist()
        return [i for i in dict.fromkeys(choices) if bounds[i] < NEVER]

    def _quick_total(
        self, question: int, secrets: Secrets, left: int, asked: tuple[int, ...]
    ) -> int:
        """Return the total of a question by quick plans; `NEVER` if a part has none."""
        after = left - 1 if left > 0 else left
        total = len(secrets)
        for _, part in sorted(self.parts(question, secrets), key=lambda pair: -len(pair[1])):
            total += self.plan_quickly(part, after, (*asked, question))
            if total >= NEVER:
                return NEVER
        return total

    def has_plan(self, secrets: Secrets, left: int) -> bool:
        """Return whether a plan for a state was found: `plan_quickly` then takes no time."""
        key = (left, secrets.tobytes())
        return len(secrets) <= 2 or key in self.values or key in self.found

    def question_for(self, secrets: Secrets, left: int) -> int:
        """Return the question of the best plan that was found for a state of two or more."""
        key = (left, secrets.tobytes())
        for known in (self.values.get(key), self.found.get(key)):
            if known is not None:
                return known[1]
        np = self.np
        if len(secrets) == 1 and self.has_final:
            return int((self.table[:, secrets[0]] == self.final).argmax())
        bounds, _ = self._bounds(self._counts(secrets, None), len(secrets), left)
        best = np.flatnonzero(bounds == bounds.min())
        return int(best[0])
