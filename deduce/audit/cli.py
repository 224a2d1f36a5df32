"""The commands about files of problems, and about chains of steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from deduce.audit.audited import audit
from deduce.audit.items import Item, read_items
from deduce.audit.sets import PREFIX, read_set
from deduce.batch.parallel import run_all
from deduce.batch.results import ResultsFile
from deduce.cli.endings import (
    EXIT_INTERRUPTED,
    EXIT_NO,
    EXIT_UNDECIDED,
    EXIT_UNREADABLE,
    EXIT_YES,
)
from deduce.cli.numbers import Whole, jobs_option
from deduce.cli.output import (
    end_undecided,
    end_with,
    file_option,
    json_option,
    print_answer,
    print_json,
    take_all,
    usage,
)
from deduce.constraints import Fact, is_
from deduce.errors import BadInput, Contradiction, Undecided, Unsupported, placed
from deduce.knowledge import Knowledge
from deduce.logs.problem_json import write_value
from deduce.show.table import Table
from deduce.system.text import plural, visible

__all__ = ["audit_command", "judge_chain", "puzzle", "solve", "steps", "why"]


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

    Exit code 1: there is no solution. 4: their number is undecided.
    """  # noqa: D301 (click reads the backspace)
    knowledge = Knowledge(_only(file).problem)
    if not knowledge.is_consistent():
        reason = knowledge.contradiction()
        conflict = [*map(str, reason.steps), *reason.rules]
        document = {"schema": "deduce/solve/1", "solutions": 0, "conflict": conflict}
        print_answer(document, str(reason).splitlines(), as_json=as_json)
        end_with(EXIT_NO)
    certain = knowledge.certain()
    count = undecided = None
    try:
        count = knowledge.count()
    except Undecided as error:
        undecided = error
    number = "number of solutions undecided" if count is None else plural(count, "solution")
    pairs = [[write_value(name), write_value(value)] for name, value in certain.items()]
    lines = [f"{name}: {value}" for name, value in certain.items()]
    lines.append(f"{number}, {len(certain)} of "
                 f"{plural(len(knowledge.problem.domains), 'variable')} certain")  # fmt: skip
    document = {"schema": "deduce/solve/1", "solutions": count, "certain": pairs}
    print_answer(document, lines, as_json=as_json)
    end_undecided(undecided)


@click.command("why")
@click.argument("claim", metavar="CLAIM")
@click.argument("file", metavar="FILE", type=click.Path())
def why(claim: str, file: str) -> None:
    """Print why a claim about a problem is certain or impossible.

    \b
    Example:  deduce why Ann=red hats.deduce

    CLAIM is a fact, or facts joined by 'or' or by 'and'; FILE is as for deduce solve.

    Exit code 1: it is not certain.
    """  # noqa: D301 (click reads the backspace)
    knowledge = Knowledge(_only(file).problem)
    with usage("CLAIM"):
        knowledge.claim(claim)
    reason = knowledge.why(claim) if knowledge.is_consistent() else knowledge.contradiction()
    click.echo(str(reason))
    end_with(EXIT_YES if reason.verdict == "certain" else EXIT_NO)


@click.command("steps")
@click.argument("file", metavar="FILE", type=click.Path())
@json_option
def steps(file: str, *, as_json: bool) -> None:
    """Print how everything certain in a problem follows, one small step at a time.

    \b
    Example:  deduce steps hats.deduce

    FILE is as for deduce solve.
    """  # noqa: D301 (click reads the backspace)
    from deduce.steps.proof import steps as steps_of
    from deduce.steps.show import proof_json, proof_text

    knowledge = Knowledge(_only(file).problem)
    if not knowledge.is_consistent():
        print_answer({"schema": PROBLEM_STEPS, "contradiction": True}, (), as_json=as_json)
        raise Contradiction(f"no world is possible in {file}; 'deduce solve' shows why")
    proof = steps_of(knowledge)
    document = {"schema": PROBLEM_STEPS, **proof_json(proof)}
    print_answer(document, proof_text(proof).splitlines(), as_json=as_json)


@click.command("audit")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option("--fast", is_flag=True, help="Leave out redundant clues, grades and proofs.")
@jobs_option("Processes.")
@file_option(
    "--results", help="Write every item with its proof to FILE, and continue it if it exists."
)
@json_option
def audit_command(
    files: tuple[str, ...], *, fast: bool, jobs: int, results: Path | None, as_json: bool
) -> None:
    """Check puzzles: their solutions, stated answers and redundant clues.

    \b
    Example:  deduce audit hats.deduce boards.txt
              deduce audit --fast --json boards.txt
              deduce audit --jobs 2 --results found.jsonl boards.txt

    FILE is a problem or a file with one item per line (docs/problems.md), or the name of a data set
    such as reasoning-gym:survo:300:1 (name, items, seed). --json prints one object per line; the
    last one has the numbers of items and of faulty items. deduce/audit/checker.py, which imports
    nothing from deduce, verifies the file of results.

    Exit code 1 if an item is faulty, 3 if a file cannot be read, 4 if an item is undecided.
    """  # noqa: D301 (click reads the backspace)
    items: list[Item] = []
    unreadable: list[BadInput] = []
    for file in files:
        try:
            is_set = file.startswith(PREFIX)
            for item in read_set(file) if is_set else read_items(file, unreadable):
                items.append(item)  # noqa: PERF402 (those before an error count)
        except BadInput as error:
            unreadable.append(error.at(source=file))
    found: list[Mapping[str, Any]] = []
    waiting: dict[int, Mapping[str, Any]] = {}
    undecided: list[str] = []

    def take(row: Mapping[str, Any]) -> str:
        waiting[row["trial"]] = row
        while (following := waiting.pop(len(found) + 1, None)) is not None:
            found.append(one := following["found"])
            if one["answer"] == "undecided":
                reason = following.get("undecided", "not decided within the budget")
                undecided.append(f"{one['item']}: {reason}")
            if as_json:
                print_json(one)
        return str(row["found"]["item"])

    rows = _rows(items, deep=not fast, jobs=jobs, results=results)
    is_whole = take_all(rows, "items", len(items), take)
    faulty = sum(one["faulty"] for one in found)
    summary = {"items": len(found), "faulty": faulty}
    cells = [
        [one["item"], *(_cell(one[name]) for name in ("solutions", "answer")),
         _listed(one["redundant"]), _cell(one["grade"]), _cell(one["steps"])]
        for one in found
    ]  # fmt: skip
    table = Table(["item", "solutions", "answer", "redundant clues", "grade", "steps"], cells)
    notes = [f"{one['item']}: {'; '.join(one['conflict'])}" for one in found if one["conflict"]]
    notes += [
        f"{one['item']}: accepts answer {', '.join(map(str, one['paid']))}, which does not follow"
        for one in found if one["paid"]
    ]  # fmt: skip
    lines: list[str | Table] = [table, *notes] if found else []
    lines.append(f"{plural(len(found), 'item')}, {faulty} faulty")
    print_answer(summary, lines, as_json=as_json)
    for reason in undecided:
        click.echo(visible(f"undecided: {reason}"), err=True)
    for problem in unreadable:
        click.echo(visible(f"error: {problem}"), err=True)
    if not is_whole:
        end_with(EXIT_INTERRUPTED)
    codes = [(unreadable, EXIT_UNREADABLE), (faulty, EXIT_NO), (undecided, EXIT_UNDECIDED)]
    end_with(next((code for is_so, code in codes if is_so), EXIT_YES))


def _cell(value: object) -> str:
    return "-" if value is None else str(value)


def _listed(numbers: Sequence[int]) -> str:
    """Return the first numbers of a list, and how many there are in all if these are not all."""
    shown = ", ".join(map(str, numbers[:MAX_SHOWN])) or "-"
    return shown if len(numbers) <= MAX_SHOWN else f"{shown}, ... ({len(numbers)})"


MAX_SHOWN = 8
"""How many redundant clues the table lists."""


def _rows(
    items: Sequence[Item], *, deep: bool, jobs: int, results: Path | None
) -> Iterator[Mapping[str, Any]]:
    """Yield what is found about each item, in any order; first what the file of results has."""
    task = partial(_row, deep=deep, whole=results is not None)
    numbered = list(enumerate(items, 1))
    if results is None:
        yield from run_all(task, numbered, jobs=jobs)
        return
    with ResultsFile(results, {"audit": "fast" if not deep else "deep"}) as file:
        known = {row["trial"]: row for row in file.rows()}
        for number, row in known.items():
            written = _written(items[number - 1]) if number <= len(items) else {}
            if not written or {**row, **written} != row:
                raise BadInput(f"item {number} is a different one in this file; name another file",
                               source=str(results))  # fmt: skip
            yield row
        left = [(number, item) for number, item in numbered if number not in known]
        for made in run_all(task, left, jobs=jobs):
            file.add(made)
            yield made


def _row(numbered: tuple[int, Item], *, deep: bool, whole: bool) -> Mapping[str, Any]:
    """Return what is found about an item; whole: with the problem and the proof."""
    number, item = numbered
    audited = audit(item, deep=deep)
    found: dict[str, Any] = {"trial": number, "found": audited.to_json()}
    if audited.undecided:
        found["undecided"] = audited.undecided
    return {**found, **_written(item), "proof": audited.proof} if whole else found


def _written(item: Item) -> Mapping[str, Any]:
    """Return an item in JSON, or its name if its problem has no form in it."""
    try:
        return item.to_json()
    except Unsupported:
        return {"item": item.name}


@click.command("puzzle")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option("--seed", type=Whole(), default=0, show_default=True,
    help="The order in which clues are dropped.")  # fmt: skip
@click.option("--solution", is_flag=True, help="Add the answer and the steps to it.")
@json_option
def puzzle(file: str, *, seed: int, solution: bool, as_json: bool) -> None:
    """Make a puzzle from a problem: drop clues until every remaining one is needed.

    \b
    Example:  deduce puzzle hats.deduce
              deduce puzzle --seed 3 --solution hats.deduce

    FILE is as for deduce solve. The answer stated in the file stays certain, or if there is none,
    the whole solution. The output is a problem as text, with its grade.

    Exit code 1: there is not exactly one answer.
    """  # noqa: D301 (click reads the backspace)
    from random import Random

    from deduce.logs.problem_text import write_text
    from deduce.steps.proof import steps as steps_of
    from deduce.steps.puzzle import grade, minimal_clues
    from deduce.steps.show import proof_json, proof_text

    item = _only(file)
    whole = Knowledge(item.problem)
    reason = "there is no solution"
    answers: list[Fact] = []
    document: dict[str, Any]
    if whole.is_consistent():
        known = whole.certain()
        asked = {fact.variable: fact for fact in item.answer if isinstance(fact, Fact)}
        wanted = [name for name in item.problem.domains if name in (asked or item.problem.domains)]
        answers = [is_(name, known[name]) for name in wanted if name in known]
        unknown = ", ".join(str(name) for name in wanted if name not in known)
        stated = ", ".join(str(claim) for claim in item.answer if not whole.is_certain(claim))
        reason = f"not certain: {unknown}" if unknown else ""
        reason = f"the stated answer is not certain: {stated}" if stated else reason
    if reason:
        document = {"schema": PUZZLE, "text": None, "reason": reason}
        print_answer(document, [f"no puzzle: {reason}"], as_json=as_json)
        end_with(EXIT_NO)
    made = Knowledge(minimal_clues(whole, answers, Random(seed)))
    level = grade(made, answers)
    text = write_text(made.problem, answers if solution else ())
    lines = [f"# {level}", *text.rstrip("\n").splitlines()]
    document = {}
    if solution or as_json:
        found = steps_of(made)
        claims = {step.claim for step in found}
        proof = found.needed_for([answer for answer in answers if answer in claims])
        lines += [f"# {line}" for line in proof_text(proof).splitlines() if not as_json]
        document = {
            "schema": PUZZLE,
            "seed": seed,
            "grade": level.level,
            "hardest": level.hardest,
            "rounds": level.rounds,
            "text": text,
            "answers": [
                [write_value(a.variable), write_value(next(iter(a.values)))] for a in answers
            ],
            **proof_json(proof),
        }
    print_answer(document, lines, as_json=as_json)


PUZZLE, PROBLEM_STEPS = "deduce/problem-puzzle/1", "deduce/problem-steps/1"


@click.command("judge-steps")
@click.argument("file", metavar="FILE", type=click.Path())
@json_option
def judge_chain(file: str, *, as_json: bool) -> None:
    """Find the first step of a chain of reasoning that does not follow from what it cites.

    \b
    Example:  deduce judge-steps chain.jsonl
              deduce steps --json hats.deduce | deduce judge-steps -

    FILE has one JSON object in each line, or is - for standard input. The first states what the
    chain is about: {"problem": TEXT}, a problem as text or in JSON, or {"game": NAME, "log": TEXT}.
    Each further line is a step: {"claim": "Ann=red", "events": [1], "from": ["Ben=blue"]}, with the
    numbers of the clues and the earlier claims that it cites. "rules" lists the rules that it uses;
    without it, the step may use all. The first object may itself contain the "steps", as deduce
    steps --json prints them. # begins a comment.

    Exit code 1: a step is wrong.
    """  # noqa: D301 (click reads the backspace)
    from deduce.audit.referee import Link, judge_steps, read_link
    from deduce.logs.case_forms import check_form
    from deduce.logs.json_values import parse_json
    from deduce.system.files import read_text

    text, source = read_text(file)
    numbered = enumerate(map(str.strip, text.split("\n")), 1)
    lines = [(n, line) for n, line in numbered if line and not line.startswith("#")]
    if not lines:
        raise BadInput('expected {"problem": ...} and then one step per line', source=source)
    chain: list[Link] = []
    for number, line in lines:
        with placed(source=source, line=number):
            document = parse_json(line)
            steps, claims = [document], []
            if number == lines[0][0]:
                knowledge = _about(document)
                check_form(document, {"marks?": [str], "steps?": [{}]})
                steps, marks = document.get("steps", []), document.get("marks", [])
                claims = [*marks]
            links = [read_link(step) for step in steps]
            for text in (
                *claims,
                *(text for link in links for text in (link.claim, *link.earlier)),
            ):
                knowledge.claim(text)
            chain += links
    with placed(source=source):
        ruling = judge_steps(knowledge, chain, marks=marks)
    said = "every step follows" if ruling.step is None else f"step {ruling.step}: {ruling.verdict}"
    if ruling.step is not None:
        said += f"; the claim is {ruling.truth}"
        also = [
            *(f"event {n}" for n in ruling.missing or ()),
            *(f"rule {r!r}" for r in ruling.rules),
        ]
        said += f" (also cite {', '.join(also)})" if also else ""
        if ruling.missing is None and ruling.truth == "certain":
            said += " (what is missing was not decided)"
    print_answer(
        {
            "schema": "deduce/judge-steps/1",
            "steps": len(chain),
            "step": ruling.step,
            "verdict": ruling.verdict,
            "truth": ruling.truth,
            "missing": None if ruling.missing is None else list(ruling.missing),
            "rules": list(ruling.rules),
        },
        [said],
        as_json=as_json,
    )
    end_with(EXIT_YES if ruling.step is None else EXIT_NO)


def _about(document: object) -> Knowledge:
    """Return the knowledge that the first line of a chain states."""
    from deduce.audit.tools import hidden_game
    from deduce.logs.events import read_log
    from deduce.logs.problem_json import read_problem
    from deduce.logs.problem_text import parse_problem
    from deduce.system.registry import load

    match document:
        case {"problem": str(text)}:
            return Knowledge(parse_problem(text))
        case {"problem": dict(problem)}:
            return Knowledge(read_problem(problem))
        case {"game": str(name), "log": str(log)}:
            return Knowledge.of(read_log(log, load(hidden_game(name).hidden)))
    raise BadInput(
        'expected {"problem": TEXT}, or {"game": NAME, "log": TEXT} of an installed game'
    )
