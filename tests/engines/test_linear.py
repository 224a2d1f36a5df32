"""Systems of linear equations modulo 2: counted by elimination, compared with trying everything."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce import Knowledge, Problem, Where, at_least, exactly, is_
from deduce.constraints import Constraint, Weigh
from deduce.engines import choose
from deduce.engines.counting import search
from deduce.engines.counting.components import Components
from deduce.engines.linear import FEWEST, Linear, equations_of
from deduce.engines.model import Model
from tests.engines.bodies import assert_engine_agrees, meter

VALUES = ((True, False), ("a", "b"), (0, 1), (None, ("red", 3)))
"""Domains of two values, of several types."""


@st.composite
def linear_problems(draw: st.DrawFn) -> Problem:
    """Draw equations about variables of two values, and sometimes a constraint of another kind."""
    names = [f"v{i}" for i in range(draw(st.integers(2, 6)))]
    domains: dict[str, tuple[object, ...]] = {name: draw(st.sampled_from(VALUES)) for name in names}
    if draw(st.booleans()):
        domains["wide"] = ("x", "y", "z")
    made: list[Constraint] = []
    for _ in range(draw(st.integers(1, 6))):
        scope = draw(st.lists(st.sampled_from(sorted(domains)), min_size=1, unique=True))
        chosen = [draw(st.sampled_from(domains[name])) for name in scope]
        facts = [is_(name, value) for name, value in zip(scope, chosen, strict=True)]
        kind = draw(st.sampled_from(["parity", "parity", "parity", "one", "clause", "weigh"]))
        if kind == "parity":
            made.append(_parity(scope, chosen, right=draw(st.booleans())))
        elif kind == "one":
            made.append(exactly(1, facts[:2]))
        elif kind == "clause":
            made.append(at_least(1, facts))
        else:
            made.append(Weigh(facts, list(range(1, len(facts) + 2))))
    return Problem(domains, made)


def _parity(scope: Sequence[object], chosen: Sequence[object], *, right: bool) -> Where:
    def fits(*row: object) -> bool:
        return sum(value == wanted for value, wanted in zip(row, chosen, strict=True)) % 2 == right

    return Where(scope, fits, f"{chosen} of {scope}: {right}")


@pytest.mark.parametrize("fewest", [0, FEWEST])
@settings(max_examples=60)
@given(problem=linear_problems())
def test_elimination_agrees_with_trying_everything(fewest: int, problem: Problem) -> None:
    with patch(f"{search.__name__}.FEWEST", fewest), patch(f"{search.__name__}.MIXED", 0):
        assert_engine_agrees(Components(), problem)


@settings(max_examples=40)
@given(problem=linear_problems())
def test_the_automatic_choice_asks_for_a_world_by_elimination(problem: Problem) -> None:
    with (
        patch(f"{search.__name__}.FEWEST", 0),
        patch.dict(choose.PLANS, {"linear solve": (("components", None),), "solve": ()}),
        patch.object(choose, "looks_linear", lambda statements: True),
    ):
        count = Knowledge(problem, engine="reference").count()
        assert Knowledge(problem).is_consistent() == (count > 0)


@given(st.sets(st.integers(0, 31), min_size=1))
def test_equations_have_just_the_given_solutions(vectors: set[int]) -> None:
    rows = [vector << 1 for vector in sorted(vectors)]
    found = equations_of(rows, 62)
    differences = {a ^ rows[0] for a in rows}
    closed = all(a ^ b in differences for a in differences for b in differences)
    assert (found is not None) == closed
    if found is not None:
        solutions = [
            vector
            for vector in range(0, 64, 2)
            if all((vector | 1) & e == 0 or ((vector | 1) & e).bit_count() % 2 == 0 for e in found)
        ]
        assert solutions == rows


def _system(size: int, number: int, seed: int) -> tuple[list[list[int]], list[int], Problem]:
    """Return random equations about three unknowns each, some of which repeat others' sums."""
    random = Random(seed)
    world = [random.randrange(2) for _ in range(size)]
    scopes = [random.sample(range(size), 3) for _ in range(number)]
    right = [sum(world[i] for i in scope) % 2 for scope in scopes]
    rules = [_parity(s, (1, 1, 1), right=bool(r)) for s, r in zip(scopes, right, strict=True)]
    return scopes, right, Problem(dict.fromkeys(range(size), (0, 1)), rules)


Rows = list[tuple[set[int], int]]


def _solved(rows: Rows, size: int) -> tuple[int, dict[int, int]] | None:
    """Return the rank and the settled unknowns, found with sets of columns; None: no solution."""
    rows = rows.copy()
    rank = 0
    for column in range(size):
        at = next((k for k in range(rank, len(rows)) if column in rows[k][0]), None)
        if at is None:
            continue
        rows[rank], rows[at] = rows[at], rows[rank]
        pivot, value = rows[rank]
        for k, (row, other) in enumerate(rows):
            if k != rank and column in row:
                rows[k] = row ^ pivot, other ^ value
        rank += 1
    if any(value for _, value in rows[rank:]):
        return None
    return rank, {next(iter(row)): value for row, value in rows[:rank] if len(row) == 1}


def _rows(scopes: list[list[int]], right: list[int]) -> Rows:
    return [(set(scope), value) for scope, value in zip(scopes, right, strict=True)]


@pytest.mark.parametrize("number", [150, 190, 230])
def test_two_hundred_unknowns(number: int) -> None:
    size = 200
    scopes, right, problem = _system(size, number, number)
    solved = _solved(_rows(scopes, right), size)
    assert solved is not None
    rank, settled = solved
    k = Knowledge(problem)
    assert k.count() == 2 ** (size - rank)
    assert k.certain() == settled
    shares = k.shares()
    half = Fraction(1, 2)
    for i, row in shares.items():
        assert list(row.values()) == ([1] if i in settled else [half, half])
    worlds = k.sample(20, seed=1)
    assert all(problem.holds(world) for world in worlds)
    assert len({tuple(world.values()) for world in worlds}) == min(20, 2 ** (size - rank))
    whole = k.joint(*scopes[0])
    assert {row.count(1) % 2 for row in whole} == {right[0]}


@pytest.mark.parametrize("seed", range(3))
def test_few_constraints_of_another_kind_are_branched_on(seed: int) -> None:
    """The clauses are met by each combination of their variables' values in turn."""
    size = 60
    scopes, right, problem = _system(size, 50, seed)
    random = Random(seed)
    clauses = [random.sample(range(size), 3) for _ in range(3)]
    rules = [at_least(1, [is_(i, 1) for i in clause]) for clause in clauses]
    expected = 0
    names = sorted({i for clause in clauses for i in clause})
    for values in product((0, 1), repeat=len(names)):
        value_of = dict(zip(names, values, strict=True))
        if all(any(value_of[i] for i in clause) for clause in clauses):
            settled: Rows = [({i}, value) for i, value in value_of.items()]
            solved = _solved([*_rows(scopes, right), *settled], size)
            expected += 0 if solved is None else 2 ** (size - solved[0])
    made = Problem(problem.domains, [*problem.rules, *rules])
    tally = Components().tally(Model(made), meter(), weighted=False)
    assert tally.total == Knowledge(made).count() == expected


def test_many_equations_and_few_other_statements_are_counted() -> None:
    """Undecided unless the search branches on the few, and sees that equations contradict."""
    _, _, problem = _system(200, 195, 4)
    random = Random(4)
    triples = [random.sample(range(200), 3) for _ in range(8)]
    rules = [at_least(1, [is_(i, i % 2) for i in triple]) for triple in triples]
    k = Knowledge(Problem(problem.domains, [*problem.rules, *rules]))
    worlds = k.sample(5, seed=1) if k.is_consistent() else []
    assert all(k.problem.holds(world) for world in worlds)
    assert (k.count() > 0) == bool(worlds)


def test_a_contradiction_of_equations_is_found_at_once() -> None:
    """The last equation is the sum of others, with the other right side."""
    scopes, right, problem = _system(200, 180, 5)
    ends: set[int] = set()
    for scope in scopes[:4]:
        ends ^= set(scope)
    wrong = _parity(sorted(ends), (1,) * len(ends), right=sum(right[:4]) % 2 == 0)
    assert Knowledge(problem).is_consistent()
    k = Knowledge(Problem(problem.domains, [*problem.rules, wrong]))
    assert not k.is_consistent()
    assert k.count() == 0


def test_draws_are_uniform_over_the_solutions() -> None:
    problem = Problem(
        dict.fromkeys(range(6), (0, 1)),
        [_parity((i, (i + 1) % 6, (i + 3) % 6), (1, 1, 1), right=True) for i in range(6)],
    )
    model = Model(problem)
    with patch(f"{search.__name__}.FEWEST", 0):
        total = Components().tally(model, meter(), weighted=False).total
        worlds = Components().sample(model, meter(), 4000, Random(1), weighted=False)
    counts: dict[tuple[object, ...], int] = {}
    for world in worlds:
        key = tuple(world.values())
        counts[key] = counts.get(key, 0) + 1
    assert len(counts) == total
    assert all(abs(n - 4000 / total) < 6 * (4000 / total) ** 0.5 for n in counts.values())


def test_linear_components_are_not_branched_on() -> None:
    """The test of elimination would say nothing if the search branched."""
    _, _, problem = _system(40, 30, 2)
    model = Model(problem)
    made: list[Linear] = []

    def noted(*given: object) -> Linear:
        made.append(Linear(*given))  # type: ignore[arg-type]
        return made[-1]

    with patch(f"{search.__name__}.Linear", noted):
        Components().tally(model, meter(), weighted=False)
    assert made
