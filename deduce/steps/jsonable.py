"""Proofs as JSON: claims as ``deduce GAME why`` reads them, with full names."""

from __future__ import annotations

from typing import Any

from deduce.claims import format_claim
from deduce.problem import Problem
from deduce.show.jsonable import why_json, world_json
from deduce.steps.proof import Proof, ProofStep, Suppose
from deduce.steps.tutor import LEVELS, Hint, Judgement

__all__ = ["hint_json", "judgement_json", "proof_json", "step_json"]


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


def judgement_json(judgement: Judgement) -> dict[str, Any]:
    """Return what can be said of a sheet; ``missed`` has the form of a proof's steps."""
    problem = judgement.knowledge.problem
    return {
        "marks": [
            {
                "claim": format_claim(problem, mark.claim),
                "verdict": mark.verdict,
                "why": None if mark.why is None else why_json(mark.why),
                "witness": world_json(mark.witness),
            }
            for mark in judgement.marks
        ],
        "missed": proof_json(judgement.missed)["steps"],
    }


def hint_json(hint: Hint | None, level: int) -> dict[str, Any]:
    """Return a hint with no more than a level gives away; without a hint, ``text`` is ``None``."""
    if hint is None:
        return {"level": level, "text": None, "unproved": 0}
    document: dict[str, Any] = {
        "level": level,
        "text": [hint.text(number) for number in LEVELS if number <= level],
        "unproved": hint.unproved,
    }
    problem, step = hint.knowledge.problem, hint.steps[0]
    if level > 1:
        document |= {
            "events": list(step.events),
            "from": [format_claim(problem, claim) for claim in step.earlier],
            "rules": list(step.rules),
            "pattern": step.pattern,
        }
    if level > 2:
        document["steps"] = [step_json(problem, step) for step in hint.steps]
    return document


def _suppose_json(problem: Problem, suppose: Suppose) -> dict[str, Any]:
    return {
        "claims": [format_claim(problem, claim) for claim in suppose.claims],
        "steps": [step_json(problem, step) for step in suppose.steps],
        "contradiction": step_json(problem, suppose.contradiction),
    }
