"""The inference against recorded logs, brute force, and the truth."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import product
from typing import Any

import attrs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from deduce.errors import BadInput, Contradiction
from deduce.logs.events import Log
from games.pigs.events import Die, Draw
from games.pigs.inference import factors_by_event, infer
from games.pigs.proofs import why_impossible
from games.pigs.reading import read_turns
from games.pigs.setup import CARDS, LOYAL, MASTER, REBEL, Deal, Viewpoint, roles_of
from games.pigs.simulation import simulate
from tests.pigs.strategies import (
    changed,
    deals,
    document,
    logs,
    parse_log,
    public_log,
)


def test_a_changed_expectation_is_found() -> None:
    from games.pigs.cases import inference

    case = {**document("pigs_inference")["cases"][0], "p_rebel": ["0", "1", "1/2"]}
    assert [d.field for d in inference(case)] == ["answer.p_rebel"]


@given(played=logs())
def test_the_truth_is_always_possible(played: tuple[Deal, Log]) -> None:
    deal, log = played
    assert deal.roles in infer(log).vectors


@given(played=logs(), data=st.data())
def test_a_seat_that_knows_its_cards_knows_no_less(
    played: tuple[Deal, Log], data: st.DataObject
) -> None:
    deal, log = played
    trace = simulate(deal, limit=60, trace=True).trace
    cards = {seat: deal.hands[seat - 1] for seat in range(1, deal.seats + 1)}
    for event in trace:
        if isinstance(event, Draw):
            cards[event.seat] += event.cards
    seat = data.draw(st.integers(1, deal.seats))
    public = infer(log)
    view = changed(log, viewpoint=Viewpoint(seat, deal.roles[seat - 1], cards[seat]))
    assert deal.roles in infer(view).vectors
    assert set(infer(view).vectors) <= set(public.vectors)
    opened = changed(log, open_hands=tuple(cards.values()))
    assert deal.roles in infer(opened).vectors
    assert set(infer(opened).vectors) <= set(public.vectors)
    for other in range(1, deal.seats + 1):
        assert all(infer(opened).holds(other, card) in (0, 1) for card in CARDS)


@settings(max_examples=15)
@given(deal=deals(most=4, hand=st.integers(0, 1), pile=12), data=st.data())
def test_factors_count_the_hands_that_would_have_acted_so(deal: Deal, data: st.DataObject) -> None:
    """Replay the game with every possible hand of one seat, and count which give the same log."""
    turns = data.draw(st.integers(1, 4))
    trace = simulate(deal, limit=turns, trace=True).trace
    log = public_log(trace, deal.seats, hand=len(deal.hands[0]))
    # A death would make the outcome depend on everybody's roles, not on this seat's alone.
    assume(not any(isinstance(event, Die) for event in log.events))
    seat = data.draw(st.integers(1, deal.seats))
    number = data.draw(st.integers(1, len(log.events)))
    draws = [event for event in trace if isinstance(event, Draw)]
    own = deal.hands[seat - 1] + "".join(event.cards for event in draws if event.seat == seat)
    # What is drawn later has no say; it is replayed as it was.
    size = len(deal.hands[0]) + sum(
        len(event.cards)
        for k, event in enumerate(trace)
        if isinstance(event, Draw)
        and event.seat == seat
        and len(public_log(trace[:k], deal.seats).events) <= number
    )
    assume(size <= 4)
    factors = next(f for k, f, _ in factors_by_event(log, read_turns(log)) if k == number)
    for role in roles_of(seat):
        ways = 0
        for cards in map("".join, product(CARDS, repeat=size)):
            other = with_cards(deal, draws, seat, cards + own[size:])
            other = attrs.evolve(other, roles=(*deal.roles[: seat - 1], role, *deal.roles[seat:]))
            outcome = simulate(other, limit=turns, trace=True)
            again = public_log(outcome.trace, deal.seats, hand=len(deal.hands[0]))
            ways += again.events[:number] == log.events[:number]
        assert factors[seat - 1][role] == ways


def with_cards(deal: Deal, draws: list[Draw], seat: int, cards: str) -> Deal:
    """Return the deal in which a seat is dealt, and then draws, these cards."""
    size = len(deal.hands[0])
    hands = (*deal.hands[: seat - 1], cards[:size], *deal.hands[seat:])
    rest, pile = cards[size:], ""
    for event in draws:
        if event.seat == seat:
            pile += rest[: len(event.cards)]
            rest = rest[len(event.cards) :]
        else:
            pile += event.cards
    return Deal(deal.roles, hands, pile)


@pytest.mark.parametrize(("seats", "turns", "kinds"), [(10, 1, "KFN")])
def test_every_deal_of_nine_and_ten_seats_is_tried(seats: int, turns: int, kinds: str) -> None:
    """Hands are empty at first, and few kinds of cards are drawn."""
    roles = (MASTER, *(LOYAL, REBEL) * 5)[:seats]

    def log_of(vector: Any, drawn: str) -> Log:
        deal = Deal(vector, ("",) * seats, drawn + "D")
        return public_log(simulate(deal, limit=turns, trace=True).trace, seats, hand=0)

    whole = log_of(roles, (kinds * 3)[: 2 * turns])
    expected: Counter[Any] = Counter()
    for others in product((LOYAL, REBEL), repeat=seats - 1):
        for drawn in map("".join, product(kinds, repeat=2 * turns)) if REBEL in others else ():
            expected[MASTER, *others] += log_of((MASTER, *others), drawn).events == whole.events
    weights = {card: int(card in kinds) for card in CARDS}
    assert infer(changed(whole, weights=weights)).vectors == +expected


def test_a_seat_that_showed_no_nullify_holds_none() -> None:
    log = parse_log("pigs 3\nturn 1\n1 uses W\nat 2\n2 hit by 1\nat 3\n3 answers D\n1 ends")
    found = infer(log)
    assert found.holds(2, "D") == 0
    assert 0 < found.holds(3, "D", at_least=2) < found.holds(3, "D") < 1


@given(played=logs(most=4), data=st.data())
def test_damaged_logs_are_refused_or_understood(
    played: tuple[Deal, Log], data: st.DataObject
) -> None:
    _, log = played
    events = list(log.events)
    assume(events)
    place = data.draw(st.integers(0, len(events) - 1))
    damage = data.draw(st.sampled_from(("drop", "double", "swap", "other seat", "other card")))
    if damage == "drop":
        del events[place]
    elif damage == "double":
        events.insert(place, events[place])
    elif damage == "swap":
        other = data.draw(st.integers(0, len(events) - 1))
        events[place], events[other] = events[other], events[place]
    elif damage == "other seat" and hasattr(events[place], "seat"):
        event: Any = events[place]
        events[place] = attrs.evolve(event, seat=data.draw(st.integers(0, 5)))
    elif hasattr(events[place], "card"):
        event = events[place]
        events[place] = attrs.evolve(event, card=data.draw(st.sampled_from(CARDS)))
    damaged = attrs.evolve(log, events=tuple(events))
    try:
        with suppress(BadInput):
            infer(damaged)
    except Contradiction:
        assert why_impossible(damaged).events
