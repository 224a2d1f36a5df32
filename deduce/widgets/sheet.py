"""A table with cells to click. Its contents are data; the browser makes text of them, never HTML.

>>> sheet = Sheet()
>>> sheet.show(Table(("", "Ann"), [Row("Rope", (Cell("33%", strength=Fraction(1, 3)),))]))
>>> sheet.table["rows"][0]["cells"][0]
{'text': '33%', 'alpha': 0.27, 'pick': True}
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from attrs import field, frozen

from deduce.show.html import THICKEST, THINNEST
from deduce.text import visible
from deduce.widgets.toolkit import anywidget, traitlets

__all__ = ["Cell", "Row", "Sheet", "Table"]

HERE = Path(__file__).parent


@frozen
class Cell:
    """What stands in a cell, and whether it can be picked.

    Parameters
    ----------
    text
        What it says.
    strength
        A probability that shades it; ``None``: no shade.
    certain, faint
        Whether it is framed, or stands back.
    hover
        What is said of it when the mouse rests on it.
    pick
        Whether it can be clicked.
    """

    text: str = field(converter=visible)
    strength: Fraction | None = None
    certain: bool = field(default=False, kw_only=True)
    faint: bool = field(default=False, kw_only=True)
    hover: str = field(default="", converter=visible, kw_only=True)
    pick: bool = field(default=True, kw_only=True)

    def data(self) -> dict[str, Any]:
        """Return what the browser gets: the text, and of the rest what is not the default."""
        alpha = None
        if self.strength is not None and self.strength > 0:
            alpha = round(THINNEST + (THICKEST - THINNEST) * float(self.strength), 2)
        told = {
            "text": self.text,
            "alpha": alpha,
            "certain": self.certain,
            "faint": self.faint,
            "hover": self.hover,
            "pick": self.pick,
        }
        return {name: value for name, value in told.items() if value or name == "text"}


@frozen
class Row:
    """A line of the table: its heading and its cells. Without cells it is a heading of others."""

    head: str = field(converter=visible)
    cells: tuple[Cell, ...] = ()


@frozen
class Table:
    """What a sheet shows."""

    head: tuple[str, ...]
    rows: Sequence[Row]
    title: str = ""
    notes: Sequence[str] = ()
    wraps: bool = False
    """Whether the text in its cells may go over several lines."""


class Sheet(anywidget.AnyWidget):
    """The widget: set ``table`` by `show`, observe ``picked``.

    ``picked`` is the row and the column of the picked cell, both from 0, or empty; ``marked``
    holds the numbers of the rows that are to stand out.
    """

    _esm = HERE / "sheet.js"
    _css = HERE / "sheet.css"

    table = traitlets.Dict().tag(sync=True)
    picked = traitlets.List(traitlets.Int()).tag(sync=True)
    marked = traitlets.List(traitlets.Int()).tag(sync=True)

    def show(self, table: Table, *, picked: tuple[int, int] | None = None) -> None:
        """Show another table; nothing, or the cell ``picked``, is picked in it."""
        self._table = table
        with self.hold_sync():
            self.marked = []
            self.table = {
                "title": visible(table.title),
                "head": [visible(text) for text in table.head],
                "rows": [
                    {"head": row.head, "cells": [cell.data() for cell in row.cells]}
                    for row in table.rows
                ],
                "notes": [visible(note) for note in table.notes],
                "wraps": table.wraps,
            }
            self.picked = [] if picked is None else list(picked)

    def mark(self, rows: Collection[int]) -> None:
        """Make rows stand out, and no others."""
        self.marked = sorted(rows)

    @property
    def place(self) -> tuple[int, int] | None:
        """The row and the column of the picked cell; ``None``: nothing that can be is picked.

        What a browser sends is checked: a place outside the table is none.
        """
        if len(self.picked) != 2:
            return None
        at, column = self.picked
        rows = self._table.rows
        if not (0 <= at < len(rows) and 0 <= column < len(rows[at].cells)):
            return None
        return (at, column) if rows[at].cells[column].pick else None

    _table = Table((), ())
