"""Measures the static site and the local page: `python -m tests.benchmarks.page_times`.

Prints the rows of docs/benchmarks/page.md as JSON. Needs `make site`, Chromium, and the extras app
and browser. Beside the clock is what the threads of the page computed, which other programs on the
machine change little.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from itertools import pairwise
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
WIDTH = 390
CATEGORIES = ["toplevel", "blink.user_timing"]
TASK, MAIN, WORKER = "ThreadControllerImpl::RunTask", "CrRendererMain", "DedicatedWorker thread"

TASKS = """new PerformanceObserver(list => {
  for (const entry of list.getEntries()) (window.tasks ??= []).push(entry.duration)
}).observe({entryTypes: ["longtask"]})"""

SHEET = """async line => {
  performance.mark("sheet")
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
  performance.mark("advice")
  const start = performance.now()
  document.querySelector('[data-do="view"][data-view="advice"]').click()
  const slot = () => document.querySelector('[data-slot="advice"]')
  while (slot()?.getAttribute("aria-busy") !== "false") await new Promise(requestAnimationFrame)
  if (!slot().querySelector("[data-advice]")) {
    throw new Error(`no recommendation is shown: ${slot().textContent}`)
  }
  performance.mark("shown")
  return performance.now() - start
}"""


def site() -> dict[str, Any]:
    """Return the figures of the static site."""
    command: list[str | Path] = [sys.executable, "-m", "http.server", "0", "-b", "127.0.0.1"]
    ready = r"\((http://127\.0\.0\.1:\d+/)\)"
    figures: dict[str, Any] = {}
    with (
        served([*command, "-d", SITE], ready, cwd=ROOT) as server,
        opened(viewport={"width": WIDTH, "height": 844}) as page,
    ):
        page.add_init_script(TASKS)
        for name in ("ready cold", "ready again"):
            started, used = time.perf_counter(), browser_seconds()
            page.goto(f"{server.address}?{name[6:]}#/new/cluedo", wait_until="commit")
            page.locator("#setup-form").wait_for()
            figures[f"form, {name[6:]}"] = round(time.perf_counter() - started, 2)
            page.locator(READY).wait_for()
            figures[name] = round(time.perf_counter() - started, 2)
            figures[f"{name}, CPU seconds of the browser"] = round(browser_seconds() - used, 2)
            page.locator('html[data-offline="ready"]').wait_for()
        lines = [line for line in EVENING.read_text(encoding="utf-8").splitlines() if line]
        head, events = lines[1:4], lines[4:]
        page.locator("details:has(#paste-form) > summary").last.click()
        page.locator("#paste-form textarea").fill("\n".join(head))
        page.locator("#paste-form button").click()
        page.locator("#type-form").wait_for(state="attached")
        _view(page, "log")
        sheets, advices = [], []
        page.evaluate("window.tasks = []")
        page.context.browser.start_tracing(page=page, categories=CATEGORIES)
        for event in events[:-2]:
            sheets.append(page.evaluate(SHEET, event))
            advices.append(page.evaluate(ADVICE))
            _view(page, "log")
        figures["tap to sheet, median ms"] = round(median(sheets))
        figures["tap to advice, median ms"] = round(median(advices))
        figures["longest task, ms"] = round(max(page.evaluate("window.tasks ?? []"), default=0))
        figures |= computed(json.loads(page.context.browser.stop_tracing())["traceEvents"])
        figures["troubles"] = page.troubles
    figures["transfer, MB"] = round(transferred() / 1e6, 2)
    return figures


def _view(page: Any, name: str) -> None:
    tab = page.locator(f'[data-do="view"][data-view="{name}"]').locator("visible=true").first
    tab.click()
    page.locator("#type-form").wait_for()


def computed(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what the threads of the page computed, from a trace (milliseconds)."""
    threads = {
        (event["pid"], event["tid"]): event["args"]["name"]
        for event in events
        if event.get("name") == "thread_name"
    }
    tasks = [
        (threads.get((event["pid"], event["tid"]), ""), event["ts"], event["tdur"] / 1000)
        for event in events
        if event.get("ph") == "X" and event["name"] == TASK and "tdur" in event
    ]
    marks = sorted(
        (event["ts"], event["name"]) for event in events if "blink.user_timing" in event["cat"]
    )
    spent: dict[str, list[float]] = {"sheet": [], "advice": []}
    for (begin, name), (end, _) in pairwise(marks):
        if name in spent:
            used = [
                each for thread, at, each in tasks if begin <= at < end and thread in (MAIN, WORKER)
            ]
            spent[name].append(sum(used))
    return {
        "tap to sheet, median CPU ms": round(median(spent["sheet"])),
        "tap to advice, median CPU ms": round(median(spent["advice"])),
        "longest task, CPU ms": round(max(each for name, _, each in tasks if name == MAIN)),
    }


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
