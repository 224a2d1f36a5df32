"""The recorded positions, through `deduce cases` and through the runner's own results."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from deduce.cli.main import cli
from games.cluedo.cases import peers

DATA = Path(__file__).parents[1] / "data" / "cluedo_exact.json"


def test_what_was_not_computed_is_not_compared() -> None:
    case = {
        "players": [{"name": "Ann", "hand_size": None}, {"name": "Ben", "hand_size": None}],
        "deck": {"suspect": ["plum", "white"], "weapon": ["rope", "dagger"]},
        "observer": None, "own_cards": [], "events": [], "checkpoints": [],
        "exact": dict.fromkeys(("holders", "final_table", "total_deals", "envelope_prob"))
        | {"consistent": True},
    }  # fmt: skip
    assert not list(peers(case))
    assert list(peers(case | {"exact": case["exact"] | {"total_deals": "1"}}))  # type: ignore[operator]


def _spoil(path: str, change: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    def spoil(case: dict[str, Any]) -> None:
        *way, last = path.split(".")
        place = case["exact"]
        for name in way:
            place = place[name]
        place[last] = change(place[last])

    return spoil


MUTATIONS = [
    ("total_deals", lambda old: str(int(old) + 1)),
    ("table.rope", lambda old: old.replace("N", "?")),
    ("holder_counts.hall", lambda old: [*old[1:], old[0]]),
    ("envelope_prob.hall", lambda _: "1/7"),
    ("envelope_prob_show_weighted.hall", lambda _: "1/7"),
    ("possible_solutions", lambda old: old - 1),
    ("most_likely_solutions", lambda old: old[1:]),
    ("most_likely_solution_prob", lambda _: "1/2"),
    ("solution_entropy_bits", lambda old: old + 1e-6),
    ("views.Ann.total_deals", lambda old: old + "0"),
    ("views.Ben.possible_solutions", lambda old: old + 1),
    ("views.Cleo.envelope_certain", lambda old: [*old, "rope"]),
    ("public.total_deals", lambda old: old + "0"),
    ("public.table.white", lambda _: "????"),
    ("next_suggestion.current_entropy_bits", lambda old: old + 1e-6),
    ("next_suggestion.best_gain_bits", lambda old: old + 1e-6),
    ("next_suggestion.best", lambda old: [*old, ["green", "rope", "hall"]]),
    ("next_suggestion.n_best", lambda old: old + 1),
    ("next_suggestion.samples", lambda old: [old[0] | {"gain_bits": 0.5}]),
    ("next_suggestion.samples", lambda old: [old[0] | {"prob_nobody_shows": 0.5}]),
]


def test_every_wrong_expectation_is_found(tmp_path: Path) -> None:
    document = json.loads(DATA.read_text())
    document["cases"] = document["cases"][:1]
    for path, change in MUTATIONS:
        _spoil(path, change)(document["cases"][0])
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(document))
    result = CliRunner().invoke(cli, ["cases", "--limit", "100", str(file)])
    assert result.exit_code == 1
    assert result.output.splitlines()[-1] == "0 passed, 1 failed"
    assert {path for path, _ in MUTATIONS if path not in result.output} == set()
    assert result.output.count("expected") >= len(MUTATIONS)


def test_the_limit_cuts_the_differences_and_says_so(tmp_path: Path) -> None:
    document = json.loads(DATA.read_text())
    case = document["cases"][0]
    case["exact"]["holder_counts"] = {c: ["0"] * 4 for c in case["exact"]["holder_counts"]}
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(document | {"cases": [case]}))
    result = CliRunner().invoke(cli, ["cases", "--limit", "3", str(file)])
    assert "... and 18 more differences" in result.output
