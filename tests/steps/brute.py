"""Steps checked by listing all assignments: each constraint is the set of those that satisfy it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

from deduce.constraints import Constraint, Fact
from deduce.knowledge import Knowledge
from deduce.problem import Problem
from deduce.steps import Proof, ProofStep, Suppose
from games.cluedo import Cluedo

__all__ = ["Brute", "check_proof", "excluded_by", "small_logs"]

SMALL = {"suspect": ("Plum", "White"), "weapon": ("Rope", "Knife"), "room": ("Hall", "Study")}


class Brute:
    """All assignments of a small problem; a set of them is an int."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        names = list(problem.domains)
        rows = product(*problem.domains.values())
        self.worlds = [dict(zip(names, row, strict=True)) for row in rows]
        self.all = (1 << len(self.worlds)) - 1
        self.sets: dict[Constraint, int] = {}
        self.possible = self.all
        for constraint in problem.constraints():
            self.possible &= self.having(constraint)

    def having(self, constraint: Constraint) -> int:
        """Return the assignments that satisfy a constraint, by its definition."""
        if constraint not in self.sets:
            alone = Problem(self.problem.domains, [constraint])
            self.sets[constraint] = sum(
                1 << i for i, world in enumerate(self.worlds) if alone.holds(world)
            )
        return self.sets[constraint]

    def follows(self, step: ProofStep) -> bool:
        """Return whether a step follows from what it cites."""
        left = self.all
        for rule in self.problem.rules:
            if str(rule) in step.rules:
                left &= self.having(rule.constraint)
        for piece in self.problem.evidence:
            if piece.event in step.events or (piece.event is None and str(piece) in step.rules):
                left &= self.having(piece.constraint)
        for claim in step.earlier:
            left &= self.having(claim)
        return not left & ~(0 if step.claim is None else self.having(step.claim))

    def excluded(self) -> set[tuple[object, object]]:
        """Return the variables and values that no possible world has."""
        left = [world for i, world in enumerate(self.worlds) if self.possible >> i & 1]
        return {
            (v, value)
            for v, domain in self.problem.domains.items()
            for value in set(domain) - {world[v] for world in left}
        }


def excluded_by(
    problem: Problem, claims: Sequence[Constraint | None]
) -> set[tuple[object, object]]:
    """Return the variables and values that claims exclude."""
    facts = [claim for claim in claims if isinstance(claim, Fact)]
    return {
        (fact.variable, value)
        for fact in facts
        for value in problem.domains[fact.variable]
        if value not in problem.values_of(fact)
    }


def check_proof(brute: Brute, proof: Proof) -> None:
    """Check that all steps follow, cite what is claimed before, and leave out nothing."""
    claimed: list[Fact] = list(proof.marks)
    for step in proof:
        assert set(step.earlier) <= set(claimed)
        assert step.claim not in claimed
        assert brute.follows(step)
        if step.suppose is not None:
            _check_suppose(brute, step.suppose, list(step.earlier), step)
        if isinstance(step.claim, Fact):
            claimed.append(step.claim)
    assert excluded_by(brute.problem, claimed) == brute.excluded()
    positive = {claim.variable: set(claim.values) for claim in claimed if not claim.negated}
    assert positive == {v: {value} for v, value in proof.knowledge.certain().items()}


def _check_suppose(brute: Brute, suppose: Suppose, known: list[Fact], large: ProofStep) -> None:
    """Check that a supposition leads to its contradiction by what the large step cites alone."""
    known = [*known, *suppose.claims]
    for step in (*suppose.steps, suppose.contradiction):
        assert set(step.earlier) <= set(known)
        assert set(step.rules) <= set(large.rules)
        assert set(step.events) <= set(large.events)
        assert brute.follows(step)
        if step.suppose is not None:
            _check_suppose(brute, step.suppose, known, large)
        if isinstance(step.claim, Fact):
            known.append(step.claim)
    assert suppose.contradiction.claim is None


def small_logs(number: int, start: int = 0) -> Iterator[Knowledge]:
    """Yield random logs of small games of Cluedo."""
    for seed in range(start, start + number):
        random = Random(seed)
        players = ("Ann", "Ben", "Cid")[: random.choice((2, 3, 3))]
        game = Cluedo(players, deck=SMALL, me=random.choice((None, "Ann", "Ann")))
        log = game.record(game.deal(random), random)
        if game.me is None:
            log = [event for event in log if random.random() < 0.5]
        yield Knowledge(game, log, viewer=game.me)
