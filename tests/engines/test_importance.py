"""Worlds drawn by importance: their weights make up for how they were proposed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from deduce.budget import Budget
from deduce.constraints import Constraint, Count, Value, Variable, Weigh, at_most, exactly, is_
from deduce.engines.core.model import Model
from deduce.engines.count import importance
from deduce.engines.count.importance import weighted_worlds
from deduce.errors import Undecided
from deduce.problem import Problem
from deduce.testing import enumeration as yardstick
from tests.benchmarks.situations import BIG_DECK, position
from tests.engines.bodies import meter


def dealt(seed: int) -> Problem:
    """Return nine cards dealt to three, with clauses, limits and likelihoods."""
    random = Random(seed)
    cards = [f"c{i}" for i in range(9)]
    rules: list[Constraint] = [
        exactly(size, [is_(card, holder) for card in cards])
        for size, holder in zip((4, 3, 2), "ABC", strict=True)
    ]
    for _ in range(4):
        some, holder = random.sample(cards, 3), random.choice("ABC")
        kind = random.randrange(3)
        if kind == 0:
            rules.append(Count([is_(card, holder) for card in some], 1))
        elif kind == 1:
            rules.append(at_most(2, [is_(card, holder) for card in some]))
        else:
            weights = random.choice([(1, 2, 3, 4), (1, 3, 3, 3)])
            rules.append(Weigh([is_(c, holder) for c in some], list(map(Fraction, weights))))
    return Problem(dict.fromkeys(cards, ("A", "B", "C")), rules)


@pytest.mark.parametrize("seed", range(8))
def test_weighted_draws_come_as_often_as_they_should(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importance, "BATCH", 2000)
    problem = dealt(seed)
    found = list(yardstick.worlds(problem))
    for weighted in (False, True):
        drawn = weighted_worlds(
            Model(problem), meter(), 4000, Random(seed), weighted=weighted, share=0.01
        )
        assert drawn.effective >= 4000
        assert len(drawn.worlds) == len(drawn.weights) <= drawn.tried
        assert all(map(problem.holds, drawn.worlds))
        seen: Counter[tuple[Variable, Value]] = Counter()
        for world, weight in zip(drawn.worlds, drawn.weights, strict=True):
            seen.update(dict.fromkeys(world.items(), weight))
        exact = yardstick.marginals(problem, found, weighted=weighted)
        total = sum(drawn.weights)
        for variable, row in exact.items():
            whole = sum(row.values())
            for value, part in row.items():
                share = float(Fraction(part) / Fraction(whole))
                error = sqrt(share * (1 - share) / drawn.effective)
                assert abs(seen[variable, value] / total - share) <= 5 * error


def test_the_same_state_gives_the_same_draws() -> None:
    model = Model(dealt(0))
    first, again, other = (
        weighted_worlds(model, meter(), 50, Random(seed), weighted=True, share=0.01)
        for seed in (1, 1, 2)
    )
    assert (first.worlds, first.weights) == (again.worlds, again.weights)
    assert first.worlds != other.worlds


def test_nothing_is_drawn_where_nothing_is_possible() -> None:
    cells = [f"x{i}" for i in range(5)]
    pairs = [exactly(1, [is_(a, 1), is_(b, 1)]) for a in cells for b in cells if a < b]
    with pytest.raises(Undecided):
        weighted_worlds(
            Model(Problem(dict.fromkeys(cells, (0, 1)), pairs)),
            meter(),
            10,
            Random(0),
            weighted=True,
        )


def test_few_effective_proposals_are_refused_and_the_budget_holds() -> None:
    model = position(0, 10, 26, BIG_DECK).seen_by("Ann").asker.model
    with pytest.raises(Undecided, match="too few proposals"):
        weighted_worlds(model, meter(), 1000, Random(0), weighted=True)
    with pytest.raises(Undecided, match="50000 steps"):
        weighted_worlds(model, Budget(50_000).meter(), 1000, Random(0), weighted=True)


def test_a_position_of_ten_players_is_drawn_without_a_sweep() -> None:
    knowledge = position(0, 10, 6, BIG_DECK).seen_by("Ann")
    model = knowledge.asker.model
    drawn = weighted_worlds(model, Budget(5_000_000).meter(), 3000, Random(0), weighted=True)
    assert drawn.effective >= 3000
    assert max(drawn.weights) <= 10
    assert all(map(knowledge.problem.holds, drawn.worlds[:200]))


def test_a_variable_that_must_leave_a_need_to_another_one() -> None:
    """Where z takes A, x must take B, so that only y can meet the need of x or y."""
    problem = Problem(
        dict.fromkeys("xyzwv", ("A", "B")),
        [
            Count([is_("z", "A"), is_("w", "A")], 1),
            Count([is_("z", "A"), is_("v", "A")], 1),
            Count([is_("x", "A"), is_("y", "A")], 1),
            exactly(1, [is_("x", "B"), is_("z", "B")]),
        ],
    )
    drawn = weighted_worlds(Model(problem), meter(), 500, Random(0), weighted=True, share=0.01)
    found = {yardstick.frozen_world(world) for world in yardstick.worlds(problem)}
    assert {yardstick.frozen_world(world) for world in drawn.worlds} == found
