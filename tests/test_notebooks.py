"""What is committed of the notebooks; `make docs` runs them, and fails if a cell does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def cells(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_no_outputs_and_checks_what_it_says(path: Path) -> None:
    code = [cell for cell in cells(path) if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in code)
    assert sum("assert " in "".join(cell["source"]) for cell in code) >= 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_asserted_is_in_cells_that_visitors_do_not_see(path: Path) -> None:
    for cell in cells(path):
        checks = any(line.startswith("assert ") for line in cell["source"])
        hidden = "remove-cell" in cell["metadata"].get("tags", ())
        assert not (cell["cell_type"] == "code" and checks) or hidden, cell["source"]
        assert not hidden or cell["metadata"]["jupyter"]["source_hidden"]


def test_your_own_game_takes_at_most_60_lines() -> None:
    path = next(path for path in NOTEBOOKS if path.stem == "your-own-game")
    (game,) = (cell for cell in cells(path) if "class Battleship" in "".join(cell["source"]))
    assert len(game["source"]) <= 60


def test_every_notebook_is_in_the_docs() -> None:
    page = (Path(__file__).parent.parent / "docs" / "notebooks.md").read_text(encoding="utf-8")
    assert [path.stem for path in NOTEBOOKS if f"notebooks/{path.stem}\n" not in page] == []
