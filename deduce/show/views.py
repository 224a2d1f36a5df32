"""The views of knowledge, explanations and distributions, as text and as HTML for notebooks.

The HTML has no widget, no script and no style sheet; every name is escaped. `deduce.show.cells`
shades numbers. `deduce.display` imports this module when a value is first shown.

>>> from deduce.queries import Distribution
>>> "3/4" in Distribution({("<b>",): 3, ("tails",): 1})._repr_html_()
True
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from deduce.constraints import Value, Variable
from deduce.display import register
from deduce.errors import Contradiction
from deduce.explain import Why
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.queries import Distribution
from deduce.show.cells import (
    CELL,
    CERTAIN,
    EXCLUDED,
    heading_html,
    number_html,
    row_html,
    side_by_side,
    table_html,
    text_html,
)
from deduce.show.table import percent
from deduce.show.text import (
    Grid,
    distribution_table,
    grid_of,
    groups,
    knowledge_text,
    knowledge_title,
    world_line,
)
from deduce.text import by_name

__all__ = ["LIMIT"]

LIMIT = 200
"""How many variables a grid shows."""

Shares = Mapping[Variable, Mapping[Value, Fraction]]


def _knowledge_html(knowledge: Knowledge) -> str:
    try:
        grid = grid_of(knowledge)
    except Contradiction:
        return _why_html(knowledge.contradiction())
    domains = knowledge.problem.domains
    names = {variable: name for name, variable in by_name(domains).items()}
    columns = by_name(dict.fromkeys(value for domain in domains.values() for value in domain))
    shares = None if grid.numbers is None else knowledge.shares()
    lines, left = [], LIMIT
    for heading, variables in groups(knowledge).items():
        if heading and left:
            lines.append(heading_html(heading, len(columns) + 1))
        for variable in variables[:left]:
            cells = (
                _cell(grid, shares, variable, value) if value in domains[variable] else "<td></td>"
                for value in columns.values()
            )
            lines.append(row_html(names[variable], cells))
        left = max(0, left - len(variables))
    notes = [f"percentages are {grid.kind}" if grid.numbers else "? = the number is not known"]
    if len(domains) > LIMIT:
        notes.append(f"the first {LIMIT} of {len(domains)} variables are shown")
    table = table_html(knowledge_title(knowledge, grid), ("", *columns), lines, notes)
    draw = getattr(knowledge.game, "svg", None)
    return table if draw is None else side_by_side(str(draw(knowledge)), table)


def _cell(grid: Grid, shares: Shares | None, variable: Variable, value: Value) -> str:
    text = grid.cell(variable, value)
    if text == "no":
        return f'<td style="{CELL}{EXCLUDED}">no</td>'
    if grid.numbers is None or shares is None:
        return f'<td style="{CELL}{CERTAIN if text == "yes" else ""}">{text}</td>'
    number, share = grid.numbers[variable][value], shares[variable][value]
    return number_html(number, f"{_SINGULAR[grid.kind]} {number}, share of worlds {share}", text)


def _why_html(why: Why) -> str:
    parts = [f"<strong>{text_html(why.headline)}</strong>"]
    examples = (("with it", why.holds), ("without it", why.fails))
    parts += [_example(kind, world) for kind, world in examples if world is not None]
    steps = [(step.place, "; ".join(step.sentences)) for step in why.steps]
    steps += [("rule", rule) for rule in why.rules]
    if steps:
        lines = (f"<li><strong>{text_html(a)}</strong>: {text_html(b)}</li>" for a, b in steps)
        style = "list-style:none;margin:.3em 0;padding-left:1.5em;"
        parts.append(f'<ul style="{style}">{"".join(lines)}</ul>')
    if why.repair:
        parts.append(f"<div>{text_html(why.repair)}</div>")
    return f"<div>{''.join(parts)}</div>"


def _example(kind: str, world: World) -> str:
    return f"<details><summary>a world {kind}</summary>{text_html(world_line(world))}</details>"


def _distribution_html(distribution: Distribution) -> str:
    table = distribution_table(distribution)
    numbers = distribution.values()
    lines = [
        row_html(answer, [number_html(share, str(share), percent(share))])
        for (answer, _), share in zip(table.rows, numbers, strict=False)
    ]
    return table_html(table.title, table.head, lines, table.notes)


_SINGULAR = {"probabilities": "probability", "shares of worlds": "share of worlds"}

register(Knowledge, text=knowledge_text, html=_knowledge_html)
register(Why, html=_why_html)
register(
    Distribution,
    text=lambda distribution: str(distribution_table(distribution)),
    html=_distribution_html,
)
