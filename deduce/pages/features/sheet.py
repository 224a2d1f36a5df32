"""The sheet of any hidden game: what is known of each variable, every cell a button that asks why.

A game with a better picture replaces a method of `KnowledgeSheet`. The sheet can also allow for
wrong events: it then shows what rests on them, and which are suspicious.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import groupby
from typing import Any, TypeAlias

from attrs import evolve, frozen

from deduce.constraints import Fact
from deduce.errors import Undecided
from deduce.game import Shown, hook
from deduce.knowledge import Knowledge
from deduce.line_game import LineGame
from deduce.pages.features.advice import Advising
from deduce.pages.features.log import JOB_BUDGET, LogBook, Sight
from deduce.pages.html import (
    Child,
    Chip,
    Html,
    button,
    callout,
    category,
    choices,
    cross_table,
    details,
    heading,
    holder,
    join_html,
    name,
    picture,
    sheet_cell,
    strength,
    tag,
)
from deduce.pages.presenter import CACHED, Act, Feature, Recent, View, job_of
from deduce.pages.protocol import Intent, Job, Moment, Ui, strings
from deduce.pages.sentences import Texts
from deduce.reasoning.doubts import with_doubts
from deduce.show.sheet import MAX_ROWS, Cell, Grid, Row, Sheet, grid_of, groups, knowledge_sheet
from deduce.show.table import percent
from deduce.system.text import first_words, name_of

__all__ = ["KnowledgeSheet", "Look", "Marks", "fact_names", "headed_rows", "sheet_html"]

SUSPECT, MAX_SUSPECTS = Fraction(5, 100), 6
"""From which probability on an event is listed as possibly wrong, and how many are."""

MAX_COLUMNS = 8
"""With more values, each row lists its own instead of having a column for each."""

MAX_SHORT = 4
"""Up to this number of characters a heading of a row leaves room for one more column."""

IMPOSSIBLE = ("", "–")
"""The texts of values that are not listed."""

MAX_VALUES = 40
"""How many values of one variable are listed."""

ESTIMATED = evolve(JOB_BUDGET, steps=1_500_000, seconds=8.0)
PATIENT = evolve(JOB_BUDGET, seconds=4.0)
"""The limits of numbers that a screen did not wait for: estimates, without trying to count again
first, and then exact ones."""

Marks: TypeAlias = Mapping[str, str]
"""What the page calls a fact, or a cell of a board, -> a mark, or its verdict."""


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
    heads
        The headings of the columns, where these have more than their names: then the first column
        stays in sight, and there are columns however many values there are.
    classes
        The classes of a table with such headings.
    """

    say: Texts
    called: Callable[[Fact], str | None]
    news: Collection[str] = ()
    chosen: str = ""
    marks: Mapping[str, str] | None = None
    verdicts: Mapping[str, str] = {}
    heads: Sequence[Child] = ()
    classes: str = "sheet first"

    def alike(self, number: int, row: Row) -> Hashable:
        """Return what is equal for rows that are shown as one: all is open, and nothing is new."""
        facts = {self.called(cell.fact) for cell in row.cells if cell.fact is not None}
        own = any(cell.certain or cell.doubtful for cell in row.cells) or facts & {*self.news}
        if own or not row.cells or self.marks is not None:
            return number
        return tuple(cell.text for cell in row.cells)

    def cell(self, row: str, column: str, cell: Cell, *, named: bool) -> Html:
        """Return a cell; in a list it is a button with the value's name and its number."""
        say = self.say
        fact = self.called(cell.fact) if cell.fact is not None and cell.pick else None
        verdict = "yes" if cell.certain else "no" if cell.faint else "open"
        text = cell.text if named else cell.text.partition(" ±")[0].replace(" %", "%")
        shown = {"yes": "✓", "no": "–"}.get(verdict, text)
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
        chosen = fact == self.chosen
        if named:
            inside: Child = [name(column), " ", tag("small", shown)]
            look = f"button {' '.join(classes)}"
            return button(inside, do, class_=look, data_fact=fact, aria_label=label,
                          aria_pressed="true" if chosen else None)  # fmt: skip
        return sheet_cell(shown, do, label=label, look=" ".join(classes), pressed=chosen,
                          data_fact=fact)  # fmt: skip


def sheet_html(sheet: Sheet, look: Look) -> Html:
    """Return a sheet as a table whose cells are buttons; with many values as a list."""
    columns = sheet.head[1:]
    wide = len(columns) > MAX_COLUMNS and not look.heads
    span = 2 if wide else len(columns) + 1
    rows: list[Child] = []
    for _, group in groupby(enumerate(sheet.rows), lambda row: look.alike(*row) if wide else row):
        alike = [row for _, row in group]
        first, last = alike[0], alike[-1].head
        head = first.head
        if not first.cells:
            rows.append(category(first.head, span))
            continue
        if wide:
            cells = [tag("td", _values(look, columns, alike), class_="values")]
            if len(alike) > 1:
                head = f"{head} – {last.removeprefix(first_words([head, last])).lstrip()}"
        else:
            cells = [
                look.cell(first.head, column, cell, named=False)
                for column, cell in zip(columns, first.cells, strict=True)
            ]
        kind = "category" if first.heads else None
        rows.append(tag("tr", tag("th", name(head), scope="row"), *cells, class_=kind))
    if look.heads:
        return cross_table(look.heads, rows, caption=sheet.title, class_=look.classes)
    short_heads = all(len(row.head) <= MAX_SHORT for row in sheet.rows if row.cells)
    look_of_table = "sheet lists" if wide else "sheet narrow" if short_heads else "sheet"
    heads = [] if wide else [holder(column) for column in columns]
    return cross_table(heads, rows, caption=look.say("grid.caption"), class_=look_of_table)


def _values(look: Look, columns: Sequence[str], alike: Sequence[Row]) -> Html:
    """Return the values of a row as buttons; those of rows that are alike unfold from one line."""
    lines = []
    for row in alike:
        listed = [
            look.cell(row.head, column, cell, named=True)
            for column, cell in zip(columns, row.cells, strict=True)
            if cell.text not in IMPOSSIBLE
        ]
        more = len(listed) - MAX_VALUES
        rest = [f"+{more}"] if more > 0 else []
        lines.append(tag("div", *listed[:MAX_VALUES], *rest, class_="chips"))
    if len(alike) == 1:
        return lines[0]
    named = [[tag("small", name(row.head)), line] for row, line in zip(alike, lines, strict=True)]
    shares: dict[str, list[str]] = {}
    for column, cell in zip(columns, alike[0].cells, strict=True):
        if cell.text not in IMPOSSIBLE:
            shares.setdefault(cell.text, []).append(column)
    told = [look.say("grid.each", values=", ".join(v), share=text) for text, v in shares.items()]
    return details("; ".join(told), *named, key=f"alike-{alike[0].head}")


def headed_rows(rows: Iterable[Row], headed: Mapping[str, Sequence[Any]]) -> Iterator[Row]:
    """Yield the rows, without the rest of the name of a tuple where its heading says it."""
    short = dict[Any, str]()
    for variables in (variables for title, variables in headed.items() if title):
        first = {v: v[0] if type(v) is tuple else v for v in variables}
        once = Counter(first.values())
        short |= {v: name_of(name) for v, name in first.items() if once[name] == 1}
    for row in rows:
        variable = next((cell.fact.variable for cell in row.cells if cell.fact), None)
        yield evolve(row, head=short.get(variable, row.head))


class KnowledgeSheet:
    """The view ``sheet``; a game may replace a method.

    Parameters
    ----------
    say
        The texts.
    book
        The log.
    marking
        Draws the sheet for the player's own marks, while a tutor hides the answers.
    advising
        Knows what is best to ask.
    """

    can_doubt = True
    """Whether events may be wrong: some games' events state too much at once."""

    panels: tuple[str, ...] = ()
    """The keys of ``ui`` that hold what the sheet has open over the views, besides a cell."""

    def __init__(
        self,
        say: Texts,
        book: LogBook,
        marking: Callable[[Sight, Ui, list[Job], Callable[[Marks, Marks], Html | None]], Html],
        advising: Advising,
    ) -> None:
        self.say, self.book, self._marking, self.advising = say, book, marking, advising
        self._grids: Recent[list[Grid]] = Recent(CACHED)

    def feature(self) -> Feature[Sight]:
        """Return the sheet as a part of a page; ``ui["slips"]``: events may be wrong."""
        depends = ("cell", "news", "tutor", "puzzle", "marks", "judged", "slips", "asked", "as")
        return Feature(
            views={"sheet": View(self._view, depends)},
            intents={"slips": Act(self._doubt, of_players=True)} if self.can_doubt else {},
            jobs={"numbers": self._job, **({"slips": self._doubts} if self.can_doubt else {})},
        )

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the sheet: what is known, or the marks of a player who is tutored."""
        say, begin = self.say, [self._whose(sight, ui)]
        if self.can_doubt and ui.get("slips"):
            jobs.append(job_of(sight, "slips", "slips"))
            banner = callout(
                tag("p", say("slips.on")), button(say("slips.end"), "slips"), kind="if"
            )
            return join_html([banner, tag("div", data_slot="slips")])
        if self.can_doubt and sight.log.events:
            begin = [button(say("slips.begin"), "slips"), *begin]
        if sight.consistent is False:
            problem = tag("p", say("sheet.contradiction"))
            return join_html([problem, begin, None if ui.get("tutor") else self.refuted(sight, ui)])
        if ui.get("tutor"):
            return self._marking(sight, ui, jobs, lambda *marks: self.marked(sight, *marks))
        return join_html([self.known(sight, ui, jobs), begin])

    def numbered(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the sheet; without numbers if they take long, until a job has them."""
        shown = self.grid(sight, ui, grid := grid_of(sight.knowledge))
        if grid.numbers is not None:
            return shown
        job = job_of(sight, "numbers", "numbers", news=strings(ui, "news"), cell=ui.get("cell"))
        jobs.append(evolve(job, first=shown))
        return tag("div", data_slot="numbers")

    def _job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the sheet with estimated numbers, and with exact ones if these are found."""
        yield Html()
        kept = self._grids.get((sight.document.text, sight.document.assumed, sight.viewer), list)
        if not kept:
            with suppress(Undecided):
                rows = sight.knowledge.using(budget=ESTIMATED).estimates().shares()
                kept.append(Grid({of: frozenset(row) for of, row in rows.items()}, rows))
                yield self._estimated(sight, job, kept[-1])
            exact = grid_of(sight.knowledge.using(budget=PATIENT))
            if exact.numbers is not None or not kept:
                kept.append(exact)
        yield self._estimated(sight, job, kept[-1])

    def _estimated(self, sight: Sight, job: Job, grid: Grid) -> Html:
        """Return the sheet of a job, which says whether its numbers are estimates."""
        note = None if grid.exact else tag("p", self.say("advice.estimate"), class_="hint")
        return join_html([self.grid(sight, dict(job.values), grid), note])

    def _doubt(self, moment: Moment, intent: Intent) -> None:
        """Show the sheet with the possibility that events are wrong, or again without."""
        moment.ui["slips"] = not moment.ui.get("slips")
        moment.ui.pop("cell", None)

    def _doubts(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the sheet when events may be wrong, below the suspicious ones."""
        yield Html()
        knowledge = with_doubts(sight.knowledge.using(budget=JOB_BUDGET))
        suspects = [slip for slip in knowledge.slips() if slip.probability >= SUSPECT]
        items = []
        for slip in suspects[:MAX_SUSPECTS]:
            line = f"{slip.event}. {self.book.event_text(sight, slip.event)}"
            note = self.say("slips.wrong", answer=slip.answer, share=percent(slip.probability))
            inside: Child = [tag("b", line), tag("small", note)]
            items.append(tag("li", button(inside, "line", class_="row", data_event=slip.event - 1)))
        shown = tag("ul", *items, class_="rows") if items else tag("p", self.say("slips.none"))
        title = heading(self.say("slips.title"))
        yield join_html([title, shown, self.doubtful(sight, knowledge)])

    # What a game may replace

    def marked(self, sight: Sight, marks: Marks, verdicts: Marks) -> Html | None:
        """Return the player's own marks on a board; ``None``: there is no board."""
        return None

    def known(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Child:
        """Return the sheet of a log that does not contradict itself."""
        say, whose, number = self.say, sight.viewer, len(sight.knowledge.problem.domains)
        shortened = say("sheet.more", shown=MAX_ROWS, n=number) if number > MAX_ROWS else None
        return [
            heading(say("as.knows", name=whose) if whose else say("sheet.title")),
            self.summary(sight.knowledge),
            self.drawn(sight.knowledge),
            self.numbered(sight, ui, jobs),
            shortened and tag("p", shortened, class_="hint"),
            tag("p", say("sheet.help"), class_="hint"),
        ]

    def _whose(self, sight: Sight, ui: Ui) -> Child:
        """Return the choice of a player whose knowledge is shown, where there is one."""
        names = self.book.viewers(sight.log)
        if not names or sight.viewer not in (None, ui.get("as")):  # on the page of one player
            return None
        chips = [Chip(str(n), name) for n, name in enumerate([self.say("as.all"), *names])]
        chosen = [chip.value for chip in chips[1:] if chip.label == sight.viewer] or ["0"]
        return choices(self.say("as.title"), "whose", chips, chosen, class_="pens worded")

    def grid(self, sight: Sight, ui: Ui, grid: Grid) -> Html:
        """Return the table of a grid."""
        news, chosen = strings(ui, "news"), str(ui.get("cell", ""))
        look = Look(self.say, fact_names(sight.game), news, chosen)
        return sheet_html(self.sheet(sight, grid), look)

    def drawn(self, knowledge: Knowledge) -> Html | None:
        """Return the game's picture of what is known, if it has one that the sheet is not."""
        game = knowledge.game
        draw = hook(game, Shown.svg)
        if isinstance(game, LineGame) and type(game).svg is LineGame.svg:
            own = hook(game, Shown.shown_cells) or game.pictured(knowledge.log)
            values = {value for values in game.variables().values() for value in values}
            draw = draw if own or len(values) > MAX_COLUMNS else None
        try:
            return None if draw is None else picture(str(draw(knowledge)))
        except Undecided:
            return None

    def refuted(self, sight: Sight, ui: Ui) -> Child:
        """Return what a log that contradicts itself shows nevertheless."""
        return None

    def doubtful(self, sight: Sight, knowledge: Knowledge) -> Html:
        """Return the sheet of a log with doubts."""
        sheet = self.sheet(evolve(sight, knowledge=knowledge), grid_of(knowledge))
        return sheet_html(sheet, Look(self.say, fact_names(sight.game)))

    def sheet(self, sight: Sight, grid: Grid) -> Sheet:
        """Return the cells, with the names that the page shows."""
        shown = knowledge_sheet(sight.knowledge, grid, no="–", limit=MAX_ROWS, cells=False)
        return evolve(shown, rows=[*headed_rows(shown.rows, groups(sight.knowledge))])

    def summary(self, knowledge: Knowledge) -> Html:
        """Return how many worlds remain."""
        try:
            line = self.say("sheet.worlds", n=knowledge.count())
        except Undecided:
            line = self.say("sheet.undecided")
        return tag("p", line, class_="summary")

    def actions(self, sight: Sight, fact: Fact, cell: str, verdict: str) -> Child:
        """Return more buttons for the open cell."""
        return None
