"""The inference as a constraint problem agrees with the filter, by every engine that is there."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce.constraints import is_
from deduce.knowledge import Knowledge
from deduce.logs.events import Log
from deduce.logs.problem_json import read_problem, write_problem
from deduce.system.text import name_of
from games.pigs.evidence import role_variable
from games.pigs.inference import infer
from games.pigs.setup import CARDS, LOYAL, MASTER, REBEL, Deal, Role
from tests.pigs.strategies import (
    changed,
    document,
    knowledge_of,
    log_from_json,
    log_of,
    parse_log,
)


def short_logs() -> Iterator[tuple[str, Log]]:
    """Yield the recorded logs of at most 20 events, of every kind."""
    for case in document("pigs_inference")["cases"]:
        if len(case["log"]) <= 20:
            yield case["id"], log_from_json(case)


def rebels(knowledge: Knowledge, log: Log) -> tuple[Fraction, ...]:
    """Return the probability of each seat to be a rebel, as the core answers."""
    posterior = knowledge.posterior()
    return tuple(
        posterior[role_variable(seat)].get(REBEL, Fraction(0)) for seat in log.game.players
    )


def test_counting_gives_the_recorded_weights() -> None:
    for case, log in short_logs():
        knowledge = knowledge_of(log, engine="counting")
        found = infer(log)
        assert rebels(knowledge, log) == found.rebel, case
        assert knowledge.asker.tally(weighted=True).value.total == found.total, case


@st.composite
def tiny_logs(draw: st.DrawFn) -> Log:
    """Draw a log of two turns in which only three types of card exist, and no seat is dealt any."""
    types = draw(st.sampled_from(("KFJ", "KND", "WJD", "FJP")))
    pile = "".join(draw(st.lists(st.sampled_from(types), min_size=4, max_size=4)))
    players = draw(st.integers(2, 3))
    others: list[Role] = [draw(st.sampled_from((LOYAL, REBEL))) for _ in range(players - 2)]
    log = log_of(Deal((MASTER, *others, REBEL), ("",) * players, pile), turns=2)
    weights = {card: draw(st.integers(1, 3)) if card in types else 0 for card in CARDS}
    return changed(log, weights=weights)


@pytest.mark.parametrize("engine", ["bits", "cpsat", "reference", "counting"])
@settings(max_examples=12)
@given(log=tiny_logs())
def test_all_engines_count_the_worlds_of_tiny_games(engine: str, log: Log) -> None:
    found = infer(log)
    knowledge = knowledge_of(log, engine=engine)
    assert knowledge.asker.tally(weighted=True).value.total == found.total
    assert rebels(knowledge, log) == found.rebel


def test_the_problem_explains_itself_by_events() -> None:
    log = parse_log(
        "pigs 3\nweights P=0 D=0 N=0 W=0 Z=0\nhand 0\nturn 1\n1 ends\nturn 2\n2 uses F on 1\n"
        "1 hit by 2\n2 ends"
    )
    answer = knowledge_of(log).why(is_(("role", 2), "FP"))
    assert "2 uses F on 1" in str(answer)


def test_the_problem_and_its_variables_are_written_and_read_back() -> None:
    problem = knowledge_of(parse_log("pigs 3\nturn 1\n1 ends")).problem
    again = read_problem(json.loads(json.dumps(write_problem(problem))))
    assert again == problem
    assert again.domains["role", 3] == ("ZP", "FP")
    role, *_ = problem.domains
    assert (pickle.loads(pickle.dumps(role)), str(role), name_of(role)) == (role, *["role 1"] * 2)  # noqa: S301
