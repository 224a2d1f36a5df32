"""How a command ends: its exit code, a failure, which is named, or a signal, which ends everything.

A failure never looks like the answer "no".

====  =============================================================================
code  meaning
====  =============================================================================
0     yes, answered, all cases passed
1     no, contradiction, some case failed
2     wrong usage
3     an input cannot be read, or the answer cannot be written
4     undecided within the limits; what is known was printed
70    a failure of deduce or of a plug-in, which is named
130   interrupted; what is known was printed
141   the reader of the output has closed it
====  =============================================================================
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread, Timer, main_thread
from types import FrameType
from typing import NoReturn, TypeVar

import click

from deduce.system import registry

__all__ = [
    "EXIT_BROKEN_PIPE",
    "EXIT_FAILURE",
    "EXIT_INTERRUPTED",
    "EXIT_NO",
    "EXIT_UNDECIDED",
    "EXIT_UNREADABLE",
    "EXIT_USAGE",
    "EXIT_YES",
    "Terminated",
    "ending_by_signals",
    "failure_message",
    "insisting",
    "is_of_a_plugin",
]

EXIT_YES, EXIT_NO, EXIT_USAGE, EXIT_UNREADABLE, EXIT_UNDECIDED = range(5)
EXIT_FAILURE, EXIT_INTERRUPTED, EXIT_BROKEN_PIPE = 70, 130, 141


def failure_message(error: BaseException, command: Sequence[str]) -> str:
    """Return one line on an unexpected exception: where it arose, and to which project it belongs.

    The place is the innermost line of a plug-in game or of deduce. Where several games are in one
    file or folder, the one that the command names is meant.
    """
    error = _origin(error)
    place, owners = _place(error)
    kind = type(error).__name__
    what = f"{kind}: {error}" if str(error) else kind
    where = f"{place.filename}, line {place.lineno}, in {place.name}" if place else "unknown place"
    named = [name for name in owners if name in command] or owners
    whose = f"the game {named[0]!r}" if named else "deduce"
    return f"{what} ({where}); this is a failure of {whose}, not an answer"


def is_of_a_plugin(error: BaseException) -> bool:
    """Return whether the code of a game raised this, and not what prints answers or reads lines.

    An `OSError` or `EOFError` usually means standard output or input; from a game it is a failure.
    """
    return bool(_place(_origin(error))[1])


def _origin(error: BaseException) -> BaseException:
    """Return the exception of which Python or click made this one.

    Python turns a `StopIteration` that leaves a generator into a `RuntimeError`, and click an
    `EOFError` into its `Abort`, which is one too.
    """
    earlier = error.__cause__
    made = isinstance(error, RuntimeError) and isinstance(earlier, StopIteration | EOFError)
    return earlier if made and earlier is not None else error


def _place(error: BaseException) -> tuple[traceback.FrameSummary | None, Sequence[str]]:
    """Return the innermost frame of a game, of deduce or of click; and the games it belongs to."""
    known = [Path(__file__).resolve().parents[1], Path(click.__file__).resolve().parent]
    plugins = _plugins()
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        file = Path(frame.filename).resolve()
        owners = [name for name, home in plugins.items() if file.is_relative_to(home)]
        if owners or any(file.is_relative_to(home) for home in known):
            return frame, owners
    return (frames[-1] if frames else None), ()


def _plugins() -> dict[str, Path]:
    """Return the file or the folder of each game that is loaded already, by the game's name."""
    places: dict[str, Path] = {}
    for name in registry.names():
        for module_name in registry.modules_of(name):
            module = sys.modules.get(module_name)
            file = getattr(module, "__file__", None)
            if file is not None:
                path = Path(file).resolve()
                places[name] = path.parent if path.name == "__init__.py" else path
    return places


T = TypeVar("T")

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
AGAIN = 0.01
"""After how many seconds a signal that Python has swallowed comes again."""

INSISTS = 0.1
"""After how many seconds Ctrl-C comes again in a task that has not ended yet."""


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


@contextmanager
def insisting() -> Iterator[None]:
    """Repeat Ctrl-C until the block has ended.

    A search or a plan returns at Ctrl-C what it has found so far. Within a longer task, such as a
    comparison with another answer, that is half a result, and the task would go on with it.
    """
    ended = Event()
    asked = done = False

    def repeat() -> None:
        while not ended.wait(INSISTS):
            if asked:
                signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        if not done:
            raise KeyboardInterrupt

    before, repeating = None, Thread(target=repeat, daemon=True)
    with suppress(ValueError):  # not the main thread
        if (
            hasattr(signal, "pthread_kill")
            and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
        ):
            repeating.start()
            before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
        if asked:
            raise KeyboardInterrupt
    finally:
        done = True
        ended.set()
        if before is not None:
            repeating.join()
            signal.signal(signal.SIGINT, before)


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


def _repeat(swallowed: sys.UnraisableHookArgs) -> bool:
    """Return whether the exception that Python ignored was a termination; it is then repeated."""
    error = swallowed.exc_value
    if isinstance(error, KeyboardInterrupt | Terminated) and hasattr(signal, "pthread_kill"):
        number = error.number if isinstance(error, Terminated) else signal.SIGINT
        Timer(AGAIN, signal.pthread_kill, [main_thread().ident, number]).start()
    return not isinstance(error, Exception)
