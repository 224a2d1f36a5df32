"""Answers by listing all worlds: each query's plain meaning, sharing no code with the engines.

Variables get their values one after the other, and a combination is left as soon as a constraint
cannot hold any more. So problems of dozens of variables are listed too if they have few worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import inf, lcm, prod

from attrs import evolve

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
from deduce.engines.base import Question
from deduce.errors import Undecided
from deduce.problem import Evidence, Instead, Problem, World, is_true, number_of

__all__ = [
    "MAX_COMBINATIONS",
    "choices",
    "frozen_world",
    "hard",
    "joint",
    "listed",
    "marginals",
    "possible",
    "satisfying",
    "weight",
    "weights",
    "worlds",
    "wrong",
]

MAX_COMBINATIONS = 20_000
"""Problems with more are not listed."""


def worlds(problem: Problem, *, most: float = inf) -> list[World]:
    """Return all worlds; evidence with a doubt excludes none.

    Parameters
    ----------
    problem
        The problem.
    most
        How many combinations, complete or not, are looked at.

    Raises
    ------
    Undecided
        There are more.

    Examples
    --------
    >>> from deduce import at_least, is_
    >>> worlds(Problem({"a": (1, 2), "b": (1, 2)}, [at_least(2, [is_("a", 1), is_("b", 2)])]))
    [{'a': 1, 'b': 2}]
    """
    names = list(problem.domains)
    tests: list[list[_Bounded]] = [[] for _ in names]
    tables: list[list[_Factor]] = [[] for _ in names]
    for constraint in hard(problem):
        if isinstance(constraint, Weigh) and not constraint.excludes:
            continue
        if not isinstance(constraint, Fact | Count | Sum):
            places = map(names.index, variables_of(constraint))
            tables[max(places, default=0)].append(_factor(problem, constraint))
        else:
            bounded = _Bounded(constraint, problem)
            if not bounded.is_possible(0, -1):
                return []
            for name in bounded.amounts:
                tests[names.index(name)].append(bounded)
    found: list[World] = []
    world: dict[Variable, Value] = {}
    looked = 0

    def extend(place: int) -> None:
        nonlocal looked
        if place == len(names):
            found.append(dict(world))
            return
        name = names[place]
        for value in problem.domains[name]:
            looked += 1
            if looked > most:
                raise Undecided(f"more than {most} combinations")
            world[name] = value
            for test in tests[place]:
                test.sum += test.amounts[name].get(value, 0)
            if all(test.is_possible(test.sum, place) for test in tests[place]) and all(
                table(world) for table in tables[place]
            ):
                extend(place + 1)
            for test in tests[place]:
                test.sum -= test.amounts[name].get(value, 0)

    extend(0)
    return found


@lru_cache(maxsize=4)
def listed(problem: Problem) -> Sequence[World]:
    """Return all worlds of a small problem; `Undecided`: it has too many combinations."""
    return worlds(problem, most=MAX_COMBINATIONS)


def satisfying(problem: Problem, found: Sequence[World], constraint: Constraint) -> int:
    """Return which of some worlds satisfy a constraint, as the bits of a number."""
    factor = _factor(problem, constraint)
    return sum(1 << place for place, world in enumerate(found) if factor(world))


class _Bounded:
    """A Fact, Count or Sum: amounts by value of each variable, whose sum has bounds."""

    def __init__(self, constraint: Fact | Count | Sum, problem: Problem) -> None:
        terms: Sequence[tuple[Fact, int]]
        low: int | None = 1
        high: int | None = 1
        if isinstance(constraint, Fact):
            terms = [(constraint, 1)]
        else:
            low, high = constraint.low, constraint.high
            amounts = constraint.terms if isinstance(constraint, Sum) else None
            terms = amounts or [(fact, 1) for fact in constraint.facts]
        self.low = -inf if low is None else low
        self.high = inf if high is None else high
        self.sum = 0
        self.amounts: dict[Variable, dict[Value, int]] = {}
        for fact, amount in terms:
            row = self.amounts.setdefault(fact.variable, {})
            for value in problem.domains[fact.variable]:
                row[value] = row.get(value, 0) + amount * is_true(fact, {fact.variable: value})
        left = [(0, 0)]
        for name in reversed(list(problem.domains)):
            row = self.amounts.get(name, {None: 0})
            low, high = left[-1]
            left.append((low + min(row.values()), high + max(row.values())))
        self.left = left[::-1]
        """For each place the least and the greatest sum of what is added from there on."""

    def holds(self, world: World) -> bool:
        """Return whether a complete world keeps the bounds."""
        number = sum(row.get(world[name], 0) for name, row in self.amounts.items())
        return self.low <= number <= self.high

    def is_possible(self, number: int, place: int) -> bool:
        """Return whether the bounds can be met with this sum of the variables up to a place."""
        low, high = self.left[place + 1]
        return self.low <= number + high and number + low <= self.high


def hard(problem: Problem) -> list[Constraint]:
    """Return the constraints without those that are doubted."""
    certain = [piece.constraint for piece in problem.evidence if piece.doubt is None]
    return [rule.constraint for rule in problem.rules] + certain


def choices(problem: Problem) -> list[dict[int, Fact]]:
    """Return the facts, numbered, of each constraint that says that exactly one of them holds."""
    counts = [c for c in hard(problem) if isinstance(c, Count) and c.low == c.high == 1]
    return [dict(enumerate(count.facts)) for count in counts]


def frozen_world(world: World) -> frozenset[tuple[Variable, Value]]:
    """Return a world that can be in a set."""
    return frozenset(world.items())


def possible(found: Sequence[World]) -> dict[Variable, frozenset[Value]]:
    """Return the values that occur."""
    names = found[0] if found else ()
    return {name: frozenset(world[name] for world in found) for name in names}


def weight(problem: Problem, world: World, *, weighted: bool) -> Fraction:
    """Return how many times a world counts: by its likelihoods, and by what is doubted."""
    return weights(problem, [world], weighted=weighted)[0]


def weights(problem: Problem, found: Sequence[World], *, weighted: bool) -> list[Fraction]:
    """Return how many times each of some worlds counts."""
    amounts, under = _amounts(problem, found, weighted=weighted)
    return [Fraction(amount) / under for amount in amounts]


def _amounts(
    problem: Problem, found: Sequence[World], *, weighted: bool
) -> tuple[Sequence[Fraction | int], int]:
    """Return how many times each of some worlds counts, and a number to divide that by.

    Whole numbers add up ten times faster; only weights of likelihoods may be others.
    """
    if not weighted:
        return [1] * len(found), 1
    weighs = [_factor(problem, c) for c in hard(problem) if isinstance(c, Weigh)]
    answers: dict[object, list[Evidence]] = {}
    for piece in problem.evidence:
        if piece.doubt is not None:
            answers.setdefault((piece.event, piece.answer), []).append(piece)
    mixtures: list[list[tuple[int, list[_Factor]]]] = []
    under = 1
    for pieces in answers.values():
        doubt = pieces[0].doubt or Fraction(0)
        instead = [one for piece in pieces for one in piece.instead] or [Instead()]
        total = sum(one.share for one in instead)
        parts = [(1 - doubt, [piece.constraint for piece in pieces])]
        parts += [(doubt * one.share / total, list(one.constraints)) for one in instead]
        common = lcm(*(share.denominator for share, _ in parts))
        under *= common
        mixtures.append([(int(n * common), [_factor(problem, c) for c in of]) for n, of in parts])

    def weight_of(world: World) -> Fraction | int:
        result = prod(factor(world) for factor in weighs)
        for mixture in mixtures:
            result *= sum(share * prod(factor(world) for factor in of) for share, of in mixture)
        return result

    return list(map(weight_of, found)), under


def wrong(problem: Problem, found: Sequence[World]) -> dict[int | None, Fraction]:
    """Return how probably each event is wrong that is doubted; each has one piece of evidence."""
    shares, table = weights(problem, found, weighted=True), {}
    for piece in problem.evidence:
        if piece.doubt is not None:
            factor = _factor(problem, piece.constraint)
            alone = weights(evolve(problem, rules=(), evidence=[piece]), found, weighted=True)
            rows = zip(found, shares, alone, strict=True)
            right = (factor(world) * share / part for world, share, part in rows if part)
            table[piece.event] = 1 - (1 - piece.doubt) * sum(right, Fraction(0)) / sum(shares)
    return table


_Factor = Callable[[World], Fraction | int]


def _factor(problem: Problem, constraint: Constraint) -> _Factor:
    """Return what is 1 in the worlds in which a constraint holds; the weight of a likelihood."""
    if isinstance(constraint, Weigh):
        return lambda world: constraint.weights[number_of(constraint, world)]
    if isinstance(constraint, Where):
        return lambda world: int(constraint.allows([world[v] for v in constraint.variables]))
    if isinstance(constraint, Logic):
        return _condition(problem, constraint)
    if isinstance(constraint, Difference):
        return lambda world: int(_differ(constraint, world))
    if isinstance(constraint, Disjoint):

        def apart(world: World) -> int:
            items = [constraint.items(world[v]) for v in constraint.variables]
            return int(all(a.isdisjoint(b) for a, b in combinations(items, 2)))

        return apart
    bounded = _Bounded(constraint, problem)
    return lambda world: int(bounded.holds(world))


def _condition(problem: Problem, logic: Logic) -> _Factor:
    """Return what is 1 where a condition about conditions holds, word by word."""
    parts = [_factor(problem, part) for part in logic.parts]

    def holds(world: World) -> int:
        true = [bool(part(world)) for part in parts]
        match logic.word:
            case "all":
                return int(all(true))
            case "any":
                return int(any(true))
            case "none":
                return int(not any(true))
            case "if":
                return int(true[1] or not true[0])
            case "iff":
                return int(true[0] is true[1])
        number = sum(true)
        return int(logic.low <= number and (logic.high is None or number <= logic.high))

    return holds


def _differ(difference: Difference, world: World) -> bool:
    def place(side: Variable) -> int:
        if isinstance(side, Number):
            return sum(amount for fact, amount in side.terms if is_true(fact, world))
        order = difference.order
        return order.index(world[side]) if order else int(str(world[side]))

    number = place(difference.right) - place(difference.left)
    if difference.absolute:
        number = abs(number)
    low, high = difference.low, difference.high
    return (low is None or low <= number) and (high is None or number <= high)


def marginals(
    problem: Problem, found: Sequence[World], *, weighted: bool
) -> dict[Variable, dict[Value, Fraction]]:
    """Return the weight of the worlds by variable and value."""
    table: dict[Variable, dict[Value, Fraction | int]] = {}
    amounts, under = _amounts(problem, found, weighted=weighted)
    for world, share in zip(found, amounts, strict=True):
        for name, value in world.items():
            row = table.setdefault(name, {})
            row[value] = row.get(value, 0) + share
    return {name: {v: Fraction(n) / under for v, n in row.items()} for name, row in table.items()}


def joint(
    problem: Problem, found: Sequence[World], questions: Sequence[Question], *, weighted: bool
) -> dict[tuple[Value, ...], Fraction]:
    """Return the weight of the worlds by the answers to the questions."""
    table: dict[tuple[Value, ...], Fraction | int] = {}
    amounts, under = _amounts(problem, found, weighted=weighted)
    for world, share in zip(found, amounts, strict=True):
        answers: list[Value] = []
        for question in questions:
            (label,) = (
                label
                for label, literals in question.items()
                if any(world[name] in values for name, values in literals)
            )
            answers.append(label)
        key = tuple(answers)
        table[key] = table.get(key, 0) + share
    return {key: Fraction(amount) / under for key, amount in table.items()}
