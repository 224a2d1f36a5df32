"""The same answers under any hash seed or clock, without asserts, from a zip file or a pipe."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[2]
LOG = ROOT / "games/cluedo/examples/evening.cluedo"
SCRIPT = """
import sys
PRELUDE
from contextlib import suppress
import deduce
from deduce.cli.main import main
print(".zip" in deduce.__file__, file=sys.stderr)
for command in (
    "cluedo sheet LOG", "cluedo count LOG", "cluedo certain LOG --json",
    "cluedo worlds --limit 3 LOG", "cluedo sample LOG", "quartets new",
    "search nim --best --time-limit 60",
    "cluedo certain /dev/null",
):
    sys.argv = ["deduce", *command.replace("LOG", sys.argv[-1]).split()]
    with suppress(SystemExit):
        main()
"""


BACKWARDS = """
import itertools, time
jumps = itertools.count(2_000_000_000, -86_400)
time.time = lambda: float(next(jumps))
time.time_ns = lambda: next(jumps) * 10**9
"""


def answers(
    *options: str, path: Path = ROOT, log: Path = LOG, seed: str = "0", prelude: str = ""
) -> tuple[str, str]:
    """Return what some commands print."""
    script = SCRIPT.replace("sys.argv[-1]", repr(str(log))).replace("PRELUDE", prelude)
    done = subprocess.run(
        [sys.executable, "-P", *options, "-c", script],
        env=os.environ | {"PYTHONPATH": str(path), "PYTHONHASHSEED": seed, "COLUMNS": "100"},
        capture_output=True, text=True, timeout=120, check=True, cwd=path.parent,
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if " s, " not in line]
    return "\n".join(lines), done.stderr


def test_the_same_answers_in_every_way(tmp_path: Path) -> None:
    """In the other way everything differs at once: the hash seed, the clock, asserts, the place."""
    usual, _ = answers()
    assert usual.count("\n") > 30
    path = tmp_path / "deduce.zip"
    with ZipFile(path, "w") as file:
        for package in ("deduce", "games"):
            for each in (ROOT / package).rglob("*"):
                if each.is_file() and "__pycache__" not in each.parts:
                    file.write(each, each.relative_to(ROOT))
    out, told = answers("-OO", path=path, seed="1", prelude=BACKWARDS)
    assert told.startswith("True\n")
    assert out == usual


def test_a_log_may_come_through_a_named_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(LOG.read_bytes()))
    writer.start()
    done = subprocess.run(
        [sys.executable, "-c", "from deduce.cli.main import main; main()", "cluedo", "count", pipe],
        capture_output=True, timeout=60,
    )  # fmt: skip
    writer.join()
    assert (done.returncode, done.stderr) == (0, b"")
