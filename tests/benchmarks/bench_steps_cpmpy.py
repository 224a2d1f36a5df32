"""Steps of sudokus, compared with explanations by CPMpy's ``mus``.

    python -m tests.benchmarks.bench_steps_cpmpy [BOARDS [SIZE [SAMPLE]]]

Needs the package ``cpmpy``. CPMpy explains what `steps` concludes, in the same order: a minimal set
of constraints and known facts, given that a cell has one digit. A step costs 102 for a constraint
and 1 for a fact, as in `deduce.steps.board`. Times are CPU seconds. SIZE is 4 or 9. With SAMPLE,
CPMpy explains only as many steps of each board, drawn at random; deduce makes the whole proof. The
two alternate board by board.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from random import Random
from time import process_time
from typing import Any

from deduce import Knowledge, Problem
from deduce.constraints import Count, Fact
from deduce.problem import Rule
from deduce.steps import Proof, steps
from deduce.steps.board import LAST_VALUE, ONE_PLACE
from tests.benchmarks.bench_audit import minimal, sudokus


def explained(problem: Problem, proof: Proof, chosen: Collection[int]) -> list[int]:
    """Return what CPMpy's explanations of the same claims cost; chosen: the steps, from 0."""
    import cpmpy as cp
    from cpmpy.tools.explain import mus

    box = {(x, v): cp.boolvar(name=f"{x}={v}") for x, of in problem.domains.items() for v in of}
    hard = [cp.sum([box[x, v] for v in of]) == 1 for x, of in problem.domains.items()]
    soft = [
        cp.sum([box[fact.variable, next(iter(fact.values))] for fact in rule.constraint.facts]) == 1
        for rule in problem.rules
        if isinstance(rule.constraint, Count)
    ]
    names = set(map(str, soft))
    known: list[Any] = []
    costs = []
    for number, step in enumerate(proof):
        fact = step.claim
        assert isinstance(fact, Fact)
        (value,) = fact.values
        literal = ~box[fact.variable, value] if fact.negated else box[fact.variable, value]
        if number in chosen:
            core = mus([*known, *soft], hard=[*hard, ~literal])
            costs.append(sum(ONE_PLACE if str(each) in names else 1 for each in core))
        known.append(literal)
        if not fact.negated:
            others = [v for v in problem.domains[fact.variable] if v != value]
            known += [~box[fact.variable, v] for v in others]
    return costs


def main(boards: int = 60, size: int = 4, sample: int = 0) -> None:
    ours, theirs, steps_made, own, cpmpy = [], [], 0, 0.0, 0.0
    for seed in range(boards):
        item = minimal(sudokus(Random(seed), size)).problem
        given = [Rule(piece.constraint) for piece in item.evidence]
        problem = Problem(item.domains, [*item.rules, *given])
        began = process_time()
        proof = steps(Knowledge(problem))
        own += process_time() - began
        derived = [number for number, step in enumerate(proof) if not step.given]
        steps_made += len(derived)
        if sample:
            derived = sorted(Random(seed).sample(derived, min(sample, len(derived))))
        ours += [
            s.cost - LAST_VALUE * (s.combined == 0) for s in map(proof.steps.__getitem__, derived)
        ]
        began = process_time()
        theirs += explained(problem, proof, derived)
        cpmpy += process_time() - began
        larger = sum(a > b for a, b in zip(ours, theirs, strict=True))
        smaller = sum(a < b for a, b in zip(ours, theirs, strict=True))
        print(
            f"{seed + 1} sudokus; deduce: {steps_made} steps in {own:.2f} s; CPMpy: {len(ours)} in "
            f"{cpmpy:.1f} s. Cost of these: {sum(ours)}, {sum(theirs)}; largest {max(ours)}, "
            f"{max(theirs)}; larger in deduce {larger}, smaller {smaller}",
            flush=True,
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
