"""The sheet of a game whose questions are about the cells of a board: the board itself.

A tap on a cell enters an answer, or opens the event that is about it; the best cell is marked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from attrs import evolve, frozen

from deduce.errors import BadInput, DeduceError
from deduce.game import Questions, Rated, hook
from deduce.knowledge import Knowledge
from deduce.pages.features.log import Event, Sight
from deduce.pages.features.sheet import KnowledgeSheet, Look, Marks, fact_names, sheet_html
from deduce.pages.html import (
    Attribute,
    Child,
    Chip,
    Html,
    choices,
    cross_table,
    details,
    heading,
    panel,
    sheet_cell,
    strength,
    tag,
)
from deduce.pages.presenter import Act, Feature, job_of
from deduce.pages.protocol import Intent, Job, Moment, Ui
from deduce.pages.sentences import refused
from deduce.policy.inquiries import Inquiry, format_answer, format_inquiry
from deduce.show.sheet import Cell, Grid, grid_of, knowledge_sheet

__all__ = ["BoardSheet", "Tile"]

FITS = 10
"""A board with more columns is wider than a phone."""

SHOWN_MARKS = {"": "", "yes": "✓", "no": "–"}

MAX_PENS = 12
"""More answers than these cannot be entered with one tap."""


@frozen
class Tile:
    """A cell of a board.

    Parameters
    ----------
    name
        What it is called, such as ``"b3"``.
    shown, label
        Its text, and what screen readers say.
    look
        The classes of the cell.
    do, values
        The intent of a tap; empty: it is not a button.
    pressed
        Whether it is open.
    """

    name: str
    shown: str
    label: str
    look: str
    do: str = ""
    values: Mapping[str, Attribute] = {}
    pressed: bool = False


class BoardSheet(KnowledgeSheet):
    """The view ``sheet`` of a game with cells of its own (`deduce.game.Shown.shown_cells`).

    ``ui["at"]`` is the cell that is open, ``ui["pen"]`` the answer that a tap enters at once. A
    game may replace a method; one whose cells are not named as its questions has the usual sheet.
    """

    panels = ("at",)

    # What a game may replace

    def is_board(self, sight: Sight) -> bool:
        """Return whether the questions of a new game are called as the cells are."""
        names = self._inquiries(sight, ())
        cells = sight.game.shown_cells(sight.log.events)
        return any(f"{column}{head}" in names for head, row in cells.items() for column in row)

    def tiles(
        self, sight: Sight, ui: Ui, grid: Grid | None, doubtful: Collection[Any]
    ) -> Mapping[str, Sequence[Tile]]:
        """Return the cells, by the headings of their rows."""
        possible, every = self._inquiries(sight), self._inquiries(sight, ())
        board = sight.game.shown_cells(sight.log.events)
        sheet = knowledge_sheet(sight.knowledge, grid or grid_of(sight.knowledge), board=board)
        return {
            row.head: [
                self._tile(f"{column}{row.head}", cell, possible, every, ui)
                for column, cell in zip(sheet.head[1:], row.cells, strict=True)
            ]
            for row in sheet.rows
        }

    def columns(self, sight: Sight) -> Sequence[str]:
        """Return the headings of the columns; empty: the board has no headings."""
        return list(next(iter(sight.game.shown_cells(sight.log.events).values())))

    def pens(self, sight: Sight) -> Sequence[str]:
        """Return the answers that a tap can enter at once."""
        first = next(iter(self._inquiries(sight).values()), None)
        return [] if first is None else [*self._answers(sight, first)][:MAX_PENS]

    def best(self, sight: Sight) -> Iterator[str]:
        """Yield the name of the best cell, as far as it is known."""
        for advice in self.advising.advised(sight):
            if len(advice.ranking):
                yield advice.ranking[0].text

    def line(self, sight: Sight) -> Child:
        """Return what is said of the board above it."""
        return None

    def below(self, sight: Sight, ui: Ui, grid: Grid) -> Child:
        """Return what is below the board: each variable with its values, folded away."""
        sheet = sheet_html(self.sheet(sight, grid), Look(self.say, fact_names(sight.game)))
        return details(self.say("board.hidden"), sheet, key="hidden")

    # The view

    def feature(self) -> Feature[Sight]:
        """Return the board, its pens and its job as a part of a page."""
        sheet = super().feature()
        view = sheet.views["sheet"]
        return evolve(
            sheet,
            views={"sheet": evolve(view, depends=(*view.depends, "pen", "at"))},
            intents={
                **sheet.intents,
                "pen": Act(self._choose_pen, "value", of_players=True),
                "at": Act(self._tap, "at", of_players=True),
            },
            jobs={**sheet.jobs, "marked": self._mark},
            over=self._over,
        )

    def known(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Child:
        """Return the board of a log that does not contradict itself."""
        grid = grid_of(sight.knowledge)
        if not self.is_board(sight):
            return super().known(sight, ui, jobs)
        kept = {key: ui.get(key) for key in ("pen", "cell", "at", "news")}
        job = job_of(sight, "marked", "", **kept)
        slot = job.key.replace(" ", "-")
        jobs.append(evolve(job, slot=slot))
        board = tag("div", self.board(sight, ui, grid), data_slot=slot, data_key=slot)
        answers = self.pens(sight)
        look = "pens" if all(len(answer) == 1 for answer in answers) else "pens worded"
        pens = [Chip(str(at), text) for at, text in enumerate(answers)]
        say = self.say
        return [
            heading(say("board.title")),
            self.line(sight),
            self.summary(sight.knowledge),
            board,
            *(
                [choices(say("board.pen"), "pen", pens, [str(ui.get("pen"))], class_=look)]
                if pens
                else []
            ),
            tag("p", say("board.help"), class_="hint"),
            self.below(sight, ui, grid),
        ]

    def doubtful(self, sight: Sight, knowledge: Knowledge) -> Html:
        """Return the board when events may be wrong."""
        if not self.is_board(sight):
            return super().doubtful(sight, knowledge)
        grid = grid_of(knowledge)
        certain = sight.knowledge.certain() if sight.consistent else {}
        doubtful = {each for each in certain if len(grid.possible[each]) > 1}
        return self.board(evolve(sight, knowledge=knowledge), {}, grid, doubtful=doubtful)

    def board(
        self,
        sight: Sight,
        ui: Ui,
        grid: Grid | None,
        best: str = "",
        doubtful: Collection[Any] = (),
        shown: Mapping[str, Sequence[Tile]] | None = None,
    ) -> Html:
        """Return the board, of the given cells if there are some; the best cell is marked."""
        say, rows, width = self.say, [], 0
        heads = self.columns(sight)
        for head, tiles in (shown or self.tiles(sight, ui, grid, doubtful)).items():
            cells = [tag("th", head, scope="row")] if heads else []
            width = len(tiles)
            for tile in tiles:
                look, label = tile.look, tile.label
                if tile.name == best:
                    look, label = f"{look} best", f"{label}, {say('board.best')}"
                if tile.do:
                    cells.append(sheet_cell(tile.shown, tile.do, label=label, look=look,
                                            pressed=tile.pressed, **tile.values))  # fmt: skip
                else:
                    cells.append(tag("td", tile.shown, class_=look))
            rows.append(tag("tr", *cells))
        look = "mines named" if heads else "mines"
        if width <= FITS - (not heads):
            look = f"{look} small"
        return cross_table(heads, rows, caption=say("board.title"), class_=look)

    def marked(self, sight: Sight, marks: Marks, verdicts: Marks) -> Html | None:
        """Return the board with what was asked about, and the player's own marks."""
        if not self.is_board(sight):
            return None
        grid = grid_of(sight.knowledge)
        rows = {head: [self._mark_tile(tile, marks, verdicts) for tile in tiles]
                for head, tiles in self.tiles(sight, {}, grid, ()).items()}  # fmt: skip
        return self.board(sight, {}, grid, shown=rows)

    def _mark_tile(self, tile: Tile, marks: Marks, verdicts: Marks) -> Tile:
        if not tile.do or tile.look.startswith("open"):
            return evolve(tile, do="")
        say, fact = self.say, str(tile.values.get("data_fact", ""))
        claim = f"{fact.partition('.')[0]}.0" if fact else f"@{tile.name}"
        mark, look = marks.get(claim, ""), "closed"
        what = say(f"tutor.{mark or 'blank'}")
        if claim in verdicts:
            look = f"closed {verdicts[claim]}"
            what = f"{what}, {say(f'tutor.is.{verdicts[claim]}')}"
        label = say("board.label", cell=tile.name, what=what)
        return Tile(tile.name, SHOWN_MARKS[mark], label, look, "mark", {"data_fact": claim})

    def _tile(
        self,
        name: str,
        cell: Cell,
        possible: Collection[str],
        every: Collection[str],
        ui: Ui,
    ) -> Tile:
        say = self.say
        verdict = "yes" if cell.certain else "no" if cell.faint else "open"
        said = {"yes": say("grid.yes"), "no": say("grid.no")}.get(verdict, cell.text)
        if name in possible:
            shown = {"yes": "✓", "no": "–"}.get(verdict, cell.text.rstrip("% \u00a0"))
            closed = f"closed {strength(cell.strength)}" if cell.strength else "closed"
            look = "clear" if verdict == "yes" else closed
        elif name in every:
            shown = {"yes": "×", "no": "·"}.get(verdict, cell.text)
            look, said = f"open {verdict}", say("board.asked", what=said)
        else:
            return Tile(name, cell.text, "", verdict)
        label = say("board.label", cell=name, what=said)
        pressed = name in possible and name == ui.get("at")
        return Tile(name, shown, label, look, "at", {"data_at": name}, pressed)

    def _mark(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the board with the best cell marked."""
        yield Html()
        shown = ""
        with suppress(DeduceError):
            for best in self.best(sight):
                if best != shown:
                    shown = best
                    yield self.board(sight, dict(job.values), grid_of(sight.knowledge), best=best)
        if not shown:
            yield self.board(sight, dict(job.values), grid_of(sight.knowledge))

    # Questions

    def _inquiries(self, sight: Sight, events: Sequence[Event] | None = None) -> dict[str, Inquiry]:
        """Return what can be asked after the log, or after some events, by its name."""
        game, ask = sight.game, hook(sight.game, Questions.inquiries)
        events = sight.log.events if events is None else events
        with suppress(BadInput):
            if ask is not None:
                asked = ask(events, sight.knowledge.viewer)
                return {format_inquiry(game, each): each for each in asked}
        return {}

    def _answers(self, sight: Sight, inquiry: Inquiry) -> dict[str, Any]:
        """Return the answers to a question that an event can record, by their names."""
        facts = hook(sight.game, Rated.answer_facts)
        if facts is None or not hook(sight.game, Questions.event_of):
            return {}
        return {format_answer(sight.game, inquiry, answer): answer for answer in facts(inquiry)}

    def _choose_pen(self, moment: Moment, intent: Intent) -> None:
        """Choose the answer that a tap enters at once, or none."""
        pen = intent.index("value", MAX_PENS)
        moment.ui["pen"] = None if moment.ui.get("pen") == pen else pen

    def _tap(self, moment: Moment, intent: Intent) -> None:
        """Enter the chosen answer, open the question, or the event that is about the cell."""
        sight = self.book.now(moment)
        at, pen, pens = intent.values.get("at", ""), moment.ui.get("pen"), self.pens(sight)
        named = pens[pen] if type(pen) is int and 0 <= pen < len(pens) else ""
        inquiry = self._inquiries(sight).get(at)
        if inquiry is None:
            events = sight.log.events
            numbers = reversed(range(len(events)))
            last = next((n for n in numbers if at in self._inquiries(sight, events[:n])), None)
            if last is None:
                raise BadInput(refused("refused.old_page"))
            self.book.open(moment, evolve(intent, values={"event": str(last)}))
        elif named in (answers := self._answers(sight, inquiry)):
            event = sight.game.event_of(inquiry, answers[named])
            self.book.add(moment, self.book.written(sight.log, event))
        else:
            moment.ui["at"] = at
            moment.ui.pop("cell", None)
            moment.focus = "over-title"

    def _over(self, sight: Sight, ui: Ui) -> Html:
        """Return the panel about the open cell: what may be answered."""
        inquiry = self._inquiries(sight).get(str(ui.get("at", "")))
        if inquiry is None or sight.consistent is not True:
            return Html()
        answers = self.advising.answers(sight, inquiry)
        return panel(str(ui.get("at")), answers, close=self.say("why.close"))
