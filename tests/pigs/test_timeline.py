"""Timelines agree with the inference at every turn, and tell how roles became certain."""

from __future__ import annotations

import pytest
from hypothesis import given

from deduce.errors import Contradiction
from deduce.logs.events import Log
from games.pigs.inference import Certainty, infer, timeline
from games.pigs.reading import read_turns
from games.pigs.setup import Deal
from tests.pigs.strategies import document, log_from_json, logs, parse_log


@given(played=logs(most=5))
def test_every_turn_ends_as_the_inference_says(played: tuple[Deal, Log]) -> None:
    _, log = played
    story = timeline(log)
    for end in read_turns(log).boundaries:
        found = infer(log.upto(end))
        assert story.snapshots[end].rebel == found.rebel
        assert story.snapshots[end].total == found.total
    assert {known.seat: known.role for known in story.certain} == infer(log).certain


def test_routes_of_a_recorded_game() -> None:
    case = next(c for c in document("pigs_inference")["cases"] if c["id"] == "g191")
    story = timeline(log_from_json(case))
    assert story.certain == (
        Certainty(3, "FP", 44, "declared"),
        Certainty(2, "ZP", 68, "declared"),
        Certainty(5, "ZP", 85, "cards"),
        Certainty(4, "FP", 85, "counting"),
    )


def test_an_impossible_log_has_no_story() -> None:
    text = "pigs 2\nturn 1\n1 uses N\nat 2\n2 hit by 1\n1 uses N\nat 2\n2 answers K\n1 ends"
    with pytest.raises(Contradiction, match="the first 7 events"):
        timeline(parse_log(text))
