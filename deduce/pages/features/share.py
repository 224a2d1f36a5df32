"""Passing a log on: a link that holds it, a QR code, a file, the text, and paper.

The log is in the fragment of the address, which browsers never send to a server.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic

from deduce.logs.document import pack
from deduce.pages.features.start import Start
from deduce.pages.html import Child, Html, button, details, heading, join_html, tag
from deduce.pages.presenter import (
    Act,
    Feature,
    Opened,
    Presenter,
    Reader,
    S,
    T,
    View,
    Views,
    text_form,
)
from deduce.pages.protocol import Intent, Job, Moment, Ui
from deduce.pages.sentences import Texts
from deduce.system import registry

__all__ = ["Sharing", "qr", "text_page"]

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


def text_page(source: Reader[T], views: Views, start: Start) -> Presenter[Opened[T]]:
    """Return a page whose text is all: what is shown of it, how it begins, how it is passed on."""
    say, name = source.say, start.page
    sharing: Sharing[Opened[T]] = Sharing(say, name)
    features: list[Feature[Opened[T]]] = [source.feature(), start.feature(), sharing.feature()]
    return Presenter(name, say, source, views, start.setup, features)


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
