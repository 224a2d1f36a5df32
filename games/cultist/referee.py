"""The referee: runs the game of two bots as the platform does, with time limits and faults."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from time import perf_counter

from attrs import frozen

from deduce.guarded import GuardedProcess, ProcessEnded, ProcessLate
from deduce.search.limits import collector_paused
from games.cultist.bots import Bot, BotFailed, TimeLimits
from games.cultist.orders import BadOrder, resolve
from games.cultist.protocol import first_input, turn_input
from games.cultist.replay import Fault, Replay
from games.cultist.rules import is_over, result
from games.cultist.state import State

__all__ = ["Effort", "Played", "Program", "TimedBot", "play"]


@frozen
class Effort:
    """What one bot spent on a game."""

    turns: int
    slowest: float
    """The seconds of its slowest turn after the first."""
    depth: float | None
    """The mean number of turns that its searches looked ahead; ``None`` without a search."""


@frozen
class Played:
    """A finished game and the effort of its bots."""

    replay: Replay
    efforts: tuple[Effort, Effort]


class Program(Bot):
    """A bot in a process of its own that uses the platform's protocol.

    Parameters
    ----------
    command
        The command line. It is split as a shell would split it, but no shell runs it.

    Raises
    ------
    BadInput
        The program cannot be run.
    """

    clock = staticmethod(perf_counter)

    def __init__(self, command: str) -> None:
        self._process = GuardedProcess(command)
        self._started = False

    def order(self, state: State, seconds: float) -> str:
        """Return the line that the program writes after the input of its turn.

        Raises
        ------
        BotFailed
            The program writes no line within the time limit, or it has ended.
        """
        text = turn_input(state)
        if not self._started:
            text = first_input(state, state.player) + text
            self._started = True
        try:
            return self._process.ask(text, seconds=seconds)
        except ProcessLate:
            raise _too_late(seconds) from None
        except ProcessEnded as error:
            raise BotFailed(str(error)) from None

    def close(self) -> None:
        """End the program and its children."""
        self._process.close()


class TimedBot:
    """A bot with time limits, which measures the time of each order.

    Parameters
    ----------
    bot
        The bot.
    limits
        The time limits; by default those of the platform.
    """

    def __init__(self, bot: Bot, limits: TimeLimits | None = None) -> None:
        self._bot, self._limits = bot, limits or TimeLimits()
        self._seconds: list[float] = []
        self._depths: list[int] = []

    def order(self, state: State) -> str:
        """Return the bot's order.

        Raises
        ------
        BotFailed
            The bot has no order, or it is too late.
        """
        bot = self._bot
        limit = self._limits.turn if self._seconds else self._limits.first
        with collector_paused():  # which must not use a bot's time
            start = bot.clock()
            order = bot.order(state, limit)
            self._seconds.append(bot.clock() - start)
        if bot.depth is not None:
            self._depths.append(bot.depth)
        if self._seconds[-1] > limit:
            raise _too_late(limit, order)
        return order

    @property
    def effort(self) -> Effort:
        """What the bot has spent so far."""
        depth = fmean(self._depths) if self._depths else None
        return Effort(len(self._seconds), max(self._seconds[1:], default=0.0), depth)


def _too_late(seconds: float, order: str | None = None) -> BotFailed:
    return BotFailed(f"no answer within {seconds * 1000:.0f} ms", text=order)


def play(
    start: State,
    bots: Sequence[Bot],
    *,
    names: tuple[str, str] = ("A", "B"),
    limits: TimeLimits | None = None,
    seed: int | None = None,
) -> Played:
    """Return the game of two bots from a state, as the platform's referee would run it.

    A bot that sends no order in time, ends, or sends an invalid order scores -1 and loses.

    Parameters
    ----------
    start
        The first state.
    bots
        The bots of side 0 and side 1. They are not closed.
    names
        Their names in the replay.
    limits
        The time limits; by default those of the platform. A `Program` is timed by the wall clock,
        as on the platform; a bot of this process by the processor time that it uses.
    seed
        The seed of the map, for the replay.
    """
    first, second = (TimedBot(bot, limits) for bot in bots)
    state = start
    orders: list[str] = []
    fault = None
    while not is_over(state) and fault is None:
        try:
            order = (second if state.player else first).order(state)
            state = result(state, resolve(state, order))
            orders.append(order)
        except (BotFailed, BadOrder) as error:
            fault = Fault(str(error), error.text)
    replay = Replay(start, tuple(orders), names, seed, fault)
    return Played(replay, (first.effort, second.effort))
