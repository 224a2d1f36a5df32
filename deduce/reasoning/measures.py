"""Questions about numbers and claims, as questions about a further variable.

Engines know one kind of question: answers, each with literals of which one holds in every world. A
number or the outcome of a claim is the value of a variable that the others decide, so every engine
that has joint distributions answers questions about it, and no weight changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from deduce.budget import Meter
from deduce.constraints import (
    Constraint,
    Fact,
    Number,
    Sum,
    Tabulated,
    Term,
    Value,
    Variable,
    Where,
    is_,
    opposite,
)
from deduce.engines.base import Question
from deduce.errors import BadProblem
from deduce.logic import iff, negation
from deduce.problem import Problem, World

__all__ = ["Measure", "measure", "with_measures"]

MAX_SUMS = 20_000
"""How many different values a number that is asked about may have."""


@frozen(eq=False)
class Measure:
    """A number or the outcome of a claim, as a variable.

    Parameters
    ----------
    cases
        For each value that it may have what holds then, and only then.
    rule
        Returns what decides it, of its variable.
    is_listed
        Whether the claim is a list of worlds, among which no engine need search.
    """

    cases: Mapping[Any, Constraint]
    rule: Callable[[Variable], Constraint]
    is_listed: bool = False

    @property
    def question(self) -> Question:
        """The question about its value."""
        return {value: [(self, frozenset([value]))] for value in self.cases}

    def value(self, world: World) -> Any:
        """Return its value in a world."""
        return next(value for value, case in self.cases.items() if Problem.satisfied(case, world))


def measure(problem: Problem, asked: Number | Constraint, meter: Meter) -> Measure | Question:
    """Return a number or a claim as a measure, or as a question if it is about one variable.

    Raises
    ------
    BadProblem
        There is no such variable or value, or a number may have more than 20,000 values.
    """
    if isinstance(asked, Number):
        return _number(problem, asked, meter)
    problem.check(asked)
    if isinstance(asked, Fact):
        facts = {True: asked, False: opposite(asked)}
        return {holds: [(fact.variable, problem.values_of(fact))] for holds, fact in facts.items()}
    predicate = asked.predicate if isinstance(asked, Where) else None
    is_listed = isinstance(predicate, Tabulated) and predicate.is_complete
    against = (
        Where(asked.variables, predicate.opposite())
        if isinstance(asked, Where) and isinstance(predicate, Tabulated) and is_listed
        else negation(asked)
    )
    cases = {True: asked, False: against}
    return Measure(cases, lambda variable: iff(is_(variable, True), asked), is_listed)


def _number(problem: Problem, asked: Number, meter: Meter) -> Measure:
    amounts: dict[Variable, dict[Value, int]] = {}
    for fact, amount in asked.terms:
        row = amounts.setdefault(fact.variable, {})
        for value in problem.values_of(fact):
            row[value] = row.get(value, 0) + amount
    sums = {0}
    terms: list[Term] = []
    for variable, row in amounts.items():
        levels: dict[int, list[Value]] = {}
        for value in problem.domains[variable]:
            levels.setdefault(row.get(value, 0), []).append(value)
        meter.spend(len(sums) * len(levels))
        sums = {number + amount for number in sums for amount in levels}
        if len(sums) > MAX_SUMS:
            raise BadProblem(f"{asked} may have more than {MAX_SUMS} values")
        terms += [(Fact(variable, values), amount) for amount, values in levels.items() if amount]
    domain = sorted(sums)
    return Measure(
        {number: Sum(terms, number, number) for number in domain},
        lambda of: Sum([*terms, *((is_(of, number), -number) for number in domain)], 0, 0),
    )


def with_measures(problem: Problem, measures: Sequence[Measure]) -> Problem:
    """Return a problem with a further variable for each measure."""
    domains: dict[Any, Sequence[Any]] = {**problem.domains}
    domains |= {one: tuple(one.cases) for one in measures}
    return Problem(domains, [*problem.constraints(), *(one.rule(one) for one in measures)])
