"""The referee, which runs a game of two bots as the platform does, and matches of many games.

A match has two games on each map, with sides swapped, and statistics of the results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from statistics import fmean

from attrs import evolve, frozen

from deduce.batch.parallel import run_all
from deduce.errors import BadInput
from deduce.estimates import wilson
from deduce.search.limits import collector_paused
from deduce.system.text import nearest
from games.cultist.events import BadOrder, resolve
from games.cultist.players import BOTS, Bot, BotFailed, TimeLimits, too_late
from games.cultist.protocol import Program
from games.cultist.replay import Fault, Replay
from games.cultist.rules import is_over, result
from games.cultist.setup import Neutrals, State, new_state

__all__ = [
    "Effort",
    "Played",
    "Program",
    "Standing",
    "TimedBot",
    "make_bot",
    "play",
    "play_match",
    "standing",
]


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
    number: int = 0
    """Its number in a match, from 0; in games with an odd number the first bot plays side 1."""

    def points(self, bot: int) -> float:
        """Return 1 if the first (0) or second (1) bot of the match won, 0.5 for a draw, else 0."""
        winner = self.replay.winner
        return 0.5 if winner is None else float(winner == self._side(bot))

    def effort(self, bot: int) -> Effort:
        """Return the effort of the first (0) or second (1) bot of the match."""
        return self.efforts[self._side(bot)]

    def _side(self, bot: int) -> int:
        return (bot + self.number) % 2


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
        with collector_paused():  # freeing memory must not use a bot's time
            start = bot.clock()
            order = bot.order(state, limit)
            self._seconds.append(bot.clock() - start)
        if bot.depth is not None:
            self._depths.append(bot.depth)
        if self._seconds[-1] > limit:
            raise too_late(limit, order)
        return order

    @property
    def effort(self) -> Effort:
        """What the bot has spent so far."""
        depth = fmean(self._depths) if self._depths else None
        return Effort(len(self._seconds), max(self._seconds[1:], default=0.0), depth)


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


def make_bot(name: str, seed: int = 0) -> Bot:
    """Return a built-in bot, or the program of a command line.

    Parameters
    ----------
    name
        The name of a built-in bot, or a command line.
    seed
        For the bots that make random choices.

    Raises
    ------
    BadInput
        The name is neither a built-in bot nor a command that can be run.

    Examples
    --------
    >>> type(make_bot("greedy")).__name__
    'Greedy'
    """
    if name in BOTS:
        return BOTS[name](seed)
    try:
        return Program(name)
    except (BadInput, ValueError) as error:
        known = ", ".join(BOTS)
        raise BadInput(
            f"{name!r} is neither a built-in bot ({known}) nor a command"
            f"{nearest(name, BOTS)}: {error}"
        ) from None


@frozen
class Standing:
    """What one bot of a match has achieved."""

    wins: int
    draws: int
    losses: int
    faults: int
    """How many games it lost by a time-out, a crash or an invalid order."""
    slowest: float
    """The seconds of its slowest turn, without first turns."""
    depth: float | None
    """The mean number of turns that its searches looked ahead."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Its share of the points; a draw is half a point."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of the true score at 95 %; see `wilson`."""
        return wilson(self.score, self.games)


def play_match(
    first: str,
    second: str,
    games: int,
    *,
    seed: int = 0,
    neutrals: Neutrals = "referee",
    limits: TimeLimits | None = None,
    jobs: int = 1,
) -> Iterator[Played]:
    """Yield the games of a match as they end: two on each map, with sides swapped.

    Parameters
    ----------
    first, second
        The bots, for `make_bot`.
    games
        How many games.
    seed
        The seed of the first map; each further map has the next seed.
    neutrals
        How neutrals move; see `State`.
    limits
        The time limits; by default those of the platform.
    jobs
        How many games run at the same time, each in its own process. More than one needs joblib.
        With more games than processors, programs lose time that they did not use.

    Raises
    ------
    BadInput
        A name is neither a bot nor a command that can be run.
    Unsupported
        ``jobs`` is more than 1 and joblib (the extra ``parallel``) is not installed.
    """
    task = partial(_play, names=(first, second), seed=seed, neutrals=neutrals, limits=limits)
    return run_all(task, range(games), jobs=jobs)


def _play(
    number: int, names: tuple[str, str], seed: int, neutrals: Neutrals, limits: TimeLimits | None
) -> Played:
    seated = (names[1], names[0]) if number % 2 else names
    seed += number // 2
    bots: list[Bot] = []
    try:
        bots.extend(make_bot(name, number) for name in seated)
        start = new_state(seed, neutrals)
        played = play(start, bots, names=seated, limits=limits, seed=seed)
        return evolve(played, number=number)
    finally:
        for bot in bots:
            bot.close()


def standing(games: Sequence[Played], bot: int = 0) -> Standing:
    """Return what the first (0) or second (1) bot of a match has achieved in its games."""
    points = [game.points(bot) for game in games]
    efforts = [game.effort(bot) for game in games]
    lost = [game for game, own in zip(games, points, strict=True) if not own]
    ahead = [(each.turns, each.depth) for each in efforts if each.depth is not None]
    turns = sum(count for count, _ in ahead)
    return Standing(
        points.count(1.0),
        points.count(0.5),
        len(lost),
        sum(game.replay.fault is not None for game in lost),
        max((each.slowest for each in efforts), default=0.0),
        sum(count * depth for count, depth in ahead) / turns if turns else None,
    )
