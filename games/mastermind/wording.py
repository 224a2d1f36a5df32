"""Steps of a proof in the words of Mastermind."""

from __future__ import annotations

from collections.abc import Sequence

from deduce.constraints import Fact
from deduce.problem import Evidence, Rule
from deduce.system.text import join, neither

__all__ = ["pattern", "say", "say_all"]


def say(fact: Fact) -> str:
    """Return a fact as a sentence.

    >>> from deduce.constraints import is_, is_not
    >>> say(is_(2, "5")), say(is_not(2, "3", "4"))
    ('slot 2 is 5', 'slot 2 is neither 3 nor 4')
    """
    what = f"slot {fact.variable}" if type(fact.variable) is int else str(fact.variable)
    names = sorted(map(str, fact.values))
    if not fact.negated:
        return f"{what} is {join(names, 'or')}"
    return f"{what} is {neither(names) if len(names) > 1 else f'not {names[0]}'}"


def say_all(facts: Sequence[Fact]) -> str:
    """Return facts about the same colour as one clause.

    >>> from deduce.constraints import is_, is_not
    >>> say_all([is_(1, "5"), is_(3, "5")]), say_all([is_not(1, "5"), is_not(3, "5")])
    ('slots 1 and 3 are 5', 'slots 1 and 3 are not 5')
    """
    if len(facts) == 1 or any(type(fact.variable) is not int for fact in facts):
        return join([say(fact) for fact in facts])
    slots = join([str(fact.variable) for fact in facts])
    colours = join(sorted(map(str, facts[0].values)), "or")
    return f"slots {slots} are {'not ' if facts[0].negated else ''}{colours}"


def pattern(kind: str, pieces: Sequence[Rule | Evidence]) -> str | None:
    """Return the name of a kind of step; ``None`` for the default.

    Parameters
    ----------
    kind
        A kind of `deduce.steps.words.PATTERNS`.
    pieces
        The rules and the answers that the step rests on.
    """
    if kind in ("combination", "case"):
        guesses = {piece.event for piece in pieces if isinstance(piece, Evidence)}
        return "one answer, case by case" if len(guesses) == 1 else "answers together"
    if kind == "enough" and all(isinstance(piece, Rule) for piece in pieces):
        return "colour used up"
    return {
        "given": "stated by an answer",
        "last value": "only colour left",
        "enough": "all pegs accounted for",
        "needed": "pegs need all slots left",
        "table": "pegs of one guess",
    }.get(kind)
