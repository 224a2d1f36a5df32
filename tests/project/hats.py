"""A stranger's game for the tests: some hats are red, and everybody sees some of the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar

from attrs import frozen

from deduce.constraints import Count, exactly, is_
from deduce.errors import BadInput
from deduce.game import RECORD, Viewer
from deduce.problem import Evidence, World


@frozen
class Sees:
    by: str
    who: str
    colour: str


@frozen
class Hats:
    """Hats: who wears red?"""

    name: ClassVar[str] = "hats"
    events: ClassVar[tuple[type, ...]] = (Sees,)

    players: tuple[str, ...]
    red: int = 1

    def variables(self) -> Mapping[str, tuple[str, ...]]:
        return dict.fromkeys(self.players, ("red", "blue"))

    def rules(self) -> Sequence[Count]:
        return [exactly(self.red, [is_(player, "red") for player in self.players])]

    def evidence(self, log: Sequence[Sees], viewer: Viewer) -> Iterator[Evidence]:
        for number, event in enumerate(log, start=1):
            if viewer is RECORD or viewer == event.by:
                said = f"{event.by} sees {event.who} in {event.colour}"
                yield Evidence(is_(event.who, event.colour), number, said)

    def check(self, event: Sees) -> None:
        if event.by == event.who:
            raise BadInput("nobody sees the own hat")

    def parse_event(self, text: str) -> Sees:
        words = text.split()
        if len(words) != 4 or words[1] != "sees":
            raise BadInput("an event is a line like: Ann sees Ben red")
        return Sees(words[0], words[2], words[3])

    def format_event(self, event: Sees) -> str:
        return f"{event.by} sees {event.who} {event.colour}"

    def deal(self, random: Random) -> World:
        red = random.sample(self.players, self.red)
        return {player: "red" if player in red else "blue" for player in self.players}

    def record(self, world: World, random: Random) -> Iterator[Sees]:
        for _ in range(random.randint(0, 4)):
            by, who = random.sample(self.players, 2)
            yield Sees(by, who, str(world[who]))
