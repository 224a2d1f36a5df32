"""How values show themselves in notebooks, without any import of display code until they do."""

from __future__ import annotations

from typing import Any

__all__ = ["Displayed"]


class Displayed:
    """A value that a notebook shows as HTML and a plain IPython prompt as its ``str``.

    The two say the same; `deduce.show.html` has the HTML of every class that is one of these.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        from deduce.show.html import html

        return html(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: FBT001 (IPython's call)
        printer.text(str(self))
