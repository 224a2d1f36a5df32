"""Hints and the judge: nothing false is taken for known, and no level gives away the next."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.constraints import Constraint, Fact, exactly, is_, is_not
from deduce.errors import BadInput, BadProblem
from deduce.knowledge import Knowledge
from deduce.problem import Problem, Rule
from deduce.steps import hint, judge, marks_of, steps
from deduce.testing import enumeration as yardstick
from games.cluedo import Cluedo
from tests.engines.strategies import problems
from tests.steps.brute import Brute, check_proof, small_logs


def _marks(problem: Problem, data: st.DataObject) -> list[Constraint]:
    marks: list[Constraint] = []
    for _ in range(data.draw(st.integers(0, 4))):
        name = data.draw(st.sampled_from(sorted(map(str, problem.domains))))
        value = data.draw(st.sampled_from(problem.domains[name]))
        marks.append(data.draw(st.sampled_from((is_, is_not)))(name, value))
    return marks


@given(problem=problems(), data=st.data())
def test_each_mark_is_judged_as_by_brute_force(problem: Problem, data: st.DataObject) -> None:
    found = yardstick.worlds(problem)
    if not found:
        return
    k = Knowledge(problem)
    marks = _marks(problem, data)
    result = judge(k, marks)
    for mark, judged in zip(marks, result.marks, strict=True):
        holds = [Problem(problem.domains, [mark]).holds(world) for world in found]
        expected = "proved" if all(holds) else "open" if any(holds) else "wrong"
        assert (judged.claim, judged.verdict) == (mark, expected)
        assert (judged.why is not None) == (expected == "wrong")
        if judged.witness is not None:
            assert problem.holds(judged.witness)
            assert not Problem(problem.domains, [mark]).holds(judged.witness)
    check_proof(Brute(problem), result.missed)
    assert result.is_sound == all(mark.verdict == "proved" for mark in result.marks)


@given(problem=problems(), data=st.data())
def test_a_hint_is_a_cheapest_step_that_is_not_marked(
    problem: Problem, data: st.DataObject
) -> None:
    if not yardstick.worlds(problem):
        return
    k = Knowledge(problem)
    marks = _marks(problem, data)
    given_hint = hint(k, marks)
    judged = judge(k, marks)
    missed = judged.missed.steps
    assert (given_hint is None) == (not missed)
    if given_hint is not None:
        assert given_hint.steps[0] == missed[0]
        assert given_hint.unproved == sum(m.verdict != "proved" for m in judged.marks)
        known = {mark.claim for mark in judged.marks if mark.verdict == "proved"}
        assert not known & set(given_hint.facts)
        assert all(given_hint.text(level)[:2].strip() for level in (1, 2, 3))
        assert given_hint.text(2).partition(" (pattern: ")[0]
        with pytest.raises(BadInput, match="level 1, 2 or 3"):
            given_hint.text(4)


def test_following_the_hints_ends_with_everything_that_is_certain() -> None:
    for k in small_logs(6):
        marks: list[Fact] = []
        while (found := hint(k, marks)) is not None:
            marks += found.facts
        assert not steps(k, marks=marks).steps
        assert judge(k, marks).is_complete


def test_a_mark_about_nothing_is_refused() -> None:
    k = Knowledge(Problem({"Rope": ("Ann", "Ben")}))
    for ask in (judge, hint, lambda k, marks: steps(k, marks=marks)):
        with pytest.raises(BadProblem, match="no variable 'Hall'"):
            ask(k, [is_("Hall", "Ann")])


def test_the_lines_of_a_sheet_are_read_with_their_places() -> None:
    k = Knowledge(Cluedo(("Ann", "Ben", "Cid")))
    marks = marks_of(k, "# mine\n\nrope=ann; hall!=ben  # sure\nplum=cid or plum=ben\n")
    assert list(map(k.say, marks)) == [
        "Ann has Rope",
        "Ben does not have Hall",
        "Cid has Professor Plum or Ben has Professor Plum",
    ]
    with pytest.raises(BadInput, match=r"sheet\.txt:2: no card|sheet\.txt:2: no variable"):
        marks_of(k, "rope=ann\nrop3=ann\n", source="sheet.txt")


def test_a_hint_that_rests_on_the_domain_alone_states_it_and_prints_as_its_first_level() -> None:
    found = hint(Knowledge(Problem({"Ann": ("red",), "Ben": ("red", "blue")}, [])))
    assert found is not None
    assert (str(found), found.text(2)) == (
        "Look at Ann.", "There is no other value (pattern: only value left)."
    )  # fmt: skip


def test_a_hint_that_rests_on_rules_alone_names_them() -> None:
    hats = dict.fromkeys(("Ann", "Ben"), ("red", "blue"))
    rules = [
        Rule(is_("Ann", "red"), "Ann wears red"),
        Rule(exactly(1, [is_(n, "red") for n in hats])),
    ]
    found = hint(Knowledge(Problem(hats, rules)))
    assert found is not None
    assert "Ann wears red" in found.text(2)
