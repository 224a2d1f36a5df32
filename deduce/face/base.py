"""What the presenters of all games share: intents, steps with undo, cached fragments, files.

A presenter of a game with a log extends `deduce.face.logs.LogPresenter`; one of another kind, such
as `deduce.face.play.PlayFace`, extends `DocumentPresenter` itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from hashlib import sha256
from threading import Lock
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from attrs import evolve

from deduce import registry
from deduce.errors import BadInput, Contradiction, DeduceError, Undecided
from deduce.face.document import Document
from deduce.face.examples import example
from deduce.face.frame import Views, setup_frame
from deduce.face.html import Html, tag
from deduce.face.logviews import text_view
from deduce.face.presenter import Intent, Job, Moment, Notice, Request, Screen
from deduce.face.sentences import FRAME_TEXTS, LOG_TEXTS, SHARE_TEXTS, refused
from deduce.face.texts import Message, Table, Texts

__all__ = ["CACHED", "DocumentPresenter", "Recent", "Seen"]

CACHED = 12
"""How many logs and knowledges are kept; each is a few hundred kilobytes."""

Handler = Callable[[Moment, Intent], None]
T = TypeVar("T")


class Seen(Protocol):
    """A document as one viewer sees it."""

    @property
    def document(self) -> Document:
        """The document as it is kept."""
        ...

    @property
    def viewer(self) -> str | None:
        """The player whose page it is; ``None``: the page shows everything."""
        ...


class Recent(Generic[T]):
    """The values that were used last, by key; threads of a server may share them."""

    def __init__(self, size: int) -> None:
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self._size = size
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, made if it is not there.

        Nobody waits while a value is made: of two threads that make the same one, both get the one
        that was kept first.
        """
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            value = self._values.setdefault(key, value)
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)
            return value


class DocumentPresenter(ABC):
    """Draws a document; see `deduce.face.presenter` for the protocol.

    A subclass names its views and draws each by ``view_NAME(sight, ui, jobs)``; an intent ``NAME``
    is its method ``do_NAME(moment, intent)``, and a job its ``job_NAME(sight, job)``.
    """

    name: str
    """The name of the game in the registry."""

    views: Views
    """The views."""

    depends: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """View -> the keys of ``ui`` that it shows besides the document."""

    of_players: ClassVar[frozenset[str]] = frozenset({"view", "undo", "redo", "print"})
    """The intents of a player who shares the log with others; all others are refused."""

    tables: tuple[Table, ...] = ()
    """The texts of the game."""

    def __init__(self) -> None:
        self.say = Texts(*self.tables, LOG_TEXTS, SHARE_TEXTS, FRAME_TEXTS)
        self._fragments: Recent[tuple[Html, list[Job]]] = Recent(4 * CACHED)

    # The protocol

    def answer(self, request: Request) -> Screen:
        """Return the screen after an intent; see `Presenter.answer`."""
        moment = Moment.of(request)
        if request.intent is not None:
            try:
                self._handler(request.intent.do, request.viewer)(moment, request.intent)
                if moment.document is not request.document:
                    moment.ui.pop("then", None)
            except DeduceError as error:
                notices = [Notice(str(error), "bad")]
                moment = evolve(Moment.of(request), ui=moment.ui, notices=notices)
        return self.screen(moment)

    def work(self, request: Request, job: Job) -> Iterator[Html]:
        """Yield the fragment of a job, by the method ``job_NAME(sight, job)``."""
        method = getattr(self, f"job_{job.name}", None)
        if method is None or request.document is None:
            raise BadInput(refused("refused.job", name=job.name))
        sight = self.sight(self.shown(request.document, request.ui), request.viewer)
        try:
            yield from method(sight, job)
        except DeduceError as error:
            yield tag("p", str(error))

    def _handler(self, do: str, viewer: str | None) -> Handler:
        if viewer is not None and do not in self.of_players:
            raise BadInput(self.say("log.not_for_players"))
        handler: Handler | None = getattr(self, f"do_{do.replace(chr(45), chr(95))}", None)
        if handler is None:
            raise BadInput(refused("refused.intent", name=do))
        return handler

    # Intents

    def do_view(self, moment: Moment, intent: Intent) -> None:
        """Open a view."""
        self.views.open(moment.ui, intent.values.get("view", ""))

    def do_undo(self, moment: Moment, intent: Intent) -> None:
        """Take back the last step."""
        step = moment.log.step
        moment.document = moment.log.undo()
        moment.ui["news"] = []
        moment.note(self.say("done.undo", step=self.say.message(step) if step else ""))

    def do_redo(self, moment: Moment, intent: Intent) -> None:
        """Repeat the step that was undone last."""
        moment.document = moment.log.redo()
        moment.ui["news"] = []
        step = moment.log.step
        moment.note(self.say("done.redo", step=self.say.message(step) if step else ""))

    def do_text(self, moment: Moment, intent: Intent) -> None:
        """Replace the whole log by a text."""
        text = intent.first("text").replace("\r\n", "\n").rstrip() + "\n"
        document = moment.log
        self.read(text)
        moment.ui.pop("line", None)
        moment.ui.pop("cell", None)
        moment.document = document.to(text, (), step=Message("step.text"))
        moment.note(self.say("done.text"))

    def do_paste(self, moment: Moment, intent: Intent) -> None:
        """Begin with a text that was pasted."""
        text = intent.first("text").replace("\r\n", "\n").rstrip() + "\n"
        self.read(text)
        moment.begin(self.name, text)

    def do_example(self, moment: Moment, intent: Intent) -> None:
        """Begin with an example."""
        number = intent.index("example", 1000)
        moment.begin(self.name, example(self.name, self.read, number))

    def do_download(self, moment: Moment, intent: Intent) -> None:
        """Give the log to the person as a file."""
        suffix = registry.find(self.name).suffix or ".log"
        moment.download = f"{self.name}{suffix}", moment.log.text

    def do_print(self, moment: Moment, intent: Intent) -> None:  # noqa: B027
        """Do nothing here: the front end prints the page."""

    # What a presenter draws

    @abstractmethod
    def read(self, text: str) -> Any:
        """Return what a text states; raise `BadInput` if it cannot be read."""

    def shown(self, document: Document, ui: Mapping[str, Any]) -> Document:
        """Return the document that the page shows: it may look back to an earlier event."""
        return document

    @abstractmethod
    def sight(self, document: Document, viewer: str | None = None) -> Any:
        """Return a document as a viewer sees it; raise `BadInput` if it cannot be read."""

    @abstractmethod
    def frame(self, sight: Any, ui: dict[str, Any]) -> Html:
        """Return the frame of the page."""

    @abstractmethod
    def saved_title(self, document: Document) -> str:
        """Return the title of the game in the list of saved games."""

    def over(self, sight: Any, ui: dict[str, Any]) -> Html:
        """Return the panel over the others; empty if none is open."""
        return Html()

    def setup(self, moment: Moment) -> Html:
        """Return the page on which a game is set up."""
        return text_view(self.say, "", "")

    # Screens

    def screen(self, moment: Moment) -> Screen:
        """Return the screen of the moment as it is now."""
        if moment.document is None:
            return self._setup_screen(moment, self.setup)
        try:
            sight = self.sight(self.shown(moment.document, moment.ui), moment.viewer)
        except DeduceError as error:
            text, problem = moment.document.text, str(error)
            return self._setup_screen(moment, lambda _: text_view(self.say, text, problem))
        views = self.open_views(moment.viewer)
        moment.ui["view"], moment.ui["side"] = views.clean(moment.ui)
        fragments = {"frame": self.frame(sight, moment.ui)}
        jobs: list[Job] = []
        for view in self.views.main:
            fragments[view] = self.fragment(view, sight, moment.ui, jobs)
        side = moment.ui["side"]
        fragments["side"] = self.fragment(side, sight, moment.ui, jobs)
        fragments["over"] = self.over(sight, moment.ui)
        return self._screen(moment, fragments, tuple({job.key: job for job in jobs}.values()))

    def _setup_screen(self, moment: Moment, draw: Callable[[Moment], Html]) -> Screen:
        """Return the screen of a log that is not begun, or cannot be read."""
        if moment.viewer is None:
            shown = draw(moment)
        else:  # a player cannot begin or replace the log of all
            shown = tag("p", self.say("text.unreadable"), class_="bad")
        frame = setup_frame(self.say, title=self.say("title"))
        return self._screen(moment, {"frame": frame, "setup": shown}, ())

    def _screen(
        self, moment: Moment, fragments: Mapping[str, Html], jobs: tuple[Job, ...]
    ) -> Screen:
        title = "" if moment.document is None else self.saved_title(moment.document)
        return Screen(
            moment.document,
            moment.ui,
            fragments,
            tuple(moment.notices),
            jobs,
            title,
            moment.focus,
            moment.download,
        )

    def fragment(self, view: str, sight: Seen, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the fragment of a view, and add the jobs that it waits for."""
        draw: Callable[[Any, dict[str, Any], list[Job]], Html] = getattr(self, f"view_{view}")

        def drawn() -> tuple[Html, list[Job]]:
            own: list[Job] = []
            try:
                return draw(sight, ui, own), own
            except Undecided as error:
                return tag("p", str(error)), []
            except Contradiction:
                return tag("p", self.say("contradiction.none")), []

        parts = {key: ui.get(key) for key in self.depends.get(view, ())}
        key = view, sight.document.text, sight.document.assumed, sight.viewer, repr(parts)
        html, own = self._fragments.get(key, drawn)
        jobs += own
        return html

    def job(self, sight: Seen, name: str, slot: str, **values: Any) -> Job:
        """Return a job about a log, which is stale once the log or the values differ."""
        about = repr((sight.document.text, sight.document.assumed, sorted(values.items())))
        return Job(name, slot, f"{name} {sha256(about.encode()).hexdigest()[:16]}", values)

    def open_views(self, viewer: str | None) -> Views:
        """Return the views of a page; a player's page cannot pass on the whole log."""
        if viewer is None:
            return self.views
        return Views(self.views.main, [view for view in self.views.side if view != "share"])
