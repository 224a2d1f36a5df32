"""The presenter of Cluedo: set-up, turns, sheet, log, advice, minds, accuse or wait."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from attrs import evolve

from deduce.constraints import Fact
from deduce.errors import BadInput, Undecided
from deduce.face.examples import example_list, examples
from deduce.face.frame import Views
from deduce.face.html import Child, Html, join_html, short, tag
from deduce.face.logs import JOB_BUDGET, Sight
from deduce.face.parts import button, heading
from deduce.face.presenter import Intent, Job, Moment, index_of
from deduce.face.sentences import SLIPS_TEXTS, START_TEXTS, TUTOR_TEXTS, refused
from deduce.face.slips import Doubting
from deduce.knowledge import Knowledge
from deduce.text import join
from games.cluedo.advice import advise
from games.cluedo.events import Accusation, Has, HasNot, Suggestion
from games.cluedo.evidence import seen_log
from games.cluedo.face.setup import MAX_PLAYERS, Draft, setup_page
from games.cluedo.face.sheet import doubtful_sheet, hand_of, hints, holder_name, sheet_page
from games.cluedo.face.side import (
    advice_html,
    decision_html,
    minds_html,
    showing_html,
    waiting,
)
from games.cluedo.face.texts import TEXTS
from games.cluedo.face.turn import (
    PASS,
    TurnDraft,
    expected_suggester,
    show_callout,
    showable,
    turn_page,
)
from games.cluedo.game import viewer_of
from games.cluedo.notation.logs import format_log
from games.cluedo.notation.names import quote, tokens
from games.cluedo.opponents.accusing import DecisionWork
from games.cluedo.opponents.estimates import Work
from games.cluedo.opponents.minds import MindsWork
from games.cluedo.opponents.showing import ShowingWork

__all__ = ["CluedoFace"]

PAUSE = 0.4
"""Seconds between two estimates of a job that are shown."""

DRAWN_SHOWS, DRAWN_MINDS, DRAWN_GAMES = 16, 60, 60
"""How many deals the jobs draw: fewer than the commands do, because a player waits."""


class CluedoFace(Doubting):
    """The face of Cluedo; see `deduce.face.presenter.Presenter`."""

    name = "cluedo"
    views = Views(("turn", "sheet"), ("log", "advice", "minds", "accuse", "tutor", "share"))
    depends: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "turn": ("turn", "tutor"),
        "sheet": ("cell", "news", "tutor", "marks", "judged", "slips"),
        "log": ("cell", "line"),
        "tutor": ("tutor", "marks", "asked"),
    }
    tables = (TEXTS, SLIPS_TEXTS, TUTOR_TEXTS, START_TEXTS)
    of_players = Doubting.of_players | {
        "draft", "answer", "nobody", "clear", "add", "suggest", "accusation", "note",
    }  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self._examples: list[tuple[str, str]] | None = None

    # Set-up

    def setup(self, moment: Moment) -> Html:
        """Return the set-up page."""
        if self._examples is None:
            self._examples = list(examples(self.name, self.read))
        page = setup_page(self.say, Draft.from_ui(self.say, moment.ui.get("setup")))
        return join_html([page, example_list(self.say, self._examples)])

    def _draft(self, moment: Moment, intent: Intent) -> Draft:
        return Draft.from_ui(self.say, moment.ui.get("setup")).changed(intent)

    def do_setup(self, moment: Moment, intent: Intent) -> None:
        """Keep what is chosen on the set-up page."""
        moment.ui["setup"] = self._draft(moment, intent).to_ui()

    def do_start(self, moment: Moment, intent: Intent) -> None:
        """Begin the game."""
        draft = self._draft(moment, intent)
        moment.ui["setup"] = draft.to_ui()
        moment.begin(self.name, draft.text(self.say))

    def do_seat_add(self, moment: Moment, intent: Intent) -> None:
        """Add a player."""
        draft = self._draft(moment, intent)
        if len(draft.players) < MAX_PLAYERS:
            player = self.say("setup.player", n=len(draft.players) + 1)
            draft = evolve(draft, players=(*draft.players, player), more=())
        moment.ui["setup"] = draft.to_ui()

    def do_seat_remove(self, moment: Moment, intent: Intent) -> None:
        """Remove a player."""
        draft = self._draft(moment, intent)
        seat = intent.index("seat", len(draft.players))
        players = draft.players[:seat] + draft.players[seat + 1 :]
        me = draft.me
        if me is not None and me >= seat:
            me = None if me == seat else me - 1
        moment.ui["setup"] = evolve(draft, players=players, me=me, more=()).to_ui()

    def do_seat_up(self, moment: Moment, intent: Intent) -> None:
        """Move a player one seat up."""
        draft = self._draft(moment, intent)
        seat = intent.index("seat", len(draft.players))
        if seat:
            players = list(draft.players)
            players[seat - 1 : seat + 1] = players[seat], players[seat - 1]
            moved = {seat: seat - 1, seat - 1: seat}
            me = None if draft.me is None else moved.get(draft.me, draft.me)
            more = tuple(moved.get(each, each) for each in draft.more)
            draft = evolve(draft, players=tuple(players), me=me, more=more)
        moment.ui["setup"] = draft.to_ui()

    def mark_names(self, variable: Any, value: Any) -> tuple[str, str]:
        """Return the card and the holder."""
        return str(variable), holder_name(self.say, str(value))

    # Turns

    def _turn(self, sight_or_log: Any, ui: dict[str, Any]) -> TurnDraft:
        log = sight_or_log
        by = expected_suggester(log.game, log.events)
        return TurnDraft.from_ui(log.game, ui.get("turn"), by)

    def do_draft(self, moment: Moment, intent: Intent) -> None:
        """Keep what is tapped of a turn."""
        log = self.read(moment.log.text)
        moment.ui["turn"] = self._turn(log, moment.ui).changed(log.game, intent).to_ui()

    def do_answer(self, moment: Moment, intent: Intent) -> None:
        """Keep one answer."""
        log = self.read(moment.log.text)
        seat = intent.index("seat", len(log.game.players))
        draft = self._turn(log, moment.ui)
        answers = {**draft.answers, seat: intent.values.get("answer", PASS)}
        draft = evolve(draft, answers=answers).tidied(log.game, (f"a{seat}",))
        moment.ui["turn"] = draft.to_ui()

    def do_nobody(self, moment: Moment, intent: Intent) -> None:
        """Keep that all others pass."""
        log = self.read(moment.log.text)
        draft = self._turn(log, moment.ui).changed(log.game, intent)
        answers = dict.fromkeys(draft.order(log.game), PASS)
        moment.ui["turn"] = evolve(draft, answers=answers).to_ui()

    def do_clear(self, moment: Moment, intent: Intent) -> None:
        """Empty the turn."""
        moment.ui.pop("turn", None)

    def do_add(self, moment: Moment, intent: Intent) -> None:
        """Add the turn to the log."""
        log = self.read(moment.log.text)
        draft = self._turn(log, moment.ui).changed(log.game, intent)
        moment.ui["turn"] = draft.to_ui()
        event = draft.event(log.game, self.say, moment.viewer)
        log.game.check(event)
        self.add(moment, self.written(log, event))
        moment.ui.pop("turn", None)
        moment.focus = "turn-form"

    def do_suggest(self, moment: Moment, intent: Intent) -> None:
        """Begin a suggestion of the viewer that the advice names."""
        self._begin(moment, intent, "suggestion")

    def do_accusation(self, moment: Moment, intent: Intent) -> None:
        """Begin an accusation of the viewer."""
        self._begin(moment, intent, "accusation")

    def _begin(self, moment: Moment, intent: Intent, kind: str) -> None:
        log = self.read(moment.log.text)
        me = moment.viewer or log.game.me
        if me is None:
            raise BadInput(self.say("turn.who"))
        draft = TurnDraft.new(log.game, log.game.players.index(me), kind)
        cards = [
            index_of(index, len(log.game.cards)) for index in intent.values.get("cards", "").split()
        ]
        fields = draft.to_ui() | {"cards": cards}
        moment.ui["turn"] = TurnDraft.from_ui(log.game, fields, draft.by).to_ui()
        self.views.open(moment.ui, "turn")
        moment.focus = "turn-form"

    def do_note(self, moment: Moment, intent: Intent) -> None:
        """Add to the log that the open cell is so, or is not so."""
        log = self.read(moment.log.text)
        claim = intent.values.get("fact", "")
        fact = self.claim_reader(log)(claim)
        card, holder = str(fact.variable), str(next(iter(fact.values)))
        seen_by = None if moment.viewer is None else (moment.viewer,)
        event = (HasNot if fact.negated else Has)(holder, card, seen_by)
        self.add(moment, self.written(log, event))
        moment.ui.pop("cell", None)

    # Views

    def view_turn(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
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
            jobs.append(
                self.job(
                    sight,
                    "show",
                    "show",
                    by=draft.by,
                    cards=list(draft.cards),
                    passes=passes,
                )
            )
        return show_callout(self.say, game, draft, held, me)

    def view_sheet(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the detective's sheet."""
        if ui.get("slips"):
            return self.doubts_frame(sight, jobs)
        if sight.consistent is False:
            problem = tag("p", self.say("sheet.contradiction"))
            return join_html([problem, self.doubts_button(sight)])
        if ui.get("tutor"):
            return self.marking_sheet(sight, ui)
        if viewer_of(sight.knowledge) is not None:
            jobs.append(self.job(sight, "advice", "advice"))  # ready before its view is opened
        news, chosen = ui.get("news") or (), str(ui.get("cell", ""))
        sheet = sheet_page(self.say, sight.knowledge, news=news, chosen=chosen)
        return join_html([sheet, self.doubts_button(sight)])

    def doubtful_sheet(self, sight: Sight, knowledge: Knowledge) -> Html:
        """Return the sheet when answers may be wrong."""
        return doubtful_sheet(self.say, sight.knowledge, knowledge,
                              consistent=sight.consistent is True)  # fmt: skip

    def cell_actions(self, sight: Sight, fact: Fact, cell: str) -> Child:
        """Return the buttons that add a fact to the log."""
        if sight.knowledge.is_certain(fact):
            return None
        return [
            button(self.say("cell.has"), "note", data_fact=cell),
            button(self.say("cell.has_not"), "note", data_fact=f"{cell}!"),
        ]

    def typed_example(self, sight: Sight) -> str:
        """Return an example of a line."""
        one, two, *_ = sight.game.players
        cards = ", ".join(cards[0] for cards in sight.game.deck.values())
        return f"{one}: {cards}; {two} -"

    def invitation(self, sight: Sight) -> str | None:
        """Return the log as a bystander sees it, without a keeper: no hand, no seen card."""
        game = evolve(sight.game, me=None)
        return format_log(game, list(seen_log(game, sight.log.events, None)))

    def view_advice(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return what to suggest."""
        return self._side(sight, jobs, "advice", above=self._solved(sight))

    def _solved(self, sight: Sight) -> Child:
        questions = sight.game.questions()
        try:
            certain = sight.knowledge.certain() if sight.consistent else {}
        except Undecided:
            return None
        solution = [card for question in questions for card in question
                    if certain.get(card) == "envelope"]  # fmt: skip
        if len(solution) < len(questions):
            return None
        return tag("p", tag("strong", self.say("advice.certain", cards=join(solution))))

    def view_minds(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return what the others know."""
        return self._side(sight, jobs, "minds")

    def view_accuse(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return whether to accuse or to wait."""
        return self._side(sight, jobs, "accuse")

    def _side(self, sight: Sight, jobs: list[Job], name: str, *, above: Child = None) -> Html:
        if viewer_of(sight.knowledge) is None:
            players = [
                button(short(player), "me", data_seat=seat)
                for seat, player in enumerate(sight.game.players)
            ]
            asked = tag("p", self.say(f"{name}.no_me"))
            buttons = tag("div", *players, class_="buttons")
            return join_html([heading(self.say(f"{name}.title")), asked, buttons])
        if sight.consistent is False:
            return tag("p", self.say("contradiction.none"))
        jobs.append(self.job(sight, name, name))
        return waiting(self.say(f"{name}.title"), name, above)

    def do_me(self, moment: Moment, intent: Intent) -> None:
        """Make a player the keeper of the log, whose view it is from now on."""
        players = self.read(moment.log.text).game.players
        lines = self.lines(moment.log)
        words = ([token.text.lower() for token in tokens(line)[:2]] for line in lines)
        after = next((at for at, two in enumerate(words, start=1) if two == ["players", ":"]), 0)
        me = f"me: {quote(players[intent.index('seat', len(players))])}"
        self.change(moment, after, after, [me], "step.add")

    # Jobs

    def job_advice(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield the most informative suggestions."""
        yield Html()
        advice = advise(sight.knowledge.using(budget=JOB_BUDGET))
        yield advice_html(self.say, sight.game, advice)

    def job_minds(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield what the others know, by estimates that become better."""
        work = MindsWork(self._patient(sight), samples=DRAWN_MINDS)
        yield from self._growing(work, lambda minds: minds_html(self.say, minds))

    def job_accuse(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield whether to accuse or to wait, by estimates that become better."""
        work = DecisionWork(self._patient(sight), samples=DRAWN_GAMES)
        yield from self._growing(work, lambda d: decision_html(self.say, sight.game, d))

    def job_show(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield what each card that can be shown would give away."""
        game = sight.game
        by, cards, passes = (job.values.get(key) for key in ("by", "cards", "passes"))
        suggestion = Suggestion(
            _chosen(game.players, [by])[0],
            _chosen(game.cards, cards),
            _chosen(game.players, passes),
        )
        game.check(suggestion)
        work = ShowingWork(self._patient(sight), suggestion, samples=DRAWN_SHOWS)
        yield from self._growing(work, lambda showing: showing_html(self.say, showing))

    def _patient(self, sight: Sight) -> Knowledge:
        return sight.knowledge.using(budget=evolve(JOB_BUDGET, seconds=30.0))

    def _growing(self, work: Work[Any], draw: Callable[[Any], Html]) -> Iterator[Html]:
        """Yield what is known after each step: HTML now and then, and when the time is up."""
        shown = time.monotonic()
        with suppress(Undecided):
            for _ in work.steps():
                if time.monotonic() - shown > PAUSE:
                    shown = time.monotonic()
                    yield draw(work.result())
                else:
                    yield Html()
        yield draw(work.result())


def _chosen(names: Sequence[str], indexes: Any) -> tuple[str, ...]:
    """Return the names at the indexes that a page sent back."""
    if not isinstance(indexes, list):
        raise BadInput(refused("refused.old_page"))
    return tuple(names[index_of(str(index), len(names))] for index in indexes)
