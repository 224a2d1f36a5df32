"""The views of knowledge, explanations and distributions, as text and as HTML for notebooks.

The HTML has no widget, no script and no style sheet; every name is escaped. `deduce.show.table`
shades numbers. `deduce.system.display` imports this module when a value is first shown.

>>> from deduce.reasoning.queries import Distribution
>>> "3/4" in Distribution({("<b>",): 3, ("tails",): 1})._repr_html_()
True

A picture of the possible worlds shows which of them players cannot tell apart. A world is a circle.
Worlds that look the same to a player are joined by a line in the player's colour and dash: the
relation of a Kripke model, of which only as many lines are drawn as join each class. Worlds are
shown before an announcement and left out after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin

from deduce.constraints import Constraint
from deduce.errors import BadInput, Contradiction
from deduce.estimates import EstimatedDistribution, significant_percent
from deduce.game import Shown, hook
from deduce.knowledge import Knowledge
from deduce.problem import Problem, World, is_true
from deduce.reasoning.explain import Why
from deduce.reasoning.knowing import Known
from deduce.reasoning.queries import Distribution
from deduce.show.sheet import ESTIMATED, MAX_ROWS, Sheet, grid_of, knowledge_sheet, sheet_html
from deduce.show.svg import Markup, circle, line, picture, shortened, text
from deduce.show.table import Shade, Table, percent, side_by_side, text_html
from deduce.system.display import register
from deduce.system.text import name_of, world_line

__all__ = ["MAX_WORLDS", "distribution_table", "why_text", "world_text", "worlds_svg"]

ROWS = 20
"""How many combinations of answers the table of a distribution shows."""


def distribution_table(distribution: Distribution | EstimatedDistribution) -> Table:
    """Return the most likely combinations of answers, at most `ROWS`, with the entropy.

    Of an estimate, how probable what no drawn world has may be takes the place of the entropy.
    """
    shown = list(distribution)[:ROWS]
    rows = [(", ".join(map(name_of, each)), percent(distribution[each])) for each in shown]
    if isinstance(distribution, EstimatedDistribution) and distribution.exact:
        notes = []
    elif isinstance(distribution, EstimatedDistribution):
        notes = [ESTIMATED, f"any other answer: up to {significant_percent(distribution.unseen)}"]
    else:
        notes = [f"{distribution.entropy():.2f} bits of uncertainty"]
    if len(distribution) > ROWS:
        notes.append(f"the first {ROWS} of {len(distribution)} combinations are shown")
    shades = [[Shade.of(distribution[answers])] for answers in shown]
    return Table(("answer", "probability"), rows, notes=tuple(notes), shades=shades)


def world_text(knowledge: Knowledge, world: World) -> str:
    """Return a world as ``variable=value, ...``."""
    return world_line(world)


def why_text(knowledge: Knowledge, why: Why) -> str:
    """Return an explanation in lines, without the example worlds of an open claim."""
    return why.proof


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


register(Knowledge, text=_knowledge_text, html=_knowledge_html)
register(Sheet, text=lambda sheet: str(sheet.table()), html=sheet_html)
register(Why, html=_why_html)
register(Known, html=lambda known: f"<strong>{text_html(str(known))}</strong>")
register(Distribution, parts=lambda of: [distribution_table(of)])
register(EstimatedDistribution, parts=lambda of: [distribution_table(of)])


MAX_WORLDS = 60
"""A picture has up to this number of worlds."""

COLOURS = ("#2563c9", "#c2410c", "#1a7f37", "#8250df")
DASHES = (None, "7 4", "2 3", "9 3 2 3")
"""Players differ by colour and by dash, so that the picture can be read without colours."""


def worlds_svg(knowledge: Knowledge, *, width: int = 560) -> str:
    """Return a picture of the possible worlds, as SVG.

    With two variables the worlds are in a grid, else on a ring.

    Parameters
    ----------
    knowledge
        What is known; its problem states what the players see.
    width
        The width of the picture in pixels.

    Raises
    ------
    BadInput
        There are more worlds than `MAX_WORLDS`, or nothing states what players see.

    Examples
    --------
    >>> from deduce import Knowledge, Problem
    >>> hats = {"Ann": ("red", "blue"), "Ben": ("red", "blue")}
    >>> k = Knowledge(Problem(hats, sees={"Ann": ["Ben"], "Ben": ["Ann"]}))
    >>> worlds_svg(k).count("<circle")
    4
    """
    problem = knowledge.problem
    if not problem.sees:
        raise BadInput("nothing states what players see; give the problem sees={...}")
    if knowledge.count() > MAX_WORLDS:
        raise BadInput(f"{knowledge.count():,} worlds are too many for a picture of {MAX_WORLDS}")
    order = {v: {x: i for i, x in enumerate(of)} for v, of in problem.domains.items()}
    worlds = sorted(knowledge.worlds(), key=lambda w: [order[v][x] for v, x in w.items()])
    places, marks, height = _places(problem, worlds, width)
    shapes = list(marks)
    for number, (player, things) in enumerate(problem.sees.items()):
        style = {"stroke": COLOURS[number % 4], "stroke_width": 2.5}
        if dash := DASHES[number % 4]:
            style["stroke_dasharray"] = dash
        shift = 2.5 * (number - (len(problem.sees) - 1) / 2)
        last: dict[object, tuple[float, float]] = {}
        for world, (x, y) in zip(worlds, places, strict=True):
            look = tuple(_seen(problem, thing, world) for thing in things)
            if look in last:
                a, b = last[look]
                shapes.append(line(a + shift, b + shift, x + shift, y + shift, **style))
            last[look] = x, y
        at = height + 24 * (number + 1)
        shapes.append(line(20, at - 5, 60, at - 5, **style))
        shapes.append(text(70, at, f"{player} cannot tell these apart", size=13, anchor="start"))
    for world, (x, y) in zip(worlds, places, strict=True):
        title = ", ".join(f"{variable}: {value}" for variable, value in world.items())
        shapes.append(
            circle(x, y, 9, title=title, fill="#ffffff", stroke="#1f2328", stroke_width=2)
        )
    tall = height + 24 * len(problem.sees) + 16
    words = f"{len(worlds)} possible worlds, and which of them each player cannot tell apart"
    return picture(width, round(tall), *shapes, title="Possible worlds", desc=words)


def _seen(problem: Problem, thing: object, world: World) -> object:
    """Return what a player sees of a world: a value, an answer, or whether something holds."""
    if isinstance(thing, Mapping):
        facts = {label: of if isinstance(of, list | tuple) else [of] for label, of in thing.items()}
        return next(n for n, of in enumerate(facts.values()) if any(is_true(f, world) for f in of))
    if isinstance(thing, Constraint):
        return Problem(problem.domains, [thing]).holds(world)
    return world[thing]


Places = Sequence[tuple[float, float]]


def _places(
    problem: Problem, worlds: Sequence[World], width: int
) -> tuple[Places, Sequence[Markup], float]:
    """Return where the worlds are, what is written beside them, and the height that takes."""
    if len(problem.domains) != 2:
        radius = width / 2 - 60
        angles = [2 * pi * i / max(1, len(worlds)) - pi / 2 for i in range(len(worlds))]
        places = [(width / 2 + radius * cos(a), width / 2 + radius * sin(a)) for a in angles]
        marks = [
            text(
                width / 2 + (radius + 28) * cos(a),
                width / 2 + (radius + 28) * sin(a) + 4,
                shortened("".join(str(value)[0] for value in world.values()), 10),
                size=12,
            )
            for a, world in zip(angles, worlds, strict=True)
        ]
        return places, marks, float(width - 10)
    (rows, row_values), (columns, column_values) = problem.domains.items()
    down, along = 46, (width - 130) / len(column_values)
    of_row = {value: 52 + down * i for i, value in enumerate(row_values)}
    of_column = {value: 110 + along * (i + 0.5) for i, value in enumerate(column_values)}
    marks = [
        text(96, y + 4, shortened(value, 12), size=13, anchor="end") for value, y in of_row.items()
    ]
    marks += [text(x, 22, shortened(value, 8), size=13) for value, x in of_column.items()]
    places = [(of_column[world[columns]], of_row[world[rows]]) for world in worlds]
    return places, marks, 52.0 + down * (len(row_values) - 0.5)
