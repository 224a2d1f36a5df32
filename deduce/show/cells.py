"""Cells, rows and tables as HTML: no script, no style sheet; every text is escaped.

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

from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape

from deduce.show.svg import shade
from deduce.system.text import visible

__all__ = [
    "CELL",
    "CERTAIN",
    "EXCLUDED",
    "HEAD",
    "heading_html",
    "lines_html",
    "number_html",
    "row_html",
    "side_by_side",
    "table_html",
    "text_html",
]

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
