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


BAD_DEALS = {
    "": "the text ends where the first word of a deal, the number of seats, should be",
    "1 1": "line 1: a game has 2 to 10 seats, not 1",
    "2 x": "line 1: the size of the pile has to be a number, not 'x'",
    "2 0": "line 1: an empty pile",
    "2 1\nZP K K K K": "line 2: seat 1 is ZP: the Master MP sits in seat 1",
    "2 1\nMP K K K K\nMP K K K K": "line 3: seat 2 is MP: only seat 1 is the Master",
    "2 1\nMP K K K K\nXX": "line 3: the role of seat 2 has to be one of MP, ZP, FP, not 'XX'",
    "2 1\nMP K K K\nFP K K K K\nK": "line 3: a card of seat 1 has to be one of",
    "2 1\nMP K K K Q": "line 2: a card of seat 1 has to be one of P, K",
    "2 1\nMP K K K K\nZP K K K K\nK": "line 3: there is no rebel (FP)",
    "2 3\nMP K K K K\nFP K K K K\nK K": "line 4: the text ends where card 3 of 3 of the pile",
}


@pytest.mark.parametrize(("text", "message"), BAD_DEALS.items())
def test_bad_deals_are_refused_with_line_and_reason(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_deal(text)
    assert str(caught.value).startswith(message)


BAD_LOGS = {
    "": "the log is empty",
    "turn 1": "line 1: a log begins with the number of seats",
    "pigs 11": "a game has 2 to 10 seats, not 11",
    "pigs two": "line 1: write 'pigs 5'",
    "pigs 3\nrebels 3": "3 rebels: with 3 seats there are 1 to 2",
    "pigs 3\nturn 1\nrebels 2": "line 3: 'rebels' must come before the first event",
    "pigs 3\ndiscards maybe": "line 2: write 'discards shown' or 'discards hidden'",
    "pigs 3\nweights Q=3": "line 2: card weights look like K=14",
    "pigs 3\nas 2 MP KK": "line 2: viewpoint: seat 2 is ZP or FP, not MP",
    "pigs 3\nas 2": "line 2: a viewpoint is a seat, its role and its cards",
    "pigs 3\nas 2 FP KQ": "line 2: cards of seat 2: unknown card 'Q'",
    "pigs 3\nopen 1 KK\nopen 2 KK": "open hands: there is no line 'open 3 CARDS'",
    "pigs 3\nturn 1\n1 usse K on 2": "line 3: cannot read the event '1 usse K on 2'",
    "pigs 3\nturn 1\n1 uses": "line 3: cannot read the event '1 uses'; write it like",
    "pigs 3\nturn 1\n1 uses Q": "line 3: card: unknown card 'Q'",
    "pigs 3\nturn 1\n2 dies XP": 'line 3: role: expected "MP", "ZP" or "FP"',
    "{": "line 1, column 2: not JSON",
    '{"n": 3}': 'a log in JSON has at least "n"',
    '{"n": 3, "log": [["jump", 1]]}': "event 1: an event is a list that begins with one of",
    '{"n": 3, "log": [["turn", "1"]]}': "event 1: event ['turn', '1']: seat: expected",
    '{"n": 3, "log": [["use", 1]]}': "event 1: event ['use', 1]: 'use' takes seat, card, target",
    "pigs 2\nopen 1 KK\nopen 2 KK\nopen 3 KK": "open hands: there is no seat 3",
    "pigs 2\nturn " + "1" * 5000: "line 2: cannot read the event 'turn 1111",
    "pigs 3\nturn -1": "line 2: cannot read the event 'turn -1'; write it like 'turn 3'",
    "pigs 3\n1 uses N ends": "line 2: cannot read the event '1 uses N ends'; write it like '3 uses",
    '{"n": ' + "1" * 5000 + "}": "a number with too many digits",
    '{"n": true, "log": []}': '"n" is the number of seats, a whole number, not true',
}


@pytest.mark.parametrize(("text", "message"), BAD_LOGS.items())
def test_bad_logs_are_refused_with_line_and_reason(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_log(text)
    assert str(caught.value).startswith(message)


BEGIN = "pigs 3\nturn 1\n1 uses W\nat 2\n2 hit by 1\nat 3\n3 hit by 1\n1 ends\n"
IMPOSSIBLE = {
    "pigs 3\nturn 2": "event 1 (turn 2): it is the turn of seat 1, so this has to be",
    "pigs 3\nturn 1\n2 ends": "it is the turn of seat 1: it uses a card or ends its turn",
    "pigs 3\nturn 1\n1 uses D": "dodge and nullify are never used actively",
    "pigs 3\nturn 1\n1 uses P": "seat 1 has full hp",
    "pigs 3\nturn 1\n1 uses Z on 2": "only slash and duel have a target",
    "pigs 3\nturn 1\n1 uses K": "a slash or duel names its target",
    "pigs 3\nturn 1\n1 uses K on 2": "seat 1 would aim at no seat, whatever its role",
    "pigs 3\nturn 1\n1 uses F on 7": "there is no living seat 7",
    BEGIN + "turn 2\n2 uses K on 1": "a slash reaches only the next living seat, 3",
    BEGIN + "turn 2\n2 uses F on 3": "seat 2 would aim at seat 1, whatever its role",
    "pigs 3\nturn 1\n1 uses W\nat 3": "the volley reaches seat 2 now, so this has to be 'at 2'",
    "pigs 3\nturn 1\n1 uses W\nat 2\n2 answers K": "seat 2 has not answered, so this has to be",
    "pigs 3\nhand 0\nturn 1\n1 uses W\nat 2\n2 answers D": "seat 2 has no cards left",
    BEGIN + "turn 2\n2 uses F on 1\n9 nullifies 1": "there is no living seat 9",
    BEGIN + "turn 2\n2 uses F on 1\n3 nullifies 2": "this is level 1 of the question",
    "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses K": "a slash or duel names its target",
    "pigs 3\nturn 1\n1 uses W\nat 2\n2 hit by 1": "the log stops inside a turn, after event 4",
}


@pytest.mark.parametrize(("text", "message"), IMPOSSIBLE.items())
def test_events_out_of_place_are_refused_with_line_and_reason(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_turns(parse_log(text))
    assert caught.value.line == len(text.splitlines())
    assert message in str(caught.value)


def four_hits(discards: str = "hidden") -> str:
    """Return a log in which four volleys of the Master bring seat 2 to 0 hp."""
    hits = "1 uses W\nat 2\n2 hit by 1\n"
    return f"pigs 2\ndiscards {discards}\nturn 1\n" + 4 * hits


DEATHS = {
    four_hits() + "1 ends": "seat 2 has 0 hp: it is saved or it dies",
    four_hits() + "2 dies MP": "seat 2 is ZP or FP, not MP",
    four_hits() + "2 dies FP KKKK": "the table does not show lost cards",
    four_hits("shown") + "2 dies FP": "the table shows lost cards: name them",
    four_hits("shown") + "2 dies FP KK": "seat 2 lost 4 cards, but 2 are shown",
    four_hits() + "2 dies FP\n2 draws 3": "the killer of a rebel draws 3, or the game ends",
    four_hits() + "2 dies FP\nMP wins\nturn 1": "the game is over",
    four_hits() + "2 dies ZP\n1 ends": "the Master has killed a loyal: they lose all their cards",
}


@pytest.mark.parametrize(("text", "message"), DEATHS.items())
def test_deaths_that_do_not_fit_are_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=r"event \d+") as caught:
        read_turns(parse_log(text))
    assert message in str(caught.value)


def test_the_dead_do_nothing() -> None:
    text = "pigs 3\nturn 1\n" + 3 * "1 uses W\nat 2\n2 hit by 1\nat 3\n3 answers D\n"
    text += "1 uses W\nat 2\n2 hit by 1\n2 dies ZP\n1 loses all\nat 3\n3 hit by 1\n1 ends\n"
    assert read_turns(parse_log(text)).survivors[-1].living == (1, 3)
    with pytest.raises(BadInput, match="turn of seat 3"):
        read_turns(parse_log(text + "turn 2"))
