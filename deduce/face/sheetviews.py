"""The parts of the page of any hidden game: the sheet, and what to ask."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from attrs import frozen

from deduce.constraints import Fact
from deduce.face.html import Child, Html, join_html, name, short, tag
from deduce.face.parts import button, strength
from deduce.face.texts import Texts
from deduce.policy.advice import UNKNOWN, Advice, RatedInquiry
from deduce.show.sheet import Cell, Sheet
from deduce.show.table import percent

__all__ = ["Look", "advice_html", "fact_names", "sheet_html"]

MAX_COLUMNS = 8
"""With more values, each row lists its own instead of having a column for each."""

MAX_SHORT = 4
"""Up to this number of characters a heading of a row leaves room for one more column."""

MAX_VALUES = 40
"""How many values of one variable are listed."""

MAX_ADVICE = 12
"""How many questions are shown."""

MAX_ANSWERS = 12
"""How many answers of one question are shown."""


def fact_names(game: Any) -> Callable[[Fact], str | None]:
    """Return the function from a fact to what the page calls it; ``None``: it has no name."""
    variables = {
        variable: (index, list(values))
        for index, (variable, values) in enumerate(game.variables().items())
    }

    def called(fact: Fact) -> str | None:
        if fact.variable not in variables:
            return None
        index, values = variables[fact.variable]
        return f"{index}.{values.index(next(iter(fact.values)))}"

    return called


@frozen
class Look:
    """How the cells of a sheet are shown.

    Parameters
    ----------
    say
        The texts.
    called
        Returns what the page calls a fact.
    news
        The facts that became certain by the last step.
    chosen
        The fact that is open.
    marks
        The player's own marks, if the sheet shows these instead of what is known.
    verdicts
        What the tutor found out about the marks: a class, whose text is ``tutor.CLASS``.
    """

    say: Texts
    called: Callable[[Fact], str | None]
    news: Collection[str] = ()
    chosen: str = ""
    marks: Mapping[str, str] | None = None
    verdicts: Mapping[str, str] = {}

    def cell(self, row: str, column: str, cell: Cell, *, named: bool) -> Html:
        """Return a cell; in a list it is a button with the value's name and its number."""
        say = self.say
        fact = self.called(cell.fact) if cell.fact is not None and cell.pick else None
        verdict = "yes" if cell.certain else "no" if cell.faint else "open"
        shown = {"yes": "✓", "no": "–"}.get(verdict, cell.text)
        value = {"yes": say("grid.yes"), "no": say("grid.no")}.get(verdict, cell.text)
        if value == "?":
            value = say("grid.open")
        classes = ["doubtful"] if cell.doubtful else [verdict]
        if cell.doubtful:
            value = f"{value}, {say('slips.doubtful')}"
        if verdict == "open" and cell.strength:
            classes.append(strength(cell.strength))
        if self.marks is not None and fact is not None:
            shown = cell.text
            value = say(f"tutor.{self.marks.get(fact, 'blank')}")
            if fact in self.verdicts:
                classes = [self.verdicts[fact]]
                value = f"{value}, {say(f'tutor.is.{self.verdicts[fact]}')}"
        label = say("grid.cell", variable=row, value=column, verdict=value)
        if fact in self.news:
            label = f"{label}, {say('grid.new')}"
            classes.append("new")
        if fact is None and named:
            look = f"button quiet {' '.join(classes)}"
            return tag("span", name(column), " ", tag("small", shown), class_=look)
        if fact is None:
            return tag("td", shown, class_=" ".join(classes))
        do = "why" if self.marks is None else "mark"
        pressed = "true" if fact == self.chosen else None
        if named:
            inside: Child = [name(column), " ", tag("small", shown)]
            look = f"button {' '.join(classes)}"
            return button(
                inside, do, class_=look, data_fact=fact, aria_label=label, aria_pressed=pressed
            )
        inner = button(
            shown, do, class_="cell", data_fact=fact, aria_label=label, aria_pressed=pressed
        )
        return tag("td", inner, class_=" ".join(classes))


def sheet_html(sheet: Sheet, look: Look) -> Html:
    """Return a sheet as a table whose cells are buttons; with many values as a list."""
    columns = sheet.head[1:]
    wide = len(columns) > MAX_COLUMNS
    span = 2 if wide else len(columns) + 1
    rows: list[Child] = []
    for row in sheet.rows:
        if not row.cells:
            title = tag("th", tag("span", short(row.head)), scope="colgroup", colspan=span)
            rows.append(tag("tr", title, class_="category"))
            continue
        cells: list[Child] = [
            look.cell(row.head, column, cell, named=wide)
            for column, cell in zip(columns, row.cells, strict=True)
            if not wide or cell.text not in ("", "–")
        ]
        if wide:
            more = len(cells) - MAX_VALUES
            rest = [f"+{more}"] if more > 0 else []
            values = tag("div", *cells[:MAX_VALUES], *rest, class_="chips")
            cells = [tag("td", values, class_="values")]
        rows.append(tag("tr", tag("th", name(row.head), scope="row"), *cells))
    short_heads = all(len(row.head) <= MAX_SHORT for row in sheet.rows if row.cells)
    head = [
        tag("th", tag("span", name(column), class_="holder"), scope="col") for column in columns
    ]
    table = tag(
        "table",
        tag("caption", look.say("grid.caption"), class_="hidden"),
        None if wide else tag("thead", tag("tr", tag("td"), *head)),
        tag("tbody", *rows),
        class_=f"sheet {'lists' if wide else 'narrow' if short_heads else ''}".rstrip(),
        data_grid=True,
    )
    return tag("div", table, class_="wide")


def advice_html(
    say: Texts, advice: Advice, lines: Callable[[RatedInquiry], Sequence[str | None]]
) -> Html:
    """Return the best questions; each answer is a button that adds it to the log."""
    if not len(advice.ranking):
        return tag("p", say("advice.none"))
    items = []
    for rated in advice.ranking[:MAX_ADVICE]:
        answers = [
            _answer(outcome.text, percent(outcome.probability), line)
            for outcome, line in list(zip(rated.outcomes, lines(rated), strict=True))[:MAX_ANSWERS]
        ]
        head = tag("p", tag("b", name(rated.text)), " ",
                   tag("small", say("advice.gain", bits=f"{rated.gain_bits:.2f}")))  # fmt: skip
        items.append(tag("li", head, tag("div", *answers, class_="chips"), class_="asked"))
    more = len(advice.ranking) - MAX_ADVICE
    exact = say("advice.exact" if advice.is_exact else "advice.estimate")
    parts: list[Child] = []
    if advice.entropy_bits is not UNKNOWN:
        parts.append(tag("p", say("advice.bits", bits=advice.bits_text)))
    parts += [
        tag("p", say("advice.tap"), class_="hint"),
        tag("ul", *items, class_="rows"),
        tag("p", say("advice.more", n=more), class_="hint") if more > 0 else None,
        tag("p", exact, class_="hint"),
    ]
    return join_html(parts)


def _answer(text: str, share: str, line: str | None) -> Html:
    inside = [name(text), " ", tag("small", share)]
    if line is None:
        return tag("span", *inside, class_="button quiet")
    return button(inside, "tell", data_line=line)
