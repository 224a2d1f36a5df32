"""kill -9 loses nothing; tests/benchmarks/kill.py does this many more times."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

if not hasattr(os, "fork"):
    pytest.skip("commands are killed in forks", allow_module_level=True)


def test_a_killed_command_has_lost_nothing() -> None:
    names = ["track", "tournament", "match"]
    only = [word for name in names for word in ("--only", name)]
    program = [sys.executable, "-m", "tests.benchmarks.kill", "--times", "3", *only]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done
    lines = done.stdout.splitlines()
    assert [line.partition(",")[0] for line in lines] == [
        f"{name}: killed 3 times" for name in names
    ]
