"""Explanations are proofs, none smaller is missed, and the search for one keeps to its limits."""

from __future__ import annotations

import pytest

from deduce.budget import Budget
from deduce.constraints import exactly, is_, is_not
from deduce.knowledge import Knowledge
from deduce.problem import Problem
from deduce.reasoning import conflicts
from deduce.steps import steps

NAMES = tuple(f"hat {n}" for n in range(15))
ONE_RED = Problem(
    dict.fromkeys(NAMES, ("red", "blue")), [exactly(1, [is_(name, "red") for name in NAMES])]
)
LAST_IS_RED = is_(NAMES[-1], "red")


def test_among_equally_few_events_the_one_that_states_the_fact_is_cited() -> None:
    domains = {"x": ("a", "b"), "y": ("a", "b"), "z": ("a", "b")}
    problem = Problem(domains, [exactly(2, [is_(name, "a") for name in domains])])
    log = [exactly(2, [is_("x", "a"), is_("y", "a")]), is_("z", "b")]
    for events in (log, log[::-1]):
        why = Knowledge(problem, events).why(is_("z", "b"))
        assert (why.events, why.rules) == ((events.index(log[1]) + 1,), ())
        assert Knowledge(problem, events).why(is_("z", "a")).events == why.events
        cited = steps(Knowledge(problem, events), claims=[is_("z", "b")])
        assert [step.events for step in cited if step.claim == is_("z", "b")] == [why.events]
    # Both prove it without a rule; the second is the fact itself.
    both = exactly(2, [is_("z", "b"), is_("x", "a")])
    assert Knowledge(problem, [both, is_("z", "b")]).why(is_("z", "b")).events == (2,)
    # No event states it; the second needs fewer rules.
    links = [exactly(1, [is_(a, 0), is_(b, 1)]) for a, b in ("ab", "bc")]
    chain = Problem(dict.fromkeys("abc", (0, 1)), links)
    why = Knowledge(chain, [is_("a", 1), is_("b", 1)]).why(is_("c", 1))
    assert (why.events, len(why.rules)) == ((2,), 1)


def test_events_that_say_the_same_do_not_make_the_search_explode() -> None:
    """Every proof takes one of four events for each of 14 hats: 4 ** 14 to choose from."""
    seen = [is_not(name, "red") for _ in range(4) for name in NAMES[:-1]]
    why = Knowledge(ONE_RED, seen).why(LAST_IS_RED)
    assert why.events == tuple(range(1, 15))
    assert why.smallest


def test_a_search_that_is_given_up_still_gives_a_minimal_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(conflicts, "SETS", Budget(steps=0))
    why = Knowledge(ONE_RED, [is_not(name, "red") for name in NAMES[:-1]]).why(LAST_IS_RED)
    assert why.events == tuple(range(1, 15))
    assert not why.smallest


FACTS = [is_("hat", "red"), is_("coat", "red")]
CLOTHES = Problem({"hat": ("red", "blue"), "coat": ("red", "blue")})


def test_the_repairs_of_a_contradiction_are_worded() -> None:
    k = Knowledge(CLOTHES).tell(FACTS[0], is_not("hat", "red"))
    assert k.contradiction().repair == "leaving out any one of these events resolves it: 1, 2"
    single = Knowledge(CLOTHES).assume(FACTS[0]).tell(is_not("hat", "red")).contradiction()
    assert (single.events, single.repairs) == ((1,), (1,))
    assert single.repair == "leaving out event 1 resolves it"
    twice = Knowledge(CLOTHES).tell(FACTS[0], FACTS[0], is_not("hat", "red"), is_not("hat", "red"))
    assert twice.contradiction().repair == "leaving out a single event does not resolve it"


def test_an_assumption_is_a_reason_beside_the_events() -> None:
    k = Knowledge(CLOTHES).tell(exactly(1, FACTS)).assume(FACTS[0])
    why = k.why("coat=blue")
    assert (why.verdict, why.events) == ("certain", (1,))
    assert [step.event for step in why.steps if str(FACTS[0]) in str(step)][-1] is None
