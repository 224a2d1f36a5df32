"""A picture of a state in which actions can be clicked.

Whatever part of the picture has a ``data-action`` can be clicked, as the boards of
`games.classics.boards` have.

>>> board = Board()
>>> board.show("<svg></svg>")
>>> board.picture
'<svg></svg>'
"""

from __future__ import annotations

from pathlib import Path

from deduce.widgets.toolkit import anywidget, traitlets

__all__ = ["Board"]

HERE = Path(__file__).parent


class Board(anywidget.AnyWidget):
    """The widget: set ``picture`` by `show`, observe ``action``, the text of what was clicked."""

    _esm = HERE / "board.js"
    _css = HERE / "board.css"

    picture = traitlets.Unicode().tag(sync=True)
    action = traitlets.Unicode().tag(sync=True)

    def show(self, picture: str) -> None:
        """Show another picture, HTML that is safe; nothing is clicked in it yet."""
        with self.hold_sync():
            self.action = ""
            self.picture = picture
