"""The command line as a shell sees it: exit codes of what ends a command from outside."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from games.cluedo import examples

DEDUCE = [sys.executable, "-c", "from deduce.cli.main import main; main()"]
EVENING = str(Path(examples.__path__[0]) / "evening.cluedo")
ENDLESS = "2 1\nMP D D D D\nFP D D D D\nD\n"


def test_a_reader_that_has_seen_enough_ends_the_command_quietly() -> None:
    command = [*DEDUCE, "cluedo", "worlds", "--limit", "100000", "--upto", "3", EVENING]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"Ann: ")
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_ctrl_c_is_not_no(tmp_path: Path) -> None:
    log = tmp_path / "endless.pigs"
    os.mkfifo(log)
    command = [*DEDUCE, "pigs", "simulate", "--limit", "1000000000", str(log)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        with log.open("w") as file:  # opens when the command does
            file.write(ENDLESS)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert b"Traceback" not in process.stderr.read()
    assert process.returncode == 130


def test_an_unknown_command_names_the_nearest() -> None:
    done = subprocess.run([*DEDUCE, "cluedi"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "did you mean 'cluedo'?" in done.stderr


def test_a_group_without_a_command_prints_its_help() -> None:
    for words in ([], ["cluedo"], ["search"]):
        done = subprocess.run([*DEDUCE, *words], capture_output=True, text=True, check=False)
        assert (done.returncode, "Error:" in done.stderr) == (2, False)


def _closed(descriptor: int, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*DEDUCE, *args],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        preexec_fn=lambda: os.close(descriptor),
    )


def test_a_closed_output_is_not_an_answer() -> None:
    done = _closed(1, "cluedo", "count", EVENING)
    assert done.returncode == 3
    assert done.stderr == "error: the answer cannot be written: standard output is closed\n"


def test_a_closed_input_has_no_lines(tmp_path: Path) -> None:
    log = tmp_path / "evening.cluedo"
    log.write_text(Path(EVENING).read_text())
    for command in (("cluedo", "track", str(log)), ("nim", "play")):
        done = _closed(0, *command)
        assert done.returncode == 0, done.stderr
        assert "failure" not in done.stderr
