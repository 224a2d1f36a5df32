"""Runs whole notebooks in JupyterLite, in a real browser; ``python -m tests.benchmarks.lite``.

After ``make site``. Arguments are names of notebooks, by default all; prints for each how many
cells ran, which failed, and the seconds from opening it to the end of its last cell. With
``--offline`` the browser loses its network as soon as the notebook is open and its kernel started.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from tests.browser import opened, served

ROOT = Path(__file__).parent.parent.parent
NOTEBOOKS = ROOT / "notebooks"
PATIENCE = 1500.0

CELLS = """() => [...document.querySelectorAll(".jp-Notebook .jp-CodeCell")].map((cell) => ({
  prompt: cell.querySelector(".jp-InputArea-prompt")?.textContent ?? "",
  failed: Boolean(cell.querySelector('[data-mime-type="application/vnd.jupyter.error"],' +
    '[data-mime-type="application/vnd.jupyter.stderr"]')),
}))"""


def run(page: Any, address: str, name: str, *, offline: bool = False) -> dict[str, Any]:
    """Run one notebook to its end."""
    count = len(_code(name))
    begun = time.perf_counter()
    page.goto(f"{address}lab/notebooks/index.html?path={name}.ipynb")
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for()
    page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for()
    # A hidden cell has no prompt, which is what shows that it ran.
    _choose(page, "View", "Expand All Code")
    if offline:
        page.context.set_offline(True)
    _choose(page, "Run", "Run All Cells")
    cells: list[dict[str, Any]] = []
    while time.perf_counter() - begun < PATIENCE:
        page.wait_for_timeout(1000)
        cells = page.evaluate(CELLS)
        ended = len(cells) == count and all(_ran(cell["prompt"]) for cell in cells)
        if ended or any(cell["failed"] for cell in cells):
            break
    return {
        "notebook": name,
        "cells": count,
        "ran": sum(_ran(cell["prompt"]) for cell in cells),
        "failed": [number for number, cell in enumerate(cells, start=1) if cell["failed"]],
        "seconds": round(time.perf_counter() - begun, 1),
    }


def _choose(page: Any, menu: str, item: str) -> None:
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.get_by_text(item, exact=True).click()


def _ran(prompt: str) -> bool:
    return prompt.strip("[]: ").isdigit()


def _code(name: str) -> list[Any]:
    notebook = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def main(arguments: list[str]) -> None:
    """Run the notebooks."""
    command: list[str | Path] = [sys.executable, "-m", "http.server", "0", "-b", "127.0.0.1"]
    command += ["-d", ROOT / "build" / "site"]
    ready = r"\((http://127\.0\.0\.1:\d+/)\)"
    offline = "--offline" in arguments
    names = [name for name in arguments if name != "--offline"]
    # Cells that are out of sight are there all the same.
    screen = {"width": 1200, "height": 12_000}
    with served(command, ready, cwd=ROOT) as server:
        for name in names or sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")):
            with opened(viewport=screen) as page:
                page.set_default_timeout(PATIENCE * 1000)
                print(json.dumps(run(page, server.address, name, offline=offline)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
