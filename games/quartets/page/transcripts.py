"""The log of statements, with the position after each of them."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.logs.events import Log
from deduce.pages.document import Document
from deduce.pages.features.log import Event, LogBook, Sight
from deduce.pages.html import Child, callout, details, tag
from deduce.pages.presenter import CACHED, Recent, Views
from deduce.pages.protocol import Moment, Ui
from deduce.pages.sentences import Texts
from games.quartets.game import Quartets
from games.quartets.page.states import is_state
from games.quartets.session import Session
from games.quartets.states import parse_state
from games.quartets.verdict import reason

__all__ = ["Transcripts", "paragraphs"]


class Transcripts(LogBook):
    """The log of statements, which is read as a session: with the position after each of them."""

    def __init__(self, say: Texts, name: str, views: Views, panels: tuple[str, ...]) -> None:
        super().__init__(say, name, views, panels)
        self._sessions: Recent[Session] = Recent(2 * CACHED)

    def session(self, document: Document) -> Session:
        """Return the session of a transcript; raise `BadInput` if it cannot be read."""
        return self._session(document.text)

    def _session(self, text: str) -> Session:
        return self._sessions.get(text, lambda: Session.read(text))

    def read(self, text: str) -> Log:
        """Return the log of a transcript, in which every statement can be made.

        A state that is pasted or an example is read to see whether it can be, and has no log.
        """
        if is_state(text):
            state = parse_state(text)
            return Log(Quartets(state.players, state.groups), (), ())
        session = self._session(text)
        return Log(session.game, session.log, session.lines)

    def knowledge(self, document: Document, viewer: str | None = None) -> Knowledge:
        """Return what the statements show; nothing can be assumed."""
        return super().knowledge(evolve(document, assumed=()), viewer)

    def is_consistent(self, document: Document, knowledge: Knowledge) -> bool:
        """Return whether every statement leaves a deal."""
        return self.session(document).first_fault() is None

    def typed_example(self, sight: Sight) -> str:
        """Return nothing: what can be said is beside the table."""
        return ""

    def line_read(self, log: Log, typed: str) -> str:
        """Return a statement that was typed, in full or short, as a line of the transcript."""
        try:
            return str(log.game.format_event(log.game.parse_event(typed)))
        except BadInput:
            after = Session.new(log.game, log.events).say(typed)
            return str(after.game.format_event(after.log[-1]))

    def announce(self, moment: Moment, before: Document) -> None:
        """Announce what follows from the last statement: who has lost, what must be said."""
        session = self.session(moment.log)
        fault = session.position.fault
        lines = list(session.announcements())
        moment.ui["news"] = []
        for line in lines if fault is not None else lines[:-1] or lines:
            moment.note(line, "bad" if fault is not None else "note")

    def speak(self, moment: Moment, event: Event) -> None:
        """Take the step that records a statement."""
        after = self.session(moment.log).tell(event)
        self.add(moment, after.game.format_event(after.log[-1]))
        moment.ui.pop("turn", None)
        moment.focus = "turn-title"

    def conflict(self, sight: Sight, ui: Ui) -> Sequence[Child]:
        """Return which statement loses."""
        session = self.session(sight.document)
        if session.first_fault() is None:
            return []
        head, *lines = paragraphs(reason(session, None).text)
        proof = details(self.say("verdict.proof"), *(tag("p", line) for line in lines), key="proof")
        shown = [tag("p", tag("strong", head)), proof if lines else None]
        return [callout(*shown, kind="bad", label=self.say("verdict.invalid"))]


def paragraphs(text: str) -> list[str]:
    """Return the lines of a text that are not empty."""
    return [line.strip() for line in text.split("\n") if line.strip()]
