"""Knowledge as a value: undo, other eyes, other logs; and claims that no problem could have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from deduce.budget import Budget
from deduce.constraints import (
    Constraint,
    Count,
    Weigh,
    Where,
    at_least,
    at_most,
    exactly,
    is_,
    is_not,
)
from deduce.engines.choose import engine
from deduce.engines.core.model import Model
from deduce.errors import BadProblem
from deduce.game import RECORD, Viewer
from deduce.knowledge import Knowledge
from deduce.logs.claims import parse_claim
from deduce.problem import Evidence, Problem
from deduce.steps import steps
from tests.project.hats import Hats, Sees

HATS = Problem(
    {"Ann": ("red", "blue", "green"), "Ben": ("red", "blue"), "Cid": ("red", "blue", "gold")},
    [exactly(1, [is_(name, "red") for name in ("Ann", "Ben", "Cid")])],
)
K = Knowledge(HATS)


def test_undo_goes_back_step_by_step_through_other_eyes_and_engines() -> None:
    first = Knowledge(Hats(("Ann", "Ben", "Cid"))).tell(Sees("Ann", "Ben", "blue"))
    both = first.tell(Sees("Ben", "Ann", "blue")).assume(is_("Cid", "red"))
    assert both.undo().undo() is first
    other = both.seen_by("Ben").using(engine="bits")
    assert [len(other.log), len(other.assumed)] == [2, 1]
    other = other.undo()
    assert (len(other.log), other.assumed, other.viewer, other.engine) == (2, (), "Ben", "bits")
    other = other.undo().undo()
    assert (other.log, other.viewer, other.engine) == ((), "Ben", "bits")
    assert other.undo() is other


def test_other_logs_are_beginnings() -> None:
    k = K.tell(is_not("Ann", "red"), is_not("Ben", "red"))
    assert k.drop(1).log == (is_not("Ben", "red"),)
    assert k.replace(2, is_("Cid", "red")).log == (is_not("Ann", "red"), is_("Cid", "red"))
    assert k.upto(1).undo().log == (is_not("Ann", "red"),)
    assert k.log == (is_not("Ann", "red"), is_not("Ben", "red"))


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        (is_("An", "red"), "there is no variable 'An'; did you mean 'Ann'?"),
        (is_("Ann", "rde"), "'Ann' can never be 'rde'; did you mean 'red'?"),
        (is_("Ben", "gold"), "'Ben' can never be 'gold'"),
        (Where(("Ann", "Dan"), lambda a, d: a != d), "there is no variable 'Dan'"),
        (at_least(2, [is_("Ann", "red"), is_("Ann", "red", "blue")]), "can both hold"),
    ],
)
def test_a_claim_about_what_does_not_exist_is_a_bad_problem(claim: Constraint, told: str) -> None:
    asks: list[Callable[[Constraint], object]] = [
        K.is_possible,
        K.is_certain,
        K.why,
        lambda claim: K.assume(claim).count(),
    ]
    for ask in asks:
        with pytest.raises(BadProblem) as error:
            ask(claim)
        assert told in str(error.value)


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("ann=red or ann=red", "open"),
        ("ann=red or ann!=blue", "open"),
        ("ann!=red or ann!=blue", "certain"),
        ("ann=red or ben=red or cid=red", "certain"),
    ],
)
def test_a_typed_disjunction_may_say_the_same_twice(typed: str, verdict: str) -> None:
    claim = parse_claim(HATS, typed)
    assert K.why(claim).verdict == verdict
    assert K.assume(claim).is_consistent()


def test_assumptions_are_told_apart() -> None:
    k = K.tell(is_not("Ann", "red"))
    sure, wrong, free = is_("Ann", "blue", "green"), is_("Ann", "red"), is_("Ben", "red")
    assert k.assume(sure, free).verdicts() == {sure: "confirmed", free: "active"}
    assert k.assume(wrong).verdicts() == {wrong: "refuted"}
    follows = is_not("Cid", "red")
    assert k.assume(free, follows).verdicts() == {free: "follows", follows: "follows"}
    other = is_("Cid", "red")
    assert k.assume(free, other).verdicts() == {free: "conflicting", other: "conflicting"}


class Wordless(Hats):
    """Evidence without sentences; who does not see the hat sees the onlooker's, a blue one."""

    def evidence(self, log: Sequence[Sees], viewer: Viewer) -> Iterator[Evidence]:
        for number, event in enumerate(log, start=1):
            seen = viewer is RECORD or viewer == event.by
            fact = is_(event.who, event.colour) if seen else is_(event.by, "blue")
            yield Evidence(fact, number)


def test_evidence_without_a_sentence_has_the_line_of_its_event() -> None:
    k = Knowledge(Wordless(("Ann", "Ben", "Cid"))).tell(Sees("Ann", "Ben", "red"))
    assert str(k.why("Ben=red")).splitlines()[1] == "  event 1: Ann sees Ben red"
    assert "Ann sees Ben red" in str(steps(k))


def test_the_line_of_an_event_does_not_show_a_viewer_what_they_did_not_see() -> None:
    k = Knowledge(Wordless(("Ann", "Ben", "Cid"))).tell(Sees("Ann", "Ben", "red")).seen_by("Cid")
    assert str(k.why("Ann=blue")).splitlines()[1] == "  event 1: Ann is blue"
    assert "Ann is blue" in str(steps(k))
    assert "Ben red" not in str(steps(k))


FACTS = [is_("hat", "red"), is_("coat", "red")]
CLOTHES = Problem({"hat": ("red", "blue"), "coat": ("red", "blue")})


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (at_most(1, FACTS), "at most 1 of: "),
        (at_least(1, FACTS), "at least 1 of: "),
        (exactly(0, FACTS), "exactly 0 of: "),
        (exactly(1, FACTS), "exactly 1 of: "),
        (Count(FACTS, 1, 2), "1 to 2 of: "),
        (Count(FACTS, 0, 2), "at most 2 of: "),
    ],
)
def test_the_wording_of_a_count(constraint: Count, text: str) -> None:
    assert str(constraint) == f"{text}{FACTS[0]}, {FACTS[1]}"


def test_listed_worlds_count_with_their_weights() -> None:
    likely = [Weigh([FACTS[0]], (1, 3)), Weigh([FACTS[1]], (1, 5))]
    model = Model(Problem(CLOTHES.domains, likely))
    numbers = [{0: 6, 1: 18}, {0: 4, 1: 20}]
    for name in ("bits", "counting", "reference"):
        assert list(engine(name).numbers(model, Budget().meter())) == numbers
        ranked = engine(name).ranked(model, Budget().meter(), 2)
        assert [weight for weight, _ in ranked] == [15, 5]
