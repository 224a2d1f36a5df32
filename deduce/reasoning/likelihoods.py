"""Evidence that may be wrong, as likelihoods.

The weight of a world is the product of one mixture for each answer of the log that may be wrong,
and the sum over all sets of slips need not be written out. Each mixture depends on a few numbers
only (how many of three cards a player holds), so it becomes one `deduce.constraints.Weigh` over the
code of these numbers: no variable is added, and every query that reads likelihoods answers with
doubts. The probability that an answer is wrong is read from how the weight of all worlds is shared
out by this code (`deduce.reasoning.queries.Asker.numbers`).

It is the treatment of soft evidence in Pearl, *Probabilistic Reasoning in Intelligent Systems*
(1988), section 2.2.2, with a likelihood that the game declares.

The weights of a mixture depend on its rates and on the form of its constraints, not on which
variables they are about. So a mixture is made once for each form, about numbered variables, and
answers of one form, such as all passes, share it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import gcd, lcm, prod
from typing import ClassVar, TypeAlias

from attrs import field, frozen

from deduce.constraints import (
    Constraint,
    Count,
    Difference,
    Disjoint,
    Fact,
    Logic,
    Sum,
    Value,
    Variable,
    Weigh,
    Where,
    variables_of,
)
from deduce.engines.base import Weight
from deduce.errors import BadProblem
from deduce.problem import Evidence, Instead, Problem, number_of

__all__ = [
    "MAX_CODES",
    "Codes",
    "Likelihood",
    "Parts",
    "Test",
    "counted_once",
    "excluding",
    "resolved",
    "table",
]

MAX_TABLE = 5_000
"""Up to this number of combinations of values a condition inside which are others is a table."""

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


@frozen
class _Among:
    """Of some tests, each meant as it is or negated, between ``low`` and ``high`` hold."""

    tests: tuple[tuple[Test, bool], ...]
    low: int
    high: int

    def factor(self, digits: tuple[int, ...]) -> int:
        number = sum(bool(test.factor(digits)) == sign for test, sign in self.tests)
        return int(self.low <= number <= self.high)


Test: TypeAlias = "_Within | _Weighed | _Allowed | _Among"
"""The factor that a constraint gives, by the digits of a code."""


@lru_cache(maxsize=512)
def table(
    sizes: tuple[int, ...], length: int, hypotheses: tuple[tuple[Fraction, tuple[Test, ...]], ...]
) -> tuple[Parts, tuple[Fraction, ...]]:
    """Return the parts of a mixture by code, and their sums, up to a common factor.

    Answers of one kind, such as that a player has none of three cards, share a table.

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
            case Logic() if not 1 < self._combinations(constraint) <= MAX_TABLE:
                parts, low, high = constraint.counted
                tests = tuple((self._test(part), sign) for part, sign in parts)
                return _Among(tests, low, high)
            case Logic() | Difference() | Disjoint():
                names = variables_of(constraint)

                def holds(*values: Value) -> bool:
                    return Problem.satisfied(constraint, dict(zip(names, values, strict=True)))

                return self._where(Where(names, holds), names)
        steps = list(zip(constraint.facts, constraint.steps, strict=True))
        return _Weighed(*self._digit(steps), constraint.weights)

    def _combinations(self, constraint: Constraint) -> int:
        """Return how many combinations of values its variables have."""
        return prod(len(self.problem.domains[v]) for v in variables_of(constraint))

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


@frozen(str=False)
class Likelihood(Weigh):
    """The mixture of one answer that may be wrong, over the code of the numbers that matter.

    Its weights are known up to a common factor, which no posterior depends on.

    Parameters
    ----------
    parts
        For each hypothesis (the answer is right, then its alternatives) its weight by number; the
        weights are their sums. A weight may be 0.
    sentences
        The alternatives, as sentences.
    answer
        What the event states.
    """

    parts: Parts = field(default=(), kw_only=True)
    sentences: tuple[str, ...] = field(default=(), kw_only=True)
    answer: str = field(default="", kw_only=True)

    excludes: ClassVar[bool] = False
    estimated: ClassVar[bool] = True

    @property
    def kinds(self) -> tuple[int, ...]:
        """For each number its kind: numbers of one kind have the same weight in every part."""
        return _kinds(self.parts)

    def hypotheses(self, numbers: Mapping[int, Weight]) -> tuple[Fraction, ...]:
        """Return the probability of each hypothesis, given the weight of the worlds by number.

        Worlds of a number without weight, which an estimate may draw with a share of 0, add none.
        """
        total = Fraction(sum(numbers.values()))
        return tuple(
            sum(
                (
                    Fraction(weight) * part[number] / self.weights[number]
                    for number, weight in numbers.items()
                    if weight and self.weights[number]
                ),
                Fraction(0),
            )
            / total
            for part in self.parts
        )

    def __str__(self) -> str:
        return f"perhaps wrong: {self.answer}"


class _Possible(Weigh):
    """A world counts once if a likelihood gives it a positive weight, and else not at all."""

    excludes: ClassVar[bool] = False


def counted_once(problem: Problem) -> Problem:
    """Return a problem whose worlds have weight 1, or 0 where a likelihood excludes them.

    >>> from deduce.constraints import is_
    >>> coin = Problem({"coin": ("heads", "tails")}, [Weigh([is_("coin", "heads")], [1, 2])])
    >>> counted_once(coin).rules
    ()
    """

    def once(constraint: Constraint) -> Iterator[Constraint]:
        if not isinstance(constraint, Weigh):
            yield constraint
        elif not all(constraint.weights):
            weights = [int(weight > 0) for weight in constraint.weights]
            kind = Weigh if constraint.excludes else _Possible
            yield kind(constraint.facts, weights, amounts=constraint.amounts)

    return Problem(problem.domains, [each for one in problem.constraints() for each in once(one)])


def excluding(problem: Problem) -> Problem:
    """Return a problem that has no world to which an answer that may be wrong gives weight 0.

    >>> from deduce.constraints import is_
    >>> coin = Problem({"coin": ("heads", "tails")})
    >>> other = Instead(is_("coin", "heads"), sentence="another coin shows heads")
    >>> heads = [Evidence(is_("coin", "heads"), 1, doubt=1, instead=[other])]
    >>> print(excluding(coin.with_evidence(*resolved(coin, heads))).evidence[0])
    certainly wrong: coin is heads
    """

    def excluded(piece: Evidence) -> Evidence:
        weigh = piece.constraint
        if not isinstance(weigh, Likelihood) or all(weigh.weights) or not weigh.facts:
            return piece
        names = tuple(dict.fromkeys(fact.variable for fact in weigh.facts))

        def has_weight(*values: Value) -> bool:
            return weigh.weights[number_of(weigh, dict(zip(names, values, strict=True)))] > 0

        could = "perhaps wrong" if any(weigh.parts[0]) else "certainly wrong"
        return Evidence(Where(names, has_weight), piece.event, f"{could}: {weigh.answer}")

    return Problem(problem.domains, problem.rules, map(excluded, problem.evidence))


@lru_cache(maxsize=256)
def _kinds(parts: Parts) -> tuple[int, ...]:
    kinds: dict[tuple[int, ...], int] = {}
    return tuple(kinds.setdefault(of, len(kinds)) for of in zip(*parts, strict=True))


def resolved(problem: Problem, evidence: Iterable[Evidence]) -> Iterator[Evidence]:
    """Yield evidence without doubts: what is doubted becomes one `Likelihood` for each answer.

    Raises
    ------
    BadProblem
        An answer states too much at once to be weighed.
    """
    together: dict[tuple[int | None, str], list[Evidence]] = {}
    for piece in evidence:
        if piece.doubt is None:
            yield piece
        else:
            together.setdefault((piece.event, piece.answer), []).append(piece)
    for pieces in together.values():
        yield _mixture(problem, pieces)


def _mixture(problem: Problem, pieces: Sequence[Evidence]) -> Evidence:
    first = pieces[0]
    assert first.doubt is not None
    sentences = "; ".join(dict.fromkeys(map(str, pieces)))
    answer = first.answer or sentences
    instead = [alternative for piece in pieces for alternative in piece.instead] or [_NOTHING]
    stated = [piece.constraint for piece in pieces]
    hypotheses = [(one.share, one.constraints) for one in instead]
    try:
        facts, amounts, parts, weights = _mixed(problem, first.doubt, stated, hypotheses)
    except BadProblem as error:
        raise BadProblem(f"event {first.event} ({answer}) {error}") from None
    likelihood = Likelihood(
        facts,
        weights,
        amounts=amounts,
        parts=parts,
        sentences=tuple(alternative.sentence for alternative in instead),
        answer=answer,
    )
    return Evidence(likelihood, first.event, sentences)


_NOTHING = Instead()

Mixed = tuple[Sequence[Fact], Sequence[int], Parts, tuple[Fraction, ...]]
"""Facts with their amounts, and by the sum of the amounts the parts and weights of a mixture."""


def _mixed(
    problem: Problem,
    doubt: Fraction,
    stated: Sequence[Constraint],
    instead: Sequence[tuple[Fraction, Sequence[Constraint]]],
) -> Mixed:
    """Return the mixture of what is stated and its alternatives, each with its share."""
    shares = sum((share for share, _ in instead), Fraction(0))
    codes = Codes(problem)
    hypotheses = [(1 - doubt, codes.all_of(stated))]
    hypotheses += [(doubt * share / shares, codes.all_of(those)) for share, those in instead]
    if codes.size > MAX_CODES:
        raise BadProblem(
            f"states too much at once to be doubted: "
            f"{codes.size} combinations, and {MAX_CODES} at most"
        )
    facts, amounts = codes.facts()
    return facts, amounts, *table(tuple(codes.sizes), sum(amounts) + 1, tuple(hypotheses))
