"""A table with cells to click, and a picture with actions to click.

The contents of a table are data, which the browser shows as text and never as HTML.

>>> from deduce.show.sheet import Cell, Row, Sheet
>>> sheet = SheetWidget()
>>> sheet.show(Sheet(("", "Ann"), [Row("Rope", (Cell("yes", certain=True),))]))
>>> sheet.picked = [0, 0]
>>> sheet.place
(0, 0)
>>> picture = Picture()
>>> picture.show("<svg></svg>")
>>> picture.picture
'<svg></svg>'
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from deduce.show.sheet import Sheet
from deduce.widgets.toolkit import anywidget, traitlets

__all__ = ["Picture", "SheetWidget"]

HERE = Path(__file__).parent


class SheetWidget(anywidget.AnyWidget):
    """A table with cells to click: `show` a table, and observe ``picked``.

    ``picked`` is the row and the column of the clicked cell, both from 0, or empty. ``marked`` has
    the indices of the highlighted rows.
    """

    _esm = HERE / "sheet.js"
    _css = HERE / "sheet.css"

    table = traitlets.Dict().tag(sync=True)
    picked = traitlets.List(traitlets.Int()).tag(sync=True)
    marked = traitlets.List(traitlets.Int()).tag(sync=True)

    def show(self, table: Sheet, *, picked: tuple[int, int] | None = None) -> None:
        """Show another table, in which the cell ``picked`` or no cell is selected."""
        self._table = table
        with self.hold_sync():
            self.marked = []
            self.table = table.data()
            self.picked = [] if picked is None else list(picked)

    def mark(self, rows: Collection[int]) -> None:
        """Highlight these rows, and no others."""
        self.marked = sorted(rows)

    @property
    def place(self) -> tuple[int, int] | None:
        """The row and the column of the selected cell; ``None`` if no cell is selected.

        Data from the browser is checked: a position outside the table, or one of a cell that
        cannot be clicked, is ignored.
        """
        if len(self.picked) != 2:
            return None
        row, column = self.picked
        rows = self._table.rows
        if not (0 <= row < len(rows) and 0 <= column < len(rows[row].cells)):
            return None
        return (row, column) if rows[row].cells[column].pick else None

    _table = Sheet((), ())


class Picture(anywidget.AnyWidget):
    """A picture with actions to click: `show` a picture, and observe ``action``.

    Each part of the picture with an attribute ``data-action`` can be clicked, as in the pictures of
    `games.classics.boards`; ``action`` is the text of the clicked one.
    """

    _esm = HERE / "picture.js"
    _css = HERE / "picture.css"

    picture = traitlets.Unicode().tag(sync=True)
    action = traitlets.Unicode().tag(sync=True)

    def show(self, picture: str) -> None:
        """Show another picture, given as HTML in which all names are escaped."""
        with self.hold_sync():
            self.action = ""
            self.picture = picture
