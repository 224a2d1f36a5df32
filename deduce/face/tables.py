"""A log that a server keeps for several pages: in a file, in memory, or for several players.

The steps that can be undone are in a hidden file beside the log. It is an extra: without it, or
when the log was changed elsewhere, the pages begin without them.
"""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from pathlib import Path

from attrs import define, field

from deduce.errors import BadInput, DeduceError
from deduce.events import read_text
from deduce.face.document import Document
from deduce.face.messages import Door, read_message
from deduce.face.sentences import refused
from deduce.files import check_writable, replace_file

__all__ = ["Table"]


@define
class Table:
    """One log, which all pages of a server show.

    Parameters
    ----------
    game
        The name of the game.
    path
        The file of the log; ``None``: it is kept in memory.
    document
        The log; ``None`` until it is set up.
    version
        Counts the steps, so that pages notice those of others.
    """

    game: str
    path: Path | None = None
    document: Document | None = None
    version: int = 0
    changed: threading.Condition = field(factory=threading.Condition, repr=False)
    _saved: bytes = b""

    @classmethod
    def open(cls, game: str, path: Path | None) -> Table:
        """Return the table of a log file; a file that does not exist yet is set up on the page.

        Raises
        ------
        BadInput
            The file cannot be read, or made; or it is something else, such as a pipe.
        """
        table = cls(game, path)
        if path is None:
            return table
        if not path.exists():
            check_writable(path)
            return table
        if not path.is_file():
            raise BadInput(refused("refused.kept"), source=str(path))
        text, _ = read_text(str(path))
        table._saved = path.read_bytes()
        table.document = Document(game, text)
        with suppress(BadInput):
            kept = Document.from_json(read_text(str(table._steps))[0])
            if kept.text == text and kept.game == game:
                table.document = kept
        return table

    def answer(self, door: Door, message: str, viewer: str | None = None) -> str:
        """Return the response to a request about this log, and keep the log that results.

        Parameters
        ----------
        door
            Has the presenter.
        message
            The request; its own document, if any, is ignored.
        viewer
            The player whose page asks; ``None``: the page shows everything in the log.
        """
        try:
            fields = read_message(message)
            if "qr" in fields:
                return door.answer(message)
            screen = door.screen({**fields, "game": self.game}, self.document, viewer)
            self.keep(screen.document)
        except DeduceError as error:
            return json.dumps({"error": str(error)})
        return door.response(screen, version=self.version)

    def keep(self, document: Document | None) -> None:
        """Keep a document, first in the file; nothing is written if the text is the same.

        Raises
        ------
        BadInput
            The file cannot be written, or another program changed it.
        """
        if document is None or document == self.document:
            return
        if self.path is not None:
            self._write(document)
        with self.changed:
            self.document = document
            self.version += 1
            self.changed.notify_all()

    def _write(self, document: Document) -> None:
        assert self.path is not None
        data = document.text.encode()
        if data != self._saved:
            current = self.path.read_bytes() if self.path.exists() else b""
            if current != self._saved:
                raise BadInput(
                    refused("refused.written"),
                    source=str(self.path),
                )
            replace_file(self.path, data)
            self._saved = data
        with suppress(OSError, BadInput):
            replace_file(self._steps, document.to_json())

    @property
    def _steps(self) -> Path:
        assert self.path is not None
        return self.path.with_name(f".{self.path.name}.steps")
