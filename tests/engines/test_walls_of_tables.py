"""Problems of predicates that other tools answered, and deduce once did not."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from deduce import Knowledge, Sum, at_most, exactly, is_
from deduce.budget import Budget
from deduce.constraints import Constraint
from deduce.engines.choose import STEPS_LISTED, engine
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.different import summed
from deduce.engines.core.model import Model
from deduce.engines.core.residue import residue
from deduce.engines.count.branches import can_list
from deduce.engines.count.part import MAX_SIZE
from deduce.engines.count.sweep.order import remembering
from deduce.engines.count.sweep.plan import Plan
from deduce.problem import Problem
from tests.benchmarks.walls_of_tables import (
    loops,
    multiplier,
    timetable,
)
from tests.engines.bodies import meter


def test_who_met_dot_alone_and_when() -> None:
    known = Knowledge(timetable())
    assert known.count() == 97_488_795_460_134
    who = known.shares()["who"]
    assert {name: f"{float(share):.4f}" for name, share in who.items()} == {
        "Ann": "0.2835",
        "Ben": "0.2231",
        "Cid": "0.2231",
        "Eli": "0.2703",
    }
    first = known.assume(is_("time", 0)).count()
    assert known.shares()["time"].get(0, 0) * known.count() == first
    for world in known.sample(20, seed=1):
        assert known.problem.holds(world)


def steps(problem: Problem) -> int:
    meter = Budget().meter()
    engine("counting").tally(Model(problem), meter, weighted=False)
    return meter.steps


@pytest.mark.parametrize(("times", "people"), [(9, 5), (6, 7)])
def test_states_of_larger_timetables_fit_a_word(times: int, people: int) -> None:
    model = Model(timetable(times, people))
    (component,) = residue(Bounds(model), model.start).components
    plans = (Plan(component, meter(), *of) for of in remembering(component, meter()))
    assert next(plans).size <= MAX_SIZE  # seven people have 536,997,428,507,311,795,008 worlds


def test_predicates_that_are_always_true_cost_next_to_nothing() -> None:
    plain, idle = timetable(crime=False), timetable(crime=False, idle=24)
    assert Knowledge(plain).shares() == Knowledge(idle).shares()
    assert steps(idle) <= 1.1 * steps(plain)


@pytest.mark.parametrize("known", [True, False])
def test_a_faulty_multiplier(*, known: bool) -> None:
    problem = multiplier(2, known=known)
    by_sweep, by_search = (Knowledge(problem, engine=name) for name in ("counting", "components"))
    assert by_sweep.count() == by_search.count()
    assert by_sweep.posterior() == by_search.posterior()
    larger = multiplier(3, known=known)
    assert Knowledge(larger).posterior() == Knowledge(larger, engine="counting").posterior()


def test_rows_with_long_weights_are_not_listed() -> None:
    """A list of a million rows took 7 s for their weights, and a sweep 0.5."""
    model = Knowledge(multiplier(4, known=False)).asker.model
    assert not can_list(model, Budget().meter(), STEPS_LISTED)


def test_a_larger_multiplier() -> None:
    assert Knowledge(multiplier(4)).count() == 21_122_742_409_069_005_212_771_894_192
    posterior = Knowledge(multiplier(4)).posterior()
    assert all(sum(row.values()) == 1 for row in posterior.values())


@pytest.mark.parametrize("engine_name", ["auto", "counting"])
def test_all_unions_of_loops_are_listed(engine_name: str) -> None:
    worlds = list(Knowledge(loops(), engine=engine_name).worlds())
    assert len(worlds) == 23_858
    assert len({tuple(world.values()) for world in worlds}) == 23_858
    holds: Callable[..., bool] = loops().holds
    assert all(map(holds, worlds[::500]))


def test_sums_of_different_values_as_integers() -> None:
    """Against the list of all worlds, with what is nearly such a group, or nearly linear."""
    taken = kinds = 0
    for seed in range(40):
        random = Random(seed)
        values = random.sample(range(-3, 12), random.randint(3, 4))
        cells = range(random.randint(3, 5))
        rules: list[Constraint] = []
        for _ in range(random.randint(1, 3)):
            run = random.sample(cells, random.randint(2, min(3, len(values))))
            factor, shift = random.choice((1, 1, 2, -1)), random.randint(-2, 2)
            worth = {value: factor * place + shift for place, value in enumerate(values)}
            if not random.randrange(4):
                worth[values[0]] += 1  # not linear
            terms = [(is_(cell, value), worth[value]) for cell in run for value in values]
            picked = sum(random.choice(list(worth.values())) for _ in run)
            low = picked - random.randint(0, 2)
            rules.append(Sum(terms, low, low + random.randint(0, 2)))
            one = exactly if len(run) == len(values) and random.randrange(2) else at_most
            some = values[1:] if not random.randrange(4) else values  # one value may repeat
            rules += [one(1, [is_(cell, value) for cell in run]) for value in some]
        problem = Problem(dict.fromkeys(cells, values), rules)
        model = Model(problem)
        is_taken = bool(summed(model, model.statements).sums)
        taken += is_taken
        by_list = Knowledge(problem, engine="bits")
        by_integers = Knowledge(problem, engine="cpsat")
        consistent = by_list.is_consistent()
        kinds += is_taken and consistent
        assert by_integers.is_consistent() == consistent
        if consistent:
            assert by_integers.possible() == by_list.possible() == Knowledge(problem).possible()
            assert by_integers.count() == by_list.count()
    assert taken >= kinds > 10
