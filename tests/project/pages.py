"""Reading pictures and pages strictly, and measuring colours."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree

from hypothesis import strategies as st

SVG = "{http://www.w3.org/2000/svg}"
EVIL = '<script>alert("1")</script>'
QUOTE = 'O\'Hara "& co" onmouseover="x'

names = st.one_of(
    st.sampled_from((EVIL, QUOTE, "a$b$c", "中文", "]]>", "\u202eRTL", "\ud800", "x" * 80)),
    st.text(min_size=1, max_size=20),
)
"""Names as strangers' files may have them."""

SHAPES = {"svg", "g", "rect", "circle", "line", "path", "polyline", "text", "title", "desc"}


def picture(text: str) -> ElementTree.Element:
    """Return a picture that is well formed, told to screen readers, and only shapes."""
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root.get("aria-label")
    assert root.findtext(f"{SVG}title")
    assert root.findtext(f"{SVG}desc") is not None
    assert {part.tag.removeprefix(SVG) for part in root.iter()} <= SHAPES
    assert not [name for part in root.iter() for name in part.attrib if name.startswith("on")]
    width, height = float(root.get("width", 1)), float(root.get("height", 1))
    assert width > 0
    assert height > 0
    return root


def hovers(root: ElementTree.Element) -> list[str]:
    """Return all titles in a picture, its own first."""
    return [part.text or "" for part in root.iter(f"{SVG}title")]


class Words(HTMLParser):
    """The words of a page, without its pictures and what is folded away."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.hidden = 0
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in ("svg", "details")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in ("svg", "details")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.words += data.split()


def rgb(colour: str) -> tuple[float, float, float]:
    """Return the channels of ``#rrggbb``, from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def luminance(colour: tuple[float, ...]) -> float:
    """Return the relative luminance of WCAG 2.2 of a colour with channels from 0 to 255."""
    parts = [c / 255 for c in colour]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
