"""Doubts: evidence that may be wrong, as likelihoods.

Evidence with a doubt excludes no world. It is a mixture: right with the probability 1 - doubt, and
otherwise one of its alternatives holds, or nothing is known. Slips of different answers are
independent, so the weight of a world is the product of one mixture for each answer, and the sum
over all sets of slips need not be written out. Each mixture depends on a few numbers only (how many
of three cards a player holds), so it becomes one `deduce.constraints.Weigh` over the code of these
numbers: no variable is added, and every query that reads likelihoods answers with doubts. The
probability that an answer is wrong is read from how the weight of all worlds is shared out by this
code (`deduce.queries.Asker.numbers`).

It is the treatment of soft evidence in Pearl, *Probabilistic Reasoning in Intelligent Systems*
(1988), section 2.2.2, with a likelihood that the game declares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any, ClassVar

from attrs import evolve, field, frozen

from deduce.constraints import (
    Constraint,
    Count,
    Fact,
    Sum,
    Value,
    Variable,
    Weigh,
    Where,
)
from deduce.engines.base import Weight
from deduce.errors import BadInput, BadProblem, Contradiction
from deduce.game import HiddenGame, Viewer
from deduce.problem import Evidence, Instead, Problem, rate_of
from deduce.text import join, nearest, plural, visible

__all__ = [
    "Doubts",
    "Likelihood",
    "Slip",
    "Unless",
    "certain_unless",
    "doubted",
    "rates_of",
    "resolved",
]

MAX_CODES = 20_000
"""How many combinations of numbers one mixture may distinguish."""

Doubts = Any
"""``None``: no event is doubted; ``True``: the rates that the game declares; a number: the rate for
each event; a mapping: rates by the game's kinds of slips, or by the number of the event."""


@frozen(str=False)
class Likelihood(Weigh):
    """The mixture of one answer that may be wrong, over the code of the numbers that matter.

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

    parts: tuple[tuple[Fraction, ...], ...] = field(default=(), kw_only=True)
    sentences: tuple[str, ...] = field(default=(), kw_only=True)
    answer: str = field(default="", kw_only=True)

    _may_exclude: ClassVar[bool] = True

    @property
    def kinds(self) -> tuple[int, ...]:
        """For each number its kind: numbers of one kind have the same weight in every part."""
        kinds: dict[tuple[Fraction, ...], int] = {}
        return tuple(kinds.setdefault(of, len(kinds)) for of in zip(*self.parts, strict=True))

    def hypotheses(self, numbers: Mapping[int, Weight]) -> tuple[Fraction, ...]:
        """Return the probability of each hypothesis, given the weight of the worlds by number."""
        total = Fraction(sum(numbers.values()))
        return tuple(
            sum(
                (
                    Fraction(weight) * part[number] / self.weights[number]
                    for number, weight in numbers.items()
                    if weight
                ),
                Fraction(0),
            )
            / total
            for part in self.parts
        )

    def __str__(self) -> str:
        return f"perhaps wrong: {self.answer}"


@frozen(str=False)
class Slip:
    """An answer of the log, and the probability that it is wrong.

    Parameters
    ----------
    event
        The number of the event, from 1.
    answer
        What the event states, as the game writes it.
    probability
        The probability that it is wrong.
    instead
        What may be right instead, with its probability; these add up to ``probability``.
    """

    event: int
    answer: str
    probability: Fraction
    instead: tuple[tuple[str, Fraction], ...] = ()

    def __str__(self) -> str:
        return visible(f"event {self.event}: {self.answer} ({float(self.probability):.1%} wrong)")


@frozen(str=False)
class Unless:
    """What is certain as long as few answers of the log are wrong.

    Parameters
    ----------
    variable, value
        The claim.
    slips
        It holds in every world in which up to this number of answers are wrong.
    events
        The numbers of the events that it rests on: if an answer of one of them is wrong too, it is
        open. Empty where one more wrong answer was not looked at.
    """

    variable: Variable
    value: Value
    slips: int
    events: tuple[int, ...] = ()

    def __str__(self) -> str:
        claim = f"{self.variable}: {self.value}"
        if self.events:
            numbers = join([str(event) for event in self.events], "or")
            what = "event" if len(self.events) == 1 else "one of the events"
            also = f"{plural(self.slips, 'answer')} and " if self.slips else ""
            return visible(f"{claim}, unless {also}{what} {numbers} is wrong")
        return visible(f"{claim}, even if {plural(self.slips, 'answer')} may be wrong")


Possible = Mapping[Variable, frozenset[Value]]


def certain_unless(
    problem: Problem,
    answers: Sequence[Sequence[Evidence]],
    slips: int,
    possible: Callable[[Problem], Possible],
) -> tuple[Unless, ...]:
    """Return what is certain as long as few answers are wrong.

    Parameters
    ----------
    problem
        Without the answers that may be wrong.
    answers
        The pieces of evidence of each answer.
    slips
        Up to this number of answers may be wrong.
    possible
        Returns the possible values of a problem; raises `Contradiction` if it has no world.
    """
    certain: dict[Variable, Value] | None = None
    claims: dict[Variable, Unless] = {}
    for number in range(slips + 1):
        breaks: dict[Variable, dict[int, None]] = {}
        for wrong in combinations(range(len(answers)), number):
            pieces = [
                evolve(piece, doubt=None, instead=())
                for index, answer in enumerate(answers)
                if index not in wrong
                for piece in answer
            ]
            try:
                left = possible(problem.with_evidence(*pieces))
            except Contradiction:
                continue
            settled = {v: next(iter(of)) for v, of in left.items() if len(of) == 1}
            if certain is None:
                certain = settled
            for variable, value in certain.items():
                if settled.get(variable) != value:
                    events = breaks.setdefault(variable, {})
                    events.update((answers[index][0].event or 0, None) for index in wrong)
        if certain is None:
            continue
        for variable, value in list(certain.items()):
            if variable not in breaks:
                claims[variable] = Unless(variable, value, number)
                continue
            certain.pop(variable)
            if variable in claims:
                rests_on = tuple(sorted(breaks[variable]))
                claims[variable] = evolve(claims[variable], events=rests_on)
    if certain is None:
        raise Contradiction
    return tuple(claims.values())


# Which evidence is doubted


def doubted(
    game: HiddenGame, log: Sequence[Any], viewer: Viewer, doubts: Doubts
) -> Iterable[Evidence]:
    """Return the evidence of a log, with the doubts that are asked for.

    Raises
    ------
    BadInput
        The game declares no kinds of slips, or none of this name.
    """
    if doubts is None:
        return game.evidence(log, viewer)
    declared = getattr(game, "slip_rates", None)
    if declared is None or (isinstance(doubts, tuple) and _by_event(doubts)):
        return _with_rates(game.evidence(log, viewer), doubts)
    return game.doubted(log, viewer, _rates(game, declared, doubts))  # type: ignore[attr-defined, no-any-return]


def _by_event(doubts: tuple[tuple[Any, Fraction], ...]) -> bool:
    return all(type(name) is int for name, _ in doubts)


def _with_rates(evidence: Iterable[Evidence], doubts: Doubts) -> Iterator[Evidence]:
    if doubts is True:
        raise BadInput("this game declares no rates of slips; name a rate, such as 0.01")
    if isinstance(doubts, tuple) and not _by_event(doubts):
        kinds = ", ".join(str(name) for name, _ in doubts)
        raise BadInput(f"this game declares no kinds of slips ({kinds}); name one rate")
    rates = dict(doubts) if isinstance(doubts, tuple) else None
    for piece in evidence:
        rate = doubts if rates is None else rates.get(piece.event)
        if piece.event is None or not rate or piece.doubt is not None:
            yield piece
        else:
            yield evolve(piece, doubt=rate, answer=piece.answer)


def _rates(
    game: HiddenGame, declared: Mapping[str, Fraction], doubts: Doubts
) -> Mapping[str, Fraction]:
    """Return the rate of each kind; one number is shared out as the declared rates are."""
    if doubts is True:
        return declared
    if isinstance(doubts, tuple):
        for name, _ in doubts:
            if name not in declared:
                hint = nearest(str(name), declared)
                kinds = ", ".join(declared)
                raise BadInput(f"no kind of slip is called {name!r}{hint} ({kinds})")
        return {**dict.fromkeys(declared, Fraction(0)), **dict(doubts)}
    unit = getattr(game, "slip_unit", None) or max(declared.values())
    return {name: rate * doubts / unit for name, rate in declared.items()}


def rates_of(doubts: Doubts) -> Doubts:
    """Return doubts in the form in which knowledge keeps them.

    Raises
    ------
    BadInput
        They are not a rate, a mapping of rates, ``True`` or ``None``.
    """
    if doubts is None or doubts is True:
        return doubts
    if doubts is False:
        return None
    try:
        if isinstance(doubts, Mapping | tuple):
            pairs = doubts.items() if isinstance(doubts, Mapping) else doubts
            return tuple((name, rate_of(rate)) for name, rate in pairs)
        return rate_of(doubts)
    except (BadProblem, TypeError, ValueError) as error:
        raise BadInput(f"doubts are a rate from 0 to 1, or a mapping of rates: {error}") from None


# As likelihoods


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
    sentences = "; ".join(dict.fromkeys(str(piece) for piece in pieces))
    answer = first.answer or sentences
    instead = [alternative for piece in pieces for alternative in piece.instead] or [Instead()]
    shares = Fraction(sum(alternative.share for alternative in instead))
    if not shares:
        raise BadProblem(f"event {first.event}: the alternatives of {answer!r} all have share 0")
    codes = _Codes(problem)
    hypotheses = [(1 - first.doubt, codes.all_of([piece.constraint for piece in pieces]))]
    for alternative in instead:
        tests = codes.all_of(alternative.constraints)
        hypotheses.append((first.doubt * alternative.share / shares, tests))
    if codes.size > MAX_CODES:
        raise BadProblem(
            f"event {first.event} states too much at once to be doubted: {answer}; "
            f"{codes.size} combinations, and {MAX_CODES} at most"
        )
    facts, amounts = codes.facts()
    numbers = list(codes.numbers())
    # The facts of one variable exclude each other, so no world reaches the sum of all amounts.
    beyond = (Fraction(0),) * (sum(amounts) + 1 - len(numbers))
    parts = tuple(
        (*(weight * prod(test(number) for test in tests) for number in numbers), *beyond)
        for weight, tests in hypotheses
    )
    weights = [sum(of, Fraction(0)) for of in zip(*parts, strict=True)]
    likelihood = Likelihood(
        facts,
        weights,
        amounts=amounts,
        parts=parts,
        sentences=tuple(alternative.sentence for alternative in instead),
        answer=answer,
    )
    return Evidence(likelihood, first.event, sentences)


Terms = frozenset[tuple[Variable, tuple[tuple[Value, int], ...]]]
"""For each variable the values that add an amount greater than 0, in the order of its domain."""

Test = Callable[[tuple[int, ...]], Fraction | int]
"""The factor that a constraint gives, by the numbers."""


class _Codes:
    """The numbers that some constraints depend on, as digits of one code."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.terms: dict[Terms, int] = {}
        self.sizes: list[int] = []

    @property
    def size(self) -> int:
        return prod(self.sizes)

    def numbers(self) -> Iterator[tuple[int, ...]]:
        """Yield the digits of every code, the first digit counting 1."""
        for digits in product(*(range(size) for size in reversed(self.sizes))):
            yield digits[::-1]

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

    def all_of(self, constraints: Sequence[Constraint]) -> list[Test]:
        """Return the tests of constraints that hold together."""
        tests = []
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
        return tests

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
        weights = constraint.weights
        steps = list(zip(constraint.facts, constraint.steps, strict=True))
        digit, offset, sign = self._digit(steps)
        return lambda numbers: weights[offset + sign * numbers[digit]]

    def _within(self, terms: Sequence[tuple[Fact, int]], low: int | None, high: int | None) -> Test:
        digit, offset, sign = self._digit(terms)

        def test(numbers: tuple[int, ...]) -> int:
            number = offset + sign * numbers[digit]
            return int((low is None or low <= number) and (high is None or number <= high))

        return test

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

    def _where(self, where: Where, variables: Sequence[Variable]) -> Test:
        digits = []
        for variable in variables:
            domain = self.problem.domains[variable]
            levels = tuple((value, i) for i, value in enumerate(domain) if i)
            terms = frozenset([(variable, levels)] if levels else [])
            digits.append((self._number(terms), domain))
        return lambda numbers: int(where.allows([domain[numbers[d]] for d, domain in digits]))


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
