from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from deduce.errors import BadInput
from games.quartets.cases import parse_suits, transcripts, turns

DATA = Path(__file__).parents[1] / "data"


def test_no_player_is_an_answer() -> None:
    out = {"kind": "out_of_cards", "hands": [0, 0], "turn": 0, "last_asked": None}
    assert not list(turns(out | {"next": {"x": None, "y": None, "z": None}}))
    (difference,) = turns(out | {"hands": [0, 2], "next": {"x": 1, "y": None}})
    assert difference.field == "next.y"
    winner = {"kind": "winner", "players": 2, "quartets_in_order": [], "count": [0, 0]}
    assert not list(turns(winner | {"winner": None}))


def first(condition: Any) -> dict[str, Any]:
    document = json.loads((DATA / "quartets_transcripts.json").read_text())
    case = next(case for case in document["cases"] if condition(case))
    return copy.deepcopy(case)


@pytest.mark.parametrize("field", ["valid", "deals", "yes", "winner", "loser", "hands"])
def test_the_runner_finds_a_changed_field(field: str) -> None:
    kind = "contradiction" if field == "loser" else "complete"
    case = first(lambda case: case["result"]["type"] == kind and len(case["events"]) < 40)
    if field in ("winner", "loser"):
        case["result"][field] = (case["result"][field] + 1) % case["players"]
    elif field == "hands":
        case["final"]["hands"][0] += 1
    else:
        event = next(e for e in case["events"] if field in e and e[field] is not None)
        event[field] = not event[field] if field != "deals" else event["deals"] + 1
    assert list(transcripts(case))


def test_tables_of_alike_cards() -> None:
    form = parse_suits("000/22?/111???")
    assert form.tables == 3
    assert not form.asked(0, 1).is_valid
    assert form.answered(1, 0, 2, yes=False).tables == 0
    for text, mark in (("07/1", "7"), ("²/1", "²"), ("１/1", "１")):
        with pytest.raises(BadInput, match=f"'{mark}' is not a suit"):
            parse_suits(text)
