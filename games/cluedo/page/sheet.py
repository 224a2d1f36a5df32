"""The detective's sheet of the page: every cell is a button that asks why."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from deduce.constraints import Fact, Value, Variable
from deduce.errors import Undecided
from deduce.knowledge import Knowledge
from deduce.pages.features.log import Sight
from deduce.pages.features.sheet import KnowledgeSheet
from deduce.pages.features.tutor import Tutoring
from deduce.pages.html import (
    Child,
    Html,
    button,
    category,
    cross_table,
    holder,
    join_html,
    name,
    sheet_cell,
    short,
    shortened,
    strength,
    tag,
)
from deduce.pages.presenter import job_of
from deduce.pages.protocol import Job, Ui, strings
from deduce.pages.sentences import Texts
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
        chosen = str(ui.get("cell", ""))
        return sheet_page(self.say, sight.knowledge, news=strings(ui, "news"), chosen=chosen)

    def doubtful(self, sight: Sight, knowledge: Knowledge) -> Html:
        """Return the sheet when answers may be wrong."""
        posterior = knowledge.posterior()
        certain = sight.knowledge.certain() if sight.consistent else {}
        domains = sight.knowledge.problem.domains
        doubtful = {
            f"{list(domains).index(variable)}.{list(domains[variable]).index(value)}"
            for variable, value in certain.items()
            if posterior[variable].get(value, Fraction(0)) < SURE
        }
        return sheet_page(self.say, knowledge, doubtful=doubtful)

    def actions(self, sight: Sight, fact: Fact, cell: str) -> Child:
        """Return the buttons that add a fact to the log."""
        if sight.knowledge.is_certain(fact):
            return None
        return [
            button(self.say("cell.has"), "note", data_fact=cell),
            button(self.say("cell.has_not"), "note", data_fact=f"{cell}!"),
        ]


def holder_name(say: Texts, holder: str) -> str:
    """Return what a holder is called on the page."""
    return {ENVELOPE: say("sheet.envelope"), UNDEALT: say("sheet.undealt")}.get(holder, holder)


def state_line(say: Texts, knowledge: Knowledge) -> Html:
    """Return in one line whose turn it is, how many deals remain, and what is most probable."""
    game = game_of(knowledge)
    seat = expected_suggester(game, knowledge.log)
    parts: list[Child] = (
        [] if is_over(knowledge.log) else [say("state.turn", name=game.players[seat])]
    )
    look = "state"
    try:
        posterior = knowledge.posterior()
        shares = {
            card: posterior[card].get(ENVELOPE, Fraction(0))
            for cards in game.deck.values()
            for card in cards
            if card in posterior
        }
        sure = [card for card, share in shares.items() if share == 1]
        if len(sure) == len(game.deck):
            parts = [
                tag(
                    "strong", say("sheet.solution", cards=language.listed([short(c) for c in sure]))
                )
            ]
            look = "state solved"
        else:
            best = max((card for card in shares if shares[card] < 1), key=shares.__getitem__)
            parts.append(say("state.best", card=best, share=percent(shares[best])))
            parts.append(say("state.deals", n=knowledge.count()))
    except Undecided:
        parts.append(say("state.undecided"))
    shown = (tag("span", " · " if at else None, part) for at, part in enumerate(parts))
    return tag("p", *shown, class_=look)


def sheet_page(
    say: Texts,
    knowledge: Knowledge,
    *,
    news: Collection[str] = (),
    chosen: str = "",
    doubtful: Collection[str] = (),
) -> Html:
    """Return the sheet.

    Parameters
    ----------
    say
        The texts.
    knowledge
        A consistent log.
    news
        The cells that became certain by the last step, as the page names them.
    chosen
        The cell that is open.
    doubtful
        The cells that would be certain if no answer were wrong.
    """
    game = game_of(knowledge)
    numbers: Mapping[Variable, Mapping[Value, Fraction]] | None
    try:
        numbers = knowledge.posterior()
        possible: Mapping[Variable, Collection[Value]] = numbers
    except Undecided as error:
        numbers, possible = None, error.known
    viewer = viewer_of(knowledge)
    title = say("sheet.title", name=viewer) if viewer else say("sheet.record")
    counts = found_counts(game, {card: frozenset(row) for card, row in possible.items()})
    holders = sorted(enumerate(game.holders), key=lambda item: item[1] != ENVELOPE)
    heads = [say("sheet.envelope")]
    heads += shortened([holder_name(say, each) for _, each in holders[1:]])
    head = [
        [holder(heads[at], holder_name(say, each)), tag("small", counts[each].replace(" of ", "/"))]
        for at, (_, each) in enumerate(holders)
    ]
    rows: list[Child] = []
    for group, cards in game.groups().items():
        rows.append(category(group, len(game.holders) + 1))
        for card in cards:
            cells = []
            for column, each in holders:
                fact = f"{game.dealt.index(card)}.{column}"
                share = None if numbers is None else numbers[card].get(each, Fraction(0))
                shown, value, looks = _cell(say, each, possible[card], share)
                label = say("sheet.cell", card=card, holder=holder_name(say, each), value=value)
                for look, words, where in (
                    ("new", "sheet.new", news),
                    ("doubtful", "slips.doubtful", doubtful),
                ):
                    if fact in where:
                        label, looks = f"{label}, {say(words)}", f"{looks} {look}"
                cells.append(sheet_cell(shown, "why", label=label, look=looks,
                                        pressed=fact == chosen, data_fact=fact))  # fmt: skip
            rows.append(tag("tr", tag("th", name(card), scope="row"), *cells))
    face_up = None
    if game.face_up:
        face_up = tag(
            "p", say("sheet.face_up", cards=language.listed([short(c) for c in game.face_up]))
        )
    return join_html(
        [
            tag("h2", title, class_="hidden"),
            state_line(say, knowledge),
            cross_table(head, rows, caption=title, class_="sheet first"),
            face_up,
            tag("p", say("sheet.help"), class_="hint"),
        ]
    )


def _cell(
    say: Texts, holder: str, row: Collection[Value], share: Fraction | None
) -> tuple[str, str, str]:
    """Return what a cell shows, what screen readers say, and its classes."""
    if holder not in row:
        return "–", say("sheet.no"), "no"
    if len(row) == 1:
        return "✓", say("sheet.yes"), "yes"
    if share is None:
        return "?", "?", "open"
    return percent(share), percent(share), f"open {strength(share)}" if share else "open"


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
