"""Queries: the bound speaks first, answers name their engine, four kinds of no are told apart."""

from __future__ import annotations

import pickle

import pytest

from deduce.budget import Budget
from deduce.constraints import at_least, exactly, is_, is_not
from deduce.engines.core.model import Model
from deduce.engines.count import Counting
from deduce.engines.count.search.components import Components
from deduce.engines.solve.bits import Bits
from deduce.errors import BadProblem, Contradiction, Undecided, Unsupported
from deduce.knowledge import Knowledge
from deduce.problem import Problem
from deduce.reasoning.queries import Asker

PIGEONS = Problem(
    {f"pigeon {i}": ("left", "middle", "right") for i in range(4)},
    [
        exactly(1, [is_(f"pigeon {i}", hole) for i in range(4)])
        for hole in ("left", "middle", "right")
    ],
)
HANDS = Problem(
    dict.fromkeys("abcdef", ("Ann", "Ben", "Cid")),
    [exactly(2, [is_(card, who) for card in "abcdef"]) for who in ("Ann", "Ben", "Cid")],
)


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("an engine was called on what the bound refutes")

    for name in ("solve", "possible", "worlds", "tally", "joint", "sample"):
        monkeypatch.setattr(Bits, name, forbidden)
        monkeypatch.setattr(Counting, name, forbidden)
        monkeypatch.setattr(Components, name, forbidden)


@pytest.mark.usefixtures("no_engine")
@pytest.mark.parametrize("engine", ["auto", "bits", "counting"])
def test_no_engine_is_called_on_what_the_bound_refutes(engine: str) -> None:
    asker = Asker(Model(PIGEONS), engine)
    assert asker.is_consistent().engine == "bounds"
    assert asker.is_consistent().value is False
    assert asker.tally(weighted=False).value.total == 0
    assert list(asker.worlds()) == []
    for query in (
        asker.possible,
        lambda: asker.joint([], weighted=False),
        lambda: asker.sample(1, seed=0, weighted=False),
        lambda: asker.is_certain(is_("pigeon 0", "left")),
    ):
        with pytest.raises(Contradiction):
            query()


def test_answers_name_the_engine_that_gave_them() -> None:
    asker = Asker(Model(HANDS))
    assert asker.tally(weighted=False).engine == "counting"
    assert asker.is_consistent().engine == "bits"
    assert asker.is_consistent(is_("a", "Ann"), is_not("a", "Ann")).engine == "bounds"
    assert Asker(Model(HANDS), "reference").tally(weighted=False).engine == "reference"


def test_over_budget_is_undecided_with_what_is_known_and_never_no() -> None:
    problem = HANDS.with_evidence()
    asker = Asker(Model(problem), "counting", Budget(steps=1))
    with pytest.raises(Undecided) as error:
        asker.tally(weighted=False)
    assert error.value.known == {card: {"Ann", "Ben", "Cid"} for card in "abcdef"}


def test_unsupported_names_the_engines_there_are() -> None:
    with pytest.raises(Unsupported, match=r"'bits'|bits, matching"):
        Asker(Model(HANDS), "bitz").possible()
    with pytest.raises(Unsupported, match="worlds"):
        list(Asker(Model(HANDS), "matching").worlds())


def test_a_question_must_have_exactly_one_answer() -> None:
    asker = Asker(Model(HANDS))
    two = {card: [(card, frozenset(["Ann"]))] for card in "abcdef"}
    with pytest.raises(BadProblem, match="not exactly one of the answers"):
        asker.joint([two], weighted=False)


def test_a_rule_about_as_many_other_facts_does_not_answer_a_question() -> None:
    facts = [is_(card, "Ann") for card in "abc"]
    asker = Asker(Model(Problem(dict.fromkeys("abcdef", ("Ann", "Ben")), [exactly(1, facts)])))
    question = {card: [(card, frozenset(["Ann"]))] for card in "abc"}
    assert len(asker.joint([question], weighted=False).value) == 3
    other = {card: [(card, frozenset(["Ann"]))] for card in "def"}
    with pytest.raises(BadProblem, match="not exactly one of the answers"):
        asker.joint([other], weighted=False)


def test_a_disjunction_is_certain_when_no_world_breaks_it() -> None:
    asker = Asker(Model(Problem(HANDS.domains, [*HANDS.rules, is_not("a", "Cid")])))
    assert asker.is_certain(at_least(1, [is_("a", "Ann"), is_("a", "Ben")])).value
    assert not asker.is_certain(at_least(1, [is_("a", "Ann"), is_("b", "Ben")])).value


def test_a_variable_that_is_not_certain_is_never_taken_for_another_one() -> None:
    k = Knowledge(Problem(dict.fromkeys(("A1", "A10", "Col Mustard"), (1, 2)), [is_("A10", 2)]))
    certain = k.certain()
    assert certain == {"A10": 2} == {"A10": certain["a10"]}
    for typed in ("A1", "a1", "A", "mustard"):
        with pytest.raises(KeyError):
            certain[typed]
    assert pickle.loads(pickle.dumps(certain))["a10"] == 2  # noqa: S301


def test_a_contradiction_stays_one_when_worlds_are_drawn_again() -> None:
    pairs = [exactly(1, [is_(one, 1), is_(other, 1)]) for one, other in ("ab", "bc", "ca")]
    k = Knowledge(Problem(dict.fromkeys("abc", (0, 1)), pairs))
    for _ in range(3):
        with pytest.raises(Contradiction):
            k.sample(2, seed=1)
