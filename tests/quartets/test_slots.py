from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce.budget import Budget
from deduce.errors import BadInput, Undecided, Unsupported
from games.quartets.deal import layout, start_form
from games.quartets.evidence import solve
from games.quartets.setup import Names, named_groups
from games.quartets.slots import (
    SlotForm,
    collapse,
    count_matchings,
    hamming_bound,
    largest_matching,
    match,
    slot_form,
)

potentials = st.lists(st.integers(0, 63), max_size=6)


def listed(slots: list[int]) -> int:
    return sum(
        all(slot >> i & 1 for slot, i in zip(slots, chosen, strict=True))
        for chosen in permutations(range(6), len(slots))
    )


@settings(max_examples=15)
@given(slots=potentials)
def test_match_count_and_collapse_agree_with_listing(slots: list[int]) -> None:
    number = listed(slots)
    assert count_matchings(slots) == number
    found = match(slots)
    assert (found.identities is not None) == (number > 0)
    assert (largest_matching(slots) == len(slots)) == (number > 0)
    ways = [
        collapse(slots, sort=sort, bound=bound) for sort in (True, False) for bound in (True, False)
    ]
    for identities in (found.identities, *ways):
        assert (identities is not None) == (number > 0)
        if identities is not None:
            assert len(set(identities)) == len(slots)
            assert all(slot >> i & 1 for slot, i in zip(slots, identities, strict=True))
    if found.hall is not None:
        places = [slots[place] for place in found.hall.places]
        assert not hamming_bound(places)
        for i in range(len(places)):
            assert listed(places[:i] + places[i + 1 :])


@given(slots=st.lists(st.integers(0, 31), min_size=1, max_size=5))
def test_the_core_agrees_about_places(slots: list[int]) -> None:
    names, form = Names(("Ann",), named_groups([5])), SlotForm(layout(1, (5,)), (tuple(slots),))
    for engine in ("bits", "matching", "counting", "reference"):
        assert (solve(names, form, engine) is not None) == form.is_valid


def test_the_collapse_gives_up_within_its_budget() -> None:
    full = (1 << 16) - 1
    with pytest.raises(Undecided):
        collapse([full] * 14 + [3, 3, 3], sort=False, bound=False, budget=Budget(1000))
    # Either refinement is enough here, but not everywhere: docs/benchmarks/quartets.md.
    assert collapse([full] * 14 + [3, 3, 3], sort=True, bound=False, budget=Budget(1000)) is None


def test_the_place_with_the_least_potential_is_handed_over() -> None:
    form = SlotForm(layout(2, (2, 2)), ((0b1111, 0b0011), (0b1111, 0b1111)))
    assert form.answered(0, 1, 0, yes=True).hands == ((0b1110,), (0b1110, 0b1110, 0b0001))


def test_a_question_restricts_one_place_only_once() -> None:
    form = slot_form(start_form(2, (2, 2), (2, 2))).asked(0, 0, ask_own=True)
    assert form.hands[0] == (0b0011, 0b1111)
    assert form.asked(0, 1, ask_own=True) == form


def test_what_places_cannot_say_is_refused() -> None:
    with pytest.raises(Unsupported, match="at most 1 of the cards of group 1"):
        slot_form(start_form(2, (2, 2), (2, 2), deal_quartet=False))


def test_an_impossible_statement_is_an_invalid_state() -> None:
    form = SlotForm(layout(2, (2, 2)), ((0b0011, 0b0011), (0b1100, 0b1100)))
    for after in (
        form.asked(0, 2, ask_own=True),
        form.answered(0, 1, 2, yes=True),
        form.declared(0, 1),
    ):
        assert not after.is_valid
        assert after.clash
    assert form.declared(0, 0).hands == ((), (0b1100, 0b1100))


def test_places_outside_the_cards_are_refused() -> None:
    with pytest.raises(BadInput, match="place 2 of hand 1 may be an identity that does not exist"):
        SlotForm(layout(1, (2,)), ((1, 4),))
    with pytest.raises(BadInput, match="3 card places but only 2 cards"):
        SlotForm(layout(1, (2,)), ((1, 2, 3),))
