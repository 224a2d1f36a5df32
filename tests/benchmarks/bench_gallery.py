"""The problems of the gallery, counted by deduce and by public solvers, in one run.

``python -m tests.benchmarks.bench_gallery`` writes docs/benchmarks/gallery.md and the last line of
each page in docs/gallery. Ganak, python-sat and CP-SAT come with the extra ``test``; ``pip install
pysdd dd`` adds the compilers of decision diagrams, which are left out where they are missing. Each
solver runs in a process of its own, from the text that `deduce.export` writes to the count; imports
and the export are not timed.
"""

from __future__ import annotations

import argparse
import platform
import resource
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping
from datetime import date
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import process_time
from typing import Any

from deduce import Knowledge, Problem, export
from tests.test_docs import DOCS, script

TABLE = DOCS / "benchmarks" / "gallery.md"
ENOUGH = 0.3
"""Short runs are repeated until they take so many seconds together; their mean is shown."""
MAX_LISTED = 1_000_000
"""A solver that lists the worlds is not asked for more."""

Row = tuple[int, dict[str, float | None]]
"""The number of worlds and the seconds of each solver; None over the limit."""
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


def by_pysdd(text: str) -> int:
    plain = "".join(f"{line}\n" for line in text.splitlines() if not line.startswith("c"))
    with tempfile.NamedTemporaryFile("w", suffix=".cnf") as file:
        file.write(plain)
        file.flush()
        manager, node = import_module("pysdd.sdd").SddManager.from_cnf_file(file.name.encode())
        return int(manager.global_model_count(node))


def by_dd(text: str) -> int:
    size, formula = clauses(text)
    bdd: Any = import_module("dd.cudd").BDD()
    bdd.configure(reordering=True)
    names = [f"x{number}" for number in range(1, size + 1)]
    bdd.declare(*names)
    whole = bdd.true
    for clause in formula:
        part = bdd.false
        for literal in clause:
            one = bdd.var(names[abs(literal) - 1])
            part |= one if literal > 0 else ~one
        whole &= part
    return int(bdd.count(whole, nvars=size) + 0.5)


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


Solver = tuple[str, str, str, Callable[[str], int]]
PEERS: Mapping[str, Solver] = {
    "Ganak": ("pyganak", "pyganak", "dimacs", by_ganak),
    "pysdd": ("pysdd.sdd", "PySDD", "dimacs", by_pysdd),
    "dd (CUDD)": ("dd.cudd", "dd", "dimacs", by_dd),
    "python-sat": ("pysat.solvers", "python-sat", "dimacs", by_pysat),
    "CP-SAT": ("ortools.sat.python.cp_model", "ortools", "cpsat", by_cpsat),
}
LISTING = ("python-sat", "CP-SAT")


def problem(name: str) -> Problem:
    """Return the problem of a page."""
    found = script("gallery/draw").model(name)["problem"]
    assert isinstance(found, Problem)
    return found


def timed(name: str, solver: str, text: str) -> tuple[int, float]:
    """Return the count and the CPU seconds of one run, the mean of several if they are short."""
    given = problem(name)
    runs, count, begin = 0, 0, process_time()
    while runs == 0 or process_time() - begin < ENOUGH:
        count = Knowledge(given).count() if solver == "deduce" else PEERS[solver][3](text)
        runs += 1
    return count, (process_time() - begin) / runs


def work(answers: Connection, limit: int, *task: str) -> None:
    """Send what `timed` returns; the system ends this process a second after the limit."""
    resource.setrlimit(resource.RLIMIT_CPU, (limit + 1, limit + 2))
    answers.send(timed(*task))


def measured(limit: int, *task: str) -> tuple[int, float] | None:
    """Return the count and the seconds of a solver in a process of its own; None over the limit."""
    fork = get_context("fork")  # what was imported need not be imported again
    ours, theirs = fork.Pipe(duplex=False)
    process = fork.Process(target=work, args=(theirs, limit, *task))
    process.start()
    theirs.close()
    try:
        count, seconds = ours.recv()
    except EOFError:
        process.join()
        assert process.exitcode in (-signal.SIGXCPU, -signal.SIGKILL), (task, process.exitcode)
        return None
    process.join()
    return (count, seconds) if seconds <= limit else None


def row(name: str, peers: list[str], limit: int) -> Row:
    """Return the count of a page's problem and each solver's seconds; all counts must agree."""
    given = problem(name)
    seconds: dict[str, float | None] = {}
    total = -1
    for solver in ["deduce", *peers]:
        if solver in LISTING and total > MAX_LISTED:
            continue
        text = export(given, PEERS[solver][2]) if solver in PEERS else ""
        answer = measured(limit, name, solver, text)
        seconds[solver] = answer and answer[1]
        if answer and total < 0:
            total = answer[0]
        assert answer is None or answer[0] == total, (name, solver, answer, total)
        print(f"{name}: {solver} {answer}", file=sys.stderr)
    return total, seconds


def shown(seconds: float | None, limit: int) -> str:
    """Return a time to two digits."""
    return f"over {limit} s" if seconds is None else f"{max(seconds, 0.0001):.2g} s"


def compared(seconds: Mapping[str, float | None], limit: int) -> tuple[str, str]:
    """Return the fastest other solver and its time, and how deduce compares with it."""
    others = {name: s for name, s in seconds.items() if s is not None and name != "deduce"}
    own = seconds["deduce"]
    assert own is not None, "deduce did not count a problem of the gallery"
    if not others:
        return f"no other solver finished within {limit} s", "the only one"
    best = min(others, key=lambda name: others[name])
    ratio = own / others[best]
    times = max(ratio, 1 / ratio)
    words = f"{times:,.0f}" if times >= 10 else f"{times:.2g}"
    words += f" times {'slower' if ratio > 1 else 'faster'}"
    return f"fastest other solver: {best} {shown(others[best], limit)} (deduce is {words})", words


def release(package: str) -> str:
    """Return the version of an installed package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


HEAD = """# The gallery compared with other solvers

The table shows the time to count the worlds of each page of the [gallery](../gallery/index.md).
Every solver gets the output of `deduce.export` and runs in a separate process. The times are CPU
seconds from the text of the problem to the count, without imports; short ones are the mean of
several runs. python-sat and CP-SAT list the worlds, so they are left out where there are more than
a million. A solver that needed more than {limit} s was stopped. All finished counts agree.

Written by `python -m tests.benchmarks.bench_gallery --limit {limit}` on {today}: Python {python},
{versions}; a busy machine with two cores, so read the ratios.

| page | worlds | deduce | {peers} | deduce compared with the fastest |
|---|{dashes}
"""


def write(rows: Mapping[str, Row], peers: list[str], limit: int) -> None:
    """Write the table, and into each page the line with its time."""
    lines = []
    for name, (total, seconds) in rows.items():
        cells = [
            shown(seconds[peer], limit) if peer in seconds else "not run"
            for peer in ["deduce", *peers]
        ]
        fastest, words = compared(seconds, limit)
        link = f"[{name}](../gallery/{name}.md)"
        lines.append(f"| {link} | {total:,} | {' | '.join(cells)} | {words} |\n")
        page = DOCS / "gallery" / f"{name}.md"
        head, _, _ = page.read_text(encoding="utf-8").partition("**Time** ")
        line = (
            f"**Time** to count: deduce {cells[0]}; {fastest}. "
            "See [all solvers](../benchmarks/gallery.md).\n"
        )
        page.write_text(head + line, encoding="utf-8")
    slower = [
        name for name, (_, seconds) in rows.items() if "slower" in compared(seconds, limit)[1]
    ]
    text = HEAD.format(
        limit=limit,
        today=date.today().isoformat(),
        python=platform.python_version(),
        versions=", ".join(f"{peer} {release(PEERS[peer][1])}" for peer in peers),
        peers=" | ".join(peers),
        dashes="---|" * (len(peers) + 3),
    )
    foot = f"\nAnother solver is faster on: {', '.join(slower) or 'none'}.\n"
    missing = [name for name in script("gallery/draw").DRAWINGS if name not in rows]
    if missing:
        foot += f"\nNot measured yet: {', '.join(missing)}.\n"
    TABLE.write_text(text + "".join(lines) + foot, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--limit", type=int, default=10, help="CPU seconds of one solver")
    limit = parser.parse_args().limit
    peers = [peer for peer, (_, package, _, _) in PEERS.items() if release(package)]
    missing = [peer for peer in PEERS if peer not in peers]
    print(f"not installed: {', '.join(missing) or 'none'}", file=sys.stderr)
    for peer in peers:
        import_module(PEERS[peer][0])
    Knowledge(problem("zebra")).count()  # imports what is imported late
    write({name: row(name, peers, limit) for name in script("gallery/draw").DRAWINGS}, peers, limit)


if __name__ == "__main__":
    main()
