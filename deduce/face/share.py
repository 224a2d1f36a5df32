"""Passing a log on: a link that holds it, a QR code, a file, the text, and paper.

The log is in the fragment of the address, which browsers never send to a server.
"""

from __future__ import annotations

from deduce.face.document import Document, pack
from deduce.face.html import Child, Html, join_html, tag
from deduce.face.parts import button, form, heading
from deduce.face.texts import Texts

__all__ = ["qr", "share_view"]

MAX_QR = 2000
"""A longer address is not drawn as a QR code: a phone could not read it from a screen."""


def share_view(say: Texts, document: Document, invitation: str | None) -> Html:
    """Return the links, the file, and the text of a log."""
    parts: list[Child] = [
        heading(say("share.title")),
        _link(say, "link", document.game, document.text),
    ]
    if invitation is not None:
        parts.append(_link(say, "invitation", document.game, invitation))
    parts.append(
        tag(
            "div",
            button(say("share.file"), "download"),
            button(say("share.print"), "print", data_local="print"),
            class_="buttons",
        )
    )
    text = tag("textarea", document.text, name="text", rows=12, spellcheck="false")
    parts.append(
        tag(
            "details",
            tag("summary", say("share.edit")),
            form(
                "text",
                tag("label", tag("span", say("text.label")), text, class_="field"),
                tag("button", say("text.save"), type="submit", class_="button main"),
                id_="text-form",
            ),
        )
    )
    return join_html(parts)


def _link(say: Texts, kind: str, game: str, text: str) -> Html:
    fragment = f"{game}:{pack(text)}"
    return tag(
        "div",
        tag("h3", say(f"share.{kind}")),
        tag("p", say(f"share.{kind}_hint")),
        tag(
            "div",
            tag(
                "input",
                type="text",
                readonly=True,
                value=fragment,
                data_link=fragment,
                aria_label=say(f"share.{kind}"),
            ),
            button(say("share.copy"), "copy", data_local="copy", data_link=fragment),
            button(say("share.qr"), "qr", data_local="qr", data_link=fragment),
            class_="inline",
        ),
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
