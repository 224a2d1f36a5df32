"""A table with cells to click. Its contents are data; the browser makes text of them, never HTML.

>>> from deduce.widgets.cells import Cell, Row
>>> sheet = Sheet()
>>> sheet.show(Table(("", "Ann"), [Row("Rope", (Cell("yes", certain=True),))]))
>>> sheet.picked = [0, 0]
>>> sheet.place
(0, 0)
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from deduce.widgets.cells import Table
from deduce.widgets.toolkit import anywidget, traitlets

__all__ = ["Sheet"]

HERE = Path(__file__).parent


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
            self.table = table.data()
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
