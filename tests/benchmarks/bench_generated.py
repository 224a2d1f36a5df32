"""Thousands of generated problems, each path of the automatic choice against trying everything.

``python -m tests.benchmarks.bench_generated --number 2000 --results FILE`` asks each engine, with
each of its paths forced, all queries about problems that are drawn at random: Counts, Sums, tables,
equations modulo 2, likelihoods and facts over one to six variables, some without a world. Every
problem is a line of the file, from which an interrupted run continues; a difference is printed with
the seed of its problem. docs/benchmarks/counting-search.md has the figures.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from deduce import Knowledge, Problem, Sum, Where, is_
from deduce.constraints import Constraint, Count, Fact, Weigh, is_not
from deduce.engines import choose
from deduce.engines.base import Engine
from deduce.engines.bits import Bits
from deduce.engines.counting.components import Components
from deduce.engines.counting.engine import Counting
from deduce.problem import Evidence, is_true
from deduce.testing import enumeration as yardstick
from tests.engines.bodies import assert_engine_agrees

SEARCH = "deduce.engines.counting.search"
SWEPT = "deduce.engines.counting.swept"
BRANCHING = "deduce.engines.counting.branching"

ENGINES: dict[str, tuple[Engine, dict[str, Any]]] = {
    "bits": (Bits(), {}),
    "sweep": (Counting(arrays=False, sets=False, prune_from=10**9), {}),
    "sweep, pruned": (Counting(arrays=False, sets=False, prune_from=0), {}),
    "arrays": (Counting(large=0, sets=False, prune_from=0), {}),
    "arrays, primes": (Counting(large=0, sets=False, moduli=3), {}),
    "arrays, order searched": (Counting(large=0, search_from=0.0, sets=False), {}),
    "sets": (Counting(large=0, sets=True), {}),
    "components, by tree": (
        Components(),
        {f"{BRANCHING}.MAX_WIDTH": 1e9, f"{BRANCHING}.MAX_SHARE": 1.0},
    ),
    "components, by choice": (Components(), {f"{BRANCHING}.MAX_WIDTH": -1.0}),
    "components, by variable": (
        Components(),
        {f"{SEARCH}.MAX_COMPARED": 0, f"{BRANCHING}.MAX_WIDTH": -1.0},
    ),
    "components, matrices": (
        Components(),
        {"deduce.engines.counting.pairwise.MIN_CELLS": 0, f"{SEARCH}.MIN_CELLS": 0},
    ),
    "components, linear": (Components(), {f"{SEARCH}.FEWEST": 0, f"{SEARCH}.MIXED": 0}),
    "components, swept": (Components(sweeps=True), {}),
    "components, interrupted": (Components(sweeps=True), {f"{SWEPT}.FIRST_SHARE": 1}),
    "tables by value": (Components(), {"deduce.engines.table.FEW": 0}),
}
"""Each path: the engine, and the thresholds that force small problems to take it."""

PLANS: dict[str, choose.Plan] = {
    "automatic, sweep": choose.BY_SWEEP,
    "automatic, components": choose.BY_COMPONENTS,
    "automatic, sweep gives up": (("counting", 1),),
    "automatic, components give up": (("components", 1),),
}
"""What follows in the automatic choice when the first attempt has ended without an answer."""

PATHS = (*ENGINES, *PLANS, "why")


def generated(seed: int) -> Problem:
    """Return a random problem; two of three have a world that was planted."""
    random = Random(seed)
    domains = {f"v{i}": _values(random) for i in range(random.randint(1, 6))}
    world = {name: random.choice(values) for name, values in domains.items()}
    planted = world if random.random() < 0.67 else None
    kinds = (_fact, _count, _count, _pairs, _sum, _where, _parity, _parity, _weigh)
    made = [random.choice(kinds)(random, domains, planted) for _ in range(random.randint(0, 7))]
    cut = random.randint(0, len(made))
    evidence = [Evidence(constraint, n) for n, constraint in enumerate(made[cut:], 1)]
    return Problem(domains, made[:cut], evidence)


Domains = dict[str, str]
World = dict[str, str] | None


def _values(random: Random) -> str:
    return "".join(random.sample("abcd", random.choice([1, 2, 2, 3, 3, 4])))


def _facts(random: Random, domains: Domains) -> list[Fact]:
    facts = []
    for name in random.sample(sorted(domains), random.randint(1, len(domains))):
        values = random.sample(domains[name], random.randint(1, len(domains[name])))
        facts.append((is_ if random.random() < 0.7 else is_not)(name, *values))
    return facts


def _fact(random: Random, domains: Domains, world: World) -> Constraint:
    name = random.choice(sorted(domains))
    value = random.choice(domains[name]) if world is None else world[name]
    others = [other for other in domains[name] if other != value]
    return is_not(name, random.choice(others)) if others else is_(name, value)


def _range(random: Random, most: int, number: int | None) -> tuple[int, int]:
    low = random.randint(0, most) if number is None else random.randint(0, number)
    high = random.randint(low, most) if number is None else random.randint(number, most)
    return low, high


def _count(random: Random, domains: Domains, world: World) -> Constraint:
    facts = _facts(random, domains)
    number = None if world is None else sum(is_true(fact, world) for fact in facts)
    return Count(facts, *_range(random, len(facts), number))


def _pairs(random: Random, domains: Domains, world: World) -> Constraint:
    facts = _facts(random, domains)
    number = 0 if world is None else sum(is_true(fact, world) for fact in facts)
    return Count(facts, 0, max(1, number))


def _sum(random: Random, domains: Domains, world: World) -> Constraint:
    terms = [(fact, random.randint(-3, 5)) for fact in _facts(random, domains)]
    amounts = [amount for _, amount in terms]
    least = sum(min(0, amount) for amount in amounts)
    most = sum(max(0, amount) for amount in amounts) - least
    number = None
    if world is not None:
        number = sum(amount for fact, amount in terms if is_true(fact, world)) - least
    low, high = _range(random, most, number)
    return Sum(terms, low + least, high + least)


def _where(random: Random, domains: Domains, world: World) -> Constraint:
    names = random.sample(sorted(domains), random.randint(1, min(3, len(domains))))
    salt, part = random.randrange(1 << 30), random.choice([0.3, 0.6, 0.9])
    kept = None if world is None else tuple(world[name] for name in names)

    def fits(*row: str) -> bool:
        return row == kept or Random(f"{salt} {row}").random() < part

    return Where(names, fits, f"rule {salt}")


def _parity(random: Random, domains: Domains, world: World) -> Constraint:
    """Return a linear equation modulo 2, if its variables have two values each."""
    names = random.sample(sorted(domains), random.randint(1, min(4, len(domains))))
    values = [random.choice(domains[name]) for name in names]
    kept = values if world is None else [world[name] for name in names]
    right = sum(map(str.__eq__, values, kept)) % 2

    def fits(*row: str) -> bool:
        return sum(map(str.__eq__, values, row)) % 2 == right

    return Where(names, fits, f"{values} hold {right} modulo 2")


def _weigh(random: Random, domains: Domains, world: World) -> Constraint:
    facts = _facts(random, domains)
    shares = [Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(3), Fraction(2)]
    return Weigh(facts, [random.choice(shares) for _ in range(len(facts) + 1)])


def check(seed: int, path: str) -> str:
    """Return the difference between a path and trying everything; empty: there is none."""
    problem = generated(seed)
    try:
        with ExitStack() as stack:
            if path in ENGINES:
                made, thresholds = ENGINES[path]
                for name, value in thresholds.items():
                    stack.enter_context(patch(name, value))
                assert_engine_agrees(made, problem)
            elif path in PLANS:
                for query in choose.LAST:
                    stack.enter_context(patch.dict(choose.PLANS, {query: (("counting", 0),)}))
                stack.enter_context(patch.object(choose, "BY_SWEEP", PLANS[path]))
                stack.enter_context(patch.object(choose, "BY_COMPONENTS", PLANS[path]))
                _compare(problem)
            else:
                for close in (0, 24):
                    stack.enter_context(patch("deduce.engines.refutation.MAX_CLOSE", close))
                    _explained(problem, seed)
    except AssertionError as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _compare(problem: Problem) -> None:
    k, found = Knowledge(problem), yardstick.worlds(problem)
    assert k.count() == len(found)
    if found:
        assert k.possible() == yardstick.possible(found)
        weights = [yardstick.weight(problem, world, weighted=True) for world in found]
        total = sum(weights)
        expected = yardstick.marginals(problem, found, weighted=True)
        assert k.posterior() == {
            name: {value: weight / total for value, weight in row.items()}
            for name, row in expected.items()
        }
        assert all(problem.holds(world) for world in k.sample(3, seed=1))


def _explained(problem: Problem, seed: int) -> None:
    """Compare the verdict, and see that the events suffice and that none can be left out."""
    found = yardstick.worlds(problem)
    if not found:
        return
    random = Random(seed)
    name = random.choice(list(problem.domains))
    claim = is_(name, random.choice(problem.domains[name]))
    holding = sum(is_true(claim, world) for world in found)
    why = Knowledge(problem).why(claim)
    verdicts = {0: "impossible", len(found): "certain"}
    assert why.verdict == verdicts.get(holding, "open")
    if why.verdict == "open":
        return
    events = {piece.event for piece in problem.evidence}
    for left_out in [None, *why.events]:
        kept = problem.without(events - (set(why.events) - {left_out}))
        worlds = yardstick.worlds(kept)
        right = sum(is_true(claim, world) for world in worlds)
        assert (right in (0, len(worlds))) == (left_out is None)


def missing(path: Path, number: int) -> Iterator[int]:
    """Yield the seeds that a file of results does not have yet."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    known = {json.loads(line)["seed"] for line in lines}
    yield from (seed for seed in range(number) if seed not in known)


def main() -> None:
    """Check what is missing, and print the differences and the number of problems."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--number", type=int, default=2000)
    parser.add_argument("--results", type=Path, default=Path("generated.jsonl"))
    given = parser.parse_args()
    for seed in missing(given.results, given.number):
        different = {path: text for path in PATHS if (text := check(seed, path))}
        with given.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"seed": seed, "different": different}) + "\n")
        if different:
            print(f"problem {seed}: {different}", flush=True)
    rows = [json.loads(line) for line in given.results.read_text(encoding="utf-8").splitlines()]
    wrong = sum(bool(row["different"]) for row in rows)
    print(f"{len(rows)} problems, {len(PATHS)} paths each, {wrong} problems with differences")


if __name__ == "__main__":
    main()
