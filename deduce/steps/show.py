"""The views of proofs: numbered lines, and HTML in which large steps unfold.

`deduce.display` imports this module when a proof is first shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import evolve

from deduce.display import register
from deduce.game import Shown, hook
from deduce.knowledge import Knowledge
from deduce.logs import event_line, write
from deduce.problem import World
from deduce.show.cells import text_html
from deduce.show.text import groups, world_text
from deduce.steps.paragraphs import paragraphs
from deduce.steps.proof import Proof, Suppose
from deduce.steps.puzzle import Puzzle
from deduce.steps.tutor import Judgement, MarkVerdict, summary
from deduce.steps.unfold import proof_html, suppose_html
from deduce.text import join, name_of, visible

__all__ = [
    "judgement_html",
    "judgement_text",
    "proof_text",
    "puzzle_html",
    "steps_html",
    "verdict_lines",
]


def proof_text(proof: Proof) -> str:
    """Return a proof as numbered lines, with the suppositions of large steps below them."""
    if not proof.steps:
        return "nothing more follows"
    lines: list[str] = []
    for number, (text, group) in enumerate(paragraphs(proof), start=1):
        lines.append(f"{number}. {text}")
        if group[0].suppose is not None:
            lines += _suppose_lines(proof.knowledge, group[0].suppose, "   ")
    return visible("\n".join(lines))


def _suppose_lines(knowledge: Knowledge, suppose: Suppose, indent: str) -> Iterator[str]:
    yield f"{indent}Suppose {join([knowledge.say(claim) for claim in suppose.claims])}."
    for step in (*suppose.steps, suppose.contradiction):
        yield f"{indent}- {step.text}"
        if step.suppose is not None:
            yield from _suppose_lines(knowledge, step.suppose, indent + "  ")


def steps_html(proof: Proof) -> str:
    """Return a proof as a numbered list, in which the suppositions of large steps unfold."""
    if not proof.steps:
        return "<p>nothing more follows</p>"
    items = [
        f"<li>{text_html(text)}{suppose_html(proof.knowledge, group[0].suppose)}</li>"
        for text, group in paragraphs(proof)
    ]
    return f"<ol>{''.join(items)}</ol>"


def judgement_text(judgement: Judgement, world: Callable[[Knowledge, World], str]) -> str:
    """Return what can be said of a sheet: a line for each mark, then what was missed.

    Parameters
    ----------
    judgement
        What is shown.
    world
        Returns a world as a line.
    """
    lines = verdict_lines(judgement.knowledge, judgement.marks, world)
    lines.append(summary(judgement))
    if not judgement.is_complete:
        lines += ["Missed, the easiest first:", proof_text(judgement.missed)]
    return visible("\n".join(lines))


def verdict_lines(
    knowledge: Knowledge,
    marks: Iterable[MarkVerdict],
    world: Callable[[Knowledge, World], str],
) -> list[str]:
    """Return the lines of the marks: what can be said of each, and why.

    Parameters
    ----------
    knowledge
        What is known.
    marks
        The marks with their verdicts.
    world
        Returns a world as a line.
    """
    lines = []
    for mark in marks:
        said = knowledge.say(mark.claim)
        if mark.verdict == "proved":
            lines.append(f"proved: {said}")
        elif mark.why is not None:
            lines.append(f"wrong: {said}")
            lines += [f"  {line}" for line in str(mark.why).splitlines()[1:]]
        elif mark.witness is not None:
            lines.append(f"not yet provable: {said}; it does not hold in this world:")
            lines.append(f"  {world(knowledge, mark.witness)}")
    return lines


def judgement_html(judgement: Judgement) -> str:
    """Return what can be said of a sheet, with what was missed as a proof."""
    text = judgement_text(evolve(judgement, missed=Proof(judgement.knowledge, ())), world_text)
    return f"<pre>{text_html(text)}</pre>{proof_html(judgement.missed)}"


def puzzle_html(puzzle: Puzzle) -> str:
    """Return the set-up, the events and an empty sheet.

    If the game draws a picture, that is shown as well; where there are only two values, marks can
    be written in it, and there is no other sheet.
    """
    knowledge = puzzle.knowledge
    draw = hook(knowledge.game, Shown.svg)
    picture = "" if draw is None else f"<div>{draw(knowledge)}</div>"
    values = {value for domain in knowledge.problem.domains.values() for value in domain}
    sheet = "" if picture and len(values) <= 2 else _sheet(puzzle)
    setup = write(knowledge.upto(0)).strip()
    events = (text_html(event_line(knowledge.game, event)) for event in knowledge.log)
    listed = "".join(f"<li>{event}</li>" for event in events)
    return f"<pre>{text_html(setup)}</pre>{picture}<ol>{listed}</ol>{sheet}"


def _sheet(puzzle: Puzzle) -> str:
    """Return the empty sheet: variables against values."""
    knowledge = puzzle.knowledge
    domains = knowledge.problem.domains
    values = list(dict.fromkeys(value for domain in domains.values() for value in domain))
    head = _row("th", ["", *map(name_of, values)])
    rows: list[str] = []
    for heading, variables in groups(knowledge).items():
        if heading:
            span = f'<th colspan="{len(values) + 1}"><em>{text_html(str(heading))}</em></th>'
            rows.append(f"<tr>{span}</tr>")
        for variable in variables:
            cells = "".join(
                "<td></td>" if value in domains[variable] else "<td>-</td>" for value in values
            )
            rows.append(f"<tr><th>{text_html(name_of(variable))}</th>{cells}</tr>")
    return f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


def _row(tag: str, cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{text_html(cell)}</{tag}>" for cell in cells) + "</tr>"


register(Proof, text=proof_text, html=proof_html)
register(Puzzle, text=lambda value: value.text, html=puzzle_html)
register(Judgement, text=lambda value: judgement_text(value, world_text), html=judgement_html)
