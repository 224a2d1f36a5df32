"""Facts and steps of a proof in the words of Minesweeper."""

from __future__ import annotations

from collections.abc import Sequence

from deduce.constraints import Fact
from deduce.problem import Evidence, Rule
from deduce.system.language import Texts, listed

__all__ = ["CLEAR", "MINE", "pattern", "say", "say_all"]

MINE, CLEAR = "mine", "clear"

_say = Texts("minesweeper", "games")


def is_mine(fact: Fact) -> bool:
    """Return whether a fact states that a cell is a mine, and not that it is clear."""
    return (fact.values == {MINE}) != fact.negated


def say(fact: Fact) -> str:
    """Return a fact as a sentence.

    >>> from deduce.constraints import is_, is_not
    >>> say(is_("A1", MINE)), say(is_not("A1", MINE))
    ('A1 is a mine', 'A1 is clear')
    """
    if len(fact.values) == 2:
        return _say("fact.neither" if fact.negated else "fact.either", cells=str(fact.variable))
    return say_all([fact])


def say_all(facts: Sequence[Fact]) -> str:
    """Return facts of the same kind as one clause.

    >>> from deduce.constraints import is_
    >>> say_all([is_("A1", MINE), is_("B2", MINE)]), say_all([is_("A1", CLEAR)])
    ('A1 and B2 are mines', 'A1 is clear')
    """
    if len(facts) == 1 and len(facts[0].values) == 2:
        return say(facts[0])
    cells = listed([str(fact.variable) for fact in facts])
    return _say("fact.mine" if is_mine(facts[0]) else "fact.clear", cells=cells, n=len(facts))


def pattern(kind: str, pieces: Sequence[Rule | Evidence]) -> str | None:
    """Return the name of a kind of step; ``None`` for the default.

    Parameters
    ----------
    kind
        A kind of `deduce.steps.words.PATTERNS`.
    pieces
        The rules and the numbers that the step rests on.
    """
    numbers = sum(isinstance(piece, Evidence) for piece in pieces)
    if kind in ("combination", "case"):
        if numbers < len(pieces):
            return _say("pattern.mines")
        return _say("pattern.two" if numbers == 2 else "pattern.several")
    if kind not in ("given", "enough", "needed"):
        return None
    return _say("pattern.given" if kind == "given" else f"pattern.{kind}.{bool(numbers)}")
