"""Queries: what can be asked of a model, whichever engine answers.

`Asker` asks; an `Answer` names the engine that gave it. All answers are exact; what cannot be had
within the budget raises `Undecided`.

Engines know one kind of question: answers, each with literals of which one holds in every world. A
number or the outcome of a claim is asked about as the value of a further variable that the others
decide (`Measure`), so every engine that has joint distributions answers it, and no weight changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from fractions import Fraction
from itertools import product
from math import inf, log10
from random import Random
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

from attrs import evolve, frozen

from deduce.budget import STANDARD, Budget, Meter
from deduce.constraints import (
    Claim,
    Constraint,
    Count,
    Fact,
    Number,
    Sum,
    Tabulated,
    Term,
    Value,
    Variable,
    Weigh,
    Where,
    is_,
    opposite,
)
from deduce.engines.base import Engine, Joint, Numbers, Question, Ranked, Tally, Weight
from deduce.engines.choose import (
    drawn_again,
    engine,
    engines_for,
    listed,
    lists_soon,
    states_of_hands,
)
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.model import Model, Statement
from deduce.errors import BadInput, BadProblem, Contradiction, Undecided, Unsupported
from deduce.game import Event, HiddenGame, Viewer
from deduce.logic import iff, negation
from deduce.problem import Evidence, Problem, World
from deduce.reasoning.distribution import Distribution
from deduce.system.arrays import is_awaited

__all__ = [
    "Answer",
    "Asked",
    "Asker",
    "Attempts",
    "Distribution",
    "Measure",
    "Queries",
    "measure",
    "negations",
    "question_of",
    "with_measures",
]

T = TypeVar("T")

Asked: TypeAlias = Variable | Mapping[Any, Fact | Sequence[Fact]] | Number | Claim
"""A variable; answers and the facts that they mean; a number; or a claim, which is true or not."""

MOMENT = 0.1
"""Seconds for what is known beside an answer that is undecided."""

LONG = 100_000
"""A round of propagation on a state of more bits takes such a moment, and is not begun for that."""


@frozen
class Answer(Generic[T]):
    """An answer, and the engine that gave it (``"bounds"`` when propagation alone decided)."""

    value: T
    engine: str


def negations(constraint: Constraint) -> list[Constraint]:
    """Return constraints of which one holds exactly when the given one does not.

    >>> from deduce.constraints import at_least, is_
    >>> [str(c) for c in negations(at_least(1, [is_("Rope", "Ann"), is_("Hall", "Ann")]))]
    ['exactly 0 of: Rope is Ann, Hall is Ann']
    """
    if isinstance(constraint, Fact):
        return [opposite(constraint)]
    if isinstance(constraint, Count):
        under = [Count(constraint.facts, 0, constraint.low - 1)] if constraint.low else []
        if constraint.high is None or constraint.high >= len(constraint.facts):
            return list(under)
        return [*under, Count(constraint.facts, constraint.high + 1)]
    if isinstance(constraint, Sum):
        terms, low, high = constraint.terms, constraint.low, constraint.high
        below: list[Constraint] = [] if low is None else [Sum(terms, None, low - 1)]
        return below if high is None else [*below, Sum(terms, high + 1)]
    if isinstance(constraint, Where):
        predicate = constraint.predicate
        name = f"not: {constraint}"
        if isinstance(predicate, Tabulated) and predicate.is_complete:
            return [Where(constraint.variables, predicate.opposite(), name)]
        return [Where(constraint.variables, lambda *values: not predicate(*values), name)]
    if isinstance(constraint, Weigh):
        raise BadProblem("a Weigh is neither true nor false")
    return [negation(constraint)]


def question_of(problem: Problem, question: Asked) -> Question:
    """Return a variable, or a mapping from answers to facts, as the engines take it.

    Raises
    ------
    BadInput
        An answer is not a fact or a list of facts.
    BadProblem
        There is no such variable or value, or several questions are given as one.
    """
    if isinstance(question, Mapping):
        return {
            label: [(fact.variable, problem.values_of(fact)) for fact in _facts(facts)]
            for label, facts in question.items()
        }
    if isinstance(question, list | set) or (
        isinstance(question, tuple) and question not in problem.domains
    ):
        raise BadProblem(
            f"a question is a variable or a mapping from answers to facts, not {question!r}; "
            "each question is an argument of its own"
        )
    problem.values_of(Fact(question, ()))
    return {value: [(question, frozenset([value]))] for value in problem.domains[question]}


def _facts(answer: Any) -> Sequence[Fact]:
    """Return the facts of one answer of a question."""
    facts = answer if isinstance(answer, list | tuple) else [answer]
    for fact in facts:
        if not isinstance(fact, Fact):
            raise BadInput(f"a question maps answers to facts, not to {fact!r}")
    return facts


@frozen(eq=False)
class Asker:
    """Asks one model, with a chosen engine (``"auto"``: by query and cost) and budget.

    No engine is called on what propagation or the Hamming bound already refutes; the answer then
    names ``"bounds"``.
    """

    model: Model
    engine: str = "auto"
    budget: Budget = STANDARD

    def is_consistent(self, *also: Constraint) -> Answer[bool]:
        """Return whether a world exists that satisfies the model, and the extra constraints."""
        answer = self.solve(*also)
        return Answer(answer.value is not None, answer.engine)

    def solve(self, *also: Constraint) -> Answer[World | None]:
        """Return a world that satisfies the model and the extra constraints, or ``None``.

        Raises
        ------
        BadProblem
            An extra constraint that the problem could not have.
        """
        for constraint in also:
            self.model.problem.check(constraint)
        return self.solve_selection([*self.model.statements, *map(self.model.compile, also)])

    def solve_selection(self, selection: Sequence[Statement]) -> Answer[World | None]:
        """Return a world that satisfies these statements of the model, or ``None``."""
        if not self._is_listed and _refuted(Bounds(self.model, selection, self.budget.meter())):
            return Answer(None, "bounds")
        return self._ask(
            "solve", lambda chosen, meter: chosen.solve(self.model, meter, selection), selection
        )

    def possible(self) -> Answer[Mapping[Variable, frozenset[Value]]]:
        """Return the values that each variable has in some world.

        Raises
        ------
        Contradiction
            There is no world.
        """
        self._check_bounds()
        answer = self._ask("possible", lambda chosen, meter: chosen.possible(self.model, meter))
        if not answer.value:
            raise Contradiction
        return answer

    def narrowed(self) -> Mapping[Variable, frozenset[Value]]:
        """Return the values that propagation leaves each variable: at least the possible ones.

        Raises
        ------
        Contradiction
            Propagation excludes every world.
        """
        if self._is_listed:
            return self.possible().value
        self._check_bounds()
        assert self.model.left is not None
        return self.model.left_by(self.model.left)

    def tally(self, *, weighted: bool) -> Answer[Tally]:
        """Return the number (or weight) of all worlds, in all and by variable and value."""
        if self._refuted_by_bounds:
            return Answer(Tally(0, {}), "bounds")
        return self._ask(
            "tally", lambda chosen, meter: chosen.tally(self.model, meter, weighted=weighted)
        )

    def total(self, *, weighted: bool) -> Answer[Weight]:
        """Return the number (or weight) of all worlds, for less than `tally`."""
        if self._refuted_by_bounds:
            return Answer(0, "bounds")
        return self._ask(
            "tally", lambda chosen, meter: chosen.total(self.model, meter, weighted=weighted)
        )

    def joint(
        self, questions: Sequence[Question | Measure], *, weighted: bool
    ) -> Answer[Distribution]:
        """Return the probabilities of the combinations of answers.

        Raises
        ------
        BadProblem
            A question of which not exactly one literal holds in every world.
        Contradiction
            There is no world.
        """
        self._check_bounds()
        measures = [asked for asked in questions if isinstance(asked, Measure)]
        for question in questions:
            if not isinstance(question, Measure):
                self.check_question(question)
        if any(each.is_listed for each in measures) or (measures and self._is_listed):
            answer = self._by_cases(questions, weighted=weighted)
        else:
            answer = self._joint(questions, weighted=weighted)
        if not answer.value:
            raise Contradiction
        return Answer(Distribution(answer.value), answer.engine)

    def _joint(self, questions: Sequence[Question | Measure], *, weighted: bool) -> Answer[Joint]:
        """Return the weights of the combinations of answers, with a variable for each measure."""
        asker = self
        measures = [asked for asked in questions if isinstance(asked, Measure)]
        if measures:
            problem = with_measures(self.model.problem, measures)
            asker = evolve(self, model=Model(problem, self.budget.meter()))
            if asker._refuted_by_bounds:
                return Answer({}, "bounds")
        asked = [each.question if isinstance(each, Measure) else each for each in questions]
        try:
            return asker._ask(
                "joint",
                lambda chosen, meter: chosen.joint(asker.model, meter, asked, weighted=weighted),
            )
        except Undecided as error:
            known = {v: row for v, row in error.known.items() if not isinstance(v, Measure)}
            error.known = known
            raise

    def _by_cases(
        self, questions: Sequence[Question | Measure], *, weighted: bool
    ) -> Answer[Joint]:
        """Return the same from the list of all worlds, one case of the measures after the other."""
        table: dict[tuple[Value, ...], Weight] = {}
        problem, name = self.model.problem, "auto:worlds"
        measures = [asked for asked in questions if isinstance(asked, Measure)]
        others = [asked for asked in questions if not isinstance(asked, Measure)]
        for case in product(*(measure.cases.items() for measure in measures)):
            assumed = problem.with_evidence(*(Evidence(stated, None) for _, stated in case))
            model = self.model.grown(assumed, self.budget.meter())
            assert model is not None
            answer = evolve(self, model=model)._joint(others, weighted=weighted)
            name = answer.engine
            for answers, weight in answer.value.items():
                given, rest = (value for value, _ in case), iter(answers)
                key = [next(given if isinstance(of, Measure) else rest) for of in questions]
                table[tuple(key)] = weight
        return Answer(table, name)

    def sample(self, number: int, *, seed: int, weighted: bool) -> Answer[Sequence[World]]:
        """Return worlds drawn independently, uniformly or by weight; the seed repeats them.

        To draw no world needs no world: 0 of them are an empty list, whatever the problem is.

        Raises
        ------
        BadInput
            The number is negative or not a whole number, or the seed is not one.
        Contradiction
            There is no world.
        """
        if type(number) is not int or number < 0:
            raise BadInput(f"the number of worlds to draw is 0 or more, not {number!r}")
        if type(seed) is not int:
            raise BadInput(f"a seed is a whole number, not {seed!r}")
        if not number:
            return Answer([], "bounds")
        self._check_bounds()
        if self.engine == "auto" and self.model.drawn:
            meter = self.budget.meter()
            worlds = drawn_again(self.model, meter, number, Random(seed), weighted=weighted)
            if worlds is not None:
                return Answer(worlds, "counting")
        answer = self._ask(
            "sample",
            lambda chosen, meter: chosen.sample(
                self.model, meter, number, Random(seed), weighted=weighted
            ),
        )
        if not answer.value:
            raise Contradiction
        return answer

    def numbers(self) -> Answer[Numbers]:
        """Return for each likelihood the weight of the worlds by its number.

        Raises
        ------
        Contradiction
            There is no world.
        """
        self._check_bounds()
        return self._ask("numbers", lambda chosen, meter: chosen.numbers(self.model, meter))

    def ranked(self, number: int) -> Answer[Ranked]:
        """Return the worlds of the greatest weight with their weights, the greatest first."""
        if type(number) is not int or number < 0:
            raise BadInput(f"the number of worlds is 0 or more, not {number!r}")
        self._check_bounds()
        return self._ask("ranked", lambda chosen, meter: chosen.ranked(self.model, meter, number))

    def worlds(self) -> Iterator[World]:
        """Yield every world once, lazily. The budget counts while the worlds are drawn."""
        if self._refuted_by_bounds:
            return iter(())
        meter = self.budget.meter()
        if self.engine != "auto" or self._is_listed:
            name = "auto:worlds" if self.engine == "auto" else self.engine
            return engine(name).worlds(self.model, meter)
        return listed(self.model, meter)

    def is_certain(self, constraint: Constraint) -> Answer[bool]:
        """Return whether every world satisfies the constraint.

        Raises
        ------
        Contradiction
            There is no world.
        """
        name = "bounds"
        for opposed in negations(constraint):
            counterexample = self.solve(opposed)
            name = counterexample.engine
            if counterexample.value is not None:
                return Answer(value=False, engine=name)
        if not self.is_consistent().value:
            raise Contradiction
        return Answer(value=True, engine=name)

    @property
    def _is_listed(self) -> bool:
        """Whether a list of the worlds answers, so that propagation is not needed."""
        return self.engine == "auto" and self.model.all_worlds is not None

    @property
    def _refuted_by_bounds(self) -> bool:
        model = self.model
        if self._is_listed:
            return False
        if model.refuted is None:
            bounds = Bounds(model, meter=self.budget.meter())
            known = bounds.start if model.within is None else bounds.start & model.within
            model.left = bounds.narrow(known)
            model.refuted = model.left == IMPOSSIBLE or bounds.refutes(model.left)
        return model.refuted

    def _check_bounds(self) -> None:
        if self._refuted_by_bounds:
            raise Contradiction

    def check_question(self, question: Question) -> None:
        """Raise `BadProblem` unless exactly one literal of a question holds in every world."""
        facts = [
            Fact(variable, frozenset(values))
            for literals in question.values()
            for variable, values in literals
        ]
        variables = {fact.variable for fact in facts}
        if len(variables) == 1:
            domain = self.model.problem.domains[facts[0].variable]
            if Counter(v for fact in facts for v in fact.values) == Counter(domain):
                return
        number = len(facts)
        if any(  # a rule that says just this, as most games have, spares the search
            len(rule.facts) == number and set(rule.facts) == set(facts)
            for rule in self.model.problem.constraints()
            if isinstance(rule, Count) and (rule.low, rule.high) == (1, 1)
        ):
            return
        try:
            certain = self.is_certain(Count(facts, 1, 1)).value
        except Contradiction:
            return
        if not certain:
            labels = ", ".join(str(label) for label in question)
            raise BadProblem(f"not exactly one of the answers {labels} holds in every world")

    def _ask(
        self,
        query: str,
        run: Callable[[Engine, Meter], T],
        selection: Sequence[Statement] | None = None,
    ) -> Answer[T]:
        meter = self.budget.meter()
        tries: Iterable[tuple[Engine, int | None]]
        if self.engine != "auto":
            chosen = engine(self.engine)
            if not chosen.supports(self.model, query):
                raise Unsupported(
                    f"the engine {self.engine!r} does not answer {query!r} about this problem; "
                    "'auto' takes one that does"
                )
            tries = [(chosen, None)]
        else:
            tries = engines_for(query, self.model, meter, selection)
        tried = Attempts()
        spent: dict[str, int] = {}
        with tried.noted("auto"):
            for chosen, steps in tries:
                part = meter.share(steps, halved=self.engine == "auto" and steps is not None)
                limit = part.budget.steps
                if limit is not None and limit <= spent.get(chosen.name, -1):
                    continue  # it would begin from nothing, and end where it ended before
                with tried.noted(chosen.name):
                    try:
                        return Answer(run(chosen, part), chosen.name)
                    except Unsupported:
                        # The engine supports the model, but not what else is asked of it.
                        if self.engine != "auto":
                            raise
                    finally:
                        meter.steps += part.steps
                        spent[chosen.name] = part.steps
                if is_awaited():
                    break
                meter.check()
        if tried:
            raise tried.undecided(self.not_excluded())
        raise Unsupported(f"no engine here answers {query!r}")

    def lists_soon(self) -> bool:
        """Return whether all worlds can be listed in branches, in some seconds."""
        return self.engine == "auto" and lists_soon(self.model, self.budget.meter())

    def states_of_hands(self) -> float:
        """Return a rough number of the states of a sweep, if it alone counts exactly; else 0."""
        try:
            return states_of_hands(self.model, self.budget.meter()) if self.engine == "auto" else 0
        except Undecided:
            return inf

    def not_excluded(self) -> Mapping[Variable, frozenset[Value]]:
        """Return the values that propagation alone leaves: cheap, and never too few.

        An empty mapping: propagation finds a contradiction. Where it takes long, what the facts
        alone leave is returned.
        """
        left = self.model.start if self._is_listed else self.model.left
        if left is None:
            bounds = Bounds(self.model, meter=Budget(seconds=MOMENT).meter())
            left = bounds.start
            if left.bit_length() <= LONG:
                with suppress(Undecided):
                    left = bounds.narrow(bounds.start)
        return {} if left == IMPOSSIBLE else self.model.left_by(left)


class Queries(Protocol):
    """What doubts and advice ask about a log; `deduce.knowledge.Knowledge` answers it."""

    @property
    def game(self) -> HiddenGame:
        """The game."""

    @property
    def log(self) -> Sequence[Event]:
        """The events so far."""

    @property
    def viewer(self) -> Viewer:
        """Whose view it is."""

    @property
    def doubts(self) -> object:
        """Which events may be wrong; ``None``: those whose evidence has a doubt."""

    @property
    def engine(self) -> str:
        """``"auto"``, or the name of the one engine to use."""

    @property
    def budget(self) -> Budget:
        """What each query may spend."""

    @property
    def problem(self) -> Problem:
        """The variables, rules and evidence."""

    @property
    def asker(self) -> Asker:
        """The compiled problem with engine and budget."""

    def using(self, *, budget: Budget) -> Self:
        """Return the same with another budget."""

    def doubting(self, doubts: Any) -> Self:
        """Return the same with other doubts."""

    def possible(self) -> Mapping[Variable, frozenset[Value]]:
        """Return the possible values of every variable."""

    def count(self) -> int:
        """Return the number of worlds."""

    def shares(self) -> Mapping[Variable, Mapping[Value, Fraction]]:
        """Return the share of worlds of each value of each variable."""

    def posterior(self) -> Mapping[Variable, Mapping[Value, Fraction]]:
        """Return the probability of each value of each variable."""

    def worlds(self) -> Iterator[World]:
        """Yield all worlds."""

    def sample(self, number: int, *, seed: int, weighted: bool) -> Sequence[World]:
        """Return random worlds."""

    def question(self, question: Asked) -> Question:
        """Return a question of the game as the engines take it."""

    def joint(self, *questions: Asked, weighted: bool) -> Distribution:
        """Return the joint distribution of the answers to questions."""


def _refuted(bounds: Bounds) -> bool:
    left = bounds.narrow(bounds.start)
    return left == IMPOSSIBLE or bounds.refutes(left)


class Attempts:
    """The attempts at a question that ran out of budget, and what they found out."""

    def __init__(self) -> None:
        self.attempts: list[str] = []
        self.at_least: int | None = None
        self.at_most: int | None = None

    def __bool__(self) -> bool:
        return bool(self.attempts)

    @contextmanager
    def noted(self, name: str) -> Iterator[None]:
        """Note that an attempt ran out of budget."""
        try:
            yield
        except Undecided as error:
            if name != "auto" or not self.attempts:
                self.attempts.append(f"{name}: {error}")
            bounds = [b for b in (self.at_least, error.at_least) if b is not None]
            self.at_least = max(bounds, default=None)
            bounds = [b for b in (self.at_most, error.at_most) if b is not None]
            self.at_most = min(bounds, default=None)

    def undecided(self, known: Mapping[Variable, frozenset[Value]]) -> Undecided:
        """Return the error with all attempts and with the bounds on the number of worlds."""
        message = "; ".join(self.attempts)
        if self.at_least is not None and self.at_most is not None:
            message += f"; from {_magnitude(self.at_least)} to {_magnitude(self.at_most)} worlds"
        return Undecided(message, known=known, at_least=self.at_least, at_most=self.at_most)


def _magnitude(number: int) -> str:
    """Return a number, or the power of ten below it where it is long."""
    return f"{number:,}" if number < 10**9 else f"10^{int((number.bit_length() - 1) * log10(2))}"


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
