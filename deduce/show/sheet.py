"""What is known of every variable, as a grid, and as a sheet of cells in rows under headings.

A cell has its text, its probability and its fact. The same sheet is shown as text, as HTML for
notebooks, and on pages as a table with cells to tap. A game may build its own.

>>> print(Sheet(("card", "Ann"), [Row("Rope", (Cell("33%", strength=Fraction(1, 3)),))]))
card  Ann
Rope  33%
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from attrs import evolve, field, frozen

from deduce.constraints import Fact, Value, Variable, is_
from deduce.errors import Contradiction, Undecided
from deduce.estimates import Estimate
from deduce.game import RECORD, Shown, hook
from deduce.knowledge import Knowledge
from deduce.reasoning.doubts import Unless
from deduce.show.svg import Markup, shaded_cells
from deduce.show.table import (
    CELL,
    CERTAIN,
    EXCLUDED,
    Table,
    heading_html,
    number_html,
    percent,
    row_html,
    table_html,
    text_html,
)
from deduce.system.display import Displayed
from deduce.system.text import by_name, join, name_of, plural, visible

__all__ = [
    "ESTIMATED",
    "MAX_ROWS",
    "SINGULAR",
    "Cell",
    "Grid",
    "Row",
    "Shares",
    "Sheet",
    "cell_rows",
    "cells_picture",
    "grid_of",
    "grid_table",
    "groups",
    "knowledge_rows",
    "knowledge_sheet",
    "knowledge_title",
    "marked",
    "sheet_html",
    "value_cell",
]

ESTIMATED = "~ estimated from drawn worlds; after ± and < is a 95 % interval, not a certainty"
"""What is said below estimates."""

SINGULAR = {"probabilities": "probability", "shares of worlds": "share of worlds"}
"""What one number of a grid is, by what its numbers are."""

MAX_ROWS = 200
"""The number of variables that notebooks show."""

Shares = Mapping[Variable, Mapping[Value, Fraction]]


@frozen
class Grid:
    """The content of a grid of variables by values.

    Parameters
    ----------
    possible
        The values that each variable has in some world (or that nothing has excluded yet).
    numbers
        The posterior or the share of worlds of each value, or ``None`` when they are not known;
        where they are estimated, ``possible`` has what is not excluded.
    kind
        What the numbers are: ``"probabilities"`` or ``"shares of worlds"``.
    estimates
        Whether other numbers that are shown with it may be estimated.
    """

    possible: Mapping[Variable, frozenset[Value]]
    numbers: Mapping[Variable, Mapping[Value, Fraction | Estimate]] | None = None
    kind: str = "probabilities"
    estimates: bool = False

    @property
    def exact(self) -> bool:
        """Whether no number is estimated."""
        rows = (self.numbers or {}).values()
        return all(not isinstance(x, Estimate) or x.exact for row in rows for x in row.values())

    def cell(self, variable: Variable, value: Value) -> str:
        """Return ``"yes"``, ``"no"``, a percentage, or ``"?"`` where the number is not known."""
        values = self.possible[variable]
        if value not in values:
            return "no"
        if len(values) == 1:
            return "yes"
        return "?" if self.numbers is None else percent(self.numbers[variable][value])


def grid_of(knowledge: Knowledge) -> Grid:
    """Return the posterior of everything; over budget, what is not excluded, without numbers.

    Exact numbers are in the grid only if the shares of worlds are known too, so that both can be
    shown.

    Raises
    ------
    Contradiction
        There is no world.
    """
    try:
        numbers = knowledge.posterior()
        knowledge.shares()
    except Undecided as error:
        if not error.known and knowledge.problem.domains:
            raise Contradiction from None
        return Grid(error.known)
    return Grid({variable: frozenset(row) for variable, row in numbers.items()}, numbers)


def groups(knowledge: Knowledge) -> Mapping[str, Sequence[Variable]]:
    """Return the variables under the game's headings; without any, all under an empty one.

    What was drawn in the course of the log has a heading of its own.
    """
    variables = knowledge.problem.domains
    named = hook(knowledge.game, Shown.groups)
    if named is None:
        return {"": list(variables)}
    headed: Mapping[str, Sequence[Variable]] = named() if callable(named) else named
    drawn = [v for v in variables if v not in knowledge.game.variables()]
    return {**headed, "drawn": drawn} if drawn else headed


def knowledge_title(knowledge: Knowledge, grid: Grid) -> str:
    """Return whose knowledge it is, after how many events, and the number of worlds."""
    viewer, number = knowledge.viewer, len(knowledge.log)
    whose = "What the log shows" if viewer is RECORD else f"What {viewer} knows"
    whose = "What all players know" if viewer is None else whose
    what_if = " and ".join(map(knowledge.say, knowledge.assumed))
    title = f"{whose} after {plural(number, 'event')}"
    title += f", if {what_if}" if what_if else ""
    if grid.numbers is None:
        return title
    if not grid.exact:
        return f"{title}: {knowledge.count(estimate=True)} worlds"
    worlds = knowledge.count()
    return f"{title}: {plural(worlds, 'world')}"


@frozen
class Cell:
    """The contents of a cell, and whether it can be clicked.

    Parameters
    ----------
    text
        The text.
    strength
        A probability that determines the shade; ``None``: no shade.
    certain
        Whether the cell has a frame.
    faint
        Whether the text is less visible than that of other cells.
    hover
        The text that appears when the mouse pointer is on the cell.
    pick
        Whether the cell can be clicked.
    doubtful
        Whether the cell would be certain if no event were wrong; it has a star and another shade.
    fact
        The fact that the cell is about, if any.
    """

    text: str = field(converter=visible)
    strength: Fraction | None = None
    certain: bool = field(default=False, kw_only=True)
    faint: bool = field(default=False, kw_only=True)
    hover: str = field(default="", converter=visible, kw_only=True)
    pick: bool = field(default=True, kw_only=True)
    doubtful: bool = field(default=False, kw_only=True)
    fact: Fact | None = field(default=None, kw_only=True)


@frozen
class Row:
    """A row of the table: its heading and its cells. Without cells it is the heading of a group.

    With ``heads`` it is one although it has cells.
    """

    head: str = field(converter=visible)
    cells: tuple[Cell, ...] = ()
    heads: bool = field(default=False, kw_only=True)


@frozen
class Sheet(Displayed):
    """The contents of a table, whose text and HTML are its views.

    Parameters
    ----------
    head
        The headings of the columns; the first is above the headings of the rows.
    rows
        The rows.
    title
        A line above the table.
    notes
        Lines below the table.
    wraps
        Whether long text in cells is wrapped.
    """

    head: tuple[str, ...]
    rows: Sequence[Row]
    title: str = ""
    notes: Sequence[str] = ()
    wraps: bool = False

    def table(self) -> Table:
        """Return the sheet as a table of text."""
        rows = [
            [row.head, *(cell.text for cell in row.cells)]
            if row.cells
            else [f"-- {row.head}", *[""] * (len(self.head) - 1)]
            for row in self.rows
        ]
        return Table(self.head, rows, self.title, tuple(self.notes))


def value_cell(
    grid: Grid,
    shares: Shares | None,
    variable: Variable,
    value: Value,
    *,
    no: str = "–",
) -> Cell:
    """Return the cell of a variable and a value: yes, no, ? or a probability.

    Parameters
    ----------
    grid
        The verdicts and probabilities.
    shares
        The shares of worlds, for the hover text; ``None`` without probabilities.
    variable, value
        The fact.
    no
        The text of a cell whose fact is excluded.
    """
    text = grid.cell(variable, value)
    fact = is_(variable, value)
    name = f"{name_of(variable)}, {name_of(value)}"
    hover = f"{name}: {text}"
    probability = None
    if grid.numbers is not None and text != "no":
        number = grid.numbers[variable][value]
        probability = Fraction(float(number)) if isinstance(number, Estimate) else number
        hover = f"{name}: {SINGULAR[grid.kind]} {number}"
        hover += f", share of worlds {shares[variable][value]}" if shares else ""
    shown, certain, faint = (no if text == "no" else text), text == "yes", text == "no"
    return Cell(shown, probability, certain=certain, faint=faint, hover=hover, fact=fact)


def cell_rows(
    board: Mapping[str, Mapping[str, Sequence[Fact]]], grid: Grid, *, no: str = "no"
) -> list[Row]:
    """Return the rows of a game's own cells (`shown_cells`), not to be clicked."""
    return [
        Row(
            heading,
            tuple(_own_cell(facts, grid, f"{column}{heading}", no) for column, facts in row),
        )
        for heading, columns in board.items()
        for row in [columns.items()]
    ]


def cells_picture(
    knowledge: Knowledge,
    board: Mapping[str, Mapping[str, Sequence[Fact]]] | None = None,
    *,
    width: float = 36,
) -> Markup:
    """Return the grid as a picture: percentages, ``×`` for yes and ``·`` for no.

    Parameters
    ----------
    knowledge
        What is known.
    board
        Cells as of `shown_cells`, which take the place of the grid.
    width
        The width of a column in pixels.
    """
    sheet = knowledge_sheet(knowledge, grid_of(knowledge), no="·", board=board)
    rows: list[list[tuple[str, Fraction | None]]] = [[(name, None) for name in sheet.head]]
    for row in sheet.rows:
        shades = [(cell.text, Fraction(1) if cell.certain else cell.strength) for cell in row.cells]
        rows.append([(row.head, None)])
        rows[-1] += [("×" if t == "yes" else t.removesuffix("%"), share) for t, share in shades]
    return shaded_cells(rows, title=sheet.title, width=width)


def _own_cell(facts: Sequence[Fact], grid: Grid, name: str, no: str) -> Cell:
    held = [(fact.variable, fact.values & grid.possible[fact.variable]) for fact in facts]
    sure = any(values == grid.possible[variable] for variable, values in held)
    if not any(values for _, values in held):
        return Cell(no, faint=True, pick=False, hover=f"{name}: no")
    if sure or grid.numbers is None:
        return Cell("yes" if sure else "?", certain=sure, pick=False, hover=name)
    numbers = [grid.numbers[variable][value] for variable, values in held for value in values]
    exact = [number for number in numbers if isinstance(number, Fraction)]
    if len(exact) < len(numbers):  # estimates are not added: their errors depend on each other
        return Cell("?", pick=False, hover=name)
    share = sum(exact, Fraction())
    shown, certain = ("yes", True) if share == 1 else (percent(share), False)
    return Cell(shown, share, certain=certain, pick=False, hover=f"{name}: {share}")


def knowledge_rows(
    knowledge: Knowledge,
    grid: Grid,
    groups: Mapping[str, Sequence[Variable]],
    columns: Mapping[str, Value],
    *,
    shares: Shares | None = None,
    no: str = "no",
    limit: int | None = None,
) -> list[Row]:
    """Return a row for each variable, under the headings of the groups.

    Parameters
    ----------
    knowledge
        Whose variables are shown.
    grid
        The verdicts and probabilities.
    groups
        The variables by heading; an empty heading has no row.
    columns
        The values by name; a variable that cannot have a value has a blank cell there.
    shares
        The shares of worlds, for hover texts.
    no
        The text of excluded cells.
    limit
        The number of variables shown; ``None``: all.
    """
    domains = knowledge.problem.domains
    names = {variable: name for name, variable in by_name(domains).items()}
    rows: list[Row] = []
    remaining = len(domains) if limit is None else limit
    for heading, variables in groups.items():
        if heading and remaining:
            rows.append(Row(heading))
        for variable in variables[:remaining]:
            cells = (
                value_cell(grid, shares, variable, value, no=no)
                if value in domains[variable]
                else Cell("", pick=False)
                for value in columns.values()
            )
            rows.append(Row(names[variable], tuple(cells)))
        remaining = max(0, remaining - len(variables))
    return rows


def knowledge_sheet(
    knowledge: Knowledge,
    grid: Grid,
    *,
    shares: Shares | None = None,
    no: str = "no",
    limit: int | None = None,
    cells: bool = True,
    board: Mapping[str, Mapping[str, Sequence[Fact]]] | None = None,
) -> Sheet:
    """Return a sheet with a row for each variable and a column for each value.

    The parameters are those of `knowledge_rows`; headings and columns are those of the game. With
    ``cells``, a game's own cells (`shown_cells`), if it has some, take their place, or those of
    ``board``.
    """
    domains = knowledge.problem.domains
    unknown = "? = the number is not known"
    notes = [f"percentages are {grid.kind}" if grid.numbers else unknown]
    own = hook(knowledge.game, Shown.shown_cells)
    if own is not None and cells and board is None:
        board = own(knowledge.log)
    if board is not None:
        notes = notes if grid.exact else [unknown]
        head = ("", *next(iter(board.values())))
        return Sheet(head, cell_rows(board, grid, no=no), knowledge_title(knowledge, grid), notes)
    headed = groups(knowledge)
    shown = [variable for variables in headed.values() for variable in variables]
    columns = by_name(dict.fromkeys(value for name in shown for value in domains[name]))
    rows = knowledge_rows(knowledge, grid, headed, columns, shares=shares, no=no, limit=limit)
    if not grid.exact:
        notes.append(ESTIMATED)
    if limit is not None and len(domains) > limit:
        notes.append(f"the first {limit} of {plural(len(domains), 'variable')} are shown")
    return marked(Sheet(("", *columns), rows, knowledge_title(knowledge, grid), notes), knowledge)


MAX_EVENTS = 3
"""How many doubtful events the footnote of a sheet names."""


def marked(sheet: Sheet, knowledge: Knowledge) -> Sheet:
    """Return the sheet with a star on what would be certain if no event were wrong.

    A footnote names the events that these cells rest on, the most doubtful first: without one of
    them the claim is open. A sheet of knowledge without doubts, or of a log that contradicts itself
    unless an event is wrong, is returned as it is. Cost: the possible values once for each answer
    that may be wrong.
    """
    try:
        if knowledge.doubts is None or not _doubtful(knowledge, slips=0):
            return sheet
        doubtful = _doubtful(knowledge, slips=1)
        slips = knowledge.slips()
    except (Contradiction, Undecided):
        return sheet
    marks = {is_(claim.variable, claim.value) for claim in doubtful}

    def mark(cell: Cell) -> Cell:
        if cell.fact not in marks:
            return cell
        return evolve(
            cell,
            text=f"{cell.text}*",
            hover=f"{cell.hover}; certain if no event is wrong",
            doubtful=True,
        )

    rows = [Row(row.head, tuple(map(mark, row.cells))) for row in sheet.rows]
    rests_on = {event for claim in doubtful for event in claim.events}
    wrong: dict[int, Fraction] = {}
    for slip in slips:  # the most probable first
        if slip.event in rests_on:
            wrong.setdefault(slip.event, slip.probability)
    named = [f"event {event} ({percent(p)} wrong)" for event, p in wrong.items()]
    if len(named) > MAX_EVENTS:
        named = [*named[:MAX_EVENTS], f"{len(named) - MAX_EVENTS} more"]
    note = "* certain if no event is wrong" + (f"; rests on {join(named)}" if named else "")
    return evolve(sheet, rows=rows, notes=[*sheet.notes, note])


def _doubtful(knowledge: Knowledge, *, slips: int) -> list[Unless]:
    """Return what is certain if no event is wrong, and not with doubts."""
    possible = knowledge.possible()
    return [claim for claim in knowledge.certain_unless(slips) if len(possible[claim.variable]) > 1]


def grid_table(knowledge: Knowledge, grid: Grid) -> Table:
    """Return the sheet of a grid as a table of text without a title."""
    return evolve(knowledge_sheet(knowledge, grid), title="").table()


def sheet_html(sheet: Sheet) -> str:
    """Return a sheet as HTML without a script, with shaded probabilities."""
    lines = [
        row_html(row.head, map(_cell_html, row.cells))
        if row.cells
        else heading_html(row.head, len(sheet.head))
        for row in sheet.rows
    ]
    return table_html(sheet.title, sheet.head, lines, sheet.notes)


def _cell_html(cell: Cell) -> str:
    if cell.strength is not None:
        return number_html(cell.strength, cell.hover, cell.text, doubtful=cell.doubtful)
    style = EXCLUDED if cell.faint else CERTAIN if cell.certain else ""
    return f'<td style="{CELL}{style}">{text_html(cell.text)}</td>' if cell.text else "<td></td>"
