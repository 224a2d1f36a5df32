"""Hidden paths and other trees of tables: what they cost, and what is no tree."""

from __future__ import annotations

from random import Random
from typing import Any

from deduce import (
    Budget,
    Knowledge,
    Problem,
    Rows,
    Where,
    at_most,
    is_,
    moves,
)
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.model import Model
from deduce.engines.count.trees import trees_of


def traveller(nodes: int, moved: int) -> Problem:
    """Return the moves of a hidden traveller on a graph of streets; the start is known."""
    random = Random(nodes)
    streets: dict[int, set[int]] = {node: set() for node in range(nodes)}
    for node in range(1, nodes):
        for _ in range(2 + (random.random() < 0.4)):
            other = random.randrange(max(0, node - 7), node)
            streets[node].add(other)
            streets[other].add(node)
    problem = moves(["x"], streets, range(moved + 1))
    return Problem(problem.domains, [*problem.rules, is_(("x", 0), 100)])


def test_24_moves_on_199_nodes_take_few_steps() -> None:
    """A step of the budget is about a third of a microsecond."""
    problem = traveller(199, 24)
    steps = {"count": 5_000, "shares": 10_000, "sample": 10_000, "probable_worlds": 20_000}
    for name, budget in steps.items():
        k = Knowledge(problem, budget=Budget(steps=budget), engine="counting")
        assert getattr(k, name)(**({"number": 3, "seed": 1} if name == "sample" else {}))


def test_equal_tables_are_made_once() -> None:
    calls = []

    def next_to(a: int, b: int) -> bool:
        calls.append((a, b))
        return abs(a - b) == 1

    domains = {step: range(20) for step in range(30)}
    rules = [Where((step, step + 1), next_to) for step in range(29)]
    problem = Problem(domains, rules)
    calls.clear()
    assert Knowledge(problem).count() > 10**9
    assert len(calls) < 500  # 400, and a few when problems are made
    claim = Where((0, 29), lambda a, b: (a + b) % 2 == 1)
    assert Knowledge(problem).is_certain(claim)
    assert not Knowledge(problem).is_certain(Where((0, 29), lambda a, b: (a + b) % 2 == 0))


def test_what_is_no_tree_is_left_to_the_sweep() -> None:
    """Two tables about one pair are one edge; a circle, and what is in a Count, are no trees."""
    domains = {name: range(3) for name in "abcd"}
    ab, bc, ca = (
        Where(tuple(pair), Rows([(0, 1), (1, 2), (2, 0), (2, 2)])) for pair in ("ab", "bc", "ca")
    )
    twice = Where(("b", "a"), Rows([(1, 0), (2, 1), (2, 2)]))

    def trees(*rules: Any) -> list[set[str]]:
        bounds = Bounds(Model(Problem(domains, rules)))
        state = bounds.narrow(bounds.start)
        return [{"abcd"[i] for i in tree.vectors} for tree in trees_of(bounds, state)]

    assert trees(ab, bc, twice) == [{"a", "b", "c"}]
    assert trees(ab, bc, ca) == []
    assert trees(ab, at_most(1, [is_("a", 0), is_("d", 0)])) == []
    assert trees(ab, at_most(2, [is_("a", 0), is_("d", 0)])) == [{"a", "b"}]
