"""Commands that print numbers estimate where the exact ones are not found; the others never do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from deduce.budget import Budget
from deduce.cli import ask
from deduce.cli.main import main

LOG = str(Path(__file__).parent.parent / "games" / "cluedo" / "examples" / "evening.cluedo")


Run = Callable[..., tuple[int, str]]
ANSWERS: dict[tuple[str, ...], tuple[int, str]] = {}
"""Of commands that two tests ask for."""


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command, in which nothing can be counted."""
    monkeypatch.setattr(ask, "STANDARD", Budget(steps=1))
    monkeypatch.setattr("deduce.reasoning.estimating.LEAST_STEPS", 60_000)

    def run(*words: str) -> tuple[int, str]:
        if words not in ANSWERS:
            with pytest.raises(SystemExit) as end:
                main(["cluedo", *words])
            ANSWERS[words] = int(end.value.code or 0), capsys.readouterr().out
        return ANSWERS[words]

    return run


@pytest.mark.parametrize("command", ["count", "sheet", "sample", "solution"])
def test_numbers_are_estimated_and_exact_ones_are_asked_for(command: str, run: Run) -> None:
    code, shown = run(command, "--upto", "8", LOG)
    assert code == (command == "solution")  # several are possible
    assert "~" in shown
    assert not re.search("counting|components|cpsat|Monte|sampl", shown.lower())
    document = json.loads(run(command, "--json", "--upto", "8", LOG)[1])
    assert '"exact": false' in json.dumps(document)
    code, shown = run(command, "--exact", "--upto", "8", LOG)
    assert code == 4
    assert "~" not in shown


def test_a_share_has_its_error_and_its_interval(run: Run) -> None:
    assert re.search(r"~\d+ % ± \d+", run("sheet", "--upto", "8", LOG)[1])
    document = json.loads(run("sheet", "--json", "--upto", "8", LOG)[1])
    numbers = [x for row in document["posterior"].values() for x in row.values()]
    open_ = [x for x in numbers if isinstance(x, dict)]
    assert open_
    assert all(0 <= x["low"] <= x["value"] <= x["high"] <= 1 for x in open_)
    assert all(0 < x["value"] < 1 and x["error"] > 0 for x in open_)
    assert {x for x in numbers if isinstance(x, str)} == {"1"}
    assert "possible" not in document


@pytest.mark.parametrize("command", [["certain"], ["why", "rope=Ann"]])
def test_what_is_certain_is_never_estimated(command: list[str], run: Run) -> None:
    shown = run(*command, "--upto", "8", LOG)
    assert "~" not in shown[1]
    assert shown == run(*command, "--exact", "--upto", "8", LOG)


def test_advice_is_estimated_and_each_number_has_an_error(run: Run) -> None:
    code, shown = run("advise", "--json", "--upto", "8", LOG)
    document = json.loads(shown)
    assert (code, document["exact"]) == (0, False)
    assert document["suggestions"]
    assert document["entropy_error"] > 0
    assert all(one["error_bits"] > 0 for one in document["suggestions"])
    answers = [answer for one in document["suggestions"] for answer in one["outcomes"]]
    assert all(0 < answer["error"] < 0.5 for answer in answers)
    assert run("advise", "--upto", "8", LOG)[0] == 0
    assert run("advise", "--exact", "--upto", "8", LOG)[0] == 4


def test_exact_contradicts_a_number_of_samples(run: Run) -> None:
    assert run("advise", "--exact", "--samples", "5000", LOG)[0] == 2
