"""What commands print, as recorded in tests/transcripts: ``RECORD=1`` writes what they print now.

A transcript is text; what is indented is one of these, as in the tool `cram`:

* ``$ COMMAND``, what it prints (errors, too), and its exit code in brackets unless that is 0;
* ``> LINE``, a line that is typed for the command above it, or written to the file above it;
* ``@ FILE``, a file that is written; ``cat FILE`` prints one.

The examples of all games, and a game of strangers, are in the folder in which the commands run.
Seconds are left out, and numbers are compared with a few digits.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from deduce.system import registry
from tests.programs import deduce

FOLDER = Path(__file__).parent / "transcripts"
INDENT = "  "
MAX_WIDTH = 1000
"""Of a longer line, such as a document in JSON, the beginning is compared."""
COMMAND, TYPED, FILE = (f"{INDENT}{sign} " for sign in "$>@")


def replayed(text: str) -> Iterator[str]:
    """Yield the lines of a transcript with what its commands print now."""
    lines = iter(text.splitlines())
    line = next(lines, None)
    while line is not None:
        kind, rest = line[:4], line[4:]
        if not line.startswith(INDENT) or kind in (FILE, COMMAND):
            yield line
        line = next(lines, None)
        if kind not in (FILE, COMMAND):
            continue
        given = ""
        while line is not None and line.startswith(TYPED):
            yield line
            given += f"{line[4:]}\n"
            line = next(lines, None)
        if kind == FILE:
            Path(rest).write_text(given, encoding="utf-8")
            Path(f".{rest}.steps").unlink(missing_ok=True)  # of a log that had the name before
        else:
            yield from printed(shlex.split(rest), given)


def printed(words: list[str], typed: str) -> list[str]:
    """Return the lines that a command prints, and that of its exit code."""
    if words[0] == "cat":
        shown, code = Path(words[1]).read_text(encoding="utf-8"), 0
    else:
        done = deduce(*words[1:], stdin=typed, mixed=True)
        shown, code = done.stdout, done.returncode
    shown = re.sub(r"( ?) *\d[\d.,]* (m?s|seconds)\b", r"\1N \2", shown)
    shown = re.sub(r"\d+\.\d{4,}(e-?\d+)?", lambda number: f"{float(number[0]):.3g}", shown)
    lines = [f"{INDENT}{line}"[:MAX_WIDTH].rstrip() for line in shown.splitlines()]
    return [*(line or INDENT for line in lines), *([f"{INDENT}[{code}]"] if code else [])]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.txt")), ids=lambda path: path.stem)
def test_commands_print_what_is_recorded(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for given in (*registry.examples(), FOLDER.parent / "project" / "hats.py"):
        shutil.copy(given, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    text = path.read_text(encoding="utf-8")
    now = "".join(f"{line}\n" for line in replayed(text))
    if os.environ.get("RECORD"):
        path.write_text(now, encoding="utf-8")
    assert now == text, "RECORD=1 writes what the commands print now"
