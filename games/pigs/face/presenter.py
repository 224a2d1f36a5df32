"""The presenter of Pig-slaying: a log step by step, roles over time, puzzles."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any, ClassVar

from attrs import evolve

from deduce.constraints import Fact
from deduce.errors import BadInput, Contradiction, DeduceError, Unsupported
from deduce.events import Log
from deduce.face.base import CACHED, Recent
from deduce.face.frame import Views
from deduce.face.html import Child, Html, join_html, tag
from deduce.face.logs import Sight
from deduce.face.parts import (
    Chip,
    button,
    callout,
    chips,
    form,
    heading,
    picture,
    share_cell,
    stepper,
)
from deduce.face.presenter import Intent, Job, Moment
from deduce.face.sheet import SheetFace
from deduce.face.texts import Table
from deduce.show.sheet import Sheet
from deduce.show.table import percent
from deduce.show.text import Grid
from deduce.text import whole_number
from games.pigs.evidence import role_variable
from games.pigs.face.texts import TEXTS
from games.pigs.page import SeatView, seats_svg
from games.pigs.proofs import why
from games.pigs.puzzle import Puzzle, make_graded_puzzle, make_puzzle
from games.pigs.reading import read_events
from games.pigs.setup import CARD_NAMES, MASTER, REBEL, ROLE_NAMES, Role
from games.pigs.show import sentence
from games.pigs.timelines import ROUTES, Certainty, Timeline, timeline

__all__ = ["PigsFace"]

SEATS = range(3, 7)
"""The numbers of seats of the puzzles that are offered."""

EFFORT = 200
"""How many deals are tried for a puzzle; about a millisecond each."""

TRIES = 5
"""How many times a puzzle is tried to be made."""


class PigsFace(SheetFace):
    """The face of Pig-slaying; see `deduce.face.presenter.Presenter`."""

    tables: tuple[Table, ...] = (TEXTS,)
    doubts = False
    depends: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **SheetFace.depends,
        "table": ("step", "tutor", "seat"),
        "roles": ("tutor",),
    }
    counts_missed = False
    of_players = SheetFace.of_players | {"step", "seat"}

    def __init__(self) -> None:
        super().__init__("pigs")
        self.views = Views(("table", "sheet"), ("log", "roles", "tutor", "share"))
        self._stories: Recent[Timeline] = Recent(CACHED)

    # Set-up

    def new_game(self, moment: Moment) -> Html:
        """Return the form for a puzzle."""
        say = self.say
        seats = [Chip(str(number), str(number)) for number in SEATS]
        grades = [Chip("", say("setup.any")), *(Chip(str(g), str(g)) for g in range(1, 6))]
        return form(
            "puzzle",
            heading(say("setup.puzzle"), level=3),
            chips(say("setup.seats"), "seats", seats, ["4"]),
            chips(say("setup.grade"), "grade", grades, [""]),
            tag("button", say("setup.make"), type="submit", class_="button main big"),
            id_="puzzle-form",
        )

    def do_puzzle(self, moment: Moment, intent: Intent) -> None:
        """Make a puzzle, and hide its answers."""
        seats = whole_number(intent.first("seats", "4")) or 0
        if seats not in SEATS:
            raise BadInput(self.say("setup.wrong_seats", low=SEATS[0], high=SEATS[-1], seats=seats))
        grade = whole_number(intent.first("grade"))
        log = self._puzzle(seats, grade).log
        moment.begin(self.name, log.game.format_log(log.events))
        moment.ui |= {"tutor": True, "view": "table", "side": "tutor"}
        moment.note(self.say("puzzle.begun"))

    def _puzzle(self, seats: int, grade: int | None) -> Puzzle:
        random = Random()
        for _ in range(TRIES):
            seed = random.randrange(10**6)
            with suppress(Unsupported):
                if grade is None:
                    return make_puzzle(seats, seed=seed, effort=EFFORT)
                return make_graded_puzzle(seats, grade=grade, seed=seed, effort=EFFORT // TRIES)
        raise BadInput(self.say("setup.none"))

    # The tutor

    def job_tutor(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the answer of the tutor, from the proofs of the roles."""
        yield Html()
        say, asked = self.say, job.values.get("asked")
        marked = self.marked(sight, {"marks": job.values.get("marks")}).values()
        story = self.story(sight.log)
        roles: dict[Hashable, Certainty] = {role_variable(c.seat): c for c in story.certain}
        if asked == "judge":
            yield self._judged(sight, list(marked), roles)
            return
        seen = {fact.variable for fact in marked if _fits(fact, roles.get(fact.variable))}
        missing = [known for role, known in roles.items() if role not in seen]
        if asked == "steps":
            lines = [tag("li", f"{known}", self._proof(sight, known)) for known in roles.values()]
            yield tag("ol", *lines, class_="steps")
        elif not missing:
            yield tag("p", say("tutor.nothing"))
        elif asked == "1":
            yield callout(tag("p", say("tutor.look", n=missing[0].seat)))
        elif asked == "2":
            yield callout(tag("p", say("tutor.rests", route=ROUTES[missing[0].route])),
                          self._proof(sight, missing[0]))  # fmt: skip
        else:
            yield callout(tag("p", str(missing[0])), self._proof(sight, missing[0]))

    def _judged(
        self, sight: Sight, marked: list[Fact], roles: Mapping[Hashable, Certainty]
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
                                     self._proof(sight, certain), kind="bad"))  # fmt: skip
        return join_html([tag("p", tag("strong", say("tutor.result", **counts))), shown])

    def _proof(self, sight: Sight, certain: Certainty) -> Html:
        proof = why(_complete(sight.log, certain.number), certain.seat, certain.role)
        lines = [*(reason.sentence for reason in proof.reasons), *proof.rules]
        return tag("ul", *(tag("li", line) for line in lines))

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

    # The story

    def story(self, log: Log) -> Timeline:
        """Return what was known after each event of the complete turns."""
        return self._stories.get((log.game, log.events), lambda: timeline(_complete(log)))

    def markable(self, sight: Sight) -> Mapping[str, Sequence[Any]]:
        """Return the roles: the cards are not what a puzzle asks for."""
        return {"": [role_variable(seat) for seat in sight.game.players[1:]]}

    def mark_names(self, variable: Any, value: Any) -> tuple[str, str]:
        """Return the seat and the role."""
        seat = variable[1] if variable else ""
        return self.say("table.seat", n=seat), ROLE_NAMES.get(value, str(value))

    def view_table(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the seats after an event, with what it showed."""
        say = self.say
        try:
            story = self.story(sight.log)
        except (BadInput, Contradiction) as error:
            return join_html([heading(say("table.title")), tag("p", str(error))])
        last = len(story.snapshots) - 1
        at = _step(ui, last)
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

    def do_step(self, moment: Moment, intent: Intent) -> None:
        """Show the table after an event."""
        count = len(self.read(moment.log.text).events) + 1
        moment.ui["step"] = intent.step(count)

    def do_seat(self, moment: Moment, intent: Intent) -> None:
        """Open a seat: why its role is certain."""
        seats = len(self.read(moment.log.text).game.players)
        moment.ui.pop("cell", None)
        moment.ui["seat"] = intent.index("seat", seats + 1)
        moment.focus = "over-title"

    def do_why(self, moment: Moment, intent: Intent) -> None:
        """Open a cell: why it is so."""
        super().do_why(moment, intent)
        moment.ui.pop("seat", None)

    def do_close(self, moment: Moment, intent: Intent) -> None:
        """Close what is open."""
        super().do_close(moment, intent)
        moment.ui.pop("seat", None)

    def over(self, sight: Sight, ui: dict[str, Any]) -> Html:
        """Return why the role of the open seat is certain, or what `LogPresenter` shows."""
        seat = ui.get("seat")
        if type(seat) is not int or not 2 <= seat <= len(sight.game.players) or ui.get("tutor"):
            return super().over(sight, ui)
        say = self.say
        role, lines = say("table.open"), [say("table.both")]
        try:
            story = self.story(sight.log)
            at = _step(ui, len(story.snapshots) - 1)
            certain = next((c for c in story.certain if c.seat == seat and c.number <= at), None)
            if certain is not None:
                role = ROLE_NAMES[certain.role]
                proof = why(_complete(sight.log, at), seat, certain.role)
                lines = [reason.sentence for reason in proof.reasons] + list(proof.rules)
        except DeduceError as error:
            lines = [str(error)]
        head = tag(
            "div",
            tag("h2", say("seat.why", n=seat, role=role), id="over-title", tabindex=-1),
            button("✕", "close", class_="button quiet", aria_label=say("seat.close")),
            class_="over-head",
        )
        items = [tag("li", line) for line in lines]
        return tag("section", head, tag("ul", *items, class_="proof"), class_="over",
                   aria_labelledby="over-title")  # fmt: skip

    def view_roles(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the probabilities after every event that changed one."""
        say = self.say
        title = heading(say("roles.title"))
        if ui.get("tutor"):
            return join_html([title, tag("p", say("table.hidden"))])
        try:
            story = self.story(sight.log)
        except (BadInput, Contradiction) as error:
            return join_html([title, tag("p", str(error))])
        seats = range(2, len(story.snapshots[0].rebel) + 1)
        rows, last = [], None
        for now in story.snapshots:
            if now.rebel != last:
                event = say("roles.begin") if now.event is None else sentence(now.event)
                go = button(f"{now.number}. {event}", "step", class_="link", data_to=now.number)
                cells = [share_cell(share) for share in now.rebel[1:]]
                rows.append(tag("tr", tag("th", go, scope="row"), *cells))
            last = now.rebel
        head = [tag("th", say("table.seat", n=seat), scope="col", class_="short") for seat in seats]
        table = tag(
            "table",
            tag("caption", say("roles.title"), class_="hidden"),
            tag("thead", tag("tr", tag("th", say("roles.event"), scope="col"), *head)),
            tag("tbody", *rows),
        )
        known = [tag("li", str(certain)) for certain in story.certain]
        wide = tag("div", table, class_="wide", tabindex=0, role="group",
                   aria_label=say("roles.title"))  # fmt: skip
        return join_html([title, wide, tag("p", say("roles.skip"), class_="hint"),
                          tag("ul", *known, class_="plain")])  # fmt: skip


def _fits(fact: Fact, certain: Certainty | None) -> bool:
    """Return whether a mark states the role that is certain."""
    return certain is not None and (certain.role in fact.values) is not fact.negated


def _step(ui: Mapping[str, Any], last: int) -> int:
    """Return the event after which the table is shown; by default the last one."""
    step = ui.get("step")
    return step if type(step) is int and 0 <= step <= last else last


def _complete(log: Log, at: int | None = None) -> Log:
    """Return the log up to the end of a turn: the last one, or the first at or after an event."""
    ends = read_events(log.game, log.events).boundaries
    if not ends:
        return log.upto(0)
    return log.upto(ends[-1] if at is None else next((e for e in ends if e >= at), ends[-1]))
