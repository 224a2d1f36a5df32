"""How what is known grows with the log: how much is open after every event, in bits.

The entropy of what is asked about is the number of yes-no questions, each as good as can be, that
would still be needed on average (Shannon, *A Mathematical Theory of Communication*, 1948).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log2
from typing import Any

from attrs import frozen

from deduce.constraints import Fact, Variable
from deduce.errors import Contradiction
from deduce.knowledge import Knowledge

__all__ = ["Asked", "Moment", "asked_about", "progress"]

Asked = Variable | Mapping[Any, Fact]
"""What `Knowledge.joint` takes: a variable, or answers with the facts that they stand for."""


@frozen
class Moment:
    """What is open after an event.

    Parameters
    ----------
    number
        The event's number; 0 before the first.
    event
        What the event says, in sentences; empty before the first.
    worlds
        How many worlds fit; 0 if the log contradicts itself from here on.
    bits
        The entropy of what is asked about; ``None`` if no world is possible.
    told
        How many bits fewer there are than before the event (news can also unsettle, and then this
        is negative); ``None`` for the first moment and where no world is possible.
    """

    number: int
    event: str
    worlds: int
    bits: float | None
    told: float | None = None


def asked_about(knowledge: Knowledge) -> tuple[Asked, ...]:
    """Return the questions that the game is about, or none: then it is about all of them.

    A game names them by a method ``questions``.

    >>> from games.cluedo import Cluedo
    >>> len(asked_about(Knowledge(Cluedo(("Ann", "Ben", "Cid")))))
    3
    """
    questions = getattr(knowledge.game, "questions", None)
    return () if questions is None else tuple(questions())


def progress(knowledge: Knowledge, *questions: Asked) -> Iterator[Moment]:
    """Yield what is open before the first event and after every one, up to a contradiction.

    Parameters
    ----------
    knowledge
        Its viewer, assumptions, engine and budget hold throughout.
    questions
        What is asked about, weighed by the posterior; left out: what the game is about, or, where
        it does not say, which of the worlds it is, all of them counted the same.

    Raises
    ------
    Undecided
        A budget ran out.
    BadProblem
        There is no such variable.

    Notes
    -----
    One count and one joint distribution an event.

    Examples
    --------
    >>> from deduce.constraints import exactly, is_, is_not
    >>> from deduce.problem import Problem
    >>> doors = Problem({"prize": (1, 2, 3, 4)})
    >>> told = Knowledge(doors, [is_not("prize", 1, 2), is_not("prize", 3)])
    >>> [(moment.worlds, moment.bits) for moment in progress(told)]
    [(4, 2.0), (2, 1.0), (1, 0.0)]
    """
    asked = questions or asked_about(knowledge)
    said: dict[int, dict[str, None]] = {}
    for piece in knowledge.problem.evidence:
        if piece.event is not None:
            said.setdefault(piece.event, {})[piece.sentence] = None
    before: float | None = None
    for number in range(len(knowledge.log) + 1):
        then = knowledge.upto(number)
        event = "; ".join(said.get(number, ()))
        worlds = then.count()
        if not worlds:
            yield Moment(number, event, 0, None)
            return
        try:
            bits = then.joint(*asked).entropy() if asked else log2(worlds)
        except Contradiction:
            yield Moment(number, event, 0, None)
            return
        yield Moment(number, event, worlds, bits, None if before is None else before - bits)
        before = bits
