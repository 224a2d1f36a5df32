"""Sweeps by arrays, states made one and large numbers, beside sweeps that do none of that."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce.budget import Budget
from deduce.constraints import Constraint, Count, Fact, Sum, Weigh, Where, at_most, exactly, is_
from deduce.engines.core import residue as residues
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.model import Model
from deduce.engines.core.residue import hands_of, residue
from deduce.engines.count import Counting
from deduce.engines.count import part as parts
from deduce.engines.count.sets import partition
from deduce.engines.count.sets import rounded as floats
from deduce.engines.count.sets.hands import values_of
from deduce.engines.count.sets.rounded import MAX_ERROR, Rounded, rounded
from deduce.engines.count.sweep.numbers import Numbers, primes, total
from deduce.engines.count.sweep.order import _ways, cells
from deduce.engines.count.sweep.sweep import ManyStates
from deduce.errors import Undecided
from deduce.knowledge import Knowledge
from deduce.problem import Problem, copies
from deduce.reasoning.likelihoods import Likelihood
from deduce.system import arrays as installed
from tests.benchmarks.situations import BIG_DECK, position
from tests.engines.bodies import meter

PLAIN = Counting(large=10**9)
OTHERS = [
    Counting(prune_from=0, large=0),
    Counting(prune_from=0, large=0, moduli=3),
    Counting(prune_from=0, large=0, moduli=1, rows_from=0),
    Counting(large=0, arrays=False),
    Counting(large=0, sets=True),
]
IDS = ["arrays", "primes", "rows", "folds", "sets"]

other_sweep = pytest.mark.parametrize("other", OTHERS, ids=IDS)


def dealt(seed: int) -> Problem:
    """Return cards dealt to holders of whom some have the same hands, with some evidence."""
    random = Random(seed)
    holders = "ABCDE"[: random.randint(2, 5)]
    cards = [f"c{i}" for i in range(random.randint(len(holders), 11))]
    sizes = [len(cards) // len(holders) for _ in holders]
    for i in range(len(cards) - sum(sizes)):
        sizes[i] += 1
    rules: list[Constraint] = [
        exactly(size, [is_(card, holder) for card in cards])
        for size, holder in zip(sizes, holders, strict=True)
    ]
    for _ in range(random.randint(0, 5)):
        some = random.sample(cards, random.randint(2, min(4, len(cards))))
        facts = [is_(card, random.choice(holders)) for card in some]
        kind = random.randint(0, 3)
        if kind == 0:
            rules.append(Count(facts, 1))
        elif kind == 1:
            rules += [at_most(len(some) - 1, [is_(card, h) for card in some]) for h in holders]
        elif kind == 2:
            weights = [Fraction(random.randint(1, 3), random.randint(1, 2)) for _ in range(5)]
            rules.append(Weigh(facts, weights[: len(facts) + 1]))
        else:
            rules.append(Fact(some[0], frozenset({random.choice(holders)}), negated=True))
    return Problem(dict.fromkeys(cards, tuple(holders)), rules)


@pytest.mark.parametrize("seed", range(4))
def test_small_hands_come_first_and_change_no_number(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Model(dealt(seed))
    before = [PLAIN.tally(model, meter(), weighted=weighted) for weighted in (False, True)]
    monkeypatch.setattr(residues, "FEW_VARIABLES", 0)
    for sweep in (PLAIN, *OTHERS):
        for weighted in (False, True):
            assert sweep.tally(model, meter(), weighted=weighted) == before[weighted]


def hands(seed: int) -> Problem:
    """Return cards dealt to hands of known sizes, with evidence each piece of which is about one.

    The first holder takes one card of each suit, as the envelope of Cluedo does.
    """
    random = Random(seed)
    count = random.randint(4, 9)
    cards = [f"c{i}" for i in range(count)]
    suits = [cards[: count // 2], cards[count // 2 :]]
    holders = "ABCD"[: random.randint(2, 4)]
    sizes = [(count - 2) // (len(holders) - 1)] * (len(holders) - 1)
    sizes[0] += count - 2 - sum(sizes)
    rules: list[Constraint] = [exactly(1, [is_(card, "A") for card in suit]) for suit in suits]
    for size, holder in zip(sizes, holders[1:], strict=True):
        rules.append(exactly(size, [is_(card, holder) for card in cards]))
    for _ in range(random.randint(1, 8)):
        holder = random.choice(holders)
        facts = [is_(card, holder) for card in random.sample(cards, random.randint(1, 4))]
        if random.random() < 0.3:
            rules.append(Count(facts, 1))
        else:
            weights = [Fraction(random.randint(0, 9), 10**5) for _ in facts]  # 0: excluded
            rules.append(Likelihood(facts, [Fraction(random.randint(1, 10**9)), *weights]))
    return Problem(dict.fromkeys(cards, tuple(holders)), rules)


@pytest.mark.parametrize("seed", range(8))
def test_counting_by_sets_agrees_with_a_sweep(seed: int) -> None:
    problem = hands(seed)
    model = Model(problem)
    sets = Counting(large=0, sets=True)
    for weighted in (False, True):
        tally = PLAIN.tally(model, meter(), weighted=weighted)
        assert sets.tally(model, meter(), weighted=weighted) == tally
        if not tally.total:
            continue
        cards = list(problem.domains)
        questions: list[dict[Any, list[tuple[Any, frozenset[Any]]]]] = [
            {card: [(card, frozenset("A"))] for card in suit}
            for suit in (cards[: len(cards) // 2], cards[len(cards) // 2 :])
        ]
        joint = PLAIN.joint(model, meter(), questions, weighted=weighted)
        assert sets.joint(model, meter(), questions, weighted=weighted) == joint
        assert sets.sample(model, meter(), 3, Random(1), weighted=weighted)
    numbers = [{n: w for n, w in of.items() if w} for of in sets.numbers(model, meter())]
    assert numbers == [{n: w for n, w in of.items() if w} for of in PLAIN.numbers(model, meter())]


def rounded_tally(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[float]]:
    """Return what floats make of all numbers, however short, and the bounds of their errors."""
    errors = []

    def noted(*of: Any) -> Rounded | None:
        result = rounded(*of)
        if result is not None:
            errors.append(result.error)
        return result

    monkeypatch.setattr(partition, "MIN_BITS", 0)
    monkeypatch.setattr(partition, "rounded", noted)
    return Counting(exact=False), errors


@pytest.mark.parametrize("seed", range(10))
def test_floats_are_as_exact_as_they_say(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = hands(seed)
    model = Model(problem)
    chosen, errors = rounded_tally(problem, monkeypatch)
    expected = PLAIN.tally(model, meter(), weighted=True)
    got = chosen.tally(model, meter(), weighted=True)
    assert bool(got.total) == bool(expected.total)
    if not expected.total:
        return
    assert float(got.total / expected.total) == pytest.approx(1, abs=1e-6)
    error = sum(errors) + 20 / floats.GRAIN
    for variable, row in got.of.items():
        assert sum(row.values()) == got.total
        for value in problem.domains[variable]:
            exact_share = Fraction(expected.of[variable].get(value, 0)) / expected.total
            share = Fraction(row.get(value, 0)) / got.total
            assert abs(share - exact_share) <= error <= 2 * MAX_ERROR
    counts = zip(chosen.numbers(model, meter()), PLAIN.numbers(model, meter()), strict=True)
    for mine, theirs in counts:
        assert sum(mine.values()) == got.total
        for number, weight in theirs.items():
            exact_share = Fraction(weight) / expected.total
            assert abs(Fraction(mine.get(number, 0)) / got.total - exact_share) <= error
    cards = list(problem.domains)
    suits = cards[: len(cards) // 2], cards[len(cards) // 2 :]
    questions: list[Any] = [{card: [(card, frozenset("A"))] for card in suit} for suit in suits]
    joint = chosen.joint(model, meter(), questions, weighted=True)
    assert float(sum(joint.values()) / expected.total) == pytest.approx(1, abs=1e-6)
    for answers, weight in PLAIN.joint(model, meter(), questions, weighted=True).items():
        exact_share = Fraction(weight) / expected.total
        assert abs(Fraction(joint.get(answers, 0)) / sum(joint.values()) - exact_share) <= error


def test_floats_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    used = 0
    for seed in range(30):
        chosen, errors = rounded_tally(hands(seed), monkeypatch)
        chosen.tally(Model(hands(seed)), meter(), weighted=True)
        used += len(errors)
        monkeypatch.undo()
    assert used > 5


def test_weights_beyond_floats_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [f"c{i}" for i in range(9)]
    rules: list[Constraint] = [exactly(3, [is_(card, h) for card in cards]) for h in "ABC"]
    for number, holder in enumerate("ABCABCABC"):
        facts = [is_(card, holder) for card in cards[number : number + 2]]
        rules.append(Likelihood(facts, [Fraction(1), *[Fraction(1, 10**150)] * len(facts)]))
    problem = Problem(dict.fromkeys(cards, tuple("ABC")), rules)
    chosen, errors = rounded_tally(problem, monkeypatch)
    expected = PLAIN.tally(Model(problem), meter(), weighted=True)
    got = chosen.tally(Model(problem), meter(), weighted=True)
    assert got == expected or errors
    for variable, row in expected.of.items():
        for value, weight in row.items():
            share = Fraction(got.of[variable].get(value, 0)) / got.total
            assert abs(share - weight / expected.total) <= sum(errors) + 20 / floats.GRAIN


def test_floats_that_are_not_exact_enough_give_way(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(8):
        chosen, errors = rounded_tally(hands(seed), monkeypatch)
        monkeypatch.setattr(floats, "MAX_ERROR", 0.0)
        model = Model(hands(seed))
        assert chosen.tally(model, meter(), weighted=True) == PLAIN.tally(
            model, meter(), weighted=True
        )
        assert not errors


def test_only_what_rests_on_doubts_is_rounded(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = hands(1)
    chosen, errors = rounded_tally(problem, monkeypatch)
    model = Model(problem)
    assert chosen.tally(model, meter(), weighted=False) == PLAIN.tally(
        model, meter(), weighted=False
    )
    assert not errors


def test_many_components_are_counted_by_sets() -> None:
    counted = 0
    for seed in range(60):
        model = Model(hands(seed))
        bounds = Bounds(model)
        state = bounds.narrow(bounds.start)
        if state != IMPOSSIBLE:
            counted += any(values_of(one) for one in residue(bounds, state).components)
    assert counted > 30


def test_sets_that_leave_no_world() -> None:
    cards = [f"c{i}" for i in range(6)]
    rules: list[Constraint] = [exactly(3, [is_(card, h) for card in cards]) for h in "AB"]
    rules += [Likelihood([is_(card, h) for card in cards[:3]], [0, 1, 0, 0]) for h in "AB"]
    model = Model(Problem(dict.fromkeys(cards, ("A", "B")), rules))
    sets = Counting(large=0, sets=True)
    assert sets.tally(model, meter(), weighted=True).total == 0


@pytest.mark.parametrize("exact", [True, False])
def test_sets_leave_out_what_the_rows_of_a_table_do_not_allow(exact: bool) -> None:
    """Two tables about the same variables leave one value of v1: the other weighs nothing."""
    rules: list[Constraint] = [exactly(1, [is_(v, n) for v in "abc"]) for n in range(3)]
    rules.append(Where(["b", "c"], lambda b, c: (b, c) in {(0, 1), (0, 2), (1, 2)}))
    rules.append(Where(["b", "c"], lambda b, c: (b, c) not in {(1, 2), (2, 1)}))
    problem = Problem(dict.fromkeys("abc", range(3)), rules)
    assert_same(problem, Counting(large=0, sets=True, exact=exact))


def derangements(n: int) -> Problem:
    return Problem(
        {i: tuple(j for j in range(n) if j != i) for i in range(n)},
        [exactly(1, [is_(i, j) for i in range(n) if i != j]) for j in range(n)],
    )


def assert_same(problem: Problem, other: Counting) -> None:
    model = Model(problem)
    for weighted in (False, True):
        expected = PLAIN.tally(model, meter(), weighted=weighted)
        assert other.tally(model, meter(), weighted=weighted) == expected
        assert other.total(model, meter(), weighted=weighted) == expected.total
        domains = list(problem.domains.items())[:2]
        questions = [{value: [(v, frozenset({value}))] for value in d} for v, d in domains]
        joint = PLAIN.joint(model, meter(), questions, weighted=weighted)
        assert other.joint(model, meter(), questions, weighted=weighted) == joint
    assert _shared_out(other, model) == _shared_out(PLAIN, model)
    drawn = other.sample(model, meter(), 5, Random(1), weighted=True)
    assert bool(drawn) == bool(PLAIN.total(model, meter(), weighted=True))
    assert all(problem.holds(world) for world in drawn)


def _shared_out(engine: Counting, model: Model) -> list[dict[int, Fraction | int]]:
    return [
        {number: weight for number, weight in row.items() if weight}
        for row in engine.numbers(model, meter())
    ]


@other_sweep
def test_marginals_of_values_that_are_alike_from_some_step_on(other: Counting) -> None:
    """Derangements of 7 with one more restriction, so that few cells are the same by symmetry."""
    problem = derangements(7)
    extra = [is_(0, 1), is_(2, 3), is_(4, 1), is_(5, 6)]
    for constraint in (Count(extra, 1, 2), at_most(1, extra)):
        assert_same(Problem(problem.domains, [*problem.rules, constraint]), other)


@pytest.mark.parametrize("marked", [False, True])
@pytest.mark.parametrize("arrays", [False, True])
def test_marginals_with_values_kept_apart(
    monkeypatch: pytest.MonkeyPatch, *, arrays: bool, marked: bool
) -> None:
    """Both ways to get marginals where values are alike: without sorting, or value by value."""
    if marked:
        original = parts.Part._large

        def none_without_sorting(self: parts.Part, apart: frozenset[int] | None, **options: bool):  # type: ignore[no-untyped-def]
            if apart is None:
                raise ManyStates
            return original(self, apart, **options)

        monkeypatch.setattr(parts.Part, "_large", none_without_sorting)
    for seed in range(5):
        assert_same(dealt(seed), Counting(large=0, arrays=arrays))
    assert_same(derangements(6), Counting(large=0, arrays=arrays))


@other_sweep
@pytest.mark.parametrize("members", [12, 50])
def test_counts_beyond_a_machine_word_are_exact(other: Counting, members: int) -> None:
    """A multinomial, with one half of the cards told apart so that it is not one binomial."""
    values = ("a", "b", "c")
    names = list(range(2 * members))
    rules: list[Constraint] = [exactly(members, [is_(n, "a") for n in names])]
    rules.append(Count([is_(n, "b") for n in names[:members]], 1))
    problem = Problem(dict.fromkeys(names, values), rules)
    half = factorial(members)
    binomial = {k: half // factorial(k) // factorial(members - k) for k in range(members + 1)}
    expected = sum(
        binomial[k] * binomial[members - k] * (2 ** (members - k) - 1) * 2**k
        for k in range(members + 1)
    )
    model = Model(problem)
    assert other.total(model, meter(), weighted=False) == expected
    tally = other.tally(model, meter(), weighted=False)
    assert tally == PLAIN.tally(model, meter(), weighted=False)
    assert sum(tally.of[0].values()) == expected


def test_derangements_of_20_are_counted_and_drawn() -> None:
    n = 20
    problem = derangements(n)
    model = Model(problem)
    expected = sum((-1) ** k * factorial(n) // factorial(k) for k in range(n + 1))
    engine = Counting()
    assert engine.total(model, meter(), weighted=False) == expected
    assert all(
        problem.holds(w) for w in engine.sample(model, meter(), 20, Random(3), weighted=False)
    )


def test_without_numpy_the_dictionary_sweep_gives_the_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(installed, "has_arrays", lambda: False)
    monkeypatch.setattr(parts, "has_arrays", lambda: False)
    monkeypatch.setattr(installed, "missed", False)
    model = Model(derangements(14))
    engine = Counting()
    assert engine.total(model, meter(), weighted=False) == 32_071_101_049
    tally = engine.tally(model, meter(), weighted=False)
    assert set(tally.of[3].values()) == {32_071_101_049 // 13}
    # In a browser the question says that it would gain by numpy, and waits where that can come.
    assert installed.missed
    monkeypatch.setattr(installed, "can_come", True)
    with pytest.raises(Undecided, match="not loaded yet"):
        engine.total(model, meter(), weighted=False)


@pytest.mark.parametrize("arrays", [False, True])
def test_large_sweeps_stop_at_the_limit(*, arrays: bool) -> None:
    model = Model(derangements(22))
    with pytest.raises(Undecided):
        Counting(arrays=arrays).total(model, Budget(20_000).meter(), weighted=False)


@settings(max_examples=40)
@given(
    values=st.lists(st.integers(0, 2**150), min_size=1, max_size=6),
    factors=st.lists(st.integers(1, 2**40), min_size=1, max_size=3),
)
def test_arrays_of_numbers_compute_as_ints_do(values: list[int], factors: list[int]) -> None:
    moduli = primes(7)
    numbers = Numbers.of(values, moduli)
    for factor in factors:
        numbers = numbers.times(factor)
        values = [value * factor for value in values]
    assert numbers.ints(1e-13) == values
    assert total(numbers, 1e-13) == sum(values)
    order = np.argsort([value % 3 for value in values], kind="stable")
    assert numbers.grouped(order, np.array([0]), lambda: None).ints(1e-13) == [sum(values)]


@pytest.mark.parametrize("seed", range(12))
def test_numbers_that_add_up_are_counted(seed: int) -> None:
    random = Random(seed)
    boxes = [(random.randint(0, 3), random.randint(1, 3)) for _ in range(random.randint(1, 3))]
    target, slack = random.randint(0, 8), random.randint(0, 2)
    sorted_numbers = [combinations_with_replacement(range(span + 1), n) for span, n in boxes]
    sums = [sum(map(sum, numbers)) for numbers in product(*sorted_numbers)]
    assert _ways(boxes, target, slack) == sum(target - slack <= one <= target for one in sums)


def test_the_order_of_a_large_card_game_depends_on_what_adds_up() -> None:
    """In log 2 few cards were named: the sweep goes holder by holder then."""
    for number, by_holder in ((2, True), (4, False)):
        known = position(number, 10, Random(number).randint(4, 30), BIG_DECK)
        bounds = Bounds(Model(known.problem))
        [component] = residue(bounds, bounds.narrow(bounds.start)).components
        assert len(hands_of(component)) == 12
        cells_of_one = [
            effect for group, effect in cells(component, meter()) if len(group.members) == 1
        ]
        assert (None not in cells_of_one) is by_holder


def test_a_few_cards_of_many_kinds_are_swept_kind_by_kind() -> None:
    kinds = {(c, r): n for c in "RYGBW" for r, n in enumerate((3, 2, 2, 2, 1))}
    slots = [f"slot {n}" for n in range(10)]
    seen = [is_(slot, kind) for slot, kind in zip(slots[:5], list(kinds)[::5], strict=True)]
    reds = is_(slots[5], *(kind for kind in kinds if kind[0] == "R"))
    ones = is_(slots[6], *(kind for kind in kinds if kind[1] == 0 and kind[0] != "R"))
    k = Knowledge(copies(slots, kinds), budget=Budget(steps=200_000)).tell(*seen, reds, ones)
    assert k.posterior()[slots[5]]["R", 1] == Fraction(2, 9)


def test_bounds_of_the_same_facts_share_a_counter() -> None:
    """Estimates take counters as independent, and a sweep has a field for each."""
    facts = [is_(v, 1) for v in "abcdef"]
    both = [Count(facts, 1, 4), Count(facts[::-1], 3, 6)]
    problem = Problem(dict.fromkeys("abcdef", range(3)), both)
    bounds = Bounds(Model(problem))
    [component] = residue(bounds, bounds.narrow(bounds.start)).components
    assert [(counter.low, counter.high) for counter in component.counters] == [(3, 4)]
    assert Knowledge(problem, engine="counting").count() == 20 * 8 + 15 * 4
    opposites = [is_(v, 0, 2) for v in "abcdef"]  # 2 to 3 of the others are 3 to 4 of these
    for more in ([Count(opposites, 2, 3)], [Sum([(f, 2) for f in opposites], 4, 7)]):
        left = Problem(problem.domains, [Count(facts, 1, 5), *more])
        assert Knowledge(left, engine="counting").count() == 20 * 8 + 15 * 4, more
    bounds = Bounds(Model(Problem(problem.domains, [Count(facts, 1, 5), Count(opposites, 2, 3)])))
    [component] = residue(bounds, bounds.narrow(bounds.start)).components
    assert [(counter.low, counter.high) for counter in component.counters] == [(3, 4)]
    never = Problem(problem.domains, [exactly(2, facts), exactly(3, facts)])
    assert Knowledge(never, engine="counting").count() == 0
