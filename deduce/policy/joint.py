"""Rating a question by a joint distribution of what is asked about and what the answer reads.

Where the answers are facts, one posterior rates all questions (`Marginals`).

Variables that no constraint distinguishes are `interchangeable`: one is as good as the other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import repeat
from math import log2, prod
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field, frozen

from deduce.constraints import (
    Constraint,
    Count,
    Difference,
    Disjoint,
    Fact,
    Logic,
    Number,
    Sum,
    Value,
    Variable,
    Weigh,
    Where,
    variables_of,
)
from deduce.errors import BadInput, Undecided
from deduce.game import Shown, hook
from deduce.policy.advice import TIE, UNKNOWN, Unknown
from deduce.policy.inquiries import Answer, Inquiry, answers_to, reads_of, variables_read
from deduce.policy.rating import NOISE, Cell, Given, Left, OneByOne, Rating, entropy, rate_cells
from deduce.problem import Problem
from deduce.reasoning.queries import measure

if TYPE_CHECKING:
    from deduce.reasoning.queries import Asker, Queries

__all__ = ["JointDistributions", "Marginals", "Target", "interchangeable", "targets_of"]


def interchangeable(
    knowledge: Queries,
    *,
    weighted: bool = True,
    targets: Sequence[Mapping[object, Sequence[Fact]]] = (),
    possible: Mapping[Variable, frozenset[Value]] | None = None,
) -> Mapping[Variable, int]:
    """Return a number for each variable; two variables with the same number can be exchanged.

    Exchanging two such variables in all worlds leaves the set of the worlds as it is, and
    (``weighted``) their weights, and only renames the answers of the targets. Variables for which
    that is not obvious have different numbers.

    Parameters
    ----------
    knowledge
        The worlds.
    weighted
        Whether the weights of the worlds count.
    targets
        Questions as mappings from answers to facts.
    possible
        At least the possible values of each variable; left out: `Knowledge.possible`. With more
        than these, fewer variables may be seen to be interchangeable.

    Notes
    -----
    A constraint that is already settled by what is possible adds nothing, and is ignored. Two
    variables are interchangeable when the same values are possible for both and every other
    constraint treats both alike. The cost is that of `Knowledge.possible` and one pass over all
    constraints.

    Examples
    --------
    >>> from deduce import Knowledge, permutation
    >>> guests = Knowledge(permutation(["Ann", "Ben", "Cid"])).assume("Ann!=Ann")
    >>> numbers = interchangeable(guests)
    >>> numbers["Ben"] == numbers["Cid"], numbers["Ann"] == numbers["Ben"]
    (True, False)
    """
    possible = knowledge.possible() if possible is None else possible
    roles: dict[Hashable, list[Hashable]] = {variable: [] for variable in possible}
    """What each variable does in which constraint."""
    for number, constraint in enumerate(knowledge.problem.constraints()):
        if isinstance(constraint, Where | Logic | Difference | Disjoint):
            for position, variable in enumerate(variables_of(constraint)):
                roles[variable].append((number, position))
        elif isinstance(constraint, Sum):
            for fact, amount in constraint.terms:
                fitting = knowledge.problem.values_of(fact) & possible[fact.variable]
                roles[fact.variable].append((number, amount, fitting))
        elif isinstance(constraint, Count) or (
            isinstance(constraint, Weigh) and (weighted or not all(constraint.weights))
        ):
            open_ = []
            sure = most = 0
            steps = constraint.steps if isinstance(constraint, Weigh) else repeat(1)
            for fact, step in zip(constraint.facts, steps, strict=False):
                fitting = knowledge.problem.values_of(fact) & possible[fact.variable]
                if fitting == possible[fact.variable]:
                    sure += step
                elif fitting:
                    open_.append((fact, step, fitting))
                    most += step
            if not _is_settled(constraint, sure, sure + most):
                for fact, step, fitting in open_:
                    roles[fact.variable].append((number, step, fitting))
    for number, target in enumerate(targets):
        alone = len({fact.variable for facts in target.values() for fact in facts}) == 1
        for label, facts in target.items():
            for fact in facts:
                fitting = knowledge.problem.values_of(fact) & possible[fact.variable]
                if alone:
                    roles[fact.variable].append(("target", fitting))
                elif fitting:
                    one = "one" if len(facts) == 1 else label
                    roles[fact.variable].append(("target", number, one, fitting))
    numbers: dict[Hashable, int] = {}
    return {
        variable: numbers.setdefault((possible[variable], tuple(roles[variable])), len(numbers))
        for variable in possible
    }


def _is_settled(constraint: Constraint, least: int, most: int) -> bool:
    """Return whether it makes no difference how many facts hold, from least to most."""
    match constraint:
        case Count(_, low, high):
            return low <= least and (high is None or most <= high)
        case Weigh(_, weights):
            return len(set(weights[least : most + 1])) == 1
    return False


Target = Mapping[Hashable, Sequence[Fact]]
"""A question of the game as a mapping from answers to facts."""


def targets_of(knowledge: Queries) -> tuple[Target, ...]:
    """Return what the players want to find out, from the game's method ``questions``.

    Nothing is returned where that is every variable: then it is asked which world it is.
    """
    questions = hook(knowledge.game, Shown.questions)
    asked: Sequence[object] = () if questions is None else tuple(questions())
    if not any(isinstance(each, Mapping) for each in asked) and (
        set(asked) == knowledge.problem.domains.keys()
    ):
        return ()
    return tuple(
        {
            label: [Fact(variable, values) for variable, values in literals]
            for label, literals in knowledge.question(question).items()
        }
        for question in asked
    )


@frozen
class _Single:
    """A variable that an answer reads, with the values that it may have."""

    question: Variable
    left: frozenset[Value]

    @property
    def size(self) -> int:
        return len(self.left)

    @property
    def settled(self) -> Value:
        return next(iter(self.left))

    def value(self, given: Value) -> Value:
        return given

    def example(self, value: Value) -> Mapping[Variable, Value]:
        return {self.question: value}


@frozen
class _Count:
    """How many facts hold that an answer reads: some surely, of the others it is asked.

    Each variable has a value with which its fact does not hold and one with which it does, which
    are the same where that is settled.
    """

    question: Number
    settled: int
    values: Mapping[Variable, tuple[Value, Value]]

    @classmethod
    def of(
        cls, problem: Problem, number: Number, possible: Mapping[Variable, frozenset[Value]]
    ) -> _Count:
        terms, sure, values = [], 0, {}
        for fact, amount in number.terms:
            left = [v for v in problem.domains[fact.variable] if v in possible[fact.variable]]
            holds = [v for v in left if v in problem.values_of(fact)]
            fails = [v for v in left if v not in problem.values_of(fact)]
            if holds and fails:
                terms.append((fact, amount))
            elif holds:
                sure += 1
            values[fact.variable] = (fails or holds)[0], (holds or fails)[0]
        return cls(Number(terms), sure, values)

    @property
    def size(self) -> int:
        return 1 + len(self.question.terms)

    def value(self, given: Any) -> int:
        number: int = self.settled + given
        return number

    def example(self, value: Any) -> Mapping[Variable, Value]:
        """Return values with which exactly this number of facts holds."""
        holding = {fact.variable for fact, _ in self.question.terms[: value - self.settled]}
        return {v: row[v in holding] for v, row in self.values.items()}


_ASKED = object()
"""Stands for an answer that is not known beforehand."""


@define(eq=False)
class JointDistributions(OneByOne):
    """Rates questions by joint distributions, exactly.

    Parameters
    ----------
    knowledge
        The worlds.
    targets
        What is asked about; empty: which world it is.
    numbers
        Those of `interchangeable`. Answers of a target that differ only in interchangeable
        variables which the question does not read are counted together.
    possible, count
        The possible values, and the number of worlds (of positive weight, if ``weighted``).
    weighted
        Whether worlds count by the posterior.
    once
        Where worlds have different weights: asks about the problem of
        `deduce.reasoning.likelihoods.counted_once`. Left out, the worlds that each answer leaves
        are not counted.
    most
        How many combinations of the values that an answer reads may be asked for.
    """

    knowledge: Queries
    targets: Sequence[Target]
    numbers: Mapping[Variable, int]
    possible: Mapping[Variable, frozenset[Value]]
    count: int
    weighted: bool
    once: Asker | None
    most: int | None
    _answers: dict[Hashable, dict[Hashable, Given]] = field(init=False, factory=dict)
    """For each form of question the answers by the values in the scope."""

    method = "joint"
    number = None

    def rate(self, inquiry: Inquiry, form: Hashable) -> Rating:
        """Return the rating of a question; raises `Undecided` where the budget runs out."""
        knowledge, weighted = self.knowledge, self.weighted
        stated = reads_of(knowledge.game, inquiry) or ()
        scope = variables_read(stated)
        reads = [
            _Count.of(knowledge.problem, each, self.possible)
            if isinstance(each, Number)
            else _Single(each, self.possible[each])
            for each in stated
        ]
        if self.most is not None and prod(each.size for each in reads) > self.most:
            raise Undecided("the answer to a question depends on too many combinations")
        answers = self._answers.setdefault((form, len(scope)), {})
        labels = [self._labels(target, scope) for target in self.targets]
        questions: list[Target] = []
        fixed: list[Hashable] = []
        for label in labels:
            fixed.append(next(iter(label)) if len(label) == 1 else _ASKED)
            if len(label) > 1:
                questions.append({mark: facts for mark, (facts, _) in label.items()})
        read = [each.question for each in reads if each.size > 1]

        def values_read(given: Iterator[Value]) -> tuple[Value, ...]:
            return tuple(
                each.value(next(given)) if each.size > 1 else each.settled for each in reads
            )

        joint = knowledge.joint(*questions, *read, weighted=weighted)
        equal = not weighted or not any(
            isinstance(constraint, Weigh) for constraint in knowledge.problem.constraints()
        )
        sizes: dict[Hashable, int] = {}
        cells: dict[Hashable, tuple[Given, Cell]] = {}
        total = sum(joint.weights.values())
        for combination, weight in joint.weights.items():
            if not weight:
                continue
            given = iter(combination)
            solution = tuple(next(given) if mark is _ASKED else mark for mark in fixed)
            values = values_read(given)
            if values not in answers:
                world: dict[Variable, Value] = {}
                for each, value in zip(reads, values, strict=True):
                    world.update(each.example(value))
                answers[values] = answers_to(knowledge.game, inquiry, world)
            _, cell = cells.setdefault(values, (answers[values], Cell()))
            cell.weight += weight
            if not isinstance(cell.worlds, Unknown):
                worlds = int(weight * self.count // total)
                cell.worlds = cell.worlds + worlds if equal else UNKNOWN
            if labels:
                sizes[solution] = prod(
                    label[mark][1] for mark, label in zip(solution, labels, strict=True)
                )
                row = cell.solutions = cell.solutions or {}
                row[solution] = row.get(solution, 0) + weight
        if self.once is not None:
            questions_once = [
                measure(knowledge.problem, each, knowledge.budget.meter())
                if isinstance(each, Number)
                else knowledge.question(each)
                for each in read
            ]
            for combination, share in self.once.joint(questions_once, weighted=True).value.items():
                if share:
                    cell = cells[values_read(iter(combination))][1]
                    cell.worlds = int(share * self.count)
        gain, after = rate_cells(cells.values(), sizes=sizes, knows_bits=False)
        is_chosen = any(len(given) > 1 for given, _ in cells.values())
        if not self.targets and equal and not is_chosen:  # what an answer leaves weighs the same
            after = {
                answer: item
                if isinstance(item.worlds, Unknown)
                else evolve(item, bits=log2(item.worlds))
                for answer, item in after.items()
            }
        return Rating(gain, 0.0, after)

    def _labels(
        self, target: Target, scope: Sequence[Variable]
    ) -> dict[Hashable, tuple[list[Fact], int]]:
        """Return the possible answers to a target: the facts, and how many answers one label is."""
        alone = len({fact.variable for facts in target.values() for fact in facts}) == 1
        labels: dict[Hashable, tuple[list[Fact], int]] = {}
        for answer, facts in target.items():
            open_ = [fact for fact in facts if self.possible[fact.variable] & fact.values]
            if not open_:
                continue
            mark: Hashable = ("answer", answer)
            if not alone and len(facts) == 1 and facts[0].variable not in scope:
                mark = ("like", self.numbers[facts[0].variable], facts[0].values)
            before, size = labels.get(mark, ([], 0))
            labels[mark] = ([*before, *facts], size + 1)
        return labels


Shares = Mapping[Variable, Mapping[Value, Fraction]]


@define(eq=False)
class Marginals(OneByOne):
    """Rates questions by the posterior of their answers' facts; asked is which world it is.

    Where each answer holds exactly if one of some facts does, of which two never hold together, its
    probability is the sum of theirs: a shot at a cell hits if some ship has a place with this cell.

    Parameters
    ----------
    answer_facts
        The game's method (`deduce.game.Rated.answer_facts`).
    shares
        The posterior of the values, or their shares of worlds.
    count
        The number of worlds; ``None`` where they have different weights.
    """

    answer_facts: Callable[[Inquiry], Mapping[Answer, Sequence[Fact] | None]]
    shares: Shares
    count: int | None

    method = "joint"
    number = None

    def rate(self, inquiry: Inquiry, form: Hashable) -> Rating:
        """Return the rating of a question."""
        weights: dict[Answer, Fraction] = {}
        other: list[Answer] = []
        for answer, facts in self.answer_facts(inquiry).items():
            if facts is None:
                other.append(answer)
            else:
                weights[answer] = sum(map(self._share, facts), Fraction())
        rest = 1 - sum(weights.values(), Fraction())
        if abs(rest) < TIE and not other:  # posteriors with doubts are rounded
            rest = Fraction()
        if rest < -TIE or len(other) > 1 or (rest and not other):
            raise BadInput(f"the facts of the answers to {inquiry!r} do not exclude each other")
        weights.update(dict.fromkeys(other, rest))
        left = {answer: self._left(weight) for answer, weight in weights.items() if weight > 0}
        gain = entropy({answer: item.weight for answer, item in left.items()})
        return Rating(gain if gain > NOISE else 0.0, 0.0, left)

    def _left(self, weight: Fraction) -> Left:
        if self.count is None:
            return Left(weight, UNKNOWN, UNKNOWN, UNKNOWN)
        worlds = int(weight * self.count)
        return Left(weight, log2(worlds), worlds, worlds)

    def _share(self, fact: Fact) -> Fraction:
        """Return the probability of a fact."""
        row = self.shares[fact.variable]
        share = sum((row.get(value, Fraction()) for value in fact.values), Fraction())
        return 1 - share if fact.negated else share
