"""The commands about proofs, of every hidden game: ordered steps, hints, the judge.

`proof_lines` answers ``steps`` and ``hint`` where a game is tracked or played at the terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click

from deduce.commands.numbers import Whole
from deduce.errors import BadInput, Interrupted, Undecided
from deduce.events import read_text

if TYPE_CHECKING:
    from deduce.commands.ask import Ask
    from deduce.constraints import Constraint
    from deduce.knowledge import Knowledge

__all__ = ["PROOF_HELP", "hint", "judge", "proof_lines", "steps"]

PROOF_HELP = """\
steps [FACT]        how all that is certain follows, or just this fact
hint [LEVEL]        the easiest step beyond what events state: 1 where, 2 how, 3 what"""
"""What `proof_lines` understands, as lines of a help text."""

F = TypeVar("F", bound=Callable[..., Any])


def _marks_option(*, required: bool = False) -> Callable[[F], F]:
    """Return the option that names the file of a sheet."""
    return click.option(
        "--marks",
        type=click.Path(),
        metavar="FILE",
        required=required,
        help="My own sheet: facts such as EXAMPLE, one a line or with ';' between them.",
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
    help="Show only what this fact, or 'FACT or FACT', needs. May be repeated.",
)
@_marks_option()
def steps(ask: Ask, claims: tuple[str, ...], marks: str | None) -> bool:
    r"""Show how everything that is certain follows, one small step after the other.

    \b
    Example:  deduce GAME steps LOGFILE
              deduce GAME steps --claim EXAMPLE LOGFILE
              deduce GAME steps --marks my-sheet.txt LOGFILE

    Each step has its cheapest justification: few rules, few events, few earlier facts. A step that
    combines several rules is explained by a supposition that leads to a contradiction.

    Exit code 1: a --claim is not certain.
    """
    from deduce.steps.proof import Proof, ProofStep
    from deduce.steps.proof import steps as steps_of
    from deduce.steps.show import proof_json, proof_text

    knowledge = ask.knowledge
    wanted = [ask.claim(claim) for claim in claims]
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
@click.option(
    "--level",
    type=Whole(1, 3),
    default=1,
    show_default=True,
    help="1: where to look; 2: also the events and facts to use; 3: also what follows.",
)
@click.option("--skip-stated", is_flag=True, help="What events state themselves counts as seen.")
def hint(ask: Ask, marks: str | None, level: int, *, skip_stated: bool) -> bool:
    r"""Give a hint: the easiest step that is not yet on my own sheet.

    \b
    Example:  deduce GAME hint --marks my-sheet.txt LOGFILE
              deduce GAME hint --marks my-sheet.txt --level 3 LOGFILE

    A sheet is a text with the facts that are marked on it, such as EXAMPLE, one a line. Marks that
    are wrong or cannot be proved are left aside. Exit code 1: nothing more follows.
    """
    from deduce.steps.show import hint_json
    from deduce.steps.tutor import hint as hint_of
    from deduce.text import plural

    found = hint_of(ask.knowledge, _marks(ask, marks), skip_stated=skip_stated)
    lines = ["nothing more follows"]
    if found is not None:
        lines = [found.text(number) for number in range(1, level + 1)]
        if found.unproved:
            unproved = plural(found.unproved, "mark is", "marks are")
            lines.append(f"{unproved} not proved and left aside; judge shows which")
    ask.answer(hint_json(found, level), *lines)
    return found is not None


@_marks_option(required=True)
def judge(ask: Ask, marks: str) -> bool:
    r"""Judge my own sheet: each mark is proved, wrong or not yet provable; and what I missed.

    \b
    Example:  deduce GAME judge --marks my-sheet.txt LOGFILE

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
