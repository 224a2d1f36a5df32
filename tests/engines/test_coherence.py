"""Queries of every engine agree where nothing is drawn, nothing weighs, or equal values differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from deduce import Contradiction, Knowledge, Problem, Unsupported, at_least, at_most, exactly, is_
from deduce.constraints import Value, Variable, Weigh
from deduce.engines.choose import ENGINES, engine
from deduce.engines.core.model import Model
from deduce.engines.count import Counting
from deduce.problem import Evidence, Instead
from deduce.reasoning.likelihoods import Likelihood
from deduce.testing import enumeration as yardstick
from deduce.testing.paths import forced
from tests.engines.bodies import meter

NAMES = ("auto", *ENGINES, "auto:counting")
any_engine = pytest.mark.parametrize("name", NAMES)


def answers(run: Callable[[], Any]) -> Any:
    """Return what a query returns, or the kind of error; ``None``: the engine has no answer."""
    try:
        return run()
    except Unsupported:
        return None
    except Contradiction:
        return Contradiction


@any_engine
@pytest.mark.parametrize("size", [2, 16])
def test_no_world_is_drawn_where_none_is_asked_for(name: str, size: int) -> None:
    cards = dict.fromkeys(range(size), tuple("ABCD"))
    half = exactly(size // 2, [is_(card, "A") for card in cards])
    for problem in (Problem(cards, [half]), Problem(cards, [half, at_most(0, half.facts)])):
        assert Knowledge(problem, engine=name).sample(0, seed=1) == []
        few = size < 9 or name not in {"bits", "cpsat", "reference"}
        if name != "auto" and few and engine(name).supports(Model(problem), "sample"):
            drawn = engine(name).sample(Model(problem), meter(), 0, Random(1), weighted=True)
            assert list(drawn) == []
    arrays = Counting(large=0)
    assert arrays.sample(Model(Problem(cards, [half])), meter(), 0, Random(1), weighted=True) == []


def never(*facts: Any) -> Likelihood:
    weights = (0,) * (len(facts) + 1)
    return Likelihood(facts, weights, parts=(weights,))


@any_engine
@pytest.mark.parametrize(
    "constraints",
    [
        [never()],
        [never(is_("x", 0))],
        [never(is_("x", 0), is_("y", 0))],
        [at_least(1, [is_("x", 0), is_("z", 1)]), never(is_("x", 0), is_("y", 0), is_("z", 0))],
    ],
)
def test_where_every_world_weighs_nothing_weighted_queries_are_contradictions(
    name: str, constraints: list[Any]
) -> None:
    problem = Problem({"x": (0, 1, 2), "y": (0, 1), "z": (0, 1)}, constraints)
    found = yardstick.worlds(problem)
    k = Knowledge(problem, engine=name)
    for weighted in (
        k.posterior,
        k.slips,
        k.probable_worlds,
        lambda: k.joint("x"),
        lambda: k.joint("x", "y"),
        lambda: k.sample(2, seed=1),
    ):
        assert answers(weighted) in (None, Contradiction)
    assert answers(k.count) in (None, len(found))
    assert answers(k.possible) in (None, yardstick.possible(found))
    assert len(answers(lambda: k.joint("x", weighted=False)) or (0, 1, 2)) == 3
    assert len(answers(lambda: k.sample(2, seed=1, weighted=False)) or (1, 2)) == 2


@pytest.mark.parametrize("path", ["auto", "arrays", "sets", "sweep", "components"])
def test_a_joint_distribution_has_only_what_occurs(path: str) -> None:
    """Answers of weight 0 were among them, and advice counted them as solutions, or failed."""
    doubted = Evidence(is_("b", 1), 1, doubt=Fraction(1, 3), instead=[Instead([is_("b", 1, 2)])])
    problem = Problem(dict.fromkeys("ab", (0, 1, 2)), (), [doubted])
    with forced(path) as name:
        joint = Knowledge(problem, engine=name).joint("a", "b")
    assert (len(joint), all(joint.values())) == (6, True)


@any_engine
def test_what_is_possible_does_not_depend_on_a_posterior_before(name: str) -> None:
    """A doubt that gives some values no weight excludes none of them."""
    likelihood = Likelihood([is_("x", 0)], (0, 1), parts=((0, 1),))
    k = Knowledge(Problem({"x": (0, 1, 2)}, [likelihood]), engine=name)
    assert answers(k.posterior) in (None, {"x": {0: 1}})
    assert k.possible() == {"x": {0, 1, 2}}


DOMAINS: dict[Any, tuple[Value, ...]] = {
    "on": (True, False),
    "level": (0, 1, 2),
    "float": (0.0, 1.0),
    "tuple": ((1,), (2,)),
    "nested": ((True,), (False,)),
    "also on": (True, False),
    "digit": (0, 1),
}
MIXED = Problem(
    DOMAINS,
    [
        at_most(5, [is_(name, values[0]) for name, values in DOMAINS.items()]),
        at_least(1, [is_("on", 1), is_("also on", True)]),
        Weigh([is_("level", True)], [1, 2]),
    ],
)


def assert_own(pairs: Iterable[tuple[Variable, Value]]) -> None:
    for variable, value in pairs:
        assert repr(value) in map(repr, DOMAINS[variable])


@any_engine
def test_a_value_is_the_one_of_the_domain_of_its_variable(name: str) -> None:
    k = Knowledge(MIXED, engine=name)
    for claim in (is_("level", 2), is_("nested", (1,)), is_("on", 0)):
        some = k.assume(claim)
        assert_own((answers(some.certain) or {}).items())
    for rows in (k.possible, k.shares, k.posterior, k.asker.narrowed, k.asker.not_excluded):
        found = answers(rows) or {}
        assert_own((variable, value) for variable, row in found.items() for value in row)
    for worlds in (
        lambda: k.sample(30, seed=1),
        lambda: list(k.worlds()),
        lambda: [world for world, _ in k.probable_worlds(20)],
        lambda: [k.asker.solve().value],
    ):
        assert_own(pair for world in answers(worlds) or () for pair in world.items())
    for row in answers(lambda: k.joint("on", "level", "nested")) or ():
        assert_own(zip(("on", "level", "nested"), row, strict=True))


@pytest.mark.parametrize("arrays", [False, True])
def test_values_that_are_drawn_from_large_sweeps_keep_their_kind(arrays: bool) -> None:
    counting = Counting(large=0, arrays=arrays)
    for world in counting.sample(Model(MIXED), meter(), 30, Random(1), weighted=True):
        assert_own(world.items())
    for variable, row in counting.tally(Model(MIXED), meter(), weighted=True).of.items():
        assert_own((variable, value) for value in row)


def test_cpsat_needs_few_worlds_for_a_wide_variable_that_is_hardly_constrained() -> None:
    pytest.importorskip("ortools")
    problem = Problem({"x": range(1000), "y": range(3)}, [is_("y", 0, 1)])
    possible = Knowledge(problem, engine="cpsat").possible()
    assert possible == Knowledge(problem).possible()


def test_the_list_of_worlds_has_more_weights_than_an_array_has_axes() -> None:
    same = [Weigh([is_("x", 1)], [n, n]) for n in range(1, 71)]
    asked = Knowledge(Problem({"x": (0, 1)}, [*same, Weigh([is_("x", 1)], [1, 2])]))
    with forced("auto, then both") as name:
        assert asked.using(engine=name).posterior()["x"] == {0: Fraction(1, 3), 1: Fraction(2, 3)}
