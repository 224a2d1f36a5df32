"""Runs whole notebooks in JupyterLite, in a real browser; ``python -m tests.benchmarks.lite``.

After ``make site``. Arguments are names of notebooks; prints for each how many cells ran, how many
failed, and the seconds from opening it to the end of its last cell.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from tests.browser import opened, served

ROOT = Path(__file__).parent.parent.parent
NOTEBOOKS = ("first-look", "assistant")
PATIENCE = 1500.0

CELLS = """() => [...document.querySelectorAll(".jp-Notebook .jp-CodeCell")].map((cell) => ({
  prompt: cell.querySelector(".jp-InputArea-prompt")?.textContent ?? "",
  failed: Boolean(cell.querySelector('[data-mime-type="application/vnd.jupyter.stderr"] pre')
    && /Traceback|Error/.test(cell.textContent)),
}))"""


def run(page: Any, address: str, name: str) -> dict[str, Any]:
    """Run one notebook to its end."""
    count = len(_code(name))
    begun = time.perf_counter()
    page.goto(f"{address}lab/notebooks/index.html?path={name}.ipynb")
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
    page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    cells: list[dict[str, Any]] = []
    while time.perf_counter() - begun < PATIENCE:
        page.wait_for_timeout(1000)
        cells = page.evaluate(CELLS)
        if len(cells) == count and all(_ran(cell["prompt"]) for cell in cells):
            break
    return {
        "notebook": name,
        "cells": count,
        "ran": sum(_ran(cell["prompt"]) for cell in cells),
        "failed": sum(cell["failed"] for cell in cells),
        "seconds": round(time.perf_counter() - begun, 1),
    }


def _ran(prompt: str) -> bool:
    return prompt.strip("[]: ").isdigit()


def _code(name: str) -> list[Any]:
    notebook = json.loads((ROOT / "notebooks" / f"{name}.ipynb").read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def main(names: list[str]) -> None:
    """Run the notebooks."""
    command: list[str | Path] = [sys.executable, "-m", "http.server", "0", "-b", "127.0.0.1"]
    command += ["-d", ROOT / "build" / "site"]
    ready = r"\((http://127\.0\.0\.1:\d+/)\)"
    # Cells that are out of sight are there all the same.
    with (
        served(command, ready, cwd=ROOT) as server,
        opened(viewport={"width": 1200, "height": 12_000}) as page,
    ):
        page.set_default_timeout(PATIENCE * 1000)
        for name in names:
            print(json.dumps(run(page, server.address, name)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(NOTEBOOKS))
