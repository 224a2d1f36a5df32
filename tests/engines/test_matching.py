"""The matching engine's own business: what it is for, and size."""

from __future__ import annotations

from random import Random

import pytest

from deduce.budget import Budget
from deduce.constraints import Constraint, Count, Where, at_least, exactly, is_
from deduce.engines.choose import PLANS
from deduce.engines.core.model import Model
from deduce.engines.solve.matching import Matching
from deduce.errors import Undecided, Unsupported
from deduce.problem import Problem
from deduce.reasoning.queries import Answer, Asker
from tests.engines.bodies import QUERIES, meter

CARDS = dict.fromkeys("abcdef", ("Ann", "Ben", "Cid"))


def _hand(low: int, cards: str, who: str = "Ann", high: int | None = None) -> Count:
    return Count([is_(card, who) for card in cards], low, high)


@pytest.mark.parametrize(
    ("rules", "fits"),
    [
        ([], True),
        ([_hand(2, "abcdef"), _hand(1, "abc"), _hand(1, "ab"), _hand(0, "de", high=1)], True),
        ([_hand(1, "abc"), _hand(1, "abc", high=2)], True),
        ([_hand(1, "abc"), _hand(1, "cde", "Ben")], True),
        ([_hand(1, "abc"), _hand(1, "cde")], False),
        ([at_least(1, [is_("a", "Ann", "Ben")])], True),
        ([at_least(1, [is_("a", "Ann", "Ben"), is_("b", "Ann")])], False),
        ([at_least(1, [is_("a", "Ann"), is_("b", "Ben")])], False),
        ([Where(("a", "b"), lambda a, b: a != b)], False),
    ],
)
def test_laminar_counts_of_single_values_are_its_kind(rules: list[Constraint], fits: bool) -> None:
    model = Model(Problem(CARDS, rules))
    engine = Matching()
    asked = {query for query in QUERIES if engine.supports(model, query)}
    assert asked == ({"solve", "possible"} if fits else set())
    if not fits:
        with pytest.raises(Unsupported, match="nested or disjoint"):
            engine.solve(model, meter())
        with pytest.raises(Unsupported, match="nested or disjoint"):
            engine.possible(model, meter())


def test_other_queries_are_unsupported_not_empty() -> None:
    engine, model = Matching(), Model(Problem(CARDS))
    with pytest.raises(Unsupported):
        engine.tally(model, meter(), weighted=False)
    with pytest.raises(Unsupported):
        engine.joint(model, meter(), [], weighted=False)
    with pytest.raises(Unsupported):
        engine.sample(model, meter(), 1, Random(0), weighted=False)
    with pytest.raises(Unsupported):
        engine.worlds(model, meter())


def test_a_claim_of_another_kind_goes_to_the_next_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Counts of the problem are laminar, and that of the claim is not."""
    slots = {slot: range(6) for slot in "abcdef"}
    once = [exactly(1, [is_(slot, n) for slot in slots]) for n in range(6)]
    asker = Asker(Model(Problem(slots, once)))
    claim = at_least(2, [is_(slot, n) for n, slot in enumerate("abc")])
    monkeypatch.setitem(PLANS, "solve", (("matching", None), ("counting", None)))
    assert asker.solve().engine == "matching"
    assert asker.is_certain(claim) == Answer(value=False, engine="counting")
    with pytest.raises(Unsupported, match="nested or disjoint"):
        Asker(asker.model, engine="matching").is_certain(claim)


def test_a_spent_budget_is_undecided() -> None:
    with pytest.raises(Undecided):
        Matching().solve(Model(Problem(CARDS, [_hand(2, "abcdef")])), Budget(steps=1).meter())
