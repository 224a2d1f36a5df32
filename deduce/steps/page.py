"""A puzzle as one sheet to print: question, events, empty sheet; on the back the solution."""

from __future__ import annotations

from deduce.game import Written, hook
from deduce.logs.claims import format_claim
from deduce.show.cells import text_html
from deduce.steps.puzzle import Puzzle
from deduce.steps.show import puzzle_html, steps_html
from deduce.steps.words import say_facts

__all__ = [
    "answers_json",
    "answers_line",
    "puzzle_page",
    "puzzle_title",
    "solution_html",
]

STYLE = """
@page { size: A4; margin: 14mm; }
body { font: 11pt/1.35 serif; max-width: 46em; margin: 2em auto; padding: 0 1em; }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 10pt; } }
h1 { font-size: 1.4em; } h2 { font-size: 1.15em; }
p, ul, ol { margin: .5em 0; }
pre { font: inherit; white-space: pre-wrap; }
table { border-collapse: collapse; font-size: .85em; }
td, th { border: 1px solid #777; padding: .1em .4em; text-align: left; font-weight: normal; }
td { min-width: 2.6em; }
thead th { border-bottom: 2px solid; }
.solution { break-before: page; }
"""


def puzzle_title(puzzle: Puzzle) -> str:
    """Return the heading of a puzzle: game, grade and seed."""
    game = puzzle.knowledge.game
    name = hook(game, Written.name, type(game).__name__)
    return f"{name.capitalize()} puzzle, grade {puzzle.grade.level} (seed {puzzle.seed})"


def answers_line(puzzle: Puzzle) -> str:
    """Return the answers as the game says them."""
    return say_facts(puzzle.knowledge, puzzle.answers)


def solution_html(puzzle: Puzzle) -> str:
    """Return the answers and the steps that lead to them."""
    answers = text_html(answers_line(puzzle))
    grade = text_html(f"{puzzle.grade}"[:1].upper() + f"{puzzle.grade}"[1:])
    steps = steps_html(puzzle.proof).replace("<details>", "<details open>")
    return f"<p><strong>{answers}.</strong> {grade}.</p>{steps}"


def puzzle_page(puzzle: Puzzle) -> str:
    """Return one sheet to print: the puzzle, and on the back the solution."""
    title = text_html(puzzle_title(puzzle))
    question = "Each question has exactly one answer, and every event is needed to find it."
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{STYLE}</style></head><body><h1>{title}</h1><p>{question}</p>"
        f'{puzzle_html(puzzle)}<div class="solution"><h2>Solution</h2>{solution_html(puzzle)}'
        "</div></body></html>\n"
    )


def answers_json(puzzle: Puzzle) -> list[str]:
    """Return the answers as claims."""
    return [format_claim(puzzle.knowledge.problem, answer) for answer in puzzle.answers]
