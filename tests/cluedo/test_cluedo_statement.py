"""The sentences about the players of the console game, each on one sheet or one decision."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from games.cluedo import ENVELOPE, Cluedo, Hand, Show, Suggestion
from games.cluedo.players.referee import Seat
from games.cluedo.players.simple import (
    Sheet,
    SheetPlayer,
    suggests_any,
    suggests_most_no,
    suggests_not_placed,
    with_way_to_show,
)

GAME = Cluedo(("Ann", "Ben", "Cid"), hands=(6, 6, 6), me="Ann")
OWN = ("Miss Scarlett", "Colonel Mustard", "Rope", "Dagger", "Hall", "Study")
NAMED = ("Professor Plum", "Spanner", "Lounge")


def player(make: Callable[[Seat], SheetPlayer], seed: int = 0) -> SheetPlayer:
    """Return a player at Ann's seat who has seen the own hand."""
    made = make(Seat(GAME, OWN, Random(seed)))
    made.see(Hand("Ann", OWN))
    return made


def suggestions(make: Callable[[Seat], SheetPlayer], *events: Suggestion) -> set[str]:
    """Return all cards that a player suggests in 200 games after the same events."""
    named: set[str] = set()
    for seed in range(200):
        made = player(make, seed)
        for event in events:
            made.see(event)
        named.update(made.suggest(tuple(GAME.deck["room"])))
    return named


def test_own_cards_and_shown_cards_are_placed() -> None:
    sheet = Sheet(GAME)
    sheet.tell(Hand("Ann", OWN))
    sheet.tell(Suggestion("Ann", NAMED, (), (Show("Ben", "Spanner"),)))
    assert sheet.placed == {**dict.fromkeys(OWN, "Ann"), "Spanner": "Ben"}


def test_who_does_not_answer_has_none_of_the_cards() -> None:
    sheet = Sheet(GAME)
    for _ in range(2):  # the second time adds nothing
        sheet.tell(Suggestion("Ann", NAMED, ("Ben",)))
    assert [sheet.no(card) for card in NAMED] == [1, 1, 1]


def test_a_known_hand_has_no_other_card() -> None:
    sheet = Sheet(GAME)
    sheet.tell(Hand("Ann", OWN))
    assert sheet.no("Professor Plum") == 1
    assert sheet.no("Rope") == 2  # Ben and Cid do not have a card of Ann's


def test_a_card_shown_to_another_player_is_one_of_three_until_two_are_excluded() -> None:
    sheet = Sheet(GAME)
    sheet.tell(Suggestion("Cid", NAMED, (), (Show("Ben"),)))
    assert not sheet.placed
    sheet.tell(Suggestion("Cid", ("Professor Plum", "Rope", "Lounge"), ("Ben",)))
    assert sheet.placed == {"Spanner": "Ben"}


def test_a_suggestion_has_a_card_of_each_category() -> None:
    for make in (suggests_any, suggests_not_placed, suggests_most_no):
        cards = player(make).suggest(("Hall", "Lounge"))
        assert [card in deck for card, deck in zip(cards, GAME.deck.values(), strict=True)] == [
            True, True, True,
        ]  # fmt: skip


def test_the_first_version_suggests_any_card_and_the_second_none_that_is_placed() -> None:
    assert suggestions(suggests_any) == set(GAME.cards)
    assert suggestions(suggests_not_placed) == set(GAME.cards) - set(OWN)


def test_the_current_version_suggests_what_most_players_do_not_have() -> None:
    passed = Suggestion("Cid", NAMED, ("Ben",))
    assert suggestions(suggests_most_no, passed) == set(NAMED)
    assert suggestions(suggests_most_no) == set(GAME.cards) - set(OWN)  # all are equal


def test_where_all_cards_of_a_category_are_placed_one_of_them_is_suggested() -> None:
    made = player(suggests_most_no)
    suspects = [card for card in GAME.deck["suspect"] if card not in OWN]
    for card in suspects:
        made.see(Suggestion("Ann", (card, *NAMED[1:]), (), (Show("Ben", card),)))
    assert made.suggest(("Hall",))[0] in GAME.deck["suspect"]


@pytest.mark.parametrize(
    ("way", "cards"),
    [("random", {"Rope", "Hall"}), ("most-shown", {"Rope"}), ("least-shown", {"Hall"})],
)
def test_the_card_to_show_is_any_or_the_one_shown_most_or_least(way: str, cards: set[str]) -> None:
    make = with_way_to_show("most-no", suggests_most_no, way)
    shown = set()
    for seed in range(50):
        made = make(Seat(GAME, OWN, Random(seed)))
        made.see(
            Suggestion("Ben", ("Professor Plum", "Rope", "Lounge"), (), (Show("Ann", "Rope"),))
        )
        question = Suggestion("Cid", ("Professor Plum", "Rope", "Hall"), ())
        shown.add(made.show(question, ("Rope", "Hall")))
    assert shown == cards


def test_a_card_that_no_player_has_is_guilty_and_so_is_the_last_of_its_category() -> None:
    sheet = Sheet(GAME)
    for by, passes in (("Ann", ("Ben", "Cid")), ("Ben", ("Ann",))):
        sheet.tell(Suggestion(by, NAMED, passes))
    assert sheet.placed["Spanner"] == ENVELOPE
    assert sheet.solution() == NAMED
    sheet = Sheet(GAME)
    *suspects, last = GAME.deck["suspect"]
    for card in suspects:
        sheet.tell(Suggestion("Ann", (card, "Rope", "Hall"), (), (Show("Ben", card),)))
    assert sheet.placed[last] == ENVELOPE


def test_before_the_solution_is_certain_there_is_a_probability_and_no_accusation() -> None:
    made = player(suggests_most_no)
    assert made.accuse() is None
    assert made.sheet.count() == 4 * 4 * 7
