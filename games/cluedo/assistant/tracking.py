r"""A game that is being tracked: its session, its file, and what its log shows now.

It knows no terminal: `games.cluedo.assistant.dialogue` answers lines with it.

>>> tracking = Tracking(Session.read("players: Ann, Ben, Cid\n"))
>>> tracking.take(tracking.session.add("Ann has rope"))
>>> tracking.news()
['Ann has Rope']
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from attrs import define, field

from deduce.constraints import Constraint, Fact, is_
from deduce.errors import Contradiction, Undecided
from deduce.explain import Why
from deduce.game import Slip
from deduce.knowledge import Knowledge
from games.cluedo.assistant.autosave import LogFile
from games.cluedo.assistant.session import Session
from games.cluedo.notation.events import format_event

__all__ = ["Tracking", "proof"]


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


def proof(session: Session, why: Why) -> Iterator[tuple[int | None, str, str]]:
    """Yield the steps of an explanation: event number, the event or ``"assumed"``, what follows."""
    for step in why.steps:
        sentences = "; ".join(step.sentences)
        if step.event is None:
            yield None, "assumed", sentences
        else:
            yield step.event, format_event(session.game, session.events[step.event - 1]), sentences
