"""Steps of a proof in the words of Mastermind."""

from __future__ import annotations

from collections.abc import Sequence

from deduce.constraints import Fact
from deduce.problem import Evidence, Rule
from deduce.system.language import Texts, listed

__all__ = ["pattern", "say", "say_all"]

_say = Texts("mastermind", "games")


def say(fact: Fact) -> str:
    """Return a fact as a sentence.

    >>> from deduce.constraints import is_, is_not
    >>> say(is_(2, "5")), say(is_not(2, "3", "4"))
    ('slot 2 is 5', 'slot 2 is neither 3 nor 4')
    """
    what = str(fact.variable)
    if type(fact.variable) is int:
        what = _say("fact.slots", slots=what, n=1)
    names = sorted(map(str, fact.values))
    if fact.negated and len(names) == 1:
        return _say("fact.is_not", what=what, colours=names[0], n=1)
    if fact.negated:
        return _say("fact.is_none", what=what, colours=listed(names, "neither"))
    return _say("fact.is", what=what, colours=listed(names, "or"), n=1)


def say_all(facts: Sequence[Fact]) -> str:
    """Return facts about the same colour as one clause.

    >>> from deduce.constraints import is_, is_not
    >>> say_all([is_(1, "5"), is_(3, "5")]), say_all([is_not(1, "5"), is_not(3, "5")])
    ('slots 1 and 3 are 5', 'slots 1 and 3 are not 5')
    """
    if len(facts) == 1 or any(type(fact.variable) is not int for fact in facts):
        return listed([say(fact) for fact in facts])
    what = _say("fact.slots", slots=listed([str(fact.variable) for fact in facts]), n=len(facts))
    colours = listed(sorted(map(str, facts[0].values)), "or")
    key = "fact.is_not" if facts[0].negated else "fact.is"
    return _say(key, what=what, colours=colours, n=len(facts))


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
        return _say("pattern.case" if len(guesses) == 1 else "pattern.answers")
    if kind == "enough" and all(isinstance(piece, Rule) for piece in pieces):
        return _say("pattern.used_up")
    if kind not in ("given", "last value", "enough", "needed", "table"):
        return None
    return _say(f"pattern.{kind}")
