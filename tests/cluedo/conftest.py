"""The command line in this process: what ``deduce cluedo ...`` answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from deduce.cli.main import main

Run: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture
def deduce(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command; its exit code, standard output and standard error."""

    def run(*args: str) -> tuple[int, str, str]:
        code = 0
        try:
            main(["cluedo", *args])
        except SystemExit as exit_:
            code = int(exit_.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run
