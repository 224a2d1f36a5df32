"""Tables as text and as HTML, and percentages as people read them.

The HTML has no script and no style sheet, and every text is escaped.

A number is shaded by one colour laid over the page's own background, the thicker the more
probable, with text in the page's own colour. So the same HTML is readable on light and
dark pages, on paper without colour (more is darker, or brighter on a dark page, in one order), and
for the colour-blind; and since every cell shows its number as text, the shade never carries
anything alone. The colour is of such brightness that even at its thickest both black and white
text stand out from it (WCAG 2.2, success criterion 1.4.3).

>>> "3/4" in number_html(0.75, "exactly 3/4", "75%")
True
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from itertools import chain, repeat, zip_longest
from shutil import get_terminal_size
from typing import Literal, NamedTuple

from attrs import evolve, field, frozen

from deduce.estimates import Estimate, rounded_percent
from deduce.show.svg import shade
from deduce.system.display import Displayed
from deduce.system.language import Texts, decimal_text
from deduce.system.text import aligned, visible

__all__ = [
    "CELL",
    "CERTAIN",
    "EXCLUDED",
    "HEAD",
    "Shade",
    "Table",
    "heading_html",
    "lines_html",
    "number_html",
    "percent",
    "print_table",
    "row_html",
    "side_by_side",
    "table_html",
    "tables_html",
    "text_html",
]


def _rows(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(_cells(row) for row in rows)


def _cells(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts, each on one line whatever its names hold."""
    return tuple(visible(text).replace("\n", "\\n") for text in texts)


class Shade(NamedTuple):
    """How a cell is shaded: by a share from 0 to 1; and its text when the mouse rests on it."""

    share: float | Fraction
    hover: str = ""

    @classmethod
    def of(cls, share: Fraction | Estimate) -> Shade:
        """Return the shade of a probability, which is shown exactly where the mouse rests."""
        return cls(share.value if isinstance(share, Estimate) else share, str(share))


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
        The columns that are flush left, such as those of sentences.
    shades
        For each row the shades of its cells after the first, in HTML; ``None``: no shade.

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
    shades: Sequence[Sequence[Shade | None]] = field(default=(), hash=False)

    def __str__(self) -> str:
        lines = [self.head, *self.rows] if any(self.head) else self.rows
        title = [self.title] if self.title else []
        return "\n".join([*title, *aligned(lines, left=self.left), *self.notes])

    def _repr_html_(self) -> str:
        rows = []
        for (first, *rest), shades in zip(self.rows, chain(self.shades, repeat(())), strict=False):
            cells = [
                _cell_html(text, shade, HEAD if column in self.left else CELL)
                for column, (text, shade) in enumerate(zip_longest(rest, shades), start=1)
            ]
            rows.append(row_html(first, cells))
        return table_html(self.title.strip(), self.head, rows, self.notes)


def _cell_html(text: str, shade: Shade | None, style: str) -> str:
    if shade is None:
        return f'<td style="{style}">{escape(text)}</td>'
    return number_html(shade.share, shade.hover or text, text)


def tables_html(tables: Iterable[Table]) -> str:
    """Return tables that stand side by side where there is room."""
    return side_by_side(*(table._repr_html_() for table in tables))


def percent(share: Fraction | Estimate, digits: int = 0) -> str:
    """Return a share in percent, never rounded to a certainty that is not there.

    An estimate has its error with it, as in ``~43 % ± 2``.

    >>> [percent(Fraction(n, 1000)) for n in (0, 5, 333, 995, 1000)]
    ['0%', '<1%', '33%', '>99%', '100%']
    >>> [percent(Fraction(n, 10_000), digits=1) for n in (0, 1, 3333, 9999, 10_000)]
    ['0%', '<0.1%', '33.3%', '>99.9%', '100%']
    """
    if isinstance(share, Estimate):
        if not share.exact:
            return str(share)
        share = Fraction(share.value)
    return Texts()("number.percent", n=decimal_text(rounded_percent(share, digits)))


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


CELL = "padding:.15em .6em;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums;"
HEAD = "padding:.15em .6em;text-align:left;white-space:nowrap;"
CERTAIN = "font-weight:bold;box-shadow:inset 0 0 0 1px currentColor;"
EXCLUDED = "opacity:.65;"
TOP = "font-weight:bold;text-align:left;caption-side:top;"


def text_html(text: str) -> str:
    r"""Return a text as HTML, with escapes for what would hide or turn the text around it.

    >>> print(text_html("<A\x1bnn>"))
    &lt;A\x1bnn&gt;
    """
    return escape(visible(text))


def number_html(share: float | Fraction, hover: str, text: str, *, doubtful: bool = False) -> str:
    """Return the cell of a number: text, shaded by a share from 0 to 1; a certainty is framed.

    What rests on events that may be wrong is shaded in another colour.
    """
    certain = CERTAIN if share == 1 else ""
    style = f"{CELL}background-color:{shade(share, doubtful=doubtful)};{certain}"
    return f'<td style="{style}" title="{text_html(hover)}">{text_html(text)}</td>'


def heading_html(text: str, columns: int) -> str:
    """Return a row that is a heading over ``columns`` columns."""
    return f'<tr><th colspan="{columns}" style="{HEAD}">{text_html(text)}</th></tr>'


def row_html(name: str, cells: Iterable[str], *, indented: bool = False) -> str:
    """Return a row: its name, then cells that are HTML already."""
    style = f"{HEAD}font-weight:normal;{'padding-left:2em;' if indented else ''}"
    return f'<tr><th scope="row" style="{style}">{text_html(name)}</th>{"".join(cells)}</tr>'


def table_html(title: str, head: Sequence[str], rows: Iterable[str], notes: Iterable[str]) -> str:
    """Return a table of rows that are HTML already; on a narrow page it scrolls by itself."""
    headings = [
        f'<th scope="col" style="{CELL if i else HEAD}">{text_html(name)}</th>'
        for i, name in enumerate(head)
    ]
    caption = f'<caption style="{TOP}">{text_html(title)}</caption>' if title else ""
    header = f"<thead><tr>{''.join(headings)}</tr></thead>" if any(head) else ""
    below = "".join(f"<div>{text_html(note)}</div>" for note in notes)
    return (
        f'<div style="overflow-x:auto"><table style="border-collapse:collapse">{caption}{header}'
        f"<tbody>{''.join(rows)}</tbody></table>{below}</div>"
    )


def lines_html(lines: Iterable[str]) -> str:
    """Return sentences, one below the other.

    >>> lines_html(["1 < 2", "so it is"])
    '<div><div>1 &lt; 2</div><div>so it is</div></div>'
    """
    return f"<div>{''.join(f'<div>{text_html(line)}</div>' for line in lines)}</div>"


def side_by_side(*parts: str) -> str:
    """Return parts that stand in a row where there is room, and below each other on a phone."""
    inside = "".join(f'<div style="max-width:100%">{part}</div>' for part in parts if part)
    style = "display:flex;flex-wrap:wrap;gap:.5em 1.5em;align-items:flex-start"
    return f'<div style="{style}">{inside}</div>'
