r"""The page of a game in a notebook: the same front end and presenter as everywhere, in a widget.

Needs the extra ``widgets``. What a click does, Python can do as well:

>>> page = Page("cluedo", text="players: Ann, Ben, Cid\nme: Ann\n")
>>> page.tell("Ben has rope")
>>> page.text.splitlines()[-1], page.knowledge.certain()["Rope"]
('Ben has Rope', 'Ben')
>>> page.undo()
>>> page.text.splitlines()[-1]
'me: Ann'
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from deduce.errors import BadInput, Unsupported, missing_extra
from deduce.knowledge import Knowledge
from deduce.logs.document import Document
from deduce.logs.events import read_log
from deduce.logs.reading import write
from deduce.pages.html import Html, tag
from deduce.pages.messages import Door, read_message
from deduce.pages.protocol import Intent, Request, Screen
from deduce.pages.sentences import page_texts
from deduce.pages.transports.kept import KeptLog
from deduce.system import registry
from deduce.system.text import visible

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise missing_extra("the page in a notebook needs anywidget", "widgets") from error

__all__ = ["Page"]

MODULES = ("morph.js", "screen.js", "notebook.js")
"""The modules of the front end, each after those that it imports."""

MAX_JOBS = 32
"""How many unfinished jobs are kept: a page that was closed does not say that it gives one up."""

SLOT = re.compile(r'(<[^>]* data-slot="([^"]*)"[^>]*>)(</)')
"""An empty slot: what is before its contents, its name, and what follows."""

GIVEN_UP = '{"done":true,"html":""}'
"""The answer about a job that is not kept any more."""


def _joined(names: tuple[str, ...]) -> str:
    """Return modules as one: a widget is one module, which cannot import files beside it."""
    folder = files("deduce.pages") / "web"
    text = "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
    text = re.sub(r'^import \{[^}]*\} from "\./[\w.]+";\n', "", text, flags=re.MULTILINE)
    return re.sub(r"^export (?!default)", "", text, flags=re.MULTILINE)


STYLE = (files("deduce.pages") / "web" / "screen.css").read_text(encoding="utf-8")


class Page(anywidget.AnyWidget):
    """The page of one game, with its log kept here.

    Parameters
    ----------
    game
        The name of a game that has a page (``deduce app`` lists them); or knowledge of a hidden
        game, whose log is shown.
    log
        The name of a log file, in which every step is saved at once; it may not exist yet. Without
        it, the log is kept in memory.
    text
        Instead of a file: the log as text. With neither, the game is set up on the page.

    Raises
    ------
    BadInput
        No such game is installed, or the file cannot be read.
    Unsupported
        The game has no page.
    """

    _esm = _joined(MODULES)
    _css = STYLE

    game = traitlets.Unicode().tag(sync=True)
    texts = traitlets.Dict().tag(sync=True)
    ui = traitlets.Dict().tag(sync=True)
    version = traitlets.Int().tag(sync=True)

    def __init__(
        self, game: str | Knowledge, log: str | Path | None = None, *, text: str | None = None
    ) -> None:
        if isinstance(game, Knowledge):
            text = write(game)
            game = _name_of(type(game.game))
        self._door = Door()
        self._page = self._door.page(game)
        self._kept = KeptLog.open(game, None if log is None else Path(log))
        if text is not None:
            if log is not None:
                raise BadInput("give a file or a text, not both")
            self._kept.document = Document(game, text)
        self._jobs: dict[str, Iterator[str]] = {}
        super().__init__(game=game, texts=page_texts())
        self.on_msg(self._receive)

    # What it contains

    @property
    def text(self) -> str:
        """The log as text; empty while the game is being set up."""
        return "" if self._kept.document is None else self._kept.document.text

    @property
    def knowledge(self) -> Knowledge:
        """What the log shows, without the assumptions of a what-if.

        Raises
        ------
        BadInput
            The game is not set up yet.
        Unsupported
            Nothing is hidden in this game.
        """
        hidden = registry.find(self.game).hidden
        if not hidden:
            raise Unsupported(f"nothing is hidden in {self.game}")
        if self._kept.document is None:
            raise BadInput("the game is not set up yet")
        return Knowledge.of(read_log(self.text, registry.load(hidden)))

    def __str__(self) -> str:
        return visible(self._screen().title or self.game)

    # Steps

    def tell(self, line: str) -> None:
        """Add an event, as if it were typed; raise `BadInput` if it is refused."""
        self.do("type", form={"line": (line,)})

    def undo(self) -> None:
        """Take back the last step; raise `BadInput` if there is none."""
        self.do("undo")

    def redo(self) -> None:
        """Repeat the step that was undone last; raise `BadInput` if there is none."""
        self.do("redo")

    def show(self, view: str) -> None:
        """Open a view, such as ``"sheet"`` or ``"advice"``."""
        self.do("view", values={"view": view})

    def do(
        self,
        name: str,
        *,
        values: Mapping[str, str] | None = None,
        form: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        """Do what a tap on the page does.

        Parameters
        ----------
        name
            The intent: ``data-do`` of what is tapped.
        values
            The other ``data-`` attributes of what is tapped.
        form
            The values of the form that it belongs to.

        Raises
        ------
        BadInput
            The page refuses it; the message is what the page would show.
        """
        seen = self._kept.document
        screen = self._screen(Intent(name, values or {}, form or {}))
        for notice in screen.notices:
            if notice.kind == "bad":
                raise BadInput(notice.text)
        self._kept.keep(screen.document, seen)
        with self.hold_sync():
            self.ui = dict(screen.ui)
            self.version = self._kept.version

    def _screen(self, intent: Intent | None = None) -> Screen:
        return self._page.answer(Request(self._kept.document, self.ui, intent))

    # Messages of the page

    def _receive(self, widget: object, message: Any, buffers: object) -> None:
        if not isinstance(message, dict) or not isinstance(message.get("id"), str):
            return
        name = message["id"]
        if isinstance(message.get("ask"), str):
            self._respond(name, self._kept.answer(self._door, message["ask"]))
            self.version = self._kept.version
        elif isinstance(message.get("work"), str):
            while len(self._jobs) >= MAX_JOBS:
                self._jobs.pop(next(iter(self._jobs)))
            self._jobs[name] = self._door.work(message["work"], self._kept.document)
            self._advance(name)
        elif message.get("next"):
            self._advance(name)
        elif message.get("cancel"):
            self._jobs.pop(name, None)

    def _advance(self, name: str) -> None:
        """Send the next part of a job."""
        part = next(self._jobs.get(name, iter(())), GIVEN_UP)
        if read_message(part).get("done"):
            self._jobs.pop(name, None)
        self._respond(name, part)

    def _respond(self, name: str, response: str) -> None:
        self.send({"id": name, "response": response})

    # Without a kernel

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Return the widget; and a still picture of the page, for documents without a kernel."""
        bundle = super()._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
        still = {"text/plain": str(self), "text/html": self.still()}
        return {**data, **still}, metadata

    def still(self) -> Html:
        """Return the page as it is now, without scripts, for a document that has no kernel."""
        fragments = self._screen().fragments
        page = SLOT.sub(
            lambda place: place[1] + fragments.get(place[2], "") + place[3], fragments["frame"]
        )
        classes = "deduce-screen deduce-notebook deduce-still"
        style = tag("style", Html(STYLE))
        return Html(style + tag("div", Html(page), class_=classes))


def _name_of(game_class: type) -> str:
    """Return the name of a hidden game."""
    for entry in registry.games():
        if entry.hidden and registry.load(entry.hidden) is game_class:
            return entry.name
    raise Unsupported(
        f"{game_class.__name__} is not registered as a game; docs/add-a-game.md shows how"
    )


def __getattr__(name: str) -> type[Page]:
    if name != "Face":
        raise AttributeError(name)
    warnings.warn("Face of version 0.2 is called Page", DeprecationWarning, stacklevel=2)
    return Page
