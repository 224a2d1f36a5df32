"""A fixed sample of generated problems by every way of answering; the benchmark has thousands."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from deduce.constraints import Count as AnyCount
from deduce.constraints import Weigh, at_least, at_most, exactly, is_
from deduce.engines.counting.engine import Counting
from deduce.knowledge import Knowledge
from deduce.problem import Problem
from deduce.testing import enumeration, laws
from deduce.testing.laws import LAWS, difference
from deduce.testing.paths import PATHS
from deduce.testing.problems import SHAPES, generated
from tests.benchmarks.bench_generated import by_arrays, by_default, chi_square, uniform

LARGE = ["many", *(shape for shape in SHAPES if shape.endswith("large"))]
SMALL = [shape for shape in SHAPES if shape not in LARGE]


def drawn(shape: str, number: int) -> Problem:
    return generated(Random(f"{shape} {number}"), shape)


@pytest.mark.parametrize("path", PATHS)
def test_each_way_has_the_answers_of_the_list_of_all_worlds(path: str) -> None:
    number = PATHS.index(path)
    wrong = {s: difference(drawn(s, number), "listed", path, "1") for s in SMALL}
    assert {shape: text for shape, text in wrong.items() if text} == {}


@pytest.mark.parametrize("law", [law for law in LAWS if law != "listed"])
def test_laws_hold_by_default_and_by_other_ways(law: str) -> None:
    random = Random(law)
    for shape in SMALL:
        for path in ("auto", random.choice(PATHS)):
            problem = drawn(shape, random.randrange(100))
            assert (shape, path, difference(problem, law, path, "2")) == (shape, path, "")


@pytest.mark.parametrize("shape", LARGE)
def test_laws_hold_for_large_problems(shape: str) -> None:
    for law in ("listed", "marginals", "cases", "draws", "claims"):
        assert (law, difference(drawn(shape, 1), law, "auto", "3")) == (law, "")


@pytest.mark.parametrize("shape", SMALL)
def test_the_enumeration_is_the_definition_of_a_world(shape: str) -> None:
    """Every combination is tried, and looked at by `Problem.holds`."""
    for number in range(10):
        problem = drawn(shape, number)
        rows = product(*problem.domains.values())
        hard = Problem(problem.domains, enumeration.hard(problem))
        if len(sizes := list(map(len, problem.domains.values()))) > 8 or max(sizes) > 20:
            continue
        every = (dict(zip(problem.domains, row, strict=True)) for row in rows)
        assert enumeration.worlds(problem) == [world for world in every if hard.holds(world)]


def lost_factor(self: Any, *args: Any, **kwargs: Any) -> Any:
    return dict(list(_joint(self, *args, **kwargs).items())[1:])


def same_world(self: Any, *args: Any, **kwargs: Any) -> Any:
    worlds = _sample(self, *args, **kwargs)
    return [worlds[0]] * len(worlds)


_joint, _sample = Counting.joint, Counting.sample


@pytest.mark.parametrize(
    ("name", "planted", "law"),
    [
        ("joint", lost_factor, "marginals"),
        ("joint", lost_factor, "listed"),
        ("sample", same_world, "draws"),
        ("total", lambda self, *args, weighted: 3, "cases"),
        ("total", lambda self, *args, weighted: 3, "claims"),
        ("total", lambda self, *args, weighted: 3, "members"),
        ("total", lambda self, *args, weighted: 3, "side_by_side"),
    ],
)
def test_laws_notice_wrong_answers(name: str, planted: Any, law: str) -> None:
    with patch.object(Counting, name, planted):
        assert any(difference(drawn("cards", n), law, "auto", "4") for n in range(6))


def test_a_wrong_number_of_worlds_is_noticed() -> None:
    problem = next(p for n in range(100) if len(enumeration.worlds(p := drawn("mixed", n))) == 2)
    with patch.object(laws, "_worlds", lambda problem: enumeration.worlds(problem)[:1]):
        assert difference(problem, "listed", "auto", "5")


def facts(text: str) -> list[Any]:
    return [is_(name, *values.split("/")) for name, values in (t.split("=") for t in text.split())]


def half_settled() -> Problem:
    """Fourteen variables of four values, where one Count is settled before the others."""
    names = [f"c{i}" for i in range(14)]

    def having(value: str) -> list[Any]:
        return [is_(name, value) for name in names]

    return Problem(
        dict.fromkeys(names, "pqrs"),
        [
            AnyCount(having("p"), 6, 8),
            AnyCount(having("q"), 1, 3),
            exactly(2, having("r")),
            AnyCount(facts("c0=p/q c9=r c7=p c1=s c12=r/s c11=q c13=p/r"), 3, 4),
            AnyCount(facts("c12=q/s c8=q/r c13=r c2=r/s c8=p"), 2, 3),
            at_most(3, facts("c3=p/r c10=p/r c13=s c12=p c4=p c5=q/s")),
            at_most(1, facts("c6=q/r c13=r c5=q c11=q/r")),
            exactly(0, facts("c0=r c11=r")),
        ],
    )


def test_draws_of_a_problem_whose_counts_are_settled_half_way_are_uniform() -> None:
    knowledge = Knowledge(half_settled())
    share = knowledge.posterior()["c10"]["p"]
    drawn_ = [world for seed in range(60) for world in knowledge.sample(20, seed=seed)]
    assert all(knowledge.problem.holds(world) for world in drawn_)
    found = sum(world["c10"] == "p" for world in drawn_)
    assert abs(found - 1200 * share) <= 5 * (1200 * share * (1 - share)) ** 0.5


def test_a_joint_distribution_next_to_a_weighed_component_is_the_posterior() -> None:
    random, n = Random(0), 18
    domains: dict[Any, Any] = {("v", i): (0, 1) for i in range(n)} | {"x": (0, 1), "y": (0, 1)}
    rules: list[Any] = [
        AnyCount([is_(("v", i), 1) for i in random.sample(range(n), 4)], 1, 3) for _ in range(26)
    ]
    rules += [
        at_least(1, [is_("x", 0), is_(("v", 0), 1)]),
        at_least(1, [is_("y", 0), is_(("v", 0), 1), is_(("v", 1), 1)]),
    ]
    for i in range(30):
        domains |= {("p", i): (0, 1), ("q", i): (0, 1)}
        rules.append(exactly(1, [is_(("p", i), 1), is_(("q", i), 1)]))
    rules.append(Weigh([is_("x", 1), is_("y", 1)], [1, 7, 3, 5, 7], amounts=(3, 1)))
    knowledge = Knowledge(Problem(domains, rules))
    assert knowledge.joint("y")[(1,)] == knowledge.posterior()["y"][1]


def test_the_p_values_of_draws_are_uniform() -> None:
    """The benchmark has 2,000 problems; the functions that judge them are checked here."""
    values = [by_arrays(seed)["p"] for seed in range(15)] + [by_default(0)["p"]]
    assert min(values) > 1e-5
    assert uniform([(i + 0.5) / 100 for i in range(100)])[1] > 0.99
    assert uniform([0.5 * i / 100 for i in range(100)])[1] < 1e-6
    half: Any = {"a": 0.5, "b": 0.5}
    assert abs(chi_square({"a": 60, "b": 40}, half) - 0.0455) < 1e-4
    assert chi_square({"c": 1}, half) == 0
