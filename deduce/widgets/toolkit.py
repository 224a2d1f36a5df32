"""What the widgets are made of. The only module that says what is missing without the extra."""

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
    """A widget made of others: ``view`` holds them, and a notebook shows it.

    Where there is no kernel to click with, as in documents, what it shows is its ``str``.
    """

    view: Any

    def _repr_mimebundle_(self, **kinds: Any) -> dict[str, Any]:
        return {**self.view._repr_mimebundle_(**kinds), "text/plain": str(self)}


def button(label: str, action: Callable[[], object], hint: str = "", style: str = "") -> Any:
    """Return a button that does something when it is clicked.

    ``style`` is ``"primary"``, ``"danger"`` or the like; ``hint`` is shown on hovering.
    """
    made = ipywidgets.Button(
        description=label,
        tooltip=hint or label,
        button_style=style,
        layout=ipywidgets.Layout(width="auto"),
    )
    made.on_click(lambda _: action())
    return made


def row(*children: Any) -> Any:
    """Return widgets side by side; what does not fit goes into the next line."""
    layout = ipywidgets.Layout(flex_flow="row wrap", align_items="center", overflow="visible")
    return ipywidgets.Box(children, layout=layout)


def column(children: Sequence[Any], flex: str | None = None) -> Any:
    """Return widgets one below the other; ``flex`` tells how wide it is beside others."""
    layout = ipywidgets.Layout(flex=flex, min_width="0", overflow="visible")
    return ipywidgets.VBox(children, layout=layout)


def show(widget: Any, *, shown: bool) -> None:
    """Show a widget, or hide it."""
    widget.layout.display = "" if shown else "none"


def refill(dropdown: Any, options: list[tuple[str, Any]]) -> None:
    """Give a dropdown other options; what was chosen stays chosen, if it can be."""
    chosen = dropdown.value
    dropdown.options = options
    values = [value for _, value in options]
    if values:
        dropdown.value = chosen if chosen in values else values[0]


def message(text: str, kind: str = "note") -> str:
    """Return a line for people as HTML; ``kind``: ``"note"``, ``"good"`` or ``"bad"``.

    >>> message("<b>")
    '<div class="deduce-message deduce-note" role="status">&lt;b&gt;</div>'
    """
    if not text:
        return ""
    return f'<div class="deduce-message deduce-{kind}" role="status">{escape(text)}</div>'


def guarded(step: Callable[[], None], tell: Callable[[str], None]) -> bool:
    """Take a step; tell the error instead, if it is one of ours. Return whether it was taken."""
    try:
        step()
    except DeduceError as error:
        tell(str(error))
        return False
    return True
