"""Proofs as JSON: claims as ``deduce GAME why`` reads them, with full names."""

from __future__ import annotations

from typing import Any

from deduce.claims import format_claim
from deduce.problem import Problem
from deduce.steps.proof import Proof, ProofStep, Suppose

__all__ = ["proof_json", "step_json"]


def proof_json(proof: Proof) -> dict[str, Any]:
    """Return a proof: its steps in order, and the marks that it starts from."""
    problem = proof.knowledge.problem
    return {
        "steps": [step_json(problem, step) for step in proof],
        "marks": [format_claim(problem, mark) for mark in proof.marks],
    }


def step_json(problem: Problem, step: ProofStep) -> dict[str, Any]:
    """Return a step with all its fields; see `deduce.steps.ProofStep`.

    ``claim`` is ``None`` for the contradiction that ends a supposition.
    """
    return {
        "claim": None if step.claim is None else format_claim(problem, step.claim),
        "events": list(step.events),
        "from": [format_claim(problem, claim) for claim in step.earlier],
        "rules": list(step.rules),
        "pattern": step.pattern,
        "text": step.text,
        "cost": step.cost,
        "cheapest": step.cheapest,
        "given": step.given,
        "suppose": None if step.suppose is None else _suppose_json(problem, step.suppose),
    }


def _suppose_json(problem: Problem, suppose: Suppose) -> dict[str, Any]:
    return {
        "claims": [format_claim(problem, claim) for claim in suppose.claims],
        "steps": [step_json(problem, step) for step in suppose.steps],
        "contradiction": step_json(problem, suppose.contradiction),
    }
