"""The command ``deduce GAME puzzle`` of every hidden game that can deal and record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from deduce.commands.numbers import Whole
from deduce.commands.output import print_answer
from deduce.commands.progress_bar import progress_bar
from deduce.errors import BadInput
from deduce.events import read_log, read_text
from deduce.files import replace_file
from deduce.registry import Registration, load

__all__ = ["print_puzzle", "puzzle_command"]

HELP = """Make a puzzle: a log with exactly one answer to each question.

\b
Example:  deduce GAME puzzle --grade 3 --seed 7
          deduce GAME puzzle --grade 5 --print puzzle.html

Grade 1 needs one rule at a time, grade 2 more of them or the counting of hands, grade 3 more of
that, grade 4 suppositions, and grade 5 suppositions within suppositions. The same seed gives the
same puzzle, from which no event can be dropped. The output is a log that the other commands read;
--solution adds the answers."""


def puzzle_command(entry: Registration, words: Callable[[str], str]) -> click.Command:
    """Return the command of a game.

    Parameters
    ----------
    entry
        The game.
    words
        Puts the words of the game into help texts.
    """

    @click.option("--grade", type=Whole(1, 5), help="How hard: 1 to 5.  [default: any]")
    @click.option(
        "--seed", type=Whole(), default=0, show_default=True, help="The same seed repeats it."
    )
    @click.option("--like", type=click.Path(), metavar="LOG", help="Use the set-up of this log.")
    @click.option("--tries", type=Whole(1), default=400, show_default=True, help="Deals to try.")
    @click.option("--solution", is_flag=True, help="Add the answers and the steps to them.")
    @click.option(
        "--print",
        "page",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write a page for print (HTML): log, empty sheet, solution.",
    )
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
    def puzzle(
        *,
        grade: int | None,
        seed: int,
        like: str | None,
        tries: int,
        solution: bool,
        page: Path | None,
        as_json: bool,
    ) -> None:
        from deduce.steps.puzzle import make_puzzle

        game: Any = load(entry.hidden)
        if like is not None:
            text, source = read_text(like)
            game = read_log(text, game, source=source).game
        try:
            with progress_bar("deals", tries) as advance:
                made = make_puzzle(game, seed=seed, grade=grade, tries=tries, progress=advance)
        except BadInput as error:
            raise click.UsageError(error.message) from None
        print_puzzle(made, solution=solution, page=page, as_json=as_json)

    command: click.Command = click.command("puzzle", help=words(HELP))(puzzle)
    return command


def print_puzzle(puzzle: Any, *, solution: bool, page: Path | None, as_json: bool) -> None:
    """Print a puzzle: its log as text, or a JSON object; and write its page.

    Raises
    ------
    BadInput
        The page cannot be written.
    """
    from deduce.steps.page import answers_json, answers_line, puzzle_page
    from deduce.steps.show import proof_text, step_json

    if page is not None:
        replace_file(page, puzzle_page(puzzle))
    problem = puzzle.knowledge.problem
    document: dict[str, Any] = {}
    if as_json:
        document = {
            "schema": "deduce/puzzle/1",
            "seed": puzzle.seed,
            "grade": puzzle.grade.level,
            "hardest": puzzle.grade.hardest,
            "rounds": puzzle.grade.rounds,
            "log": puzzle.text,
            "answers": answers_json(puzzle),
            "steps": [step_json(problem, step) for step in puzzle.proof],
        }
    parts = [puzzle.text.rstrip("\n")]
    if solution and not as_json:
        lines = [str(puzzle.grade), answers_line(puzzle), *proof_text(puzzle.proof).splitlines()]
        parts += [f"# {line}" for line in lines]
    print_answer(document, parts, as_json=as_json)
