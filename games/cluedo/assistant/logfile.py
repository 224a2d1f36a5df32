"""The file of a session: it always holds every confirmed event, whatever kills the program.

A new event is appended in one write and forced to the disk before it is confirmed; any other
change is written to a second file, which then takes the place of the first. So at each moment the
file holds the log before the step or the log after it. Only a machine that loses its power can
leave half a last line; opening the file keeps such a line as a comment.
"""

from __future__ import annotations

from pathlib import Path

from deduce.errors import BadInput
from deduce.events import read_text
from deduce.files import append_to_file, replace_file, write_new_file
from games.cluedo.assistant.session import Session

__all__ = ["LogFile"]

LONGEST_REMNANT = 200
"""Characters of half a line that are kept."""


class LogFile:
    """The file in which a session is kept; make it with `open` or `create`."""

    def __init__(self, path: Path, saved: bytes) -> None:
        self.path = path
        self._saved = saved

    @classmethod
    def create(cls, path: Path, session: Session, *, replace: bool = False) -> LogFile:
        """Return the file of a new session, which is written.

        Raises
        ------
        BadInput
            There is such a file already (unless ``replace``), or it cannot be written.
        """
        if not replace or not path.exists():
            write_new_file(path, session.text)
        elif path.is_file():
            replace_file(path, session.text)
        else:
            raise BadInput("cannot be replaced: it is not a file", source=str(path))
        return cls(path.resolve(), session.text.encode())

    @classmethod
    def open(cls, path: Path) -> tuple[LogFile, Session, str]:
        """Return the file, its session, and a remark about an unfinished last line (or ``""``).

        Raises
        ------
        BadInput
            The log cannot be read.
        """
        try:
            text, source = read_text(str(path))
            session, remark = _read(text, source)
        except BadInput as error:
            mended = _mend(path, error)
            if mended is None:
                raise
            session, remark = mended
        return cls(path.resolve(), path.read_bytes()), session, remark

    def save(self, session: Session) -> None:
        """Make the file hold the session's log; when this returns, it is on the disk.

        Raises
        ------
        BadInput
            The file cannot be written, or another program changed it; it is then as before.
        """
        data = session.text.encode()
        if data == self._saved:
            return
        try:
            if self.path.read_bytes() != self._saved:
                raise BadInput(
                    "another program changed the log; nothing was written: leave and open it again",
                    source=str(self.path),
                )
            if data.startswith(self._saved) and self._saved.endswith(b"\n"):
                append_to_file(self.path, data[len(self._saved) :].decode())
            else:
                replace_file(self.path, session.text)
        except OSError as error:
            reason = f"cannot be written: {error.strerror}"
            raise BadInput(reason, source=str(self.path)) from None
        except KeyboardInterrupt:
            self._saved = self.path.read_bytes()
            raise
        self._saved = data


def _read(text: str, source: str) -> tuple[Session, str]:
    try:
        session = Session.read(text)
    except BadInput as error:
        raise error.at(source=source) from None
    if text.endswith("\n") or session.lines[-1].event is None:
        return session, ""
    return session, f"the last line has no end; was it finished? {session.lines[-1].text}"


def _mend(path: Path, error: BadInput) -> tuple[Session, str] | None:
    """Return the session up to an unfinished last line that cannot be read; ``None``: no such."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    end = data.rfind(b"\n") + 1
    if end == len(data) or error.line != data[:end].count(b"\n") + 1:
        return None
    try:
        session = Session.read(data[:end].decode("utf-8-sig"))
    except (BadInput, UnicodeDecodeError):
        return None
    tail = data[end:].decode(errors="replace")[:LONGEST_REMNANT]
    kept = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in tail)
    return session.remark(f"unfinished: {kept}"), f"the last line was not finished: {kept}"
