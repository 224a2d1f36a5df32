"""Alternatives: the same answers as all worlds, on random problems, under random facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.budget import Budget
from deduce.constraints import Constraint, Fact, Where, at_least, at_most, exactly, is_, is_not
from deduce.errors import BadProblem, Contradiction, Undecided
from deduce.knowledge import Knowledge
from deduce.problem import Problem, World, is_true
from deduce.reasoning.alternatives import Alternatives
from deduce.testing.enumeration import worlds
from tests.engines.strategies import problems

Answers = Mapping[str, Fact]


def assert_as_all_worlds(
    problem: Problem, questions: Sequence[str | Answers], facts: Sequence[Fact]
) -> None:
    """Compare one alternative with the list of all worlds."""
    alternatives = Alternatives(Knowledge(problem), *questions)
    left = [world for world in worlds(problem) if all(is_true(fact, world) for fact in facts)]
    if not left:
        with pytest.raises(Contradiction):
            alternatives.given(*facts)
        return
    remaining = alternatives.given(*facts)
    answers = {tuple(answer(question, world) for question in questions) for world in left}
    assert remaining.combinations == len(answers)
    assert remaining.certain == {
        variable: value
        for variable, value in left[0].items()
        if all(world[variable] == value for world in left)
    }
    assert alternatives.given(*facts) is remaining


def answer(question: str | Answers, world: World) -> object:
    if isinstance(question, str):
        return world[question]
    [label] = (label for label, fact in question.items() if is_true(fact, world))
    return label


@given(st.data(), st.one_of(problems(), problems("alike")))
def test_alternatives_are_those_of_all_worlds(data: st.DataObject, problem: Problem) -> None:
    names = sorted(map(str, problem.domains))
    questions = data.draw(st.lists(st.sampled_from(names), max_size=3))
    facts = []
    for name in data.draw(st.lists(st.sampled_from(names), max_size=2)):
        value = data.draw(st.sampled_from(list(problem.domains[name])))
        facts.append(data.draw(st.sampled_from([is_(name, value), is_not(name, value)])))
    assert_as_all_worlds(problem, questions, facts)


CARDS = "abcdefg"
HOLDERS = ("Ann", "Ben", "red", "blue")


@st.composite
def envelopes(draw: st.DrawFn) -> tuple[Problem, list[Answers]]:
    """Return cards in two hands and two envelopes, and which card is in which envelope.

    The cards of the two envelopes may be of the same kinds, so that many are interchangeable.
    """
    split = draw(st.sampled_from([CARDS, "abcd"]))
    rules: list[Constraint] = [
        exactly(1, [is_(card, "red") for card in split]),
        exactly(1, [is_(card, "blue") for card in CARDS]),
        *(is_not(card, "red") for card in CARDS if card not in split),
        exactly(draw(st.integers(1, 4)), [is_(card, "Ann") for card in CARDS]),
    ]
    for _ in range(draw(st.integers(0, 4))):
        who = draw(st.sampled_from(HOLDERS))
        several = [is_(card, who) for card in draw(st.sets(st.sampled_from(CARDS), min_size=1))]
        rules.append(draw(st.sampled_from([at_least(1, several), at_most(1, several)])))
    if draw(st.booleans()):
        rules.append(Where(("a", "b"), lambda a, b: a != b, "a and b are apart"))
    problem = Problem(dict.fromkeys(CARDS, HOLDERS), rules)
    return problem, [
        {card: is_(card, "red") for card in split},
        {card: is_(card, "blue") for card in CARDS},
    ]


@given(st.data(), envelopes())
def test_interchangeable_cards_are_counted_one_by_one(
    data: st.DataObject, drawn: tuple[Problem, list[Answers]]
) -> None:
    problem, questions = drawn
    choices: list[str | Answers] = [*questions, "a"]
    asked = data.draw(st.permutations(choices))[:2]
    facts = [
        is_(card, data.draw(st.sampled_from(HOLDERS)))
        for card in data.draw(st.sets(st.sampled_from(CARDS), max_size=2))
    ]
    assert_as_all_worlds(problem, asked, facts)


def test_without_questions_there_is_one_combination() -> None:
    remaining = Alternatives(Knowledge(Problem({"a": (1, 2)}))).given()
    assert (remaining.combinations, remaining.certain) == (1, {})


def test_questions_and_facts_are_checked() -> None:
    knowledge = Knowledge(Problem({"a": (1, 2), "b": (1, 2)}))
    with pytest.raises(BadProblem, match="not exactly one"):
        Alternatives(knowledge, {"a": is_("a", 1), "b": is_("b", 1)})
    with pytest.raises(BadProblem):
        Alternatives(knowledge, "c")
    with pytest.raises(BadProblem):
        Alternatives(knowledge).given(is_("a", 3))


def test_the_budget_of_the_knowledge_limits_each_alternative() -> None:
    cards = dict.fromkeys("abcdefgh", ("Ann", "Ben"))
    rules = [exactly(4, [is_(card, "Ann") for card in cards])]
    knowledge = Knowledge(Problem(cards, rules), budget=Budget(steps=1))
    with pytest.raises(Undecided):
        Alternatives(knowledge).given()
