"""Tables with cells to click, as data: what stands in a cell, and how much it weighs.

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
        told = {
            "text": self.text,
            "shade": shade(self.strength) if self.strength else "",
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

    def data(self) -> dict[str, Any]:
        """Return what the browser gets."""
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
