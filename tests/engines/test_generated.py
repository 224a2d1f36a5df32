"""A fixed sample of generated problems by every way of answering; `deduce soak` has more."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from attrs import evolve

from deduce import Evidence, Knowledge, Weigh, is_
from deduce.engines.count.engine import Counting
from deduce.policy.ahead import two_turns
from deduce.policy.best import best_plan
from deduce.problem import Problem
from deduce.testing import enumeration
from deduce.testing.conclusions import plans
from deduce.testing.laws import LAWS, difference
from deduce.testing.paths import PATHS
from deduce.testing.problems import LARGE, SHAPES, generated

SLOW = ["many", *sorted(LARGE)]
QUICK = ("marginals", "members", "proofs", "questions", "unless")
"""Laws that look at a problem within milliseconds."""
VARIED = ("alike", "cards", "pairs", "weighed question")
"""Shapes whose worlds differ much in weight, or in how many of them share a value."""
SMALL = [shape for shape in SHAPES if shape not in SLOW]


def drawn(shape: str, number: int) -> Problem:
    return generated(Random(f"{shape} {number}"), shape)


@pytest.mark.parametrize("path", PATHS)
def test_each_way_has_the_answers_of_the_list_of_all_worlds(path: str) -> None:
    number = PATHS.index(path)
    asked = [(shape, number, "listed") for shape in SMALL[number % 2 :: 2]]
    asked += [(shape, number + n, "draws") for shape in VARIED for n in range(2)]
    cards = 16 if "pruned" in path or path == "sets" else 3
    asked += [("cards", 100 * n + number, "listed") for n in range(1, cards)]
    wrong = {ask: difference(drawn(*ask[:2]), ask[2], path, "1") for ask in asked}
    assert {ask: text for ask, text in wrong.items() if text} == {}


@pytest.mark.parametrize("law", [law for law in LAWS if law != "listed"])
def test_laws_hold_by_default_and_by_other_ways(law: str) -> None:
    random = Random(law)
    for shape in SMALL * (3 if law in QUICK else 1):
        path = random.choice(["auto", random.choice(PATHS)])
        problem = drawn(shape, random.randrange(100))
        seed = f"{random.random()}"
        found = difference(problem, law, path, seed)
        assert (shape, path, seed, found) == (shape, path, seed, "")


def test_the_law_of_proofs_knows_what_a_weight_of_0_excludes() -> None:
    some = [is_(name, 1) for name in "ab"]
    apart = Evidence(Weigh(some, [0, 1, 0]), 1)
    for facts in (some[:1], [*some, is_("a", 2)]):
        evidence = [apart, *(Evidence(fact, number) for number, fact in enumerate(facts, 2))]
        for seed in range(20):
            problem = Problem({"a": (1, 2), "b": (1, 2)}, (), evidence)
            assert difference(problem, "proofs", "auto", str(seed)) == ""


def test_plans_for_the_greatest_chance_are_the_best() -> None:
    """A wrong bound shows only in one plan of some hundred."""
    with patch("deduce.testing.conclusions.OBJECTIVES", ("chance",)):
        for seed in range(40):
            assert plans(Problem({"none": (1, 2)}), Knowledge, Random(seed)) == ""


@pytest.mark.parametrize("shape", SLOW)
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


def more(query: Callable[..., Any], **changes: Any) -> Callable[..., Any]:
    """Return a query whose answer, or each of whose answers, has other fields."""

    def changed(*args: Any, **kwargs: Any) -> Any:
        found = query(*args, **kwargs)
        return [evolve(each, **changes) for each in found] if isinstance(found, list | tuple) else (
            evolve(found, **changes)
        )  # fmt: skip

    return changed


CONCLUSIONS = "deduce.testing.conclusions"
REPAIRED = more(Knowledge.contradiction, repairs=(99,))
RESTING = more(Knowledge.certain_unless, events=(99,))


@pytest.mark.parametrize(
    ("law", "planted"),
    [
        ("proofs", patch.object(Knowledge, "why", more(Knowledge.why, steps=()))),
        ("proofs", patch.object(Knowledge, "contradiction", REPAIRED)),
        ("unless", patch.object(Knowledge, "certain_unless", RESTING)),
        ("two_ahead", patch(f"{CONCLUSIONS}.two_turns", more(two_turns, both_bits=9.0))),
        ("plans", patch(f"{CONCLUSIONS}.best_plan", more(best_plan, total=0, found=0))),
        ("questions", patch.object(Counting, "joint", lost_factor)),
    ],
)
def test_laws_notice_wrong_conclusions(law: str, planted: Any) -> None:
    shapes = ("doubted", "cards", "permutation", "mixed")
    drafts = [drawn(shape, n) for n in range(12) for shape in shapes]
    with planted:
        assert any(difference(draft, law, "auto", str(n)) for n, draft in enumerate(drafts))


def test_a_wrong_number_of_worlds_is_noticed() -> None:
    problem = next(p for n in range(100) if len(enumeration.worlds(p := drawn("mixed", n))) == 2)
    with patch.object(enumeration, "listed", lambda problem: enumeration.worlds(problem)[:1]):
        assert difference(problem, "listed", "auto", "5")
