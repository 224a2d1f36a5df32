"""Ctrl-C, kill -9 and damaged files: nothing is lost, and nothing false is proved.

`interrupt`, `kill` and `damage` in tests/benchmarks try many more commands, moments and files.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from threading import Timer

import pytest

from deduce.cli.endings import ending_by_signals, insisting
from tests.benchmarks.damage import KINDS, WAYS, damaged
from tests.benchmarks.interrupt import ENDED, run

if sys.platform == "win32" or not hasattr(os, "fork"):
    pytest.skip("needs signals of POSIX", allow_module_level=True)

SECONDS = 15.0
"""Of a machine that has other things to do; `interrupt` measures that one is enough."""


def test_one_interrupt_ends_a_command_without_a_traceback() -> None:
    for words, after, seconds, fault in run(2, seed=7, latest=0.5):
        assert fault in ("", ENDED), (words, after, fault)
        assert seconds < SECONDS, (words, after)


def test_one_interrupt_ends_a_soak() -> None:
    for words, after, seconds, fault in run(1, seed=3, only=["soak"], latest=0.5):
        assert fault == "", (words, after, fault)
        assert seconds < SECONDS, (words, after)


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


def test_a_killed_command_has_lost_nothing() -> None:
    names = ["track", "tournament", "match"]
    only = [word for name in names for word in ("--only", name)]
    program = [sys.executable, "-m", "tests.benchmarks.kill", "--times", "2", *only]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done
    lines = done.stdout.splitlines()
    assert [line.partition(",")[0] for line in lines] == [
        f"{name}: killed 2 times" for name in names
    ]


@pytest.mark.parametrize("name", KINDS)
def test_a_damaged_or_forged_file_is_refused_and_never_proves_anything(name: str) -> None:
    if name == "export":
        pytest.importorskip("pyarrow")
    assert damaged(name, len(WAYS), seed=2).total() == len(WAYS)
