"""The inference against recorded logs, brute force, and the truth."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import product
from typing import Any

import attrs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deduce.errors import BadInput, Contradiction
from deduce.logs.events import Log
from games.pigs.inference import infer
from games.pigs.proofs import why_impossible
from games.pigs.setup import CARDS, LOYAL, MASTER, REBEL, Deal
from games.pigs.simulation import simulate
from tests.pigs.strategies import (
    changed,
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
