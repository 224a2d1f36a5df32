"""Steps: each follows, none is missing, and what is called cheapest is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from deduce.budget import Budget
from deduce.constraints import Count, at_least, exactly, is_, is_not
from deduce.errors import BadInput, Contradiction
from deduce.knowledge import Knowledge
from deduce.logic import implies
from deduce.problem import Evidence, Problem
from deduce.steps import check_step, proof_of, steps
from deduce.steps.nested import refute
from deduce.steps.show import proof_text
from deduce.testing import enumeration as yardstick
from tests.engines.strategies import problems
from tests.steps.brute import Brute, check_proof, small_logs


@settings(max_examples=15)
@given(problem=problems())
def test_steps_follow_and_end_in_what_is_certain(problem: Problem) -> None:
    brute = Brute(problem)
    k = Knowledge(problem)
    if not brute.possible:
        with pytest.raises(Contradiction):
            steps(k)
        return
    proof = steps(k)
    check_proof(brute, proof)
    assert all(check_step(k, step, engine="reference") for step in proof)


def test_steps_of_small_logs_by_brute_force() -> None:
    for k in small_logs(6):
        check_proof(Brute(k.problem), steps(k, check=False))


SHARED = Problem(
    dict.fromkeys("abcd", ("Ann", "Ben", "box")),
    [exactly(1, [is_(card, holder) for card in "abcd"]) for holder in ("box", "Ben")],
    [
        Evidence(at_least(1, [is_("a", "Ben"), is_("b", "Ben")]), 1),
        Evidence(at_least(1, [is_("a", "box"), is_("b", "box")]), 2),
    ],
)


def test_a_large_step_is_explained_by_a_supposition() -> None:
    """If a were with Ann, b would be with Ben and in the box."""
    proof = steps(Knowledge(SHARED))
    first = proof.steps[0]
    assert first.claim == is_not("a", "Ann")
    assert (first.combined, first.events, first.rules) == (2, (1, 2), ())
    assert first.suppose is not None
    assert first.suppose.claims == (is_("a", "Ann"),)
    assert (first.suppose.depth, first.suppose.length) == (1, 2)
    assert {step.claim for step in proof} >= {is_("c", "Ann"), is_("d", "Ann")}


def test_facts_that_follow_for_the_same_reason_are_one_step_of_a_supposition() -> None:
    names = "abcdefgh"
    red = [is_(name, "red") for name in names]
    problem = Problem(
        dict.fromkeys(names, ("red", "blue")), [exactly(1, red), at_least(1, red[1:])]
    )
    proof = steps(Knowledge(problem))
    (step,) = proof
    assert step.suppose is not None
    assert (len(step.suppose.steps), step.suppose.length) == (7, 2)
    assert "a contradiction follows in 2 steps" in step.text
    assert [line.strip()[:2] for line in proof_text(proof).splitlines()] == ["1.", "Su", "- ", "- "]


def test_disjunctions_are_proved_when_asked_for() -> None:
    k = Knowledge(SHARED)
    claim = k.claim("a=Ben or b=Ben")
    proof = steps(k, claims=[claim])
    last = proof.steps[-1]
    assert last.claim == claim
    assert Brute(k.problem).follows(last)
    short = proof.needed_for([claim])
    assert short.steps[-1] == last
    assert len(short) < len(proof)
    with pytest.raises(BadInput, match="not certain"):
        steps(k, claims=["a=Ben"])


@given(problem=problems(), data=st.data())
def test_certain_disjunctions_follow(problem: Problem, data: st.DataObject) -> None:
    found = yardstick.worlds(problem)
    assume(found)
    names = sorted(map(str, problem.domains))
    chosen = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    facts = [is_(name, data.draw(st.sampled_from(problem.domains[name]))) for name in chosen]
    claim = at_least(1, facts) if len(facts) > 1 else facts[0]
    assume(all(Problem(problem.domains, [claim]).holds(world) for world in found))
    proof = steps(Knowledge(problem), claims=[claim])
    check_proof(Brute(problem), proof)
    assert claim in [step.claim for step in proof]


def test_a_supposition_has_seven_steps_where_a_shorter_order_exists() -> None:
    """Cheapest first, five of these have 13 steps."""
    who, what, where = ([f"{kind}{n}" for n in range(4)] for kind in ("who", "what", "where"))
    cards = [*who, *what, *where]
    rules = [exactly(1, [is_(card, "box") for card in kind]) for kind in (who, what, where)]
    rules += [exactly(3, [is_(card, name) for card in cards]) for name in ("Ann", "Ben", "Cid")]
    shown = ("Ann who0 what1 where1", "Ann what3", "Ben who2 what0 where2",
             "Ben who3 what2 where1", "Ben who1", "Ann who2 what2 where3")  # fmt: skip
    passed = ("Cid who2 what3 where0", "Cid who3 what2 where3", "Ben who2 what2 where0")
    for low, lines in ((1, shown), (0, passed)):
        for name, *some in map(str.split, lines):
            rules.append(Count([is_(card, name) for card in some], low, 3 * low))
    problem = Problem(dict.fromkeys(cards, ("Ann", "Ben", "Cid", "box")), rules)
    found = [step.suppose.length for step in steps(Knowledge(problem)) if step.suppose]
    assert sorted(found) == [3, 4, *[7] * 8]


def test_what_was_found_is_not_lost_to_a_search_for_something_shorter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paths = [["x", *(f"{way}{n}" for n in range(6))] for way in "ab"]
    links = [(path[n], path[n + 1]) for path in paths for n in range(6)]
    clues = [implies(is_(one, 1), is_(other, 1)) for one, other in links]
    clues.append(implies(is_("a5", 1), is_("b5", 0)))
    problem = Problem(dict.fromkeys([name for path in paths for name in path], (0, 1)), clues)
    calls: list[tuple[Any, ...]] = []
    original: Any = refute

    def noted(*args: Any) -> object:
        calls.append(args)
        return original(*args)

    monkeypatch.setattr("deduce.steps.derive.refute", noted)
    assert proof_of(Knowledge(problem), is_("x", 0))
    args: Any = calls[-1][:-1]
    with monkeypatch.context() as patch:
        patch.setattr("deduce.steps.nested.FEW", 99)
        meter = Budget().meter()
        found = original(*args, meter)
    assert found is not None
    assert found.length > 7
    again = original(*args, Budget(steps=meter.steps + 1).meter())
    assert again is not None
    assert again.length <= found.length
