"""The step-wise recipe of CPMpy beside steps: ``python -m tests.benchmarks.bench_steps_cpmpy``.

Needs the package ``cpmpy``, which is not installed with deduce. The recipe is that of CPMpy's
example ``ocus_explanations.py`` with its tool ``cpmpy.tools.explain.ocus``: at each step the
cheapest set of constraints and known facts that proves one missing fact. Both have the same
constraints, the same costs of them (`deduce.steps.board`), one for each known fact, and the rule
that a variable has exactly one value for nothing; what follows from a fact by that rule alone is
no step. Times are CPU seconds.
"""

from __future__ import annotations

import sys
import time
from itertools import product
from typing import Any

from deduce.constraints import Count, Fact, Where, exactly, is_
from deduce.knowledge import Knowledge
from deduce.problem import Problem, Rule
from deduce.steps import Proof, steps
from deduce.steps.board import LAST_VALUE, ONE_PLACE, TABLE

SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ZEBRA = {
    "nation": ("English", "Spanish", "Ukrainian", "Norwegian", "Japanese"),
    "colour": ("red", "green", "ivory", "yellow", "blue"),
    "pet": ("dog", "snails", "fox", "horse", "zebra"),
    "drink": ("coffee", "tea", "milk", "juice", "water"),
    "smoke": ("Old Gold", "Kools", "Chesterfield", "Lucky Strike", "Parliament"),
}


def same(one: int, two: int) -> bool:
    return one == two


def right(one: int, two: int) -> bool:
    return one == two + 1


def beside(one: int, two: int) -> bool:
    return abs(one - two) == 1


CLUES = (
    ("English", "red", same), ("Spanish", "dog", same), ("coffee", "green", same),
    ("Ukrainian", "tea", same), ("green", "ivory", right), ("Old Gold", "snails", same),
    ("Kools", "yellow", same), ("Chesterfield", "fox", beside), ("Kools", "horse", beside),
    ("Lucky Strike", "juice", same), ("Japanese", "Parliament", same),
    ("Norwegian", "blue", beside),
)  # fmt: skip


def zebra() -> Problem:
    """Return the zebra puzzle: things are variables, houses are values."""
    things = [thing for things in ZEBRA.values() for thing in things]
    rules: list[Any] = [
        exactly(1, [is_(thing, house) for thing in things])
        for things, house in product(ZEBRA.values(), range(1, 6))
    ]
    rules += [
        Rule(Where((one, two), relation), f"{one} and {two}: {relation.__name__}")
        for one, two, relation in CLUES
    ]
    given = [is_("milk", 3), is_("Norwegian", 1)]
    return Problem(dict.fromkeys(things, range(1, 6)), [*rules, *given])


def sudoku(given: str = SUDOKU) -> Problem:
    """Return an easy sudoku: cells are variables."""
    cells = list(product(range(9), range(9)))
    units = [[(r, c) for c in range(9)] for r in range(9)]
    units += [[(r, c) for r in range(9)] for c in range(9)]
    units += [
        [(r, c) for r in range(a, a + 3) for c in range(b, b + 3)]
        for a, b in product((0, 3, 6), (0, 3, 6))
    ]
    rules: list[Any] = [
        exactly(1, [is_(cell, digit) for cell in unit]) for unit in units for digit in range(1, 10)
    ]
    rules += [
        is_(cell, int(digit)) for cell, digit in zip(cells, given, strict=True) if digit != "."
    ]
    return Problem(dict.fromkeys(cells, range(1, 10)), rules)


def cost_of(proof: Proof) -> list[int]:
    """Return the costs of the steps that are not given, without that of a last value itself."""
    return [step.cost - LAST_VALUE * (step.combined == 0) for step in proof if not step.given]


def recipe(problem: Problem, limit: float) -> tuple[list[int], float]:
    """Return the costs of CPMpy's steps and the seconds that they took, up to a limit."""
    import cpmpy as cp
    from cpmpy.tools.explain import ocus

    box = {(v, d): cp.boolvar(name=f"{v}={d}") for v, ds in problem.domains.items() for d in ds}
    hard = [cp.sum([box[v, d] for d in ds]) == 1 for v, ds in problem.domains.items()]
    soft, weights = [], []
    known: dict[Any, Any] = {}

    def learn(v: Any, d: Any, *, holds: bool) -> None:
        known[v, d] = box[v, d] if holds else ~box[v, d]
        if holds:
            for other in problem.domains[v]:
                if other != d:
                    known[v, other] = ~box[v, other]

    for rule in problem.rules:
        one = rule.constraint
        if isinstance(one, Fact):
            learn(one.variable, next(iter(one.values)), holds=True)
        elif isinstance(one, Count):
            boxes = [box[fact.variable, next(iter(fact.values))] for fact in one.facts]
            soft.append(cp.sum(boxes) == 1)
            weights.append(ONE_PLACE)
        elif isinstance(one, Where):
            a, b = one.variables
            rows = [
                box[a, x] & box[b, y]
                for x, y in product(problem.domains[a], problem.domains[b])
                if one.allows((x, y))
            ]
            soft.append(cp.any(rows))
            weights.append(TABLE)
    final = Knowledge(problem).certain()
    costs: list[int] = []
    began = time.process_time()
    while time.process_time() - began < limit:
        missing = [key for key in box if key not in known]
        if not missing:
            break
        against = [~box[key] if final[key[0]] == key[1] else box[key] for key in missing]
        facts = list(known.values())
        core = ocus(
            [*soft, *facts, *against],
            hard=hard,
            weights=[*weights, *(1 for _ in facts), *(0 for _ in against)],
            meta_constraint=cp.sum(against) == 1,
        )
        names = {str(one) for one in core}
        price = sum(w for one, w in zip(soft, weights, strict=True) if str(one) in names)
        price += sum(str(fact) in names for fact in facts)
        key = next(k for k, one in zip(missing, against, strict=True) if str(one) in names)
        learn(*key, holds=final[key[0]] == key[1])
        costs.append(price)
        print(f"  step {len(costs)}: {key}, cost {price}, {time.process_time() - began:.1f} s",
              flush=True)  # fmt: skip
    return costs, time.process_time() - began


def main() -> None:
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 120.0
    problem = {"zebra": zebra, "sudoku": sudoku}[sys.argv[1]]()
    began = time.process_time()
    proof = steps(Knowledge(problem))
    own = time.process_time() - began
    costs = cost_of(proof)
    print(f"deduce: {len(costs)} steps in {own:.2f} s, cost {sum(costs)}; "
          f"{own / len(costs) * 1000:.2f} ms a step")  # fmt: skip
    theirs, took = recipe(problem, limit)
    n = len(theirs)
    print(f"CPMpy: {n} steps in {took:.1f} s, cost {sum(theirs)} (deduce's first {n}: "
          f"{sum(costs[:n])}); {took / n * 1000:.0f} ms a step, "
          f"{took / n / (own / len(costs)):.0f} times as long")  # fmt: skip


if __name__ == "__main__":
    main()
