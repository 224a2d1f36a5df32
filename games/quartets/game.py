"""The game as users know it: a set-up that reads and writes its logs and can be deduced from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import ClassVar, Self

from attrs import frozen

from deduce.errors import BadInput
from deduce.game import Viewer
from deduce.logs.events import Log
from deduce.problem import Evidence
from games.quartets import evidence, notation, players, wording
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.setup import Setup, named_groups

__all__ = ["Quartets"]


@frozen(slots=False)
class Quartets(Setup):
    """One game of Blink Quartets, from which can be deduced; see `Setup` for its parameters.

    The variables are the cards, the values are the players who were dealt them.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> from games.quartets import named_groups
    >>> game = Quartets(("Ann", "Ben", "Cid"), named_groups([2, 2]), (2, 1, 1))
    >>> k = Knowledge(game).tell("Ann asks Ben for a1", "no", "Cid b1")
    >>> k.log[-1]
    Ask(by='Ben', to='Cid', card='b1')
    >>> k.possible()["a1"] == {"Ann", "Cid"}
    True
    """

    name: ClassVar[str] = "quartets"
    events: ClassVar[tuple[type, ...]] = (Ask, Answer, Quartet)

    # The hidden game

    def variables(self) -> Mapping[str, tuple[str, ...]]:
        """Return every card with the players who may have been dealt it."""
        return dict.fromkeys(self.cards, self.players)

    rules = evidence.rules
    notices = evidence.notices

    def evidence(self, log: Sequence[Event], viewer: Viewer) -> Iterator[Evidence]:
        """Return what the log states about the deal; all viewers see the same."""
        return evidence.evidence(self, log)

    def seen_by(self, viewer: Viewer) -> Self:
        """Return the game: no player sees a card, so all of it is public."""
        return self

    def seen_event(self, event: Event, viewer: Viewer) -> Event:
        """Return the event: all of them are public."""
        return event

    @classmethod
    def random_setup(cls, random: Random) -> Self:
        """Return a random small set-up, for ``deduce soak``."""
        while True:
            sizes = [random.randint(2, 4) for _ in range(random.randint(2, 4))]
            players = ("Ann", "Ben", "Cid", "Dan")[: random.randint(2, 4)]
            share, rest = divmod(sum(sizes), len(players))
            hands = tuple(share + (index < rest) for index in range(len(players)))
            with suppress(BadInput):
                return cls(players, named_groups(sizes), hands)

    @classmethod
    def puzzle_setup(cls, random: Random) -> Quartets:
        """Return a set-up for a puzzle: three players and three groups of three cards."""
        return cls(("Ann", "Ben", "Cid"), named_groups([3, 3, 3]), (3, 3, 3))

    deal = players.deal
    record = players.record
    say = staticmethod(wording.fact_text)
    say_all = staticmethod(wording.say_all)
    pattern = staticmethod(wording.pattern)

    # Notation

    format_log = notation.format_log

    def parse_event(self, text: str) -> Event:
        """Return the event that a line of the notation states in full."""
        return notation.parse_event(text, self)

    def parse_next(self, text: str, log: Sequence[Event]) -> tuple[Quartets, Event]:
        """Return the event that a line states after a log, and the game with any new names.

        The line may be short, such as ``Ben a1``, ``yes`` or ``declare a``.
        """
        return notation.parse_next(text, self, log)

    def format_event(self, event: Event) -> str:
        """Return the event as a line of the notation."""
        return notation.format_event(event, self)

    @classmethod
    def parse_log(cls, text: str) -> Log:
        """Return the game and the events of a transcript, with the line of each."""
        return notation.parse_log(text, cls)
