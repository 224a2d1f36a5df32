"""What is empty: problems and constraints about nothing, facts that nothing makes true."""

from __future__ import annotations

import pytest

from deduce.constraints import Constraint, Count, Fact, Weigh, Where, is_
from deduce.engines.base import Engine
from deduce.engines.count import Counting
from deduce.engines.solve.bits import Bits
from deduce.engines.solve.cpsat import CpSat
from deduce.engines.solve.matching import Matching
from deduce.engines.solve.reference import Reference
from deduce.errors import BadProblem
from deduce.problem import Problem
from tests.engines.bodies import assert_engine_agrees

NEVER = Fact("x", frozenset())
ALWAYS = Fact("x", frozenset(), negated=True)


@pytest.mark.parametrize("engine", [Bits(), Counting(), CpSat(), Matching(), Reference()])
@pytest.mark.parametrize(
    "constraint",
    [
        Count([]),
        Count([], 1),
        Count([], 0, 0),
        Count([NEVER], 0, 1),
        Count([NEVER, is_("y", "a")], 1),
        Count([NEVER, is_("y", "a")], 2),
        Count([ALWAYS], 1),
        Count([ALWAYS, is_("y", "a")], 0, 1),
        Weigh([], [3]),
        Weigh([NEVER], [3, 5]),
        NEVER,
        ALWAYS,
    ],
    ids=str,
)
def test_engines_agree_about_nothing(engine: Engine, constraint: Constraint) -> None:
    problem = Problem({"x": ("a", "b"), "y": ("a", "b")}, [constraint])
    if engine.name == "matching" and constraint == Count([ALWAYS, is_("y", "a")], 0, 1):
        pytest.skip("about two values of x")
    assert_engine_agrees(engine, problem)


def test_a_problem_needs_a_variable() -> None:
    with pytest.raises(BadProblem, match="at least one variable"):
        Problem({})


def test_a_where_needs_a_variable() -> None:
    with pytest.raises(BadProblem, match="at least one variable"):
        Problem({"x": ("a", "b")}, [Where((), lambda: True)])
