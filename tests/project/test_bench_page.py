"""The page of the latest run of the benchmarks is made from its JSON, and says what it must."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.page import page

DOCS = Path(__file__).parents[2] / "docs" / "benchmarks"
LATEST = max((DOCS / "runs").glob("*.json"))
LINK = LATEST.relative_to(DOCS).as_posix()


@pytest.fixture
def run() -> dict[str, Any]:
    return json.loads(LATEST.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def test_no_figure_of_the_page_was_written_by_hand(run: dict[str, Any]) -> None:
    written = (DOCS / "latest.md").read_text(encoding="utf-8")
    again = (
        f"python -m tests.benchmarks.page docs/benchmarks/{LINK} --page docs/benchmarks/latest.md"
    )
    assert written == page(run, LINK), again


def test_the_page_follows_the_figures(run: dict[str, Any]) -> None:
    slower = deepcopy(run)
    for benchmark in slower["benchmarks"]:
        benchmark["stats"]["median"] *= 1000
    text = page(slower, LINK)
    assert "**missed**" in text
    assert ": met" not in text
    slower["machine_info"].update(load=[0.1, 0.1, 0.1], versions={"deduce": "1", "x": None})
    text = page(slower, LINK)
    assert "busy machine" not in text
    assert "| not installed, so not measured | x |" in text
