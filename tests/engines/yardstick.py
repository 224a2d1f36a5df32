"""Answers by trying every combination: each query's plain meaning, sharing no engine's code."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod

from deduce.constraints import Fact, Value, Variable, Weigh
from deduce.engines.base import Question
from deduce.problem import Problem, World

__all__ = ["frozen_world", "joint", "marginals", "possible", "weight", "worlds"]


def worlds(problem: Problem) -> list[World]:
    """Return all worlds."""
    names = list(problem.domains)
    rows = product(*problem.domains.values())
    candidates = (dict(zip(names, row, strict=True)) for row in rows)
    return [world for world in candidates if problem.holds(world)]


def frozen_world(world: World) -> frozenset[tuple[Variable, Value]]:
    """Return a world that can stand in a set."""
    return frozenset(world.items())


def possible(found: Sequence[World]) -> dict[Variable, frozenset[Value]]:
    """Return the values that occur."""
    names = found[0] if found else ()
    return {name: frozenset(world[name] for world in found) for name in names}


def weight(problem: Problem, world: World, *, weighted: bool) -> Fraction:
    """Return how many times a world counts."""
    weighs = [c for c in problem.constraints() if weighted and isinstance(c, Weigh)]
    return prod(
        (weigh.weights[_number(weigh, world)] for weigh in weighs),
        start=Fraction(1),
    )


def marginals(
    problem: Problem, found: Sequence[World], *, weighted: bool
) -> dict[Variable, dict[Value, Fraction]]:
    """Return the weight of the worlds by variable and value."""
    table: dict[Variable, dict[Value, Fraction]] = {}
    for world in found:
        for name, value in world.items():
            row = table.setdefault(name, {})
            row[value] = row.get(value, Fraction(0)) + weight(problem, world, weighted=weighted)
    return table


def joint(
    problem: Problem, found: Sequence[World], questions: Sequence[Question], *, weighted: bool
) -> dict[tuple[Value, ...], Fraction]:
    """Return the weight of the worlds by the answers to the questions."""
    table: dict[tuple[Value, ...], Fraction] = {}
    for world in found:
        answers: list[Value] = []
        for question in questions:
            (label,) = (
                label
                for label, literals in question.items()
                if any(world[name] in values for name, values in literals)
            )
            answers.append(label)
        key = tuple(answers)
        table[key] = table.get(key, Fraction(0)) + weight(problem, world, weighted=weighted)
    return table


def _number(weigh: Weigh, world: World) -> int:
    amounts = weigh.amounts or (1,) * len(weigh.facts)
    return sum(
        amount for fact, amount in zip(weigh.facts, amounts, strict=True) if _true(fact, world)
    )


def _true(fact: Fact, world: World) -> bool:
    return (world[fact.variable] in fact.values) is not fact.negated
