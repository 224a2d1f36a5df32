"""Views of values: a view is registered for a type, and found when a value is first shown.

A value knows nothing of its views. The views of a package are registered by its module ``show``
(or, where that is a package, ``show.views``), which is imported when a value of the package is
printed or displayed for the first time. A program that only computes never loads it.

>>> class Coin(Displayed):
...     pass
>>> register(Coin, text=lambda coin: "heads", html=lambda coin: "<b>heads</b>")
>>> str(Coin()), Coin()._repr_mimebundle_()["text/html"]
('heads', '<b>heads</b>')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from html import escape
from importlib import import_module
from typing import Any, Protocol, TypeVar

__all__ = ["Displayed", "register"]

T = TypeVar("T")


class _Part(Protocol):
    def _repr_html_(self) -> str: ...


_TEXT: dict[type, Callable[[Any], str]] = {}
_HTML: dict[type, Callable[[Any], str]] = {}


def register(
    cls: type[T],
    *,
    text: Callable[[T], str] | None = None,
    html: Callable[[T], str] | None = None,
    parts: Callable[[T], Iterable[_Part]] | None = None,
) -> None:
    """Make functions the views of a type and of its subclasses.

    Parameters
    ----------
    cls
        The type of the values, a subclass of `Displayed`.
    text
        Returns what ``str`` shows.
    html
        Returns what a notebook shows; every name in it must be escaped.
    parts
        Returns tables or other values with both forms, which are shown one below the other. It
        replaces ``text`` and ``html``.
    """
    if parts is not None:
        show = parts
        text = text or (lambda value: "\n".join(map(str, show(value))))
        html = html or (lambda value: "".join(part._repr_html_() for part in show(value)))
    if text is not None:
        _TEXT[cls] = text
    if html is not None:
        _HTML[cls] = html


class Displayed:
    """A value that a notebook shows as HTML and a plain IPython prompt as its ``str``.

    Both come from the views that were registered for its type; a class may define ``__str__``
    itself. Without a view, a value is shown as its ``repr``.
    """

    __slots__ = ()

    def __str__(self) -> str:
        view = _view(_TEXT, type(self))
        return repr(self) if view is None else view(self)

    def _repr_html_(self) -> str:
        view = _view(_HTML, type(self))
        return f"<pre>{escape(str(self))}</pre>" if view is None else view(self)

    def _repr_mimebundle_(self, **kinds: object) -> dict[str, str]:
        # IPython takes a class's own __repr__ for the plain text unless it is given here.
        return {"text/plain": str(self), "text/html": self._repr_html_()}


def _view(
    views: dict[type, Callable[[object], str]], shown: type
) -> Callable[[object], str] | None:
    """Return the view of the nearest base class that has one, importing view modules if needed."""
    for attempt in range(2):
        for cls in shown.__mro__:
            if cls in views:
                return views[cls]
        if attempt == 0:
            for module in _view_modules(shown):
                _import(module)
    return None


def _view_modules(shown: type) -> Iterator[str]:
    """Yield where the views of a type and of its bases may be registered, the nearest first."""
    for cls in shown.__mro__:
        package = cls.__module__
        while "." in package and cls.__module__ != __name__:
            package = package.rpartition(".")[0]
            yield f"{package}.show.views"


def _import(module: str) -> None:
    """Import ``package.show.views``, and with it ``package.show``; either may be missing."""
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        if error.name not in (module, module.rpartition(".")[0]):
            raise
