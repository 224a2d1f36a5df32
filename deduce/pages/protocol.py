"""The protocol of a page: a document and an intent go in, a screen comes out.

A *presenter* draws one game. It is pure Python and keeps nothing between two calls except caches,
so the same presenter runs in a web worker, behind a local server and in a notebook, in as many
copies as are useful. All that lasts is in the `Document`, and in ``ui``: a small JSON object with
what is open and half entered on the page, which the front end only stores and sends back.

What takes long is not part of the screen: the screen names a `Job`, whose fragments follow when
`GamePage.work` has computed them, elsewhere and without blocking the page.

`deduce.pages.presenter` composes a presenter of features. The messages on the wire are in
`deduce.pages.messages`; docs/record/pages.md shows how to write a page.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Protocol, TypeAlias

from attrs import Factory, define, evolve, field, frozen

from deduce.errors import BadInput
from deduce.logs.document import Document
from deduce.pages.html import Html
from deduce.pages.sentences import refused
from deduce.system.language import Message
from deduce.system.text import capital, whole_number

__all__ = [
    "GamePage",
    "Intent",
    "Job",
    "Moment",
    "Notice",
    "PrivateView",
    "Request",
    "Screen",
    "Ui",
    "index_of",
    "keep_numbers",
    "numbers",
    "position",
    "strings",
]

Ui: TypeAlias = "dict[str, object]"
"""What is open and half entered on a page; it came from there, so every value is checked."""


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
        """Return the number from 0 up to ``count`` of a `deduce.pages.html.stepper`."""
        return index_of(self.values.get("to") or self.first("to"), count)

    def only(self, fields: Collection[str]) -> Intent:
        """Return the intent with these values and controls alone; ``c*`` is all that begin so.

        >>> Intent("add", {"seat": "1"}, {"c0": ("3",), "x": ()}, ("x",)).only(["c*"])
        Intent(do='add', values={}, form={'c0': ('3',)}, changed=())
        """
        begins = tuple(field[:-1] for field in fields if field.endswith("*"))

        def declared(name: str) -> bool:
            return name in fields or (bool(begins) and name.startswith(begins))

        return evolve(
            self,
            values={name: value for name, value in self.values.items() if declared(name)},
            form={name: value for name, value in self.form.items() if declared(name)},
            changed=tuple(filter(declared, self.changed)),
        )

    def first(self, name: str, default: str = "") -> str:
        """Return the first value of a control, or the default."""
        return next(iter(self.form.get(name, ())), default)


def index_of(value: str, count: int) -> int:
    """Return the index that a page sent back; raise `BadInput` if it is not one of ``count``."""
    if value.isascii() and value.isdecimal() and len(value) < 7 and int(value) < count:
        return int(value)
    raise BadInput(refused("refused.old_page"))


def position(ui: Mapping[str, object], last: int) -> int:
    """Return where a `deduce.pages.html.stepper` is, ``ui["step"]``; by default the last place."""
    step = ui.get("step")
    return step if type(step) is int and 0 <= step <= last else last


def numbers(ui: Mapping[str, object], key: str, most: Mapping[str, int]) -> dict[str, int]:
    """Return what is tapped of a form, kept in ``ui[key]``: each number is below that of ``most``.

    >>> numbers({"turn": {"to": 1, "card": 9, "x": 0}}, "turn", {"to": 3, "card": 8})
    {'to': 1}
    """
    kept = ui.get(key)
    pairs = kept.items() if isinstance(kept, dict) else ()
    return {
        name: number
        for name, number in pairs
        if type(number) is int and 0 <= number < most.get(name, 0)
    }


def keep_numbers(
    moment: Moment, intent: Intent, key: str, most: Mapping[str, int]
) -> dict[str, int]:
    """Return what is tapped of a form after an intent, and keep it in ``moment.ui[key]``."""
    tapped = {name: whole_number(intent.first(name)) for name in intent.form}
    draft = {**numbers(moment.ui, key, most), **tapped}
    moment.ui[key] = kept = numbers({key: draft}, key, most)
    return kept


def strings(ui: Mapping[str, object], key: str) -> list[str]:
    """Return a list of texts of ``ui``; empty if there is none."""
    value = ui.get(key)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return value
    return []


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
    ui: Mapping[str, object] = Factory(dict)
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

    text: str = field(converter=capital)
    kind: str = "note"


@frozen
class Job:
    """A computation whose result belongs into a slot.

    Parameters
    ----------
    name
        What `GamePage.work` gets.
    slot
        Where its fragment goes.
    key
        Changes when the result becomes stale; a job with a known key is not computed again.
    values
        What else the computation needs.
    first
        What is shown until its first fragment.
    """

    name: str
    slot: str
    key: str
    values: Mapping[str, object] = Factory(dict)
    first: Html = Factory(Html)


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
    ui: Mapping[str, object]
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
    ui: Ui
    viewer: str | None = None
    own: frozenset[int] = frozenset()
    notices: list[Notice] = Factory(list)
    focus: str = ""
    download: tuple[str, str] | None = None

    @classmethod
    def of(cls, request: Request) -> Moment:
        """Return the moment before the intent."""
        return cls(request.document, dict(request.ui), request.viewer, request.own)

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

    def step(self, text: str, key: str, **values: object) -> None:
        """Take a step that changes the text of the log; assumptions stay."""
        self.document = self.log.to(text, self.log.assumed, step=Message(key, values))

    def note(self, text: str, kind: str = "note") -> None:
        """Announce something."""
        self.notices.append(Notice(text, kind))


class GamePage(Protocol):
    """The page of one game, as every transport sees it."""

    def read(self, text: str) -> object:
        """Return what a log states; raise `BadInput` if it cannot be read."""

    def answer(self, request: Request) -> Screen:
        """Return the screen after an intent.

        An intent that is refused changes nothing, and its reason is a notice of kind ``"bad"``.
        """

    def work(self, request: Request, job: Job) -> Iterator[Html]:
        """Yield the fragment of a job: first estimates, perhaps, and last the result.

        Between two fragments the transport may give up, because the document has changed. So the
        work yields often (``Html()`` if there is nothing new), and each part of it has a budget.
        """
