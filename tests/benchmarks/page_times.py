"""Measures the static site and the local page: `python -m tests.benchmarks.page_times`.

Prints how soon each starts, what is transferred, and the memory of the local server, as JSON. Needs
`make site`, Chromium, and the extras app and browser. `page_games` measures taps and advice.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.browser import opened, served

ROOT = Path(__file__).parent.parent.parent
SITE = ROOT / "build" / "site"
EVENING = ROOT / "games" / "cluedo" / "examples" / "evening.cluedo"
READY = 'html[data-state="ready"]'
FORM = "#setup-form"
LOADS = 50
WIDTH = 390

TASKS = """new PerformanceObserver(list => {
  for (const entry of list.getEntries()) (window.tasks ??= []).push(entry.duration)
}).observe({entryTypes: ["longtask"]})"""

SEEN = f"""window.seen = {{}}
new MutationObserver(() => {{
  for (const selector of [{FORM!r}, {READY!r}])
    if (document.querySelector(selector)) window.seen[selector] ??= Date.now()
}}).observe(document, {{subtree: true, childList: true, attributes: true}})"""
"""Notes when something is first on the page; Playwright itself asks every 0.5 s only."""


def site() -> dict[str, Any]:
    """Return the figures of the static site."""
    command: list[str | Path] = [sys.executable, "-m", "http.server", "0", "-b", "127.0.0.1"]
    ready = r"\((http://127\.0\.0\.1:\d+/)\)"
    figures: dict[str, Any] = {}
    with (
        served([*command, "-d", SITE], ready, cwd=ROOT) as server,
        opened(viewport={"width": WIDTH, "height": 844}) as page,
    ):
        page.add_init_script(SEEN)
        for name in ("ready cold", "ready again"):
            started, used = time.time(), browser_seconds()
            page.goto(f"{server.address}?{name[6:]}#/new/cluedo", wait_until="commit")
            page.locator(READY).wait_for()
            seen = page.evaluate("window.seen")
            figures[f"form, {name[6:]}"] = round(seen[FORM] / 1000 - started, 2)
            figures[name] = round(seen[READY] / 1000 - started, 2)
            figures[f"{name}, CPU seconds of the browser"] = round(browser_seconds() - used, 2)
            page.locator('html[data-offline="ready"]').wait_for()
        figures["troubles"] = page.troubles
    figures["transfer, MB"] = round(transferred() / 1e6, 2)
    return figures


def browser_seconds() -> float:
    """Return the CPU seconds of all processes of the browser so far."""
    ticks = 0
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                fields = (entry / "stat").read_text(encoding="utf-8").rpartition(")")
                if "chrom" in fields[0]:
                    ticks += sum(map(int, fields[2].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def transferred() -> int:
    """Return how many bytes all files have after gzip, without numpy, which few questions need."""
    import gzip

    notebooks = SITE / "lab"
    files = [
        file
        for file in SITE.rglob("*")
        if file.is_file() and file.suffix != ".whl" and not file.is_relative_to(notebooks)
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
