"""A knowledge as a table for `deduce.widgets.sheet`, with the fact of each cell."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from attrs import frozen

from deduce.constraints import Fact, Value, Variable, is_
from deduce.errors import Contradiction
from deduce.knowledge import Knowledge
from deduce.show.table import percent
from deduce.show.text import Grid, grid_of, groups, knowledge_title
from deduce.text import by_name, plural
from deduce.widgets.cells import Cell, Row, Table

__all__ = ["Facts", "knowledge_table", "share_cell", "value_cell"]

ROWS = 200
"""The number of variables that a table shows."""

Shares = Mapping[Variable, Mapping[Value, Fraction]]


@frozen
class Facts:
    """A table, and the fact of each cell by its row and column."""

    table: Table
    at: Mapping[tuple[int, int], Fact]


def value_cell(
    grid: Grid,
    shares: Shares | None,
    variable: Variable,
    value: Value,
    *,
    name: str = "",
    pick: bool = True,
) -> Cell:
    """Return the cell of a variable and a value: yes, –, ? or a probability.

    Parameters
    ----------
    grid
        The verdicts and probabilities.
    shares
        The shares of worlds, for the hover text; ``None`` without probabilities.
    variable, value
        The fact.
    name
        The text of the fact in the hover text.
    pick
        Whether the cell can be clicked.
    """
    text = grid.cell(variable, value)
    if grid.numbers is None or shares is None or text == "no":
        hover = f"{name}: {text}"
        label = "–" if text == "no" else text
        return Cell(label, certain=text == "yes", faint=text == "no", hover=hover, pick=pick)
    probability = grid.numbers[variable][value]
    hover = f"{name}: {grid.kind} {probability}, share of worlds {shares[variable][value]}"
    return Cell(text, probability, certain=text == "yes", hover=hover, pick=pick)


def share_cell(share: Fraction, *, name: str = "", pick: bool = True) -> Cell:
    """Return the cell of a probability.

    >>> share_cell(Fraction(0)).text, share_cell(Fraction(1)).text, share_cell(Fraction(1, 3)).text
    ('–', 'yes', '33%')
    """
    text = "–" if share == 0 else "yes" if share == 1 else percent(share)
    hover = f"{name}: {share}" if name else str(share)
    return Cell(text, share, certain=share == 1, faint=share == 0, hover=hover, pick=pick)


def knowledge_table(knowledge: Knowledge) -> Facts:
    """Return a table with a row for each variable and a column for each value."""
    try:
        grid = grid_of(knowledge)
    except Contradiction:
        return Facts(Table((), [], "No world is possible"), {})
    shares = None if grid.numbers is None else knowledge.shares()
    domains = knowledge.problem.domains
    names = {variable: name for name, variable in by_name(domains).items()}
    columns = by_name(dict.fromkeys(value for domain in domains.values() for value in domain))
    rows: list[Row] = []
    at: dict[tuple[int, int], Fact] = {}
    remaining = ROWS
    for heading, variables in groups(knowledge).items():
        if heading and remaining:
            rows.append(Row(heading))
        for variable in variables[:remaining]:
            cells = []
            for column, (label, value) in enumerate(columns.items()):
                if value not in domains[variable]:
                    cells.append(Cell("", pick=False))
                    continue
                at[len(rows), column] = is_(variable, value)
                name = f"{names[variable]}, {label}"
                cells.append(value_cell(grid, shares, variable, value, name=name))
            rows.append(Row(names[variable], tuple(cells)))
        remaining = max(0, remaining - len(variables))
    notes = [f"percentages are {grid.kind}" if grid.numbers else "? = the number is not known"]
    if len(domains) > ROWS:
        notes.append(f"the first {ROWS} of {plural(len(domains), 'variable')} are shown")
    title = knowledge_title(knowledge, grid)
    return Facts(Table(("", *columns), rows, title, notes), at)
