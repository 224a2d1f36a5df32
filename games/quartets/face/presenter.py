"""The presenter of Blink Quartets: a referee for a real table.

No cards are seen, so the statements are all there is: the referee records them, shows what may be
said, whether any deal is still possible and why not, and in which hands every card can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, ClassVar

from attrs import evolve, frozen

from deduce.errors import BadInput, DeduceError, Undecided
from deduce.events import Log
from deduce.face.base import CACHED, Recent
from deduce.face.document import Document
from deduce.face.examples import START_TEXTS, examples, start_page
from deduce.face.frame import Views
from deduce.face.html import Child, Html, join_html, name, tag
from deduce.face.logs import LogPresenter, Sight
from deduce.face.parts import Chip, button, callout, chips, field, form, heading, stepper, strength
from deduce.face.presenter import Intent, Job, Moment, Request, Screen
from deduce.show.table import percent
from games.quartets.counting import count_deals
from games.quartets.events import Answer, Ask, Quartet
from games.quartets.face.advice import advice_html
from games.quartets.face.states import StateFace, is_state
from games.quartets.face.texts import TEXTS
from games.quartets.game import Quartets
from games.quartets.guide import RULES
from games.quartets.moves import answers, certain, declarable, questions
from games.quartets.names import spoken_name
from games.quartets.position import Position
from games.quartets.session import Session
from games.quartets.setup import PRESETS, UNNAMED
from games.quartets.show.text import position_text
from games.quartets.verdict import Method, reason, verdict
from games.quartets.wording import turn_line

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

    def seen(self, game: Any, event: Any, viewer: str) -> Any:
        """Return an event as a player sees it: everything is public."""
        return event

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
            *(tag("p", line) for line in _lines(reason(sight.play, None).text)),
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
        moment.document = Document(self.name, text)
        moment.ui.clear()
        moment.focus = "title"

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

    def _draft(self, game: Quartets, ui: Mapping[str, Any]) -> dict[str, int]:
        draft = ui.get("turn")
        if not isinstance(draft, dict):
            return {}
        most = {"to": len(game.players), "group": len(game.groups), "card": len(game.cards)}
        return {
            key: value
            for key, value in draft.items()
            if key in most and type(value) is int and 0 <= value < most[key]
        }

    def do_draft(self, moment: Moment, intent: Intent) -> None:
        """Keep what is tapped of a question."""
        game, _ = self._speaker(moment)
        draft = {key: int(values[0]) for key, values in intent.form.items()
                 if values and values[0].isdecimal() and len(values[0]) < 4}  # fmt: skip
        draft = self._draft(game, {"turn": draft})
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
        session = sight.play
        game, position = session.game, session.position
        parts: list[Child] = [heading(turn_line(game, position), id_="turn-title")]
        if position.question is not None and not position.over:
            parts.append(self._answers(game, position))
        elif not position.over:
            parts.append(self._question(game, position, self._draft(game, ui)))
        if not position.over:
            parts.append(self._typed(game, position))
        table = tag("pre", position_text(game, position), class_="position", tabindex=0)
        parts += [tag("h3", self.say("turn.table")), table]
        return join_html(parts)

    def _typed(self, game: Quartets, position: Position) -> Html:
        other = next(p for i, p in enumerate(game.players) if i != position.speaker())
        hint = self.say("turn.type_hint", example=f"{other} {game.cards[0]}",
                        group=game.group_names[0])  # fmt: skip
        enter = tag("button", self.say("turn.say"), type="submit", class_="button")
        line = field(self.say("turn.type"), "line", hint=None if game.invented else hint)
        return form("type", line, enter, class_="inline", id_="say-form")

    def _answers(self, game: Quartets, position: Position) -> Html:
        """Return the two answers; one that leaves no deal is marked."""
        possible = [answer.yes for answer in answers(game, position)]
        buttons = []
        for yes in (True, False):
            label = self.say("turn.yes" if yes else "turn.no")
            note = "" if yes in possible else self.say("turn.loses")
            if possible == [yes]:
                note = self.say("turn.must")
            look = "button main" if yes in possible else "button danger"
            inside: Child = [label, " ", tag("small", note)] if note else label
            buttons.append(button(inside, "reply", class_=look, data_yes="yes" if yes else "no"))
        who = game.players[position.speaker()]
        return tag("div", tag("p", self.say("turn.answer", name=who)),
                   tag("div", *buttons, class_="buttons"))  # fmt: skip

    def _question(self, game: Quartets, position: Position, draft: Mapping[str, int]) -> Html:
        """Return the chips of a question, and the groups that can be declared."""
        say, by = self.say, position.speaker()
        asked = questions(game, position)
        able = {question.ask.to for question in asked}
        legal = {question.ask.card for question in asked}
        who = game.players[by]
        players = [
            Chip(str(p), name(player)) for p, player in enumerate(game.players) if player in able
        ]
        groups = [Chip(str(g), name(spoken_name(game, game.group_names[g])),
                       faint=not legal & set(game.groups[game.group_names[g]]))
                  for g in position.form.groups()]  # fmt: skip
        parts: list[Child] = [
            chips(say("turn.to", name=who), "to", players, _chosen(draft, "to")),
            chips(say("turn.group"), "group", groups, _chosen(draft, "group")),
        ]
        if "group" in draft:
            cards = []
            seen: set[str] = set()
            for card in game.groups[game.group_names[draft["group"]]]:
                spoken = spoken_name(game, card)
                if UNNAMED in card and spoken in seen:
                    continue
                seen.add(spoken)
                hint = "" if card in legal else say("turn.loses")
                cards.append(Chip(str(game.card(card)), name(spoken), hint, faint=bool(hint)))
            parts.append(chips(say("turn.card"), "card", cards, _chosen(draft, "card")))
        ask = tag("button", say("turn.ask"), type="submit", class_="button main")
        parts.append(tag("div", ask, class_="buttons"))
        shown = [form("ask", *parts, draft="draft", id_="turn-form")]
        sure, possible = certain(position), declarable(position)
        declared = [
            button([say("turn.declare", group=spoken_name(game, game.group_names[g])), " ",
                    tag("small", say("turn.sure")) if g in sure else None],
                   "declare", data_group=g)
            for g in possible
        ]  # fmt: skip
        if declared:
            shown += [tag("h3", say("turn.declare_title", name=who)),
                      tag("div", *declared, class_="buttons")]  # fmt: skip
        return join_html(shown)

    def view_cards(self, sight: Table, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the hands in which every card can be."""
        say, game, position = self.say, sight.play.game, sight.play.position
        title = heading(say("cards.title"))
        try:
            counts = count_deals(position.form)
        except Undecided:
            return join_html([title, tag("p", say("cards.undecided"))])
        rows: list[Child] = []
        chosen = str(ui.get("at", ""))
        for group, cards in game.groups.items():
            numbers = [game.card(card) for card in cards]
            span = len(game.players) + 1
            aside = not any(number in counts.holders for number in numbers)
            label = spoken_name(game, group) if UNNAMED in group else group
            shown = say("cards.aside", group=label) if aside else label
            rows.append(tag("tr", tag("th", tag("span", shown), colspan=span, scope="colgroup"),
                            class_="category"))  # fmt: skip
            for number in [] if aside else numbers:
                card = spoken_name(game, game.cards[number])
                cells = []
                for p, player in enumerate(game.players):
                    share = counts.probability(number, p) if counts.total else Fraction(0)
                    kind = "yes" if share == 1 else "open" if share else "no"
                    text = {"yes": "✓", "no": "–"}.get(kind) or percent(share)
                    value = {"open": text}.get(kind) or say(f"cards.{kind}")
                    at = f"{number}.{p}"
                    inner = button(
                        text, "reason", class_="cell", data_at=at,
                        aria_label=say("cards.cell", card=card, player=player, value=value),
                        aria_pressed="true" if at == chosen else None,
                    )  # fmt: skip
                    look = f"{kind} {strength(share)}" if kind == "open" else kind
                    cells.append(tag("td", inner, class_=look))
                rows.append(tag("tr", tag("th", name(card), scope="row"), *cells))
        head = [tag("th", tag("span", name(player), class_="holder"), scope="col")
                for player in game.players]  # fmt: skip
        if not counts.holders:
            return join_html([title, tag("p", say("cards.all_aside"))])
        table = tag("table", tag("caption", say("cards.title"), class_="hidden"),
                    tag("thead", tag("tr", tag("td"), *head)), tag("tbody", *rows),
                    class_="sheet", data_grid=True)  # fmt: skip
        return join_html([title, tag("p", say("cards.deals", n=counts.total), class_="summary"),
                          tag("div", table, class_="wide"),
                          tag("p", say("cards.help"), class_="hint")])  # fmt: skip

    def do_reason(self, moment: Moment, intent: Intent) -> None:
        """Open a cell: why the card is, or is not, in the hand."""
        game = self.play(moment.log.text).game
        if _place(game, intent.values.get("at")) is None:
            raise BadInput("the page is out of date; reload it")
        moment.ui["at"] = intent.values["at"]
        moment.focus = "over-title"

    def do_close(self, moment: Moment, intent: Intent) -> None:
        """Close what is open."""
        super().do_close(moment, intent)
        moment.ui.pop("at", None)

    def over(self, sight: Sight, ui: dict[str, Any]) -> Html:
        """Return why a card is, or is not, in a hand."""
        assert isinstance(sight, Table)
        game = sight.play.game
        place = _place(game, ui.get("at"))
        if place is None:
            return Html()
        card, player = game.cards[place[0]], game.players[place[1]]
        try:
            lines = _lines(reason(sight.play, f"{card}={player}").text)
        except DeduceError as error:
            lines = [str(error)]
        title = self.say("cards.why", card=spoken_name(game, card), player=player)
        head = tag(
            "div",
            tag("h2", title, id="over-title", tabindex=-1),
            button("✕", "close", class_="button quiet", aria_label=self.say("cards.close")),
            class_="over-head",
        )
        items = [tag("li", line) for line in lines]
        return tag("section", head, tag("ul", *items, class_="proof"), class_="over",
                   aria_labelledby="over-title")  # fmt: skip

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
        lines = [line for part in result.text for line in _lines(part)]
        yield callout(tag("p", tag("strong", head)), *(tag("p", line) for line in lines),
                      kind="note" if result.valid else "bad")  # fmt: skip


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n") if line.strip()]


def _chosen(draft: Mapping[str, int], key: str) -> list[str]:
    return [str(draft[key])] if key in draft else []


def _place(game: Quartets, at: Any) -> tuple[int, int] | None:
    """Return the card and the player of a cell; ``None`` if there is no such cell."""
    if not isinstance(at, str):
        return None
    card, _, player = at.partition(".")
    if not (card.isdecimal() and player.isdecimal() and len(at) < 9):
        return None
    place = int(card), int(player)
    inside = place[0] < len(game.cards) and place[1] < len(game.players)
    return place if inside else None
