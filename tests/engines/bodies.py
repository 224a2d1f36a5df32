"""The shared test body: one engine against the yardstick, query by query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from deduce.budget import Budget, Meter
from deduce.constraints import Value
from deduce.engines.base import Engine, Question
from deduce.engines.core.model import Model
from deduce.problem import Problem
from deduce.testing import enumeration as yardstick
from deduce.testing.enumeration import frozen_world

__all__ = ["QUERIES", "assert_engine_agrees", "assert_selections_agree", "meter", "questions"]

QUERIES = ("solve", "possible", "tally", "joint", "sample", "worlds")


def meter() -> Meter:
    """Return a meter with the standard budget."""
    return Budget().meter()


def assert_engine_agrees(engine: Engine, problem: Problem) -> None:
    """Compare every query that the engine answers with the yardstick."""
    model = Model(problem)
    found = yardstick.worlds(problem)
    asked = {query for query in QUERIES if engine.supports(model, query)}
    assert {"solve", "possible"} <= asked
    world = engine.solve(model, meter())
    assert (world is None) == (not found)
    assert world is None or problem.holds(world)
    assert engine.possible(model, meter()) == yardstick.possible(found)
    if "worlds" in asked:
        listed = [frozen_world(world) for world in engine.worlds(model, meter())]
        assert Counter(listed) == Counter(map(frozen_world, found))
    for weighted in (False, True):
        weights = [yardstick.weight(problem, world, weighted=weighted) for world in found]
        if "tally" in asked:
            tally = engine.tally(model, meter(), weighted=weighted)
            assert tally.total == sum(weights)
            assert weighted or type(tally.total) is int
            assert tally.of == yardstick.marginals(problem, found, weighted=weighted)
        if "joint" in asked:
            asking = questions(problem)
            assert engine.joint(model, meter(), asking, weighted=weighted) == yardstick.joint(
                problem, found, asking, weighted=weighted
            )
        if "sample" in asked:
            drawn = engine.sample(model, meter(), 3, Random(7), weighted=weighted)
            assert len(drawn) == (3 if found else 0)
            assert all(problem.holds(world) for world in drawn)
            assert drawn == engine.sample(model, meter(), 3, Random(7), weighted=weighted)


def assert_selections_agree(engines: Iterable[Engine], problem: Problem, kept: list[bool]) -> None:
    """Compare `solve` on some of the statements with the problem of only these constraints."""
    model = Model(problem)
    pairs = list(zip(problem.constraints(), model.statements, kept, strict=True))
    rest = Problem(problem.domains, [constraint for constraint, _, keep in pairs if keep])
    selected = [statement for _, statement, keep in pairs if keep]
    is_possible = bool(yardstick.worlds(rest))
    for engine in engines:
        world = engine.solve(model, meter(), selected)
        assert (world is not None) == is_possible, engine
        assert world is None or rest.holds(world), engine


def questions(problem: Problem) -> list[Question]:
    """Return the value of the first variable, whether the last has its first value, and who first.

    The third question has literals of several variables where the problem has a value that exactly
    one variable takes in every world; otherwise it is the second variable's value.
    """
    names = list(problem.domains)
    first, last = names[0], names[-1]
    head, *tail = problem.domains[last]
    asking: list[Question] = [{v: [(first, frozenset({v}))] for v in problem.domains[first]}]
    split: dict[Value, list[tuple[Value, frozenset[Value]]]] = {"yes": [(last, frozenset({head}))]}
    if tail:
        split["no"] = [(last, frozenset(tail))]
    asking.append(split)
    found = yardstick.worlds(problem)
    every = dict.fromkeys(value for domain in problem.domains.values() for value in domain)
    for value in every:
        takers = [name for name, domain in problem.domains.items() if value in domain]
        if found and all(sum(world[n] == value for n in takers) == 1 for world in found):
            asking.append({name: [(name, frozenset({value}))] for name in takers})
            return asking
    return asking
