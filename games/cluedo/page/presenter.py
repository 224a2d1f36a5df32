"""The page of Cluedo: set-up, turns, sheet, log, advice, minds, accuse or wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial

from attrs import evolve

from deduce.errors import BadInput, Undecided
from deduce.logs.events import Log
from deduce.logs.json_values import unstructure
from deduce.pages.features.log import LogBook, Sight
from deduce.pages.hidden import hidden_page
from deduce.pages.html import Child, Chip, Html, button, choices, name, short, tag
from deduce.pages.presenter import Act, Feature, Presenter, View, Views, job_of
from deduce.pages.protocol import Intent, Job, Moment, Ui, index_of, strings
from deduce.pages.sentences import Texts
from games.cluedo.events import Hand, Has, HasNot, Suggestion
from games.cluedo.evidence import seen_log
from games.cluedo.game import viewer_of
from games.cluedo.notation import format_log
from games.cluedo.opponents.showing import showing_steps
from games.cluedo.page.setup import CluedoStart
from games.cluedo.page.sheet import CardTutor, DetectiveSheet, hand_of, hints
from games.cluedo.page.side import Sides, growing, patient, showing_html
from games.cluedo.page.turn import (
    TurnDraft,
    expected_suggester,
    is_over,
    show_callout,
    showable,
    turn_page,
    who_html,
)

__all__ = ["cluedo_page"]

FIELDS = "field", "value"
"""What a tap on a choice has."""

DRAWN_SHOWS = 16
"""How many deals are drawn for a card to show: fewer than the command does: a player waits."""


def cluedo_page() -> Presenter[Sight]:
    """Return the page of Cluedo."""
    return hidden_page(
        "cluedo",
        views=Views(
            ("sheet", "turn"), ("log", "advice", "minds", "accuse", "tutor", "share"), together=True
        ),
        book=CluedoLog,
        start=CluedoStart,
        tutor=CardTutor,
        sheet=DetectiveSheet,
        advice=None,
        own=lambda say, book: [Turns(say, book).feature(), Sides(say, book).feature()],
    )


class CluedoLog(LogBook):
    """The log of a game of Cluedo."""

    _last: tuple[str, Log] | None = None
    """The log that was read last, and its text."""

    def read(self, text: str) -> Log:
        """Return the log of a text; of one that was read before and goes on, only the rest is read.

        A line of an event means the same wherever it is, so the set-up and the new lines suffice.
        """
        last = self._last
        if last is None or not last[1].lines or not text.startswith(last[0]):
            log = super().read(text)
        else:
            (before, known), new = last, text[len(last[0]) :]
            lines_before = before.splitlines(keepends=True)
            count, first = len(lines_before), known.lines[0] - 1
            head = "".join(lines_before[:first])
            try:
                rest = super().read(head + new)
            except BadInput:  # with the right number of the line
                return super().read(text)
            lines = (*known.lines, *(number - first + count for number in rest.lines))
            log = Log(known.game, (*known.events, *rest.events), lines)
        if text.endswith("\n"):
            self._last = text, log
        return log

    def typed_example(self, sight: Sight) -> str:
        """Return an example of a line."""
        one, two, *_ = sight.game.players
        cards = ", ".join(cards[0] for cards in sight.game.deck.values())
        return f"{one}: {cards}; {two} -"

    def invitation(self, sight: Sight) -> str:
        """Return the log as a bystander sees it, without a keeper: no hand, no seen card."""
        game = evolve(sight.game, me=None)
        return format_log(game, list(seen_log(game, sight.log.events, None)))


class Turns:
    """The view ``turn``: the event that is entered by tapping, ``ui["turn"]``."""

    def __init__(self, say: Texts, book: LogBook) -> None:
        self.say, self._book = say, book

    def feature(self) -> Feature[Sight]:
        """Return the turns as a part of a page."""
        return Feature(
            views={"turn": View(self._view, ("turn", "tutor", "watch", "later", "held"))},
            intents={
                "pick": Act(self._pick, *FIELDS, of_players=True),
                "ask": Act(self._ask, "ask", of_players=True),
                "clear": Act(self._clear, of_players=True),
                "add": Act(self._add, of_players=True),
                "line": Act(self._correct, "event", "text", of_players=True),
                "suggest": Act(partial(self._begin, "suggestion"), "cards", of_players=True),
                "accusation": Act(partial(self._begin, "accusation"), "cards", of_players=True),
                "note": Act(self._note, "fact", of_players=True),
                "watch": Act(lambda moment, intent: moment.ui.update(watch=True)),
                "later": Act(lambda moment, intent: moment.ui.update(later=True), of_players=True),
                "hold": Act(self._hold, "value", of_players=True),
                "hand": Act(self._hand, of_players=True),
            },
            jobs={"show": self._show_job},
        )

    def _log(self, moment: Moment) -> Log:
        return self._book.read(moment.log.text)

    def _turn(self, log: Log, ui: Ui) -> TurnDraft:
        by = expected_suggester(log.game, log.events)
        draft = TurnDraft.from_ui(log.game, ui.get("turn"), by)
        if draft.event >= 0:  # unless the log was changed meanwhile
            events = log.events[draft.event : draft.event + 1]
            if [self._book.written(log, event) for event in events] != [draft.line]:
                return TurnDraft.new(log.game, by)
        return draft

    def _keep(self, moment: Moment, log: Log, draft: TurnDraft) -> None:
        """Keep a draft, and go to what it asks next."""
        asked = self._turn(log, moment.ui).question(log.game)
        moment.ui["turn"] = unstructure(draft)
        if draft.question(log.game) != asked and draft.event < 0:
            mine = showable(log.game, draft, moment.viewer or log.game.me)
            moment.focus = "mine" if mine else f"ask-{draft.question(log.game)}"

    # Intents

    def _pick(self, moment: Moment, intent: Intent) -> None:
        """Keep a choice."""
        log, (field, value) = self._log(moment), (intent.values.get(k, "") for k in FIELDS)
        self._keep(moment, log, self._turn(log, moment.ui).picked(log.game, field, value))

    def _ask(self, moment: Moment, intent: Intent) -> None:
        """Open a question again."""
        log = self._log(moment)
        self._keep(
            moment, log, evolve(self._turn(log, moment.ui), open=intent.values.get("ask", ""))
        )

    def _clear(self, moment: Moment, intent: Intent) -> None:
        """Empty the turn."""
        moment.ui.pop("turn", None)

    def _add(self, moment: Moment, intent: Intent) -> None:
        """Add the turn to the log, or correct the event that it was."""
        log = self._log(moment)
        draft = self._turn(log, moment.ui)
        event = draft.event_of(log.game, self.say, moment.viewer)
        log.game.check(event)
        line = self._book.written(log, event)
        if draft.event < 0:
            self._book.add(moment, line)
        else:
            moment.ui["line"] = draft.event
            self._book.open_line(moment, change=True)
            self._book.replace(moment, line, draft.event)
            moment.ui.pop("line")
        moment.ui.pop("turn", None)
        log = self._log(moment)
        moment.focus = f"ask-{self._turn(log, moment.ui).question(log.game)}"

    def _correct(self, moment: Moment, intent: Intent) -> None:
        """Open an event in the drawer, to correct it; one that it cannot show, as text."""
        log = self._log(moment)
        number = intent.index("event", len(log.events))
        draft = TurnDraft.of(log.game, log.events[number])
        if draft is None or intent.values.get("text"):
            self._book.open(moment, intent)
            return
        line = self._book.written(log, log.events[number])
        moment.ui["turn"] = unstructure(evolve(draft, event=number, line=line))
        self._book.views.open(moment.ui, "turn")
        moment.focus = "correct-title"

    def _begin(self, kind: str, moment: Moment, intent: Intent) -> None:
        """Begin a suggestion or an accusation of the viewer that the advice names."""
        log = self._log(moment)
        me = moment.viewer or log.game.me
        if me is None:
            raise BadInput(self.say("turn.who"))
        indexes = intent.values.get("cards", "").split()
        cards = [index_of(index, len(log.game.cards)) for index in indexes]
        fields = {"kind": kind, "by": me, "cards": cards}
        moment.ui["turn"] = unstructure(TurnDraft.from_ui(log.game, fields, me))
        self._book.views.open(moment.ui, "turn")
        moment.focus = f"ask-{self._turn(log, moment.ui).question(log.game)}"

    def _note(self, moment: Moment, intent: Intent) -> None:
        """Add to the log that the open cell is so, or is not so."""
        log = self._log(moment)
        fact = self._book.fact(moment, intent)
        card, holder = str(fact.variable), str(next(iter(fact.values)))
        seen_by = None if moment.viewer is None else (moment.viewer,)
        event = (HasNot if fact.negated else Has)(holder, card, seen_by)
        self._book.add(moment, self._book.written(log, event))
        moment.ui.pop("cell", None)

    def _held(self, log: Log, ui: Ui) -> list[int]:
        """Return the cards of the hand that is being tapped."""
        held = ui.get("held")
        cards = range(len(log.game.cards))
        return [card for card in held if card in cards] if isinstance(held, list) else []

    def _hold(self, moment: Moment, intent: Intent) -> None:
        """Add a card to the hand that is tapped, or take it back."""
        log = self._log(moment)
        card = index_of(intent.values.get("value", ""), len(log.game.cards))
        held = self._held(log, moment.ui)
        moment.ui["held"] = [*held, card] if card not in held else [c for c in held if c != card]

    def _hand(self, moment: Moment, intent: Intent) -> None:
        """Add the hand that was tapped to the log."""
        log = self._log(moment)
        me = moment.viewer or log.game.me
        if me is None:
            raise BadInput(self.say("turn.who"))
        cards = tuple(log.game.cards[card] for card in self._held(log, moment.ui))
        hand = Hand(me, cards)
        log.game.check(hand)
        self._book.add(moment, self._book.written(log, hand))
        moment.ui.pop("held", None)

    # Views

    def _asks_who(self, sight: Sight, ui: Ui, me: str | None) -> Html | None:
        """Return the question who one is and which cards one holds, if that is not in the log."""
        say, game = self.say, sight.game
        if me is None:
            if ui.get("watch") is True or sight.viewer is not None:
                return None
            who = who_html(say("who.title"), game.players)
            watch = button(say("who.watch"), "watch", class_="button quiet")
            return tag("div", who, watch, class_="turn", id="turn-form")
        with suppress(Undecided):
            low, high = game.hand_sizes()[me]
            rows = sight.knowledge.possible().values() if sight.consistent else []
            known = sum(row == frozenset([me]) for row in rows)
            if known >= low or not sight.consistent or ui.get("later") is True:
                return None
            held = self._held(sight.log, ui)
            title = say("who.hand" if low == high else "who.hand_open", n=len(held), low=low,
                        high=high)  # fmt: skip
            cards = [
                choices(short(category), "hold",
                        [Chip(str(game.cards.index(card)), name(card)) for card in row],
                        [str(card) for card in held], class_="cards")
                for category, row in game.groups().items()
            ]  # fmt: skip
            buttons = [button(say("who.done"), "hand", class_="button main",
                              disabled=not low <= len(held) <= high),
                       button(say("who.later"), "later", class_="button quiet")]  # fmt: skip
            ends = tag("div", *buttons, class_="buttons sticky")
            heads = tag("h3", title, role="status")
            return tag("div", heads, *cards, ends, class_="turn all", id="turn-form")
        return None

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the drawer of a turn."""
        game, knowledge = sight.game, sight.knowledge
        draft = self._turn(sight.log, ui)
        me = viewer_of(knowledge)
        known = {}
        if sight.consistent and not ui.get("tutor"):
            known = hints(self.say, knowledge, me)
        if draft.event >= 0:
            number = draft.event + 1
            return turn_page(self.say, game, draft, hints=known, me=me, above=None, number=number)
        if is_over(sight.log.events):
            return tag("p", self.say("turn.over"), class_="turn", id="turn-form")
        asked = self._asks_who(sight, ui, me)
        if asked is not None:
            return asked
        above: list[Child] = []
        if sight.consistent and me is not None and not ui.get("tutor"):
            above.append(self._mine(sight, draft, me, jobs))
            if draft.by == me and draft.is_untouched():
                jobs.append(job_of(sight, "advice", "advice"))
                above.append(tag("div", data_slot="advice", data_key="advised"))
        return turn_page(self.say, game, draft, hints=known, me=me, above=above)

    def _mine(self, sight: Sight, draft: TurnDraft, me: str, jobs: list[Job]) -> Child:
        """Return the question which card the viewer shows, if it is their turn to answer."""
        game = sight.game
        if not showable(game, draft, me):
            return None
        named = [game.cards[card] for card in draft.cards]
        held = hand_of(sight.knowledge, me, named)
        if held is None:
            return None
        slot = "-".join(map(str, ("show", game.players.index(draft.by), *draft.cards)))
        if len(held) > 1:
            order = draft.order(game)
            passes = [each for each in order[: order.index(me)] if each in draft.answers]
            jobs.append(job_of(sight, "show", slot, by=draft.by, cards=named, passes=passes))
        return show_callout(self.say, game, draft, held, me, slot)

    def _show_job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield what each card that can be shown would give away."""
        game = sight.game
        cards, passes = (tuple(strings(job.values, key)) for key in ("cards", "passes"))
        suggestion = Suggestion(str(job.values.get("by")), cards, passes)
        game.check(suggestion)
        steps = showing_steps(patient(sight), suggestion, samples=DRAWN_SHOWS)
        yield from growing(steps, lambda showing: showing_html(self.say, game, showing))
