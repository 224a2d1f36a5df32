"""Files and JSON documents of version 0.1 are still read, and still written with the same fields.

``tests/data/v0.1/README.md`` says how the files were made.
"""

from __future__ import annotations

import json
import math
import shutil
import sys
from collections.abc import Callable, Mapping
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from deduce import __version__
from deduce.cli.main import main

DATA = Path(__file__).parents[1] / "data" / "v0.1"
ANSWERS: list[dict[str, Any]] = json.loads((DATA / "answers.json").read_text())

LAST = {tuple(answer["command"][:2]): number for number, answer in enumerate(ANSWERS)}.values()
TOURNAMENT = [
    "cluedo",
    "tournament",
    "information",
    "random",
    "random",
    "--games",
    "5",
    "--seed",
    "4",
    "--json",
]
FEW = [answer for number, answer in enumerate(ANSWERS)
       if (number in LAST or number % 20 == 0) and answer["command"] != TOURNAMENT]  # fmt: skip
"""The last answer of each command, and each twentieth."""

SENTENCES = {"says", "sentences", "sentence", "rules", "claim", "claims", "undecided", "solver"}
"""Fields that hold sentences, which may be reworded."""

MEASURED = {"cpu_ms_per_decision", "cpu_ms_slowest", "slowest_ms", "seconds", "cpu_seconds"}
"""Fields that differ from run to run."""

EFFORT = {"nodes", "node_kinds", "known", "engine", "effort"}
"""Fields that say what an engine did; another version may do it in another way."""

EXAMPLES = {"deal", "holds", "fails", "worlds"}
"""Fields that hold some worlds of many."""

SAMPLED = {"deduce/sample/1", "deduce/worlds/1", "deduce/accuse/1", "deduce/propre-advice/1"}
"""Documents that hold samples or some worlds of many."""

ANOTHER = {"deduce/pigs-puzzle/1", "deduce/pigs-why/1"}
"""Documents of a puzzle: the same seed may give another one in another version."""


Run = Callable[..., tuple[int, list[Any]]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command; return the exit code and the lines printed, parsed where they are JSON."""

    def run(words: list[str], typed: str = "") -> tuple[int, list[Any]]:
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(typed.encode())))
        with pytest.raises(SystemExit) as end:
            main(words)
        lines = capsys.readouterr().out.splitlines()
        assert isinstance(end.value.code, int)
        try:
            return end.value.code, [json.loads(line) for line in lines]
        except ValueError:
            return end.value.code, lines

    return run


def differences(old: Any, new: Any, path: str = "", *, loosely: bool = False) -> list[str]:
    """Where a new document lacks a field of the old one or has another value in it.

    Loosely: values of the same type are equal, and lists are compared by their first items.
    """
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        found = []
        for key, value in old.items():
            free = loosely or key in SENTENCES | MEASURED | EFFORT
            free = free or (key in EXAMPLES and not isinstance(value, str))
            free = free or (key == "text" and old.get("schema") == "deduce/quartets-why/1")
            if key in new:
                found += differences(value, new[key], f"{path}.{key}", loosely=free)
            else:
                found.append(f"{path}.{key} is missing")
        return found
    if isinstance(old, list) and isinstance(new, list):
        if not loosely and len(old) != len(new):
            return [f"{path}: {len(new)} items instead of {len(old)}"]
        if loosely:
            old, new = old[:1], new[:1]
        pairs = enumerate(zip(old, new, strict=False))
        return [
            line
            for i, pair in pairs
            for line in differences(*pair, f"{path}[{i}]", loosely=loosely)
        ]
    number = (int, float)
    if isinstance(old, number) and isinstance(new, number):
        same = loosely or math.isclose(old, new, rel_tol=1e-9, abs_tol=1e-12)
    else:
        same = type(old) is type(new) if loosely else old == new
    return [] if same else [f"{path}: {new!r} instead of {old!r}"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the files, which is the current folder."""
    copy = tmp_path / "v0.1"
    shutil.copytree(DATA, copy)
    monkeypatch.chdir(copy)
    return copy


@pytest.mark.parametrize("answer", FEW, ids=lambda answer: " ".join(answer["command"]))
def test_commands_answer_as_version_0_1_did(answer: dict[str, Any], folder: Path, run: Run) -> None:
    exit_code, lines = run(answer["command"])
    # Other samples of the same seed give other estimates.
    estimated = "--samples" in answer["command"]
    made = answer["command"][:2] == ["pigs", "puzzle"]
    assert exit_code == answer["exit"] or estimated
    assert len(lines) == len(answer["lines"]) or made
    for old, new in zip(answer["lines"], lines, strict=not made):
        loose = SAMPLED | ANOTHER if made else SAMPLED
        sampled = estimated or (isinstance(old, dict) and old.get("schema") in loose)
        assert differences(old, new, loosely=sampled) == []
        if isinstance(old, dict) and "schema" in old:
            assert new["schema"] == old["schema"]


def test_a_tournament_is_resumed_from_its_results(folder: Path, run: Run) -> None:
    old = next(answer for answer in ANSWERS if answer["command"] == TOURNAMENT)
    # Players may play differently in another version, so its results are not continued.
    assert run([*TOURNAMENT, "--out", "tournament.jsonl"])[0] == 3
    recorded = (folder / "tournament.jsonl").read_text().replace('"0.1.0"', f'"{__version__}"', 1)
    (folder / "tournament.jsonl").write_text(recorded)
    exit_code, lines = run([*TOURNAMENT, "--out", "tournament.jsonl"])
    assert exit_code == 0
    assert differences(old["lines"], lines) == []
    assert (folder / "tournament.jsonl").read_text().startswith(recorded)


def test_a_saved_game_is_resumed(folder: Path, run: Run) -> None:
    exit_code, lines = run(["propre", "play", "--resume", "saved.jsonl"], "undo\nquit\n")
    assert exit_code == 0
    assert lines


@pytest.mark.parametrize("name", ["cultist-replay.json", "match-replay.json"])
def test_a_replay_is_read(name: str, folder: Path, run: Run) -> None:
    exit_code, lines = run(["cultist", "replay", name, "--turn", "3"])
    assert exit_code == 0
    assert lines


def test_a_tracked_log_is_continued(folder: Path, run: Run) -> None:
    log = folder / "uneven.cluedo"
    before = log.read_text()
    assert run(["cluedo", "track", log.name], "Eva has rope\n:quit\n")[0] == 0
    assert log.read_text().startswith(before)


def test_a_transcript_is_continued(folder: Path, run: Run) -> None:
    exit_code, lines = run(["quartets", "play", "invented.quartets"], "quit\n")
    assert exit_code == 0
    assert lines


def test_a_state_graph_has_the_same_form(folder: Path, run: Run) -> None:
    assert run(["search", "nim", "--set", "heaps=1,2", "--graph", "new.json"])[0] == 0
    old, new = (json.loads((folder / f"{name}.json").read_text()) for name in ("nim-graph", "new"))
    assert old["schema"] == new["schema"] == "deduce/state-graph/1"
    assert len(old["nodes"]) == len(new["nodes"])
    assert differences(old, new, loosely=True) == []


def test_every_kind_of_document_is_compared() -> None:
    schemas = {
        line["schema"]
        for answer in ANSWERS
        for line in answer["lines"]
        if isinstance(line, dict) and "schema" in line
    }
    assert len(schemas) == 39
