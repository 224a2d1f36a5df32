"""How values show themselves in notebooks, without any import of display code until they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deduce.show.table import Table

__all__ = ["Displayed", "Tabled"]


class Displayed:
    """A value that a notebook shows as HTML and a plain IPython prompt as its ``str``.

    The two say the same. A class that is one of these writes both; code that makes HTML is imported
    inside ``_repr_html_``, so that whoever only computes never loads it.
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        raise NotImplementedError(f"{type(self).__name__} has no HTML form")

    def _repr_mimebundle_(self, **kinds: Any) -> dict[str, str]:
        # IPython takes a class's own __repr__ for the plain text unless it is given here.
        return {"text/plain": str(self), "text/html": self._repr_html_()}


class Tabled(Displayed):
    """A value that shows itself as tables, the same in text as in HTML: those of `tables`."""

    __slots__ = ()

    def tables(self) -> Sequence[Table]:
        """Return the tables, in the order in which they are read."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n".join(map(str, self.tables()))

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self.tables())
