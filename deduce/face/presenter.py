r"""The protocol of a face: a document and an intent go in, a screen comes out.

A *presenter* draws one game. It is pure Python and keeps nothing between two calls except caches,
so the same presenter runs in a web worker, behind a local server and in a notebook, in as many
copies as are useful. All that lasts is in the `Document`, and in ``ui``: a small JSON object with
what is open and half entered on the page, which the front end only stores and sends back.

What takes long is not part of the screen: the screen names a `Job`, whose fragments follow when
`Presenter.work` has computed them, elsewhere and without blocking the page.

The messages on the wire are in `deduce.face.messages`; docs/face.md shows how to write a presenter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from attrs import Factory, define, frozen

from deduce.errors import BadInput
from deduce.face.document import Document
from deduce.face.html import Html
from deduce.face.sentences import refused
from deduce.face.texts import Message

__all__ = ["Intent", "Job", "Moment", "Notice", "Presenter", "PrivateView", "Request", "Screen"]


@frozen
class Intent:
    """What a person did.

    Parameters
    ----------
    do
        Its name, which the presenter chose in ``data-do``.
    values
        The other ``data-`` attributes of what was tapped: text.
    form
        The values of the form: control name -> the checked or typed values.
    changed
        The names of the controls that were changed since the last draft, the last one last.
    """

    do: str
    values: Mapping[str, str] = Factory(dict)
    form: Mapping[str, tuple[str, ...]] = Factory(dict)
    changed: tuple[str, ...] = ()

    def index(self, key: str, count: int) -> int:
        """Return a value that counts from 0 up to ``count``, which came from a page.

        Raises
        ------
        BadInput
            It is not such a number.
        """
        return index_of(self.values.get(key, ""), count)

    def step(self, count: int) -> int:
        """Return the number from 0 up to ``count`` of a `deduce.face.parts.stepper`."""
        return index_of(self.values.get("to") or self.first("to"), count)

    def first(self, name: str, default: str = "") -> str:
        """Return the first value of a control, or the default."""
        return next(iter(self.form.get(name, ())), default)


def index_of(value: str, count: int) -> int:
    """Return the index that a page sent back; raise `BadInput` if it is not one of ``count``."""
    if value.isascii() and value.isdecimal() and len(value) < 7 and int(value) < count:
        return int(value)
    raise BadInput(refused("refused.old_page"))


@frozen
class Request:
    """What goes into a presenter.

    Parameters
    ----------
    document
        The log; ``None``: a game is being set up.
    ui
        What is open and half entered, as the last screen returned it.
    intent
        What was done; ``None``: only show the screen.
    viewer
        The player whose page it is; ``None``: the page shows everything in the log.
    own
        The indexes of the events that this player entered.
    """

    document: Document | None
    ui: Mapping[str, Any] = Factory(dict)
    intent: Intent | None = None
    viewer: str | None = None
    own: frozenset[int] = frozenset()


@frozen
class PrivateView:
    """What one player saw of a log, and nothing else.

    Parameters
    ----------
    player
        The player.
    document
        The set-up and the events that this player saw, with the player's own last step; ``None``:
        the log cannot be shown to them.
    own
        The indexes of the events that the player entered.
    identifier
        A random text, another one after every change of what the player sees.
    """

    player: str
    document: Document | None = None
    own: frozenset[int] = frozenset()
    identifier: str = ""


@frozen
class Notice:
    """A message at the top of the page, which screen readers announce.

    ``kind`` is ``"note"``, ``"good"`` for news, or ``"bad"`` for what was refused.
    """

    text: str
    kind: str = "note"


@frozen
class Job:
    """A computation whose result belongs into a slot.

    Parameters
    ----------
    name
        What `Presenter.work` gets.
    slot
        Where its fragment goes.
    key
        Changes when the result becomes stale; a job with a known key is not computed again.
    values
        What else the computation needs.
    """

    name: str
    slot: str
    key: str
    values: Mapping[str, Any] = Factory(dict)


@frozen
class Screen:
    """What comes out of a presenter.

    Parameters
    ----------
    document
        The log as it is now.
    ui
        What is open now.
    fragments
        Slot -> HTML. The slot ``"frame"`` contains the others as elements with ``data-slot``.
    notices
        What to announce.
    jobs
        What is still being computed.
    title
        The title of the saved game, for lists.
    focus
        The ``id`` of the element that gets the keyboard focus; empty: it stays.
    download
        A file for the person: its name and its text.
    """

    document: Document | None
    ui: Mapping[str, Any]
    fragments: Mapping[str, Html]
    notices: tuple[Notice, ...] = ()
    jobs: tuple[Job, ...] = ()
    title: str = ""
    focus: str = ""
    download: tuple[str, str] | None = None


@define
class Moment:
    """A request while it is answered: handlers of intents change it."""

    document: Document | None
    ui: dict[str, Any]
    viewer: str | None = None
    own: frozenset[int] = frozenset()
    notices: list[Notice] = Factory(list)
    focus: str = ""
    download: tuple[str, str] | None = None

    @classmethod
    def of(cls, request: Request) -> Moment:
        """Return the moment before the intent."""
        ui = dict(request.ui)
        news = ui.get("news", ())
        if not (isinstance(news, list) and all(isinstance(cell, str) for cell in news)):
            ui.pop("news", None)
        return cls(request.document, ui, request.viewer, request.own)

    @property
    def log(self) -> Document:
        """The document; raise `BadInput` while the game is still being set up."""
        if self.document is None:
            raise BadInput(refused("refused.not_set_up"))
        return self.document

    def begin(self, game: str, text: str) -> None:
        """Begin with a text; if there is a log already, this is a step that can be undone."""
        if self.document is None:
            self.document = Document(game, text)
        else:
            self.document = self.document.to(text, (), step=Message("step.text"))
        self.ui.clear()
        self.focus = "title"

    def step(self, text: str, key: str, **values: Any) -> None:
        """Take a step that changes the text of the log; assumptions stay."""
        self.document = self.log.to(text, self.log.assumed, step=Message(key, values))

    def note(self, text: str, kind: str = "note") -> None:
        """Announce something."""
        self.notices.append(Notice(text, kind))


class Presenter(Protocol):
    """The face of one game."""

    def answer(self, request: Request) -> Screen:
        """Return the screen after an intent.

        An intent that is refused changes nothing, and its reason is a notice of kind ``"bad"``.
        """
        ...

    def work(self, request: Request, job: Job) -> Iterator[Html]:
        """Yield the fragment of a job: first estimates, perhaps, and last the result.

        Between two fragments the transport may give up, because the document has changed. So the
        work yields often (``Html()`` if there is nothing new), and each part of it has a budget.
        """
        ...
