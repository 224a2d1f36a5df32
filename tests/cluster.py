"""A Dask cluster on this machine, whose processes a test may kill."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def started(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """Start a command that is ended with the test, however that ends."""
    environment = os.environ | {"PYTHONWARNINGS": "default"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as running:
        try:
            yield running
        finally:
            running.kill()


def wait_for(ready: Callable[[], bool], process: subprocess.Popen[Any]) -> None:
    end = time.monotonic() + 60
    while not ready():
        assert process.poll() is None, "it ended before"
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.02)


class Cluster:
    """A Dask scheduler and its workers on this machine, each a process of its own."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self.folder = folder
        file = folder / "scheduler.json"
        local = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
        self.scheduler = self._start("scheduler", "--port", "0", *local)
        wait_for(lambda: file.exists() and file.read_text().endswith("}"), self.scheduler)
        self.address = json.loads(file.read_text())["address"]
        alone = ["--no-nanny", "--nthreads", "1", "--memory-limit", "0"]
        space = ["--local-directory", str(folder)]
        self.workers = [self._start("worker", *local, *alone, *space) for _ in range(workers)]

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        with (self.folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "dask", kind, *options],
                stdout=log,
                stderr=log,
                cwd=self.folder,
            )

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
