"""Tables with cells to click, as data; this module does not need the extra ``widgets``.

>>> Cell("33%", strength=Fraction(1, 3)).data()
{'text': '33%', 'shade': 'rgba(31,119,180,0.27)', 'pick': True}
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from deduce.show.svg import shade
from deduce.text import visible

__all__ = ["Cell", "Row", "Table"]


@frozen
class Cell:
    """The contents of a cell, and whether it can be clicked.

    Parameters
    ----------
    text
        The text.
    strength
        A probability that determines the shade; ``None``: no shade.
    certain
        Whether the cell has a frame.
    faint
        Whether the text is less visible than that of other cells.
    hover
        The text that appears when the mouse pointer is on the cell.
    pick
        Whether the cell can be clicked.
    """

    text: str = field(converter=visible)
    strength: Fraction | None = None
    certain: bool = field(default=False, kw_only=True)
    faint: bool = field(default=False, kw_only=True)
    hover: str = field(default="", converter=visible, kw_only=True)
    pick: bool = field(default=True, kw_only=True)

    def data(self) -> dict[str, Any]:
        """Return the data for the browser: the text, and the fields that are not the default."""
        fields = {
            "text": self.text,
            "shade": shade(self.strength) if self.strength else "",
            "certain": self.certain,
            "faint": self.faint,
            "hover": self.hover,
            "pick": self.pick,
        }
        return {name: value for name, value in fields.items() if value or name == "text"}


@frozen
class Row:
    """A row of the table: its heading and its cells. Without cells it is the heading of a group."""

    head: str = field(converter=visible)
    cells: tuple[Cell, ...] = ()


@frozen
class Table:
    """The contents of a sheet.

    Parameters
    ----------
    head
        The headings of the columns; the first is above the headings of the rows.
    rows
        The rows.
    title
        A line above the table.
    notes
        Lines below the table.
    wraps
        Whether long text in cells is wrapped.
    """

    head: tuple[str, ...]
    rows: Sequence[Row]
    title: str = ""
    notes: Sequence[str] = ()
    wraps: bool = False

    def data(self) -> dict[str, Any]:
        """Return the data for the browser."""
        return {
            "title": visible(self.title),
            "head": [visible(text) for text in self.head],
            "rows": [
                {"head": row.head, "cells": [cell.data() for cell in row.cells]}
                for row in self.rows
            ],
            "notes": [visible(note) for note in self.notes],
            "wraps": self.wraps,
        }
