"""The presenter of Blink Quartets: a referee for a real table.

No cards are seen, so the statements are all there is: the referee records them, shows what may be
said, whether any deal is still possible and why not, and in which hands every card can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from attrs import evolve, frozen

from deduce.errors import BadInput
from deduce.events import Log
from deduce.face.base import CACHED, Recent
from deduce.face.document import Document
from deduce.face.examples import examples, start_page
from deduce.face.frame import Views
from deduce.face.html import Child, Html, join_html, tag
from deduce.face.logs import LogPresenter, Sight
from deduce.face.parts import Chip, callout, chips, field, form, heading, stepper
from deduce.face.presenter import Intent, Job, Moment, Request, Screen
from deduce.face.sentences import START_TEXTS, refused
from games.quartets.events import Answer, Ask, Quartet
from games.quartets.face.advice import advice_html
from games.quartets.face.cards import cards_html, paragraphs, place_of, reason_html
from games.quartets.face.states import StateFace, is_state
from games.quartets.face.texts import TEXTS
from games.quartets.face.turn import draft_of, turn_html
from games.quartets.game import Quartets
from games.quartets.guide import RULES
from games.quartets.session import Session
from games.quartets.setup import PRESETS
from games.quartets.verdict import Method, reason, verdict
from games.quartets.wording import position_text

__all__ = ["QuartetsFace"]


@frozen
class Table(Sight):
    """A transcript as the page shows it, with the positions after each statement."""

    session: Session | None = None

    @property
    def play(self) -> Session:
        """The statements and the positions."""
        assert self.session is not None
        return self.session


class QuartetsFace(LogPresenter):
    """The face of Blink Quartets; see `deduce.face.presenter.Presenter`."""

    name = "quartets"
    views = Views(("turn", "cards"), ("log", "advice", "verdict", "share"))
    tables = (TEXTS, START_TEXTS)
    of_players = LogPresenter.of_players | {
        "draft", "ask", "reply", "declare", "reason", "use", "step",
    }  # fmt: skip
    depends: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "turn": ("turn",),
        "cards": ("at",),
        "log": ("line",),
        "verdict": ("step",),
    }

    def __init__(self) -> None:
        super().__init__()
        self._sessions: Recent[Session] = Recent(2 * CACHED)
        self._state = StateFace()

    # A single state has a page of its own

    def answer(self, request: Request) -> Screen:
        """Return the screen after an intent."""
        document = request.document
        if document is not None and is_state(document.text):
            return self._state.answer(request)
        return super().answer(request)

    def work(self, request: Request, job: Job) -> Iterator[Html]:
        """Yield the fragment of a job."""
        document = request.document
        if document is not None and is_state(document.text):
            return self._state.work(request, job)
        return super().work(request, job)

    def screen(self, moment: Moment) -> Screen:
        """Return the screen of the moment as it is now."""
        if moment.document is not None and is_state(moment.document.text):
            return self._state.screen(moment)
        return super().screen(moment)

    # What the statements show

    def play(self, text: str) -> Session:
        """Return the session of a transcript; raise `BadInput` if it cannot be read."""
        return self._sessions.get(text, lambda: Session.read(text))

    def read(self, text: str) -> Log:
        """Return the log of a transcript, in which every statement can be made.

        A state that is pasted or an example is read to see whether it can be, and has no log.
        """
        if is_state(text):
            state = self._state.read(text)
            return Log(Quartets(state.players, state.groups), (), ())
        session = self.play(text)
        return Log(session.game, session.log, session.lines)

    def sight(self, document: Document, viewer: str | None = None) -> Table:
        """Return the transcript with its positions."""
        session = self.play(document.text)
        knowledge = self.knowledge(evolve(document, assumed=()), viewer)
        consistent = session.first_fault() is None
        return Table(document, self.read(document.text), knowledge, consistent, viewer, session)

    def announce(self, moment: Moment, before: Document) -> None:
        """Announce what follows from the last statement: who has lost, what must be said."""
        session = self.play(moment.log.text)
        fault = session.position.fault
        lines = list(session.announcements())
        moment.ui["news"] = []
        for line in lines if fault is not None else lines[:-1] or lines:
            moment.note(line, "bad" if fault is not None else "note")

    def conflict(self, sight: Sight) -> Child:
        """Return which statement loses."""
        assert isinstance(sight, Table)
        number = sight.play.first_fault()
        if number is None:
            return None
        return callout(
            *(tag("p", line) for line in paragraphs(reason(sight.play, None).text)),
            kind="bad",
            label=self.say("verdict.invalid"),
        )

    # Set-up

    def setup(self, moment: Moment) -> Html:
        """Return the form for a new game, and the examples."""
        say = self.say
        presets = [Chip(preset, say(f"setup.preset.{preset}")) for preset in PRESETS]
        groups = tag(
            "label",
            tag("span", say("setup.groups")),
            tag("textarea", "4 of 4", name="groups", rows=5, spellcheck="false"),
            tag("small", say("setup.groups_hint")),
            class_="field",
        )
        new = form(
            "begin",
            field(say("setup.players"), "players", say("setup.default_players")),
            groups,
            chips(say("setup.preset"), "preset", presets, ["recommended"]),
            tag("button", say("setup.start"), type="submit", class_="button main big"),
            id_="begin-form",
        )
        found = examples(self.name, self.read)
        return start_page(say, found, new=new, rules=RULES)

    def do_begin(self, moment: Moment, intent: Intent) -> None:
        """Begin a game."""
        players = " ".join(intent.first("players").split())
        if not players:
            raise BadInput(self.say("setup.no_players"))
        lines = [" ".join(line.split()) for line in intent.first("groups").splitlines()]
        lines = [line for line in lines if line]
        if not lines:
            raise BadInput(self.say("setup.no_groups"))
        if len(lines) == 1 and ":" not in lines[0]:
            told = [f"groups: {lines[0]}, named as they come"]
        else:
            told = [line if line.startswith("group ") else f"group {line}" for line in lines]
        preset = intent.first("preset", "recommended")
        head = ["quartets", f"players: {players}", *told, f"preset: {preset}"]
        text = "".join(f"{line}\n" for line in head)
        self.read(text)
        moment.begin(self.name, text)

    # Statements

    def line_of(self, log: Log, typed: str) -> str:
        """Return a statement that was typed, in full or short, as a line of the transcript."""
        typed = " ".join(typed.splitlines()).strip()
        if not typed:
            raise BadInput(self.say("log.empty"))
        try:
            event = log.game.parse_event(typed)
        except BadInput:
            after = Session.new(log.game, log.events).say(typed)
            return str(after.game.format_event(after.log[-1]))
        return str(log.game.format_event(event))

    def _speak(self, moment: Moment, event: Any) -> None:
        session = self.play(moment.log.text)
        after = session.tell(event)
        self.add(moment, after.game.format_event(after.log[-1]))
        moment.ui.pop("turn", None)
        moment.focus = "turn-title"

    def _speaker(self, moment: Moment) -> tuple[Quartets, str]:
        session = self.play(moment.log.text)
        return session.game, session.game.players[session.position.speaker()]

    def do_draft(self, moment: Moment, intent: Intent) -> None:
        """Keep what is tapped of a question."""
        game, _ = self._speaker(moment)
        draft = {key: int(values[0]) for key, values in intent.form.items()
                 if values and values[0].isdecimal() and len(values[0]) < 4}  # fmt: skip
        draft = draft_of(game, draft)
        if "group" in draft and "card" in draft:
            first = game.groups[game.group_names[draft["group"]]]
            if game.cards[draft["card"]] not in first:
                del draft["card"]
        moment.ui["turn"] = draft

    def do_ask(self, moment: Moment, intent: Intent) -> None:
        """Record a question."""
        self.do_draft(moment, intent)
        game, by = self._speaker(moment)
        draft = moment.ui["turn"]
        if "to" not in draft or "card" not in draft:
            raise BadInput(self.say("turn.choose"))
        self._speak(moment, Ask(by, game.players[draft["to"]], game.cards[draft["card"]]))

    def do_reply(self, moment: Moment, intent: Intent) -> None:
        """Record an answer."""
        _, by = self._speaker(moment)
        self._speak(moment, Answer(by, intent.values.get("yes") == "yes"))

    def do_declare(self, moment: Moment, intent: Intent) -> None:
        """Record that a group is declared."""
        game, by = self._speaker(moment)
        group = game.group_names[intent.index("group", len(game.groups))]
        self._speak(moment, Quartet(by, group))

    # Views

    def view_turn(self, sight: Table, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return who has to speak, what may be said, and what is on the table."""
        game = sight.play.game
        return turn_html(self.say, game, sight.play.position, draft_of(game, ui.get("turn")))

    def view_cards(self, sight: Table, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the hands in which every card can be."""
        session = sight.play
        return cards_html(self.say, session.game, session.position, str(ui.get("at", "")))

    def do_reason(self, moment: Moment, intent: Intent) -> None:
        """Open a cell: why the card is, or is not, in the hand."""
        game = self.play(moment.log.text).game
        if place_of(game, intent.values.get("at")) is None:
            raise BadInput(refused("refused.old_page"))
        moment.ui["at"] = intent.values["at"]
        moment.focus = "over-title"

    def do_close(self, moment: Moment, intent: Intent) -> None:
        """Close what is open."""
        super().do_close(moment, intent)
        moment.ui.pop("at", None)

    def over(self, sight: Sight, ui: dict[str, Any]) -> Html:
        """Return why a card is, or is not, in a hand."""
        assert isinstance(sight, Table)
        return reason_html(self.say, sight.play, ui.get("at"))

    def view_advice(self, sight: Table, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return what to say, when it is computed."""
        jobs.append(self.job(sight, "advice", "advice"))
        return join_html([heading(self.say("advice.title")), tag("div", data_slot="advice")])

    def job_advice(self, sight: Table, job: Job) -> Iterator[Html]:
        """Yield what to say."""
        yield from advice_html(self.say, sight.play.game, sight.play.position)

    def do_use(self, moment: Moment, intent: Intent) -> None:
        """Begin the question that the advice names."""
        game, _ = self._speaker(moment)
        card = intent.index("card", len(game.cards))
        group = next(n for n, cards in enumerate(game.groups.values()) if game.cards[card] in cards)
        to = intent.index("to", len(game.players))
        moment.ui["turn"] = {"to": to, "group": group, "card": card}
        self.views.open(moment.ui, "turn")
        moment.focus = "turn-form"

    def view_verdict(self, sight: Table, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return whether the transcript is valid, and the state after any statement."""
        jobs.append(self.job(sight, "verdict", "verdict"))
        say, session = self.say, sight.play
        last = len(session.log)
        step = ui.get("step")
        at = step if type(step) is int and 0 <= step <= last else last
        line = say("verdict.start")
        if at:
            line = f"{at}. {session.game.format_event(session.log[at - 1])}"
        state = position_text(session.game, session.positions[at])
        walk = stepper(say("verdict.step", n=at, all=last), at, last)
        return join_html([heading(say("verdict.title")), tag("div", data_slot="verdict"),
                          tag("h3", say("verdict.now")), walk, tag("p", tag("strong", line)),
                          tag("pre", state, class_="position", tabindex=0)])  # fmt: skip

    def do_step(self, moment: Moment, intent: Intent) -> None:
        """Show the state after a statement."""
        moment.ui["step"] = intent.step(len(self.play(moment.log.text).log) + 1)

    def job_verdict(self, sight: Table, job: Job) -> Iterator[Html]:
        """Yield whether every statement leaves a deal, with a deal or the reason."""
        yield Html()
        result = verdict(sight.play, Method())
        head = self.say("verdict.valid" if result.valid else "verdict.invalid")
        lines = [line for part in result.text for line in paragraphs(part)]
        yield callout(tag("p", tag("strong", head)), *(tag("p", line) for line in lines),
                      kind="note" if result.valid else "bad")  # fmt: skip
