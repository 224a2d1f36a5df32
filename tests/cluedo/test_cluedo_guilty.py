"""The probability of the guilty cards by simple rules, and the set-ups that simple players know."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

import deduce as toolkit
from games.cluedo import DECKS, Cluedo, Has, HasNot, OneOf
from games.cluedo.players.referee import Seat, play
from games.cluedo.players.simple import Sheet, SheetPlayer, simple_rules
from games.cluedo.players.tournament import contradictions, find_player

SIX = ("Ann", "Ben", "Cid", "Dan", "Eve", "Fay")


@pytest.mark.parametrize("count", [3, 5])
def test_the_score_is_the_average_of_the_exact_probabilities(count: int) -> None:
    game = play({name: find_player("console") for name in SIX[:count]}, Random(2))
    for upto in range(6, len(game.events), 3):
        record = toolkit.Knowledge(game.game, game.events[:upto])
        knowledge = record.seen_by("Ben")
        sheet = simple_rules(knowledge)
        exact = knowledge.joint(*game.game.questions())
        shares = [exact.get(solution, 0) for solution in product(*sheet.candidates().values())]
        assert sum(shares) == 1
        assert sheet.score == sum(shares) / len(shares)
        if sheet.count() == 1:
            assert {game.deal[card] for [card] in sheet.candidates().values()} == {"envelope"}


def test_the_sheet_takes_what_was_seen_otherwise() -> None:
    sheet = Sheet(Cluedo(("Ann", "Ben"), hands=(9, 9)))
    sheet.tell(Has("Ben", "Rope"))
    sheet.tell(OneOf("Ann", ("Hall", "Study")))
    sheet.tell(HasNot("Ann", "Study"))
    assert sheet.placed == {"Rope": "Ben", "Hall": "Ann"}
    sheet.tell(HasNot("envelope", "Study"))
    assert (sheet.no("Rope"), sheet.no("Study")) == (1, 1)


def test_the_console_deck_begins_with_the_cards_that_its_text_names() -> None:
    suspects, weapons, rooms = DECKS["console"].values()
    assert (len(suspects), len(weapons), len(rooms)) == (6, 6, 9)
    assert suspects[:2] == ("Mustard", "Orchid")
    assert weapons[:2] == ("Candlestick", "Dagger")
    assert "Revolver" in weapons
    assert rooms[:3] == ("Ballroom", "Billiard Room", "Conservatory")
    assert Cluedo.parse_log("deck: console\nplayers: Ann, Ben").game.deck == DECKS["console"]


def test_the_console_player_shows_what_it_has_shown_most() -> None:
    player = find_player("console")(
        Seat(Cluedo(("Ann", "Ben"), me="Ann"), ("Rope", "Hall"), Random())
    )
    assert isinstance(player, SheetPlayer)
    assert (player.way, player.choose.__name__) == ("most-shown", "_most_no")


HOUSES = (
    "deck: console\nplayers: Ann, Ben, Cid, Dan\nface up: Rope, Hall",
    "deck: clue\nplayers: Ann, Ben, Cid, Dan\nundealt: 2",
    "deck: classic\nplayers: Ann 2, Ben 8, Cid ?, Dan ?",
    "a: A1, A2, A3, A4\nb: B1, B2, B3\nc: C1, C2, C3\nd: D1, D2, D3\nplayers: Ann, Ben, Cid, Dan",
    "a: A1, A2, A3, A4, A5\nb: B1, B2, B3, B4, B5\nplayers: Ann, Ben, Cid, Dan\nsuggestions: free",
    "a: A1, A2, A3, A4, A5, A6, A7\nplayers: Ann, Ben, Cid, Dan",
)


@pytest.mark.parametrize("house", HOUSES)
def test_players_know_house_rules(house: str) -> None:
    setup = Cluedo.parse_log(house).game
    names = ("console", "random+least-shown", "not-placed", "reasoner")
    if not setup.undealt and setup.hands is None:
        names = ("console", "best", "information", "reasoner")
    makers = {f"p{seat}": find_player(name) for seat, name in enumerate(names)}
    game = play(makers, Random(1), setup=setup, turns=12)
    assert list(contradictions(game)) == []
    assert game.game.face_up == setup.face_up
    assert game.game.deck == setup.deck


def test_ten_players_sit_at_a_table() -> None:
    game = play({f"p{seat}": find_player("console") for seat in range(10)}, Random(3))
    assert game.end == "solved"
    assert sorted(Counter(game.deal.values()).values()) == [1, 1, *[2] * 8, 3]
