"""How values show themselves in notebooks, without any import of display code until they do."""

from __future__ import annotations

from typing import Any

__all__ = ["Displayed"]


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
