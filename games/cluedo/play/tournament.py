"""Tournaments: many games between the same players, each determined by its own number.

Game ``n`` of a tournament with seed ``S`` is dealt and played from the text ``"S:n"`` alone, so it
is the same in whatever process, order or company it is played. What it costs is measured and kept
apart: time is no part of a result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from attrs import define, evolve, field, frozen

from deduce import __version__
from deduce.batch.parallel import run_all
from deduce.batch.results import ResultsFile
from deduce.batch.statistics import wilson
from deduce.errors import BadInput
from deduce.files import replace_file
from deduce.knowledge import Knowledge
from games.cluedo.game import Cluedo
from games.cluedo.knowledge import seen_log
from games.cluedo.play.finished import Finished
from games.cluedo.play.players import find_player, label
from games.cluedo.play.rooms import MODELS
from games.cluedo.play.table import Played, PlayerError, play

__all__ = ["Score", "Standing", "Tournament", "contradictions", "play_tournament"]


@frozen
class Tournament:
    """Who plays, and how.

    Parameters
    ----------
    players
        Names as `find_player` takes them, one a seat.
    seed
        Another seed is another tournament.
    rooms
        The model of movement, see `games.cluedo.play.rooms`.
    turns
        After so many turns of all players together a game is given up.

    Raises
    ------
    BadInput
        There is no such player or model, or the number of players is not 2 to 6.

    Examples
    --------
    >>> tournament = Tournament(("most-no", "random", "random"), seed=1)
    >>> tournament.names
    ('most-no', 'random', 'random-2')
    >>> [tournament.seats(number) for number in range(4)]
    [(1, 0, 2), (0, 2, 1), (2, 1, 0), (0, 1, 2)]
    """

    players: tuple[str, ...]
    seed: int = 0
    rooms: str = "any"
    turns: int = 400

    def __attrs_post_init__(self) -> None:
        if not 2 <= len(self.players) <= 6:
            raise BadInput(f"2 to 6 players sit at a table, not {len(self.players)}")
        if self.rooms not in MODELS:
            raise BadInput(f"no model of movement is called {self.rooms!r} ({', '.join(MODELS)})")
        for name in self.players:
            find_player(name)
        Cluedo(self.names)  # a player may have a name that nobody at a table can have

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called at the table: no two alike."""
        found: list[str] = []
        for name in map(label, self.players):
            number, called = 1, name
            while called in found:
                number += 1
                called = f"{name}-{number}"
            found.append(called)
        return tuple(found)

    def seats(self, number: int) -> tuple[int, ...]:
        """Return who sits where in a game: places in ``players``, in seat order.

        As many games as there are seats go together: the order round the table is drawn for them,
        and everybody has each seat once.
        """
        size = len(self.players)
        order = list(range(size))
        Random(f"{self.seed}:seats:{number // size}").shuffle(order)
        shift = number % size
        return tuple(order[shift:] + order[:shift])

    def play(self, number: int) -> Played:
        """Return a game of the tournament.

        Raises
        ------
        PlayerError
            See `games.cluedo.play.table.play`; the message names the game.
        """
        makers = {self.names[i]: find_player(self.players[i]) for i in self.seats(number)}
        random = Random(f"{self.seed}:{number}")
        try:
            return play(makers, random, rooms=self.rooms, turns=self.turns)
        except PlayerError as error:
            raise PlayerError(f"game {number} of seed {self.seed}: {error}") from error

    def header(self) -> dict[str, Any]:
        """Return what stands at the head of a file of results.

        The version is there because players may play otherwise in another.
        """
        return {
            "schema": "deduce/cluedo-tournament-results/1",
            "deduce": __version__,
            "players": list(self.players),
            "seed": self.seed,
            "rooms": self.rooms,
            "turns": self.turns,
        }


@define
class Score:
    """What players of one name have done together."""

    name: str
    seats: int
    """How many of them sit at the table."""
    wins: int = 0
    wrong: int = 0
    decisions: int = 0
    cpu: float = 0.0
    slowest: float = 0.0
    turns: Counter[int] = field(factory=Counter)
    """After how many turns of the game they won."""


@define
class Standing:
    """The results so far; its size does not grow with the number of games."""

    tournament: Tournament
    games: int = 0
    ends: Counter[str] = field(factory=Counter)
    scores: dict[str, Score] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for name, seats in Counter(self.tournament.players).items():
            self.scores[name] = Score(name, seats)

    def add(self, finished: Finished) -> None:
        """Count a game."""
        self.games += 1
        self.ends[finished.end] += 1
        players = self.tournament.players
        if finished.winner is not None:
            score = self.scores[players[finished.winner]]
            score.wins += 1
            score.turns[finished.turns] += 1
        for place in finished.wrong:
            self.scores[players[place]].wrong += 1
        for place, name in enumerate(players):
            score = self.scores[name]
            score.decisions += finished.decisions[place]
            score.cpu += finished.cpu[place]
            score.slowest = max(score.slowest, finished.slowest[place])

    def interval(self, score: Score) -> tuple[float, float]:
        """Return where the share of games that these players win lies, with 95 % confidence."""
        return wilson(score.wins / self.games if self.games else 0.0, self.games)

    def turns(self) -> Counter[int]:
        """Return after how many turns games were solved."""
        return sum((score.turns for score in self.scores.values()), Counter())


def play_tournament(
    tournament: Tournament,
    games: int,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    results: ResultsFile | None = None,
    logs: Path | None = None,
    check: bool = False,
) -> Iterator[Finished]:
    """Yield the results of games 0 to ``games - 1``, first those that are known already.

    Parameters
    ----------
    jobs, scheduler
        Where the games are played, see `deduce.batch.parallel.run_all`.
    results
        Games in this file are not played again, and each new one is added.
    logs
        A folder for the log of each game; games whose log is missing are played, if need be again.
    check
        Whether every player's knowledge is compared with the deal after every event, see
        `contradictions`.

    Raises
    ------
    PlayerError, BadInput, Unsupported, Undecided
        See `Tournament.play` and `run_all`; a log cannot be written; a result in the file is not
        what the same game gives now.
    """
    done: set[int] = set()
    again: dict[int, Finished] = {}
    for finished in _kept(results, len(tournament.players)):
        if finished.number >= games:
            continue
        if logs is None or (logs / _log_name(finished.number)).exists():
            done.add(finished.number)
            yield finished
        else:
            again[finished.number] = finished
    left = [number for number in range(games) if number not in done]
    task = partial(_play, tournament, check=check, log=logs is not None)
    for finished, log in run_all(task, left, jobs=jobs, scheduler=scheduler):
        before = again.pop(finished.number, finished)
        if before != finished:
            raise BadInput(
                f"game {finished.number} ends otherwise than the file of results says: that was "
                "written by another version, or a player takes chance from elsewhere than his seat"
            )
        if logs is not None:
            _write(logs, _log_name(finished.number), log)
        if results is not None and before is finished:
            results.add(finished.row())
        yield finished


def _kept(results: ResultsFile | None, seats: int) -> Iterator[Finished]:
    """Yield the results that are in the file."""
    if results is None:
        return
    for row in results.rows():
        try:
            yield Finished.parse(row, seats)
        except BadInput as error:
            raise error.at(source=str(results.path)) from None


def contradictions(played: Played) -> Iterator[str]:
    """Yield what some player's exact knowledge says against the deal after some event: nothing.

    Every player's view of the game is followed event by event by `Knowledge`, not by the player:
    a check of the table, of what it tells whom, and of the reasoning itself. About 0.2 s a game.
    """
    for name in played.game.players:
        knowledge = Knowledge(evolve(played.game, me=name))
        for number, event in enumerate(played.events, start=1):
            knowledge = knowledge.tell(*seen_log(played.game, (event,), name))
            if not knowledge.problem.holds(played.deal):
                yield f"after event {number}, {name}'s evidence excludes the deal"
                return
            for card, holder in knowledge.certain().items():
                if played.deal[str(card)] != holder:
                    yield f"after event {number}, {name} infers that {holder} has {card}"


def _play(tournament: Tournament, number: int, *, check: bool, log: bool) -> tuple[Finished, str]:
    """Play a game, in whatever process."""
    played = tournament.play(number)
    if check:
        for what in contradictions(played):
            raise AssertionError(f"game {number} of seed {tournament.seed}: {what}")
    names = tournament.names
    efforts = [played.efforts[name] for name in names]
    finished = Finished(
        number,
        None if played.winner is None else names.index(played.winner),
        played.end,
        played.turns,
        tuple(names.index(name) for name in played.wrong),
        tuple(effort.decisions for effort in efforts),
        tuple(effort.seconds for effort in efforts),
        tuple(effort.slowest for effort in efforts),
    )
    return finished, played.log() if log else ""


def _log_name(number: int) -> str:
    return f"game{number:06}.cluedo"


def _write(folder: Path, name: str, text: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot be made: {error.strerror}", source=str(folder)) from None
    path = folder / name
    if path.is_file() and path.read_bytes() != text.encode():
        raise BadInput("there is the log of another game; name another folder", source=str(path))
    replace_file(path, text)
