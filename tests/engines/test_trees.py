"""Hidden paths, against the forward-backward algorithm in numpy, written for this file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from attrs import frozen

from deduce import (
    Budget,
    Constraint,
    Knowledge,
    Problem,
    Rows,
    Where,
    at_most,
    is_,
    is_not,
    moves,
    seen,
)
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.model import Model
from deduce.engines.count.trees import trees_of
from deduce.testing.frequencies import MAX_DEVIATION, deviation

ENGINES = ("auto", "counting", "components", "bits", "reference", "cpsat")
COUNTING = ("auto", "counting", "components")
DRAWS = 400


@frozen(eq=False)
class Path:
    """A path that is drawn: 0 where something is not possible, and else its weight."""

    first: Any
    steps: Sequence[Any]
    """The matrices from one step to the next."""
    given: Sequence[Any]
    """The likelihood of what was seen at each step."""

    def weights(self, *, weighted: bool) -> tuple[list[Any], list[Any]]:
        vectors = [self.first * self.given[0], *self.given[1:]]
        if weighted:
            return vectors, list(self.steps)
        return [(v > 0).astype(object) for v in vectors], [
            (m > 0).astype(object) for m in self.steps
        ]

    def passes(self, *, weighted: bool) -> tuple[list[Any], list[Any]]:
        """Return the forward and the backward vectors."""
        vectors, steps = self.weights(weighted=weighted)
        forward = [vectors[0]]
        for vector, step in zip(vectors[1:], steps, strict=True):
            forward.append(forward[-1].dot(step) * vector)
        backward = [np.ones(len(vectors[0]), dtype=object)]
        for vector, step in zip(vectors[:0:-1], steps[::-1], strict=True):
            backward.append(step.dot(vector * backward[-1]))
        return forward, backward[::-1]

    def marginals(self, *, weighted: bool) -> list[dict[int, Fraction]]:
        forward, backward = self.passes(weighted=weighted)
        total = forward[-1].sum()
        return [
            {place: Fraction(w) / total for place, w in enumerate(f * b) if w}
            for f, b in zip(forward, backward, strict=True)
        ]

    def pair(self, a: int, b: int) -> dict[tuple[int, ...], Fraction]:
        """Return the joint distribution of two steps, a before b."""
        vectors, steps = self.weights(weighted=True)
        forward, backward = self.passes(weighted=True)
        between = np.diag(forward[a])
        for number in range(a, b):
            between = between.dot(steps[number] * vectors[number + 1][None, :])
        table = between * backward[b][None, :]
        total = table.sum()
        return {place: Fraction(w) / total for place, w in np.ndenumerate(table) if w}

    def best(self) -> Fraction:
        """Return the probability of the most probable path (Viterbi)."""
        vectors, steps = self.weights(weighted=True)
        best = vectors[0]
        for vector, step in zip(vectors[1:], steps, strict=True):
            best = (best[:, None] * step).max(axis=0) * vector
        return Fraction(best.max() / self.passes(weighted=True)[0][-1].sum())


def drawn(random: Random) -> tuple[Path, Problem]:
    """Return a path, and the problem of it: weighed by node, by edge, or not at all."""
    size, length = random.randint(2, 5), random.randint(2, 6)
    kind = random.choice(["plain", "by node", "by edge"])
    matrix = np.zeros((size, size), dtype=object)
    for a in range(size):
        weight = Fraction(random.randint(1, 4), random.randint(1, 3))
        for b in range(size):
            if random.random() < 0.6:
                matrix[a, b] = {"plain": Fraction(1), "by node": weight}.get(
                    kind, Fraction(random.randint(1, 3), random.randint(1, 2))
                )
    graph = {a: {b: matrix[a, b] for b in range(size) if matrix[a, b]} for a in range(size)}
    problem = moves(["x"], graph, range(length))
    given: list[Any] = []
    rules: list[Constraint] = []
    for step in range(length):
        vector = np.ones(size, dtype=object)
        if random.random() < 0.4:
            vector = np.array([Fraction(random.randint(1, 5)) for _ in range(size)], dtype=object)
            rules.append(seen(("x", step), dict(enumerate(vector))))
        if random.random() < 0.3:
            place = random.randrange(size)
            vector[place] = 0
            rules.append(is_not(("x", step), place))
        given.append(vector)
    steps = [matrix] * (length - 1)
    if random.random() < 0.4:  # a move of which more is seen
        number = random.randrange(length - 1)
        rows = [(a, b) for a in range(size) for b in range(size) if random.random() < 0.7]
        steps[number] = matrix * np.array(
            [[(a, b) in rows for b in range(size)] for a in range(size)]
        )
        rules.append(Where((("x", number), ("x", number + 1)), Rows(rows)))
    first = np.ones(size, dtype=object)
    return Path(first, steps, given), Problem(problem.domains, [*problem.rules, *rules])


def test_draws_come_by_their_weight() -> None:
    random = Random(33)
    for number in range(40):
        path, problem = drawn(random)
        if not path.passes(weighted=False)[0][-1].sum():
            continue
        for engine in COUNTING:
            worlds = Knowledge(problem, engine=engine).sample(DRAWS, seed=number)
            last = len(path.given) - 1
            counts = Counter((world["x", 0], world["x", last]) for world in worlds)
            assert deviation(counts, path.pair(0, last), DRAWS) <= MAX_DEVIATION
            for step, expected in enumerate(path.marginals(weighted=True)):
                counts = Counter(world["x", step] for world in worlds)
                assert deviation(counts, expected, DRAWS) <= MAX_DEVIATION


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
