"""Public programs that count the worlds of a problem, from the text that `deduce.export` writes.

python-sat and CP-SAT list the worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["PEERS"]

Clauses = tuple[int, list[list[int]]]


def clauses(text: str) -> Clauses:
    """Return the number of Booleans and the clauses of a text in DIMACS."""
    lines = [line.split() for line in text.splitlines() if not line.startswith("c")]
    return int(lines[0][2]), [list(map(int, words[:-1])) for words in lines[1:]]


def by_ganak(text: str) -> int:
    size, formula = clauses(text)
    counter: Any = import_module("pyganak").Counter()
    counter.new_vars(size)
    for clause in formula:
        counter.add_clause(clause)
    return int(counter.count())


def by_pysat(text: str) -> int:
    size, formula = clauses(text)
    # A Boolean in no clause would not be part of the solutions.
    formula += [[number, -number] for number in range(1, size + 1)]
    with import_module("pysat.solvers").Cadical153(bootstrap_with=formula) as solver:
        return len(list(solver.enum_models()))


def by_cpsat(text: str) -> int:
    cp_model: Any = import_module("ortools.sat.python.cp_model")

    class Tally(cp_model.CpSolverSolutionCallback):  # type: ignore[misc]
        count = 0

        def on_solution_callback(self) -> None:
            self.count += 1

    model, solver, tally = cp_model.CpModel(), cp_model.CpSolver(), Tally()
    assert model.proto.parse_text_format(text)
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(model, tally)
    return int(tally.count)


Solver = tuple[str, str, Callable[[str], int]]
PEERS: Mapping[str, Solver] = {
    "Ganak": ("pyganak", "dimacs", by_ganak),
    "python-sat": ("pysat.solvers", "dimacs", by_pysat),
    "CP-SAT": ("ortools.sat.python.cp_model", "cpsat", by_cpsat),
}
"""By name: the module, the format that it reads, and what counts."""
