"""The commands about proofs, of every hidden game: steps, hints, the judge, puzzles.

`proof_lines` answers ``steps`` and ``hint`` where a game is tracked or played at the terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from deduce.cli.numbers import whole_option
from deduce.cli.output import file_option, json_option, print_answer, progress_bar, usage
from deduce.errors import BadInput, Interrupted, Undecided
from deduce.logs.events import read_log
from deduce.system.files import read_text, replace_file
from deduce.system.registry import Registration, load

if TYPE_CHECKING:
    from deduce.cli.ask import Ask
    from deduce.constraints import Constraint
    from deduce.knowledge import Knowledge
    from deduce.steps.puzzle import Puzzle

__all__ = ["PROOF_HELP", "hint", "judge", "print_puzzle", "proof_lines", "puzzle", "steps"]

PROOF_HELP = """\
steps [FACT]        how all that is certain follows, or just this fact
hint [LEVEL]        the easiest step beyond what events state: 1 where, 2 how, 3 what"""
"""What `proof_lines` understands, as lines of a help text."""

F = TypeVar("F", bound=Callable[..., object])


def _marks_option(*, required: bool = False) -> Callable[[F], F]:
    """Return the option that names the file of a sheet."""
    return click.option(
        "--marks",
        type=click.Path(),
        metavar="FILE",
        required=required,
        help="Your own sheet: facts such as EXAMPLE, one per line or separated by ';'.",
    )


def _marks(ask: Ask, path: str | None) -> list[Constraint]:
    """Return the marks in a file; without a file none."""
    from deduce.steps.tutor import marks_of

    if path is None:
        return []
    text, source = read_text(path)
    return marks_of(ask.knowledge, text, source=source)


@click.option(
    "--claim",
    "claims",
    multiple=True,
    metavar="FACT",
    help="Show only the steps to this fact, or to 'FACT or FACT'. May be repeated.",
)
@_marks_option()
def steps(ask: Ask, claims: tuple[str, ...], marks: str | None) -> bool:
    r"""Show how everything that is certain follows, one small step at a time.

    \b
    Example:  deduce GAME steps LOGFILE
              deduce GAME steps --claim EXAMPLE LOGFILE
              deduce GAME steps --marks marks.txt LOGFILE

    Each step has its cheapest justification: few rules, few events, few earlier facts. A step that
    combines several rules is explained by a supposition that leads to a contradiction.

    Exit code 1: a --claim is not certain.
    """
    from deduce.steps.proof import Proof, ProofStep
    from deduce.steps.proof import steps as steps_of
    from deduce.steps.show import proof_json, proof_text

    knowledge = ask.knowledge
    wanted = [ask.knowledge.claim(ask.claim(claim)) for claim in claims]
    for claim in wanted:
        if not knowledge.is_certain(claim):
            ask.answer(
                {"steps": [], "open": knowledge.say(claim)}, f"{knowledge.say(claim)}: not certain"
            )
            return False
    found: list[ProofStep] = []
    sheet = _marks(ask, marks)
    try:
        proof = steps_of(knowledge, marks=sheet, claims=wanted, progress=found.append)
    except (Undecided, KeyboardInterrupt) as error:
        if found and not ask.json:
            ask.print(proof_text(Proof(knowledge, tuple(found))))
        if isinstance(error, Undecided):
            raise
        raise Interrupted("interrupted; these steps were found until then") from None
    if wanted:
        proof = proof.needed_for(wanted)
    ask.answer(proof_json(proof), proof_text(proof))
    return True


@_marks_option()
@whole_option(
    "--level",
    low=1,
    high=3,
    default=1,
    help="1: where to look; 2: also the events and facts to use; 3: also what follows.",
)
@click.option("--skip-stated", is_flag=True, help="Skip facts that events state directly.")
def hint(ask: Ask, marks: str | None, level: int, *, skip_stated: bool) -> bool:
    r"""Give a hint: the easiest step that is not yet on your own sheet.

    \b
    Example:  deduce GAME hint --marks marks.txt LOGFILE
              deduce GAME hint --marks m.txt --level 3 LOGFILE

    A sheet is a text with the facts that are marked on it, such as EXAMPLE, one per line. Wrong
    marks, and marks that cannot be proved, are ignored. Exit code 1: nothing more follows.
    """
    from deduce.steps.show import hint_json
    from deduce.steps.tutor import hint as hint_of
    from deduce.system.text import plural

    found = hint_of(ask.knowledge, _marks(ask, marks), skip_stated=skip_stated)
    lines = ["nothing more follows"]
    if found is not None:
        lines = [found.text(number) for number in range(1, level + 1)]
        if found.unproved:
            unproved = plural(found.unproved, "mark is", "marks are")
            lines.append(f"{unproved} not proved and ignored; judge shows which")
    ask.answer(hint_json(found, level), *lines)
    return found is not None


@_marks_option(required=True)
def judge(ask: Ask, marks: str) -> bool:
    r"""Judge each of your marks as proved, wrong or not yet provable, and list what you missed.

    \b
    Example:  deduce GAME judge --marks marks.txt LOGFILE

    A wrong mark comes with the proof of the opposite, a mark that cannot be proved yet with a world
    in which it does not hold. Exit code 0: all marks are proved. 1: some are not.
    """
    from deduce.steps.show import judgement_json, judgement_text, verdict_lines
    from deduce.steps.tutor import MarkVerdict
    from deduce.steps.tutor import judge as judge_of

    found: list[MarkVerdict] = []
    sheet = _marks(ask, marks)
    try:
        result = judge_of(ask.knowledge, sheet, progress=found.append)
    except (Undecided, KeyboardInterrupt) as error:
        if found and not ask.json:
            ask.print("\n".join(verdict_lines(ask.knowledge, found, ask.look.world)))
        if isinstance(error, Undecided):
            raise
        raise Interrupted("interrupted; these marks were judged until then") from None
    ask.answer(judgement_json(result), judgement_text(result, ask.look.world))
    return result.is_sound


def proof_lines(knowledge: Knowledge, command: str, rest: str) -> Iterator[str]:
    """Yield the answer to a line of a dialogue: ``steps [FACT]`` or ``hint [LEVEL]``.

    Parameters
    ----------
    knowledge
        What is known now.
    command
        ``"steps"`` or ``"hint"``.
    rest
        The rest of the line.

    Raises
    ------
    BadInput
        The rest is not a fact, or not a level.
    Contradiction
        There is no world.
    """
    from deduce.steps.proof import proof_of
    from deduce.steps.proof import steps as steps_of
    from deduce.steps.show import proof_text
    from deduce.steps.tutor import hint as hint_of

    if command == "hint":
        if rest not in ("", "1", "2", "3"):
            raise BadInput(f"a hint has level 1, 2 or 3, not {rest!r}")
        found = hint_of(knowledge, skip_stated=True)
        if found is None:
            yield "nothing more follows"
        else:
            yield from (found.text(level) for level in range(1, int(rest or "1") + 1))
    elif not rest:
        yield proof_text(steps_of(knowledge))
    elif knowledge.is_certain(claim := knowledge.claim(rest)):
        yield proof_text(proof_of(knowledge, claim))
    else:
        yield f"{knowledge.say(claim)}: not certain"


@whole_option("--grade", low=1, high=5, help="How hard: 1 to 5.  [default: any]")
@whole_option("--seed", default=0, help="The same seed repeats it.")
@click.option("--like", type=click.Path(), metavar="LOG", help="Use the set-up of this log.")
@whole_option("--tries", low=1, default=400, help="Deals to try.")
@click.option("--solution", is_flag=True, help="Add the answers and the steps to them.")
@file_option(
    "--print", "page", help="Write one sheet for print (HTML), with the solution on its back."
)
@json_option
def puzzle(
    entry: Registration,
    *,
    grade: int | None,
    seed: int,
    like: str | None,
    tries: int,
    solution: bool,
    page: Path | None,
    as_json: bool,
) -> None:
    r"""Make a puzzle: a log with exactly one answer to each question.

    \b
    Example:  deduce GAME puzzle --grade 3 --seed 7
              deduce GAME puzzle --grade 5 --print puzzle.html

    Grade 1 takes one rule at a time, grades 2 and 3 combine rules or count hands, grade 4 needs
    suppositions, and grade 5 suppositions within suppositions. The same seed gives the same puzzle;
    every event in it is needed. The output is a log that the other commands read; --solution adds
    the answers.
    """
    from deduce.steps.puzzle import make_puzzle

    game: Any = load(entry.hidden)
    if like is not None:
        text, source = read_text(like)
        game = read_log(text, game, source=source).game
    with usage(), progress_bar("deals", tries) as advance:
        made = make_puzzle(game, seed=seed, grade=grade, tries=tries, progress=advance)
    print_puzzle(made, solution=solution, page=page, as_json=as_json)


def print_puzzle(puzzle: Puzzle, *, solution: bool, page: Path | None, as_json: bool) -> None:
    """Print a puzzle: its log as text, or a JSON object; and write its page.

    Raises
    ------
    BadInput
        The page cannot be written.
    """
    from deduce.steps.show import answers_json, answers_line, proof_text, puzzle_page, step_json

    if page is not None:
        replace_file(page, puzzle_page(puzzle))
    problem = puzzle.knowledge.problem
    document: dict[str, object] = {}
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
