"""Propagation and the Hamming bound only ever remove what no world has."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from deduce import Budget, Knowledge
from deduce.constraints import at_most, exactly, is_
from deduce.engines.core import table
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.model import Model
from deduce.engines.core.table import Table
from deduce.problem import Problem, World
from deduce.testing import enumeration as yardstick
from tests.engines.strategies import problems


def _some_of(data: st.DataObject, model: Model) -> int:
    """Return a state in which every variable keeps some of its values."""
    state = 0
    for i, domain in enumerate(model.domains):
        bits = [1 << j for j in range(model.width) if domain >> j & 1]
        kept = data.draw(st.lists(st.sampled_from(bits), min_size=1, unique=True))
        state |= sum(kept) << (i * model.stride)
    return state


def _inside(model: Model, worlds: Sequence[World], state: int) -> list[int]:
    states = [model.state(world) for world in worlds]
    return [world for world in states if world & state == world]


@settings(max_examples=40)
@given(problem=st.one_of(problems(), problems("laminar")), data=st.data())
def test_propagation_never_removes_a_value_that_some_world_has(
    problem: Problem, data: st.DataObject
) -> None:
    model = Model(problem)
    bounds = Bounds(model)
    worlds = yardstick.worlds(problem)
    for start in (bounds.start, bounds.start & _some_of(data, model)):
        left = bounds.narrow(start)
        inside = _inside(model, worlds, start)
        if inside:
            assert left != IMPOSSIBLE
        for world in inside:
            assert world & left == world
        if left != IMPOSSIBLE:
            assert left & start == left
            assert bounds.narrow(left) == left


@settings(max_examples=40)
@given(problem=st.one_of(problems(), problems("laminar")), data=st.data())
def test_a_state_with_one_value_each_survives_exactly_if_it_is_a_world(
    problem: Problem, data: st.DataObject
) -> None:
    model = Model(problem)
    bounds = Bounds(model)
    world = {v: data.draw(st.sampled_from(domain)) for v, domain in problem.domains.items()}
    state = model.state(world)
    start = state if state & bounds.start == state else 0
    assert (bounds.narrow(start) == state) == problem.holds(world)


@settings(max_examples=40)
@given(problem=st.one_of(problems(), problems("laminar")), data=st.data())
def test_the_hamming_bound_never_refutes_a_state_with_a_world(
    problem: Problem, data: st.DataObject
) -> None:
    model = Model(problem)
    bounds = Bounds(model)
    worlds = yardstick.worlds(problem)
    for start in (bounds.start, bounds.start & _some_of(data, model)):
        left = bounds.narrow(start)
        if left != IMPOSSIBLE and bounds.refutes(left):
            assert not _inside(model, worlds, start)


def test_the_hamming_bound_refutes_what_propagation_cannot() -> None:
    slots = dict.fromkeys("abcde", ("red", "blue", "green", "gold"))
    once = [at_most(1, [is_(slot, c) for slot in slots]) for c in ("red", "blue", "green")]
    few = [is_(slot, "red", "blue", "green") for slot in "abcd"]
    bounds = Bounds(Model(Problem(slots, [*once, *few])))
    left = bounds.narrow(bounds.start)
    assert left != IMPOSSIBLE
    assert bounds.refutes(left)


def test_capacity_adds_up_the_counts_that_cover_a_value_without_overlap() -> None:
    cards = {f"card {n}": ("Ann", "Ben") for n in range(6)}
    names = list(cards)
    rules = [
        exactly(1, [is_(name, "Ann") for name in names[:3]]),
        at_most(2, [is_(name, "Ann") for name in names[2:5]]),
    ]
    bounds = Bounds(Model(Problem(cards, rules)))
    assert bounds.capacities() == [1 + 3, 6]


def test_rows_by_value_are_those_found_one_by_one() -> None:
    random = Random(5)
    fields = [0b11111, 0b111 << 6, 0b1111111 << 10]
    values = [[1 << place for place in range(20) if field >> place & 1] for field in fields]
    rows = [sum(map(random.choice, values)) for _ in range(table.FEW + 20)]
    rows = list(dict.fromkeys(rows))
    while len(rows) <= table.FEW:
        rows = list(dict.fromkeys([*rows, sum(map(random.choice, values))]))
    made = Table(rows, fields)
    assert made.columns
    assert made.cost < len(rows)
    for _ in range(300):
        state = random.getrandbits(20) | random.getrandbits(20)
        within = [row for row in rows if row & ~state == 0]
        union = 0
        for row in within:
            union |= row
        assert made.within(state) == (union, len(within))
        assert made._within(state) == (union, len(within))


def test_tables_with_too_many_bits_are_not_indexed() -> None:
    rows = range(1, table.FEW + 5)
    assert not Table(rows, [(1 << table.MAX_BITS) - 1]).columns


def test_many_values_are_decided_within_the_budget() -> None:
    problem = Problem(dict.fromkeys(range(4), range(5000)), [], [])
    assert Knowledge(problem, budget=Budget(steps=100_000)).is_consistent()
