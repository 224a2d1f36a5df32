"""Components that only exclude pairs, counted by matrices, against trying everything."""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

import pytest

from deduce import Knowledge
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.model import Model
from deduce.engines.count.search.components import Components
from deduce.engines.count.search.search import Search
from deduce.problem import Problem
from deduce.reasoning.queries import question_of
from deduce.testing import enumeration as yardstick
from tests.benchmarks.walls_of_choices import KNOWN, apart, ships
from tests.engines.bodies import meter


def test_ships_on_a_board_are_counted_by_matrices() -> None:
    problem = ships(4, (2, 2, 3))
    model = Model(problem)
    bounds = Bounds(model)
    searched = Search(bounds, meter())
    root = searched.count(bounds.narrow(bounds.start))
    assert root is not None
    assert [node.leaf is not None for node in searched.cache.values()] == [True]
    found = yardstick.worlds(problem)
    assert root.total == len(found)
    tally = Components().tally(model, meter(), weighted=False)
    assert tally.of == yardstick.marginals(problem, found, weighted=False)


@pytest.mark.parametrize("name", [name for name in KNOWN if name.startswith("ships")][:1])
def test_fleets_have_as_many_arrangements_as_other_programs_count(name: str) -> None:
    make, worlds = KNOWN[name]
    knowledge = Knowledge(make())
    assert knowledge.count() == worlds


@pytest.mark.parametrize("problem", [ships(3, (3, 2, 2, 1, 1)), apart(5, (3, 2, 2, 1, 1))])
def test_five_ships_have_the_answers_of_the_list_of_all_worlds(problem: Problem) -> None:
    """The ships of one cell are alike; as predicates of two, as many as three conflict with one."""
    found = yardstick.worlds(problem)
    model = Model(problem)
    tally = Components().tally(model, meter(), weighted=False)
    assert tally.total == len(found)
    assert tally.of == yardstick.marginals(problem, found, weighted=False)
    two = [question_of(problem, name) for name in list(problem.domains)[::3]]
    joint = Components().joint(model, meter(), two, weighted=False)
    expected = Counter(tuple(world[name] for name in list(problem.domains)[::3]) for world in found)
    assert joint == expected
    drawn = Components().sample(model, meter(), 300, Random(1), weighted=False)
    assert len({tuple(world.values()) for world in drawn}) > 150
    every = set(map(yardstick.frozen_world, found))
    assert all(yardstick.frozen_world(world) in every for world in drawn)


def test_without_numpy_the_search_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deduce.system.arrays.has_arrays", lambda: False)
    monkeypatch.setitem(sys.modules, "numpy", None)
    problem = ships(4, (2, 2, 3))
    expected = len(yardstick.worlds(problem))
    assert Components().tally(Model(problem), meter(), weighted=False).total == expected
