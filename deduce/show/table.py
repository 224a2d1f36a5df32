"""Tables of text, and percentages as people read them."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from shutil import get_terminal_size
from typing import Literal

from attrs import evolve, field, frozen

from deduce.estimates import Estimate
from deduce.system.display import Displayed
from deduce.system.language import Texts, decimal_text
from deduce.system.text import aligned, visible

__all__ = ["Table", "percent", "print_table"]


def _rows(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(_cells(row) for row in rows)


def _cells(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts, each on one line whatever its names hold."""
    return tuple(visible(text).replace("\n", "\\n") for text in texts)


@frozen
class Table(Displayed):
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
    left
        The columns that are flush left in plain text, such as those of sentences.

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
    left: tuple[int, ...] = (0,)

    def __str__(self) -> str:
        lines = [self.head, *self.rows] if any(self.head) else self.rows
        title = [self.title] if self.title else []
        return "\n".join([*title, *aligned(lines, left=self.left), *self.notes])

    def _repr_html_(self) -> str:
        from deduce.show.cells import CELL, row_html, table_html

        rows = [
            row_html(first, (f'<td style="{CELL}">{escape(cell)}</td>' for cell in rest))
            for first, *rest in self.rows
        ]
        return table_html(self.title, self.head, rows, self.notes)


def percent(share: Fraction | Estimate, digits: int = 0) -> str:
    """Return a share in percent, never rounded to a certainty that is not there.

    An estimate has its error with it, as in ``~43 % ± 2``.

    >>> [percent(Fraction(n, 1000)) for n in (0, 1, 333, 999, 1000)]
    ['0%', '<1%', '33%', '>99%', '100%']
    >>> [percent(Fraction(n, 10_000), digits=1) for n in (0, 1, 3333, 9999, 10_000)]
    ['0%', '<0.1%', '33.3%', '>99.9%', '100%']
    """
    if isinstance(share, Estimate):
        if not share.exact:
            return str(share)
        share = Fraction(share.value)
    step = Fraction(1, 10 ** (digits + 2))
    if share in (0, 1):
        shown = f"{int(share) * 100}"
    elif share < step / 2:
        shown = f"<{float(step * 100):.{digits}f}"
    elif share >= 1 - step / 2:
        shown = f">{float((1 - step) * 100):.{digits}f}"
    else:
        shown = f"{float(share):.{digits}%}".removesuffix("%")
    return Texts()("number.percent", n=decimal_text(shown))


def print_table(table: Table) -> None:
    """Print a table: drawn by rich on a terminal, plain and aligned in a pipe or a file.

    A table whose columns are wider than the terminal is plain too, since drawing would cut cells
    off. Where the head would scroll out of sight, it is repeated below the rows.
    """
    import click  # absent in a browser, where nothing is printed

    columns, lines = get_terminal_size()
    terminal = sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    if not terminal:
        click.echo(str(table))
        return
    from rich.cells import cell_len

    cells = [table.head, *table.rows]
    width = max(map(cell_len, aligned(cells)))
    is_tall = any(table.head) and len(cells) + len(table.notes) + 3 > lines
    if width + DRAWN_MARGIN > columns:
        rows = (*table.rows, table.head) if is_tall else table.rows
        click.echo(str(evolve(table, rows=rows)))
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(
        box=SIMPLE_HEAD, title=table.title or None, title_justify="left", show_footer=is_tall
    )
    for i, heading in enumerate(table.head):
        justify: Literal["left", "right"] = "right" if i else "left"
        drawn.add_column(Text(heading), Text(heading), justify=justify, no_wrap=True)
    for row in table.rows:
        drawn.add_row(*(Text(cell, style=_STYLES.get(cell, "")) for cell in row))
    console = Console()
    console.print(drawn)
    for note in table.notes:
        console.print(Text(note, style="dim"))


DRAWN_MARGIN = 4
"""By how many characters a drawn table is wider than a plain one."""

_STYLES = {"yes": "bold green", "no": "dim", "-": "dim"}
