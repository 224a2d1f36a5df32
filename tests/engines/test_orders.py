"""Orders, counted value by value, against known numbers and the list of all worlds."""

from __future__ import annotations

from random import Random

import pytest

from deduce import Budget, Knowledge, Problem, Where, exactly, is_, permutation
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.model import Model
from deduce.engines.core.residue import Component, residue
from deduce.engines.count.engine import Counting
from deduce.engines.count.sets.orders import Orders
from deduce.testing import enumeration
from tests.benchmarks.walls_of_choices import KNOWN, order
from tests.engines.bodies import meter


def component_of(problem: Problem) -> Component:
    bounds = Bounds(Model(problem))
    (component,) = residue(bounds, bounds.narrow(bounds.start)).components
    return component


@pytest.mark.parametrize("name", [name for name in KNOWN if name.startswith("order")][:1])
def test_orders_have_as_many_worlds_as_other_programs_count(name: str) -> None:
    make, worlds = KNOWN[name]
    knowledge = Knowledge(make())
    assert knowledge.count() == worlds
    assert all(sum(row.values()) == 1 for row in knowledge.shares().values())
    clues = [c for c in knowledge.problem.constraints() if isinstance(c, Where)]
    for world in knowledge.sample(20, seed=1):
        assert all(clue.allows([world[name] for name in clue.variables]) for clue in clues)


def test_the_states_of_an_order_are_the_sets_that_the_clues_allow() -> None:
    """A chain has one order of its own, so each state is a beginning of it and some of the rest."""
    chain, free = 12, 2
    problem = order(chain + free, 0)
    clues = [Where((i, i + 1), lambda a, b: a < b) for i in range(chain - 1)]
    counted = Orders.of(component_of(Problem(problem.domains, [*problem.rules, *clues])))
    assert counted is not None
    counted.weigh(meter())
    assert counted.total == (chain + 1) * (chain + 2)
    assert sum(map(len, counted._layers)) <= (chain + 1) * 2**free + 1


def test_neighbours_are_remembered_only_until_the_next_place() -> None:
    """Eight pairs side by side: a state has one pair begun at most, not any number of them."""
    pairs = 8
    problem = order(2 * pairs, 0)
    beside = [Where((2 * i, 2 * i + 1), lambda a, b: abs(a - b) == 1) for i in range(pairs)]
    counted = Orders.of(component_of(Problem(problem.domains, [*problem.rules, *beside])))
    assert counted is not None
    counted.weigh(meter())
    assert counted.total == 40320 * 2**pairs
    assert max(map(len, counted._layers)) < 2**pairs * pairs


@pytest.mark.parametrize("runners", [5, 6])
def test_small_orders_have_the_answers_of_the_list_of_all_worlds(runners: int) -> None:
    problem = order(runners)
    engine, model = Counting(orders_from=0.0), Model(problem)
    worlds = enumeration.worlds(problem)
    tally = engine.tally(model, meter(), weighted=False)
    assert tally.total == len(worlds)
    assert tally.of == enumeration.marginals(problem, worlds, weighted=False)
    drawn = engine.sample(model, meter(), 40 * len(worlds), Random(1), weighted=False)
    assert {tuple(world.values()) for world in drawn} == {tuple(w.values()) for w in worlds}


def test_seats_at_a_table_are_swept_by_variables() -> None:
    """Every neighbour is to be remembered: value by value it takes a hundred times as long."""
    names = permutation(range(12))
    apart = [Where((i, (i + 1) % 12), lambda a, b: abs(a - b) not in (1, 11)) for i in range(12)]
    problem = Problem(names.domains, [*names.rules, *apart])
    orders = Orders.of(component_of(problem))
    assert orders is not None
    assert not orders.is_narrow
    assert Knowledge(problem, budget=Budget(3_000_000)).count() == 43_546_872


def test_a_problem_is_no_order_if_a_value_may_belong_to_two() -> None:
    names = "abc"
    clues = [Where(("a", "b"), lambda a, b: a < b), Where(("b", "c"), lambda a, b: a <= b)]
    rules = [exactly(1, [is_(name, value) for name in names]) for value in range(2)]
    problem = Problem(dict.fromkeys(names, range(3)), [*rules, *clues])
    assert Orders.of(component_of(problem)) is None
