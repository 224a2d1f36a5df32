"""Cluedo's commands as a user meets them: what they print, and their exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.cluedo import examples
from tests.cluedo.conftest import Run

FOLDER = Path(examples.__path__[0])
EVENING = str(FOLDER / "evening.cluedo")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Ann: plum ropp hall; Ben -", "11: no card is called 'ropp'; did you mean 'Rope'?"),
        ("x" * 10_000_000, " a line of 10000000 characters; no event is that long"),
    ],
    ids=["name", "long"],
)
def test_a_bad_line_is_named_with_its_place(
    deduce: Run, line: str, told: str, tmp_path: Path
) -> None:
    log = tmp_path / "bad.cluedo"
    log.write_text(f"deck: classic\nplayers: Ann, Ben, Cid\n\n{line}\n")
    assert deduce("sheet", str(log)) == (3, "", f"error: {log}:4:{told}\n")


def _process(*args: str, **given: Any) -> subprocess.CompletedProcess[str]:
    code = "from deduce.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "cluedo", *args],
        stderr=subprocess.PIPE, text=True, check=False, timeout=60, **given,
    )  # fmt: skip


def test_a_terminal_without_the_letters_of_a_name_shows_escapes(tmp_path: Path) -> None:
    log = tmp_path / "li.cluedo"
    log.write_text("players: \u674e, Ben\n", encoding="utf-8")
    narrow = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = _process("sheet", str(log), env=narrow, stdout=subprocess.PIPE)
    assert done.returncode == 0
    assert "\\u674e" in done.stdout


def test_every_schema_is_documented(deduce: Run) -> None:
    docs = Path(__file__).parents[2] / "docs"
    told = (docs / "commands.md").read_text() + (docs / "games" / "cluedo.md").read_text()
    commands = ["check", "sheet", "certain", "count", "worlds", "sample", "solution"]
    for command in [*commands, "possible rope", "why rope=ann", "why-not rope=ann"]:
        document = json.loads(deduce(*command.split(), "--json", EVENING)[1])
        schema = document.pop("schema")
        row = next(line for line in told.splitlines() if f"`{schema}`" in line)
        assert [name for name in document if f"`{name}`" not in row] == []
