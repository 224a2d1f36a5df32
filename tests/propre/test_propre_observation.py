"""What a player can know of hidden hands, against enumeration and through whole games."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from deduce.errors import BadInput
from games.propre.evidence import IN_DECK, Group, Observation, seat_name
from games.propre.notation import parse_position
from games.propre.players import advise
from games.propre.rules import Rules
from games.propre.setup import DECK as CARDS
from games.propre.setup import END, Option
from tests.propre.strategies import RULES, played


def seen_from(text: str, me: int = 0) -> Observation:
    rules, state = parse_position(text)
    return Observation.of(rules, state, me)


SMALL = (
    '{"hands": [["2H", "4S", "JD"], 3], "pile": ["9S"], "rules": {"reshuffle": false, '
    '"deck": "2H 4S JD 9S AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC"}}'
)


def test_number_of_deals_is_the_binomial_coefficient() -> None:
    assert seen_from("hands 2H 5D 7C 9S TS JD KC / 7; pile 4H").knowledge.count() == comb(44, 7)
    assert seen_from(SMALL).knowledge.count() == comb(12, 3) == 220


def test_chance_of_one_agrees_with_enumeration() -> None:
    seen = seen_from(SMALL)
    unseen = seen.groups[0].cards
    hands = list(combinations(unseen, 3))
    for asked in ({"AC"}, {"3C", "7C"}, set(unseen)):
        share = Fraction(sum(bool(asked & set(hand)) for hand in hands), len(hands))
        assert seen.chance_of_one(1, asked) == share
    assert seen.chance_of_one(1, {"9S"}) == 0


def test_answer_agrees_with_playing_every_deal() -> None:
    seen = seen_from(SMALL)
    attack = Option("attack", "2H")
    found = seen.answer([attack])
    assert found is not None
    deals = list(seen.knowledge.worlds())
    able = Counter[str]()
    for world in deals:
        state = seen.rules.result(seen.rules.result(seen.state_in(world), attack), END)
        kinds = {option.kind for option in seen.rules.options(state)} - {"none"}
        able["any"] += bool(kinds)
        able["block"] += "block" in kinds
        able["attack"] += "attack" in kinds
        able["pass"] += bool(kinds & {"jack", "ten"})
    assert found.any_card == Fraction(able["any"], len(deals))
    assert found.block == Fraction(able["block"], len(deals))
    assert found.attack == Fraction(able["attack"], len(deals))
    assert found.pass_on == Fraction(able["pass"], len(deals))
    assert (found.seat, found.attack_value) == (1, 2)


def test_last_card_answers_only_with_a_block() -> None:
    found = seen_from(SMALL.replace("], 3]", "], 1]")).answer([Option("attack", "2H")])
    assert found is not None
    assert found.any_card == found.block == Fraction(2, 12)


def test_there_is_no_answer_without_an_attack() -> None:
    seen = seen_from(SMALL)
    assert seen.answer() is None
    assert seen.answer([Option("normal", "4S", "vertical")]) is None


def test_the_chances_of_all_options_are_those_of_each() -> None:
    seen = seen_from(SMALL.replace("], 3]", "], 1]"))
    answers = dict(seen.answers())
    attacks = [name for name in answers if "2H" in name]
    assert attacks
    assert "now" not in answers
    assert answers[attacks[0]] == seen.answer([Option("attack", "2H")])
    [world, *_] = seen.knowledge.worlds()
    state = seen.state_in(world)
    assert state.hands[0] == seen.state.hands[0]
    [card] = state.hands[1]
    assert world[card] == seat_name(1)


def test_an_unseen_card_that_moves_is_one_card() -> None:
    group = Group(("2H", "4S"), {IN_DECK: 2})
    moved = group.moved(IN_DECK, "seat 1")
    assert moved.places == {IN_DECK: 1, "seat 1": 1}
    assert moved.moved(IN_DECK, "seat 1").places == {IN_DECK: 0, "seat 1": 2}


def test_a_card_that_cannot_be_in_a_hand_has_no_chance_to_be_there() -> None:
    apart = [Group(("2H",), {"seat 1": 1}), Group(("4S",), {IN_DECK: 1})]
    assert evolve(seen_from(SMALL), groups=apart).chances(1) == {"2H": 1, "4S": 0}


@given(RULES, st.integers(0, 10_000), st.integers(0, 80))
def test_observations_never_exclude_the_truth(rules: Rules, seed: int, decisions: int) -> None:
    game = played(rules, seed, decisions)
    state = game.state
    for seen in game.observations:
        assert seen.state.hands[seen.me] == state.hands[seen.me]
        for group in seen.groups:
            assert sum(group.places.values()) == len(group.cards)
            where = Counter(
                next((seat_name(s) for s, hand in enumerate(state.hands) if card in hand), IN_DECK)
                for card in group.cards
            )
            assert where == Counter({place: n for place, n in group.places.items() if n})
        unseen = {card for group in seen.groups for card in group.cards}
        visible = {*state.hands[seen.me], *(card[:2] for card in state.pile)}
        assert unseen == set(CARDS) - visible


def test_after_a_reshuffle_what_lay_in_hands_is_kept_apart() -> None:
    rules = Rules(hand=2, deck=("3C", "4C", "6C", "8C", "9C", "QC", "KC", "JC"))
    from games.propre.playthrough import Playthrough

    state = rules.deal(rules.deck, known_order=False)
    game = Playthrough.of(rules, state._replace(pile=("9C", "JC", "QC", "KC"), stock=()))
    game = game.play(END)  # the pile is shuffled below its top two, and one card is drawn
    seen = game.observations[1]
    assert [(group.cards, dict(group.places)) for group in seen.groups] == [
        (("3C", "4C"), {"seat 0": 2, IN_DECK: 0}),
        (("9C", "JC"), {IN_DECK: 2}),
    ]
    after = game.draw("9C").observations
    assert after[1].chances(0) == {"3C": 1, "4C": 1, "9C": Fraction(1, 2), "JC": Fraction(1, 2)}
    assert after[0].chances(1) == {"6C": 1, "8C": 1, "JC": 0}


def test_advice_is_repeatable_and_every_world_votes_once() -> None:
    seen = seen_from("hands 2H QD KD AD / 4; pile KC")
    found = advise(seen, seconds=None, worlds=4, simulations=4, seed=7)
    again = advise(seen, seconds=None, worlds=4, simulations=4, seed=7)
    assert found.ballots == again.ballots
    assert sum(ballot.votes for ballot in found.ballots.values()) == 4
    assert set(found.ballots) == set(seen.rules.options(seen.state))


def test_advice_sees_a_win() -> None:
    seen = seen_from("hands KD / 4; pile KC")
    found = advise(seen, seconds=None, worlds=3, simulations=8)
    assert found.result.best_action == Option("normal", "KD")


def test_advice_is_for_the_player_at_turn() -> None:
    rules, state = parse_position("hands 2H / 3S; pile 9S; active 1")
    with pytest.raises(BadInput, match="seat 0 has no option to choose"):
        advise(Observation.of(rules, state, 0))
