"""What a page of Blink Quartets shows: a log with the position after each statement, or a state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction

from attrs import evolve

from deduce.constraints import Fact, is_
from deduce.errors import BadInput, Undecided
from deduce.knowledge import Knowledge
from deduce.logs.document import Document
from deduce.logs.events import Log
from deduce.pages.features.log import Event, LogBook, Sight
from deduce.pages.features.share import text_page
from deduce.pages.features.sheet import Look, fact_names, sheet_html
from deduce.pages.features.start import Start
from deduce.pages.html import (
    Child,
    Html,
    callout,
    details,
    heading,
    holder,
    join_html,
    name,
    table,
    tag,
    waiting,
    wide,
)
from deduce.pages.presenter import (
    CACHED,
    Feature,
    Opened,
    Presenter,
    Reader,
    Recent,
    View,
    Views,
    job_of,
)
from deduce.pages.protocol import Job, Moment, Ui
from deduce.pages.sentences import Texts, texts_of
from deduce.show.sheet import Cell, Row, Sheet
from deduce.show.table import percent
from deduce.system.language import listed
from deduce.system.text import capital
from games.quartets.counting import Counts, count_deals
from games.quartets.deal import DealForm
from games.quartets.game import Quartets
from games.quartets.notation import lines_of
from games.quartets.session import Session
from games.quartets.setup import UNNAMED, spoken_name
from games.quartets.show import card_kinds, group_bounds
from games.quartets.slots import SlotForm
from games.quartets.states import State, parse_state
from games.quartets.verdict import Method, Verdict, reason, slot_counts, verdict

__all__ = ["Transcripts", "cards_html", "is_state", "paragraphs", "state_page", "verdict_html"]


def is_state(text: str) -> bool:
    r"""Return whether a text begins as a state in deal or slot form does.

    >>> is_state("# a state\nquartets deal\nplayers: Ann, Ben\n"), is_state("quartets\n")
    (True, False)
    """
    first = next((line for _, line in lines_of(text)), "")
    return first.split() in (["quartets", "deal"], ["quartets", "slots"])


def state_page() -> Presenter[Opened[State]]:
    """Return the page of a state."""
    say = texts_of("quartets")
    states = States(say, parse_state)
    views = Views(("cards",), ("verdict", "share"))
    return text_page(states, views, Start(say, "quartets", states.read))


class States(Reader[State]):
    """Reads states, shows where every card can be, and judges."""

    def feature(self) -> Feature[Opened[State]]:
        """Return the state as a part of a page."""
        return Feature(
            views={"cards": View(self._cards), "verdict": View(self._verdict)},
            jobs={"verdict": self._job},
        )

    def title(self, value: State) -> str:
        """Return that it is a state."""
        return self.say("state.saved")

    def _cards(self, sight: Opened[State], ui: Ui, jobs: list[Job]) -> Html:
        """Return the state, and where every card can be."""
        say, state = self.say, sight.value
        if isinstance(state.form, SlotForm):
            shown = places_html(say, state, state.form)
        else:
            shown = cards_html(say, state, state.form, None)
        return join_html([heading(say("cards.title")), shown])

    def _verdict(self, sight: Opened[State], ui: Ui, jobs: list[Job]) -> Html:
        """Return whether a deal is possible, when it is computed."""
        jobs.append(job_of(sight, "verdict", "verdict"))
        return waiting(self.say("state.title"), "verdict")

    def _job(self, sight: Opened[State], job: Job) -> Iterator[Html]:
        """Yield whether a deal is possible, with a deal or the proof that there is none."""
        yield Html()
        result = verdict(sight.value, Method())
        yield verdict_html(self.say("state.valid" if result.valid else "state.invalid"), result)


def places_html(say: Texts, state: State, form: SlotForm) -> Html:
    """Return which cards every place can be."""
    try:
        ways = say("state.ways", n=slot_counts(form))
    except Undecided:
        ways = say("cards.undecided")
    rows: list[list[Child]] = []
    for player, hand in zip(state.players, form.hands, strict=True):
        for place, potential in enumerate(hand, 1):
            cards = state.names_of(potential)
            text = listed(cards, "or") if cards else say("state.no_card")
            if len(cards) == len(state.cards):
                text = say("state.any_card")
            rows.append([name(say("state.place", player=player, n=place)), text])
    return table([say("state.places"), say("state.can_be")], rows, caption=ways)


def cards_html(say: Texts, names: Quartets | State, form: DealForm, chosen: str | None) -> Html:
    """Return the hands in which every card can be, and what is known of the groups in each.

    Parameters
    ----------
    say
        The texts.
    names
        The names of the players and cards.
    form
        What is known.
    chosen
        The cell that is open; ``None``: the cells are not buttons.
    """
    counts: Counts | None = None
    with suppress(Undecided):
        counts = count_deals(form)
    deals = say("cards.undecided") if counts is None else say("cards.deals", n=counts.total)
    if all(form.aside >> g & 1 for g in range(len(names.group_names))):
        return tag("p", say("cards.all_aside"))
    players = zip(names.players, form.hands(), strict=True)
    heads = [[holder(player), tag("small", say("cards.hand", n=n))] for player, n in players]
    sheet = Sheet(("", *names.players), list(_rows(say, names, form, counts)), say("cards.title"))
    look = Look(say, _no_name if chosen is None else fact_names(names), chosen=chosen or "",
                heads=heads, classes="sheet")  # fmt: skip
    shown = sheet_html(sheet, look)
    bounded = any(row.heads and row.cells for row in sheet.rows)
    return join_html(
        [
            tag("p", deals, class_="summary"),
            wide(shown, say("cards.title")) if chosen is None else shown,
            tag("p", say("cards.bounds"), class_="hint") if bounded else None,
            None if chosen is None else tag("p", say("cards.help"), class_="hint"),
        ]
    )


def _no_name(fact: Fact) -> None:
    """Return nothing: the cells are not buttons."""


def _rows(
    say: Texts, names: Quartets | State, form: DealForm, counts: Counts | None
) -> Iterator[Row]:
    """Yield the groups, with what is known of each, and their cards."""
    seats = range(len(names.players))
    kinds, bounds = [card_kinds(form, p) for p in seats], [group_bounds(form, p) for p in seats]
    for g, (group, cards) in enumerate(names.groups.items()):
        if form.aside >> g & 1:
            yield Row(say("cards.aside", group=_spoken(names, group)))
            continue
        known = tuple(Cell(bound[g], pick=False) for bound in bounds)
        bounded = any(bound[g] for bound in bounds)
        yield Row(_spoken(names, group), known if bounded else (), heads=True)
        rows: dict[object, Row] = {}  # cards without a name that differ in nothing have one row
        for card in cards:
            number = names.card(card)
            cells = []
            for p, player in enumerate(names.players):
                share = counts.probability(number, p) if counts and counts.total else None
                cells.append(_cell(kinds[p][number], share, is_(card, player)))
            shown = _spoken(names, card)
            alike = (shown, *(cell.text for cell in cells)) if UNNAMED in card else card
            rows.setdefault(alike, Row(shown, tuple(cells)))
        yield from rows.values()


def _cell(kind: str, share: Fraction | None, fact: Fact) -> Cell:
    if kind != "may":
        certain = kind in ("has", "sure")
        return Cell("yes" if certain else "no", certain=certain, faint=not certain, fact=fact)
    return Cell("?" if share is None else percent(share), share, fact=fact)


def _spoken(names: Quartets | State, called: str) -> str:
    return spoken_name(names, called) if isinstance(names, Quartets) else called


def verdict_html(head: str, result: Verdict) -> Html:
    """Return a verdict with the deal or the reason below its heading."""
    lines = paragraphs("\n".join(result.text))
    return callout(tag("p", tag("strong", head)), *(tag("p", line) for line in lines),
                   kind="note" if result.valid else "bad")  # fmt: skip


class Transcripts(LogBook):
    """The log of statements, which is read as a session: with the position after each of them."""

    def __init__(self, say: Texts, name: str, views: Views) -> None:
        super().__init__(say, name, views)
        self._sessions: Recent[Session] = Recent(2 * CACHED)

    def session(self, document: Document) -> Session:
        """Return the session of a transcript; raise `BadInput` if it cannot be read."""
        return self._session(document.text)

    def _session(self, text: str) -> Session:
        return self._sessions.get(text, lambda: Session.read(text))

    def read(self, text: str) -> Log:
        """Return the log of a transcript, in which every statement can be made.

        A state that is pasted or an example is read to see whether it can be, and has no log.
        """
        if is_state(text):
            state = parse_state(text)
            return Log(Quartets(state.players, state.groups), (), ())
        session = self._session(text)
        return Log(session.game, session.log, session.lines)

    def knowledge(self, document: Document, viewer: str | None = None) -> Knowledge:
        """Return what the statements show; nothing can be assumed."""
        return super().knowledge(evolve(document, assumed=()), viewer)

    def is_consistent(self, document: Document, knowledge: Knowledge) -> bool:
        """Return whether every statement leaves a deal."""
        return self.session(document).first_fault() is None

    def typed_example(self, sight: Sight) -> str:
        """Return nothing: what can be said is beside the table."""
        return ""

    def line_read(self, log: Log, typed: str) -> str:
        """Return a statement that was typed, in full or short, as a line of the transcript."""
        try:
            return str(log.game.format_event(log.game.parse_event(typed)))
        except BadInput:
            after = Session.new(log.game, log.events).say(typed)
            return str(after.game.format_event(after.log[-1]))

    def announce(self, moment: Moment, before: Document) -> None:
        """Announce what follows from the last statement: who has lost, what must be said."""
        session = self.session(moment.log)
        fault = session.position.fault
        lines = list(session.announcements())
        moment.ui["news"] = []
        for line in lines if fault is not None else lines[:-1] or lines:
            moment.note(line, "bad" if fault is not None else "note")

    def speak(self, moment: Moment, event: Event) -> None:
        """Take the step that records a statement."""
        after = self.session(moment.log).tell(event)
        self.add(moment, after.game.format_event(after.log[-1]))
        moment.ui.pop("turn", None)
        moment.focus = "turn-title"

    def conflict(self, sight: Sight, ui: Ui) -> Sequence[Child]:
        """Return which statement loses."""
        session = self.session(sight.document)
        if session.first_fault() is None:
            return []
        head, *lines = paragraphs(reason(session, None).text)
        proof = details(self.say("verdict.proof"), *(tag("p", line) for line in lines), key="proof")
        shown = [tag("p", tag("strong", head)), proof if lines else None]
        return [callout(*shown, kind="bad", label=self.say("verdict.invalid"))]


def paragraphs(text: str) -> list[str]:
    """Return the lines of a text that are not empty, the first with a capital."""
    return [line.strip() for line in capital(text).split("\n") if line.strip()]
