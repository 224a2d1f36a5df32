r"""A game that is tracked: its session, its file, and what its log shows now; it knows no terminal.

The file always holds every confirmed event, whatever kills the program. A new event is appended in
one write and forced to the disk before it is confirmed; any other change is written to a second
file, which then replaces the first. Only a machine that loses its power can leave half a last line;
opening the file keeps such a line as a comment.

The steps that can be undone and redone are kept in a second, hidden file beside the log, which is
an extra: without it, or when the log was changed elsewhere, the session begins without them.

>>> tracking = Tracking(Session.read("players: Ann, Ben, Cid\n"))
>>> tracking.take(tracking.session.add("Ann has rope"))
>>> tracking.news()
['Ann has Rope']
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from shutil import copymode
from typing import Any

from attrs import define, evolve, field

from deduce.constraints import Constraint, Fact, is_
from deduce.errors import BadInput, Contradiction, Undecided, placed
from deduce.game import Slip
from deduce.knowledge import Knowledge
from deduce.logs.events import parse_event, read_text
from deduce.logs.history import History
from deduce.system.files import append_to_file, read_bytes, replace_file, write_new_file
from games.cluedo.names import tokens
from games.cluedo.notation import format_event
from games.cluedo.session import Line, Session, Version

__all__ = ["LogFile", "Tracking"]


MAX_REMNANT = 200
"""Characters of an unfinished line that are kept."""

MAX_STEPS = 500
"""Steps in each direction that are kept in the hidden file."""


class LogFile:
    """The file in which a session is kept; make it with `open` or `create`."""

    def __init__(self, path: Path, saved: bytes) -> None:
        self.path = path
        self._saved = saved
        self.warning = ""
        """Why the steps of the session could not be kept, if so."""

    @classmethod
    def create(cls, path: Path, session: Session, *, replace: bool = False) -> LogFile:
        """Return the file of a new session, which is written.

        Raises
        ------
        BadInput
            The file already exists (unless ``replace``), or it cannot be written.
        """
        if not replace or not path.exists():
            write_new_file(path, session.text)
        elif path.is_file():
            replace_file(path, session.text)
        else:
            raise BadInput("cannot be replaced: it is not a file", source=str(path))
        with suppress(OSError):
            _history_path(path.resolve()).unlink(missing_ok=True)
        return cls(path.resolve(), session.text.encode())

    @classmethod
    def open(cls, path: Path) -> tuple[LogFile, Session, str]:
        """Return the file, its session, and a note about an unfinished last line (or ``""``).

        Raises
        ------
        BadInput
            The log cannot be read.
        """
        try:
            text, source = read_text(str(path))
            session, note = _read(text, source)
        except BadInput as error:
            repaired = _without_last_line(path, error)
            if repaired is None:
                raise
            session, note = repaired
        session = _with_history(session, _history_path(path.resolve()))
        return cls(path.resolve(), read_bytes(path)), session, note

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
            if read_bytes(self.path) != self._saved:
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
            self._saved = read_bytes(self.path)
            raise
        self._saved = data
        self.warning = _write_history(session, self.path)


def _read(text: str, source: str) -> tuple[Session, str]:
    with placed(source=source):
        session = Session.read(text)
    if text.endswith("\n") or session.lines[-1].event is None:
        return session, ""
    return session, f"the last line has no end; was it finished? {session.lines[-1].text}"


def _without_last_line(path: Path, error: BadInput) -> tuple[Session, str] | None:
    """Return the session without an unfinished last line that cannot be read, if that is it."""
    try:
        data = read_bytes(path)
    except OSError:
        return None
    end = data.rfind(b"\n") + 1
    if end == len(data) or error.line != data[:end].count(b"\n") + 1:
        return None
    try:
        session = Session.read(data[:end].decode("utf-8-sig"))
    except (BadInput, UnicodeDecodeError):
        return None
    tail = data[end:].decode(errors="replace")[:MAX_REMNANT]
    kept = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in tail)
    return session.with_comment(f"unfinished: {kept}"), f"the last line was not finished: {kept}"


# The steps that can be undone


def _history_path(path: Path) -> Path:
    return path.with_name(f".{path.name}.history")


def _write_history(session: Session, log: Path) -> str:
    """Write the steps, as the lines that each of them replaced; return why that failed, or ""."""
    history = session.history
    past = [*history.past[-MAX_STEPS:], history.now]
    future = [history.now, *reversed(history.future[-MAX_STEPS:])]
    document = {
        "log": _digest(session.text),
        "past": [_change(*pair) for pair in pairwise(past) if pair[0].lines != pair[1].lines],
        "future": [_change(*pair) for pair in pairwise(future) if pair[0].lines != pair[1].lines],
    }
    path = _history_path(log)
    second = path.with_name(f"{path.name}-new")
    try:
        second.touch(mode=0o600)
        second.write_text(json.dumps(document), encoding="utf-8")
        copymode(log, second)
        second.replace(path)
    except OSError as error:
        with suppress(OSError):
            second.unlink(missing_ok=True)
        return f"the steps cannot be kept, and undone later: {error.strerror}"
    return ""


def _with_history(session: Session, path: Path) -> Session:
    """Return the session with the steps that were written for its log, if there are any."""
    try:
        document = json.loads(read_bytes(path))
        if document["log"] != _digest(session.text):
            return session
        past = _versions(session, document["past"][::-1], backwards=True)
        future = _versions(session, document["future"], backwards=False)
    except (OSError, ValueError, LookupError, TypeError, RecursionError, BadInput):
        return session
    steps = [*(change["step"] for change in document["past"]), *(v.step for v in future)]
    if not all(isinstance(step, str) for step in steps):
        return session
    names = ["", *(change["step"] for change in document["past"])]
    versions = [
        evolve(version, step=name)
        for version, name in zip([*past[::-1], session.history.now], names, strict=True)
    ]
    return evolve(session, history=History(versions[-1], tuple(versions[:-1]), tuple(future[::-1])))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _change(before: Version, after: Version) -> dict[str, object]:
    """Return a step as the lines that it replaced; what was assumed is not kept."""
    old, new = ([line.text for line in version.lines] for version in (before, after))
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    return {
        "step": after.step,
        "at": start,
        "old": old[start : len(old) - end],
        "new": new[start : len(new) - end],
    }


def _common(texts: Sequence[str], others: Sequence[str]) -> int:
    """Return how many texts at the beginning are the same."""
    pairs = enumerate(zip(texts, others, strict=False))
    return next((i for i, (one, other) in pairs if one != other), min(len(texts), len(others)))


def _versions(
    session: Session, changes: Sequence[dict[str, Any]], *, backwards: bool
) -> list[Version]:
    """Return the log after each of the changes, one after the other."""
    versions = []
    lines = session.lines
    known = {line.text: line for line in lines}
    for change in changes:
        start, replaced = change["at"], change["new" if backwards else "old"]
        end = start + len(replaced)
        if [line.text for line in lines[start:end]] != replaced:
            raise BadInput("the steps belong to another log")
        texts = change["old" if backwards else "new"]
        known |= {text: _line(session, text) for text in texts if text not in known}
        lines = (*lines[:start], *(known[text] for text in texts), *lines[end:])
        versions.append(Version(lines, step=change["step"]))
    return versions


def _line(session: Session, text: str) -> Line:
    is_event = bool(tokens(text)) if not text.lstrip().startswith("{") else True
    return Line(text, parse_event(session.game, text) if is_event else None)


@define
class Tracking:
    """A session, its file, and what is known.

    Parameters
    ----------
    session, file
        What is tracked, and where it is kept: a step counts once it is on the disk. Without a
        file it is kept in memory only.
    options
        How the knowledge is asked: engine and budget.
    """

    session: Session
    file: LogFile | None = None
    options: Mapping[str, Any] = field(factory=dict)
    level: float = 0.5
    """From which probability on a wrong answer is warned of."""
    warned: set[tuple[int, str]] = field(factory=set, init=False)
    """The events and answers of which a warning was given."""
    knowledge: Knowledge = field(init=False)
    """What the log shows now, under the assumptions; its answers are cached."""
    before: Knowledge = field(init=False)
    """The knowledge before the last step, or before the log contradicted itself."""

    def __attrs_post_init__(self) -> None:
        self.knowledge = self.before = self.session.knowledge(**self.options)

    @property
    def path(self) -> Path:
        """Where it is kept; ``memory`` without a file."""
        return Path("memory") if self.file is None else self.file.path

    def take(self, session: Session) -> None:
        """Take a step, which is saved first.

        Raises
        ------
        BadInput
            It cannot be saved; nothing was changed.
        """
        if self.file is not None:
            self.file.save(session)
        before, self.session = self.knowledge, session
        self.knowledge = session.knowledge(**self.options)
        with suppress(Undecided):
            if before.is_consistent():
                self.before = before

    def news(self) -> list[str]:
        """Return what is certain now and was not, as sentences, sorted; of a consistent log."""
        known = self.before.certain().items() if self.before.is_consistent() else ()
        facts = [is_(card, holder) for card, holder in self.knowledge.certain().items() - known]
        return sorted(self.session.game.say(fact) for fact in facts)

    def events(self) -> list[str]:
        """Return the events in the notation; event ``n`` is the one at ``n - 1``."""
        return [format_event(self.session.game, event) for event in self.session.events]

    def notices(self, number: int | None = None) -> list[str]:
        """Return what is odd in the log, or in event ``number`` only, with the line of the file."""
        return [
            f"{self.path.name}:{self.session.line_number(notice.event)}: {notice.message}"
            for notice in self.session.game.notices(self.session.events)
            if number in (None, notice.event)
        ]

    def doubtful(self) -> Iterator[Slip]:
        """Yield the answers that are probably wrong and were not so before, each once.

        Nothing without doubts, or where the budget is not sufficient.
        """
        if self.knowledge.doubts is None:
            return
        with suppress(Undecided, Contradiction):
            for slip in self.knowledge.slips():
                key = slip.event, slip.answer
                if slip.probability >= self.level and key not in self.warned:
                    self.warned.add(key)
                    yield slip

    def verdicts(self) -> dict[str, str]:
        """Return each assumption as a sentence, with its status; none for an impossible log."""
        if not self.session.free().knowledge(**self.options).is_consistent():
            return {}
        verdicts = self.knowledge.verdicts().items()
        return {self.knowledge.say(claim): VERDICTS[verdict] for claim, verdict in verdicts}

    def probability(self, claim: Constraint) -> Fraction | None:
        """Return the posterior probability of a fact; ``None`` for other claims."""
        if not isinstance(claim, Fact):
            return None
        row = self.knowledge.posterior()[claim.variable]
        share = sum((p for value, p in row.items() if value in claim.values), Fraction(0))
        return 1 - share if claim.negated else share


VERDICTS = {
    "confirmed": "it is certain anyway",
    "refuted": "the log rules it out",
    "follows": "it follows from the other assumptions",
    "conflicting": "not together with the other assumptions",
    "active": "possible",
}
