"""The parts of the widgets, and the message if the extra ``widgets`` is not installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from deduce.errors import DeduceError, Unsupported

try:
    import anywidget
    import ipywidgets
    import traitlets
except ImportError as error:
    raise Unsupported(
        f"widgets need the package {error.name!r}, which is not installed here; "
        "install 'deduce-toolkit[widgets]'"
    ) from None

__all__ = [
    "Panel",
    "anywidget",
    "button",
    "column",
    "guarded",
    "ipywidgets",
    "message",
    "refill",
    "row",
    "show",
    "traitlets",
]


class Panel:
    """A widget that consists of others: a notebook shows its ``view``.

    Without a kernel, as in rendered documents, its ``str`` is shown instead.
    """

    view: Any

    def _repr_mimebundle_(self, **kinds: Any) -> dict[str, Any]:
        return {**self.view._repr_mimebundle_(**kinds), "text/plain": str(self)}


def button(label: str, action: Callable[[], object], hint: str = "", style: str = "") -> Any:
    """Return a button.

    Parameters
    ----------
    label
        Its text.
    action
        Called when the button is clicked.
    hint
        Shown when the mouse pointer is on the button; by default the label.
    style
        A style of ipywidgets, such as ``"primary"`` or ``"danger"``.
    """
    widget = ipywidgets.Button(
        description=label,
        tooltip=hint or label,
        button_style=style,
        layout=ipywidgets.Layout(width="auto"),
    )
    widget.on_click(lambda _: action())
    return widget


def row(*children: Any) -> Any:
    """Return widgets side by side, wrapped into several lines if necessary."""
    layout = ipywidgets.Layout(flex_flow="row wrap", align_items="center", overflow="visible")
    return ipywidgets.Box(children, layout=layout)


def column(children: Sequence[Any], flex: str | None = None) -> Any:
    """Return widgets one below the other; ``flex`` is the CSS width beside other columns."""
    layout = ipywidgets.Layout(flex=flex, min_width="0", overflow="visible")
    return ipywidgets.VBox(children, layout=layout)


def show(widget: Any, *, shown: bool) -> None:
    """Show or hide a widget."""
    widget.layout.display = "" if shown else "none"


def refill(dropdown: Any, options: list[tuple[str, Any]]) -> None:
    """Replace the options of a dropdown; the selected value stays selected if it still exists."""
    selected = dropdown.value
    dropdown.options = options
    values = [value for _, value in options]
    if values:
        dropdown.value = selected if selected in values else values[0]


def message(text: str, kind: str = "note") -> str:
    """Return a message as HTML; ``kind`` is ``"note"``, ``"good"`` or ``"bad"``.

    >>> message("<b>")
    '<div class="deduce-message deduce-note" role="status">&lt;b&gt;</div>'
    """
    if not text:
        return ""
    return f'<div class="deduce-message deduce-{kind}" role="status">{escape(text)}</div>'


def guarded(step: Callable[[], None], report: Callable[[str], None]) -> bool:
    """Call a function and return whether it succeeded; a `DeduceError` is reported."""
    try:
        step()
    except DeduceError as error:
        report(str(error))
        return False
    return True
