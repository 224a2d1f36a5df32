"""Ctrl-C ends every command, once and soon; tests/benchmarks/interrupt.py tries all commands."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest

from deduce.endings import ending_by_signals
from tests.benchmarks.interrupt import ENDED, run

if sys.platform == "win32":
    pytest.skip("needs signals of POSIX", allow_module_level=True)

SECONDS = 3.0
"""Of a machine that has other things to do; alone, every command ends within one."""


def test_one_interrupt_ends_a_command_without_a_traceback() -> None:
    for words, after, seconds, fault in run(8, seed=7, latest=1.5):
        assert fault in ("", ENDED), (words, after, fault)
        assert seconds < SECONDS, (words, after)


def test_one_interrupt_ends_a_soak() -> None:
    for words, after, seconds, fault in run(2, seed=3, only=["soak"], latest=3.0):
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
