"""The same answers under any hash seed, without asserts, from a zip file, and from a pipe."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
LOG = ROOT / "games/cluedo/examples/evening.cluedo"
SCRIPT = """
import sys
from contextlib import suppress
import deduce
from deduce.cli import main
print(".zip" in deduce.__file__, file=sys.stderr)
for command in (
    "cluedo sheet LOG", "cluedo count LOG", "cluedo certain LOG --json",
    "cluedo worlds --limit 3 LOG", "cluedo sample LOG", "quartets new", "search nim --best",
    "cluedo certain /dev/null",
):
    sys.argv = ["deduce", *command.replace("LOG", sys.argv[-1]).split()]
    with suppress(SystemExit):
        main()
"""


def answers(*options: str, path: Path = ROOT, log: Path = LOG, seed: str = "0") -> tuple[str, str]:
    """Return what some commands print."""
    script = SCRIPT.replace("sys.argv[-1]", repr(str(log)))
    done = subprocess.run(
        [sys.executable, "-P", *options, "-c", script],
        env=os.environ | {"PYTHONPATH": str(path), "PYTHONHASHSEED": seed, "COLUMNS": "100"},
        capture_output=True, text=True, timeout=120, check=True, cwd=path.parent,
    )  # fmt: skip
    lines = [line for line in done.stdout.splitlines() if " s, " not in line]
    return "\n".join(lines), done.stderr


@pytest.fixture(scope="module")
def usual() -> str:
    out, _ = answers()
    assert out.count("\n") > 30
    return out


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_hash_seeds_change_nothing(usual: str, seed: str) -> None:
    assert answers(seed=seed)[0] == usual


def test_nothing_rests_on_asserts_and_docstrings(usual: str) -> None:
    assert answers("-OO")[0] == usual


def test_deduce_runs_from_a_zip_file(usual: str, tmp_path: Path) -> None:
    path = tmp_path / "deduce.zip"
    with ZipFile(path, "w") as file:
        for package in ("deduce", "games"):
            for each in (ROOT / package).rglob("*"):
                if each.is_file() and "__pycache__" not in each.parts:
                    file.write(each, each.relative_to(ROOT))
    out, told = answers(path=path)
    assert told.startswith("True\n")
    assert out == usual


def test_a_log_may_come_through_a_named_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(LOG.read_bytes()))
    writer.start()
    done = subprocess.run(
        [sys.executable, "-c", "from deduce.cli import main; main()", "cluedo", "count", pipe],
        capture_output=True, timeout=60,
    )  # fmt: skip
    writer.join()
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_folder_that_is_read_only_is_named(tmp_path: Path) -> None:
    from deduce.errors import BadInput
    from deduce.files import replace_file

    tmp_path.chmod(0o500)
    with pytest.raises(BadInput, match="log: cannot be written: Permission denied"):
        replace_file(tmp_path / "log", "x")
