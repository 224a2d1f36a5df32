"""A proof in a notebook: steps unfold with a click, and the cells that they fill light up.

There is no script and no style sheet, so it works in a saved notebook as well.
"""

from __future__ import annotations

from collections.abc import Iterable

from deduce.constraints import Fact, Value, Variable
from deduce.knowledge import Knowledge
from deduce.show.cells import CELL, CERTAIN, EXCLUDED, row_html, table_html, text_html
from deduce.show.svg import shade
from deduce.steps.paragraphs import facts_of, paragraphs
from deduce.steps.proof import Proof, Suppose
from deduce.steps.words import say_facts
from deduce.text import join, name_of

__all__ = ["proof_html", "suppose_html"]

MAX_ROWS = 30
"""Steps about more variables have no sheet."""

Marks = dict[Variable, dict[Value, bool]]
"""What is known: for each variable and value, whether the variable has it."""


def proof_html(proof: Proof) -> str:
    """Return a proof as a numbered list of conclusions, each of which unfolds.

    What unfolds is the reason, and the sheet as far as the step is about it: what was known before,
    and lit up what the step adds.
    """
    if not proof.steps:
        return "<p>nothing more follows</p>"
    knowledge = proof.knowledge
    known: Marks = {}
    for fact in proof.marks:
        _mark(knowledge, known, fact)
    items = []
    for text, group in paragraphs(proof):
        facts = facts_of(group)
        first = group[0]
        cited = [fact for step in group for fact in step.earlier]
        before = {variable: dict(row) for variable, row in known.items()}
        for fact in facts:
            _mark(knowledge, known, fact)
        variables = dict.fromkeys(fact.variable for fact in (*cited, *facts))
        said = say_facts(knowledge, facts) if facts else ""
        if not said and first.claim is not None:
            said = knowledge.say(first.claim)
        sheet = _sheet(knowledge, variables, before, known)
        items.append(
            f"<li><details><summary>{text_html(said)} <em>({text_html(first.pattern)})</em>"
            f"</summary><p>{text_html(text)}</p>{suppose_html(knowledge, first.suppose)}{sheet}"
            "</details></li>"
        )
    return f"<ol>{''.join(items)}</ol>"


def suppose_html(knowledge: Knowledge, suppose: Suppose | None) -> str:
    """Return a supposition, which unfolds to its steps; ``None``: nothing."""
    if suppose is None:
        return ""
    claims = join([knowledge.say(claim) for claim in suppose.claims])
    items = [
        f"<li>{text_html(step.text)}{suppose_html(knowledge, step.suppose)}</li>"
        for step in (*suppose.steps, suppose.contradiction)
    ]
    summary = f"<summary>{text_html(f'Suppose {claims}')}</summary>"
    return f"<details>{summary}<ul>{''.join(items)}</ul></details>"


def _mark(knowledge: Knowledge, known: Marks, fact: Fact) -> None:
    """Add what a fact states to what is known."""
    row = known.setdefault(fact.variable, {})
    allowed = knowledge.problem.values_of(fact)
    for value in knowledge.problem.domains[fact.variable]:
        if value not in allowed:
            row[value] = False
        elif len(allowed) == 1:
            row[value] = True


def _sheet(knowledge: Knowledge, variables: Iterable[Variable], before: Marks, now: Marks) -> str:
    """Return the rows of some variables; what was not known before is lit up."""
    domains = knowledge.problem.domains
    chosen = list(variables)
    if not 0 < len(chosen) <= MAX_ROWS:
        return ""
    values = list(dict.fromkeys(value for variable in chosen for value in domains[variable]))
    rows = []
    for variable in chosen:
        old, row = before.get(variable, {}), now.get(variable, {})
        cells = []
        for value in values:
            mark = {True: "\u2713", False: "\u2717", None: ""}[row.get(value)]
            if value not in domains[variable]:
                mark = "-"
            lit = value in row and value not in old
            style = f"background-color:{shade(1)};{CERTAIN}" if lit else EXCLUDED
            cells.append(f'<td style="{CELL}text-align:center;{style}">{mark}</td>')
        rows.append(row_html(name_of(variable), cells))
    return table_html("", ["", *map(name_of, values)], rows, [])
