"""Hostile problems: every query, with every engine, within a second and a limit of memory.

``python -m tests.benchmarks.bench_hostile --results FILE`` prints, for each kind of problem and for
each engine, the longest time, the largest growth of memory and how many runs exceeded a limit by a
fifth (docs/benchmarks/solid.md); ``--kinds``, ``--queries``, ``--engines`` and ``--each`` choose a
part. The runs come in a shuffled order, so that the first of them are a sample of all; an
interrupted measurement continues from its file. Each query runs in a process of its own, a copy of
one that has imported everything. Seconds are those of the wall clock or, with ``--cpu``, of the
processor.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import product
from multiprocessing import TimeoutError, get_context
from pathlib import Path
from random import Random
from time import monotonic, process_time
from typing import Any

from deduce import Budget, DeduceError, Knowledge, Problem, Sum, Where, is_
from deduce.budget import memory_in_use
from deduce.constraints import Constraint, Count, Fact, Weigh, at_least, at_most, exactly
from deduce.engines.choose import ENGINES
from deduce.problem import Evidence, all_different, copies, is_true, permutation

SECONDS, MEMORY = 1.0, (500_000_000, 150 << 20)
MAX_SECONDS = 60.0
"""When a run is given up, by the wall clock."""


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


def capacities(random: Random) -> Problem:
    """Return 200 variables of 40 values and 100 Counts of 60 facts with many values each."""
    domains = dict.fromkeys(range(200), range(40))
    made: list[Constraint] = []
    for _ in range(100):
        chosen = random.sample(range(200), 60)
        facts = [is_(v, *random.sample(range(40), random.randrange(5, 30))) for v in chosen]
        made.append(Count(facts, random.randrange(10), random.randrange(25, 60)))
    return _told(domains, made, random)


def permanent(random: Random) -> Problem:
    """Return permutations of 16 to 60 values, of which each variable may have some."""
    size = random.choice([16, 24, 40, 60])
    base = permutation(range(size))
    made: list[Constraint] = []
    for v in range(size):
        values = random.sample(range(size), size // random.choice([2, 3, 4]))
        made.append(is_(v, v, *values))
    return _told(base.domains, [rule.constraint for rule in base.rules] + made, random)


def grid(random: Random) -> Problem:
    """Return a board of 24 to 60 fields a side, each number counting the mines around it."""
    side = random.choice([24, 40, 60])
    domains = {y * side + x: (0, 1) for y, x in product(range(side), repeat=2)}
    world = {v: int(random.random() < 0.3) for v in domains}
    made: list[Constraint] = []
    for y, x in random.sample(list(product(range(1, side - 1), repeat=2)), side * side // 3):
        around = [(y + b) * side + x + a for b, a in product((-1, 0, 1), repeat=2)]
        made.append(exactly(sum(world[v] for v in around), [is_(v, 1) for v in around]))
    return _told(domains, made, random)


def parities(random: Random) -> Problem:
    """Return systems of parities, each a table over 3 to 5 variables."""
    size = random.choice([40, 100, 300])
    domains = dict.fromkeys(range(size), (0, 1))
    world = {v: random.randrange(2) for v in domains}
    made: list[Constraint] = []
    for _ in range(size * 3 // 4):
        chosen = random.sample(range(size), random.choice([3, 4, 5]))
        odd = sum(world[v] for v in chosen) % 2
        made.append(Where(chosen, lambda *row, odd=odd: sum(row) % 2 == odd, f"parity {odd}"))
    return _told(domains, made, random)


def pigeons(random: Random) -> Problem:
    """Return more variables than values that all differ, or exactly as many."""
    size = random.choice([12, 30, 60])
    domains = dict.fromkeys(range(size), range(size - random.choice([0, 1])))
    return _told(domains, list(all_different(domains)), random)


def weighed(random: Random) -> Problem:
    """Return likelihoods with long fractions over overlapping facts."""
    domains = dict.fromkeys(range(80), (0, 1, 2))
    made: list[Constraint] = []
    for _ in range(40):
        facts = [is_(v, random.randrange(3)) for v in random.sample(range(80), 12)]
        weights = [Fraction(random.randrange(1, 10**9), 10**9 + 7) for _ in range(13)]
        made.append(Weigh(facts, weights))
        made.append(at_most(random.randrange(6, 12), facts))
    return _told(domains, made, random)


def doubtful(random: Random) -> Problem:
    """Return clauses of three facts as evidence, each of which may be wrong."""
    size = random.choice([30, 100, 250])
    domains = dict.fromkeys(range(size), (0, 1))
    evidence = [
        Evidence(
            at_least(1, [is_(v, random.randrange(2)) for v in random.sample(range(size), 3)]),
            number,
            doubt=Fraction(1, 50),
        )
        for number in range(1, size * 4)
    ]
    return Problem(domains, (), evidence)


def dealt(random: Random) -> Problem:
    """Return 60 cards of 20 kinds, dealt to hands about which overlapping answers are known."""
    slots = [(player, card) for player in range(6) for card in range(10)]
    base = copies(slots, dict.fromkeys(range(20), 3))
    made: list[Constraint] = []
    for _ in range(60):
        player, kinds = random.randrange(6), random.sample(range(20), 5)
        facts = [is_((player, card), *kinds) for card in range(10)]
        made.append(at_least(1, facts) if random.random() < 0.6 else at_most(3, facts))
    return _told(base.domains, [rule.constraint for rule in base.rules] + made, random)


def chains(random: Random) -> Problem:
    """Return one value per step with wide tables between steps that are near each other."""
    steps, width = random.choice([(40, 60), (12, 200), (100, 20)])
    domains = dict.fromkeys(range(steps), range(width))
    made: list[Constraint] = []
    for step in range(steps - 1):
        apart = random.randrange(1, 4)
        made.append(
            Where(
                (step, min(step + apart, steps - 1)) if step + apart < steps else (step, step + 1),
                lambda a, b, apart=apart: (a * a + b) % 7 != apart,
                "near",
            )
        )
    return _told(domains, made, random)


KINDS: Mapping[str, Callable[[Random], Problem]] = {
    "overlapping": overlapping,
    "tabulated": tabulated,
    "many": many,
    "clauses": clauses,
    "wide": wide,
    "heavy": heavy,
    "capacities": capacities,
    "permanent": permanent,
    "grid": grid,
    "parities": parities,
    "pigeons": pigeons,
    "weighed": weighed,
    "doubtful": doubtful,
    "dealt": dealt,
    "chains": chains,
}


def _told(
    domains: Mapping[Any, Sequence[Hashable]], made: list[Constraint], random: Random
) -> Problem:
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
    "certain": lambda k: len(k.certain()),
    "contradiction": lambda k: k.contradiction().verdict,
    "probable_worlds": lambda k: len(k.probable_worlds(3)),
    "slips": lambda k: len(k.slips()),
}
Run = tuple[str, int, str, str, int]
"""The kind of a problem, its seed, the query, the engine and the limit of memory."""
Row = tuple[float, int, str]
"""Seconds, bytes, and the answer or the error."""


def warm_up() -> None:
    """Load all that queries import."""
    import numpy  # noqa: F401

    problem = Problem({"x": (0, 1), "y": (0, 1)}, [exactly(1, [is_("x", 1), is_("y", 1)])])
    for engine, ask in product(("auto", *ENGINES), QUERIES.values()):
        with suppress(DeduceError):
            ask(Knowledge(problem).using(engine=engine))


def measure(run: Run, *, cpu: bool) -> Row:
    """Return the seconds and the bytes that a query took, and its answer or error."""
    kind, seed, query, engine, memory = run
    clock = process_time if cpu else monotonic
    problem = KINDS[kind](Random(seed))
    budget = Budget(steps=None, seconds=SECONDS, memory=memory, clock=clock)
    k = Knowledge(problem, budget=budget, engine=engine)
    before = memory_in_use()
    started = clock()
    try:
        answer = str(QUERIES[query](k))
    except DeduceError as error:
        answer = f"{type(error).__name__}: {error}"
    except Exception as error:
        answer = f"FAULT {type(error).__name__}: {error}"
    seconds = clock() - started
    return seconds, max(0, _peak() - before), answer[:200]


def _peak() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _run(arguments: tuple[Run, bool]) -> Row:
    return measure(arguments[0], cpu=arguments[1])


def measured(path: Path | None) -> dict[Run, Row]:
    """Return what a file of results has."""
    if path is None or not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {tuple(line[:5]): tuple(line[5:]) for line in lines}


def excess(run: Run, row: Row) -> float:
    """Return by which factor a run exceeded a limit; 1 or less if it did not."""
    return max(row[0] / SECONDS, row[1] / run[4])


def table(results: Mapping[Run, Row], part: Callable[[Run], str]) -> None:
    """Print one line for each part of the runs."""
    groups: dict[str, dict[Run, Row]] = {}
    for run, row in results.items():
        groups.setdefault(part(run), {})[run] = row
    for name, rows in sorted(groups.items()):
        factors = [excess(run, row) for run, row in rows.items()]
        over = [sum(factor > limit for factor in factors) for limit in (1.2, 2)]
        answered = sum(":" not in row[2] for row in rows.values())
        print(
            f"{name:12} {len(rows):5} runs, {answered:5} answered, at most "
            f"{max(row[0] for row in rows.values()):5.2f} s and "
            f"{max(row[1] for row in rows.values()) >> 20:4} MiB, "
            f"{over[0]} over 1.2, {over[1]} over 2"
        )


def main() -> None:
    """Measure what is not in the file of results yet, and print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--queries", default=",".join(QUERIES))
    parser.add_argument("--engines", default=",".join(("auto", *ENGINES)))
    parser.add_argument("--memory", default=",".join(map(str, MEMORY)), help="bytes")
    parser.add_argument("--each", type=int, default=14, help="problems of each kind")
    parser.add_argument("--runs", type=int, help="at most so many new runs")
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--limit", type=float, default=1.2, help="print what exceeded it so often")
    parser.add_argument("--results", type=Path, help="a file to write to, and to continue from")
    options = parser.parse_args()
    results = measured(options.results)
    parts = (options.kinds, options.queries, options.engines)
    kinds, queries, engines = (part.split(",") for part in parts)
    limits = [int(limit) for limit in options.memory.split(",")]
    runs = list(product(kinds, range(options.each), queries, engines, limits))
    Random(1).shuffle(runs)
    context = get_context("fork")
    warm_up()
    for run in [run for run in runs if run not in results][: options.runs]:
        with context.Pool(1) as pool:
            try:
                row = pool.apply_async(_run, ((run, options.cpu),)).get(MAX_SECONDS)
            except TimeoutError:
                row = (MAX_SECONDS, 0, "FAULT no end")
        results[run] = row
        if options.results is not None:
            with options.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*run, *row]) + "\n")
    table(results, lambda run: run[0])
    table(results, lambda run: run[3])
    for run, row in sorted(results.items(), key=lambda item: -excess(*item)):
        if excess(run, row) > options.limit or row[2].startswith("FAULT"):
            print(f"  {' '.join(map(str, run))}: {row[0]:.2f} s, {row[1] >> 20} MiB, {row[2]}")


if __name__ == "__main__":
    main()
