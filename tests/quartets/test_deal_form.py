from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from games.quartets.counting import count_deals
from games.quartets.deal import DealForm, start_form
from games.quartets.evidence import form_problem, solve
from games.quartets.game import Quartets
from games.quartets.position import Position, position_after, start_position
from tests.quartets.oracle import Holdings, Oracle, any_event, small_game


def walk(seed: int, steps: int = 14) -> list[tuple[Quartets, Position, Oracle]]:
    """Return the positions of a random game with valid and losing statements, with all deals."""
    random = Random(seed)
    game = small_game(random)
    try:
        position = start_position(game)
    except BadInput:
        assert not Oracle(game).deals
        return []
    oracle = Oracle(game)
    found = [(game, position, oracle)]
    for _ in range(steps):
        if position.over:
            break
        event = any_event(random, game, position.speaker(), position.question is not None)
        try:
            following = position_after(game, position, event)
        except BadInput:
            continue
        after = oracle.tell(event)
        assert (following.fault is None) == bool(after.deals), event
        if following.fault is not None:
            assert not following.fault.form.is_valid
            break
        position, oracle = following, after
        found.append((game, position, oracle))
    return found


def holders(form: DealForm, deals: set[Holdings]) -> dict[int, tuple[int, ...]]:
    cards = range(len(form.table.group_of))
    return {
        c: tuple(sum(deal[c] == p for deal in deals) for p in range(form.table.players))
        for c in cards
        if not form.aside >> form.table.group_of[c] & 1
    }


@given(seed=st.integers(0, 10**9))
def test_validity_counts_and_holders_are_those_of_all_deals(seed: int) -> None:
    for _, position, oracle in walk(seed):
        form = position.form
        counts = count_deals(form)
        # The deals of the oracle are current holdings; each stems from one deal only.
        assert counts.total == len(oracle.deals)
        assert counts.holders == holders(form, oracle.deals)
        for p in range(form.table.players):
            held = sum(1 << c for c, row in counts.holders.items() if row[p])
            assert form.can[p] | form.located[p] == held
            for g, row in counts.quartets.items():
                cards = [c for c in counts.holders if form.table.group_of[c] == g]
                whole = sum(all(deal[c] == p for c in cards) for deal in oracle.deals)
                assert row[p] == whole
                assert form.can_declare(p, g) == (whole > 0)
                assert form.is_certain(p, g) == (whole == counts.total)


@given(seed=st.integers(0, 10**9))
def test_every_engine_of_the_core_agrees(seed: int) -> None:
    random = Random(seed)
    for game, position, _ in walk(seed):
        form = position.form
        if not form.open or random.random() < 0.6:
            continue
        knowledge = Knowledge(form_problem(game, form))
        assert knowledge.count() == count_deals(form).total
        card = random.choice(game.names_of(form.open))
        by = random.randrange(len(game.players))
        guess = form.answered(by, (by + 1) % len(game.players), game.card(card), yes=True)
        for engine in ("bits", "matching", "counting", "reference"):
            assert (solve(game, guess, engine) is not None) == guess.is_valid


def test_a_yes_with_a_located_card_leaves_the_claim() -> None:
    # Ann's claim about group 0 remains valid although card 0, which Ann was given, is handed on.
    form = start_form(3, (3, 3), (2, 2, 2))
    form = form.asked(0, 0, ask_own=False, silence=False).answered(1, 0, 0, yes=True)
    assert form.low[0][0] == 1
    form = form.asked(2, 1, ask_own=False, silence=False)
    form = form.answered(0, 2, 0, yes=True)
    assert form.low[0][0] == 1


def test_an_excluded_player_may_still_receive_the_card() -> None:
    form = start_form(3, (4, 4, 4), (4, 4, 4)).answered(0, 1, 0, yes=False)
    form = form.answered(2, 0, 0, yes=True)
    assert form.located[0] == 1
    assert form.is_valid


def test_silence_with_a_whole_group_on_the_table_is_a_contradiction_at_sight() -> None:
    form = start_form(2, (1, 2, 2), (3, 2), deal_quartet=True)
    form = form.answered(1, 0, 0, yes=True)
    assert form.asked(0, 1, ask_own=True, silence=True).clash


def test_hands_must_add_up() -> None:
    with pytest.raises(BadInput, match="hold 5 cards, but there are 4"):
        start_form(2, (2, 2), (2, 3))
