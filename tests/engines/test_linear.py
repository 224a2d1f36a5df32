"""Systems of linear equations modulo 2: counted by elimination, compared with trying everything."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from deduce import Knowledge, Problem, Where, at_least, is_
from deduce.engines.core.linear import Linear, equations_of
from deduce.engines.core.model import Model
from deduce.engines.count.search import search
from deduce.engines.count.search.components import Components
from tests.engines.bodies import meter

"""Domains of two values, of several types."""


def _parity(scope: Sequence[object], chosen: Sequence[object], *, right: bool) -> Where:
    def fits(*row: object) -> bool:
        return sum(value == wanted for value, wanted in zip(row, chosen, strict=True)) % 2 == right

    return Where(scope, fits, f"{chosen} of {scope}: {right}")


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


def test_two_hundred_unknowns() -> None:
    size, number = 200, 150
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
