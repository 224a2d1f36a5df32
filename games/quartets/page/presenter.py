"""The page of Blink Quartets: a referee for a real table.

No cards are seen, so the statements are all there is: the referee records them, shows what may be
said, whether any deal is still possible and why not, and in which hands every card can be. A single
state has a page of its own.
"""

from __future__ import annotations

from collections.abc import Iterator

from deduce.errors import BadInput, DeduceError
from deduce.logs.document import Document
from deduce.pages.features.log import Sight
from deduce.pages.features.share import Sharing
from deduce.pages.features.start import Start
from deduce.pages.features.tutor import Tutoring
from deduce.pages.html import (
    Chip,
    Html,
    button,
    chips,
    field,
    form,
    heading,
    join_html,
    listed,
    panel,
    submit,
    textarea,
    waiting,
)
from deduce.pages.presenter import Act, Feature, Presenter, View, Views, job_of
from deduce.pages.protocol import Intent, Job, Moment, Request, Screen, Ui
from deduce.pages.sentences import Texts, texts_of
from games.quartets.page.transcripts import (
    Transcripts,
    cards_html,
    is_state,
    paragraphs,
    state_page,
    verdict_html,
)
from games.quartets.page.turn import Turns
from games.quartets.setup import PRESETS, spoken_name
from games.quartets.verdict import Method, reason, verdict

__all__ = ["QuartetsPage"]


class Cards:
    """The views ``cards`` and ``verdict``.

    In the first a cell may be open, ``ui["cell"]``.
    """

    def __init__(self, say: Texts, book: Transcripts) -> None:
        self.say, self._book = say, book

    def feature(self) -> Feature[Sight]:
        """Return the cards as a part of a page."""
        return Feature(
            views={"cards": View(self._view, ("cell",)), "verdict": View(self._verdict)},
            intents={
                "why": Act(self._open, "fact", of_players=True),
            },
            jobs={"verdict": self._job},
            over=self._over,
        )

    def _open(self, moment: Moment, intent: Intent) -> None:
        """Open a cell: why the card is, or is not, in the hand."""
        self._book.fact(moment, intent)
        moment.ui["cell"] = intent.values["fact"]
        moment.focus = "over-title"

    def _view(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the hands in which every card can be."""
        session = self._book.session(sight.document)
        shown = cards_html(self.say, session.game, session.position.form, str(ui.get("cell", "")))
        return join_html([heading(self.say("cards.title")), shown])

    def _over(self, sight: Sight, ui: Ui) -> Html:
        """Return why a card is, or is not, in a hand; empty if no cell is open."""
        session = self._book.session(sight.document)
        opened = self._book.cell(sight.log, ui)
        if opened is None:
            return Html()
        card, player = str(opened[1].variable), next(iter(opened[1].values))
        try:
            lines = paragraphs(reason(session, f"{card}={player}").text)
        except DeduceError as error:
            lines = paragraphs(str(error))
        title = self.say("cards.why", card=spoken_name(session.game, card), player=player)
        return panel(title, listed(lines, class_="proof"), close=self.say("cards.close"))

    def _verdict(self, sight: Sight, ui: Ui, jobs: list[Job]) -> Html:
        """Return the place of the verdict, and the way to look back to every statement."""
        jobs.append(job_of(sight, "verdict", "verdict"))
        back = button(self.say("log.then"), "then", data_to=0) if sight.log.events else None
        return join_html([waiting(self.say("verdict.title"), "verdict"), back])

    def _job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield whether every statement leaves a deal, with a deal or the reason."""
        yield Html()
        result = verdict(self._book.session(sight.document), Method())
        head = self.say("verdict.valid" if result.valid else "verdict.invalid")
        yield verdict_html(head, result)


class QuartetsPage(Presenter[Sight]):
    """The page of transcripts, which passes single states on to theirs."""

    def __init__(self) -> None:
        say = texts_of("quartets")
        views = Views(("turn", "cards"), ("log", "advice", "verdict", "share"))
        book = Transcripts(say, "quartets", views)
        start = TableStart(say, "quartets", book.read)
        features: list[Feature[Sight]] = [
            Turns(say, book).feature(),
            Cards(say, book).feature(),
            start.feature(),
            book.feature(),
            Feature(above=book.conflict),
            Tutoring(say, book).alone(),
            Sharing[Sight](say, "quartets").feature(),
        ]
        super().__init__("quartets", say, book, views, start.setup, features)
        self._states = state_page()

    def answer(self, request: Request) -> Screen:
        """Return the screen after an intent."""
        if _is_of_state(request.document):
            return self._states.answer(request)
        return super().answer(request)

    def work(self, request: Request, job: Job) -> Iterator[Html]:
        """Yield the fragment of a job."""
        if _is_of_state(request.document):
            return self._states.work(request, job)
        return super().work(request, job)

    def screen(self, moment: Moment) -> Screen:
        """Return the screen of the moment as it is now."""
        if _is_of_state(moment.document):
            return self._states.screen(moment)
        return super().screen(moment)


def _is_of_state(document: Document | None) -> bool:
    return document is not None and is_state(document.text)


class TableStart(Start):
    """A new game: the players, the groups, the rules."""

    fields = ("players", "groups", "preset")

    def new_game(self) -> Html:
        """Return the form for a new game."""
        say = self.say
        presets = [Chip(preset, say(f"setup.preset.{preset}")) for preset in PRESETS]
        hint = say("setup.groups_hint")
        return form(
            "begin",
            field(say("setup.players"), "players", say("setup.default_players")),
            textarea(say("setup.groups"), "groups", "4 of 4", rows=5, hint=hint),
            chips(say("setup.preset"), "preset", presets, ["recommended"]),
            submit(say("setup.start"), class_="button main big"),
            id_="begin-form",
        )

    def begin(self, moment: Moment, intent: Intent) -> None:
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
        moment.begin(self.page, text)
