"""Proofs that a person can follow: ordered steps, hints, judging a sheet, graded puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.lazy import lazily

if TYPE_CHECKING:
    from deduce.steps.proof import Proof, ProofStep, Suppose, check_step, steps

__all__ = [
    "Proof",
    "ProofStep",
    "Suppose",
    "check_step",
    "steps",
]

__getattr__, __dir__ = lazily(__name__)
