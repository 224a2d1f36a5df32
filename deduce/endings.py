"""Ending the program by a signal: once is enough, and everything that it has started ends too."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from threading import Timer, main_thread
from types import FrameType
from typing import Any, NoReturn, TypeVar

from deduce.exits import EXIT_INTERRUPTED

__all__ = ["Terminated", "ending_by_signals"]

T = TypeVar("T")

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
AGAIN = 0.01
"""After how many seconds a signal that Python has swallowed comes again."""


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


def ending_by_signals(work: Callable[[], T]) -> T:
    """Return what the work returns; turn SIGTERM and SIGHUP into `Terminated` meanwhile.

    Ctrl-C is a `KeyboardInterrupt` as always. What arrives before the work or after it ends the
    program at once. Python swallows exceptions in callbacks of the garbage collector and in
    ``__del__``; one of these signals then comes again. All this in the main thread, and where the
    signals exist; a signal that is ignored, as SIGHUP is under ``nohup``, stays ignored.
    """
    before = {}
    hook = sys.unraisablehook
    with suppress(ValueError):  # not the main thread
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, _raise)
        sys.unraisablehook = lambda swallowed: _repeat(swallowed) or hook(swallowed)
    try:
        return work()
    finally:
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    error = KeyboardInterrupt() if number == signal.SIGINT else Terminated(number)
    while frame is not None:
        if frame.f_code is ending_by_signals.__code__:
            raise error
        frame = frame.f_back
    with suppress(Exception):  # as when the signal interrupts a write to the same stream
        sys.stdout.flush()
    if isinstance(error, Terminated):
        error.end()
    os._exit(EXIT_INTERRUPTED)


def _repeat(swallowed: Any) -> bool:
    """Return whether what Python has swallowed is no error but an end, which is then repeated."""
    error = swallowed.exc_value
    if isinstance(error, KeyboardInterrupt | Terminated) and hasattr(signal, "pthread_kill"):
        number = error.number if isinstance(error, Terminated) else signal.SIGINT
        Timer(AGAIN, signal.pthread_kill, [main_thread().ident, number]).start()
    return not isinstance(error, Exception)
