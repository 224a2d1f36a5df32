"""Games in which hidden things come into play by and by, such as cards drawn from a pile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import ClassVar

import pytest
from attrs import frozen

from deduce.constraints import Weigh, at_least, is_, is_not
from deduce.game import RECORD, Viewer
from deduce.knowledge import Knowledge
from deduce.problem import Evidence, World
from deduce.testing import ConformanceError, check_hidden_game


@frozen
class Draw:
    """A player draws a marble, which no other player sees."""

    by: str
    colour: str


@frozen
class Bag:
    """All marbles of a bag are red, or half of them; each is put back after it was drawn."""

    name: ClassVar[str] = "bag"
    events: ClassVar[tuple[type, ...]] = (Draw,)
    players: tuple[str, ...] = ("Ann", "Ben")

    def variables(self) -> Mapping[str, tuple[str, ...]]:
        return {"bag": ("red", "mixed")}

    def rules(self) -> tuple[()]:
        return ()

    def drawn(self, log: Sequence[Draw]) -> Mapping[str, tuple[str, ...]]:
        return {f"marble {number}": ("red", "blue") for number in range(1, len(log) + 1)}

    def groups(self) -> Mapping[str, Sequence[str]]:
        return {"who knows": ["bag"]}

    def evidence(self, log: Sequence[Draw], viewer: Viewer) -> Iterator[Evidence]:
        for number, event in enumerate(log, start=1):
            marble = f"marble {number}"
            both = [is_("bag", "red"), is_(marble, "red")]
            fits = at_least(1, [is_("bag", "mixed"), is_(marble, "red")])
            yield Evidence(fits, number, "a red bag has red marbles alone")
            yield Evidence(Weigh(both, [1, 1, 2]), number, "half of a mixed bag is red")
            if viewer in (event.by, RECORD):
                yield Evidence(is_(marble, event.colour), number, f"{event.by} sees {event.colour}")

    def deal(self, random: Random) -> World:
        bag = random.choice(("red", "mixed"))
        colours = ("red",) if bag == "red" else ("red", "blue")
        return {"bag": bag} | {f"marble {n}": random.choice(colours) for n in range(1, 6)}

    def record(self, world: World, random: Random) -> Iterator[Draw]:
        for number in range(1, random.randint(1, 5) + 1):
            yield Draw(random.choice(self.players), str(world[f"marble {number}"]))


LOG = (Draw("Ann", "red"), Draw("Ben", "red"), Draw("Ann", "red"))


def test_what_is_drawn_is_hidden_from_then_on() -> None:
    k = Knowledge(Bag(), LOG, viewer="Ann")
    assert list(k.possible()) == ["bag", "marble 1", "marble 2", "marble 3"]
    assert k.posterior()["bag"]["red"] == Fraction(4, 5)
    assert k.posterior()["marble 2"]["red"] == Fraction(9, 10)
    assert list(k.upto(1).possible()) == ["bag", "marble 1"]
    assert k.tell(Draw("Ben", "blue")).why(is_not("bag", "red")).verdict == "open"
    assert k.tell(Draw("Ann", "blue")).why(is_("bag", "mixed")).events == (4,)


def test_it_is_shown_under_a_heading_of_its_own() -> None:
    k = Knowledge(Bag(), LOG)
    assert "-- drawn" in str(k)
    assert "marble 3" in k._repr_html_()


def test_conformance_takes_the_pile_from_the_deal() -> None:
    assert check_hidden_game(Bag(), deals=5).undecided == 0


def test_a_deal_that_does_not_know_the_pile_is_told() -> None:
    class Short(Bag):
        def deal(self, random: Random) -> World:
            return {"bag": "mixed"}

        def record(self, world: World, random: Random) -> Iterator[Draw]:
            yield Draw("Ann", "blue")

    with pytest.raises(ConformanceError, match="marble 1 was drawn, but deal"):
        check_hidden_game(Short())
