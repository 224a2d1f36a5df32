"""Properties of the rules in random games, the readings that are settings, and bad input."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.errors import BadInput, BadProblem
from deduce.search import check_game
from games.propre.game import ChanceGame, open_game
from games.propre.notation import (
    format_state,
    parse_rules,
    parse_state,
    state_from_json,
    state_to_json,
)
from games.propre.playthrough import Playthrough
from games.propre.rules import Rules
from games.propre.setup import (
    DECK,
    END,
    KINDS,
    SUITS,
    Option,
    Saying,
    parse_cards,
    parse_pile_card,
    parse_settings,
    printed,
    setup_to_json,
)
from games.propre.wording import IllegalOption, explain, parse_option, play
from tests.propre.strategies import RULES, played, thrown_together

SEEDS = st.integers(0, 10_000)


@given(RULES, SEEDS)
def test_options_are_exactly_those_whose_requirements_hold(rules: Rules, seed: int) -> None:
    state = thrown_together(rules, seed)
    offered = rules.options(state)
    assert len(set(offered)) == len(offered)
    choices = {o.choice for o in offered} | {"", "mv+1", "mv-1", "vertical", "horizontal", "all"}
    choices |= {"announce", *SUITS}
    every = [
        Option(kind, card, choice)
        for kind in KINDS
        for card in (("",) if kind in ("none", "swap") else state.hand)
        for choice in choices
    ]
    assert {option for option in every if not explain(rules, state, option)} == set(offered)


@given(RULES, SEEDS, st.integers(0, 60))
def test_no_card_is_lost_or_doubled(rules: Rules, seed: int, decisions: int) -> None:
    state = played(rules, seed, decisions).state
    places = (*state.hands, state.pile, state.deck, state.stock)
    assert Counter(printed(c) for place in places for c in place) == Counter(DECK)


@given(RULES, SEEDS, st.integers(0, 60))
def test_states_and_set_ups_round_trip(rules: Rules, seed: int, decisions: int) -> None:
    state = played(rules, seed, decisions).state
    assert parse_state(format_state(state), rules) == state
    assert state_from_json(state_to_json(state), rules) == state
    assert parse_rules(setup_to_json(rules)) == rules


@given(RULES, SEEDS, st.integers(0, 60))
def test_options_round_trip(rules: Rules, seed: int, decisions: int) -> None:
    state = played(rules, seed, decisions).state
    for option in rules.options(state):
        assert parse_option(str(option), rules, state) == option


@given(RULES, SEEDS, st.integers(0, 60))
def test_saved_games_read_back(rules: Rules, seed: int, decisions: int) -> None:
    game = played(rules, seed, decisions)
    again = Playthrough.parse(game.text())
    assert again == game
    assert hash(again) == hash(game)


@pytest.mark.parametrize(
    ("settings", "plies"),
    [
        ({"players": 3, "hand": 3, "announce": True, "swap_order": "choice"}, 60),
        ({"players": 5, "hand": 3, "literal_run": True, "deck": " ".join(DECK[::2])}, 60),
        ({"hand": 4, "short_swap": True, "deck": " ".join(DECK[::4]), "reshuffle": False}, 60),
        ({"hand": 3, "literal_run": True, "literal_rm2": True, "talk": True}, 60),
    ],
)
def test_games_conform_to_the_protocol(settings: dict[str, object], plies: int) -> None:
    rules = parse_rules(settings)
    game = ChanceGame(rules, rules.deal(rules.deck, known_order=False))
    assert check_game(game, playthroughs=1, max_plies=plies) > 5


@pytest.mark.parametrize(
    "variant",
    [
        {},
        {"literal_run": True, "deck": "6H 2H AS AH 6S AD 2S"},
        {"literal_rm2": True, "deck": "9C QD 4D 5D 9H 8S"},
        {"swap": True, "swap_order": "choice"},
        {"talk": True, "announce": True},
        {"block_everything": False, "ace_suits": "HS"},
        {"endless": True, "deck": " ".join(DECK), "literal_rm2": True},
        {"known_order": False, "literal_run": True},
        {"players": 3, "hand": 2, "deck": "6H 3H 7S 6S 3S 7H 3D 7D", "literal_rm2": True},
    ],
    ids=str,
)
def test_open_game_conforms_to_the_protocol(variant: dict[str, Any]) -> None:
    size = (1, 12) if "endless" in variant else (5, 60)
    assert check_game(open_game(**variant), playthroughs=size[0], max_plies=size[1]) > 10


def test_settings_of_a_search_that_cannot_be() -> None:
    with pytest.raises(BadInput, match="swap_order"):
        open_game(swap_order="up")
    with pytest.raises(BadInput, match="short_swap is about option 2"):
        open_game(short_swap=True)


# Readings


def test_reshuffle_leaves_the_top_run_and_two_cards_and_brings_printed_faces_back() -> None:
    rules = Rules()
    state = parse_state("hands 4H / 5H; pile TD=AD 3S 9S 9D 9C; deck -", rules)
    due = rules.result(state, END)
    assert due.pile == ("9S", "9D", "9C")
    assert due.stock == ("3S", "TD")
    assert rules.draws(due) is not None
    assert rules.draw(due, "TD").hands[0] == ("4H", "TD")


def test_without_reshuffle_what_is_left_is_drawn() -> None:
    rules = Rules(reshuffle=False)
    state = parse_state("hands 4H / 5H; pile 3S 9S 9D; AV 5; deck 2C", rules)
    after = rules.result(state, END)
    assert (after.hands[0], after.active) == (("4H", "2C"), 1)


def test_players_two_to_five_and_any_deck() -> None:
    for players in range(2, 6):
        deck = DECK[: players * 3 + 1]
        assert len(Rules(players=players, hand=3, deck=deck).deal(deck).hands) == players


# Talk at the table (6.1, 6.3)


def test_a_penalty_is_drawn_from_the_reshuffled_pile_if_nothing_is_left() -> None:
    rules = Rules(talk=True, deck=parse_cards("4H 5H 3S TD 9S 9D"), hand=1)
    state = parse_state("hands 4H / 5H; pile TD=AD 3S 9S 9D; deck -", rules)
    game = Playthrough.of(rules, state).say(1, Saying("last card"), Random(1))
    assert game.state.pile == ("9S", "9D")
    (card,) = {*game.state.hands[1]} - {"5H"}
    assert {card, *game.state.stock} == {"3S", "TD"}
    assert game.observations[0].chances(1)[card] == game.observations[0].chances(1)["3S"]
    again = Playthrough.parse(game.text())
    assert again == game
    for _ in range(2):  # one card is left, and then none
        game = game.say(0, Saying("last card"), Random(1))
    assert len(game.state.hands[0]) == 2
    assert game.state.stock == ()


# Bad input


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"players": 6}, "2 to 5 players can play, not 6"),
        ({"hand": 0}, "needs at least one card"),
        (
            {"deck": parse_cards("AS 2S 3S"), "hand": 1, "players": 3},
            "need 4 cards; the deck has 3",
        ),
        ({"deck": ("AS", "AS", "2S"), "hand": 1}, "holds AS twice"),
        ({"deck": ("AS", "1S", "2S"), "hand": 1}, "'1S' in the deck is not a card"),
        ({"short_swap": True, "swap": False}, "short_swap is about option 2"),
        ({"ace_suits": "X"}, "suits are letters of DHSC"),
    ],
)
def test_set_ups_that_cannot_be(settings: dict[str, object], message: str) -> None:
    with pytest.raises(BadProblem, match=message):
        Rules(**settings)  # type: ignore[arg-type]


def test_short_forms_of_options() -> None:
    state = parse_state("hands 4S 10S AH / 6S; pile 9S", Rules())
    told = {"4s v": "normal 4S vertical", "10s mv+": "ten TS mv+1", "ace ah d": "ace AH D",
            "DRAW": "none", "end": "none", "swap": "swap", "normal AH": None}  # fmt: skip
    for text, wanted in told.items():
        if wanted is not None:
            assert str(parse_option(text, Rules(), state)) == wanted
    with pytest.raises(IllegalOption):
        parse_option("normal AH", Rules(), state)


def test_choices_out_of_turn_are_refused() -> None:
    over = parse_state("hands - / 6S; pile 9S; winner 0", Rules())
    with pytest.raises(IllegalOption, match="the game is over, seat 0 has won"):
        play(Rules(), over, END)
    due = parse_state("hands 2H / 6S; pile 9S; due 2", Rules())
    with pytest.raises(IllegalOption, match="seat 0 must still draw 2 cards"):
        play(Rules(), due, END)
    with pytest.raises(BadProblem, match="no card is due"):
        Rules().draw(parse_state("hands 2H / 6S; pile 9S", Rules()), "3H")


def test_settings_are_read_by_type() -> None:
    assert parse_rules(parse_settings(["announce=yes", "hand=3"])).announce
    for text, message in (
        ("announce", "NAME=VALUE"),
        ("announce=x", 'announce: expected true or false, not "x"'),
        ("swap_order=up", 'expected "hand", "sorted" or "choice"'),
        ("swop=no", "unknown fields: swop; did you mean 'swap'"),
    ):
        with pytest.raises(BadInput, match=message):
            parse_rules(parse_settings([text]))


def test_altered_cards_are_read() -> None:
    assert parse_pile_card("10d=ad") == "TD=AD"
    assert parse_pile_card("AC=AC") == "AC"
