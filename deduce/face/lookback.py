"""Looking back: the page as it was after an earlier event of the log.

Where a page looks is in ``ui["then"]``: the number of the event, and how many there are. Nothing
is changed by looking back, and the first step that changes the log ends it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from deduce.errors import BadInput
from deduce.events import Log
from deduce.face.document import Document
from deduce.face.html import Child, Html
from deduce.face.parts import button, callout, stepper
from deduce.face.sentences import refused
from deduce.face.texts import Texts

__all__ = ["banner", "document_then", "then"]


MAX_LINE = 200
"""How much of the event is shown (characters)."""


def then(ui: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the event to which a page looks back, and the number of events; ``None``: now."""
    match ui.get("then"):
        case [int(number), int(count)] if 0 <= number < count:
            return number, count
    return None


def document_then(document: Document, log: Log, number: int) -> Document:
    """Return a document with the first events of its log.

    Raises
    ------
    BadInput
        The log has fewer events, or the text has not one line for each.
    """
    if len(log.lines) != len(log.events) or number > len(log.events):
        raise BadInput(refused("refused.steps"))
    if number == len(log.events):
        return document
    lines = document.text.splitlines()[: log.lines[number] - 1]
    return evolve(document, text="".join(f"{line}\n" for line in lines))


def banner(say: Texts, ui: Mapping[str, Any], line: str) -> Child:
    """Return what is above the panes while a page looks back: a slider, and the way to now."""
    where = then(ui)
    if where is None:
        return None
    number, count = where
    label = say("then.start") if not number else f"{say('then.event', n=number)}: {line[:MAX_LINE]}"
    walk: Html = stepper(label, number, count, do="then")
    now = button(say("then.now"), "then", data_to=count)
    return callout(walk, now, kind="if then", label=say("then.title"))
