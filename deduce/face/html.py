"""HTML fragments in which every text is escaped, built from nested calls.

A fragment has no script, no style and no event handler, so that the strictest content security
policy holds. What a tap means is in attributes: ``data_do`` names the intent, other ``data_``
attributes are its values (see `deduce.face.messages`).

>>> tag("button", "Rope & <b>", class_="chip", data_do="pick", data_card=3, disabled=False)
'<button class="chip" data-do="pick" data-card="3">Rope &amp; &lt;b&gt;</button>'
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from deduce.text import visible

__all__ = ["Child", "Html", "join_html", "name", "short", "tag", "text"]

MAX_NAME = 60
"""Longer names are abbreviated where they are shown; the log keeps them whole."""

EXACT = ("data-", "value", "id", "name", "for", "href")
"""Attributes that are read back by programs, so they hold the text itself."""

VOID = frozenset({"input", "br", "hr", "meta", "link", "img"})


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Child: TypeAlias = "str | Html | Iterable[Child] | None"
"""A part of an element: text, which is escaped, HTML, nothing, or several of these."""


def text(value: str) -> Html:
    r"""Return a text as HTML, with escapes for what would hide or turn the text around it.

    >>> print(text("<A\x1bnn>"))
    &lt;A\x1bnn&gt;
    """
    return Html(escape(visible(value)))


def join_html(children: Child) -> Html:
    """Return the parts one after the other as HTML."""
    if children is None:
        return Html()
    if isinstance(children, Html):
        return children
    if isinstance(children, str):
        return text(children)
    return Html("".join(map(join_html, children)))


def tag(element: str, *children: Child, **attributes: str | int | bool | None) -> Html:
    """Return an element.

    Parameters
    ----------
    element
        Its name.
    children
        What it contains; text is escaped.
    attributes
        By name, with ``_`` for ``-`` and at the end of Python's keywords. ``True`` is an attribute
        without value; ``None`` and ``False`` leave it out.
    """
    parts = [element]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        attribute = key.rstrip("_").replace("_", "-")
        if value is True:
            parts.append(attribute)
            continue
        shown = str(value) if attribute.startswith(EXACT) else visible(str(value))
        parts.append(f'{attribute}="{escape(shown)}"')
    opening = f"<{' '.join(parts)}>"
    if element in VOID:
        return Html(opening)
    return Html(f"{opening}{join_html(children)}</{element}>")


def short(value: str) -> str:
    """Return a name, abbreviated if it is very long.

    >>> len(short("x" * 10_000))
    60
    """
    return value if len(value) <= MAX_NAME else value[: MAX_NAME - 1] + "…"


def name(value: str) -> Html:
    """Return a name that people chose, isolated from the direction of the text around it.

    >>> name("<Ann>")
    '<bdi>&lt;Ann&gt;</bdi>'
    """
    return tag("bdi", short(value))
