"""One game of ``deduce cluedo play``: a person, or no person, among programs; saved and resumed.

A game is determined by who sits where, the set-up, the deal and the seed, and by what has been
answered so far. So the save file has these, and resuming answers the same questions again. Before
each decision a program's source of random numbers is set from the seed and the number of the
decision: the same person playing the same way sees the same game again, and a game that was
interrupted does not change.

The save file contains the hidden cards. It is compressed and encoded, so that no card can be read
by accident; this is not encryption.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from attrs import evolve, field, frozen

from deduce import __version__
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.logs.events import Log
from deduce.logs.json_values import structure
from deduce.problem import Problem
from deduce.system.files import read_bytes, read_text, replace_file
from games.cluedo.events import Event
from games.cluedo.evidence import seen_log
from games.cluedo.game import Cluedo
from games.cluedo.notation import format_setup
from games.cluedo.players.referee import Company, Seat
from games.cluedo.players.table import Question, Table, check_table, with_hand_sizes
from games.cluedo.players.tournament import find_player

__all__ = ["SCHEMA", "Evening", "save_path"]


SCHEMA = "deduce/cluedo-play/1"
NOTE = "the save file of `deduce cluedo play`: it contains the hidden cards, so do not decode it"
MAX_SAVED = 10_000_000
"""Bytes that a save file may have after decompression."""


@frozen(eq=False)
class Evening:
    """A game in progress: what determines it, the table, the programs, and the files.

    Parameters
    ----------
    game
        The set-up, with the size of each hand; ``me`` is the person. Without ``me`` only programs
        play.
    bots
        The program at each other seat, as `find_player` takes it.
    seed
        For the dice and the programs' choices.
    deal
        The holder of each card.
    rooms, turns
        As for `games.cluedo.players.referee.play`.
    deals
        As for `games.cluedo.players.referee.Seat`.
    path
        The file of the log, with the save file beside it; ``None``: nothing is saved.

    Raises
    ------
    BadInput
        The number of players, a program or the deal is impossible.

    Examples
    --------
    >>> game = Cluedo(("Ann", "Ben"), me="Ann")
    >>> evening = Evening.new(game, {"Ben": "seed"}, 1)
    >>> evening.table.answer(("Professor Plum", "Rope", "Hall"))  # Ben can choose what to show
    >>> for _ in evening.proceed():
    ...     print(game.format_event(evening.events()[-1]))
    Ann: Professor Plum, Rope, Hall; Ben shows Professor Plum
    """

    game: Cluedo
    bots: Mapping[str, str]
    seed: int
    deal: Mapping[str, str]
    rooms: str = "any"
    turns: int = 400
    deals: int | None = None
    path: Path | None = None
    table: Table = field(init=False)
    company: Company = field(init=False)

    @table.default
    def _table(self) -> Table:
        players = self.game.players
        check_table(len(players), self.rooms)
        if set(self.bots) != set(players) - {self.game.me}:
            raise BadInput("every player except the person needs a program")
        fits = set(self.deal) == set(self.game.dealt)
        if not fits or not Problem(self.game.variables(), self.game.rules()).holds(self.deal):
            raise BadInput("the deal does not fit the set-up")
        game, dice = evolve(self.game, me=None), Random(f"{self.seed}:dice")
        return Table(game, self.deal, rooms=self.rooms, dice=dice, turns=self.turns)

    @company.default
    def _company(self) -> Company:
        game, hands = self.table.game, self.table.hands
        seats = {
            name: Seat(evolve(game, me=name), hands[name], Random(0), self.deals)
            for name in self.bots
        }
        return Company(self.table, [(find_player(self.bots[name]), seats[name]) for name in seats])

    @classmethod
    def new(cls, game: Cluedo, bots: Mapping[str, str], seed: int, **options: Any) -> Evening:
        """Return a new game: the cards are dealt by the seed."""
        game = with_hand_sizes(game)
        deal = evolve(game, me=None).deal(Random(f"{seed}:deal"))
        return cls(game, bots, seed, deal, **options)

    @classmethod
    def resume(cls, path: Path, allowed: Collection[str] = ()) -> Evening:
        """Return the game that was saved beside a log.

        Parameters
        ----------
        path
            The log.
        allowed
            The programs of other modules that the save file may name.

        Raises
        ------
        BadInput
            There is no such game, a file is damaged, or the log was changed.
        """
        text, source = read_text(str(save_path(path)))
        evening = cls.parse(text, source, path, allowed)
        try:
            log = read_bytes(path).decode("utf-8")
        except (OSError, ValueError):
            log = ""
        if not evening.log().startswith(log):
            raise BadInput(
                "the log is not that of the saved game; a copy can be changed, for example with "
                "`deduce cluedo track`, but not the log of a game that is being played",
                source=str(path),
            )
        return evening

    @property
    def me(self) -> str | None:
        """The person; ``None``: only programs play."""
        return self.game.me

    @property
    def question(self) -> Question | None:
        """What is asked now; ``None`` once the game has ended."""
        return self.table.question

    @property
    def is_mine(self) -> bool:
        """Whether the person is asked."""
        return self.question is not None and self.question.player == self.me

    def proceed(self) -> Iterator[None]:
        """Let the programs answer one by one until the person is asked or the game ends.

        Raises
        ------
        PlayerError
            A program fails.
        """
        while self.question is not None and not self.is_mine:
            self.step()
            yield

    def step(self) -> None:
        """Let the program answer that is asked."""
        assert self.question is not None
        name, number = self.question.player, len(self.table.answers)
        self.company.seats[name].random.seed(f"{self.seed}:{name}:{number}")
        self.company.answer()

    def events(self) -> tuple[Event, ...]:
        """Return what has happened, as the person sees it; all of it if only programs play."""
        events = self.table.events
        return tuple(events if self.me is None else seen_log(self.table.game, events, self.me))

    def knowledge(self, **options: Any) -> Knowledge:
        """Return what the person can know; options as for `Knowledge.of`."""
        return Knowledge.of(Log(self.game, self.events()), **options)

    def log(self) -> str:
        """Return the log as the person sees it; the whole record if only programs play."""
        return self.game.format_log(self.events())

    # Saving

    def save(self) -> None:
        """Write both files, if there are any.

        Raises
        ------
        BadInput
            A file cannot be written.
        """
        if self.path is not None:
            replace_file(save_path(self.path), self.text())
            replace_file(self.path, self.log())

    def text(self) -> str:
        """Return the save file."""
        document = {
            "setup": format_setup(self.game),
            "bots": dict(self.bots),
            "seed": self.seed,
            "deal": dict(self.deal),
            "rooms": self.rooms,
            "turns": self.turns,
            "deals": self.deals,
            "answers": self.table.answers,
        }
        sealed = b64encode(zlib.compress(json.dumps(document).encode())).decode()
        head = {"schema": SCHEMA, "deduce": __version__, "note": NOTE, "sealed": sealed}
        return json.dumps(head, indent=1) + "\n"

    @classmethod
    def parse(
        cls, text: str, source: str, path: Path | None = None, allowed: Collection[str] = ()
    ) -> Evening:
        """Return the game that a save file describes; parameters as for `resume`.

        Raises
        ------
        BadInput
            It is not a save file, or it is damaged, or it names a program that is not allowed.
        """
        try:
            head = json.loads(text)
            if head["schema"] != SCHEMA:
                raise BadInput(f"a save file of schema {SCHEMA} is needed")
            data = zlib.decompressobj().decompress(b64decode(head["sealed"]), MAX_SAVED)
            saved = json.loads(data)
            bots = structure(saved["bots"], dict[str, str])
            for bot in bots.values():
                if ":" in bot and bot not in allowed:
                    raise BadInput(
                        f"it would run a program from another module; --bots {bot} allows it"
                    )
            evening = cls(
                Cluedo.parse_log(saved["setup"]).game,
                bots,
                structure(saved["seed"], int),
                structure(saved["deal"], dict[str, str]),
                saved["rooms"],
                structure(saved["turns"], int),
                None if saved["deals"] is None else structure(saved["deals"], int),
                path,
            )
            for answer in saved["answers"]:
                evening.table.answer(tuple(answer) if isinstance(answer, list) else answer)
        except BadInput as error:
            raise BadInput(f"the game cannot be resumed: {error}", source=source) from None
        except (ValueError, LookupError, TypeError, AttributeError, zlib.error) as error:
            what = f"this is not a save file, or it is damaged ({type(error).__name__})"
            raise BadInput(what, source=source) from None
        evening.company.see()
        return evening


def save_path(log: Path) -> Path:
    """Return where the save file of a log is.

    >>> save_path(Path("evening.cluedo")).name
    'evening.cluedo.save'
    """
    return log.with_name(f"{log.name}.save")
