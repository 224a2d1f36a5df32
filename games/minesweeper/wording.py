"""Facts and steps of a proof in the words of Minesweeper."""

from __future__ import annotations

from collections.abc import Sequence

from deduce.constraints import Fact
from deduce.problem import Evidence, Rule
from deduce.system.text import join

__all__ = ["CLEAR", "MINE", "pattern", "say", "say_all"]

MINE, CLEAR = "mine", "clear"


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
        return f"{fact.variable} is {'neither ' * fact.negated}a mine {'n' * fact.negated}or clear"
    return f"{fact.variable} is {'a mine' if is_mine(fact) else 'clear'}"


def say_all(facts: Sequence[Fact]) -> str:
    """Return facts of the same kind as one clause.

    >>> from deduce.constraints import is_
    >>> say_all([is_("A1", MINE), is_("B2", MINE)]), say_all([is_("A1", CLEAR)])
    ('A1 and B2 are mines', 'A1 is clear')
    """
    if len(facts) == 1:
        return say(facts[0])
    cells = join([str(fact.variable) for fact in facts])
    return f"{cells} are {'mines' if is_mine(facts[0]) else 'clear'}"


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
    counted = "number" if numbers else "number of mines"
    names = {
        "given": "opened",
        "enough": f"{counted} complete: the other cells are clear",
        "needed": f"{counted} needs all hidden cells",
    }
    if kind in ("combination", "case"):
        if numbers < len(pieces):
            return "mines counted together"
        return "two numbers share cells" if numbers == 2 else "several numbers together"
    return names.get(kind)
