"""SVG as text: shapes with every word escaped, and pictures that fit any page.

A shape is a `Markup`: text that is SVG already. Plain text among the shapes is escaped, so names
from strangers' files stay names. A picture draws lines and words in ``currentColor``, the colour
of the page's own text, which makes it readable on light and dark pages; it scales down to narrow
screens, describes itself to a screen reader (``role="img"``, a title and a description), and has
no script, no style sheet and no identifier that could clash with another picture on the page.

What the colours mean is shown by shapes or words too: `SIDES` are blue and orange, which people
with any kind of colour blindness distinguish, but not in grey print. White text is readable on each
of them (WCAG 2.2, success criterion 1.4.3), and each contrasts with a white and with a nearly black
page (1.4.11).

>>> print(picture(20, 10, circle(5, 5, 4, fill=SIDES[0]), title="one <stone>"))
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10" width="20" height="10" role="img"
aria-label="one &lt;stone&gt;" font-family="system-ui,sans-serif" fill="currentColor"
style="max-width:100%;height:auto"><title>one &lt;stone&gt;</title><circle cx="5" cy="5" r="4"
fill="#2563c9"/></svg>
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from html import escape
from typing import NamedTuple

from deduce.estimates import rounded_percent
from deduce.system.text import visible

__all__ = [
    "FAINT",
    "SHADE",
    "SIDES",
    "THICKEST",
    "THINNEST",
    "UNOWNED",
    "Markup",
    "Shaded",
    "circle",
    "group",
    "legible",
    "line",
    "path",
    "picture",
    "rect",
    "shade",
    "shaded_cells",
    "shortened",
    "tag",
    "text",
]

SIDES = ("#2563c9", "#c2410c")
"""The colours of two sides, blue and orange."""

UNOWNED = "#6b7078"
"""The colour of what belongs to neither side."""

SHADE = "31,119,180"
DOUBTFUL = "255,127,14"
"""The one colour of all heat maps, as red, green and blue."""

THINNEST, THICKEST = 0.06, 0.7
"""How opaque the shade of a number just over 0 and of a certainty is."""

FAINT = 0.65
"""The opacity of what is less important; text in it still has enough contrast."""

_UNFIT = re.compile("[\ud800-\udfff\ufffe\uffff]")


class Markup(str):
    """Text that is SVG already, and is not escaped again."""

    __slots__ = ()


def legible(words: object) -> str:
    r"""Return the text of a name without what XML cannot hold or what would hide other text.

    >>> print(legible("a\x00b"))
    a\x00b
    """
    escaped = visible(str(words)).replace("\n", "\\n")
    return _UNFIT.sub(lambda found: found[0].encode("unicode_escape").decode(), escaped)


def shortened(words: object, most: int) -> str:
    """Return a name of at most ``most`` characters, its end replaced by an ellipsis if need be.

    >>> shortened("Billiard Room", 9)
    'Billiard…'
    """
    whole = legible(words)
    return whole if len(whole) <= most else whole[: most - 1].rstrip() + "…"


def shade(share: float | Fraction, *, doubtful: bool = False) -> str:
    """Return the fill that shows a share from 0 to 1: the greater, the more opaque.

    What rests on events that may be wrong has another colour.

    >>> shade(0), shade(1)
    ('rgba(31,119,180,0.06)', 'rgba(31,119,180,0.70)')
    """
    color = DOUBTFUL if doubtful else SHADE
    return f"rgba({color},{THINNEST + (THICKEST - THINNEST) * float(share):.2f})"


def tag(name: str, *inside: str, **attributes: object) -> Markup:
    """Return an element; what is inside is escaped unless it is `Markup`.

    In the names of attributes ``_`` becomes ``-``, and one at the end is left out (``class_``).
    Attributes that are ``None`` are left out.

    >>> print(tag("text", "1 < 2", font_size=12.0, class_="a", fill=None))
    <text font-size="12" class="a">1 &lt; 2</text>
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_value(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    content = "".join(_content(inside))
    return Markup(f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>")


def _content(inside: Iterable[str]) -> Iterable[str]:
    return (part if isinstance(part, Markup) else escape(legible(part)) for part in inside)


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return legible(value)


def _titled(name: str, title: object, attributes: dict[str, object]) -> Markup:
    return tag(name, *([tag("title", str(title))] if title else ()), **attributes)


def rect(
    x: float, y: float, width: float, height: float, *, title: object = None, **style: object
) -> Markup:
    """Return a rectangle; ``title`` shows when the mouse rests on it."""
    return _titled("rect", title, {"x": x, "y": y, "width": width, "height": height, **style})


def circle(x: float, y: float, r: float, *, title: object = None, **style: object) -> Markup:
    """Return a circle around a point."""
    return _titled("circle", title, {"cx": x, "cy": y, "r": r, **style})


def line(x: float, y: float, to_x: float, to_y: float, **style: object) -> Markup:
    """Return a straight line, in the colour of the page's text unless another is given."""
    return tag(
        "line", **{"x1": x, "y1": y, "x2": to_x, "y2": to_y, "stroke": "currentColor"} | style
    )


def path(d: str, **style: object) -> Markup:
    """Return a path in SVG's own words."""
    return tag("path", d=d, **style)


def text(
    x: float,
    y: float,
    words: object,
    *,
    size: float = 14,
    anchor: str = "middle",
    title: object = None,
    **style: object,
) -> Markup:
    """Return words at a place; ``y`` is their base line, ``size`` is in pixels."""
    inside = [legible(words), *([tag("title", str(title))] if title else ())]
    return tag("text", *inside, x=x, y=y, font_size=size, text_anchor=anchor, **style)


def group(*inside: Markup, title: object = None, **attributes: object) -> Markup:
    """Return shapes that belong together, with one title for all of them."""
    return tag("g", *([tag("title", str(title))] if title else ()), *inside, **attributes)


def picture(
    width: float,
    height: float,
    *shapes: Markup,
    title: str,
    desc: str = "",
    **attributes: object,
) -> Markup:
    """Return a whole picture.

    Parameters
    ----------
    width, height
        Its size in pixels where there is room; it shrinks where there is not.
    shapes
        What it shows, the lowest first.
    title
        What it is, in a few words.
    desc
        What can be seen, as text: the position in the game's notation, for instance.
    """
    labels = [tag("title", title), *([tag("desc", desc)] if desc else ())]
    return tag(
        "svg",
        *labels,
        *shapes,
        **{
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {_value(float(width))} {_value(float(height))}",
            "width": float(width),
            "height": float(height),
            "role": "img",
            "aria_label": f"{title}: {desc}" if desc else title,
            "font_family": "system-ui,sans-serif",
            "fill": "currentColor",
            "style": "max-width:100%;height:auto",
        }
        | attributes,
    )


class Shaded(NamedTuple):
    """A cell: its words, the share that shades it (``None``: nothing), and its own hover text."""

    words: str
    share: float | Fraction | None = None
    about: str = ""


def shaded_cells(
    rows: Sequence[Sequence[tuple[str, float | Fraction | None] | Shaded]],
    *,
    title: str,
    desc: str = "",
    width: float = 84,
    below: Sequence[str] = (),
) -> Markup:
    """Return rows of cells, shaded by their shares, with lines of text below them.

    >>> shaded_cells([[("Ann", 0.5), ("Ben", None)]], title="who").count("<rect")
    2
    """
    shapes: list[Markup] = []
    height = 30
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            words, share, about = Shaded(*cell)
            fill = "none" if share is None else shade(share)
            about = about or (words if share is None else f"{words}: {rounded_percent(share)}%")
            left, top = x * width + 1, y * height + 1
            shapes.append(rect(left, top, width - 2, height - 2, title=about, fill=fill, rx=3))
            label = shortened(words, max(int(width / 8), 1))
            shapes.append(text(left + width / 2 - 1, top + height * 0.62, label, size=12))
    most = max(map(len, rows), default=0)
    whole, under = most * width + 2, len(rows) * height + 2
    for number, line in enumerate(map(visible, below), start=1):
        shapes.append(text(8, under + 20 * number - 6, line, size=13, anchor="start"))
        whole = max(whole, 16 + 7 * len(line))
    return picture(whole, under + 20 * len(below), *shapes, title=title, desc=desc)
