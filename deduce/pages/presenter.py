"""A presenter: it has features, each with its views, intents and jobs.

A `Document` is the text that is kept, with its steps. A `Source` makes of it what one viewer sees,
a value with the attributes of `Seen`: an `Opened`, made by a `Reader`, where nothing is hidden; a
`deduce.pages.features.log.Sight`, made by its ``LogBook``, where there is knowledge. A `View` draws
such a value; `Views` says which views a page has. The handler of a tap changes a `Moment`
(document, ``ui``, notices), and then all views are drawn again: the `Screen`.

A feature is built by a class of `deduce.pages.features`, or by a game; the first feature that has a
name decides, so a game names its own features before those that all games share. Tables are all
that is looked up: an intent or a job that no feature has is refused, and a handler gets only the
fields that its feature declares.
"""

from __future__ import annotations

from collections import ChainMap, OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from threading import Lock
from typing import Generic, Protocol, TypeVar

from attrs import evolve, frozen

from deduce.errors import BadInput, Contradiction, DeduceError
from deduce.logs.document import Document
from deduce.pages.html import Child, Html, button, callout, form, problem, submit, tag, textarea
from deduce.pages.protocol import Intent, Job, Moment, Notice, Request, Screen, Ui
from deduce.pages.sentences import Texts, refused
from deduce.system.language import spoken

__all__ = [
    "CACHED",
    "Act",
    "Feature",
    "Opened",
    "Presenter",
    "Reader",
    "Recent",
    "Seen",
    "Source",
    "View",
    "Views",
    "is_puzzle",
    "job_of",
    "redo",
    "text_form",
    "undo",
]

CACHED = 12
"""How many logs and knowledges are kept; each is a few hundred kilobytes."""

T = TypeVar("T")


class Seen(Protocol):
    """A document as one viewer sees it."""

    @property
    def document(self) -> Document:
        """The document as it is kept."""

    @property
    def viewer(self) -> str | None:
        """The player whose page it is; ``None``: the page shows everything."""


S = TypeVar("S", bound=Seen)
S_contra = TypeVar("S_contra", bound=Seen, contravariant=True)


class Recent(Generic[T]):
    """The values that were used last, by key and language; threads of a server may share them."""

    def __init__(self, size: int) -> None:
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self._size = size
        self._lock = Lock()

    @property
    def last(self) -> T | None:
        """The value that was used last, if there is one."""
        with self._lock:
            return next(reversed(self._values.values()), None)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of a key, made if it is not there.

        No thread waits while a value is made: of two that make the same one, both get the one
        that was kept first.
        """
        key = spoken(), key
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


# Features


@frozen(init=False)
class Act:
    """The handler of an intent.

    Parameters
    ----------
    do
        Changes the moment; a `DeduceError` changes nothing, and is shown.
    fields
        The values and the controls that the handler gets, as `Intent.only` takes them.
    of_players
        Whether a player who shares the log with others may send it.
    """

    do: Callable[[Moment, Intent], None]
    fields: frozenset[str]
    of_players: bool

    def __init__(
        self, do: Callable[[Moment, Intent], None], *fields: str, of_players: bool = False
    ) -> None:
        self.__attrs_init__(do, frozenset(fields), of_players)


@frozen
class View(Generic[S_contra]):
    """A view: how it is drawn, and the keys of ``ui`` that it shows besides the document."""

    draw: Callable[[S_contra, Ui, list[Job]], Html]
    depends: tuple[str, ...] = ()


@frozen
class Feature(Generic[S_contra]):
    """What a part of a page adds to it.

    Parameters
    ----------
    views, intents, jobs
        By name. A job yields its fragment, as `GamePage.work` does.
    at_once
        What is shown until the first fragment of the job of the name; empty if there is nothing.
    above
        What is shown above all views, such as a contradiction.
    over
        The panel over the views; empty if none is open.
    """

    views: Mapping[str, View[S_contra]] = {}
    intents: Mapping[str, Act] = {}
    jobs: Mapping[str, Callable[[S_contra, Job], Iterator[Html]]] = {}
    at_once: Mapping[str, Callable[[S_contra], Html]] = {}
    above: Callable[[S_contra, Ui], Sequence[Child]] | None = None
    over: Callable[[S_contra, Ui], Html] | None = None


class Source(Protocol[S]):
    """Reads the documents of a game."""

    def read(self, text: str) -> object:
        """Return what a text states; raise `BadInput` if it cannot be read."""

    def sight(self, document: Document, ui: Ui, viewer: str | None) -> S:
        """Return a document as a viewer sees it; raise `BadInput` if it cannot be read."""

    def saved_title(self, document: Document) -> str:
        """Return the title of the game in the list of saved games."""

    def subtitle(self, sight: S) -> Child:
        """Return what is beside the title in the bar."""


@frozen
class Opened(Generic[T]):
    """A document of a page on which nothing is hidden, and what its text states."""

    document: Document
    value: T
    viewer: str | None = None


class Reader(Generic[T]):
    """Reads documents of which the text is all: the `Source` of `Opened`.

    Parameters
    ----------
    say
        The texts.
    parse
        Returns what a text states; raises `BadInput` if it cannot be read.
    """

    def __init__(self, say: Texts, parse: Callable[[str], T]) -> None:
        self.say, self._parse = say, parse
        self._opened: Recent[T] = Recent(4 * CACHED)

    def feature(self) -> Feature[Opened[T]]:
        """Return what is shown of it as a part of a page."""
        raise NotImplementedError

    def read(self, text: str) -> T:
        """Return what a text states; raise `BadInput` if it cannot be read."""
        return self._opened.get(text, lambda: self._parse(text))

    def sight(self, document: Document, ui: Ui, viewer: str | None) -> Opened[T]:
        """Return what a document states."""
        return Opened(document, self.read(document.text), viewer)

    def title(self, value: T) -> str:
        """Return what is said of a value in the list of saved games, and beside the title."""
        return self.say.heading

    def saved_title(self, document: Document) -> str:
        """Return the title of the game in the list of saved games."""
        try:
            return self.title(self.read(document.text))
        except DeduceError:
            return self.say.heading

    def subtitle(self, sight: Opened[T]) -> Child:
        """Return what is beside the title in the bar."""
        return self.title(sight.value)


def job_of(sight: Seen, name: str, slot: str, **values: object) -> Job:
    """Return a job about a log, which is stale once the log or the values differ."""
    about = repr((sight.document.text, sight.document.assumed, sorted(values.items())))
    return Job(name, slot, f"{name} {sha256(about.encode()).hexdigest()[:16]}", values)


def is_puzzle(ui: Mapping[str, object]) -> bool:
    """Return whether the page shows a puzzle whose answers are hidden."""
    return ui.get("puzzle") is True and bool(ui.get("tutor"))


MAX_TABS = 5
"""How many tabs are below the views of a phone; what has no place is under "More"."""

FIRST = ("advice",)
"""Side views that keep a tab of their own."""


@frozen
class Views:
    """The views of a game: main panes, and side views of which one is open.

    With ``together``, a phone shows the main panes on one screen: the first one scrolls above the
    others, which stay in place.
    """

    main: Sequence[str]
    side: Sequence[str]
    together: bool = False

    def tabs(self, ui: Ui) -> list[tuple[str, str, bool]]:
        """Return the tabs of a phone: a name, the view that it opens, whether it is open."""
        view, side = self.clean(ui)
        entries = [(name, name, name == view) for name in self.main]
        if self.together:
            entries = [("together", self.main[0], view in self.main)]
        if len(entries) + len(self.side) <= MAX_TABS:
            return entries + [(name, name, name == view) for name in self.side]
        entries += [(name, name, name == view) for name in self.side if name in FIRST]
        rest = [name for name in self.side if name not in FIRST]
        return [*entries, ("more", side if side in rest else rest[0], view in rest)]

    def clean(self, ui: Ui) -> tuple[str, str]:
        """Return the view that is open on a phone, and the side view that is open."""
        view, side = str(ui.get("view")), str(ui.get("side"))
        return (
            view if view in (*self.main, *self.side) else self.main[0],
            side if side in self.side else self.side[0],
        )

    def open(self, ui: Ui, view: str) -> None:
        """Open a view; an unknown one is ignored."""
        if view in (*self.main, *self.side):
            ui["view"] = view
        if view in self.side:
            ui["side"] = view


class Presenter(Generic[S]):
    """The page of a game: a `deduce.pages.protocol.GamePage` that is made of features.

    Parameters
    ----------
    name
        The name of the page.
    say
        The texts.
    source
        Reads the documents.
    views
        The views, each of which a feature draws.
    setup
        Draws the page on which a game is set up.
    features
        The features; the first that has a name decides.
    """

    def __init__(
        self,
        name: str,
        say: Texts,
        source: Source[S],
        views: Views,
        setup: Callable[[Moment], Html],
        features: Sequence[Feature[S]],
    ) -> None:
        self.name, self.say, self.views, self._setup, self._source = name, say, views, setup, source
        steps = {  # of features that have no such intent of their own
            "view": Act(self._open, "view", of_players=True),
            "undo": Act(lambda moment, intent: undo(say, moment), of_players=True),
            "redo": Act(lambda moment, intent: redo(say, moment), of_players=True),
        }
        features = [*features, Feature(intents=steps)]
        self._drawn = ChainMap(*(dict(feature.views) for feature in features))
        self.intents = ChainMap(*(dict(feature.intents) for feature in features))
        self.jobs = ChainMap(*(dict(feature.jobs) for feature in features))
        self._at_once = ChainMap(*(dict(feature.at_once) for feature in features))
        self._above = [feature.above for feature in features if feature.above]
        self._over = [feature.over for feature in features if feature.over]
        self._fragments: Recent[tuple[Html, list[Job]]] = Recent(4 * CACHED)

    # The protocol

    def read(self, text: str) -> object:
        """Return what a text states; see `GamePage.read`."""
        return self._source.read(text)

    def answer(self, request: Request) -> Screen:
        """Return the screen after an intent; see `GamePage.answer`."""
        moment = Moment.of(request)
        if request.intent is not None:
            try:
                self._take(moment, request.intent)
                if moment.document is not request.document:
                    moment.ui.pop("then", None)
            except DeduceError as error:
                notices = [Notice(str(error), "bad")]
                moment = evolve(Moment.of(request), ui=moment.ui, notices=notices)
        return self.screen(moment)

    def work(self, request: Request, job: Job) -> Iterator[Html]:
        """Yield the fragment of a job; see `GamePage.work`."""
        if job.name not in self.jobs or request.document is None:
            raise BadInput(refused("refused.job", name=job.name))
        sight = self._source.sight(request.document, dict(request.ui), request.viewer)
        try:
            yield from self.jobs[job.name](sight, job)
        except DeduceError as error:
            yield problem(error)

    def _take(self, moment: Moment, intent: Intent) -> None:
        act = self.intents.get(intent.do)
        if moment.viewer is not None and not (act and act.of_players):
            raise BadInput(self.say("log.not_for_players"))
        if act is None:
            raise BadInput(refused("refused.intent", name=intent.do))
        act.do(moment, intent.only(act.fields))

    # Intents of every page

    def _open(self, moment: Moment, intent: Intent) -> None:
        self.views.open(moment.ui, intent.values.get("view", ""))

    # Screens

    def screen(self, moment: Moment) -> Screen:
        """Return the screen of the moment as it is now."""
        document = moment.document
        if document is None:
            return self._setup_screen(moment, self._setup)
        try:
            sight = self._source.sight(document, moment.ui, moment.viewer)
        except DeduceError as error:
            text, wrong = document.text, problem(error)
            return self._setup_screen(moment, lambda _: text_form(self.say, text, wrong))
        views = self.open_views(moment.viewer, moment.ui)
        view, side = views.clean(moment.ui)
        moment.ui |= {"view": view, "side": side}
        jobs: list[Job] = []
        fragments = {"frame": self._frame(sight, moment.ui, views)}
        for slot, name in [*((name, name) for name in views.main), ("side", side)]:
            fragments[slot] = self.fragment(name, sight, moment.ui, jobs)
        panels = (over(sight, moment.ui) for over in self._over)
        fragments["over"] = next(filter(None, panels), Html())
        wanted = tuple(
            evolve(job, first=self._at_once[job.name](sight)) if job.name in self._at_once else job
            for job in {job.key: job for job in jobs}.values()
        )
        return self._screen(moment, fragments, wanted)

    def _setup_screen(self, moment: Moment, draw: Callable[[Moment], Html]) -> Screen:
        """Return the screen of a log that is not begun, or cannot be read."""
        if moment.viewer is None:
            shown = draw(moment)
        else:  # a player cannot begin or replace the log of all
            shown = tag("p", self.say("text.unreadable"), class_="bad")
        frame = setup_frame(self.say)
        return self._screen(moment, {"frame": frame, "setup": shown}, ())

    def _screen(
        self, moment: Moment, fragments: Mapping[str, Html], jobs: tuple[Job, ...]
    ) -> Screen:
        document = moment.document
        return Screen(
            document,
            moment.ui,
            fragments,
            tuple(moment.notices),
            jobs,
            "" if document is None else self._source.saved_title(document),
            moment.focus,
            moment.download,
        )

    def fragment(self, view: str, sight: S, ui: Ui, jobs: list[Job]) -> Html:
        """Return the fragment of a view, and add the jobs that it waits for."""
        draw, depends = self._drawn[view].draw, self._drawn[view].depends

        def drawn() -> tuple[Html, list[Job]]:
            own: list[Job] = []
            try:
                return draw(sight, ui, own), own
            except Contradiction:
                return tag("p", self.say("contradiction.none")), []
            except DeduceError as error:
                return problem(error), []

        parts = {key: ui.get(key) for key in depends}
        key = view, sight.document.text, sight.document.assumed, sight.viewer, repr(parts)
        html, own = self._fragments.get(key, drawn)
        jobs += own
        return html

    def open_views(self, viewer: str | None, ui: Ui) -> Views:
        """Return the views of a page; a player's page cannot pass on the whole log.

        A puzzle is one screen: the sheet, and what helps with it and the clues.
        """
        views = self.views
        if is_puzzle(ui) and {"sheet", "tutor"} <= self._drawn.keys():
            side = [view for view in views.side if view != "tutor"]
            views = Views(("sheet", "tutor"), side, together=True)
        if viewer is None:
            return views
        return evolve(views, side=[view for view in views.side if view != "share"])

    # The frame

    def _frame(self, sight: S, ui: Ui, views: Views) -> Html:
        """Return the frame: the bar, the main panes, and one of the side views beside or below.

        A wide page shows the main panes and one side view next to each other; a phone shows one
        view at a time, chosen at the bottom. Both are the same HTML, and the style sheet decides.
        """
        say, (view, side) = self.say, views.clean(ui)
        bottom = views.tabs(ui)
        shown = {view} if view in views.main else {"side"}
        if views.together and view in views.main:
            shown = set(views.main)

        def tabs(kind: str, entries: Iterable[tuple[str, str, bool]]) -> list[Html]:
            return [
                button(say(f"view.{name}"), "view", class_="tab", data_view=opens,
                       data_key=f"{kind}-{name}", aria_current="page" if current else None)
                for name, opens, current in entries
            ]  # fmt: skip

        def pane(name: str, label: str, *inside: Child, slot: str | None) -> Html:
            return tag("section", *inside, data_slot=slot, class_="pane", data_pane=name,
                       data_open=name in shown, aria_label=say(f"view.{label}"))  # fmt: skip

        beside = (
            tag("nav", *tabs("side", [(name, name, name == side) for name in views.side]),
                class_="side-tabs", aria_label=say("frame.side")),
            tag("div", data_slot="side"),
        )  # fmt: skip
        panes = [pane(name, name, slot=name) for name in views.main]
        above = [part for parts in self._above for part in parts(sight, ui)]
        look = "panes" if len(panes) > 1 else "panes two"
        if views.together:
            look = "panes together puzzle" if is_puzzle(ui) else "panes together"
        return tag(
            "div",
            _bar(say, self._source.subtitle(sight), sight.document),
            tag("section", above, class_="above", aria_label=say("frame.above"))
            if any(above)
            else None,
            tag(
                "main",
                *panes,
                pane("side", side, *beside, slot=None),
                class_=look,
            ),
            tag("div", data_slot="over"),
            tag("nav", *tabs("bottom", bottom), class_="bottom", aria_label=say("frame.views")),
            class_="frame",
            data_side=side,
            data_more=bottom[-1][0] == "more" and bottom[-1][2],
        )


def undo(say: Texts, moment: Moment) -> None:
    """Take back the last step; undoing a puzzle ends the hiding of its answers."""
    step = moment.log.step
    moment.document = moment.log.undo()
    if step and step.key == "step.text" and is_puzzle(moment.ui):
        for key in ("puzzle", "tutor", "marks", "judged", "asked"):
            moment.ui.pop(key, None)
    moment.ui["news"] = []
    moment.note(say("done.undo", step=say.message(step) if step else ""))


def redo(say: Texts, moment: Moment) -> None:
    """Repeat the step that was undone last."""
    moment.document = moment.log.redo()
    moment.ui["news"] = []
    step = moment.log.step
    moment.note(say("done.redo", step=say.message(step) if step else ""))


def setup_frame(say: Texts) -> Html:
    """Return the frame of a game that is being set up: one slot, ``"setup"``."""
    setup = tag("section", data_slot="setup", class_="pane")
    return tag("div", _bar(say, None, None), tag("main", setup, class_="panes single"),
               class_="frame")  # fmt: skip


def _bar(say: Texts, subtitle: Child, document: Document | None) -> Html:
    tools: list[Html] = []
    if document is not None:
        redone = document.future[-1].step if document.future else None
        for do, step, possible in (
            ("undo", document.step, bool(document.past)),
            ("redo", redone, bool(document.future)),
        ):
            hint = say(f"frame.{do}")
            if not possible:
                hint = say(f"frame.nothing_to_{do}")
            elif step:
                hint = say(f"frame.{do}_step", step=say.message(step))
            tools.append(button(say(f"frame.{do}"), do, class_="button quiet",
                                disabled=not possible, title=hint, data_key=do))  # fmt: skip
    small = tag("small", subtitle) if subtitle else None
    return tag(
        "header",
        button(
            "‹",
            "home",
            class_="button quiet",
            data_local="home",
            aria_label=say("frame.games"),
            title=say("frame.games_hint"),
        ),
        tag("h1", say.heading, small, tabindex=-1, id="title"),
        tag("div", *tools, class_="tools"),
        class_="bar",
    )


def text_form(say: Texts, text: str, wrong: Html | None = None) -> Html:
    """Return the whole log as text that can be changed, with what is wrong with it."""
    title = tag("h2", say("text.unreadable"))
    return form(
        "text",
        callout(title, wrong, kind="bad") if wrong else None,
        textarea(say("text.label"), "text", text, rows=16 if wrong else 12),
        submit(say("text.save")),
        id_="text-form",
    )
