"""The numbers that some constraints depend on, as digits of one code, and the weight of each code.

A mixture of hypotheses, each a list of constraints, depends on a few numbers only, such as how many
of three cards a player holds. `Codes` finds these numbers and the facts whose amounts add up to the
code of all of them; each constraint becomes a `Test` of digits, and `table` weighs every code.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import gcd, lcm, prod

from attrs import frozen

from deduce.constraints import Constraint, Count, Fact, Sum, Value, Variable, Weigh, Where
from deduce.problem import Problem

__all__ = ["MAX_CODES", "Codes", "Parts", "Test", "table"]

MAX_CODES = 20_000
"""How many combinations of numbers one mixture may distinguish."""

Parts = tuple[tuple[int, ...], ...]
"""For each hypothesis its weight by code."""

Terms = frozenset[tuple[Variable, tuple[tuple[Value, int], ...]]]
"""For each variable the values that add an amount greater than 0, in the order of its domain."""


@frozen
class _Within:
    """A sum of facts is within bounds: ``offset`` and ``sign`` times a digit."""

    digit: int
    offset: int
    sign: int
    low: int | None
    high: int | None

    def factor(self, digits: tuple[int, ...]) -> int:
        number = self.offset + self.sign * digits[self.digit]
        return int(
            (self.low is None or self.low <= number) and (self.high is None or number <= self.high)
        )


@frozen
class _Weighed:
    """The weight of a sum of facts."""

    digit: int
    offset: int
    sign: int
    weights: tuple[Fraction, ...]

    def factor(self, digits: tuple[int, ...]) -> Fraction:
        return self.weights[self.offset + self.sign * digits[self.digit]]


@frozen
class _Allowed:
    """A condition on whole values allows these combinations of digits."""

    digits: tuple[int, ...]
    rows: frozenset[tuple[int, ...]]

    def factor(self, digits: tuple[int, ...]) -> int:
        return int(tuple(digits[digit] for digit in self.digits) in self.rows)


Test = _Within | _Weighed | _Allowed
"""The factor that a constraint gives, by the digits of a code."""


def table(
    sizes: Sequence[int], length: int, hypotheses: Sequence[tuple[Fraction, Sequence[Test]]]
) -> tuple[Parts, tuple[Fraction, ...]]:
    """Return the parts of a mixture by code, and their sums, up to a common factor.

    Parameters
    ----------
    sizes
        The size of each digit of the code, the first digit counting 1.
    length
        The number of codes; those beyond the greatest combination of digits are never reached,
        since the facts of one variable exclude each other.
    hypotheses
        The probability of each hypothesis, with its tests.
    """
    codes = [digits[::-1] for digits in product(*map(range, reversed(sizes)))]
    exact = [
        [weight * prod(test.factor(digits) for test in tests) for digits in codes]
        for weight, tests in hypotheses
    ]
    scale = lcm(*(weight.denominator for part in exact for weight in part))
    whole = [[int(weight * scale) for weight in part] for part in exact]
    divisor = gcd(*(weight for part in whole for weight in part)) or 1
    beyond = (0,) * (length - len(codes))
    parts = tuple((*(weight // divisor for weight in part), *beyond) for part in whole)
    return parts, tuple(Fraction(sum(of)) for of in zip(*parts, strict=True))


class Codes:
    """The numbers that some constraints depend on, as digits of one code."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.terms: dict[Terms, int] = {}
        self.sizes: list[int] = []
        self._tests: dict[tuple[int, ...], tuple[Test, ...]] = {}

    @property
    def size(self) -> int:
        """How many combinations of digits there are."""
        return prod(self.sizes)

    def facts(self) -> tuple[list[Fact], list[int]]:
        """Return facts, and the amounts by which they add up to the code."""
        added: dict[Variable, dict[Value, int]] = {}
        step = 1
        for terms, size in zip(self.terms, self.sizes, strict=True):
            for variable, levels in terms:
                of = added.setdefault(variable, {})
                for value, amount in levels:
                    of[value] = of.get(value, 0) + amount * step
            step *= size
        facts, amounts = [], []
        for variable, of in added.items():
            for amount in dict.fromkeys(of.values()):
                facts.append(Fact(variable, [value for value, a in of.items() if a == amount]))
                amounts.append(amount)
        return facts, amounts

    def all_of(self, constraints: Sequence[Constraint]) -> tuple[Test, ...]:
        """Return the tests of constraints that hold together.

        Alternatives of an answer often share a constraint, so the tests of each are kept.
        """
        key = tuple(map(id, constraints))
        if key not in self._tests:
            self._tests[key] = self._all_of(constraints)
        return self._tests[key]

    def _all_of(self, constraints: Sequence[Constraint]) -> tuple[Test, ...]:
        tests: list[Test] = []
        allowed: dict[Variable, frozenset[Value]] = {}
        for constraint in constraints:
            facts = _conjunction(self.problem, constraint)
            if facts is None:
                tests.append(self._test(constraint))
                continue
            for variable, values in facts:
                domain = frozenset(self.problem.domains[variable])
                allowed[variable] = allowed.get(variable, domain) & values
        if allowed:
            facts_ = [Fact(variable, values) for variable, values in allowed.items()]
            tests.insert(0, self._test(Count(facts_, len(facts_))))
        return tuple(tests)

    def _test(self, constraint: Constraint) -> Test:
        match constraint:
            case Fact():
                return self._test(Count((constraint,), 1))
            case Count(facts, low, high):
                return self._within([(fact, 1) for fact in facts], low, high)
            case Sum(terms, low, high):
                return self._within(terms, low, high)
            case Where(variables):
                return self._where(constraint, variables)
        assert isinstance(constraint, Weigh)
        steps = list(zip(constraint.facts, constraint.steps, strict=True))
        return _Weighed(*self._digit(steps), constraint.weights)

    def _within(
        self, terms: Sequence[tuple[Fact, int]], low: int | None, high: int | None
    ) -> _Within:
        return _Within(*self._digit(terms), low, high)

    def _digit(self, terms: Sequence[tuple[Fact, int]]) -> tuple[int, int, int]:
        """Return the digit of a sum, and the sum's value at 0 and its change per unit.

        Facts that each variable satisfies with most of its values are counted where they do not
        hold, so that a statement and its opposite share a digit.
        """
        added: dict[Variable, dict[Value, int]] = {}
        for fact, amount in terms:
            domain = self.problem.domains[fact.variable]
            of = added.setdefault(fact.variable, dict.fromkeys(domain, 0))
            for value in self.problem.values_of(fact):
                of[value] += amount
        offset = sum(min(of.values()) for of in added.values())
        beyond = {
            variable: {value: amount - min(of.values()) for value, amount in of.items()}
            for variable, of in added.items()
        }
        sign = 1
        if all(
            set(of.values()) == {0, 1} and 2 * sum(of.values()) > len(of) for of in beyond.values()
        ):
            offset, sign = offset + len(beyond), -1
            beyond = {
                variable: {value: 1 - amount for value, amount in of.items()}
                for variable, of in beyond.items()
            }
        levels = (
            (variable, tuple((v, amount) for v, amount in of.items() if amount))
            for variable, of in beyond.items()
        )
        return (
            self._number(frozenset((variable, of) for variable, of in levels if of)),
            offset,
            sign,
        )

    def _number(self, terms: Terms) -> int:
        if terms not in self.terms:
            self.terms[terms] = len(self.terms)
            self.sizes.append(1 + sum(max(amount for _, amount in levels) for _, levels in terms))
        return self.terms[terms]

    def _where(self, where: Where, variables: Sequence[Variable]) -> _Allowed:
        digits = []
        domains = [self.problem.domains[variable] for variable in variables]
        for variable, domain in zip(variables, domains, strict=True):
            levels = tuple((value, i) for i, value in enumerate(domain) if i)
            digits.append(self._number(frozenset([(variable, levels)] if levels else [])))
        if self.size > MAX_CODES:
            return _Allowed(tuple(digits), frozenset())  # refused by the caller
        rows = (
            row
            for row in product(*(range(len(domain)) for domain in domains))
            if where.allows([domain[i] for domain, i in zip(domains, row, strict=True)])
        )
        return _Allowed(tuple(digits), frozenset(rows))


def _conjunction(
    problem: Problem, constraint: Constraint
) -> list[tuple[Variable, frozenset[Value]]] | None:
    """Return what a constraint requires of single variables, if that is all that it requires."""
    if isinstance(constraint, Fact):
        return [(constraint.variable, problem.values_of(constraint))]
    if isinstance(constraint, Count):
        if constraint.high == 0:
            return [
                (fact.variable, frozenset(problem.domains[fact.variable]) - problem.values_of(fact))
                for fact in constraint.facts
            ]
        variables = [fact.variable for fact in constraint.facts]
        if constraint.low == len(variables) == len(set(variables)):
            return [(fact.variable, problem.values_of(fact)) for fact in constraint.facts]
    return None
