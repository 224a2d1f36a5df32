"""How knowledge grows with the log: the uncertainty that remains after every event, in bits.

The entropy of a question is the average number of yes-no questions that would still be needed to
answer it, if each is chosen as well as possible (Shannon, *A Mathematical Theory of Communication*,
1948).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log2

from attrs import frozen

from deduce.errors import Contradiction
from deduce.game import Shown, hook
from deduce.knowledge import Knowledge
from deduce.reasoning.queries import Asked

__all__ = ["Moment", "asked_about", "progress"]


@frozen
class Moment:
    """The uncertainty after an event.

    Parameters
    ----------
    number
        The event's number; 0 before the first.
    event
        What the event states, in sentences; empty before the first.
    worlds
        How many worlds remain possible; 0 if the log contradicts itself from here on.
    bits
        The remaining entropy of the questions; ``None`` if no world is possible.
    told
        How many bits fewer than before the event; negative if the event made the answer less
        certain. ``None`` for the first moment and where no world is possible.

    Notes
    -----
    Bits are about the questions, not about the world: an event never leaves more worlds, but what
    is asked about may become less certain, when an event excludes what was most probable. On
    average over all that may happen, no event is expected to do so.
    """

    number: int
    event: str
    worlds: int
    bits: float | None
    told: float | None = None


def asked_about(knowledge: Knowledge) -> tuple[Asked, ...]:
    """Return the questions of the game, from its method ``questions``; empty if it has none.

    >>> from games.cluedo import Cluedo
    >>> len(asked_about(Knowledge(Cluedo(("Ann", "Ben", "Cid")))))
    3
    """
    questions = hook(knowledge.game, Shown.questions)
    return () if questions is None else tuple(questions())


def progress(knowledge: Knowledge, *questions: Asked) -> Iterator[Moment]:
    """Yield the uncertainty before the first event and after every event, up to a contradiction.

    Parameters
    ----------
    knowledge
        Its viewer, assumptions, engine and budget are used for every count.
    questions
        What is asked about, weighted by the posterior. The default is the questions of the game;
        if it has none, the question is which world it is, with equal weights.

    Raises
    ------
    Undecided
        A budget ran out.
    BadProblem
        There is no such variable.

    Notes
    -----
    One count and one joint distribution for each event.

    Examples
    --------
    >>> from deduce.constraints import exactly, is_, is_not
    >>> from deduce.problem import Problem
    >>> doors = Problem({"prize": (1, 2, 3, 4)})
    >>> knowledge = Knowledge(doors, [is_not("prize", 1, 2), is_not("prize", 3)])
    >>> [(moment.worlds, moment.bits) for moment in progress(knowledge)]
    [(4, 2.0), (2, 1.0), (1, 0.0)]
    >>> [moment.event for moment in progress(knowledge)]
    ['', 'prize is not 1 or 2', 'prize is not 3']
    """
    asked = questions or asked_about(knowledge)
    asks_all = all(name in asked for name in knowledge.problem.domains)
    sentences: dict[int, dict[str, None]] = {}
    for piece in knowledge.problem.evidence:
        if piece.event is not None:
            sentences.setdefault(piece.event, {})[str(piece)] = None
    before: float | None = None
    for number in range(len(knowledge.log) + 1):
        earlier = knowledge.upto(number)
        event = "; ".join(sentences.get(number, ()))
        worlds = earlier.count()
        if not worlds:
            yield Moment(number, event, 0, None)
            return
        try:
            is_counted = not asked or (asks_all and not earlier.is_weighed)
            bits = log2(worlds) if is_counted else earlier.joint(*asked).entropy()
        except Contradiction:
            yield Moment(number, event, 0, None)
            return
        yield Moment(number, event, worlds, bits, None if before is None else before - bits)
        before = bits
