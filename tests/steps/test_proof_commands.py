"""``deduce GAME steps``, ``hint`` and ``judge``, as their users run them."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from deduce import read
from deduce.cli.main import main
from deduce.cli.tracking import Tracking, open_log
from deduce.steps import ProofStep
from deduce.steps.words import Writer
from games.cluedo import Cluedo
from games.cluedo.cli import cluedo

EVENING = str(files("games.cluedo.examples") / "evening.cluedo")
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(["cluedo", *args])
        out, err = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, out, err

    return run_


def test_hints_and_the_judge_read_a_sheet(run: Run, tmp_path: Path) -> None:
    k = read(EVENING)
    sheet = tmp_path / "sheet.txt"
    lines = [f"{card}={holder}" for card, holder in k.certain().items()]
    sheet.write_text("\n".join(lines), encoding="utf-8")
    code, out, _ = run("hint", EVENING, "--marks", str(sheet), "--json")
    assert code == 0
    assert len(json.loads(out)["text"]) == 1
    assert "steps" not in json.loads(out)
    code, out, _ = run("hint", EVENING, "--marks", str(sheet), "--level", "3", "--json")
    assert len(json.loads(out)["text"]) == 3
    assert json.loads(out)["steps"]
    code, out, _ = run("judge", EVENING, "--marks", str(sheet), "--json")
    judged = json.loads(out)
    assert code == 0
    assert {mark["verdict"] for mark in judged["marks"]} == {"proved"}
    card, holder = next(iter(k.certain().items()))
    sheet.write_text(f"{card}!={holder}\n", encoding="utf-8")
    code, out, _ = run("judge", EVENING, "--marks", str(sheet))
    assert code == 1
    assert "wrong" in out
    sheet.write_text("nonsense\n", encoding="utf-8")
    code, _, err = run("judge", EVENING, "--marks", str(sheet))
    assert (code, "sheet.txt:1" in err) == (3, True)
    assert run("judge", EVENING, "--marks", str(tmp_path / "none.txt"))[0] == 3


def test_the_tracking_dialogue_gives_steps_and_hints(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("players: Ann, Ben, Cid\n\nAnn: plum rope hall; Ben -\n")
    file, document, _ = open_log(log, Cluedo)
    dialogue = Tracking(cluedo, file, document)
    assert list(dialogue.answer(":steps plum!=ben")) == [
        "1. Event 1: Ben could not show Professor Plum: Ben does not have Professor Plum."
    ]
    assert list(dialogue.answer(":hint")) == ["nothing more follows"]
    list(dialogue.answer("Ann has plum"))
    list(dialogue.answer("Cid: plum rope hall; Ben shows"))
    assert dialogue.knowledge.contradiction().events


def test_ctrl_c_prints_the_steps_until_then(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run("steps", EVENING)[1]
    made = Writer.step
    calls = 0

    def interrupted(*args: Any) -> ProofStep:
        nonlocal calls
        calls += 1
        if calls > 40:
            raise KeyboardInterrupt
        return made(*args)

    monkeypatch.setattr(Writer, "step", interrupted)
    code, out, err = run("steps", EVENING)
    assert code == 130
    assert "these steps were found until then" in err
    assert len(out.splitlines()) > 3
    assert out.splitlines()[:3] == whole.splitlines()[:3]
    assert len(out) < len(whole)
