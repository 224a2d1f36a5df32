"""Advice from weighted draws, where drawing by a sweep would take too long."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import pytest

from deduce.budget import Budget
from deduce.engines.count import sampling
from deduce.errors import BadInput, Undecided
from deduce.knowledge import Knowledge
from deduce.policy import listed
from deduce.policy.advice import UNKNOWN, computed
from deduce.policy.listed import drawn_worlds
from games.battleship import Battleship
from tests.benchmarks.situations import BIG_DECK, position


def gains(knowledge: Knowledge, **given: Any) -> dict[Any, tuple[float, float]]:
    """Return the information of each question, and its stated error."""
    return {r.inquiry: (r.gain_bits, r.error) for r in knowledge.advise(**given).ranking}


def test_the_real_error_of_weighted_draws_is_the_stated_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    knowledge = position(3, 4, 6).seen_by("Ann")
    exact = gains(knowledge, samples=0)
    assert all(error == 0 for _, error in exact.values())
    monkeypatch.setattr(listed, "FEW_STEPS", 0)
    tried: list[int] = []
    original = listed.drawn_in_runs

    def watched(*args: Any, **given: Any) -> Any:
        drawn = original(*args, **given)
        tried.append(drawn[1])
        return drawn

    monkeypatch.setattr(listed, "drawn_in_runs", watched)
    differences = []
    for seed in (0, 1):
        estimated = gains(knowledge, samples=4000, seed=seed)
        assert estimated.keys() == exact.keys()
        differences += [
            (gain - exact[question][0]) / error
            for question, (gain, error) in estimated.items()
            if error > 1e-6
        ]
    assert len(tried) == 2
    assert min(tried) >= 4000
    assert sqrt(sum(d * d for d in differences) / len(differences)) < 2


def test_advice_is_estimated_without_a_sweep() -> None:
    knowledge = position(3, 4, 6).seen_by("Ann")
    some = [rated.inquiry for rated in knowledge.advise().ranking[::20]]
    exact = gains(knowledge, inquiries=some)
    hard = knowledge.using(budget=Budget(steps=1))
    with pytest.raises(Undecided):
        hard.advise(some)
    advice = hard.advise(some, estimate=True, samples=1000)
    assert (advice.is_exact, advice.method) == (False, "samples")
    truth = knowledge.advise(some)
    assert abs(computed(advice.entropy_bits) - computed(truth.entropy_bits)) < (
        4 * advice.entropy_error
    )
    assert 0 < advice.open_share(Fraction(0)) < advice.open_share(Fraction(1)) < 1
    assert truth.open_share(Fraction(1)) == 1
    estimated = {r.inquiry: (r.gain_bits, r.error) for r in advice.ranking}
    assert estimated.keys() == exact.keys()
    errors = [(gain - exact[of][0]) / error for of, (gain, error) in estimated.items() if error]
    assert len(errors) > len(exact) / 2
    assert sqrt(sum(d * d for d in errors) / len(errors)) < 2
    assert knowledge.advise(some, estimate=True) == truth
    with pytest.raises(BadInput, match="0 samples"):
        hard.advise(estimate=True, samples=0)


def _drawn(knowledge: Knowledge, number: int) -> listed.Drawn:
    return drawn_worlds(knowledge, number, enough=number, seed=0, weighted=True, is_large=False)


def test_the_ways_to_draw_are_tried_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    knowledge = position(0, 10, 26, BIG_DECK).seen_by("Ann")
    monkeypatch.setattr(listed, "FEW_STEPS", 0)
    monkeypatch.setattr(listed, "MANY_STEPS", 0)
    worlds, number = _drawn(knowledge, 20)
    assert (len(worlds), number) == (20, 20)  # drawn by a sweep
    small = knowledge.using(budget=Budget(300_000))
    worlds, number = _drawn(small, 20)
    assert (len(worlds), number) == (20, 20)  # drawn in runs
    assert all(map(knowledge.problem.holds, worlds))
    with pytest.raises(Undecided):
        _drawn(knowledge.using(budget=Budget(1000)), 20)


def test_more_worlds_than_draws_are_drawn() -> None:
    assert sampling.systematic([1.0], 3, Random(0)) == [0, 0, 0]
    assert sorted(set(sampling.systematic([1.0, 3.0], 8, Random(0)))) == [0, 1]


def test_a_named_engine_is_the_only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    knowledge = position(3, 4, 6).seen_by("Ann").using(engine="counting")
    monkeypatch.setattr(listed, "FEW_STEPS", 0)
    worlds, number = _drawn(knowledge, 10)
    assert (len(worlds), number) == (10, 10)


def test_advice_about_which_world_it_is_is_estimated_without_its_entropy() -> None:
    """Comparing the unknown entropy with 0 ended with a `TypeError`."""
    advice = Knowledge(Battleship(4, 4, (2, 2)), budget=Budget(steps=100)).advise(estimate=True)
    assert advice.entropy_bits is UNKNOWN
    assert not advice.is_exact
    assert advice.ranking[0].gain_bits > 0.5
