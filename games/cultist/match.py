"""Matches: two bots over many maps, each map from both sides, and what the results say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from attrs import frozen

from deduce.batch.parallel import run_all
from deduce.batch.statistics import wilson
from games.cultist.bots import Bot
from games.cultist.maps import new_state
from games.cultist.referee import Clock, Effort, Played, play
from games.cultist.searchers import make_bot

__all__ = ["MatchGame", "Pairing", "Standing", "pairings", "play_match", "standing"]


@frozen
class Pairing:
    """One game to be played."""

    number: int
    seed: int
    names: tuple[str, str]
    """Bots of side 0 and side 1, as `make_bot` takes them."""
    swapped: bool
    """Whether the first bot of the match plays side 1."""


@frozen
class MatchGame:
    """One game that was played."""

    pairing: Pairing
    played: Played

    @property
    def outcome(self) -> float:
        """1 if the first bot of the match won, 0.5 for a draw, 0 if it lost."""
        winner = self.played.replay.winner
        if winner is None:
            return 0.5
        return 1.0 if winner == int(self.pairing.swapped) else 0.0

    def effort(self, bot: int) -> Effort:
        """Return what the first (0) or second (1) bot of the match spent."""
        return self.played.efforts[bot ^ self.pairing.swapped]


@frozen
class Standing:
    """The results of a match from the first bot's point of view."""

    wins: int
    draws: int
    losses: int
    faults: tuple[int, int]
    """Games that each bot lost by a time-out, a crash or an invalid order."""
    slowest: tuple[float, float]
    """Seconds of each bot's slowest turn, first turns apart."""
    depth: tuple[float | None, float | None]
    """Turns looked ahead on average, for bots that search."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of points: a draw is half a point."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true score lies with 95 % confidence; see `wilson`."""
        return wilson(self.score, self.games)


def pairings(first: str, second: str, games: int, seed: int = 0) -> list[Pairing]:
    """Return so many games, two on each map with sides swapped, from the map of ``seed`` on.

    >>> [(p.seed, p.names) for p in pairings("x", "y", 3, seed=7)]
    [(7, ('x', 'y')), (7, ('y', 'x')), (8, ('x', 'y'))]
    """
    found = []
    for number in range(games):
        swapped = bool(number % 2)
        names = (second, first) if swapped else (first, second)
        found.append(Pairing(number, seed + number // 2, names, swapped))
    return found


def play_match(
    games: Sequence[Pairing], *, clock: Clock | None = None, jobs: int = 1
) -> Iterator[MatchGame]:
    """Yield the games of a match as they end.

    Parameters
    ----------
    jobs
        How many games at a time, each in a process of its own; with more games than processors
        bots run out of time that they did not use. More than one needs joblib.

    Raises
    ------
    BadInput
        There is no such bot.
    Unsupported
        More than one job, and joblib is not installed (the extra ``parallel``).
    """
    return run_all(partial(_play, clock=clock), games, jobs=jobs)


def _play(pairing: Pairing, clock: Clock | None) -> MatchGame:
    bots: list[Bot] = []
    try:
        bots.extend(make_bot(name, pairing.number) for name in pairing.names)
        start = new_state(pairing.seed)
        played = play(start, bots, names=pairing.names, clock=clock, seed=pairing.seed)
        return MatchGame(pairing, played)
    finally:
        for bot in bots:
            bot.close()


def standing(games: Iterable[MatchGame]) -> Standing:
    """Return the results of the games so far."""
    games = list(games)
    outcomes = [game.outcome for game in games]
    faults = [0, 0]
    for game in games:
        if game.played.replay.fault is not None:
            faults[int(game.outcome == 1.0)] += 1
    first, second = ([game.effort(bot) for game in games] for bot in range(2))
    return Standing(
        outcomes.count(1.0),
        outcomes.count(0.5),
        outcomes.count(0.0),
        (faults[0], faults[1]),
        (max((e.slowest for e in first), default=0.0), max((e.slowest for e in second), default=0)),
        (_mean_depth(first), _mean_depth(second)),
    )


def _mean_depth(efforts: Sequence[Effort]) -> float | None:
    turns = sum(effort.turns for effort in efforts if effort.depth is not None)
    total = sum(effort.turns * effort.depth for effort in efforts if effort.depth is not None)
    return total / turns if turns else None
