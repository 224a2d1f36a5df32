"""The page of the latest run of the benchmarks is made from its JSON, and says what it must."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.page import fit, page

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


def test_a_run_is_small_and_names_neither_the_machine_nor_the_branch(run: dict[str, Any]) -> None:
    assert LATEST.stat().st_size < 200_000
    assert "node" not in run["machine_info"]
    assert "branch" not in run["commit_info"]
    assert run["machine_info"]["versions"]["numpy"]
    assert len(run["machine_info"]["load"]) == 3


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


def test_the_fitted_order_is_that_of_a_power() -> None:
    order, r = fit([(n, 5e-6 * n**1.5) for n in (10, 20, 50, 90)])
    assert order == pytest.approx(1.5)
    assert r == pytest.approx(1)
