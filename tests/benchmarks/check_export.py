"""Exported problems, handed to other solvers: each has one solution for each world."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings

import deduce
from deduce import BadInput, Count, Knowledge, Problem, Where, at_least, exactly, is_
from deduce.cli import cli
from deduce.engines.cnf import Formula, formula_of
from deduce.engines.model import Model
from deduce.formats import export
from tests.engines import yardstick
from tests.engines.strategies import problems
from tests.known import KNOWN, Known

EVENING = Path(__file__).parents[2] / "games" / "cluedo" / "examples" / "evening.cluedo"


def parsed(text: str) -> tuple[int, list[list[int]]]:
    """Read DIMACS back: the number of Booleans, and the clauses."""
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    _, _, size, count = lines[0].split()
    clauses = [[int(word) for word in line.split()[:-1]] for line in lines[1:]]
    assert len(clauses) == int(count)
    return int(size), clauses


SAT = """
import json, sys
from pysat.solvers import Cadical153
with Cadical153(bootstrap_with=json.load(sys.stdin)) as solver:
    print(json.dumps(list(solver.enum_models())))
"""
GANAK = """
import json, sys, pyganak
size, clauses = json.load(sys.stdin)
counter = pyganak.Counter()
counter.new_vars(size)
for clause in clauses:
    counter.add_clause(clause)
print(counter.count())
"""


def in_a_process(code: str, package: str, data: Any) -> Any:
    """Run another solver in a process of its own: what it does there cannot end the tests."""
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, input=json.dumps(data), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


def solutions_by_sat(formula: Formula) -> Counter[Any]:
    """Every solution as a world, found by python-sat."""
    size, clauses = parsed(formula.dimacs())
    if [] in clauses:
        return Counter()
    # A Boolean in no clause would not be part of the solutions.
    clauses += [[number, -number] for number in range(1, size + 1)]
    found = in_a_process(SAT, "pysat", clauses)
    return Counter(yardstick.frozen_world(formula.world(literals)) for literals in found)


def count_by_ganak(text: str) -> int:
    return int(in_a_process(GANAK, "pyganak", parsed(text)))


def count_by_cpsat(text: str) -> int:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(text)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.cp_model_presolve = False
    solver.parameters.num_workers = 1

    class Tally(cp_model.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
        number = 0

        def on_solution_callback(self) -> None:
            self.number += 1

    tally = Tally()
    solver.solve(model, tally)
    return tally.number


SMALL = [known for known in KNOWN if known.worlds <= 400]


@pytest.mark.parametrize("known", SMALL, ids=lambda known: known.name)
def test_known_problems_have_as_many_solutions_as_worlds(known: Known) -> None:
    worlds = Counter(map(yardstick.frozen_world, Knowledge(known.problem).worlds()))
    assert solutions_by_sat(formula_of(known.problem)) == worlds
    assert count_by_cpsat(export(known.problem, "cpsat")) == known.worlds


@settings(max_examples=30)
@given(problem=problems())
def test_random_problems_have_as_many_solutions_as_worlds(problem: Problem) -> None:
    worlds = Counter(map(yardstick.frozen_world, yardstick.worlds(problem)))
    assert solutions_by_sat(formula_of(problem)) == worlds


@settings(max_examples=25)
@given(problem=problems(most=4))
def test_random_problems_are_counted_alike_by_cpsat(problem: Problem) -> None:
    assert count_by_cpsat(export(problem, "cpsat")) == len(yardstick.worlds(problem))


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_a_model_counter_counts_the_worlds(known: Known) -> None:
    text = export(known.problem)
    if [] in parsed(text)[1]:
        pytest.skip("the counter takes no empty clause")
    assert count_by_ganak(text) == known.worlds


def test_a_log_of_cluedo_is_counted_alike() -> None:
    k = deduce.read(EVENING)
    assert count_by_ganak(export(k)) == k.count()
    assumed = k.assume("mustard=Ben")
    assert count_by_ganak(export(assumed)) == assumed.count()


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
    for extra in (pairs, rare, at_least(1, facts), Count(facts, 1, 2), exactly(0, facts)):
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
