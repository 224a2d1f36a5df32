"""Explanations: sufficient, smallest, and named as in the docs."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.errors import BadInput, Contradiction
from deduce.logs.events import Log
from games.pigs.inference import infer
from games.pigs.proofs import _Checker, smallest, why, why_impossible
from games.pigs.reading import read_turns
from games.pigs.setup import LOYAL, REBEL, Deal
from tests.pigs.strategies import changed, document, log_from_json, logs, parse_log

WORKED = {case["id"]: case for case in document("pigs_inference")["cases"] if "rule" in case}


@pytest.mark.parametrize(
    ("case", "seat", "rules"),
    [
        ("e01", 2, ("P1",)),
        ("e03", 3, ("N1",)),
        ("e03", 2, ("N1", "P6")),
        ("e05", 2, ("P7",)),
        ("e07", 3, ("P4",)),
        ("e07", 4, ("P4",)),
        ("e09", 2, ("P4",)),
        ("e13", 2, ("N1",)),
    ],
)
def test_rules_of_the_worked_examples_are_named(
    case: str, seat: int, rules: tuple[str, ...]
) -> None:
    log = log_from_json(WORKED[case])
    assert why(log, seat, infer(log).certain[seat]).rules == rules


def test_kept_slash_is_told_in_one_sentence() -> None:
    answer = why(log_from_json(WORKED["e03"]), 3, LOYAL)
    assert answer.events == (6, 12)
    assert str(answer) == (
        "Seat 3 showed a slash (event 12) that it must have held when it ended its turn next to "
        "the Master (event 6): a rebel would have used it, so it is loyal. (N1)"
    )


def test_kept_nullify_of_open_hands_is_named() -> None:
    log = parse_log(
        "pigs 3\nopen 1 DDDDDD\nopen 2 DDDDJD\nopen 3 FDDDDD\nturn 1\n1 ends\nturn 2\n2 ends\n"
        "turn 3\n3 uses F on 1\n1 hit by 3\n3 ends"
    )
    answer = why(log, 2, REBEL)
    assert (answer.events, answer.rules) == ((7,), ("N3",))
    assert "when the loyal side was asked for a nullify (before event 7)" in str(answer)


def test_slash_held_back_in_the_duel_of_the_master_is_named() -> None:
    log = parse_log(
        "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses N\nat 3\n3 hit by 2\nat 1\n1 hit by 2\n2 ends\n"
        "turn 3\n3 ends\nturn 1\n1 uses F on 2\n2 hit by 1\n1 uses N\nat 2\n2 answers K\nat 3\n"
        "3 hit by 1\n1 ends"
    )
    answer = why(log, 2, LOYAL)
    assert (answer.events, answer.rules) == ((14, 17), ("N4",))
    assert "a rebel would have discarded it, so it is loyal. (N4)" in str(answer)


def test_a_card_of_no_type_gives_a_seat_away() -> None:
    case = next(c for c in document("pigs_inference")["cases"] if c["id"] == "g159")
    assert str(why(log_from_json(case), 7, LOYAL)).startswith(
        "Were seat 7 a rebel, a card in its hand would be of no type: "
    )


def test_only_seats_that_the_claim_needs_are_told_of() -> None:
    case = next(c for c in document("pigs_inference")["cases"] if c["id"] == "g205")
    answer = why(log_from_json(case), 3, REBEL)
    assert [reason.seat for reason in answer.reasons] == [3]


def test_every_certain_role_of_the_recorded_logs_has_a_reason() -> None:
    for case in document("pigs_inference")["cases"][::8]:
        log = log_from_json(case)
        for seat, role in infer(log).certain.items():
            answer = why(log, seat, role)
            assert answer.reasons
            assert set(answer.rules) <= {f"{k}{n}" for k in "PN" for n in range(1, 8)}


@given(played=logs(most=4))
def test_fewer_events_never_do(played: tuple[Deal, Log]) -> None:
    _, log = played
    checker = _Checker(log.game, read_turns(log))
    for seat, role in infer(log).certain.items():
        events = [number - 1 for number in why(log, seat, role).events]
        assert not checker.is_possible(events, seat=seat, unlike=role)
        for size in range(min(len(events), 3)):
            for fewer in combinations(checker.all, size):
                assert checker.is_possible(fewer, seat=seat, unlike=role)


@given(sets=st.lists(st.sets(st.integers(0, 7), min_size=1, max_size=5), min_size=1, max_size=4))
def test_smallest_sets_are_smallest(sets: list[set[int]]) -> None:
    found = smallest(range(8), lambda kept: any(part <= set(kept) for part in sets))
    assert any(part <= set(found) for part in sets)
    assert len(found) == min(map(len, sets))


def test_an_open_role_has_no_reason_but_a_probability() -> None:
    with pytest.raises(BadInput, match="its probability is 4096/6497"):
        why(log_from_json(WORKED["e01"]), 3, REBEL)


def test_a_missing_seat_is_refused() -> None:
    with pytest.raises(BadInput, match="no seat 4"):
        why(log_from_json(WORKED["e01"]), 4, REBEL)


CLASHES = {
    # No slash, hence not a slash either before new cards come.
    "pigs 2\nturn 1\n1 uses N\nat 2\n2 hit by 1\n1 uses N\nat 2\n2 answers K\n1 ends": (4, 7),
    # A rebel by its duel, a loyal by its nullify.
    "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses F on 1\n1 hit by 2\n2 uses N\nat 3\n3 hit by 2\n"
    "at 1\n2 nullifies 1\n2 ends": (4, 10),
    # No seat is left to be the rebel.
    "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses W\nat 3\n3 hit by 2\nat 1\n2 nullifies 1\n2 ends\n"
    "turn 3\n3 uses W\nat 1\n3 nullifies 1\nat 2\n2 hit by 3\n3 ends": (8, 13),
}


@pytest.mark.parametrize(("text", "events"), CLASHES.items())
def test_impossible_logs_name_the_events_that_clash(text: str, events: tuple[int, ...]) -> None:
    log = parse_log(text)
    answer = why_impossible(log)
    assert answer.events == events
    assert answer.seat is None
    assert len(answer.reasons) == (2 if log.game.seats == 2 else 3)
    with pytest.raises(Contradiction) as caught:
        why(log, 2, REBEL)
    assert caught.value.why == answer


def test_a_possible_log_has_nothing_to_explain() -> None:
    with pytest.raises(BadInput, match="the log is possible"):
        why_impossible(log_from_json(WORKED["e01"]))


def test_impossible_by_the_number_of_rebels() -> None:
    log = changed(log_from_json(WORKED["e07"]), rebels=1)
    answer = why_impossible(log)
    assert answer.events == (4, 6)
    assert "the table knows that there is exactly 1 rebel" in str(answer)
