"""A real browser for tests of pages; where there is none, the test is skipped with the reason."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

__all__ = ["FLAGS", "NASTY", "Server", "expect", "launched", "opened", "served"]

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

NASTY = ("<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>")
"""Names that must stay text; the second may also be one of Quartets."""

PATIENCE = 180_000
"""Milliseconds that something on the page may take on a busy machine."""

START = 180.0
"""Seconds that a server may take to start on a busy machine."""


_RUNNING: list[Any] = []


@contextmanager
def launched() -> Iterator[Any]:
    """Run one browser for all pages that are opened meanwhile: a start takes a second."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("no chromium on this machine")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=FLAGS)
        api.expect.set_options(timeout=PATIENCE)
        _RUNNING.append(chromium)
        try:
            yield chromium
        finally:
            _RUNNING.remove(chromium)
            chromium.close()


@contextmanager
def opened(**options: Any) -> Iterator[Any]:
    """Open a page whose ``troubles`` collect errors, dialogs, and requests of other hosts.

    It shares no storage with other pages, also where they share the browser.
    """
    with nullcontext(_RUNNING[-1]) if _RUNNING else launched() as chromium:
        page = chromium.new_page(**options)
        page.troubles = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("dialog", lambda dialog: (page.troubles.append(dialog.message), dialog.dismiss()))
        page.on("console", lambda said: _note_console(page, said))
        page.on("request", lambda request: _note_host(page, request.url))
        try:
            yield page
        finally:
            page.close()


def _note_console(page: Any, said: Any) -> None:
    if said.type == "error":
        page.troubles.append(f"{said.text} ({said.location.get('url')})")


def _note_host(page: Any, url: str) -> None:
    if not re.match(r"(https?|ws)://(127\.0\.0\.1|localhost)[:/]|data:|blob:|file:", url):
        page.troubles.append(f"asked another host: {url}")


def expect(locator: Any) -> Any:
    """Return playwright's assertions about what a locator finds, which wait until they hold."""
    return pytest.importorskip("playwright.sync_api").expect(locator)


class Server:
    """A running server: its address, and what it said until it was ready."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.address = ""
        self.said = ""

    def stop(self) -> int:
        """End it as Ctrl-C does; return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        elif self.process.stdout is None or self.process.stdout.closed:
            return self.process.returncode
        try:
            rest, _ = self.process.communicate(timeout=30)
            self.said += rest
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
        return self.process.returncode


@contextmanager
def served(
    command: Sequence[str | Path], ready: str, *, cwd: Path, env: dict[str, str] | None = None
) -> Iterator[Server]:
    """Start a server and wait for the line that holds its address, the group of ``ready``."""
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=cwd,
        env=os.environ | {"PYTHONUNBUFFERED": "1"} | (env or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        bufsize=1,
    )
    server = Server(process)
    try:
        assert process.stdout is not None
        last = time.monotonic() + START
        while not server.address:
            left = last - time.monotonic()
            there, _, _ = select.select([process.stdout], [], [], max(0, left))
            line = process.stdout.readline() if there else ""
            assert line, f"the server is not ready:\n{server.said}"
            server.said += line
            found = re.search(ready, line)
            server.address = found[1] if found else ""
        _wait_until_it_listens(server.address, last)
        yield server
    except BaseException as error:
        server.stop()
        error.add_note(f"the server said:\n{server.said}")
        raise
    finally:
        server.stop()


def _wait_until_it_listens(address: str, last: float) -> None:
    """Wait until Jupyter answers: it prints its address a moment before it listens there."""
    place = urlsplit(address)
    while True:
        try:
            socket.create_connection((place.hostname, place.port), timeout=5).close()
        except ConnectionRefusedError:
            assert time.monotonic() < last, f"no server listens at {address}"
            time.sleep(0.05)
        else:
            return
