"""kill -9 loses nothing; tests/benchmarks/kill.py does this many more times."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

if not hasattr(os, "fork"):
    pytest.skip("commands are killed in forks", allow_module_level=True)


@pytest.mark.parametrize("command", ["track", "tournament", "match"])
def test_a_killed_command_has_lost_nothing(command: str) -> None:
    program = [sys.executable, "-m", "tests.benchmarks.kill", "--times", "3", "--only", command]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done
    assert done.stdout.startswith(f"{command}: killed 3 times, ")
