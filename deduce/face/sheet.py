"""The page of any game in which something is hidden: sheet, log, advice, tutor, share.

A game that is found by its entry point gets this page without writing a line. A game with a better
picture extends `SheetFace` and draws its own ``view_sheet``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, ClassVar

from attrs import evolve

from deduce import registry
from deduce.errors import DeduceError, Undecided
from deduce.events import write_log, write_text
from deduce.face.document import Document
from deduce.face.examples import examples, start_page
from deduce.face.frame import Views
from deduce.face.html import Child, Html, join_html, tag
from deduce.face.logs import JOB_BUDGET, Sight
from deduce.face.parts import form, heading
from deduce.face.presenter import Intent, Job, Moment
from deduce.face.sentences import SHEET_TEXTS, SLIPS_TEXTS, START_TEXTS, TUTOR_TEXTS
from deduce.face.sheetviews import Look, advice_html, fact_names, sheet_html
from deduce.face.slips import Doubting
from deduce.knowledge import Knowledge
from deduce.policy.advice import RatedInquiry
from deduce.show.sheet import MAX_ROWS, Sheet, knowledge_sheet
from deduce.show.text import Grid, grid_of

__all__ = ["SheetFace"]

TABLES = (SHEET_TEXTS, SLIPS_TEXTS, TUTOR_TEXTS, START_TEXTS)


class SheetFace(Doubting):
    """The page of a hidden game; see `deduce.face.presenter.Presenter`.

    Parameters
    ----------
    game
        The name of its entry point.
    """

    depends: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "sheet": ("cell", "news", "tutor", "marks", "judged", "slips"),
        "log": ("cell", "line"),
        "tutor": ("tutor", "marks", "asked"),
    }

    of_players = Doubting.of_players | {"tell"}

    def __init__(self, game: str) -> None:
        self.name = game
        entry = registry.find(game)
        title = {"title": game.replace("-", " ").capitalize()}
        self.tables = (*type(self).tables, *TABLES, title)
        self.hidden = registry.load(entry.hidden)
        sides = ["log", "advice", "tutor", "share"]
        if not hasattr(self.hidden, "inquiries"):
            sides.remove("advice")
        self.views = Views(("sheet",), sides)
        super().__init__()

    # Set-up

    def setup(self, moment: Moment) -> Html:
        """Return the examples, and a text to begin with."""
        entry = registry.find(self.name)
        found = examples(self.name, self.read)
        rules = registry.load(entry.rules) if entry.rules else ""
        new = self.new_game(moment)
        return start_page(self.say, found, new=new, text=self.blank(), rules=rules)

    def new_game(self, moment: Moment) -> Html | None:
        """Return the form for a new game; ``None``: the game must be described as text."""
        if not self.blank():
            return None
        submit = tag("button", self.say("start.new"), type="submit", class_="button main big")
        return form("begin", submit, id_="begin-form")

    def blank(self) -> str:
        """Return the log of a new game with the set-up that the game's class has by default."""
        try:
            game = self.hidden()
        except (TypeError, ValueError, DeduceError):
            return ""
        try:
            return write_text(game, [])
        except DeduceError:
            pass
        try:
            return write_log(game, [])
        except Exception:
            return ""

    def do_begin(self, moment: Moment, intent: Intent) -> None:
        """Begin a new game."""
        text = self.blank()
        self.read(text)
        moment.begin(self.name, text)

    # Views

    def view_sheet(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the sheet: variables against values, or the marks of a player who is tutored."""
        if ui.get("slips"):
            return self.doubts_frame(sight, jobs)
        if sight.consistent is False:
            return join_html([tag("p", self.say("sheet.contradiction")), self.doubts_button(sight)])
        if ui.get("tutor"):
            return self.marking_sheet(sight, ui)
        grid = grid_of(sight.knowledge)
        sheet = self.sheet(sight, grid)
        news, chosen = ui.get("news") or (), str(ui.get("cell", ""))
        return join_html(
            [
                heading(self.say("sheet.title")),
                self.summary(sight.knowledge),
                self.picture(sight),
                sheet_html(sheet, Look(self.say, fact_names(sight.game), news, chosen)),
                self.shortened(sight.knowledge),
                tag("p", self.say("sheet.help"), class_="hint"),
                self.doubts_button(sight),
            ]
        )

    def doubtful_sheet(self, sight: Sight, knowledge: Knowledge) -> Html:
        """Return the sheet of a log with doubts."""
        sheet = self.sheet(evolve(sight, knowledge=knowledge), grid_of(knowledge))
        return sheet_html(sheet, Look(self.say, fact_names(sight.game)))

    def sheet(self, sight: Sight, grid: Grid) -> Sheet:
        """Return the cells, with the names that the page shows."""
        return knowledge_sheet(sight.knowledge, grid, no="–", limit=MAX_ROWS)

    def picture(self, sight: Sight) -> Child:
        """Return a picture above the sheet."""
        return None

    def summary(self, knowledge: Knowledge) -> Html:
        """Return how many worlds remain."""
        try:
            line = self.say("sheet.worlds", n=knowledge.count())
        except Undecided:
            line = self.say("sheet.undecided")
        return tag("p", line, class_="summary")

    def shortened(self, knowledge: Knowledge) -> Child:
        """Return a note if not all variables are shown."""
        number = len(knowledge.problem.domains)
        if number <= MAX_ROWS:
            return None
        return tag("p", self.say("sheet.more", shown=MAX_ROWS, n=number), class_="hint")

    def saved_title(self, document: Document) -> str:
        """Return the title of the game, and the number of its events."""
        try:
            log = self.read(document.text)
        except DeduceError:
            return self.say("title")
        if getattr(log.game, "players", ()):
            return super().saved_title(document)
        return self.say("saved", players=self.say("title"), n=len(log.events))

    def subtitle(self, sight: Sight) -> Child:
        """Return what is beside the title in the bar."""
        if getattr(sight.game, "players", ()):
            return super().subtitle(sight)
        return self.say("log.title", n=len(sight.log.events))

    def typed_example(self, sight: Sight) -> str:
        """Return an example of a line: the last event."""
        with suppress(DeduceError):
            if sight.log.events:
                return self.written(sight.log, sight.log.events[-1])
        return ""

    def view_advice(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return what to ask, when it is computed."""
        if sight.consistent is False:
            return tag("p", self.say("contradiction.none"))
        jobs.append(self.job(sight, "advice", "advice"))
        return join_html([heading(self.say("advice.title")), tag("div", data_slot="advice")])

    def job_advice(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the most informative questions."""
        yield Html()
        advice = sight.knowledge.using(budget=JOB_BUDGET).advise()
        yield advice_html(self.say, advice, lambda rated: self.answer_lines(sight, rated))

    def answer_lines(self, sight: Sight, rated: RatedInquiry) -> list[str | None]:
        """Return for each answer the line of the log that states it; ``None``: it has none."""
        game = sight.game
        if not hasattr(game, "event_of"):
            return [None] * len(rated.outcomes)
        lines: list[str | None] = []
        for outcome in rated.outcomes:
            try:
                lines.append(self.written(sight.log, game.event_of(rated.inquiry, outcome.answer)))
            except DeduceError:
                lines.append(None)
        return lines

    def do_tell(self, moment: Moment, intent: Intent) -> None:
        """Add a line that the page offered."""
        log = self.read(moment.log.text)
        self.add(moment, self.line_of(log, intent.values.get("line", "")))
