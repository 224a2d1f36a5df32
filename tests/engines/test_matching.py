"""The matching engine's own business: what it is for, Hall sets, and size."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from deduce.budget import Budget
from deduce.constraints import Constraint, Count, Where, at_least, at_most, exactly, is_, is_not
from deduce.engines.bits import Bits
from deduce.engines.choose import PLANS
from deduce.engines.hall import HallSet, violator
from deduce.engines.matching import Matching
from deduce.engines.model import Model
from deduce.errors import Undecided, Unsupported
from deduce.problem import Problem
from deduce.queries import Answer, Asker
from tests.engines import yardstick
from tests.engines.bodies import QUERIES, meter
from tests.engines.strategies import laminar_problems
from tests.known import KNOWN, Known

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
        with pytest.raises(Unsupported, match="nested or apart"):
            engine.solve(model, meter())
        with pytest.raises(Unsupported, match="nested or apart"):
            engine.possible(model, meter())
        with pytest.raises(Unsupported, match="nested or apart"):
            violator(model, meter())


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
    with pytest.raises(Unsupported, match="nested or apart"):
        Asker(asker.model, engine="matching").is_certain(claim)


def test_a_spent_budget_is_undecided() -> None:
    with pytest.raises(Undecided):
        Matching().solve(Model(Problem(CARDS, [_hand(2, "abcdef")])), Budget(steps=1).meter())


@pytest.mark.parametrize(
    ("rules", "sentence", "needed", "room"),
    [
        (
            [_hand(0, "abcdef", high=2), is_("a", "Ann"), is_("b", "Ann"), is_("e", "Ann")],
            "a, b and e can only be Ann, but at most 2 of them can",
            3,
            2,
        ),
        (
            [_hand(4, "abcdef"), is_not("b", "Ann"), is_not("c", "Ann"), is_not("d", "Ann")],
            "at least 4 must be Ann, but only a, e and f can",
            4,
            3,
        ),
        (
            [_hand(4, "abcdef"), _hand(0, "abc", high=0), is_not("f", "Ann")],
            "at least 4 must be Ann, but only d and e can",
            4,
            2,
        ),
        (
            [_hand(5, "abcdef"), _hand(0, "abc", high=1)],
            "at least 5 must be Ann, but only d, e and f and at most 1 of a, b and c can",
            5,
            4,
        ),
        (
            [_hand(0, "abcdef", high=3), _hand(2, "cde"), is_("a", "Ann"), is_("b", "Ann")],
            "a and b can only be Ann and at least 2 of c, d and e must be so, "
            "but at most 3 of them can",
            4,
            3,
        ),
        ([is_("c", "Ann"), is_not("c", "Ann")], "c has no value left", 1, 0),
        ([_hand(7, "abcdef")], "at least 7 must be Ann, but only a, b, c, d, e and f can", 7, 6),
    ],
)
def test_hall_set_says_what_does_not_fit(
    rules: list[Constraint], sentence: str, needed: int, room: int
) -> None:
    found = violator(Model(Problem(CARDS, rules)), meter())
    assert found is not None
    assert (str(found), found.needed, found.room) == (sentence, needed, room)


@settings(max_examples=200)
@given(problem=laminar_problems())
def test_hall_set_exists_exactly_without_a_world_and_its_statements_suffice(
    problem: Problem,
) -> None:
    model = Model(problem)
    found = violator(model, meter())
    assert (found is None) == bool(yardstick.worlds(problem))
    if found is not None:
        assert found.needed > found.room
        constraints = list(problem.constraints())
        facts = [c for c, s in zip(constraints, model.statements, strict=True) if s.form is None]
        counts = [constraints[position] for position in found.statements]
        assert not yardstick.worlds(Problem(problem.domains, facts + counts))
        if found.values and found.needed == len(found.variables):
            _assert_a_minimal_crowd(model, found, counts)


def _assert_a_minimal_crowd(model: Model, found: HallSet, counts: list[Constraint]) -> None:
    """Each of the variables is needed: were it free to be something else, the rest would fit."""
    left = {
        name: model.values_in(model.domain(model.facts_only(), i))
        for i, name in enumerate(model.variables)
    }
    for spare in found.variables:
        domains = {
            name: left[name] if name in found.variables - {spare} else [*left[name], "elsewhere"]
            for name in model.variables
        }
        relevant = [
            Count(
                [is_(f.variable, *f.values & set(domains[f.variable])) for f in count.facts],
                count.low,
                count.high,
            )
            for count in counts
            if isinstance(count, Count)
        ]
        assert yardstick.worlds(Problem(domains, relevant))


def test_a_deck_of_52_for_4_players_agrees_with_the_search() -> None:
    random = Random(5)
    players = ("Ann", "Ben", "Cid", "Dot")
    cards = [f"card {n}" for n in range(52)]
    hands = [exactly(13, [is_(card, who) for card in cards]) for who in players]
    truth = {card: players[n % 4] for n, card in enumerate(cards)}
    facts = []
    for card in cards:
        others = [who for who in players if who != truth[card]]
        facts.append(is_not(card, *random.sample(others, random.choice([0, 1, 2, 3]))))
    suits = [
        at_most(4, [is_(card, who) for card in cards[s::13]]) for s in range(13) for who in players
    ]
    model = Model(Problem(dict.fromkeys(cards, players), [*hands, *suits, *facts]))
    assert Matching().possible(model, meter()) == Bits().possible(model, meter())


@pytest.mark.parametrize("known", [k for k in KNOWN if not k.worlds], ids=lambda k: k.name)
def test_a_hall_set_is_found_for_every_known_refutation_of_its_kind(known: Known) -> None:
    model = Model(known.problem)
    if not Matching().supports(model, "solve"):
        pytest.skip("not laminar")
    assert violator(model, meter()) is not None
