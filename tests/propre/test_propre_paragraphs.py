"""Every paragraph of the specification has a test that is named by it.

``docs/games/propre.md`` lists them. ``matches`` and ``options`` are the two sections 4 of the
specification.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from games.propre.notation import parse_state
from games.propre.playthrough import Playthrough
from games.propre.rules import Rules, type_2
from games.propre.setup import END, SWAP, Option, Saying, State
from games.propre.wording import explain, parse_option, play

RULES = Rules()


def at(text: str, rules: Rules = RULES) -> State:
    return parse_state(text, rules)


def texts(state: State, rules: Rules = RULES) -> set[str]:
    return {str(option) for option in rules.options(state)}


def dealt(turned: str, players: int = 2) -> State:
    hands = ["3C", "4C", "6C", "7C", "8C", "9C", "QC", "KC"][: 2 * players]
    deck = (*hands, turned, "QD", "KD")
    return Rules(players=players, hand=2, deck=deck, reshuffle=False).deal(deck)


def refused(state: State, option: Option, rules: Rules = RULES) -> set[str]:
    return {need.paragraph for need in explain(rules, state, option)}


ON_THE_OTHER = "pile 9S 7S; AV 9; FC false; B true"

OFFERED = [
    # paragraph, state, options that there are, options that there are not
    ("matches 4.1.2", "9H 4S 6C 8D / 5H; pile 9S", "normal 9H vertical, normal 4S vertical", ""),
    ("matches 4.1.2", "TH 4S 2C / 5H; pile AS=AH", "ten TH mv+1", "normal 4S vertical"),
    ("matches 4.1.2.1", "6C 8D / 5H; pile 9S; RM false", "normal 6C vertical", ""),
    ("matches 4.1.2.3", "QH QD 2C / 5H; pile KS", "normal QH", "normal QD"),
    ("matches 4.1.2.5", "KH KD 2C / 5H; pile QS", "normal KH", "normal KD"),
    ("options 4.2.1", "4H / 5H; pile 9S", "swap", ""),
    ("options 4.3.1", "2C 4H / 5H; pile 9S; AV 3", "attack 2C", ""),
    ("options 4.3.1", "5C 4H / 5H; pile 9S; AV 3", "attack 5C", ""),
    ("options 4.4.1", "3C 7C / 5H; pile 9S", "block 3C, block 7C", ""),
    ("options 4.4.1.2", "3C / 5H; pile 9S; AV 2", "block 3C", ""),
    ("options 4.4.4", f"3C 4H / 5H; {ON_THE_OTHER}", "block 3C, block 3C all", ""),
    ("options 4.4.4, first card", "3C 4H / 5H; pile 9S 7S; AV 9", "", "block 3C all"),
    ("options 4.4.4, same rank", "3C 4H / 5H; pile 9S 3S; AV 9; FC false", "", "block 3C all"),
    ("options 4.5.1", "TS 4H / 5H; pile 9S; AV 2", "ten TS mv+1", ""),
    ("options 4.6.1", "JC 4H / 5H; pile 9S; AV 4", "jack JC", ""),
    ("options 4.7.1", "AC 4H / 5H; pile 9S", "ace AC D", ""),
    ("options 4.8.1, last card", "2S / 5H; pile 9S", "normal 2S vertical", ""),
    ("5.1", "4H / 5H; pile 9S", "none", ""),
    ("5.3.4", "8C 8S 2C / 5H; pile KH 9S; FC false", "normal 8S vertical", ""),
    ("5.3.4", "9C 2C / 5H; pile 9H KS; FC false", "normal 9C vertical", ""),
]


@pytest.mark.parametrize(("paragraph", "text", "offered", "not_offered"), OFFERED)
def test_the_options_of_a_paragraph_are_offered(
    paragraph: str, text: str, offered: str, not_offered: str
) -> None:
    found = texts(at(f"hands {text}"))
    assert {*filter(None, offered.split(", "))} <= found
    assert found.isdisjoint(not_offered.split(", "))


REFUSED = [
    # state, option, paragraphs that forbid it
    ("6H 2C / 5H; pile 6D 6S", "normal 6H vertical", "Matches 4.1.1"),
    ("6H 2C / 5H; pile 6D 6S; RM false", "normal 6H vertical", "Matches 4.1.1"),
    ("9H 4S 6C 8D / 5H; pile 9S", "normal 6C vertical", "Matches 4.1.2"),
    ("4H / 5H; pile 9S; FC false", "swap", "Options 4.2.1.1"),
    ("4H / 5H; pile 9S; AV 2", "swap", "Options 4.2.1.2"),
    ("2C / 5H; pile 9S", "attack 2C", "Options 4.3.1.2"),
    ("4C 3C / 5H; pile 9S", "attack 4C", "Options 4.3.1.1"),
    ("4C 3C / 5H; pile 9S", "block 4C", "Options 4.4.1.1"),
    ("3C / 5H; pile 9S", "block 3C", "Options 4.4.1.2"),
    ("TC 4H / 5H; pile 9S", "ten TC mv+1", "Matches 4.1.2"),
    ("TS / 5H; pile 9S", "ten TS mv+1", "Options 4.5.1.2"),
    ("JC / 5H; pile 9S", "jack JC", "Options 4.6.1.2"),
    ("AC 4H / 5H; pile 9S; AV 2", "ace AC D", "Options 4.7.1.3"),
    ("AC / 5H; pile 9S", "ace AC D", "Options 4.7.1.2"),
    ("4S 4H / 5H; pile 9S; AV 2", "normal 4S vertical", "Options 4.8.1.1"),
    ("4H / 5H; pile 9S", "normal 4S vertical", "5.1"),
    ("QS 4H / 5H; pile 9H 9S; FC false", "normal QS", "Matches 4.2, 5.3.3"),
    ("8C 8S 2C / 5H; pile KH 9S; FC false", "normal 8C vertical", "Matches 4.1.2"),
]


@pytest.mark.parametrize(("text", "option", "paragraph"), REFUSED)
def test_what_a_paragraph_forbids_is_refused_by_it(text: str, option: str, paragraph: str) -> None:
    assert refused(at(f"hands {text}"), Option(*option.split())) == {paragraph}


PLAYED = [
    # paragraph, state, option, what the state is then
    ("3.1", "- / 2C; pile 9H 3H; AV 2; MV 0; FC false; PW true", "none", {"winner": -1}),
    ("3.4", "4H / 5H; pile 9S; AV 4; FC false; B true", "none",
     {"first_card": True, "bridging": False}),
    ("options 4.1.2", "4H / 5H; pile 9S; AV 3; deck 2D 3D 4D 5D", "none",
     {"hands": (("4H", "2D", "3D", "4D"), ("5H",)), "attack_value": 0, "active": 1}),
    ("options 4.1.2.1", "4H / 5H; pile 9S; deck 2D 3D", "none",
     {"hands": (("4H", "2D"), ("5H",))}),
    ("options 4.1.2.3", "- / 5H; pile 9S 3S; AV 2; PW true; deck 2D 3D", "none",
     {"prevent_wins": False}),
    ("options 4.1.3", "4H / 5H; pile 9S 2S; AV 2; FC false; deck 2D 3D", "none",
     {"hands": (("4H",), ("5H",)), "attack_value": 2}),
    ("options 4.2.2 and 4.2.3", "2H JH / 5H; pile 9S; deck 2D 3D 4D", "swap",
     {"pile": ("9S", "2H", "JH"), "attack_value": 0, "clockwise": True,
      "hands": (("2D", "3D"), ("5H",)), "active": 1}),
    ("options 4.3.2", "5C 4H / 5H; pile 9S; AV 2", "attack 5C", {"attack_value": 7}),
    ("options 4.4.2", "3C 4H / 5H; pile 9S; AV 7", "block 3C",
     {"attack_value": 4, "bridging": True}),
    ("options 4.4.3", "7C 4H / 5H; pile 9S; AV 2", "block 7C",
     {"attack_value": 0, "bridging": False}),
    ("options 4.4.4", f"3C 4H / 5H; {ON_THE_OTHER}", "block 3C all", {"attack_value": 0}),
    ("options 4.5.2", "TS 4H / 5H; pile 9S", "ten TS mv+1", {"move_value": 2}),
    ("options 4.5.2", "TS 4H / 5H; pile 9S", "ten TS mv-1", {"move_value": 0}),
    ("options 4.6.2", "JC 4H / 5H; pile 9S", "jack JC", {"clockwise": False}),
    ("options 4.7.2", "AC 4H / 5H; pile 9S", "ace AC D", {"pile": ("9S", "AC=AD")}),
    ("options 4.8.2", "TS 4H / 5H; pile JS", "normal TS horizontal", {"pile": ("JS", "TS=AS")}),
    ("options 4.8.2", "2S 4H / 5H; pile JS", "normal 2S horizontal", {"pile": ("JS", "2S=9S")}),
    ("options 4.8.2", "6S 4H / 5H; pile JS", "normal 6S horizontal", {"pile": ("JS", "6S=5S")}),
    ("5.5", "9C 2C / 5H; pile 9H; RM false; B true; PW true; AV 0", "normal 9C vertical",
     {"require_match": True, "bridging": False, "prevent_wins": False}),
    ("5.5.1", "9C / 5H; pile 9H 3H; FC false; PW true; AV 2", "none", {"prevent_wins": True}),
    ("5.6", f"3C 4H / 5H; {ON_THE_OTHER}", "block 3C", {"bridging": True}),
    ("5.7", "9C 2C / 5H; pile 9H", "normal 9C vertical", {"active": 0, "first_card": False}),
]  # fmt: skip


@pytest.mark.parametrize(("paragraph", "text", "option", "after"), PLAYED)
def test_an_option_does_what_a_paragraph_says(
    paragraph: str, text: str, option: str, after: dict[str, object]
) -> None:
    state = play(RULES, at(f"hands {text}"), Option(*option.split()))
    assert {name: getattr(state, name) for name in after} == after


# Section 1: Game State


def test_1_1_seat_to_the_left_of_the_dealer_begins() -> None:
    assert dealt("8H").active == 0


def test_1_2_to_1_8_begin_as_the_specification_says() -> None:
    state = dealt("8H")
    assert state.attack_value == 0
    assert state.clockwise
    assert state.first_card
    assert state.require_match
    assert not state.bridging
    assert not state.prevent_wins
    # MV begins with 0, and the first step 1 adds 1.
    assert state.move_value == 1


# Section 2: Dealing


def test_2_1_the_top_card_is_turned() -> None:
    state = dealt("8H")
    assert state.pile == ("8H",)
    assert state.deck == ("QD", "KD")


@pytest.mark.parametrize(("turned", "attack"), [("2H", 2), ("5H", 5), ("3H", 0)])
def test_2_1_a_turned_2_or_5_attacks(turned: str, attack: int) -> None:
    assert dealt(turned).attack_value == attack


def test_2_2_a_turned_10_skips_the_first_player() -> None:
    assert dealt("TH", players=3).active == 1


def test_2_3_a_turned_jack_turns_the_direction_and_moves_on() -> None:
    state = dealt("JH", players=3)
    assert not state.clockwise
    assert state.active == 2


def test_2_4_a_turned_ace_frees_the_first_option() -> None:
    state = dealt("AH")
    assert not state.require_match
    assert "normal 4C vertical" in texts(state)


def test_2_5_the_deal_goes_on_to_step_1() -> None:
    assert dealt("8H").move_value == 1


# Section 3: Step 1


def test_3_1_an_empty_hand_wins_at_step_1() -> None:
    state = play(RULES, at("hands 6H / 2C; pile 9H"), Option("normal", "6H", "vertical"))
    assert state.winner == -1
    assert play(RULES, state, END).winner == 0


@pytest.mark.parametrize(("move", "clockwise", "active"), [(1, True, 1), (2, True, 2),
                         (1, False, 2), (0, True, 0), (-1, True, 0)])  # fmt: skip
def test_3_2_the_turn_moves_on_by_mv(move: int, clockwise: bool, active: int) -> None:
    rules = Rules(players=3)
    state = at(f"hands 4H / 5H / 6H; pile 9S; FC false; MV {move}; CW {clockwise}", rules)
    assert play(rules, state, END).active == active


@pytest.mark.parametrize(("move", "after"), [(2, 1), (1, 1), (0, 1), (-1, 0)])
def test_3_3_mv_is_set_to_0_if_positive_and_then_incremented(move: int, after: int) -> None:
    state = at(f"hands 4H / 5H; pile 9S; FC false; MV {move}")
    assert play(RULES, state, END).move_value == after


# Section 4, Card Matches


@pytest.mark.parametrize(
    ("paragraph", "card", "pile", "bridging"),
    [
        ("4.2.1", "9H", "9S 4D", False),
        ("4.2.1", "4H", "9S 4D", False),
        ("4.2.2", "8H", "9S 4D", False),
        ("4.2.2", "AH", "KS 4D", False),
        ("4.2.2", "AH", "2S 6D", False),
        ("4.2.3", "3H", "9S 7D", True),
        ("4.2.3", "7H", "3S 9D", True),
        ("4.2.4", "7H", "3S 4D", False),
        ("4.2.4", "4H", "3S 7D", False),
        ("4.2.4", "6H", "3S 2D", False),
        ("4.2.4", "2H", "3S 6D", False),
        ("4.2.5", "AS", "KS 4D", False),
        ("4.2.5", "AS", "4D JS", False),
        ("4.2.6", "2H", "9S 9D", False),
        ("4.2.6", "3H", "9S 9D 9H", False),
    ],
)
def test_matches_4_2_reasons(paragraph: str, card: str, pile: str, bridging: bool) -> None:
    assert paragraph in type_2(card, pile.split(), bridging=bridging)


@pytest.mark.parametrize(
    ("card", "pile", "bridging"),
    [
        ("QH", "9S 4D", False),
        ("3H", "9S 7D", False),  # B is false
        ("KH", "9S 4D", False),  # 13 = 9 + 4, but no king is numeric
        ("7H", "4D", False),  # two cards must have been played
        ("AS", "9S 4D", False),
        ("AH", "9S 4D", False),  # reading 3: one card is not a run
        ("2H", "7S 9D 5C", False),  # the third card of the pile counts for nothing
    ],
)
def test_matches_4_2_no_reason(card: str, pile: str, bridging: bool) -> None:
    assert type_2(card, pile.split(), bridging=bridging) == ()


def test_matches_4_2_6_literally_lets_every_ace_match() -> None:
    assert type_2("AH", ["9S", "4D"], bridging=False, literal_run=True) == ("4.2.6",)


# Section 4, Card Options


SHORT = Rules(short_swap=True, reshuffle=False)


def test_options_4_2_3_literally_a_swap_draws_what_there_is() -> None:
    text = "hands 4H 5C 6D / 7S; pile 9S; deck 2C"
    assert refused(at(text, SHORT), SWAP, Rules(reshuffle=False)) == {"Options 4.2.3, reading 6"}
    state = play(SHORT, at(text, SHORT), SWAP)
    assert (state.hands[0], state.active, state.winner) == (("2C",), 1, -1)
    assert state.pile == ("9S", "4H", "5C", "6D")


def test_options_4_2_3_literally_a_swap_without_any_card_to_draw_wins() -> None:
    assert play(SHORT, at("hands 4H 5C / 7S; pile 9S; deck -", SHORT), SWAP).winner == 0
    refilled = Rules(short_swap=True)
    state = play(refilled, at("hands 4H 5C 6D / 7S; pile 9S; deck -", refilled), SWAP)
    assert (state.stock, state.due) == (("4H", "9S"), 3)  # below the two on top
    for card in ("4H", "9S"):
        state = refilled.draw(state, card)
    assert (state.hands[0], state.due, state.active) == (("4H", "9S"), 0, 1)


def test_options_4_2_3_swap_needs_as_many_cards() -> None:
    rules = Rules(reshuffle=False)
    assert refused(at("hands 2H JH / 5H; pile 9S; deck 2D", rules), SWAP, rules) == {
        "Options 4.2.3, reading 6"
    }


def test_options_4_2_2_the_mover_may_pick_what_ends_on_top() -> None:
    rules = Rules(swap_order="choice")
    state = at("hands 2H JH 4C / 5H; pile 9S; deck 2D 3D 4D", rules)
    after = play(rules, state, parse_option("swap JH 2H", rules, state))
    assert after.pile == ("9S", "4C", "JH", "2H")


def test_options_4_4_5_last_card_block_prevents_the_win() -> None:
    state = play(RULES, at("hands 3C / 5H; pile 9S; AV 5; deck 2D 4D 6D"), Option("block", "3C"))
    assert (state.prevent_wins, state.move_value) == (True, 0)
    turn = play(RULES, state, END)
    assert (turn.winner, turn.active, turn.attack_value) == (-1, 0, 2)
    after = play(RULES, turn, END)
    assert (after.hands[0], after.prevent_wins) == (("2D", "4D"), False)


def test_options_4_8_2_1_only_numeric_cards_lie_sideways() -> None:
    assert {o for o in texts(at("hands KS 4H / 5H; pile 9S")) if "KS" in o} == {"normal KS"}


# Section 5: Step 2


def test_5_4_what_cannot_be_fulfilled_leaves_the_state_as_it_is() -> None:
    # RM2 lives for one card only: a card that is refused frees no other one (reading 2).
    state = at("hands QS QH / 5H; pile 9S 9H; FC false")
    assert texts(state) == {"none"}


LITERAL = Rules(literal_rm2=True)
SHAM = "hands 9C QD 6C / 4D 5D; pile 9H KS; FC false"
"""The 9 is a type 2 match by its rank; the queen only by being one off, and by no suit."""


def test_5_4_literally_a_failed_try_sets_rm_to_false_and_frees_all_later_cards() -> None:
    assert {"normal 9C vertical"} < texts(at(SHAM))  # each card is tested on its own
    assert refused(at(SHAM), Option("normal", "QD")) == {"Matches 4.1.2"}
    state = at(SHAM, LITERAL)
    assert texts(state, LITERAL) == {"none", "try 9C"}
    assert refused(state, Option("normal", "9C", "vertical"), LITERAL) == {"Matches 4.1.2"}
    tried = play(LITERAL, state, Option("try", "9C"))
    assert tried == state._replace(require_match=False)
    assert {"normal 9C vertical", "normal QD"} < texts(tried, LITERAL)
    assert refused(tried, Option("normal", "6C", "vertical"), LITERAL) == {"Matches 4.2, 5.3.3"}
    assert play(LITERAL, tried, Option("normal", "QD")).require_match  # 5.5.2


def test_5_5_1_literally_a_failed_try_and_the_end_of_the_turn_free_the_next_player() -> None:
    tried = play(LITERAL, at(SHAM, LITERAL), Option("try", "9C"))
    following = play(LITERAL, tried, END)
    assert (following.active, following.require_match) == (1, False)
    assert "normal 4D vertical" in texts(following, LITERAL)
    usual = play(LITERAL, at(SHAM, LITERAL), END)
    assert "normal 4D vertical" not in texts(usual, LITERAL)


@pytest.mark.parametrize(
    ("text", "card", "paragraphs"),
    [
        (SHAM, "QD", {"5.3.4"}),
        (SHAM, "6C", {"Matches 4.2, 5.3.3"}),
        (SHAM, "4D", {"5.1", "Matches 4.2, 5.3.3"}),
        (f"{SHAM}; RM false", "9C", {"5.2"}),
        (SHAM.replace("; FC false", ""), "9C", {"5.3.1"}),
    ],
)
def test_5_3_4_literally_a_try_needs_a_match_by_another_reason_than_one_off(
    text: str, card: str, paragraphs: set[str]
) -> None:
    assert refused(at(text, LITERAL), Option("try", card), LITERAL) == paragraphs
    assert refused(at(SHAM), Option("try", "9C")) == {"set-up"}


def test_matches_4_1_1_no_third_6_even_after_a_failed_try() -> None:
    state = at("hands 6C 2C / 5H; pile 6H 6S; FC false", LITERAL)
    tried = play(LITERAL, state, Option("try", "6C"))
    assert refused(tried, Option("normal", "6C", "vertical"), LITERAL) == {"Matches 4.1.1"}


def test_5_4_literally_the_card_that_was_tried_is_known() -> None:
    deck = ("9C", "QD", "4D", "5D", "9H", "KS", "2C", "3C")
    rules = Rules(literal_rm2=True, hand=2, deck=deck)
    start = parse_state("hands 9C QD / 4D 5D; pile 9H KS; FC false", rules)
    game = Playthrough.of(rules, start).play(Option("try", "9C"))
    seen = game.observations[1]
    assert seen.chances(0)["9C"] == 1
    assert seen.chances(0)["QD"] == Fraction(1, 3)
    after = game.play(Option("normal", "9C", "vertical")).observations[1]
    assert after.chances(0)["QD"] == Fraction(1, 3)


# Section 6: Final turns


def said(text: str, words: str, seat: int = 0) -> Playthrough:
    rules = Rules(talk=True)
    return Playthrough.of(rules, at(text, rules)).say(seat, Saying.parse(words), Random(1))


def test_6_1_and_6_3_are_events_and_not_options() -> None:
    state = at("hands 4H / 5H; pile 9S")
    assert texts(state) == texts(state, Rules(talk=True))


def test_6_1_a_player_who_says_last_card_draws_a_card() -> None:
    for seat in (0, 1):
        game = said("hands 4H / 5H; pile 9S", "Last Card", seat)
        assert [len(hand) for hand in game.state.hands] == [1 + (seat == 0), 1 + (seat == 1)]
        assert game.state.active == 0  # the turn goes on


def test_6_1_2_a_card_that_is_desired_is_not_drawn() -> None:
    game = said("hands 4H / 5H; pile 9S", "last card, desired")
    assert game.state == game.start


@pytest.mark.parametrize(
    ("words", "drawn"),
    [
        ("Propreantepenultimate Card", 0),
        ("Propreantepenultimate", 1),
        ("Propre Card", 1),
        ("Preantepenultimate Card", 1),
        ("Propre Card, desired", 0),
        ("Card", 0),
    ],
)
def test_6_3_a_wrong_name_of_the_game_costs_a_card(words: str, drawn: int) -> None:
    assert len(said("hands 4H / 5H; pile 9S", words).state.hands[0]) == 1 + drawn


def test_6_2_2_the_second_word_of_the_name_announces() -> None:
    rules = Rules(talk=True, announce=True)
    game = Playthrough.of(rules, at("hands 9C / 5H; pile 9H; said 0 0", rules))
    for words in ("card", "propreantepenultimate card"):
        assert game.say(1, Saying(words)).state.said == (0, 1)
    assert game.say(1, Saying("last card"), Random(1)).state.said == (0, 0)


def test_6_2_a_last_card_must_have_been_announced() -> None:
    rules = Rules(announce=True)
    state = at("hands 9C / 5H; pile 9H; said 0 0", rules)
    assert refused(state, Option("normal", "9C", "vertical"), rules) == {"6.2"}
    said = at("hands 9C / 5H; pile 9H; said 2 0", rules)
    assert "normal 9C vertical" in texts(said, rules)


def test_6_2_3_the_announcement_counts_once_the_active_player_has_changed() -> None:
    rules = Rules(announce=True)
    state = at("hands 9C 8C / 5H 6H; pile 9H 8H; FC false; said 0 0", rules)
    after = play(rules, state, parse_option("none announce", rules, state))
    assert (after.active, after.said) == (1, (2, 0))
    again = at("hands 9C 8C / 5H 6H; pile 9H 8H; FC false; MV 0; said 0 0", rules)
    after = play(rules, again, parse_option("none announce", rules, again))
    assert (after.active, after.said) == (0, (1, 0))  # an extra turn: the player has not changed
