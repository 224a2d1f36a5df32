"""The sentences of a face: message keys and values in, text out.

A face makes no sentence itself. It names a message and its values, and `Texts` looks the message up
in tables, so that another language is another table. A message may have two forms, for one and for
several; the value ``n`` selects the form.

>>> say = Texts({"deals": ("{n} deal remains possible", "{n} deals remain possible")})
>>> say("deals", n=1), say("deals", n=12_000)
('1 deal remains possible', '12,000 deals remain possible')
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from deduce.face.html import short

__all__ = ["Message", "Table", "Texts"]

Table = Mapping[str, "str | tuple[str, str]"]
"""Message key -> its text with ``{value}`` fields; or two texts, for one and for several."""


@frozen
class Message:
    """A sentence as data: the key of a message, and its values."""

    key: str
    values: Mapping[str, Any] = {}


class Texts:
    """The tables of a game and of the frame around it; the first that has a key decides.

    Raises
    ------
    KeyError
        On a call: no table has the message, or a value is missing. Both are failures of a face.
    """

    def __init__(self, *tables: Table) -> None:
        self.tables = tables

    def __call__(self, key: str, **values: Any) -> str:
        """Return a sentence; numbers are written with separators, long names abbreviated."""
        message = next((table[key] for table in self.tables if key in table), None)
        if message is None:
            raise KeyError(key)
        if isinstance(message, tuple):
            message = message[values["n"] != 1]
        shown = {
            name: f"{value:,}" if type(value) is int else short(str(value))
            for name, value in values.items()
        }
        return message.format(**shown)

    def message(self, message: Message) -> str:
        """Return the sentence of a message; its key itself if no table has it any more."""
        try:
            return self(message.key, **message.values)
        except (KeyError, IndexError):
            return message.key
