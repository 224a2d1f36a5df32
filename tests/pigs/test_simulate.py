"""The simulator against recorded games, and what must hold in every game."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given

from deduce.testing.cases import replay
from games.pigs.events import Declare, Die, Draw, End, Hit, Nullify, Save, Suspect, Use
from games.pigs.setup import FULL_HP, MASTER, REBEL, Deal, format_deal, parse_deal, random_deal
from games.pigs.simulation import format_outcome, simulate
from tests.pigs.strategies import PUBLISHED, deal_of, deals, simulations


@pytest.mark.skipif(not PUBLISHED.exists(), reason="other people's tests are not part of this")
def test_published_games_come_out_as_published() -> None:
    assert [str(d) for result in replay(PUBLISHED) for d in result.differences] == []


def test_a_changed_expectation_is_found() -> None:
    from games.pigs.cases import simulation

    case = {**simulations()[0], "turns": 1}
    assert [d.field for d in simulation(case)] == ["game.turns"]


def test_a_tie_of_formats_deal_and_text() -> None:
    for case in simulations()[:50]:
        deal = deal_of(case)
        assert parse_deal(format_deal(deal)) == deal


def test_the_pile_may_break_over_lines_and_the_hand_of_an_empty_seat_is_an_empty_line() -> None:
    text = "2 4\nMP W K D D\nFP W D P F\nF\nF F\n\n F\n"
    assert format_outcome(simulate(parse_deal(text))) == "MP\nD\nDEAD\n"


def test_what_follows_the_announced_pile_is_ignored_with_a_warning() -> None:
    text = "2 2\nMP W K D D\nFP W D P F\nF F\nD X D\n"
    warnings: list[str] = []
    assert parse_deal(text, warn=warnings.append).pile == "FF"
    assert warnings == ["line 5: the pile has 2 cards; 3 words after it are ignored"]
    assert parse_deal(text) == parse_deal(text[: text.index("D X")])


def test_the_last_card_of_the_pile_is_drawn_again_and_again() -> None:
    deal = Deal((MASTER, REBEL), ("DDDD", "DDDD"), "D")
    outcome = simulate(deal, limit=3)
    assert outcome.winner is None
    assert outcome.hands == ("D" * 8, "D" * 6)
    assert outcome.drawn == 6


def test_the_same_seed_gives_the_same_deal() -> None:
    one, two = (random_deal(6, rebels=2, rng=Random(5)) for _ in range(2))
    assert one == two
    assert one.roles.count(REBEL) == 2


@given(deal=deals(most=10))
def test_laws_of_every_game(deal: Deal) -> None:
    outcome = simulate(deal, limit=60, trace=True)
    hp = Counter(dict.fromkeys(range(1, deal.seats + 1), FULL_HP))
    dead: set[int] = set()
    drawn = 0
    declared: set[int] = {1}
    for event in outcome.trace:
        match event:
            case Hit(seat, _):
                hp[seat] -= 1
            case Use(seat, "P", None):
                hp[seat] += 1
            case Save(seat):
                hp[seat] = 1
            case Die(seat, role, _):
                assert (hp[seat], deal.roles[seat - 1]) == (0, role)
                dead.add(seat)
            case Draw(_, cards):
                drawn += len(cards)
            case Declare(seat, side):
                assert seat not in declared
                assert (side == "rebel") == (deal.roles[seat - 1] == REBEL)
                declared.add(seat)
            case Suspect(seat):
                assert seat not in declared
            case Nullify(seat, _):
                assert seat not in dead
            case End(winner):
                assert winner == outcome.winner
        assert max(hp.values()) <= FULL_HP
    assert drawn == outcome.drawn
    assert {k for k, hand in enumerate(outcome.hands, 1) if hand is None} == dead
    rebels = {k for k, role in enumerate(deal.roles, 1) if role == REBEL}
    assert (outcome.winner == MASTER) == (rebels <= dead)
    assert (outcome.winner == REBEL) == (1 in dead)
    assert simulate(deal, limit=60) == simulate(deal, limit=60)
