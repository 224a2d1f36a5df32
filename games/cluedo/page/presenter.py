"""The page of Cluedo: set-up, turns, sheet, log, advice, minds, accuse or wait."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from deduce.errors import BadInput
from deduce.logs.events import Log
from deduce.pages.features.log import LogBook, Sight
from deduce.pages.hidden import hidden_page
from deduce.pages.html import Child, Html
from deduce.pages.presenter import Act, Feature, Presenter, View, Views, job_of
from deduce.pages.protocol import Intent, Job, Moment, Ui, index_of
from deduce.pages.sentences import Texts
from games.cluedo.events import Accusation, Has, HasNot, Suggestion
from games.cluedo.evidence import seen_log
from games.cluedo.game import viewer_of
from games.cluedo.notation.logs import format_log
from games.cluedo.opponents.showing import ShowingWork
from games.cluedo.page.setup import CluedoStart
from games.cluedo.page.sheet import CardTutor, DetectiveSheet, hand_of, hints
from games.cluedo.page.side import Sides, chosen, growing, patient, showing_html
from games.cluedo.page.texts import TEXTS
from games.cluedo.page.turn import (
    PASS,
    TurnDraft,
    expected_suggester,
    show_callout,
    showable,
    turn_page,
)

__all__ = ["cluedo_page"]

DRAWN_SHOWS = 16
"""How many deals are drawn for a card to show: fewer than the command does: a player waits."""


def cluedo_page() -> Presenter[Sight]:
    """Return the page of Cluedo."""
    return hidden_page(
        "cluedo",
        TEXTS,
        views=Views(("turn", "sheet"), ("log", "advice", "minds", "accuse", "tutor", "share")),
        book=CluedoLog,
        start=CluedoStart,
        tutor=CardTutor,
        sheet=DetectiveSheet,
        advice=None,
        own=lambda say, book: [Turns(say, book).feature(), Sides(say, book).feature()],
    )


class CluedoLog(LogBook):
    """The log of a game of Cluedo."""

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
        form = ("kind", "by", "c*", "a*", "right", "card", "has")
        return Feature(
            views={"turn": View(self._view, ("turn", "tutor"))},
            intents={
                "draft": Act(self._keep, *form, of_players=True),
                "answer": Act(self._answer, "seat", "answer", of_players=True),
                "nobody": Act(self._nobody, *form, of_players=True),
                "clear": Act(self._clear, of_players=True),
                "add": Act(self._add, *form, of_players=True),
                "suggest": Act(self._suggest, "cards", of_players=True),
                "accusation": Act(self._accuse, "cards", of_players=True),
                "note": Act(self._note, "fact", of_players=True),
            },
            jobs={"show": self._show_job},
        )

    def _log(self, moment: Moment) -> Log:
        return self._book.read(moment.log.text)

    def _turn(self, log: Log, ui: Ui) -> TurnDraft:
        by = expected_suggester(log.game, log.events)
        return TurnDraft.from_ui(log.game, ui.get("turn"), by)

    def _changed(self, moment: Moment, intent: Intent) -> TurnDraft:
        log = self._log(moment)
        return self._turn(log, moment.ui).changed(log.game, intent)

    # Intents

    def _keep(self, moment: Moment, intent: Intent) -> None:
        """Keep what is tapped of a turn."""
        moment.ui["turn"] = self._changed(moment, intent).to_ui()

    def _answer(self, moment: Moment, intent: Intent) -> None:
        """Keep one answer."""
        log = self._log(moment)
        seat = intent.index("seat", len(log.game.players))
        draft = self._turn(log, moment.ui)
        answers = {**draft.answers, seat: intent.values.get("answer", PASS)}
        draft = evolve(draft, answers=answers).tidied(log.game, (f"a{seat}",))
        moment.ui["turn"] = draft.to_ui()

    def _nobody(self, moment: Moment, intent: Intent) -> None:
        """Keep that all others pass."""
        draft = self._changed(moment, intent)
        answers = dict.fromkeys(draft.order(self._log(moment).game), PASS)
        moment.ui["turn"] = evolve(draft, answers=answers).to_ui()

    def _clear(self, moment: Moment, intent: Intent) -> None:
        """Empty the turn."""
        moment.ui.pop("turn", None)

    def _add(self, moment: Moment, intent: Intent) -> None:
        """Add the turn to the log."""
        log = self._log(moment)
        draft = self._changed(moment, intent)
        moment.ui["turn"] = draft.to_ui()
        event = draft.event(log.game, self.say, moment.viewer)
        log.game.check(event)
        self._book.add(moment, self._book.written(log, event))
        moment.ui.pop("turn", None)
        moment.focus = "turn-form"

    def _suggest(self, moment: Moment, intent: Intent) -> None:
        """Begin a suggestion of the viewer that the advice names."""
        self._begin(moment, intent, "suggestion")

    def _accuse(self, moment: Moment, intent: Intent) -> None:
        """Begin an accusation of the viewer."""
        self._begin(moment, intent, "accusation")

    def _begin(self, moment: Moment, intent: Intent, kind: str) -> None:
        log = self._log(moment)
        me = moment.viewer or log.game.me
        if me is None:
            raise BadInput(self.say("turn.who"))
        draft = TurnDraft.new(log.game, log.game.players.index(me), kind)
        cards = [
            index_of(index, len(log.game.cards)) for index in intent.values.get("cards", "").split()
        ]
        fields = draft.to_ui() | {"cards": cards}
        moment.ui["turn"] = TurnDraft.from_ui(log.game, fields, draft.by).to_ui()
        self._book.views.open(moment.ui, "turn")
        moment.focus = "turn-form"

    def _note(self, moment: Moment, intent: Intent) -> None:
        """Add to the log that the open cell is so, or is not so."""
        log = self._log(moment)
        fact = self._book.fact(moment, intent)
        card, holder = str(fact.variable), str(next(iter(fact.values)))
        seen_by = None if moment.viewer is None else (moment.viewer,)
        event = (HasNot if fact.negated else Has)(holder, card, seen_by)
        self._book.add(moment, self._book.written(log, event))
        moment.ui.pop("cell", None)

    # Views

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the form of a turn."""
        game, knowledge = sight.game, sight.knowledge
        draft = self._turn(sight.log, ui)
        me = viewer_of(knowledge)
        known = {}
        if sight.consistent and not ui.get("tutor"):
            known = hints(self.say, knowledge, me)
        over = any(isinstance(e, Accusation) and e.correct for e in sight.log.events)
        mine = self._mine(sight, draft, me, jobs) if sight.consistent else None
        return turn_page(self.say, game, draft, hints=known, me=me, over=over, mine=mine)

    def _mine(self, sight: Sight, draft: TurnDraft, me: str | None, jobs: list[Job]) -> Child:
        """Return the question which card the viewer shows, if it is their turn to answer."""
        game = sight.game
        if me is None or not showable(game, draft, (), me):
            return None
        named = [game.cards[card] for card in draft.cards]
        held = hand_of(sight.knowledge, me, named)
        if held is None:
            return None
        if len(held) > 1:
            passed = tuple(seat for seat, answer in draft.answers.items() if answer == PASS)
            order = draft.order(game)
            before = order[: order.index(game.players.index(me))]
            passes = [seat for seat in before if seat in passed]
            cards = list(draft.cards)
            jobs.append(job_of(sight, "show", "show", by=draft.by, cards=cards, passes=passes))
        return show_callout(self.say, game, draft, held, me)

    def _show_job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield what each card that can be shown would give away."""
        game = sight.game
        [by] = chosen(game.players, [job.values.get("by")])
        cards = chosen(game.cards, job.values.get("cards"))
        suggestion = Suggestion(by, cards, chosen(game.players, job.values.get("passes")))
        game.check(suggestion)
        work = ShowingWork(patient(sight), suggestion, samples=DRAWN_SHOWS)
        yield from growing(work, lambda showing: showing_html(self.say, showing))
