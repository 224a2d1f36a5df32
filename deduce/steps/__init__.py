"""Proofs that a person can follow: ordered steps, hints, judging a sheet, graded puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.imports import lazily

if TYPE_CHECKING:
    from deduce.steps.proof import Proof, ProofStep, Suppose, check_step, proof_of, steps
    from deduce.steps.puzzle import Grade, Puzzle, grade, make_puzzle
    from deduce.steps.show import puzzle_page
    from deduce.steps.tutor import Hint, Judgement, MarkVerdict, hint, judge, marks_of

__all__ = [
    "Grade",
    "Hint",
    "Judgement",
    "MarkVerdict",
    "Proof",
    "ProofStep",
    "Puzzle",
    "Suppose",
    "check_step",
    "grade",
    "hint",
    "judge",
    "make_puzzle",
    "marks_of",
    "proof_of",
    "puzzle_page",
    "steps",
]

__getattr__, __dir__ = lazily(__name__)
