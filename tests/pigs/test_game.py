"""Pig-slaying as a hidden game of the toolkit: knowledge, viewers, logs, and generic commands."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings

import deduce
from deduce.errors import BadInput, Contradiction, Unsupported
from deduce.logs.events import Log, format_event, parse_event, read_log, write_log
from games.pigs import Deal, Pigs, Turn, Use, Viewpoint, infer, timeline, why
from games.pigs.notation import log_to_json
from tests.pigs.strategies import changed, knowledge_of, logs, parse_log
from tests.pigs.test_cli import KEPT, run
from tests.pigs.test_model import tiny_logs

CLASH = "pigs 2\nturn 1\n1 uses N\nat 2\n2 hit by 1\n1 uses N\nat 2\n2 answers K\n1 ends\n"

EXAMPLES = Path(__file__).parents[2] / "games" / "pigs" / "examples"


def test_a_log_is_recognised_and_answers_claims() -> None:
    k = deduce.read(EXAMPLES / "puzzle.pigs")
    assert isinstance(k.game, Pigs)
    assert k.certain()["role", 2] == "FP"
    proof = k.why("role 3=ZP")
    assert (proof.verdict, proof.events) == ("certain", why(k, 3, "ZP").events)
    assert "seat 3 is a loyal: certain, because" in str(proof)
    assert k.say(deduce.is_not(("card", 3, 2), "N", "P")) == (
        "card 2 of seat 3 is not a peach or an invasion"
    )


@given(played=logs(most=4))
def test_logs_come_back_from_json_lines(played: tuple[Deal, Log]) -> None:
    _, log = played
    assert read_log(write_log(log.game, log.events), Pigs) == log
    assert read_log(json.dumps(log_to_json(log), indent=1), Pigs) == log
    for event in log.events:
        assert parse_event(log.game, format_event(log.game, event)) == event


@settings(max_examples=12)
@given(log=tiny_logs())
def test_every_beginning_of_a_log_weighs_what_the_timeline_says(log: Log) -> None:
    snapshots = timeline(log).snapshots
    for snapshot in snapshots:
        k = knowledge_of(log.upto(snapshot.number), engine="counting")
        assert k.asker.tally(weighted=True).value.total == snapshot.total
        posterior = k.posterior()
        for seat in log.game.players:
            assert posterior["role", seat].get("FP", 0) == snapshot.rebel[seat - 1]


def test_only_the_seat_that_keeps_the_log_knows_its_cards() -> None:
    log = changed(parse_log(KEPT).upto(2), viewpoint=Viewpoint(3, "ZP", "KKDD"))
    k = knowledge_of(log)
    own, other, public = k.seen_by(3), k.seen_by(2), k.seen_by(None)
    assert k.certain()["role", 2] == own.certain()["role", 2] == "FP"
    assert own.certain()["card", 3, 1] == "K"
    assert other.possible() == public.possible() == knowledge_of(parse_log(KEPT).upto(2)).possible()
    assert infer(k).rebel == infer(own).rebel != infer(public).rebel
    assert "the log is kept by seat 3" in str(own.why("role 3=ZP"))
    with pytest.raises(BadInput, match="no player is called 4"):
        k.seen_by(4)


def test_prior_weights_count_for_every_viewer() -> None:
    weights = {**dict.fromkeys("PKDFNWJZ", 1), "K": 5, "D": 0}
    log = parse_log("pigs 2\nhand 1\nturn 1\n1 ends\n")
    log = changed(log, weights=weights, viewpoint=Viewpoint(2, "FP", "K"))
    for viewer in (deduce.RECORD, None, 2):
        k = knowledge_of(log).seen_by(viewer)
        seen = attrs.evolve(log, game=log.game.seen_by(viewer))
        assert k.asker.tally(weighted=True).value.total == infer(seen).total


def test_the_exact_method_takes_no_assumptions() -> None:
    k = deduce.read(EXAMPLES / "kept-slash.pigs").upto(6)
    assert infer(k).probability(3, "FP") == k.posterior()["role", 3]["FP"]
    with pytest.raises(Unsupported, match="takes no assumptions"):
        infer(k.assume("role 2=FP"))


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (Turn(9), "there is no seat 9, only 1 to 3"),
        (Use(1, "Q"), "unknown card 'Q'"),
        (Use(1, "KK"), "a card is one letter"),
        (Use(1, "K", 0), "there is no seat 0"),
        ("1 usse K", "cannot read the event '1 usse K'"),
        (7, "not an event of pigs: 7"),
    ],
)
def test_impossible_events_are_refused(event: object, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        deduce.Knowledge(Pigs(3)).tell(event)


def test_events_out_of_order_are_refused() -> None:
    with pytest.raises(BadInput, match=r"event 1 \(turn 2\): it is the turn of seat 1"):
        deduce.Knowledge(Pigs(3)).tell("turn 2").is_consistent()


@pytest.mark.parametrize("wrong", [{"hand": -1}, {"rebels": 3}, {"open_hands": ("K",)}])
def test_impossible_set_ups_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        Pigs(3, **wrong)  # type: ignore[arg-type]


def test_check_shows_what_clashes() -> None:
    ran = run(["check", "-"], CLASH)
    assert ran.returncode == 1
    assert "event 4: 2 hit by 1" in ran.stdout
    assert run(["check", "--engine", "cpsat", "-"], CLASH).returncode == 1
    with pytest.raises(Contradiction):
        infer(parse_log(CLASH))


def test_an_event_out_of_order_is_refused_with_its_line() -> None:
    ran = run(["certain", "-"], "pigs 3\nturn 1\n1 ends\nturn 3\n")
    assert ran.returncode == 3
    assert ran.stderr.startswith("error: <stdin>:4: event 3 (turn 3): it is the turn of seat 2")


def test_options_of_the_exact_method_are_refused_for_other_claims() -> None:
    ran = run(["why", "card 3.1=N", "--rebels", "1"], KEPT)
    assert ran.returncode == 2
    assert "write them as lines of the log" in ran.stderr
