"""The views of knowledge, explanations and distributions, as text and as HTML for notebooks.

The HTML has no widget, no script and no style sheet; every name is escaped. `deduce.show.table`
shades numbers. `deduce.system.display` imports this module when a value is first shown.

>>> from deduce.reasoning.queries import Distribution
>>> "3/4" in Distribution({("<b>",): 3, ("tails",): 1})._repr_html_()
True
"""

from __future__ import annotations

from deduce.errors import Contradiction
from deduce.estimates import Estimate, EstimatedDistribution
from deduce.game import Shown, hook
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.reasoning.explain import Why
from deduce.reasoning.knowing import Known
from deduce.reasoning.queries import Distribution
from deduce.show.sheet import MAX_ROWS, Sheet, knowledge_sheet, sheet_html
from deduce.show.table import number_html, row_html, side_by_side, table_html, text_html
from deduce.show.text import distribution_table, grid_of
from deduce.system.display import register
from deduce.system.text import world_line

__all__: list[str] = []


def _knowledge_html(knowledge: Knowledge) -> str:
    try:
        grid = grid_of(knowledge)
    except Contradiction:
        return _why_html(knowledge.contradiction())
    shares = None if grid.numbers is None else knowledge.shares()
    sheet = knowledge_sheet(knowledge, grid, shares=shares, limit=MAX_ROWS)
    draw = hook(knowledge.game, Shown.svg)
    html = sheet_html(sheet)
    return html if draw is None else side_by_side(str(draw(knowledge)), html)


def _knowledge_text(knowledge: Knowledge) -> str:
    """Return the grid as text; for a contradictory log, what contradicts what."""
    try:
        return str(knowledge_sheet(knowledge, grid_of(knowledge)))
    except Contradiction:
        return str(knowledge.contradiction())


def _why_html(why: Why) -> str:
    parts = [f"<strong>{text_html(why.headline)}</strong>"]
    parts += [_example(kind, world) for kind, world in why.examples.items()]
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
    return f"<details><summary>{kind}:</summary>{text_html(world_line(world))}</details>"


def _distribution_html(distribution: Distribution | EstimatedDistribution) -> str:
    table = distribution_table(distribution)
    lines = []
    for (answer, chance), answers in zip(table.rows, distribution, strict=False):
        share = distribution[answers]
        number = share.value if isinstance(share, Estimate) else share
        lines.append(row_html(answer, [number_html(number, str(share), chance)]))
    return table_html(table.title, table.head, lines, table.notes)


def _known_html(known: Known) -> str:
    return f"<strong>{text_html(str(known))}</strong>"


register(Knowledge, text=_knowledge_text, html=_knowledge_html)
register(Sheet, text=lambda sheet: str(sheet.table()), html=sheet_html)
register(Why, html=_why_html)
register(Known, html=_known_html)
register(
    Distribution,
    text=lambda distribution: str(distribution_table(distribution)),
    html=_distribution_html,
)
register(
    EstimatedDistribution,
    text=lambda distribution: str(distribution_table(distribution)),
    html=_distribution_html,
)
