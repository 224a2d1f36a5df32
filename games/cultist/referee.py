"""The referee: plays two bots as the platform does, clocks and faults included."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from statistics import fmean
from time import perf_counter

from attrs import frozen

from deduce.errors import BadInput, DeduceError
from deduce.search.memory import collector_paused
from games.cultist.bots import Bot
from games.cultist.orders import BadOrder, resolve
from games.cultist.protocol import first_input, turn_input
from games.cultist.replay import Fault, Replay
from games.cultist.rules import is_over, result
from games.cultist.state import State

__all__ = ["BotFailed", "Clock", "Effort", "Played", "Program", "play"]

_LONGEST_ORDER = 1000


class BotFailed(DeduceError):
    """A bot gave no order: too late, crashed, or gone."""


@frozen
class Clock:
    """How long a bot may think, in seconds."""

    first: float = 1.0
    """For its first turn."""
    turn: float = 0.05
    """For every other turn."""


@frozen
class Effort:
    """What one bot spent on a game."""

    turns: int
    slowest: float
    """Seconds of its slowest turn after the first."""
    depth: float | None
    """Turns looked ahead on average, for bots that search."""


@frozen
class Played:
    """A finished game and what it cost."""

    replay: Replay
    efforts: tuple[Effort, Effort]


class Program(Bot):
    """A bot in a process of its own that speaks the platform's protocol.

    Parameters
    ----------
    command
        The command line; it is split as a shell would, but no shell runs it.

    Raises
    ------
    BadInput
        There is no such program.
    """

    clock = staticmethod(perf_counter)

    def __init__(self, command: str) -> None:
        words = shlex.split(command)
        if not words:
            raise BadInput("an empty command line is no bot")
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (close() closes it)
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,  # so that close() ends its children too
            )
        except OSError as error:
            self._errors.close()
            raise BadInput(f"cannot run {command!r}: {error.strerror}") from None
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self._started = False

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):  # closed while reading
            while line := self._process.stdout.readline(_LONGEST_ORDER):
                self._lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        self._lines.put(None)

    def order(self, state: State, seconds: float) -> str:
        """Return the next line that the program writes after its turn's input.

        Raises
        ------
        BotFailed
            No line within the time, or the program has ended.
        """
        text = turn_input(state)
        if not self._started:
            text = first_input(state, state.player) + text
            self._started = True
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text.encode())
            self._process.stdin.flush()
            line = self._lines.get(timeout=seconds)
        except OSError:
            line = None
        except queue.Empty:
            raise BotFailed(f"no answer within {seconds * 1000:.0f} ms") from None
        if line is None:
            raise BotFailed(self._last_words())
        return line

    def _last_words(self) -> str:
        try:
            code = self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self._errors.seek(0)
        said = self._errors.read()[-10_000:].decode("utf-8", "replace").strip().splitlines()
        return f"ended with exit code {code}" + (f": {said[-1][:200]}" if said else "")

    def close(self) -> None:
        """End the program and its children."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            with contextlib.suppress(OSError):
                stream.close()  # type: ignore[union-attr]


def play(
    start: State,
    bots: Sequence[Bot],
    *,
    names: tuple[str, str] = ("A", "B"),
    clock: Clock | None = None,
    seed: int | None = None,
) -> Played:
    """Return the game of two bots from a state, as the platform's referee would run it.

    Who gives no order in time, ends, or sends an invalid order scores -1 and has lost.

    Parameters
    ----------
    bots
        For side 0 and side 1. They are not closed.
    clock
        By default the platform's. A `Program` is timed by the wall clock, as on the platform;
        bots of this process by the processor time that they use.
    seed
        Noted in the replay.
    """
    clock = clock or Clock()
    state = start
    orders: list[str] = []
    times: tuple[list[float], list[float]] = ([], [])
    depths: tuple[list[int], list[int]] = ([], [])
    fault = None
    while not is_over(state) and fault is None:
        player = state.player
        bot, spent = bots[player], times[player]
        limit = clock.turn if spent else clock.first
        text = None
        try:
            with collector_paused():  # not in a bot's time
                began = bot.clock()
                text = bot.order(state, limit)
                spent.append(bot.clock() - began)
            if spent[-1] > limit:
                raise BotFailed(f"no answer within {limit * 1000:.0f} ms")
            state = result(state, resolve(state, text))
            orders.append(text)
        except (BotFailed, BadOrder) as error:
            fault = Fault(str(error), text)
        if bot.depth is not None:
            depths[player].append(bot.depth)
    replay = Replay(start, tuple(orders), names, seed, fault)
    first, second = (_effort(times[side], depths[side]) for side in range(2))
    return Played(replay, (first, second))


def _effort(times: list[float], depths: list[int]) -> Effort:
    return Effort(len(times), max(times[1:], default=0.0), fmean(depths) if depths else None)
