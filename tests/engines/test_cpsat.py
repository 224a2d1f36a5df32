"""CP-SAT's own business: cores, laziness, the same answer every time."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings

from deduce.constraints import Where, exactly, is_, is_not
from deduce.engines.cpsat import CpSat
from deduce.engines.model import Model
from deduce.problem import Problem
from tests.engines import yardstick
from tests.engines.bodies import meter
from tests.engines.strategies import problems
from tests.known import KNOWN

CARDS = dict.fromkeys("abcd", ("Ann", "Ben"))
HANDS = [exactly(2, [is_(card, who) for card in CARDS]) for who in ("Ann", "Ben")]


@settings(max_examples=40)
@given(problem=problems())
def test_core_is_a_contradiction_and_absent_exactly_when_there_is_a_world(problem: Problem) -> None:
    model = Model(problem)
    constraints = list(problem.constraints())
    groups = [[statement] for statement in model.statements]
    core = CpSat().core(model, meter(), groups)
    assert (core is None) == bool(yardstick.worlds(problem))
    if core is not None:
        assert set(core) <= set(range(len(groups)))
        assert not yardstick.worlds(Problem(problem.domains, [constraints[g] for g in core]))


def test_core_leaves_out_what_has_no_part_in_it() -> None:
    seen = [is_not("d", "Ben"), is_("a", "Ben"), is_("b", "Ben"), is_("c", "Ben")]
    model = Model(Problem(CARDS, [*HANDS, *seen]))
    rules, evidence = model.statements[:2], model.statements[2:]
    core = CpSat().core(model, meter(), [[piece] for piece in evidence], rules)
    assert core == (1, 2, 3)


def test_core_takes_groups_of_several_statements_and_of_every_kind() -> None:
    differ = Where(("a", "b"), lambda a, b: a != b)
    model = Model(Problem(CARDS, [*HANDS, is_("c", "Ann"), is_("d", "Ann"), differ]))
    rules, (c, d, where) = model.statements[:2], model.statements[2:]
    assert CpSat().core(model, meter(), [[c, d], [where]], rules) == (0, 1)
    assert CpSat().core(model, meter(), [[c], [where]], rules) is None
    assert CpSat().core(model, meter(), [], rules) is None


@pytest.mark.parametrize("named", [[], [0]])
def test_a_core_that_a_fresh_solve_does_not_confirm_becomes_all_groups(
    named: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    import deduce.engines.cpsat as module

    monkeypatch.setattr(module._Encoding, "named", lambda _self, _guards: named)
    model = Model(Problem(CARDS, [*HANDS, *(is_(card, "Ann") for card in "abc")]))
    core = CpSat().core(model, meter(), [[s] for s in model.statements[2:]], model.statements[:2])
    assert core == (0, 1, 2)


def test_worlds_come_one_by_one_without_listing_all() -> None:
    """Thirty free cards: a thousand million worlds, of which three are asked for."""
    model = Model(Problem({f"card {n}": ("Ann", "Ben") for n in range(30)}))
    first = list(islice(CpSat().worlds(model, meter()), 3))
    assert len({yardstick.frozen_world(world) for world in first}) == 3


def test_the_same_question_gives_the_same_worlds() -> None:
    problem = next(known.problem for known in KNOWN if known.name == "derangements of 5")
    runs = [list(CpSat().worlds(Model(problem), meter())) for _ in range(2)]
    assert runs[0] == runs[1]
