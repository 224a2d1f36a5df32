"""HTML fragments in which every text is escaped, and the parts of which pages are made.

A fragment has no script, no style and no event handler, so that the strictest content security
policy holds. What a tap means is in attributes: ``data_do`` names the intent, other ``data_``
attributes are its values (see `deduce.pages.messages`).

>>> tag("button", "Rope & <b>", class_="chip", data_do="pick", data_card=3, disabled=False)
'<button class="chip" data-do="pick" data-card="3">Rope &amp; &lt;b&gt;</button>'
>>> print(button("Undo", "undo", disabled=True))
<button type="button" class="button" data-do="undo" disabled>Undo</button>
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from html import escape
from typing import TypeAlias

from attrs import frozen

from deduce.show.table import percent
from deduce.system.text import capital, visible

__all__ = [
    "Attribute",
    "Child",
    "Chip",
    "Html",
    "button",
    "callout",
    "category",
    "chips",
    "choices",
    "cross_table",
    "details",
    "field",
    "form",
    "heading",
    "holder",
    "join_html",
    "listed",
    "name",
    "names",
    "panel",
    "picture",
    "problem",
    "share_cell",
    "sheet_cell",
    "short",
    "shortened",
    "stepper",
    "strength",
    "submit",
    "table",
    "tag",
    "text",
    "textarea",
    "waiting",
    "wide",
]

MAX_NAME = 60
"""Longer names are abbreviated where they are shown; the log keeps them whole."""

MAX_HEAD = 7
"""Longer names are abbreviated as heads of columns."""

EXACT = ("data-", "value", "id", "name", "for", "href")
"""Attributes that are read back by programs, so they hold the text itself."""

VOID = frozenset({"input", "br", "hr", "meta", "link", "img"})


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Child: TypeAlias = "str | Html | Iterable[Child] | None"
"""A part of an element: text, which is escaped, HTML, nothing, or several of these."""

Attribute: TypeAlias = "str | int | bool | None"
"""The value of an attribute; ``None`` and ``False`` leave it out."""

STYLE = re.compile(r' style="[^"<>]*"')

MAX_PICTURE = 440
"""A wider picture scrolls sideways on a phone instead of being too small."""

SHADES = 20
"""The number of shades of a probability; the style sheet has one class for each."""


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


def tag(element: str, *children: Child, **attributes: Attribute) -> Html:
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


def problem(error: Exception) -> Html:
    """Return what is wrong, as a paragraph.

    >>> problem(ValueError("no such card"))
    '<p>No such card</p>'
    """
    return tag("p", capital(str(error)))


# Parts


def button(label: Child, do: str, *, class_: str = "button", **attributes: Attribute) -> Html:
    """Return a button; ``data_`` attributes are the values of its intent."""
    return tag("button", label, type="button", class_=class_, data_do=do, **attributes)


def submit(label: Child, *, class_: str = "button main", **attributes: Attribute) -> Html:
    """Return the button that submits a form."""
    return tag("button", label, type="submit", class_=class_, **attributes)


@frozen
class Chip:
    """One choice of several: a label that is tapped.

    Parameters
    ----------
    value
        What the form gets.
    label
        What is shown.
    hint
        A word beside it, such as where a card is known to be.
    faint
        Whether it is less visible.
    """

    value: str
    label: Child
    hint: str = ""
    faint: bool = False


def chips(
    legend: Child,
    control: str,
    choices: Iterable[Chip],
    chosen: Iterable[str],
    *,
    many: bool = False,
    class_: str = "",
) -> Html:
    """Return a group of chips, of which one or many can be chosen.

    Parameters
    ----------
    legend
        The heading of the group.
    control
        The name of the control.
    choices
        The chips.
    chosen
        The values of the chosen ones.
    many
        Whether several can be chosen.
    class_
        More classes of the group.
    """
    chosen = set(chosen)
    kind, labels = "checkbox" if many else "radio", []
    for chip in choices:
        checked = chip.value in chosen
        entry = tag("input", type=kind, name=control, value=chip.value, checked=checked)
        shown = tag("span", chip.label, tag("small", chip.hint) if chip.hint else None)
        labels.append(tag("label", entry, shown, class_="chip faint" if chip.faint else "chip"))
    inside = tag("div", *labels, class_="chips")
    return tag("fieldset", tag("legend", legend), inside, class_=class_ or None)


def choices(
    legend: Child,
    do: str,
    entries: Iterable[Chip],
    chosen: Collection[str],
    *,
    class_: str = "",
    **values: Attribute,
) -> Html:
    """Return buttons of equal size in fixed places, between which the arrow keys move.

    Parameters
    ----------
    legend
        The heading of the group.
    do, values
        The intent of a tap; its value ``value`` is that of the entry.
    entries
        The buttons.
    chosen
        The values of those that are pressed.
    class_
        More classes of the group.
    """
    buttons = [
        button([tag("span", entry.label), tag("small", entry.hint) if entry.hint else None], do,
               class_="choice faint" if entry.faint else "choice", data_value=entry.value,
               data_key=entry.value, **values,
               aria_pressed="true" if entry.value in chosen else "false")
        for entry in entries
    ]  # fmt: skip
    inside = tag("div", *buttons, class_="choices", data_grid=True)
    return tag("fieldset", tag("legend", legend), inside, class_=class_ or None)


def field(
    label: Child,
    control: str,
    value: str = "",
    *,
    hint: Child = None,
    **attributes: Attribute,
) -> Html:
    """Return a line of text to type, with its label."""
    entry = tag("input", type="text", name=control, value=value, autocomplete="off", **attributes)
    below = tag("small", hint) if hint else None
    return tag("label", tag("span", label), entry, below, class_="field")


def textarea(label: Child, control: str, value: str = "", *, rows: int, hint: Child = None) -> Html:
    """Return lines of text to type, with their label."""
    entry = tag("textarea", value, name=control, rows=rows, spellcheck="false", autocomplete="off")
    below = tag("small", hint) if hint else None
    return tag("label", tag("span", label), entry, below, class_="field")


def form(do: str, *children: Child, draft: str = "", id_: str = "", class_: str = "") -> Html:
    """Return a form: its submission is the intent ``do``, each change the intent ``draft``."""
    return tag(
        "form",
        *children,
        data_do=do,
        data_draft=draft or None,
        id=id_ or None,
        class_=class_ or None,
        novalidate=True,
    )


def heading(title: Child, *, id_: str = "", level: int = 2) -> Html:
    """Return a heading; with an ``id`` it can get the keyboard focus."""
    return tag(f"h{level}", title, id=id_ or None, tabindex=-1 if id_ else None)


def callout(*children: Child, kind: str = "note", label: str = "") -> Html:
    """Return a box that stands out; ``kind`` is that of a ``Notice``."""
    return tag(
        "div",
        *children,
        class_=f"callout {kind}",
        role="group" if label else None,
        aria_label=label or None,
    )


def details(summary: Child, *children: Child, key: str = "", one_of: str = "") -> Html:
    """Return what unfolds; with a key it stays open when the page is drawn again.

    Of those that are ``one_of`` the same group, one is open at a time.
    """
    return tag("details", tag("summary", summary), *children, data_key=key or None,
               name=one_of or None)  # fmt: skip


def listed(items: Iterable[Child], *, element: str = "ul", class_: str = "") -> Html:
    """Return a list of items.

    >>> listed(["one", "two"])
    '<ul><li>one</li><li>two</li></ul>'
    """
    return tag(element, *(tag("li", item) for item in items), class_=class_ or None)


def waiting(title: Child, slot: str, *above: Child) -> Html:
    """Return a view whose contents a job computes."""
    return join_html([heading(title), *above, tag("div", data_slot=slot)])


def panel(title: Child, *children: Child, close: str) -> Html:
    """Return the panel over the views, which gets the focus; ``close`` is said of its button."""
    head = tag(
        "div",
        tag("h2", title, id="over-title", tabindex=-1),
        button("✕", "close", class_="button quiet", aria_label=close),
        class_="over-head",
    )
    return tag("section", head, *children, class_="over", aria_labelledby="over-title")


# Tables


def strength(share: float | Fraction) -> str:
    """Return the class of a shade.

    >>> strength(0.5), strength(0.001), strength(0)
    ('p10', 'p1', 'p0')
    """
    if not share:
        return "p0"
    return f"p{max(1, round(float(share) * SHADES))}"


def share_cell(share: Fraction) -> Html:
    """Return the cell of a probability, shaded."""
    return tag("td", percent(share), class_=f"number {strength(share)}")


def table(head: Sequence[Child], rows: Iterable[Sequence[Child]], *, caption: Child = None) -> Html:
    """Return a table; a cell that is a ``<td>`` already stays as it is.

    The first cell of a row is its heading.
    """

    def cell(inside: Child) -> Html:
        is_cell = isinstance(inside, Html) and inside.startswith("<td")
        return join_html(inside) if is_cell else tag("td", inside)

    lines = [tag("tr", tag("th", row[0], scope="row"), *map(cell, row[1:])) for row in rows]
    heads = [tag("th", each, scope="col") if each else tag("td") for each in head]
    title = tag("caption", caption) if caption else None
    top = tag("thead", tag("tr", *heads)) if any(head) else None
    return wide(tag("table", title, top, tag("tbody", *lines)), caption)


def wide(body: Html, label: Child) -> Html:
    """Return a table that can be scrolled sideways, with its label for screen readers."""
    plain = label if isinstance(label, str) and not isinstance(label, Html) else None
    return tag("div", body, class_="wide", tabindex=0, role="group", aria_label=plain)


def cross_table(
    head: Sequence[Child], rows: Iterable[Child], *, caption: str, class_: str = "sheet"
) -> Html:
    """Return a table with a button in every cell, between which the arrow keys move.

    Parameters
    ----------
    head
        The headings of the columns, below an empty corner; empty: there are none.
    rows
        The rows, each a ``<tr>``.
    caption
        What screen readers call the table.
    class_
        The classes of the table.
    """
    heads = [tag("th", each, scope="col") for each in head]
    body = tag(
        "table",
        tag("caption", caption, class_="hidden"),
        tag("thead", tag("tr", tag("td"), *heads)) if heads else None,
        tag("tbody", *rows),
        class_=class_,
        data_grid=True,
    )
    return tag("div", body, class_="wide")


def holder(label: str, full: str = "") -> Html:
    """Return a name for a small place: a short form, and the full one to be read out."""
    if full in ("", label):
        return tag("span", name(label), class_="holder")
    said = tag("span", name(full), class_="hidden")
    return tag("span", tag("span", name(label), aria_hidden="true"), said,
               class_="holder", title=short(full))  # fmt: skip


def shortened(labels: Sequence[str]) -> list[str]:
    """Return short forms of names, of which no two are alike, also where their ends are cut.

    >>> shortened(["Mia", "Jonathan", "Jonas B", "Jonas C"])
    ['Mia', 'Jonath…', 'Jonas B', 'Jonas C']
    >>> shortened(["Bartholomew A", "Bartholomew B", "Ann"])
    ['1 Bartho…', '2 Bartho…', 'Ann']
    """
    heads = [each if len(each) <= MAX_HEAD else f"{each[: MAX_HEAD - 1]}…" for each in labels]
    return [
        f"{heads[: at + 1].count(head)} {head}" if heads.count(head) > 1 else head
        for at, head in enumerate(heads)
    ]


def category(label: str, columns: int) -> Html:
    """Return the row of a sheet that is the heading of those below it."""
    cell = tag("th", tag("span", short(label)), scope="colgroup", colspan=columns)
    return tag("tr", cell, class_="category")


def sheet_cell(
    shown: str, do: str, *, label: str, look: str, pressed: bool, **values: Attribute
) -> Html:
    """Return a cell of a sheet, which is a button.

    Parameters
    ----------
    shown, label
        Its text, and what screen readers say.
    do, values
        The intent of a tap.
    look
        The classes of the cell.
    pressed
        Whether it is open.
    """
    on = "true" if pressed else None
    inside = button(shown, do, class_="cell", **values, aria_label=label, aria_pressed=on)
    return tag("td", inside, class_=look)


def names(values: Iterable[str]) -> Html:
    """Return names that people chose, separated by commas."""
    parts: list[Child] = []
    for index, value in enumerate(values):
        parts += [", "] if index else []
        parts.append(name(value))
    return join_html(parts)


def picture(svg: str) -> Html:
    """Return a picture as part of a page: its inline style is left out, which the policy forbids.

    >>> picture('<svg style="max-width:100%"><title>a</title></svg>')
    '<div class="board"><svg><title>a</title></svg></div>'
    """
    width = re.search(r'<svg[^>]* (?:width="|viewBox="0 0 )(\d+)', svg)
    if width is None or int(width[1]) <= MAX_PICTURE:
        return tag("div", Html(STYLE.sub("", svg)), class_="board")
    return tag("div", Html(STYLE.sub("", svg)), class_="board large", tabindex=0, role="group")


def stepper(label: str, at: int, last: int, *, do: str = "step") -> Html:
    """Return a slider over events, with a button for the previous and for the next one.

    Each sends the intent ``do``, whose number `Intent.step` returns.

    Parameters
    ----------
    label
        What is shown, such as "Event 3 of 8".
    at, last
        The number of the event that is shown, and of the last one; the first is 0.
    do
        The name of the intent.
    """

    def go(sign: str, to: int) -> Html:
        inside = 0 <= to <= last
        return button(sign, do, disabled=not inside, data_to=to if inside else at,
                      data_key=f"{do} {sign}", aria_label=f"{sign} {label}")  # fmt: skip

    slider = tag(
        "input", type="range", name="to", min=0, max=last, value=at, aria_label=label,
        data_key=f"{do} slider",
    )  # fmt: skip
    return form(do, go("◀", at - 1), slider, go("▶", at + 1),
                tag("output", label, class_="step-label"), draft=do, class_="stepper",
                id_=f"{do}-form")  # fmt: skip
