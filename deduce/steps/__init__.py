"""Proofs that a person can follow: ordered steps, hints, judging a sheet, graded puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.lazy import lazily

if TYPE_CHECKING:
    from deduce.steps.proof import Proof, ProofStep, Suppose, check_step, steps
    from deduce.steps.tutor import Hint, Judgement, MarkVerdict, hint, judge, marks_of

__all__ = [
    "Hint",
    "Judgement",
    "MarkVerdict",
    "Proof",
    "ProofStep",
    "Suppose",
    "check_step",
    "hint",
    "judge",
    "marks_of",
    "steps",
]

__getattr__, __dir__ = lazily(__name__)
