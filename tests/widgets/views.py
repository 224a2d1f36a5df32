"""Reading the views of widgets without a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

TAGS = {"div", "strong", "br", "ul", "li", "pre", "table", "caption", "thead", "tbody", "tr", "th",
        "td", "details", "summary",
        "svg", "title", "desc", "g", "rect", "circle", "line", "path", "text", "tspan"}  # fmt: skip


def parts(view: Any) -> Iterator[Any]:
    """Yield a widget and all widgets inside it."""
    yield view
    for child in getattr(view, "children", ()):
        yield from parts(child)


def html_of(panel: Any) -> str:
    """Return all HTML of a panel."""
    fields = {"HTML": "value", "Picture": "picture"}
    named = ((fields.get(type(part).__name__), part) for part in parts(panel.view))
    return "".join(getattr(part, name) for name, part in named if name)


def text_of(markup: str) -> str:
    """Return HTML without its tags."""
    return re.sub(r"<[^>]*>", " ", markup)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.add(tag)


def foreign_tags(panel: Any) -> set[str]:
    """Return the tags in the HTML of a panel that no widget writes, so that names contain them."""
    parser = _Tags()
    parser.feed(html_of(panel))
    return parser.seen - TAGS
