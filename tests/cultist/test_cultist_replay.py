"""Replays as files, as text and as pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.errors import BadInput
from deduce.system.saved import unsealed
from games.cultist.match import play
from games.cultist.players import Careful, Greedy, TimeLimits
from games.cultist.replay import REPLAY_SCHEMA, Fault, Replay, format_replay, parse_replay
from games.cultist.setup import Neutrals, new_state
from games.cultist.show import board_svg, replay_page
from games.cultist.wording import board_text, sentence, turn_text, verdict

PATIENT = TimeLimits(30.0, 30.0)
NASTY = '<script>alert("x")</script>&\'"</title>'


def a_game(seed: int, neutrals: Neutrals = "referee") -> Replay:
    """Return a game of two quick bots."""
    start, names = new_state(seed, neutrals), ("careful", NASTY)
    return play(start, (Careful(), Greedy()), names=names, limits=PATIENT, seed=seed).replay


@given(st.integers(0, 1000), st.sampled_from(["referee", "slots", "statement"]))
def test_replays_round_trip(seed: int, neutrals: Neutrals) -> None:
    replay = a_game(seed, neutrals)
    assert parse_replay(format_replay(replay)) == replay
    assert replay.scores == replay.final.counts


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "other"}, "the schema 'deduce/cultist-replay/1'"),
        ({"orders": ["2 MOVE 0 0"]}, "turn 0: .*does not belong to A"),
        ({"orders": "WAIT"}, "orders: expected a list"),
        ({"names": ["one"]}, "names: .*1 items, not 2"),
        ({"seed": "7"}, "seed: expected a whole number"),
        ({"scores": [14, 0]}, "scores: the game ends with"),
        ({"fault": "late"}, "fault: expected an object with fields"),
        ({"start": {"grid": [], "units": []}}, "7 rows"),
        ({"start": None}, "start: expected an object with fields"),
    ],
)
def test_a_wrong_replay_is_refused(change: dict[str, object], message: str) -> None:
    value, _ = unsealed(json.loads(format_replay(a_game(1))), REPLAY_SCHEMA)
    with pytest.raises(BadInput, match=message) as error:
        parse_replay(json.dumps(value | change), source="game.json")
    assert error.value.source == "game.json"


def test_a_replay_states_how_neutrals_move_and_repeats_from_its_seed() -> None:
    replay = a_game(6, "statement")
    value = json.loads(format_replay(replay))
    assert value["start"]["neutrals"] == "statement"
    assert "neutrals" not in json.loads(format_replay(a_game(6)))["start"]
    again = Replay(new_state(value["seed"], "statement"), tuple(value["orders"]))
    assert [turn.after for turn in again.turns] == [turn.after for turn in replay.turns]
    assert board_text(replay.start).startswith("turn 0, A to move, A 1 : 1 B, neutrals: statement")
    assert "seed 6, neutrals: statement" in replay_page(replay)
    del value["start"]["neutrals"]  # with the referee's neutrals it is another game
    with pytest.raises(BadInput):
        parse_replay(json.dumps(value))


def test_an_order_after_the_end_is_refused() -> None:
    replay = a_game(1)
    longer = Replay(replay.start, (*replay.orders, "WAIT"))
    with pytest.raises(BadInput, match="after the end"):
        _ = longer.turns


def test_a_fault_after_the_end_and_a_start_where_chance_moves_are_refused() -> None:
    replay = a_game(1)
    late = Replay(replay.start, replay.orders, fault=Fault("too late"))
    with pytest.raises(BadInput, match="fault: the game was over before it"):
        parse_replay(format_replay(late))
    with pytest.raises(BadInput, match="chance moves next"):
        parse_replay(format_replay(Replay(new_state(0)._replace(chance=True))))


def test_a_fault_scores_minus_one_and_the_other_side_zero() -> None:
    replay = Replay(new_state(0), ("WAIT",), fault=Fault("no answer within 50 ms"))
    assert (replay.scores, replay.winner) == ((0, -1), 0)
    assert verdict(replay) == "A wins, 0 : -1 (no answer within 50 ms)"


def test_an_unfinished_game_has_no_scores() -> None:
    replay = Replay(new_state(0), ("WAIT",))
    assert (replay.scores, replay.winner) == (None, None)
    assert verdict(replay) == "not finished: turn 1 is next"


def test_every_turn_has_a_sentence_and_a_picture() -> None:
    replay = a_game(3)
    for turn in replay.turns:
        text = turn_text(turn)
        assert sentence(turn) in text
        assert text.count("+") == (len(turn.hit.passed) if turn.hit else 0)
    assert {turn.action.verb for turn in replay.turns} >= {"MOVE", "SHOOT", "CONVERT"}


def test_names_orders_and_reasons_are_escaped() -> None:
    replay = Replay(new_state(0), ("0 MOVE 1 3 <b>",), ("ok", NASTY), fault=Fault(NASTY))
    page = replay_page(replay)
    assert NASTY not in page
    assert "<script>alert" not in page
    assert page.count("</title>") == board_svg(replay.start).count("</title>") + 1
    assert page.count("</script>") == 2
    assert "<script>alert" not in replay._repr_html_()
    data = page.split('id="data">')[1].split("</script>")[0]
    assert json.loads(data)["frames"][1]["text"].startswith("A0 moves to (1, 3)")


def test_the_page_loads_nothing_else(tmp_path: Path) -> None:
    page = replay_page(a_game(2)).replace("http://www.w3.org/2000/svg", "")
    assert "http" not in page
    assert "@import" not in page


def test_control_characters_in_orders_do_not_reach_the_terminal() -> None:
    fault = Fault("\x1b[2Jgone")
    replay = Replay(new_state(0), ("0 MOVE 0 3 \x1b]0;title\x07",), fault=fault)
    assert sentence(replay.turns[0]).startswith(r"A waits [0 MOVE 0 3 \x1b]0;title\x07]")
    assert r"\x1b[2Jgone" in verdict(replay)
    assert "\x1b" not in replay_page(replay)
