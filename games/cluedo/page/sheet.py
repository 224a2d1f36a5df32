"""The detective's sheet of the page: every cell is a button that asks why."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from fractions import Fraction

from attrs import evolve

from deduce.constraints import Fact, Value, is_
from deduce.errors import Undecided
from deduce.knowledge import Knowledge
from deduce.pages.features.log import Sight
from deduce.pages.features.sheet import KnowledgeSheet, Look, fact_names, sheet_html
from deduce.pages.features.tutor import Tutoring
from deduce.pages.html import (
    Child,
    Html,
    button,
    holder,
    join_html,
    short,
    shortened,
    tag,
)
from deduce.pages.presenter import job_of
from deduce.pages.protocol import Job, Ui, strings
from deduce.pages.sentences import Texts
from deduce.show.sheet import Grid, Row, Sheet, grid_of, knowledge_rows
from deduce.show.table import percent
from deduce.system import language
from games.cluedo.game import game_of, viewer_of
from games.cluedo.page.turn import expected_suggester, is_over
from games.cluedo.setup import ENVELOPE, UNDEALT
from games.cluedo.show import found_counts

__all__ = ["CardTutor", "DetectiveSheet", "hand_of", "hints", "holder_name"]

SURE = Fraction(995, 1000)
"""What is at least this probable although answers may be wrong is not called doubtful."""


class CardTutor(Tutoring):
    """The tutor, with the names of the holders that the page uses."""

    def column_name(self, value: Value) -> str:
        """Return the holder."""
        return holder_name(self.say, str(value))


class DetectiveSheet(KnowledgeSheet):
    """The sheet of cards and holders."""

    def known(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the sheet of a log that does not contradict itself."""
        if viewer_of(sight.knowledge) is not None:
            jobs.append(job_of(sight, "advice", "advice"))  # ready before its view is opened
        return self.numbered(sight, ui, jobs)

    def doubtful(self, sight: Sight, knowledge: Knowledge) -> Html:
        """Return the sheet when answers may be wrong; marked is what no longer follows."""
        certain = sight.knowledge.certain() if sight.consistent else {}
        posterior = knowledge.posterior()
        unsure = {
            is_(variable, value)
            for variable, value in certain.items()
            if posterior[variable].get(value, Fraction(0)) < SURE
        }
        return self._page(knowledge, {}, grid_of(knowledge), unsure)

    def grid(self, sight: Sight, ui: Ui, grid: Grid) -> Html:
        """Return the sheet below the line that says where the game is."""
        return self._page(sight.knowledge, ui, grid)

    def _page(
        self, knowledge: Knowledge, ui: Ui, grid: Grid, unsure: Collection[Fact] = ()
    ) -> Html:
        """Return the sheet; ``unsure`` would be certain if no answer were wrong."""
        say, game = self.say, game_of(knowledge)
        viewer = viewer_of(knowledge)
        title = say("sheet.title", name=viewer) if viewer else say("sheet.record")
        holders = sorted(game.holders, key=lambda each: each != ENVELOPE)
        columns = [holder_name(say, each) for each in holders]
        counts = found_counts(game, grid.possible)
        heads: list[Child] = [
            [holder(label, full), tag("small", counts[each].replace(" of ", "/"))]
            for each, full, label in zip(
                holders, columns, (columns[0], *shortened(columns[1:])), strict=True
            )
        ]
        known = knowledge_rows(
            knowledge, grid, game.groups(), {each: each for each in holders}, no="–"
        )
        rows = [
            Row(row.head, tuple(evolve(c, doubtful=c.fact in unsure) for c in row.cells))
            for row in known
        ]
        news, chosen = strings(ui, "news"), str(ui.get("cell", ""))
        look = Look(say, fact_names(game), news, chosen, heads=heads)
        face_up = language.listed([short(card) for card in game.face_up])
        return join_html(
            [
                tag("h2", title, class_="hidden"),
                state_line(say, knowledge, grid),
                sheet_html(Sheet(("", *columns), rows, title), look),
                tag("p", say("sheet.face_up", cards=face_up)) if face_up else None,
                tag("p", say("sheet.help"), class_="hint"),
            ]
        )

    def actions(self, sight: Sight, fact: Fact, cell: str, verdict: str) -> Child:
        """Return the buttons that add a fact to the log."""
        if verdict == "certain":
            return None
        return [
            button(self.say("cell.has"), "note", data_fact=cell),
            button(self.say("cell.has_not"), "note", data_fact=f"{cell}!"),
        ]


def holder_name(say: Texts, holder: str) -> str:
    """Return what a holder is called on the page."""
    return {ENVELOPE: say("sheet.envelope"), UNDEALT: say("sheet.undealt")}.get(holder, holder)


def state_line(say: Texts, knowledge: Knowledge, grid: Grid) -> Html:
    """Return in one line whose turn it is, how many deals remain, and what is most probable."""
    game = game_of(knowledge)
    turn = say("state.turn", name=expected_suggester(game, knowledge.log))
    parts: list[Child] = [] if is_over(knowledge.log) else [turn]
    look = "state"
    perhaps = [card for card, holders in grid.possible.items() if ENVELOPE in holders]
    sure = [str(card) for card in perhaps if len(grid.possible[card]) == 1]
    if len(sure) == len(game.deck):
        cards = language.listed([short(card) for card in sure])
        parts, look = [tag("strong", say("sheet.solution", cards=cards))], "state solved"
    elif grid.numbers is None:
        parts.append(say("state.undecided"))
    else:
        shares = {card: grid.numbers[card][ENVELOPE] for card in perhaps if card not in sure}
        best = max(shares, key=lambda card: float(shares[card]))
        parts.append(say("state.best", card=best, share=percent(shares[best])))
        with suppress(Undecided):
            parts.append(say("state.deals", n=knowledge.count()))
    shown = (tag("span", " · " if at else None, part) for at, part in enumerate(parts))
    return tag("p", *shown, class_=look)


def hints(say: Texts, knowledge: Knowledge, me: str | None) -> dict[str, str]:
    """Return where each card is known to be, in a word for its chip."""
    try:
        certain = knowledge.certain()
    except Undecided:
        return {}
    words = {ENVELOPE: say("turn.in_envelope"), UNDEALT: say("sheet.undealt")}
    if me is not None:
        words[me] = say("turn.yours")
    return {str(card): words.get(str(holder), str(holder)) for card, holder in certain.items()}


def hand_of(knowledge: Knowledge, player: str, cards: Sequence[str]) -> list[str] | None:
    """Return which of the cards a player has; ``None`` if the log does not show it."""
    possible = knowledge.possible()
    rows = [possible[card] for card in cards if card in possible]
    if any(player in row and len(row) > 1 for row in rows):
        return None
    return [card for card in cards if possible.get(card) == frozenset([player])]
