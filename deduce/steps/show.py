"""The views of proofs: numbered lines, and HTML in which large steps unfold.

`deduce.display` imports this module when a proof is first shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from attrs import evolve

from deduce.constraints import Fact
from deduce.display import register
from deduce.events import format_event, write_text
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.show.cells import text_html
from deduce.show.text import groups, world_text
from deduce.steps.proof import Proof, ProofStep, Suppose
from deduce.steps.puzzle import Puzzle
from deduce.steps.tutor import Judgement, summary
from deduce.steps.words import say_facts
from deduce.text import join, name_of, visible

__all__ = [
    "judgement_html",
    "judgement_text",
    "paragraphs",
    "proof_html",
    "proof_text",
    "puzzle_html",
]


def paragraphs(proof: Proof) -> Iterator[tuple[str, tuple[ProofStep, ...]]]:
    """Yield the steps in a few sentences each; neighbours with the same reason are taken together.

    What one event states is one paragraph; neighbouring events that state the same about different
    variables are taken together as well.
    """
    groups = [tuple(group) for _, group in groupby(proof, key=_group_key)]
    for alike, neighbours in groupby(groups, key=_stated_alike):
        several = list(neighbours)
        if alike is not None and len(several) >= MANY:
            taken = tuple(step for group in several for step in group)
            facts = [step.claim for step in taken if isinstance(step.claim, Fact)]
            events = join(list(dict.fromkeys(str(step.events[0]) for step in taken)))
            yield f"Events {events}: {say_facts(proof.knowledge, facts)}.", taken
        else:
            for group in several:
                yield _sentence(proof.knowledge, group), group


MANY = 3
"""From this number of neighbouring events on, what they state alike is one paragraph."""


def _stated_alike(group: Sequence[ProofStep]) -> object:
    """Return what an event states about all its variables alike; ``None``: different things."""
    facts = [step.claim for step in group if isinstance(step.claim, Fact)]
    kinds = {(fact.negated, fact.values) for fact in facts}
    return kinds.pop() if group[0].given and group[0].events and len(kinds) == 1 else None


def _group_key(step: ProofStep) -> tuple[object, ...]:
    if step.given:
        return (True, step.events, step.rules)
    if step.suppose is not None:
        return (False, step.claim)
    return (False, step.because, step.events, step.earlier)


def _sentence(knowledge: Knowledge, group: Sequence[ProofStep]) -> str:
    first = group[0]
    facts = [step.claim for step in group if isinstance(step.claim, Fact)]
    if first.given:
        where = f" (event {first.events[0]})" if first.events else ""
        said = list(dict.fromkeys(step.because.removesuffix(where) for step in group))
        start = f"Event {first.events[0]}: " if first.events else ""
        if len(group) > 1 and len(said) == len(group):
            return f"{start}{'; '.join(said)}."
        claims = say_facts(knowledge, facts)
        stated = "; ".join(said)
        return f"{start}{stated}." if stated == claims else f"{start}{stated}: {claims}."
    if len(group) == 1:
        return first.text
    return f"{first.because}; so {say_facts(knowledge, facts)}."


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


def proof_html(proof: Proof) -> str:
    """Return a proof as a numbered list, in which the suppositions of large steps unfold."""
    if not proof.steps:
        return "<p>nothing more follows</p>"
    items = []
    for text, group in paragraphs(proof):
        suppose = group[0].suppose
        inner = "" if suppose is None else _suppose_html(proof.knowledge, suppose)
        items.append(f"<li>{text_html(text)}{inner}</li>")
    return f"<ol>{''.join(items)}</ol>"


def _suppose_html(knowledge: Knowledge, suppose: Suppose) -> str:
    claims = join([knowledge.say(claim) for claim in suppose.claims])
    items = []
    for step in (*suppose.steps, suppose.contradiction):
        inner = "" if step.suppose is None else _suppose_html(knowledge, step.suppose)
        items.append(f"<li>{text_html(step.text)}{inner}</li>")
    summary = f"<summary>{text_html(f'Suppose {claims}')}</summary>"
    return f"<details>{summary}<ul>{''.join(items)}</ul></details>"


def judgement_text(judgement: Judgement, world: Callable[[Knowledge, World], str]) -> str:
    """Return what can be said of a sheet: a line for each mark, then what was missed.

    Parameters
    ----------
    judgement
        What is shown.
    world
        Returns a world as a line.
    """
    knowledge = judgement.knowledge
    lines = []
    for mark in judgement.marks:
        said = knowledge.say(mark.claim)
        if mark.verdict == "proved":
            lines.append(f"proved: {said}")
        elif mark.why is not None:
            lines.append(f"wrong: {said}")
            lines += [f"  {line}" for line in str(mark.why).splitlines()[1:]]
        elif mark.witness is not None:
            lines.append(f"not yet provable: {said}; it does not hold in this world:")
            lines.append(f"  {world(knowledge, mark.witness)}")
    lines.append(summary(judgement))
    if not judgement.is_complete:
        lines += ["Missed, the easiest first:", proof_text(judgement.missed)]
    return visible("\n".join(lines))


def judgement_html(judgement: Judgement) -> str:
    """Return what can be said of a sheet, with what was missed as a proof."""
    text = judgement_text(evolve(judgement, missed=Proof(judgement.knowledge, ())), world_text)
    return f"<pre>{text_html(text)}</pre>{proof_html(judgement.missed)}"


def puzzle_html(puzzle: Puzzle) -> str:
    """Return the set-up, the events and an empty sheet."""
    knowledge = puzzle.knowledge
    setup = write_text(knowledge.game, ()).strip()
    events = (text_html(format_event(knowledge.game, event)) for event in knowledge.log)
    listed = "".join(f"<li>{event}</li>" for event in events)
    return f"<pre>{text_html(setup)}</pre><ol>{listed}</ol>{_sheet(puzzle)}"


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
register(Puzzle, text=lambda value: write_text(value.log.game, value.log.events), html=puzzle_html)
register(Judgement, text=lambda value: judgement_text(value, world_text), html=judgement_html)
