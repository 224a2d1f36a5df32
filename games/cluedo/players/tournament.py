"""Tournaments: numbered games between the same players, each repeatable by itself.

Game number ``n`` depends on the tournament's seed and on ``n`` alone, so the result is the same in
whichever process, order or company it is played. Its cost is measured and kept separate: time is
not part of a result.

`PLAYERS` has the players by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from random import Random

from attrs import asdict, define, evolve, field, frozen

from deduce import __version__
from deduce.batch.parallel import run_all
from deduce.batch.results import ResultsFile
from deduce.errors import BadInput, placed
from deduce.estimates import wilson
from deduce.knowledge import Knowledge
from deduce.logs.json_values import structure
from deduce.system.files import replace_file
from deduce.system.registry import load, typed_object
from deduce.system.renamed import Renamed
from deduce.system.text import listing, nearest
from games.cluedo.evidence import seen_log
from games.cluedo.game import Cluedo
from games.cluedo.notation import format_setup
from games.cluedo.players.referee import Maker, PlayerError, play
from games.cluedo.players.simple import with_way_to_show
from games.cluedo.players.table import End, Table, check_table

__all__ = [
    "PLAYERS",
    "GameResult",
    "Score",
    "Standing",
    "Tournament",
    "contradictions",
    "find_player",
    "label",
    "play_tournament",
]


@frozen
class GameResult:
    """The result of one game, without the game.

    Parameters
    ----------
    game
        The number of the game.
    winner
        The winner, as an index into ``Tournament.players``, or ``None``.
    end, turns
        How the game ended, and after how many turns of all players together.
    wrong
        The players who accused wrongly.
    decisions
        How often each player was asked something.
    cpu_seconds, slowest_seconds
        CPU seconds of each player: in total, and of the slowest decision. They do not count when
        results are compared.
    """

    game: int
    winner: int | None
    end: End
    turns: int
    wrong: tuple[int, ...]
    decisions: tuple[int, ...]
    cpu_seconds: tuple[float, ...] = field(eq=False)
    slowest_seconds: tuple[float, ...] = field(eq=False)

    @classmethod
    def parse(cls, row: Mapping[str, object], seats: int) -> GameResult:
        """Return the result that a row describes, of a game with this number of seats.

        Raises
        ------
        BadInput
            A field is missing, or has a value that no game can have.
        """
        result = structure(row, cls)
        players = {result.winner or 0, *result.wrong}
        counted = (result.decisions, result.cpu_seconds, result.slowest_seconds)
        if min(result.game, result.turns, *players) < 0 or max(players) >= seats:
            raise BadInput("the result cannot be read: a number is too small or too large")
        if {len(numbers) for numbers in counted} != {seats}:
            raise BadInput(f"the result cannot be read: it needs numbers for {seats} players")
        if (result.winner is not None) != (result.end == "solved"):
            raise BadInput("the result cannot be read: 'winner' and 'end' contradict each other")
        return result


@frozen
class Tournament:
    """Who plays, and how.

    Parameters
    ----------
    players
        Names as `find_player` takes them, one for each seat.
    seed
        Another seed is another tournament.
    rooms
        The model of movement, see `games.cluedo.players.table`.
    turns
        After this number of turns, of all players together, a game is given up.
    setup
        The deck and the house rules, see `games.cluedo.players.referee.play`; its own players do
        not count. ``None``: the classic deck, dealt as evenly as possible.
    slips
        The probability that an answer is wrong, see `games.cluedo.players.referee.play`.

    Raises
    ------
    BadInput
        There is no such player or model, there are not 2 to 10 players, the set-up does not fit
        this number of players, or ``slips`` is no probability.

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
    setup: Cluedo | None = None
    slips: Fraction = Fraction(0)

    def __attrs_post_init__(self) -> None:
        check_table(len(self.players), self.rooms)
        if not 0 <= self.slips <= 1:
            raise BadInput(f"the rate of slips is from 0 to 1, not {float(self.slips):g}")
        for name in self.players:
            find_player(name)
        # The name of another person's player may not be allowed, or the hands may not fit.
        evolve(self.setup or Cluedo(self.names), players=self.names, me=None)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names in a game, all different."""
        names: list[str] = []
        for name in map(label, self.players):
            copy, unique = 1, name
            while unique in names:
                copy += 1
                unique = f"{name}-{copy}"
            names.append(unique)
        return tuple(names)

    def seats(self, number: int) -> tuple[int, ...]:
        """Return the players of a game in seat order, as indices into ``players``.

        Games are grouped, as many in a group as there are seats: for each group one order round
        the table is drawn, and every player has each seat once.
        """
        size = len(self.players)
        order = list(range(size))
        Random(f"{self.seed}:seats:{number // size}").shuffle(order)
        shift = number % size
        return tuple(order[shift:] + order[:shift])

    def play(self, number: int) -> Table:
        """Return a game of the tournament.

        Raises
        ------
        PlayerError
            See `games.cluedo.players.referee.play`; the message names the game.
        """
        makers = {self.names[i]: find_player(self.players[i]) for i in self.seats(number)}
        random = Random(f"{self.seed}:{number}")
        try:
            return play(
                makers,
                random,
                rooms=self.rooms,
                turns=self.turns,
                setup=self.setup,
                slips=self.slips,
            )
        except PlayerError as error:
            raise PlayerError(f"game {number} of seed {self.seed}: {error}") from error

    def header(self) -> dict[str, object]:
        """Return the header of a file of results.

        It has the version because players may play differently in another.
        """
        header: dict[str, object] = {
            "schema": "deduce/cluedo-tournament-results/1",
            "deduce": __version__,
            "players": list(self.players),
            "seed": self.seed,
            "rooms": self.rooms,
            "turns": self.turns,
        }
        if self.setup is not None:
            header["setup"] = format_setup(evolve(self.setup, players=self.names, me=None))
        if self.slips:
            header["slips"] = str(self.slips)
        return header


@define
class Score:
    """What all players of one name have achieved together."""

    name: str
    seats: int
    """How many players in a game have this name."""
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

    def add(self, result: GameResult) -> None:
        """Count a game."""
        self.games += 1
        self.ends[result.end] += 1
        players = self.tournament.players
        if result.winner is not None:
            score = self.scores[players[result.winner]]
            score.wins += 1
            score.turns[result.turns] += 1
        for index in result.wrong:
            self.scores[players[index]].wrong += 1
        for index, name in enumerate(players):
            score = self.scores[name]
            score.decisions += result.decisions[index]
            score.cpu += result.cpu_seconds[index]
            score.slowest = max(score.slowest, result.slowest_seconds[index])

    def interval(self, score: Score) -> tuple[float, float]:
        """Return the 95 % confidence interval of the share of games that these players win."""
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
) -> Iterator[GameResult]:
    """Yield the results of games 0 to ``games - 1``, first those that are already known.

    Parameters
    ----------
    jobs, scheduler
        Where the games are played, see `deduce.batch.parallel.run_all`.
    results
        Games in this file are not played again, and each new one is added.
    logs
        A folder for the log of each game; a game whose log is missing is played again.
    check
        Whether every player's knowledge is compared with the deal after every event, see
        `contradictions`; not with slips.

    Raises
    ------
    PlayerError, BadInput, Unsupported, Undecided
        See `Tournament.play` and `run_all`; a log cannot be written; a result in the file is not
        what the same game gives now.
    """
    done: set[int] = set()
    again: dict[int, GameResult] = {}
    for result in _known_results(results, len(tournament.players)):
        if result.game >= games:
            continue
        if logs is None or (logs / _log_name(result.game)).exists():
            done.add(result.game)
            yield result
        else:
            again[result.game] = result
    left = [number for number in range(games) if number not in done]
    task = partial(_play, tournament, check=check, log=logs is not None)
    for result, log in run_all(task, left, jobs=jobs, scheduler=scheduler):
        before = again.pop(result.game, result)
        if before != result:
            raise BadInput(
                f"game {result.game} ends differently from the file of results: the file was "
                "written by another version, or a player does not draw from its seat's random"
            )
        if logs is not None:
            _write(logs, _log_name(result.game), log)
        if results is not None and before is result:
            results.add(asdict(result))
        yield result


def _known_results(results: ResultsFile | None, seats: int) -> Iterator[GameResult]:
    """Yield the results that are in the file."""
    if results is None:
        return
    for row in results.rows():
        with placed(source=str(results.path)):
            yield GameResult.parse(row, seats)


def contradictions(table: Table) -> Iterator[str]:
    """Yield where a player's exact knowledge contradicts the deal after some event: nowhere.

    Every player's view of the game is followed event by event by `Knowledge`, not by the player:
    this checks the referee, what it shows to each player, and the reasoning itself. About 0.2 s a
    game.
    """
    for name in table.game.players:
        knowledge = Knowledge(evolve(table.game, me=name))
        for number, event in enumerate(table.events, start=1):
            knowledge = knowledge.tell(*seen_log(table.game, (event,), name))
            if not knowledge.problem.holds(table.deal):
                yield f"after event {number}, {name}'s evidence excludes the deal"
                return
            for card, holder in knowledge.certain().items():
                if table.deal[str(card)] != holder:
                    yield f"after event {number}, {name} infers that {holder} has {card}"


def _play(tournament: Tournament, number: int, *, check: bool, log: bool) -> tuple[GameResult, str]:
    """Play a game, in whatever process."""
    table = tournament.play(number)
    assert table.end is not None
    if check:
        for what in contradictions(table):
            raise AssertionError(f"game {number} of seed {tournament.seed}: {what}")
    names = tournament.names
    efforts = [table.efforts[name] for name in names]
    result = GameResult(
        number,
        None if table.winner is None else names.index(table.winner),
        table.end,
        table.turns,
        tuple(names.index(name) for name in table.wrong),
        tuple(effort.decisions for effort in efforts),
        tuple(round(effort.seconds, 6) for effort in efforts),
        tuple(round(effort.slowest, 6) for effort in efforts),
    )
    return result, table.log() if log else ""


def _log_name(number: int) -> str:
    return f"game{number:06}.cluedo"


def _write(folder: Path, name: str, text: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot be created: {error.strerror}", source=str(folder)) from None
    path = folder / name
    if path.is_file() and path.read_bytes() != text.encode():
        raise BadInput("the file has the log of another game; name another folder",
                       source=str(path))  # fmt: skip
    replace_file(path, text)


PLAYERS: Renamed[tuple[str, str]] = Renamed(
    {
        "random": ("simple:suggests_any", "suggests at random, shows at random"),
        "not-placed": (
            "simple:suggests_not_placed",
            "suggests cards whose holder is not known yet",
        ),
        "most-no": ("simple:suggests_most_no", "suggests the cards that most players do not have"),
        "console": (
            "simple:console_player",
            "most-no+most-shown: the player of the console game that these players come from",
        ),
        "reasoner": ("simple:Reasoner", "suggests at random, knows everything that follows"),
        "information": (
            "information:Information",
            "suggests what gives most information, accuses from 2 in 3 on",
        ),
        "forgiving": (
            "information:Forgiving",
            "as information, and allows for players who overlook a card",
        ),
        "best": ("best:Best", "weighs what it learns, what it reveals, and the risk"),
    },
    {"seed": "console"},
)
"""Name -> where in this package the maker is, and what the player does in a few words."""


def find_player(name: str) -> Maker:
    """Return the maker of a player by its name or by ``module:attribute``.

    For ``random``, ``not-placed`` and ``most-no`` the name may include how they show:
    ``most-no+least-shown``.

    Raises
    ------
    BadInput
        There is no such player; the message names the nearest.

    Examples
    --------
    >>> find_player("best").__name__
    'Best'
    >>> find_player("most-yes")
    Traceback (most recent call last):
    ...
    deduce.errors.BadInput: no player is called 'most-yes'; did you mean 'most-no'? Other players \
are named module:attribute
    """
    maker: Maker
    if ":" in name:
        maker = typed_object(name, makes="a player")
        return maker
    plain, plus, way = name.partition("+")
    if plain not in PLAYERS:
        hint = nearest(plain, PLAYERS) or f"{listing(PLAYERS)}."
        raise BadInput(f"no player is called {plain!r}{hint} Other players are named "
                       "module:attribute")  # fmt: skip
    maker = load(f"games.cluedo.players.{PLAYERS[plain][0]}")
    return with_way_to_show(plain, maker, way) if plus else maker


def label(name: str) -> str:
    """Return what a player is called in a game: the name, or the attribute's.

    >>> label("most-no+least-shown"), label("mine.players:Careful")
    ('most-no+least-shown', 'Careful')
    """
    return name.rpartition(":")[2] or name
