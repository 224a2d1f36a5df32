"""How a log begins and is passed on.

It begins with a form, an example, or a text that is typed or pasted. It is passed on as a link, a
QR code, a file, text, or on paper. A link has the log in the fragment of the address, which
browsers never send to a server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from importlib.resources import files
from typing import Generic

from deduce.errors import BadInput, DeduceError
from deduce.logs.events import write_log, write_text
from deduce.pages.document import pack
from deduce.pages.html import (
    Child,
    Html,
    button,
    callout,
    details,
    form,
    heading,
    join_html,
    name,
    submit,
    tag,
    textarea,
)
from deduce.pages.presenter import Act, Feature, S, Seen, View, text_form
from deduce.pages.protocol import Intent, Job, Moment, Ui
from deduce.pages.sentences import Message, Texts, refused
from deduce.system import registry

__all__ = ["Sharing", "Start", "example_list", "qr"]


MAX_ABOUT = 200
"""How much of an example's description is shown (characters)."""


class Start:
    """The page on which a game is set up. A game has its own by replacing some methods.

    Parameters
    ----------
    say
        The texts.
    game, page
        The name of the game, and that of the page if it differs.
    read
        Raises `BadInput` if a text cannot be read.
    """

    def __init__(
        self, say: Texts, game: str, read: Callable[[str], object], page: str = ""
    ) -> None:
        self.say, self.game, self.page, self.read = say, game, page or game, read

    def feature(self) -> Feature[Seen]:
        """Return the beginning as a part of a page."""
        return Feature(
            intents={
                "begin": Act(self.begin, *self.fields),
                "paste": Act(self._paste, "text"),
                "example": Act(self._example, "example"),
                "text": Act(self._replace, "text"),
            },
        )

    # What a game may replace

    fields: tuple[str, ...] = ()
    """The controls of the form for a new game."""

    def new_game(self) -> Html | None:
        """Return the form for a new game; ``None``: the game must be described as text."""
        if not self.blank():
            return None
        start = submit(self.say("start.new"), class_="button main big")
        return form("begin", start, id_="begin-form")

    def blank(self) -> str:
        """Return the log of a new game with the default set-up; empty if there is none."""
        hidden = registry.find(self.game).hidden
        if not hidden:
            return ""
        try:
            game = registry.load(hidden)()
        except (TypeError, ValueError, DeduceError):
            return ""
        with suppress(DeduceError):
            return write_text(game, [])
        try:
            return write_log(game, [])
        except Exception:
            return ""

    def begin(self, moment: Moment, intent: Intent) -> None:
        """Begin a new game."""
        text = self.blank()
        self.read(text)
        moment.begin(self.page, text)

    def kept(self, text: str) -> str:
        """Return a text that was read as it is kept."""
        return text

    def of_example(self, text: str) -> str:
        """Return what is kept when an example file is opened; raise if it cannot be read."""
        self.read(text)
        return self.kept(text)

    # The page

    def setup(self, moment: Moment) -> Html:
        """Return the form for a new game, the examples, a text to begin with, and the rules."""
        say, entry = self.say, registry.find(self.game)
        box = textarea(say("start.label"), "text", self.blank(), rows=8)
        pasting = form("paste", box, submit(say("start.open")), id_="paste-form")
        parts = [
            heading(say("start.title"), id_="start-title"),
            self.new_game(),
            example_list(say, self.examples),
            details(say("start.text"), pasting, key="paste"),
        ]
        rules = registry.rules_text(entry).split("\n\n")
        shown = callout(*(tag("p", part) for part in rules))
        parts.append(details(say("start.rules"), shown, key="rules"))
        return join_html(parts)

    @cached_property
    def examples(self) -> list[tuple[str, str]]:
        """The name and the text of each example file that this page can read."""
        return list(self._readable())

    def _readable(self) -> Iterator[tuple[str, str]]:
        """Yield the examples; they may be inside a ZIP archive, several games in one folder."""
        folder = registry.find(self.game).examples
        if not folder:
            return
        found = [
            file
            for file in sorted(files(folder).iterdir(), key=lambda file: file.name)
            if file.is_file() and not file.name.startswith(("_", "."))
        ]
        for file in [file for file in found if file.name.endswith(f".{self.game}")] or found:
            try:
                text = file.read_text(encoding="utf-8")
                self.of_example(text)
            except (DeduceError, UnicodeDecodeError):
                continue
            yield file.name.rpartition(".")[0], text

    # Intents

    def _example(self, moment: Moment, intent: Intent) -> None:
        """Begin with an example."""
        number = intent.index("example", 1000)
        if number >= len(self.examples):
            raise BadInput(refused("refused.example"))
        moment.begin(self.page, self.of_example(self.examples[number][1]))

    def _typed(self, intent: Intent) -> str:
        text = intent.first("text").replace("\r\n", "\n").rstrip() + "\n"
        self.read(text)
        return self.kept(text)

    def _paste(self, moment: Moment, intent: Intent) -> None:
        """Begin with a text that was pasted."""
        moment.begin(self.page, self._typed(intent))

    def _replace(self, moment: Moment, intent: Intent) -> None:
        """Replace the whole log by a text."""
        document, text = moment.log, self._typed(intent)
        for key in ("line", "cell"):
            moment.ui.pop(key, None)
        moment.document = document.to(text, (), step=Message("step.text"))
        moment.note(self.say("done.text"))


def example_list(say: Texts, examples: Iterable[tuple[str, str]]) -> Html:
    """Return a button for each example, with what it shows; empty if there is none."""
    rows = []
    for index, (title, text) in enumerate(examples):
        label = name(title.replace("-", " ").replace("_", " ").capitalize())
        about = _about(say, title, text)
        inside: Child = [tag("b", label), tag("small", about[:MAX_ABOUT])] if about else label
        rows.append(tag("li", button(inside, "example", class_="row", data_example=index)))
    if not rows:
        return Html()
    return join_html([tag("h3", say("start.examples")), tag("ul", *rows, class_="rows")])


def _about(say: Texts, title: str, text: str) -> str:
    """Return what an example shows: the comment in its first line, or ``example.TITLE``."""
    first = text.partition("\n")[0]
    if first.startswith("#"):
        return first.removeprefix("#").strip()
    try:
        return say(f"example.{title}")
    except KeyError:
        return ""


MAX_QR = 2000
"""A longer address is not drawn as a QR code: a phone could not read it from a screen."""


class Sharing(Generic[S]):
    """The view ``share``, and the intent ``download``.

    Parameters
    ----------
    say
        The texts.
    name
        The name of the page.
    invitation
        Returns the log without what is private to any player; ``None``: there is none.
    """

    def __init__(
        self, say: Texts, name: str, invitation: Callable[[S], str | None] = lambda sight: None
    ) -> None:
        self.say, self.name, self._invitation = say, name, invitation

    def feature(self) -> Feature[S]:
        """Return the sharing as a part of a page."""
        return Feature(
            views={"share": View(self._view)},
            intents={"download": Act(self._download)},
        )

    def _download(self, moment: Moment, intent: Intent) -> None:
        """Give the log to the person as a file."""
        suffix = registry.find(self.name).suffix or ".log"
        moment.download = f"{self.name}{suffix}", moment.log.text

    def _view(self, sight: S, ui: Ui, jobs: list[Job]) -> Html:
        """Return the links, the file, and the text of a log."""
        say, document = self.say, sight.document
        parts: list[Child] = [heading(say("share.title")), self._link("link", document.text)]
        invitation = self._invitation(sight)
        if invitation is not None:
            parts.append(self._link("invitation", invitation))
        file = button(say("share.file"), "download")
        paper = button(say("share.print"), "print", data_local="print")
        parts.append(tag("div", file, paper, class_="buttons"))
        parts.append(details(say("share.edit"), text_form(say, document.text)))
        return join_html(parts)

    def _link(self, kind: str, text: str) -> Html:
        say, fragment = self.say, f"{self.name}:{pack(text)}"
        shown = tag("input", type="text", readonly=True, value=fragment, data_link=fragment,
                    aria_label=say(f"share.{kind}"))  # fmt: skip
        copy = button(say("share.copy"), "copy", data_local="copy", data_link=fragment)
        code = button(say("share.qr"), "qr", data_local="qr", data_link=fragment)
        return tag(
            "div",
            tag("h3", say(f"share.{kind}")),
            tag("p", say(f"share.{kind}_hint")),
            tag("div", shown, copy, code, class_="inline"),
            tag("div", data_slot=f"qr-{kind}", class_="qr"),
            class_="link-box",
        )


def qr(address: str) -> Html:
    """Return an address as a QR code, one ``<svg>`` element; empty if it is too long.

    >>> str(qr("http://127.0.0.1/")).startswith("<svg")
    True
    """
    if len(address) > MAX_QR:
        return Html()
    import segno

    code = segno.make(address, error="l", micro=False)
    size = code.symbol_size(border=0)[0]
    path = "".join(
        f"M{x} {y}h1v1h-1z"
        for y, row in enumerate(code.matrix)
        for x, dark in enumerate(row)
        if dark
    )
    box = f"-4 -4 {size + 8} {size + 8}"
    background = f'<rect x="-4" y="-4" width="{size + 8}" height="{size + 8}" fill="#fff"/>'
    return Html(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" '
        f'shape-rendering="crispEdges">{background}<path d="{path}" fill="#000"/></svg>'
    )
