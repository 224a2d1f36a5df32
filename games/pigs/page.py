"""The page of Pig-slaying: a log step by step, roles over time, puzzles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random

from attrs import evolve

from deduce.constraints import Constraint, Fact, Value, Variable
from deduce.errors import BadInput, DeduceError, Unsupported
from deduce.logs.events import Log
from deduce.pages.features.log import LogBook, Sight
from deduce.pages.features.sheet import KnowledgeSheet
from deduce.pages.features.start import Start
from deduce.pages.features.tutor import Tutoring
from deduce.pages.hidden import hidden_page
from deduce.pages.html import (
    Child,
    Chip,
    Html,
    button,
    callout,
    chips,
    heading,
    join_html,
    listed,
    panel,
    picture,
    share_cell,
    stepper,
    tag,
    wide,
)
from deduce.pages.presenter import CACHED, Act, Feature, Presenter, Recent, View, Views
from deduce.pages.protocol import Intent, Job, Moment, Ui, position
from deduce.pages.sentences import Texts
from deduce.show.sheet import Grid, Sheet
from deduce.show.table import percent
from deduce.system.text import capital, whole_number
from games.pigs.evidence import role_variable
from games.pigs.inference import ROUTES, Certainty, Timeline, timeline
from games.pigs.proofs import why
from games.pigs.puzzle import make_graded_puzzle, make_puzzle
from games.pigs.reading import read_events
from games.pigs.setup import CARD_NAMES, MASTER, REBEL, ROLE_NAMES, Role
from games.pigs.show import SeatView, seats_svg, sentence

__all__ = ["pigs_page"]

SEATS = range(3, 7)
"""The numbers of seats of the puzzles that are offered."""

EFFORT = 200
"""How many deals are tried for a puzzle; about a millisecond each."""

TRIES = 5
"""How many times a puzzle is tried to be made."""


VIEWS = Views(("table", "sheet"), ("log", "roles", "tutor", "share"))


def pigs_page() -> Presenter[Sight]:
    """Return the page of Pig-slaying."""
    return hidden_page(
        "pigs",
        views=VIEWS,
        panels=("seat",),
        start=PuzzleStart,
        tutor=RoleTutor,
        sheet=Cards,
        own=lambda say, book: [Story(say, book).feature()],
    )


class PuzzleStart(Start):
    """A puzzle of a number of seats; a game is not set up without a log."""

    puzzle_fields = ("seats",)

    def new_game(self) -> Html:
        """Return the form for a puzzle."""
        return join_html([heading(self.say("puzzle.title"), level=3), self.puzzle_form()])

    def puzzle(self) -> None:
        """Return nothing: a puzzle is all that is made here."""

    def puzzle_controls(self) -> Html:
        """Return the choice of the number of seats."""
        seats = [Chip(str(number), str(number)) for number in SEATS]
        return chips(self.say("setup.seats"), "seats", seats, ["4"])

    def make_puzzle(self, intent: Intent, grade: int | None) -> str:
        """Return the log of a puzzle about the roles."""
        seats = whole_number(intent.first("seats", "4")) or 0
        if seats not in SEATS:
            raise BadInput(self.say("setup.wrong_seats", low=SEATS[0], high=SEATS[-1], seats=seats))
        random = Random()
        for _ in range(TRIES):
            seed = random.randrange(10**6)
            with suppress(Unsupported):
                if grade is None:
                    log = make_puzzle(seats, seed=seed, effort=EFFORT).log
                else:
                    effort = EFFORT // TRIES
                    log = make_graded_puzzle(seats, grade=grade, seed=seed, effort=effort).log
                return str(log.game.format_log(log.events))
        raise BadInput(self.say("puzzle.none"))


class RoleTutor(Tutoring):
    """The tutor of the roles: the cards are not what a puzzle asks for."""

    def markable(self, sight: Sight) -> Mapping[str, Sequence[Variable]]:
        """Return the roles."""
        return {"": [role_variable(seat) for seat in sight.game.players[1:]]}

    def row_name(self, variable: Variable) -> str:
        """Return the seat."""
        assert isinstance(variable, tuple)  # as of `role_variable`
        return self.say("table.seat", n=variable[1])

    def column_name(self, value: Value) -> str:
        """Return the role."""
        return ROLE_NAMES.get(str(value), str(value))

    def answer(self, sight: Sight, asked: str, marks: Sequence[Constraint]) -> Html:
        """Return the answer of the tutor, from the proofs of the roles."""
        say, story = self.say, timeline(_complete(sight.log))
        marked = [mark for mark in marks if isinstance(mark, Fact)]
        roles: dict[Variable, Certainty] = {role_variable(c.seat): c for c in story.certain}
        if asked == "judge":
            return self._judged(sight, marked, roles)
        if asked == "steps":
            lines = [[f"{known}", _proof(sight, known)] for known in roles.values()]
            return listed(lines, element="ol", class_="steps")
        seen = {fact.variable for fact in marked if _fits(fact, roles.get(fact.variable))}
        first = next((known for role, known in roles.items() if role not in seen), None)
        if first is None:
            return tag("p", say("tutor.nothing"))
        if asked == "1":
            return callout(tag("p", say("tutor.look", n=first.seat)))
        told = say("tutor.rests", route=ROUTES[first.route]) if asked == "2" else str(first)
        return callout(tag("p", told), _proof(sight, first))

    def _judged(
        self, sight: Sight, marked: Sequence[Fact], roles: Mapping[Variable, Certainty]
    ) -> Html:
        say = self.say
        if not marked:
            return tag("p", say("tutor.no_marks"))
        counts = {"proved": 0, "wrong": 0, "open": 0}
        shown: list[Child] = []
        for fact in marked:
            certain = roles.get(fact.variable)
            told = sight.game.say(fact)
            if certain is None:
                counts["open"] += 1
                shown.append(callout(tag("p", say("tutor.open", fact=told)), kind="if"))
            elif _fits(fact, certain):
                counts["proved"] += 1
            else:
                counts["wrong"] += 1
                shown.append(callout(tag("p", say("tutor.wrong", fact=told)),
                                     _proof(sight, certain), kind="bad"))  # fmt: skip
        return join_html([tag("p", tag("strong", say("tutor.result", **counts))), shown])


class Cards(KnowledgeSheet):
    """The sheet, with the words of the game for its codes."""

    can_doubt = False

    def sheet(self, sight: Sight, grid: Grid) -> Sheet:
        """Return the sheet with the words of the game for its codes."""
        shown = super().sheet(sight, grid)
        head = tuple(ROLE_NAMES.get(each) or CARD_NAMES.get(each, each) for each in shown.head)
        rows = [evolve(row, head=self._row_name(row.head)) for row in shown.rows]
        return evolve(shown, head=head, rows=rows)

    def _row_name(self, variable: str) -> str:
        kind, _, number = variable.partition(" ")
        seat, _, card = number.partition(".")
        if kind not in ("role", "card", "fate"):
            return variable
        return self.say(f"sheet.{kind}", seat=seat, card=card)


class Story:
    """The table after each event, and the probabilities over time.

    ``ui["step"]`` is the number of the event, and ``ui["seat"]`` the seat that is open.
    """

    def __init__(self, say: Texts, book: LogBook) -> None:
        self.say, self._book = say, book
        self._stories: Recent[Timeline] = Recent(CACHED)

    def feature(self) -> Feature[Sight]:
        """Return the story as a part of a page."""
        return Feature(
            views={
                "table": View(self._view, ("step", "tutor", "seat")),
                "roles": View(self._over_time, ("tutor",)),
            },
            intents={
                "step": Act(self._step, "to", of_players=True),
                "seat": Act(self._open, "seat", of_players=True),
            },
            over=self._over,
        )

    def _story(self, log: Log) -> Timeline:
        """Return what was known after each event of the complete turns."""
        return self._stories.get((log.game, log.events), lambda: timeline(_complete(log)))

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the seats after an event, with what it showed."""
        say = self.say
        story = self._story(sight.log)
        last = len(story.snapshots) - 1
        at = position(ui, last)
        now = story.snapshots[at]
        title = say("table.start")
        if now.event is not None:
            title = say("table.event", n=at, event=sentence(now.event))
        walk = stepper(say("table.step", n=at, all=last), at, last)
        parts: list[Child] = [heading(title, id_="step-title"), walk]
        if ui.get("tutor"):
            parts.append(tag("p", say("table.hidden"), class_="hint"))
            return join_html(parts)
        parts += [self._seats(story, at), self._changes(story, at), self._table(story, at)]
        parts.append(tag("p", say("table.hint"), class_="hint"))
        if last < len(sight.log.events):
            parts.append(tag("p", say("table.unfinished"), class_="hint"))
        return join_html(parts)

    def _roles(self, story: Timeline, at: int) -> dict[int, Role]:
        """Return the roles that are certain after an event."""
        known: dict[int, Role] = {1: MASTER}
        return known | {each.seat: each.role for each in story.certain if each.number <= at}

    def _seats(self, story: Timeline, at: int) -> Html:
        roles, seats = self._roles(story, at), []
        for seat, share in enumerate(story.snapshots[at].rebel, start=1):
            role = roles.get(seat)
            word = self.say("table.rebel", share=percent(share))
            seats.append(
                SeatView(
                    seat,
                    word if role is None else ROLE_NAMES[role],
                    True if role == REBEL else None,
                    share=float(share),
                )
            )
        words = "; ".join(f"{seat.number}: {seat.word}" for seat in seats)
        return picture(seats_svg(seats, title=self.say("table.picture"), desc=words))

    def _changes(self, story: Timeline, at: int) -> Html:
        say = self.say
        lines = [
            say("table.certain", n=known.seat, role=ROLE_NAMES[known.role],
                route=ROUTES[known.route])
            for known in story.certain
            if known.number == at
        ]  # fmt: skip
        if at:
            before, now = story.snapshots[at - 1].rebel, story.snapshots[at].rebel
            lines += [
                say("table.change", n=seat, old=percent(old), new=percent(new))
                for seat, (old, new) in enumerate(zip(before, now, strict=True), start=1)
                if old != new
            ]
        items = [tag("li", line) for line in lines]
        shown = tag("ul", *items, class_="plain") if items else tag("p", say("table.nothing"))
        return join_html([tag("h3", say("table.changes")), shown])

    def _table(self, story: Timeline, at: int) -> Html:
        say, roles, rows = self.say, self._roles(story, at), []
        for seat, share in enumerate(story.snapshots[at].rebel, start=1):
            role = roles.get(seat)
            label = say("table.seat", n=seat)
            name = button(label, "seat", class_="link", data_seat=seat) if seat > 1 else label
            word = say("table.open") if role is None else ROLE_NAMES[role]
            rows.append(tag("tr", tag("th", name, scope="row"), tag("td", word), share_cell(share)))
        head = tag("tr", tag("td"), tag("th", say("table.role"), scope="col"),
                   tag("th", ROLE_NAMES[REBEL], scope="col"))  # fmt: skip
        caption = tag("caption", say("table.title"), class_="hidden")
        return tag("table", caption, tag("thead", head), tag("tbody", *rows), class_="seats-table")

    def _step(self, moment: Moment, intent: Intent) -> None:
        """Show the table after an event."""
        count = len(self._book.read(moment.log.text).events) + 1
        moment.ui["step"] = intent.step(count)

    def _open(self, moment: Moment, intent: Intent) -> None:
        """Open a seat: why its role is certain."""
        seats = len(self._book.read(moment.log.text).game.players)
        moment.ui.pop("cell", None)
        moment.ui["seat"] = intent.index("seat", seats + 1)
        moment.focus = "over-title"

    def _over(self, sight: Sight, ui: Ui) -> Html:
        """Return why the role of the open seat is certain; empty if none is open."""
        seat = ui.get("seat")
        if type(seat) is not int or not 2 <= seat <= len(sight.game.players) or ui.get("tutor"):
            return Html()
        say = self.say
        role, lines = say("table.open"), [say("table.both")]
        try:
            story = self._story(sight.log)
            at = position(ui, len(story.snapshots) - 1)
            certain = next((c for c in story.certain if c.seat == seat and c.number <= at), None)
            if certain is not None:
                role = ROLE_NAMES[certain.role]
                lines = _reasons(sight.log, certain, at)
        except DeduceError as error:
            lines = [capital(str(error))]
        title = say("seat.why", n=seat, role=role)
        return panel(title, listed(lines, class_="proof"), close=say("seat.close"))

    def _over_time(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the probabilities after every event that changed one."""
        say = self.say
        title = heading(say("roles.title"))
        if ui.get("tutor"):
            return join_html([title, tag("p", say("table.hidden"))])
        story = self._story(sight.log)
        seats = range(2, len(story.snapshots[0].rebel) + 1)
        rows = []
        for now in story.changes():
            event = say("roles.begin") if now.event is None else sentence(now.event)
            go = button(f"{now.number}. {event}", "step", class_="link", data_to=now.number)
            cells = [share_cell(share) for share in now.rebel[1:]]
            rows.append(tag("tr", tag("th", go, scope="row"), *cells))
        head = [tag("th", say("table.seat", n=seat), scope="col", class_="short") for seat in seats]
        table = tag(
            "table",
            tag("caption", say("roles.title"), class_="hidden"),
            tag("thead", tag("tr", tag("th", say("roles.event"), scope="col"), *head)),
            tag("tbody", *rows),
        )
        known = listed(map(str, story.certain), class_="plain")
        note = tag("p", say("roles.skip"), class_="hint")
        return join_html([title, wide(table, say("roles.title")), note, known])


def _fits(fact: Fact, certain: Certainty | None) -> bool:
    """Return whether a mark states the role that is certain."""
    return certain is not None and (certain.role in fact.values) is not fact.negated


def _proof(sight: Sight, certain: Certainty) -> Html:
    return listed(_reasons(sight.log, certain, certain.number))


def _reasons(log: Log, certain: Certainty, at: int) -> list[str]:
    """Return why a role is certain after an event."""
    proof = why(_complete(log, at), certain.seat, certain.role)
    sentences = [reason.sentence for reason in proof.reasons]
    unnamed = [rule for rule in proof.rules if not any(rule in each for each in sentences)]
    return [*sentences, *unnamed]


def _complete(log: Log, at: int | None = None) -> Log:
    """Return the log up to the end of a turn: the last one, or the first at or after an event."""
    ends = read_events(log.game, log.events).boundaries
    if not ends:
        return log.upto(0)
    return log.upto(ends[-1] if at is None else next((e for e in ends if e >= at), ends[-1]))
