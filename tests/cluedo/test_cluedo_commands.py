"""Cluedo's commands as a user meets them: what they print, and their exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deduce.knowledge import Knowledge
from deduce.logs.events import read_log
from games.cluedo import Cluedo, examples
from tests.cluedo.conftest import Run

FOLDER = Path(examples.__path__[0])
EVENING = str(FOLDER / "evening.cluedo")
MASTER = str(FOLDER / "master.cluedo")
CLASH = str(FOLDER / "contradiction.cluedo")


def test_check_names_the_clash_and_every_single_repair(deduce: Run) -> None:
    assert deduce("check", EVENING)[0] == 0
    code, out, _ = deduce("check", "--json", CLASH)
    why = json.loads(out)["why"]
    log = read_log(Path(CLASH).read_text(), Cluedo)
    game, events = log.game, log.events
    numbers = [step["event"] for step in why["steps"]]
    assert code == 1
    for number in numbers:
        rest = [events[n - 1] for n in numbers if n != number]
        assert Knowledge(game, rest).is_consistent(), "an event that is not needed"
    for number in range(1, len(events) + 1):
        mended = Knowledge(game, events).drop(number).is_consistent()
        assert mended == (number in why["repairs"])


def test_why_proves_and_why_not_shows_a_deal(deduce: Run) -> None:
    code, out, _ = deduce("why", "rope=env", EVENING)
    assert code == 0
    assert "Rope is in the envelope: certain, because" in out
    code, out, _ = deduce("why-not", "dining=dora", EVENING)
    assert code == 1
    assert "Dora: Colonel Mustard, Dining Room, Conservatory, Study" in out
    assert deduce("why-not", "kitchen=dora", EVENING)[0] == 0


def test_a_time_limit_that_is_too_short_is_undecided(deduce: Run) -> None:
    code, out, err = deduce("sheet", "--time-limit", "0.000001", "--upto", "5", EVENING)
    assert code == 4
    assert "?" in out
    assert "not decided within" in err


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


HOSTILE = """\
{"game": "cluedo", "players": ["A\\u001b[31mnn", "[bold]Ben[/bold]\\nX"], \
"deck": {"w": ["S\\u202e1", "s2"]}}
{"event": "has", "holder": "A\\u001b[31mnn", "card": "s2"}
"""


@pytest.mark.parametrize("command", [["sheet"], ["certain"], ["worlds"], ["why", "s2=A"]])
def test_names_in_a_log_do_not_act_on_the_terminal(
    deduce: Run, command: list[str], tmp_path: Path
) -> None:
    log = tmp_path / "hostile.log"
    log.write_text(HOSTILE)
    code, out, _ = deduce(*command, str(log))
    assert code == 0
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "A\\x1b[31mnn" in out
    assert command != ["sheet"] or "[bold]Ben[/bold]\\nX" in out.splitlines()[1]


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
