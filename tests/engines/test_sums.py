"""Sums: their normal form, what propagation removes, and claims about amounts."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

import pytest

from deduce import Knowledge, Problem, Sum, exactly, export, is_, is_not
from deduce.constraints import Count
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.model import CompiledCount, CompiledSum, Model
from deduce.errors import Unsupported
from deduce.testing import enumeration as yardstick

POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}
DECK = {f"{card}{suit}": points for card, points in POINTS.items() for suit in "SH"}


def _points(low: int | None, high: int | None) -> Sum:
    return Sum({is_(card, "North"): amount for card, amount in DECK.items()}, low, high)


def test_points_of_a_hand_are_counted_as_by_listing_the_hands() -> None:
    problem = Problem(dict.fromkeys(DECK, ("North", "South")), [_points(6, 8)])
    hands = [hand for n in range(9) for hand in combinations(DECK.values(), n)]
    fitting = Counter(sum(hand) for hand in hands)
    assert Knowledge(problem).count() == fitting[6] + fitting[7] + fitting[8]


@pytest.mark.parametrize("amount", [1, 5, -3])
def test_equal_amounts_are_compiled_to_a_count(amount: int) -> None:
    """So that a Sum of ones takes as long as a Count."""
    facts = [is_(card, "North") for card in DECK]
    ends = sorted((3 * amount, 5 * amount))
    model = Model(
        Problem(
            dict.fromkeys(DECK, ("North", "South")),
            [Sum([(fact, amount) for fact in facts], *ends), Count(facts, 3, 5)],
        )
    )
    forms = [statement.form for statement in model.statements]
    assert all(isinstance(form, CompiledCount) for form in forms)
    counts = {Knowledge(Problem(model.problem.domains, [r])).count() for r in model.problem.rules}
    assert len(counts) == 1


def test_a_value_that_exceeds_what_the_others_leave_is_removed() -> None:
    domains = dict.fromkeys("xy", range(10))
    total = Sum([(is_(v, n), n) for v in domains for n in range(10)], 16, 16)
    model = Model(Problem(domains, [total]))
    assert isinstance(model.statements[0].form, CompiledSum)
    bounds = Bounds(model)
    left = bounds.narrow(bounds.start)
    assert model.values_in(0, model.domain(left, 0)) == [7, 8, 9]
    for low, high in ((19, 20), (-3, -1)):
        wrong = Bounds(Model(Problem(domains, [Sum(total.terms, low, high)])))
        assert wrong.narrow(wrong.start) == IMPOSSIBLE


def test_amounts_of_negated_facts_and_values_that_no_fact_names() -> None:
    """``is_not`` adds where the value is another one; what is not named adds 0."""
    domains = dict.fromkeys("xyz", ("a", "b", "c"))
    total = Sum([(is_not("x", "a"), 2), (is_("y", "b"), -4), (is_("z", "a", "b"), 3)], 1, 2)
    problem = Problem(domains, [total])
    expected = [
        world
        for world in product("abc", repeat=3)
        if 1 <= 2 * (world[0] != "a") - 4 * (world[1] == "b") + 3 * (world[2] != "c") <= 2
    ]
    assert Knowledge(problem).count() == len(expected)
    assert len(yardstick.worlds(problem)) == len(expected)


def test_claims_about_amounts_are_certain_impossible_or_open() -> None:
    k = Knowledge(Problem(dict.fromkeys(DECK, ("North", "South")))).tell(
        is_("AS", "North"), is_("KS", "North"), is_("QH", "South")
    )
    assert k.is_certain(_points(7, None))
    assert not k.is_possible(_points(19, None))
    assert k.why(_points(7, None)).events == (1, 2)
    assert k.why(_points(None, 18)).events == (3,)
    assert k.why(_points(8, 10)).verdict == "open"


def test_a_sum_but_no_count_with_too_many_sums_is_refused_as_a_formula(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("deduce.engines.solve.cnf.MAX_SUMS", 1000)
    names = [f"x{i}" for i in range(12)]
    total = Sum([(is_(name, 1), 3**i) for i, name in enumerate(names)], 3**10)
    problem = Problem(dict.fromkeys(names, (0, 1)), [total])
    with pytest.raises(Unsupported, match="too many different sums"):
        export(problem)
    many = {f"x{i}": (0, 1) for i in range(100)}
    assert export(Problem(many, [exactly(50, [is_(name, 1) for name in many])]))  # no Sum
