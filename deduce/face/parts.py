"""Parts of pages that every game uses: buttons, chips, tables, the frame with its views.

>>> print(button("Undo", "undo", disabled=True))
<button type="button" class="button" data-do="undo" disabled>Undo</button>
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from attrs import frozen

from deduce.face.html import Child, Html, join_html, name, tag
from deduce.show.table import percent

__all__ = [
    "Chip",
    "button",
    "callout",
    "chips",
    "field",
    "form",
    "heading",
    "picture",
    "share_cell",
    "stepper",
    "strength",
    "table",
]

STYLE = re.compile(r' style="[^"<>]*"')

SHADES = 20
"""The number of shades of a probability; the style sheet has one class for each."""


def button(
    label: Child, do: str, *, class_: str = "button", **attributes: str | int | bool | None
) -> Html:
    """Return a button; ``data_`` attributes are the values of its intent."""
    return tag("button", label, type="button", class_=class_, data_do=do, **attributes)


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
    hidden_legend: bool = False,
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
    hidden_legend
        Whether only screen readers get the legend.
    """
    chosen = set(chosen)
    labels = [
        tag(
            "label",
            tag(
                "input",
                type="checkbox" if many else "radio",
                name=control,
                value=chip.value,
                checked=chip.value in chosen,
            ),
            tag("span", chip.label, tag("small", chip.hint) if chip.hint else None),
            class_="chip faint" if chip.faint else "chip",
        )
        for chip in choices
    ]
    title = tag("legend", legend, class_="hidden" if hidden_legend else None)
    return tag("fieldset", title, tag("div", *labels, class_="chips"), class_=class_ or None)


def field(
    label: Child,
    control: str,
    value: str = "",
    *,
    hint: Child = None,
    kind: str = "text",
    **attributes: str | int | bool | None,
) -> Html:
    """Return a line of text to type, with its label."""
    entry = tag("input", type=kind, name=control, value=value, autocomplete="off", **attributes)
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


def strength(share: float | Fraction) -> str:
    """Return the class of a shade.

    >>> strength(0.5), strength(0.001), strength(0)
    ('p10', 'p1', 'p0')
    """
    if not share:
        return "p0"
    return f"p{max(1, round(float(share) * SHADES))}"


def share_cell(share: Fraction, *, header: bool = False) -> Html:
    """Return the cell of a probability, shaded."""
    return tag("th" if header else "td", percent(share), class_=f"number {strength(share)}")


def table(head: Sequence[Child], rows: Iterable[Sequence[Child]], *, caption: Child = None) -> Html:
    """Return a table; a cell that is a ``<td>`` already stays as it is.

    The first cell of a row is its heading.
    """
    lines = [
        tag(
            "tr",
            tag("th", row[0], scope="row"),
            *(cell if _is_cell(cell) else tag("td", cell) for cell in row[1:]),
        )
        for row in rows
    ]
    top = tag(
        "thead", tag("tr", *(tag("th", cell, scope="col") if cell else tag("td") for cell in head))
    )
    title = tag("caption", caption) if caption else None
    body = tag("table", title, top if any(head) else None, tag("tbody", *lines))
    return tag("div", body, class_="wide", tabindex=0, role="group", aria_label=_plain(caption))


def _is_cell(cell: Child) -> bool:
    return isinstance(cell, Html) and cell.startswith("<td")


def _plain(caption: Child) -> str | None:
    return caption if isinstance(caption, str) and not isinstance(caption, Html) else None


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
    return tag("div", Html(STYLE.sub("", svg)), class_="board")


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
