"""The recorded cases, and that a wrong field is reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deduce.search import alphabeta
from deduce.testing.cases import replay
from games.cultist import CultistWars
from games.cultist.cases import state_of_case

DATA = Path(__file__).parents[1] / "data"


SPOILED: list[tuple[str, int, str, Any]] = [
    ("transitions", 0, "rng_after", 1),
    ("transitions", 0, "counts", [9, 9]),
    ("transitions", -1, "error", "off_board"),
    ("shots", 0, "hp_after", 3),
    ("lines", 0, "cells", []),
    ("paths", 0, "resolved", "3 MOVE 0 0"),
    ("maps", 0, "grid", ["............."] * 7),
    ("games", 0, "scores", [0, 0]),
    ("perft", 0, "perft", [4, 16, 68, 290]),
    ("endgames", 0, "nodes", 1),
    ("solutions", 0, "plies", 4),
]


def test_a_recorded_solution_has_the_value_of_a_search() -> None:
    for case in json.loads((DATA / "cultist_solutions.json").read_text())["cases"]:
        value = alphabeta(CultistWars(state_of_case(case))).uninterrupted().value
        assert value is not None
        assert value[0] == case["value"]


@pytest.mark.parametrize(("kind", "number", "name", "value"), SPOILED)
def test_a_wrong_field_is_a_difference(
    tmp_path: Path, kind: str, number: int, name: str, value: Any
) -> None:
    document = json.loads((DATA / f"cultist_{kind}.json").read_text())
    case = document["cases"][number]
    assert name in case
    case[name] = value
    document["cases"] = [case]
    file = tmp_path / "spoiled.json"
    file.write_text(json.dumps(document))
    (result,) = replay(file)
    assert [difference.field for difference in result.differences] == [name]
