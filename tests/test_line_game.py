"""The base class of games whose log consists of lines, where little or nothing is allowed."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from attrs import evolve, field, frozen

from deduce import RECORD, BadInput, Knowledge
from deduce.constraints import Fact, is_
from deduce.line_game import Line, LineGame
from games.hanabi import Clue


@frozen
class Peek:
    template = "{player} peeks: {card}"

    player: str
    card: str


@frozen
class Bids:
    template = "{player} bids {number}"

    player: str
    number: int


@frozen
class Names:
    template = "{player} names: {cards}"

    player: str
    cards: tuple[str, ...]


@frozen
class Peeking(LineGame):
    """A card at which players peek; the others see that they do, and not the card."""

    name = "peeking"
    events = (Peek, Bids, Names)
    players = ("Ann", "Ben")

    size: int = 0
    table: Mapping[str, str] = field(factory=dict)

    def variables(self) -> dict[str, tuple[str, ...]]:
        return {"hidden": ("x", "y")}

    def fields(self, kind: type) -> dict[str, Any]:
        cards = () if kind is Names else ("x", "y", "?")
        numbers = range(1, self.size + 1)
        return {"player": self.players, "card": cards, "cards": cards, "number": numbers}

    def seen_by(self, viewer: object) -> Peeking:
        return self

    def seen_event(self, event: Any, viewer: Any) -> Any:
        hidden = isinstance(event, Peek) and viewer not in (RECORD, event.player)
        return evolve(event, card="?") if hidden else event

    def means(self, event: Any, log: Any) -> Iterator[Fact]:
        for peek in (*log, event):
            if isinstance(peek, Peek) and peek.card != "?":
                yield is_("hidden", peek.card)

    def inquiries(self, log: Any, viewer: object) -> tuple[()]:
        return ()


def test_the_evidence_of_a_player_is_that_of_the_events_as_the_player_sees_them() -> None:
    k = Knowledge(Peeking(size=1)).tell("Ann peeks: x", "Ben bids 1")
    assert [k.seen_by(who).count() for who in (RECORD, "Ann", "Ben", None)] == [1, 1, 2, 2]
    assert [piece.sentence for piece in k.seen_by("Ann")._evidence] == [
        "Ann peeks: x",
        "Ben bids 1",
    ]
    assert not k.seen_by("Ben")._evidence


@pytest.mark.parametrize(
    ("size", "message"), [(0, "no number is allowed"), (2, "is 1 to 2, not 3")]
)
def test_a_number_outside_its_range_is_refused(size: int, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Knowledge(Peeking(size=size)).tell("Ann bids 3")


def test_random_events_end_where_nothing_is_allowed_or_asked() -> None:
    game, world = Peeking(), {"hidden": "x"}
    assert list(game.record(world, Random(1))) == []
    assert list(game.true_lines(world, Random(1), Bids)) == []
    assert list(game.true_lines(world, Random(1), Names, player="Ann")) == [Names("Ann", ())]
    assert game.deal(Random(1)) in ({"hidden": "x"}, {"hidden": "y"})


def test_an_event_can_be_copied_and_pickled() -> None:
    event = Clue("Ann", "Ben", "1", ("Ben1", "Ben2"))
    assert deepcopy(event) == event
    assert pickle.loads(pickle.dumps(event)) == event  # noqa: S301


@pytest.mark.parametrize("decorator", [frozen, frozen(slots=False)])
def test_a_line_that_is_decorated_again_is_refused(decorator: Any) -> None:
    with pytest.raises(BadInput, match="Twice is frozen, as every Line: leave out its decorator"):

        @decorator
        class Twice(Line, template="{player} twice"):
            player: str
