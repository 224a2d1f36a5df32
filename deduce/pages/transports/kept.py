"""A log that a server keeps for several pages: in a file, in memory, or for several players.

The steps that can be undone are in a hidden file beside the log. It is an extra: without it the
pages begin without them. What another program did to the log is one more step.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

from attrs import define, evolve, field

from deduce.errors import BadInput, DeduceError, Unsupported
from deduce.logs.document import Document, LogFile
from deduce.logs.events import Log
from deduce.pages.messages import Door, Fields, error_message, read_message, request_ui
from deduce.pages.private import SharedLog, Shown
from deduce.pages.protocol import Notice
from deduce.pages.sentences import refused
from deduce.system.files import check_writable, read_text
from deduce.system.language import speaking

__all__ = ["KeptLog"]


@define(slots=False)
class KeptLog:
    """One log, which all pages of a server show.

    Parameters
    ----------
    game
        The name of the game.
    file
        The file of the log; ``None``: it is kept in memory.
    document
        The log; ``None`` until it is set up.
    version
        Counts the steps, so that pages notice those of others.
    identifier
        Returns a random text, which takes the place of the version on the page of a player.
    """

    game: str
    file: LogFile | None = None
    document: Document | None = None
    version: int = 0
    identifier: Callable[[], str] = secrets.token_urlsafe
    lock: threading.RLock = field(factory=threading.RLock, repr=False)

    @classmethod
    def open(cls, game: str, path: Path | None) -> KeptLog:
        """Return what keeps a log in a file; one that does not exist yet is set up on the page.

        Raises
        ------
        BadInput
            The file cannot be read, or made; or it is something else, such as a pipe.
        """
        if path is None:
            return cls(game)
        if not path.exists():
            check_writable(path)
            return cls(game, LogFile.at(path))
        if not path.is_file():
            raise BadInput(refused("refused.kept"), source=str(path))
        text, _ = read_text(str(path))
        file = LogFile.at(path)
        return cls(game, file, file.document(game, text))

    @cached_property
    def shared(self) -> SharedLog:
        """What each player sees of the log; its page draws nothing."""
        page = Door().page(self.game)

        def read(text: str) -> Log:
            log = page.read(text)
            if not isinstance(log, Log):
                raise Unsupported(refused("refused.shared"))
            return log

        return SharedLog(read, self.identifier)

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
            with speaking(str(fields.get("language"))):
                if "qr" in fields:
                    return door.picture(fields)
                fields = {**fields, "game": self.game}
                if viewer is not None:
                    return self._private_answer(door, fields, viewer)
                with self.lock:
                    seen, version = self.document, self.version
                screen = door.screen(fields, seen)
                if self.keep(screen.document, seen):
                    version += 1
        except DeduceError as error:
            return error_message(error)
        return door.response(screen, version=version)

    def _private_answer(self, door: Door, fields: Fields, viewer: str) -> str:
        """Return the response to a player: the step is taken first, then the page is drawn."""
        shown = self.shown(viewer)
        screen = door.screen(fields, shown.view)
        if screen.document is not None and screen.document != shown.view.document:
            ui, notices = screen.ui, screen.notices
            try:
                with self.lock:
                    self.shared.take(shown, screen.document, self._keep)
            except BadInput as error:
                ui, notices = request_ui(fields), (Notice(str(error), "bad"),)
            shown = self.shown(viewer)
            after = door.screen({**fields, "intent": None, "ui": ui}, shown.view)
            screen = evolve(after, notices=notices, focus=screen.focus)
        return door.response(screen, version=shown.view.identifier)

    def work(self, door: Door, message: str, viewer: str | None = None) -> Iterator[str]:
        """Yield the fragments of a job about this log; see `Door.work`."""
        shown = self.document if viewer is None else self.shown(viewer).view
        return door.work(message, shown, self.game)

    def shown(self, viewer: str) -> Shown:
        """Return what a player sees now."""
        with self.lock:
            self.shared.follow(self.document)
            return self.shared.shown(viewer)

    def state(self, viewer: str | None) -> int | str:
        """Return what changes when the page of a player, or of the whole log, changes.

        It waits for no step: what a player sees is known as soon as a step is taken.
        """
        return self.version if viewer is None else self.shared.last(viewer)

    def keep(self, document: Document | None, seen: Document | None) -> bool:
        """Return whether a page changed the log that it had seen; it is kept, first in the file.

        Raises
        ------
        BadInput
            The file cannot be written, or others changed the log meanwhile.
        """
        if document is None or document == seen:
            return False
        with self.lock:
            if self.document is not seen:
                raise BadInput(refused("refused.meanwhile"))
            self._keep(document)
            if "shared" in vars(self):
                self.shared.follow(document)
        return True

    def _keep(self, document: Document) -> None:
        if self.file is not None:
            self.file.save(document)
        self.document = document
        self.version += 1
