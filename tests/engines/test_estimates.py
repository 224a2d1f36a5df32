"""Estimates: their intervals cover the truth, and no certainty is claimed that is not proved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, islice
from math import log
from random import Random

import pytest

from deduce import (
    Budget,
    Contradiction,
    Knowledge,
    Problem,
    Undecided,
    at_most,
    exactly,
    is_,
    permutation,
)
from deduce.constraints import Constraint, Sum, Where
from deduce.engines.count import chains, sampling
from deduce.estimates import Estimate, interval, share_estimate
from deduce.logic import any_of, disjoint
from deduce.reasoning.estimating import Estimates, part_for_estimates
from deduce.reasoning.likelihoods import Likelihood
from deduce.testing.frequencies import surprise
from deduce.testing.problems import LARGE, SHAPES, generated
from tests.benchmarks.situations import BIG_DECK, position
from tests.engines.test_components import speakers

TINY = Budget(steps=1)
"""Nothing is counted within it."""

SEEDS = range(8)


@pytest.fixture(params=["arrays", "one by one"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Draw with numpy, and without."""
    if request.param == "one by one":
        monkeypatch.setattr(sampling, "has_arrays", lambda: False)
    return str(request.param)


def known(shape: str, way: str) -> Iterator[Knowledge]:
    """Yield knowledge of problems that have a world with a weight."""
    for seed in SEEDS if way == "arrays" else SEEDS[:3]:
        k = Knowledge(generated(Random(seed), shape), budget=Budget(steps=2_000_000))
        try:
            k.posterior()
            k.shares()
        except (Contradiction, Undecided):
            continue
        yield k


def fresh(k: Knowledge) -> Knowledge:
    """Return the same knowledge without answers, which cannot count."""
    return k.using(budget=TINY)


def test_intervals_cover_the_exact_numbers(way: str) -> None:
    """Of each problem a few numbers count: they depend on each other."""
    numbers: Counter[bool] = Counter()
    for k in chain.from_iterable(known(shape, way) for shape in sorted(SHAPES.keys() - LARGE)):
        exact = k.posterior()
        drawn = Estimates(k.using(budget=Budget()).asker, weighted=True).drawn(200)
        inside = []
        for variable, row in drawn.shares().items():
            assert sum(map(float, row.values())) == pytest.approx(1, abs=0.03)
            for value, estimate in row.items():
                truth = exact[variable].get(value, Fraction(0))
                if estimate.exact:
                    assert truth == estimate.value
                    continue
                assert 0 < estimate.value < 1
                assert estimate.error > 0
                assert estimate.low <= estimate.value <= estimate.high
                inside.append(estimate.low - 1e-9 <= truth <= estimate.high + 1e-9)
        numbers.update(Random(1).sample(inside, min(3, len(inside))))
    assert numbers.total() > (150 if way == "arrays" else 50)
    assert numbers[True] >= (0.93 if way == "arrays" else 0.9) * numbers.total()


@pytest.mark.parametrize("shape", sorted(SHAPES.keys() - LARGE))
def test_drawn_worlds_fit_and_the_number_of_worlds_has_no_bias(shape: str, way: str) -> None:
    deviations = []
    for k in islice(known(shape, way), 1):
        drawn = sampling.Sampler(k.asker.model, Budget().meter(), weighted=False)
        for _ in drawn.grow(500 if way == "arrays" else 100):
            pass
        worlds, shares, weights = drawn.worlds()
        assert sum(weights) == pytest.approx(1)
        assert all(
            k.problem.holds(world) for world, share in zip(worlds, shares, strict=True) if share
        )
        if drawn.runs:
            logarithm, error = drawn.total()
            deviations.append((logarithm - log(k.count())) / max(error, 0.01))
    assert all(abs(each) < 5 for each in deviations)
    assert abs(sum(deviations)) <= 4 * max(1, len(deviations)) ** 0.5


def test_everything_is_estimated_where_nothing_is_counted() -> None:
    k = Knowledge(permutation(list("abcdef"), range(6)), budget=TINY).tell("a!=0")
    with pytest.raises(Undecided):
        k.count()
    number = k.count(estimate=True)
    assert isinstance(number, Estimate)
    assert not number.exact
    assert number.low <= 600 <= number.high
    shares = k.shares(estimate=True)
    assert set(shares["a"]) == set(range(1, 6))
    joint = k.joint("a", "b", estimate=True)
    assert not joint.exact
    covered = [each.low <= Fraction(1, 25) <= each.high for each in joint.values()]
    assert len(covered) == 25
    assert sum(covered) >= 22
    drawn = k.sample(20, seed=3, estimate=True)
    assert len(drawn) == 20
    assert all(map(k.problem.holds, drawn))
    assert list(drawn) == list(fresh(k).sample(20, seed=3, estimate=True))


def test_a_sum_that_no_world_has_is_undecided(way: str) -> None:
    amounts = {"a": 1000, "b": 1000, "c": 1000, "d": 7, "e": 7}
    total = Sum([(is_(name, 1), amount) for name, amount in amounts.items()], 1500, 1600)
    rules: list[Constraint] = [total, Where(("d", "e"), lambda d, e: d <= e)]
    k = Knowledge(Problem(dict.fromkeys(amounts, (0, 1, 2)), rules), budget=TINY)
    with pytest.raises(Undecided):
        k.count(estimate=True)


def test_what_is_counted_is_exact_with_estimates_too() -> None:
    k = Knowledge(permutation(list("abc"), range(3)))
    number = k.count(estimate=True)
    assert number == Estimate.proved(6, counts=True)
    assert number.exact
    assert {str(e) for e in k.posterior(estimate=True)["a"].values()} == {"33.3 %"}
    assert all(e.value == Fraction(1, 3) for e in k.shares(estimate=True)["a"].values())
    joint = k.joint("a", estimate=True)
    assert dict(joint)[(0,)].value == Fraction(1, 3)
    assert k.sample(2, seed=0, estimate=True).exact


@pytest.mark.parametrize(("seed", "others"), [(1, 0), (3, 0), (1, 70)])
def test_counts_of_mostly_the_same_facts_are_drawn_together(seed: int, others: int) -> None:
    """Taken as independent they gave 0.9998 +- 0.001 instead of 0.958; also among many others."""
    some = 24
    names = range(some + 2)
    problem = Problem(
        dict.fromkeys(names, ("a", "b")),
        [
            exactly(some + 1, [is_(name, "a") for name in names]),
            exactly(1, [is_(name, "b") for name in names[:some]]),
            *(
                at_most(2, [is_(name, "b") for name in three])
                for three in islice(combinations(names, 3), others)
            ),
        ],
    )
    estimates = Estimates(Knowledge(problem).asker, weighted=False, seed=seed).drawn().shares()
    for value, right in (("a", Fraction(some - 1, some)), ("b", Fraction(1, some))):
        assert all(surprise(estimates[name][value], right) < 9 for name in names[:some])


def test_slips_are_estimated() -> None:
    k = Knowledge(permutation(list("abcd"), range(4)), doubts=0.1).tell("a=0", "a=0", "b=1", "a=1")
    exact = {slip.event: slip for slip in k.slips()}
    estimated = fresh(k).slips(estimate=True)
    assert all(slip.exact for slip in exact.values())
    for slip in estimated:
        assert slip.estimate is not None
        assert not slip.exact
        assert slip.estimate.low <= exact[slip.event].probability <= slip.estimate.high


def test_no_world_is_not_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deduce.reasoning.estimating.LEAST_STEPS", 50_000)
    cells = [f"x{i}" for i in range(5)]
    pairs = [exactly(1, [is_(a, 1), is_(b, 1)]) for a in cells for b in cells if a < b]
    k = Knowledge(Problem(dict.fromkeys(cells, (0, 1)), pairs), budget=TINY)
    with pytest.raises(Undecided):
        k.posterior(estimate=True)


def test_what_is_never_drawn_may_have_a_share_of_three_draws() -> None:
    for draws in (50, 500, 5000):
        never = share_estimate((0.0, 0.0, 0.0), draws)
        assert 2.8 <= never.high * draws <= 3.1
        assert never.low == 0 < never.value
        always = share_estimate((1.0, 1 / draws, 1 / draws), draws)
        assert 2.8 <= (1 - always.low) * draws <= 3.1
        assert always.high == 1 > always.value
    assert interval(0, 0) == (0, 1)


def test_the_budget_holds_and_states_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    k = Knowledge(permutation(range(30), range(30)))
    with pytest.raises(Undecided):
        Estimates(k.using(budget=Budget(steps=1000)).asker, weighted=False).drawn()
    exact, rest = part_for_estimates(Budget(seconds=3))
    assert exact.until is not None
    assert rest.until is not None
    assert exact.until < rest.until
    monkeypatch.setattr(chains, "MAX_SIZE", 10)
    with pytest.raises(Undecided, match="too many states"):
        Estimates(k.asker, weighted=False)


def test_a_tight_problem_makes_runs_of_many_worlds(way: str) -> None:
    """Of a parity of many variables, half of what is drawn one by one has no world."""
    random = Random(5)
    names = list(range(24))
    rules: list[Constraint] = []
    for _ in range(14):
        some = random.sample(names, 4)
        rules.append(Where(some, lambda *values: sum(values) % 2 == 0))
    k = Knowledge(Problem(dict.fromkeys(names, (0, 1)), rules))
    drawn = Estimates(k.asker, weighted=False).drawn(60)
    number = drawn.count()
    assert number.low <= k.count() <= number.high


def test_a_sweep_of_hands_has_more_states_where_no_hand_was_seen() -> None:
    own, classic = position(4, 10, 12, BIG_DECK), position(4, 8, 12)
    bystander = own.seen_by(None)
    assert bystander.asker.states_of_hands() > own.asker.states_of_hands() > 0
    assert not bystander.using(engine="counting").asker.states_of_hands()
    assert not classic.seen_by(None).asker.states_of_hands()


def test_a_pilot_leaves_something_for_the_runs() -> None:
    """Long runs are needed, of which the usual number of first ones costs more than the budget."""
    whole = speakers(120, 0)
    problem = Problem(whole.domains, [rule.constraint for rule in whole.rules][:90])
    asker = Knowledge(problem, budget=Budget(steps=300_000)).asker
    assert Estimates(asker, weighted=False).drawn().draws > 10


def test_what_propagation_settles_only_for_the_draws_has_one_value() -> None:
    """A choice between conditions is propagated further where they are lowered to Counts."""
    items = {0: "a", 1: "a", 2: "abc", 3: ""}
    apart = disjoint(["x", "y"], items)
    k = Knowledge(Problem({"x": (1, 2, 3), "y": (0, 1, 2)}, [any_of([apart, apart])]))
    assert k.asker.narrowed()["x"] == {1, 2, 3}
    assert k.estimates().shares()["x"] == {3: Estimate.proved(1)}


def test_a_drawn_world_without_weight_makes_no_answer_wrong() -> None:
    parts = ((0, 1), (0, 0))
    apart = Likelihood([is_("a", 1)], [0, 1], parts=parts, sentences=("other",))
    assert sum(apart.hypotheses({0: 1})) == 0
    assert sum(apart.hypotheses({1: 1})) == 1
