"""Programs of strangers in a guarded process: a deadline, limited output, and nothing left behind.

The process is the leader of a session of its own, and the whole process group is ended with it. No
call blocks longer than its deadline, whatever the program does with its pipes: it may not read,
write without end, close its output, or leave a child behind that keeps the pipes open.
"""

from __future__ import annotations

import contextlib
import os
import select
import shlex
import signal
import subprocess
from time import monotonic

from deduce.errors import BadInput

__all__ = ["GuardedProcess", "ProcessEnded", "ProcessLate"]

MAX_LINE = 1000
"""Bytes of an answer that are read."""

MAX_UNREAD = 100_000
"""Bytes of output that are kept; a program that writes more without being asked has to wait."""

MAX_ERRORS = 10_000
"""Bytes at the end of the error output that are kept."""


class ProcessLate(Exception):
    """The program has written no line within the time."""


class ProcessEnded(Exception):
    """The program has ended or closed its output; the message states how."""


class GuardedProcess:
    r"""A program that answers lines with lines.

    Parameters
    ----------
    command
        The command line. It is split as a shell would split it, but no shell runs it.

    Raises
    ------
    BadInput
        The program cannot be run.

    Examples
    --------
    >>> process = GuardedProcess("cat")
    >>> process.ask("hello\n", seconds=10)
    'hello'
    >>> process.close()
    """

    def __init__(self, command: str) -> None:
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise BadInput(f"cannot run {command!r}: {error}") from None
        if not words:
            raise BadInput("an empty command line cannot be run")
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # so that close() can end its children as well
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise BadInput(f"cannot run {command!r}: {reason}") from None
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self._input, self._output = process.stdin.fileno(), process.stdout.fileno()
        self._errors = process.stderr.fileno()
        for pipe in (self._input, self._output, self._errors):
            os.set_blocking(pipe, False)
        self._unread = bytearray()
        self._last_errors = bytearray()
        self._reading = {self._output, self._errors}
        self._closed = False

    def ask(self, text: str, *, seconds: float) -> str:
        """Return the next line of the program after it was given a text.

        Raises
        ------
        ProcessLate
            There is no line within the time; the program may also not have read the text.
        ProcessEnded
            The program has ended, or closed its output.
        """
        deadline = monotonic() + seconds
        unsent = memoryview(text.encode())
        while unsent or (line := self._line()) is None:
            if self._output not in self._reading and not self._unread:
                raise ProcessEnded(self.ending())
            left = deadline - monotonic()
            if left <= 0:
                raise ProcessLate
            unsent = self._exchange(unsent, left)
        return line

    def _line(self) -> str | None:
        """Return the first unread line, without its end."""
        end = self._unread.find(b"\n")
        if end < 0:
            if len(self._unread) < MAX_LINE and self._output in self._reading:
                return None
            if not self._unread:
                return None
            end = len(self._unread)
        line = bytes(self._unread[: min(end, MAX_LINE)])
        del self._unread[: end + 1]
        return line.decode("utf-8", "replace").rstrip("\r\n")

    def _exchange(self, unsent: memoryview, seconds: float) -> memoryview:
        """Read and write what is possible now or within the time; return what is still unsent."""
        full = len(self._unread) >= MAX_UNREAD
        reading = [pipe for pipe in self._reading if not (full and pipe == self._output)]
        writing = [self._input] if unsent else []
        readable, writable, _ = select.select(reading, writing, [], min(seconds, 1.0))
        for pipe in readable:
            self._read(pipe)
        if writable:
            try:
                unsent = unsent[os.write(self._input, unsent) :]
            except BlockingIOError:
                pass
            except OSError:
                unsent = unsent[len(unsent) :]  # it no longer reads; its output tells the rest
        return unsent

    def _read(self, pipe: int) -> None:
        try:
            data = os.read(pipe, 65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._reading.discard(pipe)
        elif pipe == self._output:
            self._unread += data
        else:
            self._last_errors += data
            del self._last_errors[:-MAX_ERRORS]

    def ending(self) -> str:
        """Return how the program has ended, with the last line of its error output."""
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "closed its output"
        while self._errors in self._reading and select.select([self._errors], [], [], 0)[0]:
            self._read(self._errors)
        errors = bytes(self._last_errors).decode("utf-8", "replace").strip().splitlines()
        return f"ended with exit code {code}" + (f": {errors[-1][:200]}" if errors else "")

    def close(self) -> None:
        """End the program and its process group, and close the pipes; it never waits for them."""
        if self._closed:
            return
        self._closed = True
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=5)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]
