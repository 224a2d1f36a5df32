"""Ctrl-C, kill -9 and damaged files: nothing is lost, and nothing false is proved."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import product
from pathlib import Path
from threading import Timer

import pytest

from deduce.cli.endings import ending_by_signals, insisting
from tests.programs import deduce
from tests.project.damage import KINDS, WAYS, damaged

if sys.platform == "win32":
    pytest.skip("needs signals of POSIX", allow_module_level=True)

SECONDS = 15.0
"""Of a machine that has other things to do; measured on an idle one, one second is enough."""

LONG = {
    "soak --minutes 5": 0.6,
    "mastermind solve --slots 4 --colours 8 --time-limit 60 --json": 0.5,
    "cluedo tournament information random --games 1000 --jobs 2": 0.9,
}
"""Commands, and after how many seconds they are interrupted."""


def start(*words: str) -> subprocess.Popen[str]:
    """Start a command, with pipes to it."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-m", "deduce", *words]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.parametrize(("words", "after"), LONG.items())
def test_one_interrupt_ends_a_command_without_a_traceback(words: str, after: float) -> None:
    with start(*shlex.split(words)) as process:
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        out, error = process.communicate(timeout=60)
    assert time.monotonic() - started < SECONDS
    assert "Exception ignored" not in error
    # Before the program begins, Python itself is interrupted, or ends by the signal.
    begun = re.search(r'deduce\S*", line \d+, in main\n', error)
    assert not (begun and "Traceback" in error), error
    if "Traceback" not in error:
        assert process.returncode in (4, 130, -signal.SIGINT), error
        assert not out or "--json" not in words or json.loads(out), "half of a document"


class Swallowing:
    """Python prints what is raised in ``__del__``, and goes on."""

    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(10):
            pass


def test_an_interrupt_that_python_swallows_comes_again(capsys: pytest.CaptureFixture[str]) -> None:
    def work() -> None:
        Swallowing()
        time.sleep(30)

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ending_by_signals(work)
    assert time.monotonic() - started < 20
    assert "Traceback" not in capsys.readouterr().err


def test_an_interrupt_that_ends_only_a_part_of_a_task_comes_again() -> None:
    def work() -> None:
        with suppress(KeyboardInterrupt):
            time.sleep(20)
        time.sleep(20)

    started, before = time.monotonic(), signal.getsignal(signal.SIGINT)
    Timer(0.1, os.kill, [os.getpid(), signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt), insisting():
        work()
    assert time.monotonic() - started < 15
    assert signal.getsignal(signal.SIGINT) is before
    time.sleep(0.2)  # none comes after the end


def test_an_interrupt_that_the_last_part_of_a_task_took_ends_the_task() -> None:
    def work() -> None:
        with suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)

    with pytest.raises(KeyboardInterrupt), insisting():
        work()


def test_interrupts_at_the_same_time_are_one() -> None:
    def work() -> None:
        for gap in (0, 1e-4, 1e-5):
            Timer(gap, os.kill, [os.getpid(), signal.SIGINT]).start()
        time.sleep(20)

    def late(*_: object) -> None:
        """Take what a slow timer sends after the end."""

    before = signal.signal(signal.SIGINT, late)
    for _ in range(10):
        with pytest.raises(KeyboardInterrupt), insisting():
            work()
        time.sleep(0.01)
        assert signal.getsignal(signal.SIGINT) is late
    time.sleep(0.1)
    signal.signal(signal.SIGINT, before)


SETUP = "deck: classic\nplayers: Ann 6, Ben 6, Cid 6\n\n"


def left_behind(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".deduce-*")]


@pytest.mark.parametrize("delay", [0.0, 0.005])
def test_a_killed_log_has_all_confirmed_steps(delay: float, tmp_path: Path) -> None:
    log = tmp_path / "evening.cluedo"
    log.write_text(SETUP)
    cards = product(("Plum", "White"), ("Rope", "Dagger"), ("Hall", "Study"))
    events = [f"Ann: {', '.join(three)}; Ben shows" for three in cards]
    with start("cluedo", "track", "--sheet", "never", str(log)) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for event in events[:3]:
            print(event, file=process.stdin, flush=True)
            assert any(not line.startswith("warning") for line in process.stdout), "confirmed"
        print(events[3], file=process.stdin, flush=True)
        time.sleep(delay)
        process.kill()
    saved = log.read_text()
    assert saved.startswith(SETUP)
    assert saved.endswith("\n"), "half a line"
    known = saved.removeprefix(SETUP).splitlines()
    assert len(known) in (3, 4)
    assert deduce("cluedo", "track", "--sheet", "never", str(log), stdin=events[4]).returncode == 0
    assert len(log.read_text().removeprefix(SETUP).splitlines()) == len(known) + 1
    assert left_behind(tmp_path) == []


def test_a_killed_tournament_goes_on_with_the_games_that_were_finished(tmp_path: Path) -> None:
    words = ("cluedo", "tournament", "not-placed", "random", "--games", "12", "--seed", "3")
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    assert deduce(*words, "--out", str(whole)).returncode == 0
    with start(*words, "--out", str(part)) as process:
        while process.poll() is None and not (part.exists() and part.read_text().count("\n") > 2):
            time.sleep(0.002)
        process.kill()
    before = part.read_text()
    assert before.endswith("\n"), "half a line"
    assert deduce(*words, "--out", str(part)).returncode == 0
    assert part.read_text().startswith(before), "a finished game was lost or written again"
    rows = [[json.loads(line) for line in path.read_text().splitlines()] for path in (whole, part)]
    first, again = (
        [{k: v for k, v in row.items() if "seconds" not in k and k != "digest"} for row in each]
        for each in rows
    )
    assert first == again
    assert left_behind(tmp_path) == []


@pytest.mark.parametrize("name", KINDS)
def test_a_damaged_or_forged_file_is_refused_and_never_proves_anything(name: str) -> None:
    if name == "export":
        pytest.importorskip("pyarrow")
    assert damaged(name, len(WAYS), seed=2).total() == len(WAYS)
