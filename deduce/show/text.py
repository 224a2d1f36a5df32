"""Answers as text: aligned tables, percentages, worlds, explanations; on a screen or in a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from shutil import get_terminal_size

import click
from attrs import field, frozen

from deduce.constraints import Value, Variable
from deduce.explain import Why
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.text import by_name, name_of, visible

__all__ = ["Grid", "Table", "grid_table", "percent", "print_table", "why_text", "world_text"]


def _rows(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(_cells(row) for row in rows)


def _cells(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts, each on one line whatever its names hold."""
    return tuple(visible(text).replace("\n", "\\n") for text in texts)


@frozen
class Table:
    """A table of text. Its ``str`` is plain and aligned; the first column is flush left.

    Parameters
    ----------
    head
        The heading of each column.
    rows
        The lines, each as long as the heading.
    title
        A line above.
    notes
        Lines below.

    Examples
    --------
    >>> print(Table(("card", "Ann", "Ben"), (("Rope", "yes", "no"), ("Lead Piping", "no", "33%"))))
    card         Ann  Ben
    Rope         yes   no
    Lead Piping   no  33%
    """

    head: tuple[str, ...] = field(converter=_cells)
    rows: tuple[tuple[str, ...], ...] = field(converter=_rows)
    title: str = field(default="", converter=visible)
    notes: tuple[str, ...] = field(default=(), converter=_cells)

    def __str__(self) -> str:
        lines = [self.head, *self.rows] if any(self.head) else list(self.rows)
        widths = [max((len(line[i]) for line in lines), default=0) for i in range(len(self.head))]
        aligned = [
            "  ".join(
                cell.ljust(width) if i == 0 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in lines
        ]
        return "\n".join([*([self.title] if self.title else []), *aligned, *self.notes])


@frozen
class Grid:
    """What is to be seen in a grid of variables by values.

    Parameters
    ----------
    possible
        The values that each variable has in some world (or that nothing has excluded yet).
    numbers
        The posterior or the share of worlds of each value, or ``None`` when they are not known.
    kind
        What the numbers are: ``"posterior"`` or ``"share of worlds"``.
    """

    possible: Mapping[Variable, frozenset[Value]]
    numbers: Mapping[Variable, Mapping[Value, Fraction]] | None = None
    kind: str = "posterior"

    def cell(self, variable: Variable, value: Value) -> str:
        """Return ``"yes"``, ``"no"``, a percentage, or ``"?"`` where the number is not known."""
        values = self.possible[variable]
        if value not in values:
            return "no"
        if len(values) == 1:
            return "yes"
        return "?" if self.numbers is None else percent(self.numbers[variable][value])


def percent(share: Fraction) -> str:
    """Return a share in whole percent, never rounded to a certainty that is not there.

    >>> [percent(Fraction(n, 1000)) for n in (0, 1, 333, 999, 1000)]
    ['0%', '<1%', '33%', '>99%', '100%']
    """
    if 0 < share < Fraction(1, 200):
        return "<1%"
    if Fraction(199, 200) <= share < 1:
        return ">99%"
    return f"{float(share):.0%}"


def grid_table(knowledge: Knowledge, grid: Grid) -> Table:
    """Return a line per variable and a column per value; blank where the domain lacks the value."""
    domains = knowledge.problem.domains
    values = by_name(dict.fromkeys(value for domain in domains.values() for value in domain))
    rows = [
        [
            name,
            *(
                grid.cell(variable, value) if value in domains[variable] else ""
                for value in columns
            ),
        ]
        for columns in [values.values()]
        for name, variable in by_name(domains).items()
    ]
    return Table(("", *values), rows, notes=(f"numbers: {grid.kind}",) if grid.numbers else ())


def world_text(knowledge: Knowledge, world: World) -> str:
    """Return a world as ``variable=value, ...``."""
    return ", ".join(f"{name}={name_of(world[v])}" for name, v in by_name(world).items())


def why_text(knowledge: Knowledge, why: Why) -> str:
    """Return an explanation in lines, without the example worlds of an open claim."""
    return str(why)


def print_table(table: Table) -> None:
    """Print a table: drawn by rich on a terminal, plain and aligned in a pipe or a file.

    A table that is wider than the terminal is left plain too, since drawing would cut cells off.
    """
    width = max(map(len, str(table).splitlines()), default=0)
    terminal = sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if not terminal or width + 2 > get_terminal_size().columns:
        click.echo(str(table))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=SIMPLE_HEAD, title=table.title or None, title_justify="left")
    for i, heading in enumerate(table.head):
        drawn.add_column(Text(heading), justify="right" if i else "left", no_wrap=True)
    for row in table.rows:
        drawn.add_row(*(Text(cell, style=_STYLES.get(cell, "")) for cell in row))
    console = Console()
    console.print(drawn)
    for note in table.notes:
        console.print(Text(note, style="dim"))


_STYLES = {"yes": "bold green", "no": "dim"}
