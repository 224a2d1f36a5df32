"""Write the booklet of mysteries: ``python docs/games/cluedo_mysteries.py`` (a minute or two).

Four puzzles of each grade, with seeds counted from 1; those with very long suppositions are left
out. The page is written beside this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deduce.steps import Puzzle, make_puzzle
from deduce.steps.page import answers_line
from games.cluedo import Cluedo

PAGE = Path(__file__).with_name("cluedo-mysteries.md")
EACH = 4
MAX_LENGTH = 16
"""Small steps of the longest supposition that a person may be asked to follow."""

INTRODUCTION = """\
# Twenty mysteries

Who committed the murder, with which weapon, in which room? Each log below leaves exactly one
answer, and none of its events can be left out. Ann keeps the log: where a card is named that was
shown, she saw it. A player who passed (`-`) has none of the three cards; a player who shows has at
least one of them. Hands differ by at most one card if the cards cannot be dealt evenly. The
[grades](../steps.md) go from 1 (one rule at a time) to 5 (suppositions within suppositions).

Save a log as `mystery.cluedo`: `deduce cluedo hint --marks sheet.txt mystery.cluedo` helps, and
`deduce cluedo judge` judges your sheet. The solutions, with all steps, are below. More mysteries
come from `deduce cluedo puzzle --grade 3 --seed 7`, and with `--print FILE` a page for paper.

This page is written by `docs/games/cluedo_mysteries.py`.
"""


def chosen(grade: int) -> Iterator[Puzzle]:
    """Yield the puzzles of a grade."""
    count, seed = 0, 0
    while count < EACH:
        seed += 1
        puzzle = make_puzzle(Cluedo, grade=grade, seed=seed)
        lengths = [step.suppose.length for step in puzzle.proof if step.suppose is not None]
        if max(lengths, default=0) <= MAX_LENGTH and sum(lengths) <= 4 * MAX_LENGTH:
            count += 1
            yield puzzle


def main() -> None:
    """Write the page."""
    puzzles = [puzzle for grade in (1, 2, 3, 4, 5) for puzzle in chosen(grade)]
    parts = [INTRODUCTION]
    for number, puzzle in enumerate(puzzles, start=1):
        head = f"## Mystery {number}, grade {puzzle.grade.level}"
        parts.append(f"{head}\n\n```text\n{puzzle.text.strip()}\n```\n")
    parts.append("## Solutions\n")
    for number, puzzle in enumerate(puzzles, start=1):
        answer = f"{answers_line(puzzle)}. Hardest step: {puzzle.grade.hardest}."
        parts.append(f"### Mystery {number}\n\n{answer}\n\n```text\n{puzzle.proof}\n```\n")
    PAGE.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
