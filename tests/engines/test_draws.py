"""Samples: exactly as often as they should be, by every outcome of the random numbers; no leaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import pytest

from deduce.budget import Budget
from deduce.constraints import Count, Weigh, at_most, exactly, is_
from deduce.engines.core.model import Model
from deduce.engines.count import Counting
from deduce.engines.count import engine as counting
from deduce.engines.count.sweep.draws import Below, below
from deduce.knowledge import Knowledge
from deduce.problem import Evidence, Problem, World
from deduce.testing import enumeration as yardstick
from games.cluedo import Cluedo
from games.cluedo.events import Hand, Show, Suggestion
from tests.benchmarks.situations import standard
from tests.engines.bodies import meter
from tests.known import KNOWN

MAX_OUTCOMES = 20_000


def outcomes(run: Callable[[Below], World]) -> Iterator[tuple[Fraction, World]]:
    """Yield what comes out for all random numbers that may be drawn, with its probability."""
    path: list[int] = []
    while True:
        sizes: list[int] = []

        def draw(size: int, sizes: list[int] = sizes) -> int:
            if len(sizes) == len(path):
                path.append(0)
            sizes.append(size)
            return path[len(sizes) - 1]

        world = run(draw)
        share = Fraction(1)
        for size in sizes:
            share /= size
        yield share, world
        while path and path[-1] + 1 == sizes[len(path) - 1]:
            path.pop()
        if not path:
            return
        path[-1] += 1


CARDS = "abcde"
SMALL = {
    **{known.name: known.problem for known in KNOWN if 1 < known.worlds <= 6},
    "alike cards, three hands": Problem(
        dict.fromkeys(CARDS, ("Ann", "Ben", "Cid")),
        [
            exactly(number, [is_(card, holder) for card in CARDS])
            for holder, number in (("Ann", 2), ("Ben", 2), ("Cid", 1))
        ],
    ),
    "a counter is settled before a group, and open again within it": Problem(
        dict.fromkeys("abcd", ("r", "s")) | dict.fromkeys("ef", ("p", "q", "r", "s")),
        [
            at_most(3, [is_("a", "s"), is_("b", "s"), is_("e", "p", "r"), is_("f", "p", "r")]),
            Count([is_("e", "p"), is_("f", "p")], 1, 2),
            Count([is_(name, "s") for name in "cdef"], 2, 3),
        ],
    ),
}


READINGS = [
    (name, weighted)
    for name, problem in SMALL.items()
    for weighted in (False, True)
    if not weighted or problem.evidence or any(isinstance(c, Weigh) for c in problem.constraints())
]


@pytest.mark.parametrize("large", [3000, 0], ids=["small", "folded"])
@pytest.mark.parametrize(("name", "weighted"), READINGS)
def test_the_probability_of_every_world_is_exact(
    name: str, weighted: bool, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = SMALL[name]
    found = yardstick.worlds(problem)
    weights = {
        yardstick.frozen_world(world): yardstick.weight(problem, world, weighted=weighted)
        for world in found
    }
    total = sum(weights.values())
    drawn: dict[object, Fraction] = {}

    def run(draw: Below) -> World:
        monkeypatch.setattr(counting, "below", lambda random: draw)
        engine = Counting(large=large, arrays=False)
        (world,) = engine.sample(model, meter(), 1, Random(0), weighted=weighted)
        return world

    model = Model(problem)
    for number, (share, world) in enumerate(outcomes(run)):
        if number == MAX_OUTCOMES:
            pytest.fail("too many outcomes to list: choose a smaller problem")
        key = yardstick.frozen_world(world)
        drawn[key] = drawn.get(key, Fraction(0)) + share
    assert drawn == {world: weight / total for world, weight in weights.items() if weight}


def test_numbers_below_are_uniform_and_repeatable() -> None:
    for number in (1, 2, 3, 5, 8, 2**70):
        draw, again = below(Random(4)), below(Random(4))
        some = [draw(number) for _ in range(2000)]
        assert some == [again(number) for _ in range(2000)]
        assert 0 <= min(some) <= max(some) < number
        if number < 10:
            share = 2000 / number
            assert all(abs(some.count(n) - share) <= 5 * share**0.5 for n in range(number))


def test_samples_of_standard_positions_follow_the_posterior() -> None:
    """Pearson's chi-square over all cards, within five standard deviations."""
    draws = 2_000
    for knowledge in standard(5):
        drawn = knowledge.sample(draws, seed=2)
        assert all(knowledge.problem.holds(world) for world in drawn[:50])
        for card, row in knowledge.posterior().items():
            held = [world[card] for world in drawn]
            assert set(held) <= set(row)
            cells = [(held.count(holder), float(share * draws)) for holder, share in row.items()]
            cells = [cell for cell in cells if cell[1] >= 5]
            freedom = max(1, len(cells) - 1)
            statistic = sum((found - expected) ** 2 / expected for found, expected in cells)
            assert statistic <= freedom + 5 * (2 * freedom) ** 0.5 + 10


def test_logs_that_look_equal_give_equal_samples() -> None:
    """Noninterference: what Ann did not see changes none of ten thousand samples."""
    game = Cluedo(players=("Ann", "Ben", "Cid"))
    scarlett, mustard, *_ = game.deck["suspect"]
    rope, pipe, *_ = game.deck["weapon"]
    hall, study, *_ = game.deck["room"]
    own = Hand("Ann", (scarlett, rope, hall, *game.deck["room"][-3:]))
    asked = (mustard, pipe, study)

    def seen_by(viewer: str, shown: str | None) -> Knowledge:
        log = [
            own,
            Suggestion("Ben", asked, (), (Show("Cid", shown),)),
            Suggestion("Cid", asked, ("Ann",)),
        ]
        return Knowledge(game, log, viewer=viewer)

    first, second = seen_by("Ann", mustard), seen_by("Ann", study)
    assert first.sample(10_000, seed=2) == second.sample(10_000, seed=2)
    drawn = first.sample(1_000, seed=0)
    assert drawn == seen_by("Ann", None).sample(1_000, seed=0)
    assert drawn != first.sample(1_000, seed=1)
    assert {world[mustard] for world in drawn} > {"Cid"}
    assert {world[mustard] for world in seen_by("Ben", mustard).sample(100, seed=0)} == {"Cid"}


@pytest.mark.parametrize("large", [0, 10**9])
def test_a_kept_sweep_draws_what_a_new_one_draws(large: int) -> None:
    problem = Knowledge(Cluedo(players=("Ann", "Ben", "Cid"))).problem
    kept, engine = Model(problem), Counting(large=large)
    assert engine.again(kept, meter(), 1, Random(0), weighted=True) is None
    engine.sample(kept, meter(), 1, Random(0), weighted=True)
    for number, seed in ((1, 1), (1, 2), (5, 3), (1, 1)):
        drawn = engine.again(kept, meter(), number, Random(seed), weighted=True)
        assert drawn == engine.sample(Model(problem), meter(), number, Random(seed), weighted=True)
    few = Budget(steps=100_000).meter()
    assert engine.again(kept, few, 1, Random(0), weighted=True) is None
    grown = kept.grown(problem.with_evidence(Evidence(is_("Rope", "Ann"), None)))
    assert grown is not None
    assert engine.again(grown, meter(), 1, Random(0), weighted=True) is None
