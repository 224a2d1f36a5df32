r"""Undo and redo: of any frozen value, and of a log as a page and ``track`` keep it.

A `History` is of any value. A `Document` is a log as text with its assumptions, its steps and the
undone ones; it is written as JSON, so the browser's storage can keep it and undo survives a
reload. Each step holds only the lines in which the neighbouring texts differ. A `LogFile` keeps one
on the disk, and `pack` makes it part of a link.

>>> history = History("a").to("b").to("c").undo()
>>> history.now, history.redo().now, history.to("d").future
('b', 'c', ())
>>> document = Document("cluedo", "players: Ann, Ben\n")
>>> document = document.to("players: Ann, Ben\nAnn has rope\n", step=Message("added"))
>>> again = Document.from_json(document.to_json())
>>> again == document, again.undo().text
(True, 'players: Ann, Ben\n')
>>> again.undo().redo().text
'players: Ann, Ben\nAnn has rope\n'
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from shutil import copymode
from typing import Generic, TypeVar

from attrs import asdict, astuple, define, evolve, frozen

from deduce.errors import BadInput
from deduce.system.files import append_to_file, read_bytes, replace_file
from deduce.system.language import Message, Texts

__all__ = [
    "MAX_STEPS",
    "MAX_TEXT",
    "Change",
    "Document",
    "History",
    "LogFile",
    "last_changes",
    "pack",
    "unpack",
]

T = TypeVar("T")


@frozen
class History(Generic[T]):
    """A value with those before it and those that were undone, the nearest last."""

    now: T
    past: tuple[T, ...] = ()
    future: tuple[T, ...] = ()

    def to(self, value: T) -> History[T]:
        """Return the history with one more step, after which nothing can be redone."""
        return History(value, (*self.past, self.now))

    def undo(self) -> History[T]:
        """Return the history before the last step; raise `BadInput` if there is none."""
        if not self.past:
            raise BadInput("there is nothing to undo")
        return History(self.past[-1], self.past[:-1], (*self.future, self.now))

    def redo(self) -> History[T]:
        """Return the history after the step undone last; raise `BadInput` if there is none."""
        if not self.future:
            raise BadInput("there is nothing to redo")
        return History(self.future[-1], (*self.past, self.now), self.future[:-1])


MAX_STEPS = 300
"""How many steps can be undone."""

MAX_TEXT = 1_000_000
"""A longer text of a log is refused on the page (characters)."""

WORDS = (
    "deck: classic\nplayers: me: hand face up: undealt: suggestions: free accuses wrong right "
    "has not has one of seen by nobody shows; -; - Miss Scarlett, Colonel Mustard, Mrs White, "
    "Reverend Green, Mrs Peacock, Professor Plum, Candlestick, Dagger, Lead Piping, Revolver, "
    "Rope, Spanner, Hall, Lounge, Dining Room, Kitchen, Ballroom, Conservatory, Billiard Room, "
    "Library, Study, "
)
"""What logs often contain; a link is compressed against it, so it must never change."""

_say = Texts()


@frozen
class Change:
    """How to get from one text to a neighbouring one: some lines are replaced.

    Parameters
    ----------
    start, length
        Which lines are replaced: the first, from 0, and how many.
    lines
        The new lines, with their ends.
    assumed
        The assumptions after the change.
    step
        The name of the step that led to the text after the change.
    """

    start: int
    length: int
    lines: tuple[str, ...]
    assumed: tuple[str, ...]
    step: Message | None

    @classmethod
    def between(cls, old: str, new: Document) -> Change:
        """Return the change from a text to a document."""
        before, after = old.splitlines(keepends=True), new.text.splitlines(keepends=True)
        start = 0
        while start < min(len(before), len(after)) and before[start] == after[start]:
            start += 1
        end = 0
        while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
            end += 1
        lines = tuple(after[start : len(after) - end])
        return cls(start, len(before) - start - end, lines, new.assumed, new.step)

    def apply(self, text: str) -> str:
        """Return the text after the change."""
        lines = text.splitlines(keepends=True)
        lines[self.start : self.start + self.length] = self.lines
        return "".join(lines)


@frozen
class Document:
    """A log as it is kept.

    Parameters
    ----------
    game
        The name of the game.
    text
        The log in the notation of the game.
    assumed
        What is assumed for the sake of argument, one claim each, in a form that the page chooses.
    step
        The name of the step that led to it.
    past, future
        The changes that undo and redo make, the nearest last.
    """

    game: str
    text: str
    assumed: tuple[str, ...] = ()
    step: Message | None = None
    past: tuple[Change, ...] = ()
    future: tuple[Change, ...] = ()

    def to(
        self,
        text: str,
        assumed: Sequence[str] = (),
        *,
        step: Message | None,
        most: float = MAX_TEXT,
    ) -> Document:
        """Return the document after one more step, of at most this number of characters."""
        if len(text) > most:
            raise BadInput(_say("refused.long", n=MAX_TEXT))
        new = Document(self.game, text, tuple(assumed), step)
        past = (*self.past, Change.between(text, self))
        return evolve(new, past=past[-MAX_STEPS:])

    def undo(self) -> Document:
        """Return the document before the last step; raise `BadInput` if there is none."""
        if not self.past:
            raise BadInput(_say("refused.undo"))
        *past, change = self.past
        old = Document(self.game, change.apply(self.text), change.assumed, change.step)
        redo = Change.between(old.text, self)
        return evolve(old, past=tuple(past), future=(*self.future, redo))

    def redo(self) -> Document:
        """Return the document after the step undone last; raise `BadInput` if there is none."""
        if not self.future:
            raise BadInput(_say("refused.redo"))
        *future, change = self.future
        new = Document(self.game, change.apply(self.text), change.assumed, change.step)
        undo = Change.between(new.text, self)
        return evolve(new, past=(*self.past, undo), future=tuple(future))

    # JSON

    def to_json(self) -> str:
        """Return the document as one line of JSON."""
        fields = {"schema": "deduce/document/1", **asdict(self, recurse=False)}
        return json.dumps(fields, default=astuple, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Document:
        """Return the document that was written by `to_json`.

        Raises
        ------
        BadInput
            It is not such a document.
        """
        try:
            fields = json.loads(text)
            if fields["schema"] != "deduce/document/1":
                raise BadInput(_say("refused.version", version=str(fields["schema"])[:40]))
            return cls(
                _text(fields["game"]),
                _text(fields["text"]),
                tuple(map(_text, fields["assumed"])),
                _message(fields["step"]),
                tuple(map(_change, fields["past"])),
                tuple(map(_change, fields["future"])),
            )
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise BadInput(_say("refused.document")) from error


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise TypeError("a text is missing")
    return value


def _message(value: object) -> Message | None:
    match value:
        case None:
            return None
        case [key, dict(values)]:
            return Message(_text(key), {str(name): each for name, each in values.items()})
    raise TypeError("a message is missing")


def _change(value: object) -> Change:
    match value:
        case [start, length, list(lines), list(assumed), step] if (
            type(start) is int and type(length) is int and min(start, length) >= 0
        ):
            texts, claims = tuple(map(_text, lines)), tuple(map(_text, assumed))
            return Change(start, length, texts, claims, _message(step))
    raise TypeError("a change is missing")


# Which step changed a line last


def last_changes(document: Document) -> dict[int, tuple[int, str | None]]:
    r"""Return the lines of the text that steps which can be undone have changed.

    Returns
    -------
    dict
        Index of a line -> how many steps ago it was changed last, 1 for the last step, and what
        was there before; ``None``: it was added.

    >>> document = Document("cluedo", "a\nb\n").to("a\nB\n", step=None).to("a\nB\nc\n", step=None)
    >>> last_changes(document)
    {2: (1, None), 1: (2, 'b')}
    """
    changes: dict[int, tuple[int, str | None]] = {}
    where = {line: line for line in range(len(document.text.splitlines()))}
    for ago, change in enumerate(reversed(document.past), start=1):
        end, more = change.start + change.length, len(change.lines) - change.length
        for line, index in list(where.items()):
            if change.start <= index < end:
                old = change.lines[index - change.start] if more == 0 else None
                if more == 0 or not change.lines:
                    changes[line] = ago, None if old is None else old.rstrip("\n")
                del where[line]
            elif index >= end:
                where[line] = index + more
    return changes


# Files


@define
class LogFile:
    """The file in which a log is kept, and a hidden file beside it with the steps.

    The steps are an extra: without them the log can still be continued.

    Parameters
    ----------
    path
        The file of the log, not a link to it.
    steps
        The file of the steps.
    saved
        What the log's file is known to hold.
    warning
        Why the steps could not be kept the last time, if so.
    """

    path: Path
    steps: Path
    saved: bytes = b""
    warning: str = ""

    @classmethod
    def at(cls, path: Path) -> LogFile:
        """Return the file of a log, which may not exist yet, and that of the steps."""
        path = path.resolve()
        steps = path.with_name(f".{path.name}.steps")
        return cls(path, steps, read_bytes(path) if path.exists() else b"")

    def document(self, game: str, text: str) -> Document:
        """Return the log with the steps that were kept; what another program changed is one too.

        Parameters
        ----------
        game
            The name of the game; steps of another one are left out.
        text
            What the file states.
        """
        with suppress(OSError, UnicodeDecodeError, BadInput):
            kept = Document.from_json(read_bytes(self.steps).decode())
            if kept.game == game and kept.text == text:
                return kept
            if kept.game == game:
                return kept.to(text, step=Message("step.text"), most=inf)
        return Document(game, text)

    def save(self, document: Document) -> None:
        """Make the file hold the log; when this returns, it is on the disk.

        Raises
        ------
        BadInput
            The file cannot be written, or another program changed it; it is then as before.
        """
        self._write(document.text.encode())
        second = self.steps.with_name(f"{self.steps.name}-new")
        self.warning = ""
        try:
            second.touch(mode=0o600)
            second.write_text(document.to_json(), encoding="utf-8")
            copymode(self.path, second)
            second.replace(self.steps)
        except OSError as error:
            with suppress(OSError):
                second.unlink(missing_ok=True)
            self.warning = f"the steps cannot be kept, and undone later: {error.strerror}"

    def _write(self, data: bytes) -> None:
        try:
            if (read_bytes(self.path) if self.path.exists() else b"") != self.saved:
                raise BadInput(_say("refused.written"), source=str(self.path))
            if data == self.saved:
                return
            if data.startswith(self.saved) and self.saved.endswith(b"\n"):
                append_to_file(self.path, data[len(self.saved) :].decode())
            else:
                replace_file(self.path, data)
        except OSError as error:
            reason = f"cannot be written: {error.strerror}"
            raise BadInput(reason, source=str(self.path)) from None
        except KeyboardInterrupt:
            self.saved = read_bytes(self.path)
            raise
        self.saved = data


# Links


def pack(text: str) -> str:
    r"""Return a text compressed for the fragment of an address: letters, digits, ``-``, ``_``.

    >>> log = "players: Ann 6, Ben 6, Cid 6\nAnn: Professor Plum, Rope, Hall; Ben -\n"
    >>> len(pack(log)) < len(log), unpack(pack(log)) == log
    (True, True)
    """
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=WORDS.encode())
    data = deflater.compress(text.encode()) + deflater.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unpack(packed: str) -> str:
    """Return the text that `pack` compressed.

    Raises
    ------
    BadInput
        It was not made by `pack`, was cut off, or is too long.
    """
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        inflater = zlib.decompressobj(-15, zdict=WORDS.encode())
        text = inflater.decompress(data, MAX_TEXT)
        if not inflater.eof:
            raise ValueError
        return text.decode()
    except (ValueError, zlib.error):
        raise BadInput(_say("refused.link")) from None
