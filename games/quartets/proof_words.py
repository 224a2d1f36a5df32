"""Steps of a proof in the words of Quartets."""

from __future__ import annotations

from collections.abc import Sequence

from deduce.constraints import Count, Fact
from deduce.problem import Evidence, Rule
from deduce.text import join, neither
from games.quartets.knowledge import fact_text

__all__ = ["pattern", "say_all"]


def say_all(facts: Sequence[Fact]) -> str:
    """Return facts about the same player as one clause.

    >>> from deduce.constraints import is_, is_not
    >>> say_all([is_("a1", "Ann"), is_("b2", "Ann")])
    'Ann was dealt a1 and b2'
    >>> say_all([is_not("a1", "Ann"), is_not("b2", "Ann")])
    'Ann was dealt neither a1 nor b2'
    """
    if len(facts) == 1:
        return fact_text(facts[0])
    cards = [str(fact.variable) for fact in facts]
    player = join(sorted(map(str, facts[0].values)), "or")
    if not facts[0].negated:
        return f"{player} was dealt {join(cards)}"
    return f"{player} was dealt {neither(cards)}"


def pattern(kind: str, pieces: Sequence[Rule | Evidence]) -> str | None:
    """Return the name of a kind of step; ``None`` for the default.

    Parameters
    ----------
    kind
        A kind of `deduce.steps.words.PATTERNS`.
    pieces
        The rules and the statements that the step rests on.
    """
    if kind in ("combination", "case"):
        stated = any(isinstance(piece, Evidence) for piece in pieces)
        return "case distinction" if stated else "hands counted together"
    names = {"given": "said", "last value": "only player left"}
    if len(pieces) == 1 and isinstance(pieces[0].constraint, Count):
        asked = isinstance(pieces[0], Evidence)
        whole = not asked and pieces[0].constraint.low == 0
        names["needed"] = "the asker has one of the group" if asked else "hand needs all left"
        names["enough"] = "not declared: never a whole group" if asked or whole else "hand full"
    return names.get(kind)
