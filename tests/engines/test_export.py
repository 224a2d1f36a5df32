"""Exported problems, handed to other solvers: each has one solution for each world."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import deduce
from deduce import (
    BadInput,
    Count,
    Evidence,
    Knowledge,
    Problem,
    Sum,
    Where,
    at_least,
    disjoint,
    exactly,
    is_,
)
from deduce.cli.main import cli
from deduce.engines.core.model import Model
from deduce.engines.solve.cnf import Formula, formula_of
from deduce.reasoning.formats import export
from deduce.testing import enumeration as yardstick
from tests.engines.strategies import problems
from tests.known import KNOWN, Known

GAMES = Path(__file__).parents[2] / "games"
EVENING = GAMES / "cluedo" / "examples" / "evening.cluedo"


def parsed(text: str) -> tuple[int, list[list[int]]]:
    """Read DIMACS back: the number of Booleans, and the clauses."""
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    _, _, size, count = lines[0].split()
    clauses = [[int(word) for word in line.split()[:-1]] for line in lines[1:]]
    assert len(clauses) == int(count)
    return int(size), clauses


SAT = """
from pysat.solvers import Cadical153

def answer(clauses):
    with Cadical153(bootstrap_with=clauses) as solver:
        return list(solver.enum_models())
"""
GANAK = """
import pyganak

def answer(formula):
    size, clauses = formula
    counter = pyganak.Counter()
    counter.new_vars(size)
    for clause in clauses:
        counter.add_clause(clause)
    return int(counter.count())
"""
CPSAT = """
from ortools.sat.python import cp_model

class Tally(cp_model.CpSolverSolutionCallback):
    count = 0

    def on_solution_callback(self):
        self.count += 1

def answer(text):
    model = cp_model.CpModel()
    if hasattr(model.proto, "parse_text_format"):
        assert model.proto.parse_text_format(text)
    else:  # before OR-Tools 9.15
        from google.protobuf import text_format
        text_format.Parse(text, model.proto)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.cp_model_presolve = False
    solver.parameters.num_workers = 1
    tally = Tally()
    solver.solve(model, tally)
    return tally.count
"""
LOOP = """
import json, os, sys

answers = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the solver itself prints
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), file=answers, flush=True)
"""


class Solver:
    """Another solver in a process of its own: what it does there cannot end the tests.

    The process answers one line of JSON with another; one that has died is named with its exit
    code, and replaced.
    """

    def __init__(self, code: str, package: str) -> None:
        self.code, self.package = code, package
        self.process: subprocess.Popen[str] | None = None

    def __call__(self, data: Any) -> Any:
        if find_spec(self.package) is None:
            pytest.skip(f"{self.package} is not installed")
        if self.process is None:
            self.process = subprocess.Popen(
                [sys.executable, "-c", self.code + LOOP],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(BrokenPipeError):
            print(json.dumps(data), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"{self.package} ended with {self.close()}")
        return json.loads(line)

    def close(self) -> int | None:
        """End the process, if there is one, and return its exit code."""
        process, self.process = self.process, None
        if process is None:
            return None
        with suppress(BrokenPipeError):
            process.communicate()
        return process.wait()


sat, ganak, cpsat = Solver(SAT, "pysat"), Solver(GANAK, "pyganak"), Solver(CPSAT, "ortools")


@pytest.fixture(scope="module", autouse=True)
def _solvers_end() -> Iterator[None]:
    yield
    for solver in (sat, ganak, cpsat):
        solver.close()


def solutions_by_sat(formula: Formula) -> Counter[Any]:
    """Every solution as a world, found by python-sat."""
    size, clauses = parsed(formula.dimacs())
    if [] in clauses:
        return Counter()
    # A Boolean in no clause would not be part of the solutions.
    clauses += [[number, -number] for number in range(1, size + 1)]
    return Counter(yardstick.frozen_world(formula.world(literals)) for literals in sat(clauses))


def count_by_ganak(text: str) -> int:
    return int(ganak(parsed(text)))


def count_by_cpsat(text: str) -> int:
    return int(cpsat(text))


def test_a_solver_that_dies_fails_one_test_and_is_started_again() -> None:
    answer = "def answer(data): return data if data else sys.exit(7)\n"
    solver = Solver(answer, "json")
    assert solver(1) == 1
    with pytest.raises(AssertionError, match="json ended with 7"):
        solver(0)
    assert solver(2) == 2
    solver.close()


def test_a_doubted_event_excludes_nothing() -> None:
    seen = Evidence(is_("a", 1), 1, doubt=Fraction(1, 3))
    problem = Problem({"a": (1, 2, 3)}, evidence=[seen])
    assert count_by_cpsat(export(problem, "cpsat")) == 3
    assert export(problem) == export(Knowledge(problem))


def test_a_file_does_not_depend_on_the_order_of_sets() -> None:
    orders, domains = [[0, 8], [8, 0]], dict.fromkeys("ab", ("x", "y", "z"))
    items = [{"x": order, "y": [0], "z": [8]} for order in orders]
    first, second = (export(Problem(domains, [disjoint(["a", "b"], of)])) for of in items)
    assert [list(frozenset(order)) for order in orders] == orders
    assert first == second


SMALL = [known for known in KNOWN if known.worlds <= 150]


@pytest.mark.parametrize("known", SMALL, ids=lambda known: known.name)
def test_known_problems_have_as_many_solutions_as_worlds(known: Known) -> None:
    worlds = Counter(map(yardstick.frozen_world, Knowledge(known.problem).worlds()))
    assert solutions_by_sat(formula_of(known.problem)) == worlds
    assert count_by_cpsat(export(known.problem, "cpsat")) == known.worlds


@given(problem=st.one_of(problems(), problems("nested")))
def test_random_problems_have_as_many_solutions_as_worlds(problem: Problem) -> None:
    worlds = Counter(map(yardstick.frozen_world, yardstick.worlds(problem)))
    assert solutions_by_sat(formula_of(Knowledge(problem).problem)) == worlds


@given(problem=problems())
def test_random_problems_are_counted_alike_by_cpsat(problem: Problem) -> None:
    assert count_by_cpsat(export(problem, "cpsat")) == len(yardstick.worlds(problem))


COUNTED = [known for known in KNOWN if known.name != "5 pigeons in 4 holes"]
"""What Ganak counts in a fraction of a second; its preprocessing of the pigeons takes 33 s."""


@pytest.mark.parametrize("known", COUNTED, ids=lambda known: known.name)
def test_a_model_counter_counts_the_worlds(known: Known) -> None:
    text = export(known.problem)
    if [] in parsed(text)[1]:
        pytest.skip("the counter takes no empty clause")
    assert count_by_ganak(text) == known.worlds


def test_a_log_of_cluedo_is_counted_alike() -> None:
    k = deduce.read(EVENING).upto(12)
    assert count_by_ganak(export(k)) == k.count()
    assumed = k.assume("rope=dora")
    assert 0 < assumed.count() < k.count()
    assert count_by_ganak(export(assumed)) == assumed.count()


@pytest.mark.parametrize(
    ("example", "upto"),
    [("quartets/examples/evening.quartets", 12), ("pigs/examples/kept-slash.pigs", 13)],
)
def test_logs_of_the_other_hidden_games_are_counted_alike(example: str, upto: int) -> None:
    k = deduce.read(GAMES / example).upto(upto)
    assert k.count() > 1
    assert count_by_ganak(export(k)) == k.count()


def test_names_and_sentences_are_kept() -> None:
    k = deduce.read(EVENING)
    assert "c 1 " in export(k)
    assert any(line.endswith(" Rope is Ann") for line in export(k).splitlines())
    text = export(k, "cpsat")
    assert 'name: "Rope=Ann"' in text
    assert "Cid" in text


def test_every_form_of_a_constraint_is_encoded() -> None:
    pairs = Where(("a", "b"), lambda a, b: a < b)
    rare = Where(("a", "b", "c"), lambda a, b, c: (a, b, c) == (1, 2, 3))
    facts = [is_(v, 1, 2) for v in "abc"]
    sums = Sum([(is_(v, value), value) for v in "abc" for value in (1, 2)], 2, 4)
    for extra in (pairs, rare, at_least(1, facts), Count(facts, 1, 2), exactly(0, facts), sums):
        problem = Problem(dict.fromkeys("abc", (1, 2, 3)), [extra])
        worlds = Counter(map(yardstick.frozen_world, yardstick.worlds(problem)))
        assert solutions_by_sat(formula_of(problem)) == worlds
        assert Model(problem).variables == ("a", "b", "c")


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(BadInput, match="did you mean 'dimacs'"):
        export(Problem({"a": (1,)}), "dimac")


def test_the_command_writes_both_formats(tmp_path: Path) -> None:
    def run(*args: str) -> str:
        result = CliRunner().invoke(cli, ["cluedo", "model", str(EVENING), *args])
        assert result.exit_code == 0, result.output
        return result.output

    k = deduce.read(EVENING)
    assert run() == export(k)
    for name, form in (("a.cnf", "dimacs"), ("a.pbtxt", "cpsat")):
        path = tmp_path / name
        assert run("--to", str(path)).startswith(f"{path}: ")
        assert path.read_text(encoding="utf-8") == export(k, form)
    document = json.loads(run("--json", "--format", "cpsat", "--assume", "mustard=Ben"))
    assert document["schema"] == "deduce/model/1"
    assert document["text"] == export(k.assume("mustard=Ben"), "cpsat")
