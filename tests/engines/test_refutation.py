"""The search that explains its refutations, and what the checks of an explanation remember."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given

from deduce import Budget, Knowledge, Problem, Undecided, is_, is_not
from deduce.budget import UNLIMITED
from deduce.constraints import exactly
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import Model, Statement
from deduce.engines.solve.refutation import Refuter
from deduce.problem import Evidence
from deduce.reasoning.conflicts import Checks, Effort
from deduce.reasoning.queries import Asker
from deduce.testing import enumeration as yardstick
from tests.engines.bodies import meter
from tests.engines.strategies import problems


def _chosen(model: Model, mask: int) -> list[Statement]:
    return [model.statements[bit.bit_length() - 1] for bit in bits_of(mask)]


@given(problem=problems())
def test_every_world_is_one_and_every_refutation_names_a_conflict(problem: Problem) -> None:
    """For all statements, and without each of them: against enumeration, and the core alone."""
    model = Model(problem)
    refuter = Refuter(model, model.statements, UNLIMITED)
    everything = (1 << len(model.statements)) - 1
    for left_out in range(len(model.statements) + 1):
        chosen = everything & ~(1 << left_out)
        state, core = refuter.solve(chosen, meter())
        if state is not None:
            assert all(model.satisfied(s, state) for s in _chosen(model, chosen))
            assert not (state + model.full) & model.guards ^ model.guards
        else:
            assert core & ~chosen == 0
            world = Asker(model, "bits").solve_selection(_chosen(model, core)).value
            assert world is None
    found = refuter.solve(everything, meter())[0]
    assert (found is not None) == bool(yardstick.worlds(problem))


@given(problem=problems())
def test_large_counts_are_met_by_exchanging_values(problem: Problem) -> None:
    """Small problems have no large Counts, so that each must be taken for one; from each world."""
    model = Model(problem)
    refuter = Refuter(model, model.statements, UNLIMITED)
    everything = (1 << len(model.statements)) - 1
    possible = bool(yardstick.worlds(problem))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("deduce.engines.solve.refutation.MAX_CLOSE", 0)
        near, fits = refuter.first, refuter.fits
        for left_out in range(len(model.statements), -1, -1):
            chosen = everything & ~(1 << left_out)
            state, core = refuter.solve(chosen, meter(), near, fits)
            if state is None:
                assert Asker(model, "bits").solve_selection(_chosen(model, core)).value is None
                assert core & ~chosen == 0
                assert chosen != everything or not possible
            else:
                assert all(model.satisfied(s, state) for s in _chosen(model, chosen))
                near, fits = state, refuter.fitting(state, near, fits)
                assert list(bits_of(fits)) == [
                    1 << place
                    for place, statement in enumerate(model.statements)
                    if model.satisfied(statement, state)
                ]


@given(problem=problems())
def test_checks_agree_with_asking_each_time(problem: Problem) -> None:
    model = Model(problem)
    variable, domain = next(iter(problem.domains.items()))
    against = [model.compile(is_(variable, domain[0])), model.compile(is_not(variable, domain[0]))]
    checks = Checks(Asker(model), against)
    size = len(model.statements)
    for chosen in [*range(1 << min(size, 3)), (1 << size) - 1]:
        expected = Asker(model, "bits").solve_selection(_chosen(model, chosen)).value
        world = checks.world(chosen)
        assert (world is None) == (expected is None)
        if world is None:
            assert checks.needed & ~chosen == 0
            needed = _chosen(model, checks.needed)
            assert Asker(model, "bits").solve_selection(needed).value is None
        else:
            assert chosen & ~checks.fitting(world) == 0


def _square() -> Problem:
    """Return a Latin square of 5 with some cells as evidence, of which the last follows."""
    cells = {(r, c): range(5) for r in range(5) for c in range(5)}
    units = [[(r, c) for c in range(5)] for r in range(5)]
    units += [[(r, c) for r in range(5)] for c in range(5)]
    rules = [exactly(1, [is_(cell, v) for cell in unit]) for unit in units for v in range(5)]
    given_ = [(r, c) for r in range(5) for c in range(5) if (r, c) not in {(0, 0), (2, 2)}]
    told = [Evidence(is_(cell, sum(cell) % 5), n) for n, cell in enumerate(given_, 1)]
    return Problem(cells, rules, told)


def test_a_proof_is_kept_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever check is the last that is in time, the proof names a conflict."""
    problem = _square()
    model = Model(problem)
    claim = is_((0, 0), 0)
    whole = Knowledge(problem).why(claim)
    assert (len(whole.steps), whole.smallest) == (4, True)
    sizes = set()
    for last in range(2, 30):
        real, calls = Checks.world, []

        def world(
            self: Checks,
            chosen: int,
            sides: Sequence[int] | None = None,
            *,
            effort: Effort = "usual",
        ) -> int | None:
            calls.append(chosen)  # noqa: B023
            if len(calls) > last:  # noqa: B023
                raise Undecided("not decided within the time limit")
            return real(self, chosen, sides, effort=effort)  # noqa: B023

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Checks, "world", world)
            why = Knowledge(problem).why(claim)
        assert why.verdict == "certain"
        first = len(problem.rules)
        selection = [model.statements[first + number - 1] for number in why.events]
        rules = [
            statement
            for rule, statement in zip(problem.rules, model.statements[:first], strict=True)
            if str(rule) in why.rules
        ]
        against = model.compile(is_not((0, 0), 0))
        assert Asker(model).solve_selection([*rules, *selection, against]).value is None
        sizes.add((len(why.steps), why.smallest))
    assert (4, False) in sizes
    assert max(size for size, _ in sizes) > 4


def test_a_search_that_takes_too_long_is_left_to_the_engines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("deduce.reasoning.conflicts.STEPS", 0)
    why = Knowledge(_square(), budget=Budget()).why(is_((0, 0), 0))
    assert (why.verdict, len(why.steps)) == ("certain", 4)
