"""Hostile problems, each with every query within a budget of one second and 500 MB.

``python -m tests.benchmarks.bench_hostile`` prints, for each kind of problem and each query, the
longest time and the largest memory (docs/benchmarks/counting-search.md); ``--kinds``, ``--queries``
and ``--each`` choose a part, and ``--results`` names a file from which an interrupted run
continues. Each query runs in a process of its own, a copy of one that has imported everything.
Seconds are those of the wall clock or, with ``--cpu``, of the processor.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from random import Random
from time import monotonic, thread_time

from deduce import Budget, DeduceError, Knowledge, Problem, Sum, Where, is_
from deduce.budget import memory_in_use
from deduce.constraints import Constraint, Count, Fact, at_least, at_most, exactly
from deduce.problem import Evidence, is_true

SECONDS, MEMORY = 1.0, 500_000_000


def overlapping(random: Random) -> Problem:
    """Return 60 variables and 60 Counts of 20 facts."""
    values = range(random.choice([2, 3, 4]))
    domains = dict.fromkeys(range(60), values)
    world = {v: random.choice(values) for v in domains}
    made: list[Constraint] = []
    for _ in range(60):
        facts = [is_(v, random.choice(values)) for v in random.sample(range(60), 20)]
        holding = sum(is_true(fact, world) for fact in facts)
        slack = random.choice([0, 0, 1, 2])
        made.append(Count(facts, max(0, holding - slack), holding + slack))
    return _told(domains, made, random)


def tabulated(random: Random) -> Problem:
    """Return predicates over 8 to 12 variables, some of them slow."""
    size = random.choice([8, 10, 12])
    values = range({8: 4, 10: 3, 12: 3}[size])
    domains = dict.fromkeys(range(size + 6), values)
    pause = random.choice([0, 0, 1000, 20_000])

    def fits(*row: int) -> bool:
        for _ in range(pause):
            pass
        return sum(row) % 3 == 1

    made: list[Constraint] = [
        Where(random.sample(sorted(domains), size), fits, f"rule {n}") for n in range(3)
    ]
    return _told(domains, made, random)


def many(random: Random) -> Problem:
    """Return 10,000 variables."""
    domains = dict.fromkeys(range(10_000), range(random.choice([2, 3])))
    kind = random.randrange(4)
    names = list(domains)
    made: list[Constraint]
    if kind == 0:
        made = [exactly(5000, [is_(v, 0) for v in names])]
    elif kind == 1:
        made = [at_least(1, [is_(v, 0), is_(v + 1, 1)]) for v in names[:-1]]
    elif kind == 2:
        made = [at_most(2, [is_(v, 0) for v in random.sample(names, 30)]) for _ in range(500)]
    else:
        made = [Where((v, v + 1), lambda a, b: a <= b, "ascending") for v in names[:-1]]
    return _told(domains, made, random)


def clauses(random: Random) -> Problem:
    """Return 10,000 clauses of three facts."""
    size = random.choice([1500, 2500, 4000, 8000])
    domains = dict.fromkeys(range(size), (0, 1))
    world = {v: random.randrange(2) for v in domains}
    made: list[Constraint] = []
    while len(made) < 10_000:
        facts = [is_(v, random.randrange(2)) for v in random.sample(range(size), 3)]
        if any(is_true(fact, world) for fact in facts):
            made.append(at_least(1, facts))
    return _told(domains, made, random)


def wide(random: Random) -> Problem:
    """Return 20 variables with 20,000 values each."""
    apart = random.random() < 0.3
    domains = {
        v: range(v * 20_000, (v + 1) * 20_000) if apart else range(20_000) for v in range(20)
    }
    kind = random.randrange(3)
    names = list(domains)
    if kind == 0 and not apart:
        made: list[Constraint] = [at_most(1, [is_(v, n) for v in names]) for n in range(300)]
    elif kind == 1:
        made = [
            Sum([(is_(v, n), n) for v in names for n in domains[v][:2000]], 15_000, 16_000)
            for _ in range(2)
        ]
    else:
        made = [
            Count([is_(v, *domains[v][: random.randrange(1, 20_000)]) for v in names], 3, 9)
            for _ in range(20)
        ]
    return _told(domains, made, random)


def heavy(random: Random) -> Problem:
    """Return Sums with long amounts."""
    domains = dict.fromkeys(range(40), (0, 1, 2))
    made: list[Constraint] = []
    for _ in range(random.choice([1, 3, 8])):
        terms = [(is_(v, 1), random.randrange(10**12)) for v in domains]
        total = sum(amount for _, amount in terms) // 3
        made.append(Sum(terms, total, total + random.choice([0, 10**9, 10**12])))
    return _told(domains, made, random)


KINDS: Mapping[str, Callable[[Random], Problem]] = {
    "overlapping": overlapping,
    "tabulated": tabulated,
    "many": many,
    "clauses": clauses,
    "wide": wide,
    "heavy": heavy,
}


def _told(domains: Mapping[int, Sequence[int]], made: list[Constraint], random: Random) -> Problem:
    """Return the problem with some of its constraints as evidence, a fact among them."""
    cut = random.randrange(len(made) + 1)
    first = next(iter(domains))
    fact: Constraint = is_(first, domains[first][-1])
    told = [*made[cut:], fact] if random.random() < 0.5 else made[cut:]
    return Problem(domains, made[:cut], [Evidence(c, n) for n, c in enumerate(told, 1)])


def _claim(k: Knowledge) -> Fact:
    variable, values = list(k.game.variables().items())[-1]
    return is_(variable, next(iter(values)))


def _variable(k: Knowledge) -> object:
    domains = k.game.variables()
    return min(domains, key=lambda v: len(domains[v]))


QUERIES: Mapping[str, Callable[[Knowledge], object]] = {
    "is_consistent": lambda k: k.is_consistent(),
    "possible": lambda k: len(k.possible()),
    "count": lambda k: k.count().bit_length(),
    "posterior": lambda k: len(k.posterior()),
    "joint": lambda k: len(k.joint(_variable(k))),
    "sample": lambda k: len(k.sample(3, seed=1)),
    "is_certain": lambda k: k.is_certain(_claim(k)),
    "why": lambda k: k.why(_claim(k)).verdict,
    "worlds": lambda k: sum(1 for _, _ in zip(range(50), k.worlds(), strict=False)),
}


def warm_up() -> None:
    """Load all that queries import."""
    import numpy  # noqa: F401

    k = Knowledge(Problem({"x": (0, 1), "y": (0, 1)}, [exactly(1, [is_("x", 1), is_("y", 1)])]))
    for ask in QUERIES.values():
        ask(k)
    k.using(engine="cpsat").is_consistent()


def measure(kind: str, seed: int, query: str, clock: Callable[[], float]) -> tuple[float, int, str]:
    """Return the seconds and the bytes that a query took, and its answer or error."""
    problem = KINDS[kind](Random(seed))
    budget = Budget(steps=None, seconds=SECONDS, memory=MEMORY, clock=clock)
    k = Knowledge(problem, budget=budget)
    before = memory_in_use()
    started = clock()
    try:
        answer = str(QUERIES[query](k))
    except DeduceError as error:
        answer = f"{type(error).__name__}: {error}"
    seconds = clock() - started
    return seconds, _peak() - before, answer


def _peak() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _run(arguments: tuple[str, int, str, bool]) -> tuple[float, int, str]:
    kind, seed, query, cpu = arguments
    return measure(kind, seed, query, thread_time if cpu else monotonic)


def measured(path: Path | None) -> dict[tuple[str, int, str], tuple[float, int, str]]:
    """Return what a file of results has, by kind, seed and query."""
    if path is None or not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {tuple(line[:3]): tuple(line[3:]) for line in lines}


def main() -> None:
    """Measure what is not in the file of results yet, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--queries", default=",".join(QUERIES))
    parser.add_argument("--each", type=int, default=34, help="problems of each kind")
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--limit", type=float, default=1.2, help="print what took longer")
    parser.add_argument("--results", type=Path, help="a file to write to, and to continue from")
    options = parser.parse_args()
    kinds, queries = options.kinds.split(","), options.queries.split(",")
    results = measured(options.results)
    context = get_context("fork")
    warm_up()
    for seed, kind, query in product(range(options.each), kinds, queries):
        if (kind, seed, query) in results:
            continue
        with context.Pool(1) as pool:
            row = pool.apply(_run, ((kind, seed, query, options.cpu),))
        results[kind, seed, query] = row
        if options.results is not None:
            with options.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps([kind, seed, query, *row]) + "\n")
    for kind, query in product(kinds, queries):
        rows = [row for (k, _, q), row in results.items() if (k, q) == (kind, query)]
        worst, most = max(row[0] for row in rows), max(row[1] for row in rows)
        answered = sum(not row[2].startswith("Undecided") for row in rows)
        print(
            f"{kind:12} {query:14} {worst:6.2f} s {most >> 20:5} MiB, "
            f"{answered} of {len(rows)} answered"
        )
    for (kind, seed, query), (seconds, size, answer) in results.items():
        if seconds > options.limit or size > 1.2 * MEMORY:
            print(f"  {kind} {seed} {query}: {seconds:.2f} s, {size >> 20} MiB, {answer}")


if __name__ == "__main__":
    main()
