"""CP-SAT's own business: laziness, the same answer every time."""

from __future__ import annotations

from itertools import islice

import pytest

from deduce.engines.core.model import Model
from deduce.engines.solve import cpsat
from deduce.engines.solve.cpsat import CpSat
from deduce.problem import Problem
from deduce.testing import enumeration as yardstick
from tests.commands import context
from tests.engines.bodies import meter
from tests.known import KNOWN


def test_worlds_come_one_by_one_without_listing_all() -> None:
    """Thirty free cards: a thousand million worlds, of which three are asked for."""
    model = Model(Problem({f"card {n}": ("Ann", "Ben") for n in range(30)}))
    first = list(islice(CpSat().worlds(model, meter()), 3))
    assert len({yardstick.frozen_world(world) for world in first}) == 3


def test_the_same_question_gives_the_same_worlds() -> None:
    problem = next(known.problem for known in KNOWN if known.name == "derangements of 5")
    runs = [list(CpSat().worlds(Model(problem), meter())) for _ in range(2)]
    assert runs[0] == runs[1]


@pytest.mark.parametrize("steps", [0, 10**6])
def test_possible_values_are_found_when_a_better_world_is_not_found_in_a_moment(
    steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no steps for improving, each value that is new comes from a world without an aim."""
    monkeypatch.setattr(cpsat, "IMPROVING", steps)
    for known in KNOWN[:12]:
        found = yardstick.worlds(known.problem)
        expected = yardstick.possible(found) if found else {}
        assert CpSat().possible(Model(known.problem), meter()) == expected


@pytest.mark.parametrize("names", [("cluedo", "check"), ("pigs", "check"), ("quartets", "check")])
def test_each_hidden_game_offers_the_engine(names: tuple[str, str]) -> None:
    (option,) = (p for p in context(*names).command.params if p.name == "engine")
    assert "cpsat" in str(option.to_info_dict())


def test_an_error_of_the_solver_is_raised_where_it_was_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The solver has a thread of its own; what fails there must not look like an answer."""

    def fails(*_: object) -> None:
        raise MemoryError("no memory is left")

    monkeypatch.setattr("ortools.sat.python.cp_model.CpSolver.solve", fails)
    with pytest.raises(MemoryError, match="no memory is left"):
        next(CpSat().worlds(Model(KNOWN[0].problem), meter()))
