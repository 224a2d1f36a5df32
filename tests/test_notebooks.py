"""What is committed of the notebooks; `make docs` runs them, and fails if a cell does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))
CHECKS = (Path(__file__).parent / "data" / "notebook_checks.txt").read_text(encoding="utf-8")


def cells(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_no_outputs_and_is_checked_elsewhere(path: Path) -> None:
    code = [cell for cell in cells(path) if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] or cell["execution_count"] for cell in code)
    assert not any("assert " in "".join(cell["source"]) for cell in code)
    assert CHECKS.count(f"# %% {path.stem}-") >= 3
