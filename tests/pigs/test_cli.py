"""The commands as a new user types them, also with broken input."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.programs import deduce

KEPT = (
    "pigs 3\nturn 1\n1 ends\nturn 2\n2 ends\nturn 3\n3 ends\n"
    "turn 1\n1 uses N\nat 2\n2 hit by 1\nat 3\n3 answers K\n1 ends\n"
)


def run(args: Sequence[str], text: str = "") -> CompletedProcess[str]:
    return deduce("pigs", *args, stdin=text)


@pytest.fixture
def kept(tmp_path: Path) -> str:
    file = tmp_path / "kept.pigs"
    file.write_text(KEPT)
    return str(file)


def test_timeline_prints_and_draws(kept: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    ran = run(["timeline", kept, "--plot", str(tmp_path / "roles.svg")])
    assert ran.returncode == 0
    assert "Seat 3: loyal, certain after event 12: silent, but given away" in ran.stdout
    assert "<svg" in (tmp_path / "roles.svg").read_text()
    data = json.loads(run(["timeline", kept, "--json"]).stdout)
    assert data["certain"][0] == {"seat": 3, "role": "ZP", "number": 12, "route": "cards"}
