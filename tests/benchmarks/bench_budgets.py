"""What the default budget of each engine takes, and from which size on CP-SAT answers yes or no.

``python -m tests.benchmarks.bench_budgets`` prints the tables of docs/benchmarks/budgets.md (about
an hour; ``--choice`` and ``--budgets`` print one of them, ``--find`` looks for the hardest problems
again). The measurements of ``--budgets`` are kept in the file ``--results``, and a second start
goes on after the last one. All times are CPU seconds of the process, since a shared machine makes
waiting times vary.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import resource
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import games.pigs.game
from deduce.budget import STANDARD, Budget
from deduce.constraints import is_
from deduce.engines.choose import ENGINES, PLANS, engine, size_of
from deduce.engines.model import Model
from deduce.errors import Contradiction, Undecided, Unsupported
from deduce.knowledge import Knowledge
from deduce.problem import Problem
from deduce.queries import Answer, Asker
from games.cluedo.cases import recorded
from games.pigs.game import Pigs
from games.quartets.evidence import slot_problem
from games.quartets.flow import layout
from games.quartets.slots import SlotForm
from tests.benchmarks.bench_quartets import playthrough

DATA = Path(__file__).parents[1] / "data"

HARDEST = """
pigs g201, pigs g199, pigs g187, pigs g079, pigs g215, pigs g227, pigs g139, pigs g133, pigs g245,
pigs g189, pigs g157, pigs g191, pigs g237, pigs g217, pigs g027, potentials P089, potentials P085,
potentials P083, transcript T155, cluedo big-9p-34c-24s, pigs puzzle
"""
"""The recorded problems that `find` ranks first: fifteen of Pigs, and the first of each other kind
(three lists of potentials, a transcript of Quartets, a Cluedo position), which are easier; and the
bundled puzzle of Pigs."""

QUERIES = ("solve", "possible", "tally")
KILL = 30
"""CPU seconds after which a measurement of the default budget is given up."""


@cache
def problems() -> Mapping[str, Callable[[], Problem]]:
    """Return all recorded problems of the hidden games by name, each to be made when needed."""
    made: dict[str, Callable[[], Problem]] = {}
    for case in _cases("cluedo_exact.json"):
        made[f"cluedo {case['id']}"] = partial(_cluedo, case)
    for case in _cases("quartets_potentials.json"):
        made[f"potentials {case['id']}"] = partial(_potentials, case)
    for case in _cases("quartets_transcripts.json"):
        made[f"transcript {case['id']}"] = partial(_transcript, case)
    for case in _cases("pigs_inference.json"):
        made[f"pigs {case['id']}"] = partial(_pigs, case)
    made["pigs puzzle"] = _puzzle
    return made


def _cases(file: str) -> list[dict[str, Any]]:
    return list(json.loads((DATA / file).read_text())["cases"])


def _cluedo(case: dict[str, Any]) -> Problem:
    return recorded(case).problem


def _potentials(case: dict[str, Any]) -> Problem:
    return slot_problem(SlotForm(layout(1, (case["n_ids"],)), (tuple(case["slots"]),)))


def _transcript(case: dict[str, Any]) -> Problem:
    rows = list(playthrough(case))
    return Knowledge(rows[0][0], [event for _, _, event in rows]).problem


def _pigs(case: dict[str, Any]) -> Problem:
    return Knowledge.of(Pigs.log_from_json(case)).problem


def _puzzle() -> Problem:
    file = Path(games.pigs.game.__file__).parent / "examples" / "puzzle.pigs"
    return Knowledge.of(Pigs.parse_log(file.read_text())).problem


def models(*, named: str = "") -> Iterator[tuple[str, Model]]:
    """Yield the models of all problems, or of the named ones, that are possible at first sight."""
    names = [name.strip() for name in named.split(",") if name.strip()] or list(problems())
    for name in names:
        try:
            yield name, Model(problems()[name]())
        except Contradiction:
            continue


def run(query: str, name: str, model: Model, budget: Budget) -> tuple[float, str]:
    """Return the CPU seconds that a query takes, and how it ended."""
    started = process_time()
    try:
        if name == "auto":
            asker = Asker(model, budget=budget)
            queries: dict[str, Callable[[], Answer[Any]]] = {
                "solve": asker.solve,
                "possible": asker.possible,
                "tally": partial(asker.tally, weighted=False),
            }
            queries[query]()
            end = "answered"
        else:
            chosen = engine(name)
            if not chosen.supports(model, query):
                return 0.0, "-"
            options = {"weighted": False} if query == "tally" else {}
            getattr(chosen, query)(model, budget.meter(), **options)
            end = "answered"
    except Undecided:
        end = "undecided"
    except Unsupported:
        end = "-"
    return process_time() - started, end


# The default budget.


def find() -> None:
    """Print the problems by the time that three engines spend, with two seconds a query."""
    tries = [("solve", "bits"), ("possible", "bits"), ("tally", "counting"), ("possible", "cpsat")]
    ranked = []
    for name, model in models():
        spent = sum(run(query, e, model, Budget(None, 2))[0] for query, e in tries)
        ranked.append((spent, name))
    for spent, name in sorted(ranked, reverse=True):
        print(f"{spent:6.2f} s  {name}", flush=True)


def measured(query: str, name: str, model: Model) -> tuple[float, str]:
    """Return the CPU seconds and the end of a query in a process of its own, killed at `KILL`."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_CPU, (KILL, KILL))
        # The limit counts the threads of the process too, such as those of CP-SAT.
        seconds, end = run(query, name, model, STANDARD)
        os.write(writer, f"{seconds} {end}".encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        words = pipe.read().split()
    _, status = os.waitpid(child, 0)
    if words:
        return float(words[0]), words[1]
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGKILL, signal.SIGXCPU)
    return float(KILL), "killed" if killed else "failed"


def budgets(
    names: Sequence[str], queries: Sequence[str], results: Path, *, measure: bool = True
) -> None:
    """Measure what the default budget takes, and print the table of what was measured so far.

    Every measurement is a line of ``results``; a second start goes on after the last one. The
    problems come in an order that was drawn once, so that the first ones are a fair sample.
    """
    known = [json.loads(line) for line in results.open()] if results.exists() else []
    have = {(row["problem"], row["engine"], row["query"]) for row in known}
    order = sorted(name.strip() for name in HARDEST.replace("\n", " ").split(","))
    random.Random(14).shuffle(order)
    for problem in order if measure else ():
        left = [(e, q) for e in names for q in queries if (problem, e, q) not in have]
        for _, model in models(named=problem) if left else ():
            for name, query in left:
                seconds, end = measured(query, name, model)
                row = {"problem": problem, "engine": name, "query": query}
                known.append(row | {"seconds": round(seconds, 2), "end": end})
                with results.open("a") as file:
                    print(json.dumps(known[-1]), file=file)
    print("| engine | query | problems | answered | undecided | killed | median | longest | of |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, query in itertools.product(names, queries):
        rows = [row for row in known if (row["engine"], row["query"]) == (name, query)]
        rows = [row for row in rows if row["end"] != "-"]
        if rows:
            ends = Counter(row["end"] for row in rows)
            longest = max(rows, key=lambda row: float(row["seconds"]))
            print(
                f"| {name} | {query} | {len(rows)} | {ends['answered']} | {ends['undecided']} "
                f"| {ends['killed'] + ends['failed']} "
                f"| {median(row['seconds'] for row in rows):.1f} s "
                f"| {longest['seconds']:.1f} s | {longest['problem']} |"
            )


# The choice for yes or no.


def questions(model: Model, number: int = 4) -> list[Any]:
    """Return facts that are not decided at first sight, chosen at random by the problem."""
    left = Asker(model).not_excluded()
    facts = [
        is_(variable, value) for variable, row in left.items() if len(row) > 1 for value in row
    ]
    return random.Random(len(facts)).sample(facts, min(number, len(facts)))


def choice() -> None:
    """Print for each size of a problem what a yes-or-no question costs by each engine."""
    rows: list[tuple[int, list[float], list[float], int]] = []
    share = next(steps for name, steps in PLANS["solve"] if name == "bits")
    for _, model in models():
        by_bits: list[float] = []
        by_cpsat: list[float] = []
        failed = 0
        for fact in questions(model):
            selection = [*model.statements, model.compile(fact)]
            for name, times, budget in (
                ("bits", by_bits, STANDARD.at_most(share or 0)),
                ("cpsat", by_cpsat, STANDARD),
            ):
                started = process_time()
                try:
                    engine(name).solve(model, budget.meter(), selection)
                except Undecided:
                    failed += name == "bits"
                times.append(process_time() - started)
        if by_bits:
            rows.append((size_of(model.statements), by_bits, by_cpsat, failed))
    print("| constraints | problems | questions | bits fails | bits, mean | CP-SAT, mean |")
    print("|---|---|---|---|---|---|")
    edges = [0, 50, 100, 200, 300, 400, 500, 600, 700, 800, 1000, 1500, 2500, 10**9]
    for low, high in itertools.pairwise(edges):
        some = [row for row in rows if low <= row[0] < high]
        bits_times = [t for row in some for t in row[1]]
        cpsat_times = [t for row in some for t in row[2]]
        if some:
            print(
                f"| {low} to {high - 1 if high < 10**9 else ''} | {len(some)} | {len(bits_times)} "
                f"| {sum(row[3] for row in some) / len(bits_times):.0%} "
                f"| {1e3 * sum(bits_times) / len(bits_times):.0f} ms "
                f"| {1e3 * sum(cpsat_times) / len(cpsat_times):.0f} ms |",
                flush=True,
            )
    print("\nThe whole time of all questions, by the size from which CP-SAT is asked first:\n")
    print("| from | seconds |\n|---|---|")
    for edge in edges[1:]:
        total = 0.0
        for size, bits_row, cpsat_row, failed in rows:
            if size >= edge:
                total += sum(cpsat_row)
            else:  # whatever bits does not decide goes to CP-SAT
                total += sum(bits_row) + sum(cpsat_row) * failed / len(bits_row)
        print(f"| {edge if edge < 10**9 else 'never'} | {total:.1f} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for part in ("find", "budgets", "choice"):
        parser.add_argument(f"--{part}", action="store_true")
    engines = (*ENGINES, "auto")
    parser.add_argument("--engine", action="append", choices=engines, help="only for --budgets")
    parser.add_argument("--query", action="append", choices=QUERIES, help="only for --budgets")
    parser.add_argument(
        "--results", type=Path, default=Path("budgets.jsonl"), help="lines that are measured"
    )
    parser.add_argument("--table", action="store_true", help="of the results, without measuring")
    chosen = parser.parse_args()
    if chosen.find:
        find()
    if chosen.budgets or not (chosen.find or chosen.choice):
        budgets(
            chosen.engine or engines,
            chosen.query or QUERIES,
            chosen.results,
            measure=not chosen.table,
        )
    if chosen.choice or not (chosen.find or chosen.budgets):
        choice()
