"""Text and JSON forms: both ways, and what is refused with which words."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.errors import BadInput
from deduce.logs.events import Log
from games.pigs.notation import (
    event_from_json,
    event_to_json,
    format_event,
    format_log,
    log_to_json,
    parse_event,
)
from games.pigs.reading import read_turns
from games.pigs.setup import Deal, Viewpoint, parse_deal
from tests.pigs.strategies import changed, document, log_from_json, logs, parse_log

TABLES = st.fixed_dictionaries(
    {
        "weights": st.sampled_from(({}, {"K": 14, "Z": 0})),
        "viewpoint": st.sampled_from((None, Viewpoint(2, "FP", "KKDD"), Viewpoint(1, "MP", ""))),
        "opened": st.booleans(),
    }
)


@given(played=logs(), table=TABLES)
def test_logs_come_back_from_text_and_json(
    played: tuple[Deal, Log], table: dict[str, object]
) -> None:
    _, log = played
    log = changed(
        log,
        weights={**log.game.weights, **table["weights"]},  # type: ignore[dict-item]
        viewpoint=table["viewpoint"],
        open_hands=("KD",) * log.game.seats if table["opened"] else None,
    )
    assert parse_log(format_log(log.game, log.events)) == log
    assert log_from_json(json.loads(json.dumps(log_to_json(log)))) == log
    assert parse_log(json.dumps(log_to_json(log))) == log
    for event in log.events:
        assert parse_event(format_event(event)) == event
        assert event_from_json(event_to_json(event)) == event


def test_recorded_logs_come_back_from_text() -> None:
    for case in document("pigs_inference")["cases"]:
        log = log_from_json(case)
        assert parse_log(format_log(log.game, log.events)) == log
        assert log_to_json(log)["log"] == case["log"]


@given(text=st.text(alphabet='pigsturnhdef 0123456789KZ\n-=#{}[]":,MPFW', max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (parse_log, parse_deal):
        with suppress(BadInput):
            read(text)


@pytest.mark.parametrize("text", ["pigs 2\nturn {}", '{{"n": {}}}'])
def test_numbers_of_5000_digits_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"cannot read the event 'turn 1111|too many digits"):
        parse_log(text.format("1" * 5000))


def test_the_dead_do_nothing() -> None:
    text = "pigs 3\nturn 1\n" + 3 * "1 uses W\nat 2\n2 hit by 1\nat 3\n3 answers D\n"
    text += "1 uses W\nat 2\n2 hit by 1\n2 dies ZP\n1 loses all\nat 3\n3 hit by 1\n1 ends\n"
    assert read_turns(parse_log(text)).survivors[-1].living == (1, 3)
    with pytest.raises(BadInput, match="turn of seat 3"):
        read_turns(parse_log(text + "turn 2"))
