"""Measures the static site and the local page; `python tests/benchmarks/face.py` after `make site`.

Prints the rows of docs/benchmarks/face.md as JSON. Needs Chromium and the extras app and browser.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from tests.browser import opened, served

ROOT = Path(__file__).parent.parent.parent
SITE = ROOT / "build" / "site"
EVENING = ROOT / "games" / "cluedo" / "examples" / "evening.cluedo"
READY = 'html[data-state="ready"]'
LOADS = 50

TASKS = """new PerformanceObserver(list => {
  for (const entry of list.getEntries()) (window.tasks ??= []).push(entry.duration)
}).observe({entryTypes: ["longtask"]})"""

SHEET = """async line => {
  const start = performance.now(), log = document.querySelectorAll(".log > li").length
  const input = document.querySelector("#type-form input")
  input.value = line
  document.querySelector("#type-form button").click()
  while (document.querySelectorAll(".log > li").length === log) {
    await new Promise(requestAnimationFrame)
  }
  return performance.now() - start
}"""

ADVICE = """async () => {
  const start = performance.now()
  document.querySelector('.side-tabs [data-view="advice"]').click()
  const slot = () => document.querySelector('[data-slot="advice"]')
  while (slot()?.getAttribute("aria-busy") !== "false") await new Promise(requestAnimationFrame)
  return performance.now() - start
}"""


def site() -> dict[str, Any]:
    """Return the figures of the static site."""
    command: list[str | Path] = [sys.executable, "-m", "http.server", "0", "-b", "127.0.0.1"]
    ready = r"\((http://127\.0\.0\.1:\d+/)\)"
    figures: dict[str, Any] = {}
    with (
        served([*command, "-d", SITE], ready, cwd=ROOT) as server,
        opened(viewport={"width": 1280, "height": 844}) as page,
    ):
        page.add_init_script(TASKS)
        for name in ("ready cold", "ready again"):
            started = time.perf_counter()
            page.goto(server.address)
            page.locator(READY).wait_for()
            figures[name] = round(time.perf_counter() - started, 2)
            page.locator('html[data-offline="ready"]').wait_for()
        lines = [line for line in EVENING.read_text(encoding="utf-8").splitlines() if line]
        head, events = lines[1:4], lines[4:]
        page.locator("#game-cluedo").click()
        page.locator("summary").last.click()
        page.locator("#paste-form textarea").fill("\n".join(head))
        page.locator("#paste-form button").click()
        page.locator("#type-form").wait_for()
        sheets, advices = [], []
        for event in events[:-2]:
            sheets.append(page.evaluate(SHEET, event))
            advices.append(page.evaluate(ADVICE))
            page.locator('.side-tabs [data-view="log"]').click()
            page.locator("#type-form").wait_for()
        figures["tap to sheet, median ms"] = round(median(sheets))
        figures["tap to advice, median ms"] = round(median(advices))
        figures["longest task, ms"] = round(max(page.evaluate("window.tasks ?? []"), default=0))
        figures["troubles"] = page.troubles
    figures["transfer, MB"] = round(transferred() / 1e6, 2)
    return figures


def transferred() -> int:
    """Return how many bytes all files have after gzip."""
    import gzip

    notebooks = SITE / "lab"
    files = [
        file for file in SITE.rglob("*") if file.is_file() and not file.is_relative_to(notebooks)
    ]
    return sum(len(gzip.compress(file.read_bytes())) for file in files)


def memory() -> dict[str, Any]:
    """Return the resident memory of the local server after one page load and after many."""
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "evening.cluedo")
        log.write_text(EVENING.read_text(encoding="utf-8"), encoding="utf-8")
        deduce = Path(sys.executable).parent / "deduce"
        command: list[str | Path] = [deduce, "app", "--no-browser", "--port", "8939"]
        command += ["cluedo", log]
        ready = r": (http://127\.0\.0\.1:\d+/\?token=\S+)"
        with served(command, ready, cwd=ROOT) as server, opened() as page:
            page.goto(server.address)
            port = urlsplit(server.address).port
            for load in range(1, LOADS + 1):
                page.goto(f"http://127.0.0.1:{port}/")
                page.locator("#turn-form").wait_for()
                if load in (1, LOADS // 2, LOADS):
                    figures[f"server after {load} loads, MB"] = resident(server.process.pid)
    return figures


def resident(pid: int) -> int:
    """Return the resident memory of a process in MB."""
    shown = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return round(int(shown.stdout) / 1024)


if __name__ == "__main__":
    os.chdir(ROOT)
    print(json.dumps({**memory(), **site()}, indent=1))
