"""The commands about files of problems: ``solve``, ``why``, ``steps``, ``audit``."""

from __future__ import annotations

import click

from deduce.audit.audited import Audited, audit
from deduce.audit.items import Item, read_items
from deduce.cli.exits import (
    EXIT_INTERRUPTED,
    EXIT_NO,
    EXIT_UNDECIDED,
    EXIT_UNREADABLE,
    EXIT_YES,
)
from deduce.cli.output import end_with, json_option, print_answer, print_json, progress_bar
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.show.table import Table
from deduce.system.text import plural, visible

__all__ = ["audit_command", "judge_chain", "solve", "steps", "why"]


def _only(file: str) -> Item:
    items = list(read_items(file))
    if len(items) != 1:
        raise BadInput(f"expected one problem, found {len(items)}", source=file)
    return items[0]


@click.command("solve")
@click.argument("file", metavar="FILE", type=click.Path())
@json_option
def solve(file: str, *, as_json: bool) -> None:
    """Print what is certain in a problem, and how many solutions it has.

    \b
    Example:  deduce solve hats.deduce

    FILE is a problem as text (docs/problems.md), in JSON, or a sudoku board in one line.

    Exit code 1: there is no solution.
    """  # noqa: D301 (click reads the backspace)
    from deduce.logs.problem_json import write_value

    knowledge = Knowledge(_only(file).problem)
    if not knowledge.is_consistent():
        reason = knowledge.contradiction()
        conflict = [*map(str, reason.steps), *reason.rules]
        document = {"schema": "deduce/solve/1", "solutions": 0, "conflict": conflict}
        print_answer(document, str(reason).splitlines(), as_json=as_json)
        end_with(EXIT_NO)
    certain = knowledge.certain()
    count = knowledge.count()
    pairs = [[write_value(name), write_value(value)] for name, value in certain.items()]
    lines = [f"{name}: {value}" for name, value in certain.items()]
    lines.append(f"{plural(count, 'solution')}, {len(certain)} of "
                 f"{plural(len(knowledge.problem.domains), 'variable')} certain")  # fmt: skip
    document = {"schema": "deduce/solve/1", "solutions": count, "certain": pairs}
    print_answer(document, lines, as_json=as_json)


@click.command("why")
@click.argument("claim", metavar="CLAIM")
@click.argument("file", metavar="FILE", type=click.Path())
def why(claim: str, file: str) -> None:
    """Print why a claim about a problem is certain or impossible.

    \b
    Example:  deduce why Ann=red hats.deduce

    CLAIM is a fact, or facts joined by 'or' or by 'and'; FILE as for deduce solve.

    Exit code 1: it is not certain.
    """  # noqa: D301 (click reads the backspace)
    knowledge = Knowledge(_only(file).problem)
    reason = knowledge.why(claim) if knowledge.is_consistent() else knowledge.contradiction()
    click.echo(str(reason))
    end_with(EXIT_YES if reason.verdict == "certain" else EXIT_NO)


@click.command("steps")
@click.argument("file", metavar="FILE", type=click.Path())
@json_option
def steps(file: str, *, as_json: bool) -> None:
    """Print how all that is certain in a problem follows, one small step after the other.

    \b
    Example:  deduce steps hats.deduce

    FILE as for deduce solve.
    """  # noqa: D301 (click reads the backspace)
    from deduce.steps.proof import steps as steps_of
    from deduce.steps.show import proof_json, proof_text

    proof = steps_of(Knowledge(_only(file).problem))
    document = {"schema": "deduce/problem-steps/1", **proof_json(proof)}
    print_answer(document, proof_text(proof).splitlines(), as_json=as_json)


@click.command("audit")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option("--fast", is_flag=True, help="Look for neither redundant clues nor grades.")
@json_option
def audit_command(files: tuple[str, ...], *, fast: bool, as_json: bool) -> None:
    """Check puzzles of others: their solutions, their stated answers, their redundant clues.

    \b
    Example:  deduce audit hats.deduce boards.txt
              deduce audit --fast --json boards.txt

    A FILE is a problem as text (docs/problems.md), in JSON, or sudoku boards of one line each.
    With --json one object a line, and last the number of items and of faulty ones.

    Exit code 1 if an item is faulty, 3 if a file cannot be read, 4 if an item is undecided.
    """  # noqa: D301 (click reads the backspace)
    found: list[Audited] = []
    unreadable: list[BadInput] = []
    interrupted = False
    try:
        with progress_bar("items") as advance:
            for file in files:
                try:
                    for item in read_items(file):
                        found.append(audit(item, deep=not fast))
                        advance(len(found), item.name)
                        if as_json:
                            print_json(found[-1].to_json())
                except BadInput as error:
                    unreadable.append(error.at(source=file))
    except KeyboardInterrupt:
        interrupted = True
    faulty = sum(one.is_faulty for one in found)
    summary = {"items": len(found), "faulty": faulty}
    rows = [
        [one.item.name, "?" if one.solutions is None else str(one.solutions), one.answer,
         ", ".join(map(str, one.redundant)) or "-", str(one.grade.level) if one.grade else "-"]
        for one in found
    ]  # fmt: skip
    table = Table(["item", "solutions", "answer", "redundant clues", "grade"], rows)
    conflicts = [f"{one.item.name}: {'; '.join(one.conflict)}" for one in found if one.conflict]
    print_answer(
        summary, [table, *conflicts, f"{plural(len(found), 'item')}, {faulty} faulty"],
        as_json=as_json,
    )  # fmt: skip
    for problem in unreadable:
        click.echo(visible(f"error: {problem}"), err=True)
    if interrupted:
        end_with(EXIT_INTERRUPTED)
    undecided = not all(one.is_decided for one in found)
    codes = [(unreadable, EXIT_UNREADABLE), (faulty, EXIT_NO), (undecided, EXIT_UNDECIDED)]
    end_with(next((code for is_so, code in codes if is_so), EXIT_YES))


@click.command("judge-steps")
@click.argument("file", metavar="FILE", type=click.Path())
@json_option
def judge_chain(file: str, *, as_json: bool) -> None:
    """Find the first step of a chain of reasoning that does not follow from what it cites.

    \b
    Example:  deduce judge-steps chain.jsonl

    FILE has one JSON object in each line, or is - for standard input. The first states what the
    chain is about: {"problem": TEXT}, a problem as text or in JSON, or {"game": NAME, "log": TEXT}.
    Each further one is a step: {"claim": "Ann=red", "events": [1], "from": ["Ben=blue"]}, with the
    numbers of the clues and the earlier claims that it cites. "rules" lists the rules that it uses;
    left out, it may use all. The form is that of deduce steps --json. # begins a comment.

    Exit code 1: a step is wrong.
    """  # noqa: D301 (click reads the backspace)
    from deduce.audit.referee import judge_steps, read_link
    from deduce.logs.events import read_text
    from deduce.logs.json_values import parse_json

    text, source = read_text(file)
    numbered = enumerate(map(str.strip, text.splitlines()), 1)
    lines = [(n, line) for n, line in numbered if line and not line.startswith("#")]
    chain = []
    if not lines:
        raise BadInput('expected {"problem": ...} and then one step a line', source=source)
    number = lines[0][0]
    try:
        knowledge = _about(parse_json(lines[0][1]))
        for number, line in lines[1:]:  # noqa: B007 (the place of an error)
            chain.append(read_link(parse_json(line)))
            knowledge.claim(chain[-1].claim)
    except BadInput as error:
        raise error.at(source=source, line=number) from None
    ruling = judge_steps(knowledge, chain)
    said = "every step follows" if ruling.step is None else f"step {ruling.step}: {ruling.verdict}"
    if ruling.step is not None:
        said += f"; the claim is {ruling.truth}"
        if ruling.missing:
            said += f" (also cite {', '.join(f'event {n}' for n in ruling.missing)})"
    document = {
        "schema": "deduce/judge-steps/1",
        "steps": len(chain),
        "step": ruling.step,
        "verdict": ruling.verdict,
        "truth": ruling.truth,
        "missing": list(ruling.missing),
    }
    print_answer(document, [said], as_json=as_json)
    end_with(EXIT_YES if ruling.step is None else EXIT_NO)


def _about(document: object) -> Knowledge:
    """Return the knowledge that the first line of a chain states."""
    from deduce.logs.events import read_log
    from deduce.logs.problem_json import read_problem
    from deduce.logs.problem_text import parse_problem
    from deduce.system import registry

    match document:
        case {"problem": str(text)}:
            return Knowledge(parse_problem(text))
        case {"problem": dict(problem)}:
            return Knowledge(read_problem(problem))
        case {"game": str(name), "log": str(log)} if name in registry.names():
            return Knowledge.of(read_log(log, registry.load(registry.find(name).hidden)))
    raise BadInput(
        'expected {"problem": TEXT}, or {"game": NAME, "log": TEXT} of an installed game'
    )
