"""Hands by arrays: the same posterior as `Knowledge`, and the same deals as all deals."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.constraints import Constraint, Weigh, at_least, exactly, is_, is_not
from deduce.errors import Contradiction, Unsupported
from deduce.knowledge import Knowledge
from deduce.problem import Problem
from deduce.reasoning.hands import MAX_CARDS, Hands

CARDS = "abcdefg"
REST = "rest"
SIZES = st.sampled_from([{"Ann": 2, "Ben": 3}, {"Ann": 1, "Ben": 2, "Cid": 2}, {"Ann": 5}])


@st.composite
def positions(draw: st.DrawFn) -> tuple[Hands, Problem]:
    """Return the same cards, rests and evidence for both ways; the rest is one of abc, one of d-g.

    The evidence concerns one hand each: none of some cards, one of some cards, or a likelihood.
    """
    sizes = draw(SIZES)
    hands = Hands(CARDS, sizes, [(one, other) for one in "abc" for other in "defg"])
    rules: list[Constraint] = [
        exactly(1, [is_(card, REST) for card in "abc"]),
        exactly(1, [is_(card, REST) for card in "defg"]),
    ]
    rules += [exactly(size, [is_(c, who) for c in CARDS]) for who, size in sizes.items()]
    for _ in range(draw(st.integers(0, 4))):
        who = draw(st.sampled_from(sorted(sizes)))
        cards = sorted(draw(st.sets(st.sampled_from(CARDS), min_size=1, max_size=3)))
        held = hands.of(who) & hands.bits(cards)
        kind = draw(st.sampled_from(["none", "some", "likelihood"]))
        if kind == "none":
            hands.keep(who, held == 0)
            rules += [is_not(card, who) for card in cards]
        elif kind == "some":
            hands.keep(who, held != 0)
            rules.append(at_least(1, [is_(card, who) for card in cards]))
        else:
            hands.weigh(who, 1 / (1 + np.bitwise_count(held)))
            weights = [Fraction(1, 1 + number) for number in range(len(cards) + 1)]
            rules.append(Weigh([is_(card, who) for card in cards], weights))
    return hands, Problem(dict.fromkeys(CARDS, (*sizes, REST)), rules)


@given(positions())
def test_the_posterior_is_that_of_knowledge(position: tuple[Hands, Problem]) -> None:
    hands, problem = position
    knowledge = Knowledge(problem)
    if not knowledge.is_consistent():
        with pytest.raises(Contradiction):
            hands.posterior()
        return
    posterior = dict(zip(hands.rests, hands.posterior().tolist(), strict=True))
    joint = knowledge.joint(*({c: is_(c, REST) for c in kind} for kind in ("abc", "defg")))
    assert {rest: share for rest, share in posterior.items() if share} == pytest.approx(
        {rest: float(share) for rest, share in joint.items()}
    )
    rest, share = hands.best()
    assert share == pytest.approx(float(joint[rest]))
    assert share == pytest.approx(float(max(joint.values())))
    assert {c: who or REST for c, who in hands.certain().items()} == knowledge.certain()


@given(positions())
def test_listed_deals_are_all_deals_with_their_probabilities(
    position: tuple[Hands, Problem],
) -> None:
    hands, problem = position
    knowledge = Knowledge(problem)
    if not knowledge.is_consistent():
        return
    deals = hands.deals(10_000, 0, 0)
    assert deals.exact
    assert deals.weights.sum() == pytest.approx(1)
    worlds = set()
    for rest, *held in zip(deals.rests, *deals.hands, strict=True):
        world = dict.fromkeys(hands.rests[rest], REST)
        for who, bits in zip(hands.holders, held, strict=True):
            world |= {card: who for card in CARDS if hands.bits(card) & bits}
        worlds.add(tuple(world[card] for card in CARDS))
    assert worlds == {tuple(world[card] for card in CARDS) for world in knowledge.worlds()}
    assert len(deals.weights) == len(worlds)
    shares = knowledge.posterior()
    for who, held_bits in zip(hands.holders, deals.hands, strict=True):
        for card in CARDS:
            share = deals.weights[held_bits & hands.bits(card) != 0].sum()
            assert share == pytest.approx(float(shares[card].get(who, 0)))


def test_drawn_deals_have_the_frequencies_of_the_posterior() -> None:
    hands = Hands("abcd", {"Ann": 1, "Ben": 2}, [("a",), ("b",)])
    hands.weigh("Ann", [3 if hand & hands.bits("a") else 1 for hand in hands.of("Ann")])
    deals = hands.deals(0, 20_000, seed=1)
    assert not deals.exact
    counts = Counter(hands.rests[rest][0] for rest in deals.rests)
    # The rest is a or b; Ann has a (weight 3), b, c or d (weight 1) of the three other cards.
    assert counts["b"] / 20_000 == pytest.approx(5 / 8, abs=0.02)
    again = hands.deals(0, 20_000, seed=1)
    assert (again.rests == deals.rests).all()


def test_a_copy_changes_independently() -> None:
    hands = Hands("abc", {"Ann": 1, "Ben": 1}, [("a",), ("b",), ("c",)])
    copy = hands.copy()
    copy.keep("Ann", copy.of("Ann") == copy.bits("a"))
    copy.keep_rests(np.array([rest == ("b",) for rest in copy.rests]))
    assert copy.certain() == {"a": "Ann", "b": None, "c": "Ben"}
    assert hands.certain() == {}
    assert len(hands.rests) == 3


def test_more_cards_than_the_arrays_take_are_refused() -> None:
    with pytest.raises(Unsupported, match=f"up to {MAX_CARDS} cards"):
        Hands(map(str, range(MAX_CARDS + 1)), {"Ann": MAX_CARDS}, [("0",)])
    with pytest.raises(Unsupported, match="need a holder"):
        Hands("a", {}, [("a",)])
