"""Components that only exclude pairs, counted by matrices, against trying everything."""

from __future__ import annotations

import sys
from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce import Knowledge, Problem, at_most, exactly, is_
from deduce.constraints import Constraint, Fact, Where
from deduce.engines.bounds import Bounds
from deduce.engines.counting import pairwise
from deduce.engines.counting.components import Components
from deduce.engines.counting.search import Search
from deduce.engines.model import Model
from deduce.testing import enumeration as yardstick
from tests.engines.bodies import assert_engine_agrees, meter


@st.composite
def exclusions(draw: st.DrawFn) -> Problem:
    """Draw a problem of pairs that exclude each other, with some other constraint in a third."""
    names = "wxyz"[: draw(st.integers(2, 4))]
    domains = {name: range(draw(st.integers(2, 4))) for name in names}
    made: list[Constraint] = []
    for _ in range(draw(st.integers(1, 6))):
        chosen = draw(st.lists(st.sampled_from(names), min_size=2, unique=True))
        facts = [
            is_(name, *draw(st.sets(st.sampled_from(domains[name]), min_size=1))) for name in chosen
        ]
        made.append(at_most(1, facts))
    if draw(st.booleans()):
        a, b = draw(st.permutations(names))[:2]
        made.append(Where((a, b), lambda x, y: (x + 2 * y) % 3 != 1, "a table of two"))
    if draw(st.integers(0, 2)) == 0:
        made.append(exactly(1, [is_(name, 1) for name in names]))
    return Problem(domains, made)


@settings(max_examples=150)
@given(problem=exclusions())
def test_matrices_agree_with_trying_everything(problem: Problem) -> None:
    """Small components are forced to be counted by matrices."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairwise, "MIN_CELLS", 0)
        patch.setattr("deduce.engines.counting.search.MIN_CELLS", 0)
        assert_engine_agrees(Components(), problem)


def _ships(size: int, lengths: tuple[int, ...]) -> Problem:
    """Ships on a square board that do not overlap; each ship's value is its set of cells."""
    places = {
        length: [
            frozenset((row + i * down, column + i * (1 - down)) for i in range(length))
            for down in (0, 1)
            for row in range(size - (length - 1) * down)
            for column in range(size - (length - 1) * (1 - down))
        ]
        for length in lengths
    }
    domains = {f"ship {n}": places[length] for n, length in enumerate(lengths)}
    cells = [(row, column) for row in range(size) for column in range(size)]
    rules = [
        at_most(1, [Fact(ship, [p for p in domains[ship] if cell in p]) for ship in domains])
        for cell in cells
    ]
    return Problem(domains, rules)


def test_ships_on_a_board_are_counted_by_matrices() -> None:
    problem = _ships(4, (2, 2, 3))
    model = Model(problem)
    bounds = Bounds(model)
    searched = Search(bounds, meter())
    root = searched.count(bounds.narrow(bounds.start))
    assert root is not None
    assert [node.leaf is not None for node in searched.nodes] == [True]
    found = yardstick.worlds(problem)
    assert root.total == len(found)
    tally = Components().tally(model, meter(), weighted=False)
    assert tally.of == yardstick.marginals(problem, found, weighted=False)


def test_four_ships_have_as_many_arrangements_as_a_program_for_ships_counts() -> None:
    """Counted independently by two nested loops over the sets of cells of two ships."""
    lengths = (2, 3, 3, 4)
    problem = _ships(6, lengths)
    domains: list[list[Any]] = [list(values) for values in problem.domains.values()]
    expected = 0
    for first in domains[0]:
        for second in (place for place in domains[3] if not place & first):
            used = first | second
            third = [place for place in domains[1] if not place & used]
            expected += sum(1 for a in third for b in third if not a & b)
    assert Knowledge(problem).count() == expected


def test_draws_are_uniform() -> None:
    problem = _ships(3, (2, 2, 3))
    found = yardstick.worlds(problem)
    drawn = Components().sample(Model(problem), meter(), 4000, Random(1), weighted=False)
    counts = Counter(yardstick.frozen_world(world) for world in drawn)
    expected = 4000 / len(found)
    for world in found:
        assert abs(counts[yardstick.frozen_world(world)] - expected) < 5 * expected**0.5


def test_without_numpy_the_search_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    problem = _ships(4, (2, 2, 3))
    expected = len(yardstick.worlds(problem))
    assert Components().tally(Model(problem), meter(), weighted=False).total == expected
