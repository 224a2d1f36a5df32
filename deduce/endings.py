"""Ending the program by a signal: everything that it has started ends too."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

__all__ = ["Terminated", "ending_by_signals"]

SIGNALS = ("SIGTERM", "SIGHUP")


class Terminated(BaseException):
    """A signal asked the program to end.

    Not an `Exception`, and not `SystemExit`: nothing that catches errors of a plug-in stops it, and
    every ``finally`` on the way runs, in which worker processes are ended and files are closed.
    """

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number

    def end(self) -> NoReturn:
        """End this process by the same signal, as its parent expects."""
        signal.signal(self.number, signal.SIG_DFL)
        os.kill(os.getpid(), self.number)
        raise SystemExit(128 + self.number)  # where a signal does not end a process


@contextmanager
def ending_by_signals() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into `Terminated`, in the main thread and where they exist.

    A signal that is ignored, as SIGHUP is under ``nohup``, stays ignored.
    """
    before = {}
    try:
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, _raise)
    except ValueError:  # not the main thread
        pass
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated(number)
