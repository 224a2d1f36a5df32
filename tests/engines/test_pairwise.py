"""Components that only exclude pairs, counted by matrices, against trying everything."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from deduce import Knowledge, Problem, at_most
from deduce.constraints import Fact
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.model import Model
from deduce.engines.count.search.components import Components
from deduce.engines.count.search.search import Search
from deduce.testing import enumeration as yardstick
from tests.engines.bodies import meter


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


def test_without_numpy_the_search_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    problem = _ships(4, (2, 2, 3))
    expected = len(yardstick.worlds(problem))
    assert Components().tally(Model(problem), meter(), weighted=False).total == expected
