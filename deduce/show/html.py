"""Answers as HTML for notebooks: no widget, no script, no style sheet; every name is escaped.

A number is shaded by one colour laid over the page's own background, the thicker the more
probable, and the page's own text colour stands on it. So the same HTML is readable on light and
dark pages, on paper without colour (more is darker, or brighter on a dark page, in one order), and
for the colour-blind; and since every cell says its number as text, the shade never carries
anything alone. The colour is of such brightness that even at its thickest both black and white
text stand out from it (WCAG 2.2, success criterion 1.4.3).

>>> from fractions import Fraction
>>> from deduce.queries import Distribution
>>> "3/4" in html(Distribution({("<b>",): 3, ("tails",): 1}))
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import singledispatch
from html import escape

from deduce.constraints import Value, Variable
from deduce.errors import Contradiction
from deduce.explain import Why
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.queries import Distribution
from deduce.show.text import (
    Grid,
    Table,
    distribution_table,
    grid_of,
    groups,
    knowledge_title,
    percent,
    world_line,
)
from deduce.text import by_name

__all__ = ["html"]

SHADE = "31,119,180"
"""The one colour, red, green and blue."""

THINNEST, THICKEST = 0.06, 0.7
"""How opaque the shade of a number just over 0 and of a certainty is."""

CELL = "padding:.15em .6em;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;"
HEAD = "padding:.15em .6em;text-align:left;white-space:nowrap;"
CERTAIN = "font-weight:bold;box-shadow:inset 0 0 0 1px currentColor;"
EXCLUDED = "opacity:.65;"
TOP = "font-weight:bold;text-align:left;caption-side:top;"
LIMIT = 200
"""How many variables a grid shows."""

Shares = Mapping[Variable, Mapping[Value, Fraction]]


@singledispatch
def html(value: object) -> str:
    """Return the HTML of a knowledge, an explanation, a distribution or a table.

    Raises
    ------
    TypeError
        It is something else.
    """
    raise TypeError(f"there is no HTML for a {type(value).__name__}")


@html.register
def _(knowledge: Knowledge) -> str:
    try:
        grid = grid_of(knowledge)
    except Contradiction:
        return html(knowledge.contradiction())
    domains = knowledge.problem.domains
    names = {variable: name for name, variable in by_name(domains).items()}
    columns = by_name(dict.fromkeys(value for domain in domains.values() for value in domain))
    shares = None if grid.numbers is None else knowledge.shares()
    lines, left = [], LIMIT
    for heading, variables in groups(knowledge).items():
        if heading and left:
            lines.append(_heading(heading, len(columns) + 1))
        for variable in variables[:left]:
            cells = (
                _cell(grid, shares, variable, value) if value in domains[variable] else "<td></td>"
                for value in columns.values()
            )
            lines.append(_row(names[variable], cells))
        left = max(0, left - len(variables))
    notes = [f"numbers: {grid.kind}" if grid.numbers else "? = the number is not known"]
    if len(domains) > LIMIT:
        notes.append(f"the first {LIMIT} of {len(domains)} variables are shown")
    return _table(knowledge_title(knowledge, grid), ("", *columns), lines, notes)


def _cell(grid: Grid, shares: Shares | None, variable: Variable, value: Value) -> str:
    text = grid.cell(variable, value)
    if text == "no":
        return f'<td style="{CELL}{EXCLUDED}">no</td>'
    if grid.numbers is None or shares is None:
        return f'<td style="{CELL}{CERTAIN if text == "yes" else ""}">{text}</td>'
    number, share = grid.numbers[variable][value], shares[variable][value]
    return _number(number, f"{grid.kind} {number}, share of worlds {share}", text)


def _number(number: Fraction, hover: str, text: str) -> str:
    opacity = THICKEST if number == 1 else THINNEST + (THICKEST - THINNEST) * float(number)
    style = f"{CELL}background-color:rgba({SHADE},{opacity:.2f});{CERTAIN if number == 1 else ''}"
    return f'<td style="{style}" title="{escape(hover)}">{escape(text)}</td>'


@html.register
def _(why: Why) -> str:
    parts = [f"<strong>{escape(why.headline)}</strong>"]
    examples = (("with it", why.holds), ("without it", why.fails))
    parts += [_example(kind, world) for kind, world in examples if world is not None]
    steps = [(step.place, "; ".join(step.sentences)) for step in why.steps]
    steps += [("rule", rule) for rule in why.rules]
    if steps:
        lines = (f"<li><strong>{escape(a)}</strong>: {escape(b)}</li>" for a, b in steps)
        style = "list-style:none;margin:.3em 0;padding-left:1.5em;"
        parts.append(f'<ul style="{style}">{"".join(lines)}</ul>')
    if why.repair:
        parts.append(f"<div>{escape(why.repair)}</div>")
    return f"<div>{''.join(parts)}</div>"


def _example(kind: str, world: World) -> str:
    return f"<details><summary>a world {kind}</summary>{escape(world_line(world))}</details>"


@html.register
def _(distribution: Distribution) -> str:
    table = distribution_table(distribution)
    numbers = distribution.values()
    lines = [
        _row(answer, [_number(share, str(share), percent(share))])
        for (answer, _), share in zip(table.rows, numbers, strict=False)
    ]
    return _table(table.title, table.head, lines, table.notes)


@html.register
def _(table: Table) -> str:
    lines = [
        _row(first, (f'<td style="{CELL}">{escape(cell)}</td>' for cell in rest))
        for first, *rest in table.rows
    ]
    return _table(table.title, table.head, lines, table.notes)


def _heading(text: str, columns: int) -> str:
    return f'<tr><th colspan="{columns}" style="{HEAD}">{escape(text)}</th></tr>'


def _row(name: str, cells: Iterable[str]) -> str:
    style = f"{HEAD}font-weight:normal;"
    return f'<tr><th scope="row" style="{style}">{escape(name)}</th>{"".join(cells)}</tr>'


def _table(title: str, head: Iterable[str], lines: Iterable[str], notes: Iterable[str]) -> str:
    headings = [
        f'<th scope="col" style="{CELL if i else HEAD}">{escape(name)}</th>'
        for i, name in enumerate(head)
    ]
    caption = f'<caption style="{TOP}">{escape(title)}</caption>' if title else ""
    header = f"<thead><tr>{''.join(headings)}</tr></thead>" if any(head) else ""
    below = "".join(f"<div>{escape(note)}</div>" for note in notes)
    return (
        f'<div style="overflow-x:auto"><table style="border-collapse:collapse">{caption}{header}'
        f"<tbody>{''.join(lines)}</tbody></table>{below}</div>"
    )
