"""Over budget, interrupted, not installed: three things that are never "no"."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from deduce.budget import Budget, cpu_seconds
from deduce.constraints import Where, at_most, is_
from deduce.engines import choose
from deduce.engines.base import Engine, Tally
from deduce.engines.choose import LARGE, size_of
from deduce.engines.core.model import Model
from deduce.engines.count import Counting
from deduce.engines.solve.bits import Bits
from deduce.engines.solve.cpsat import CpSat
from deduce.engines.solve.reference import Reference
from deduce.errors import Undecided, Unsupported
from deduce.knowledge import Knowledge
from deduce.problem import Problem
from deduce.reasoning.queries import Answer, Asker
from games.pigs.game import Pigs
from tests.engines.bodies import meter
from tests.known import KNOWN

DATA = Path(__file__).parents[1] / "data"
PUZZLE = Path(__file__).parents[2] / "games" / "pigs" / "examples" / "puzzle.pigs"


def _crowded(number: int) -> Problem:
    """One pigeon too many, in a form that propagation alone does not refute."""
    pigeons = {f"pigeon {p}": range(number - 1) for p in range(number)}
    holes = range(number - 1)
    return Problem(pigeons, [at_most(1, [is_(pigeon, h) for pigeon in pigeons]) for h in holes])


def _odd_graph(size: int) -> Problem:
    """Parities that add up to an odd number, on a random graph of degree 4 (Tseitin 1968)."""
    ends = [node for node in range(size) for _ in range(4)]
    Random(3).shuffle(ends)
    edges = [pair for pair in zip(ends[::2], ends[1::2], strict=True) if pair[0] != pair[1]]

    def parity(odd: bool) -> Callable[..., bool]:
        return lambda *bits: sum(bits) % 2 == odd

    rules = [
        Where([e for e, pair in enumerate(edges) if node in pair], parity(node == 0))
        for node in range(size)
    ]
    return Problem(dict.fromkeys(range(len(edges)), (0, 1)), rules)


@pytest.mark.parametrize(
    ("engine", "problem", "budget"),
    [
        (Bits(hamming=False), _crowded(9), Budget(steps=20)),
        (Counting(), _crowded(9), Budget(steps=20)),
        (Reference(), _crowded(9), Budget(steps=20)),
        (CpSat(), _odd_graph(60), Budget(steps=20)),
        (CpSat(), _odd_graph(60), Budget(steps=300_000)),
        (CpSat(), _odd_graph(60), Budget(steps=None, seconds=0.05)),
        (CpSat(), _crowded(9), Budget(seconds=0)),
    ],
    ids=[
        "bits",
        "counting",
        "reference",
        "cpsat-no-steps",
        "cpsat-steps",
        "cpsat-seconds",
        "cpsat-no-time",
    ],
)
def test_a_spent_budget_is_undecided(engine: Engine, problem: Problem, budget: Budget) -> None:
    model = Model(problem)
    with pytest.raises(Undecided, match="decided within"):
        engine.solve(model, budget.meter())
    with pytest.raises(Undecided, match="decided within"):
        engine.possible(model, budget.meter())


def _recorded(name: str) -> Model:
    """Return a recorded log of Pigs (the hardest problems that we have), or the bundled puzzle."""
    if name == "puzzle":
        return Model(Knowledge.of(Pigs.parse_log(PUZZLE.read_text())).problem)
    cases = json.loads((DATA / "pigs_inference.json").read_text())["cases"]
    case = next(case for case in cases if case["id"] == name)
    return Model(Knowledge.of(Pigs.log_from_json(case)).problem)


@pytest.mark.parametrize("engine", [Bits(), Counting(), CpSat(), Reference()])
def test_a_step_takes_about_the_same_time_in_every_engine(engine: Engine) -> None:
    """A budget of nominally half a second ends long before a minute, on any machine.

    `possible` by bits on the bundled puzzle once ran for more than nine minutes.
    """
    model = _recorded("puzzle")
    started = cpu_seconds()
    with suppress(Undecided):
        engine.possible(model, Budget(steps=1_500_000).meter())
    assert cpu_seconds() - started < 30


def test_cpsat_answers_what_is_large_and_asks_for_yes_or_no() -> None:
    large = Asker(_recorded("g199"))
    assert size_of(large.model.statements) >= LARGE
    assert large.solve().engine == "cpsat"
    assert large.is_consistent(is_(("role", 3), "ZP")).engine == "cpsat"
    assert large.is_certain(is_(("card", 2, 1), "J")).engine == "cpsat"
    small = Asker(_recorded("g023"))
    assert size_of(small.model.statements) < LARGE
    assert small.solve().engine == "bits"
    # What counts is the part of the problem that is asked about, as explanations do.
    assert large.solve_selection(large.model.statements[: LARGE // 2]).engine != "cpsat"


def test_without_cpsat_the_others_answer_what_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "find_spec", lambda name: None)
    names = [e.name for e, _ in choose.engines_for("solve", _recorded("g199"), meter())]
    assert names == ["counting", "bits"]


def test_cpsat_gives_the_worlds_it_has_before_its_budget_ends() -> None:
    problem = next(known.problem for known in KNOWN if known.name == "small table")
    now = [0.0]
    budget = Budget(steps=None, seconds=60, clock=lambda: now[0])
    found = CpSat().worlds(Model(problem), budget.meter())
    assert problem.holds(next(found))
    now[0] = 61
    with pytest.raises(Undecided):
        list(found)


CTRL_C = """
import signal, threading, time
from ortools.sat.python.cp_model import CpSolver
from deduce.budget import Budget
from deduce.engines.solve.cpsat import CpSat
from deduce.engines.core.model import Model
from tests.engines.test_budgets import _odd_graph

def press():
    signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)

def begun(solver, *arguments):
    if when == "before":
        time.sleep(0.2)
        press()
        time.sleep(0.3)  # the main thread has time to stop a solver that has not begun
    else:
        threading.Timer(0.3, press).start()
    return solve(solver, *arguments)

solve, CpSolver.solve = CpSolver.solve, begun
for when in ("before", "within"):
    try:
        CpSat().solve(Model(_odd_graph(60)), Budget(steps=None).meter())
    except KeyboardInterrupt:
        print("stopped", when)
"""


def test_cpsat_stops_at_ctrl_c() -> None:
    """In a process of its own: a Ctrl-C that came late would end the tests."""
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", CTRL_C]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "stopped before\nstopped within\n"


@pytest.mark.parametrize(
    ("engine", "module", "package"),
    [
        (CpSat(), "ortools.sat.python", "ortools"),
        (Reference(), "constraint", "python-constraint2"),
    ],
    ids=["cpsat", "reference"],
)
def test_a_missing_package_is_named(
    engine: Engine, module: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    message = f"engine '{engine.name}' needs {package}, which is not installed here"
    with pytest.raises(Unsupported, match=message):
        engine.solve(Model(_crowded(3)), meter())


def test_the_time_for_loading_a_package_counts_toward_no_limit() -> None:
    now = [0.0]
    budget = Budget(seconds=2, until=5, clock=lambda: now[0]).begun()
    meters = [budget.meter(), budget.meter().share(100), budget.meter().share(100, halved=True)]
    with meters[2].loading():
        now[0] += 30
    meters += [budget.meter(), meters[0].share()]
    assert [meter.seconds_left() for meter in meters] == [2, 2, 1, 2, 2]
    assert Budget(until=40, clock=lambda: now[0]).meter().seconds_left() == 10
    now[0] += 3
    with pytest.raises(Undecided, match="time limit"):
        meters[0].check()


def test_counting_lists_as_many_worlds_as_it_counts() -> None:
    model = Model(_crowded(3))
    found = [tuple(world.values()) for world in Counting().worlds(model, meter())]
    assert len(found) == len(set(found)) == Counting().total(model, meter(), weighted=False)


def test_what_was_undecided_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    tally = Asker.tally

    def counted(asker: Asker, *, weighted: bool) -> Answer[Tally]:
        asked.append(asker.engine)
        return tally(asker, weighted=weighted)

    monkeypatch.setattr(Asker, "tally", counted)
    few, timed = (Knowledge(_odd_graph(40), budget=b) for b in (Budget(10), Budget(10, 100.0)))
    for k, times in ((few, 1), (timed, 2), (copy.copy(few), 1)):
        asked.clear()
        for _ in range(2):
            with pytest.raises(Undecided, match="10 steps"):
                k.shares()
        assert len(asked) == times
