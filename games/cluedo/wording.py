"""Steps of a proof in the words of Cluedo: several facts at once, and the names of the patterns."""

from __future__ import annotations

from collections.abc import Sequence

from deduce.constraints import Count, Fact
from deduce.problem import Evidence, Rule
from deduce.system.text import join, neither
from games.cluedo.setup import ENVELOPE

__all__ = ["pattern", "say_all"]

COUNTS = ("none", "one", "two", "three", "four", "five", "six")


def say_all(facts: Sequence[Fact]) -> str:
    """Return facts about the same holder as one clause.

    >>> from deduce.constraints import is_, is_not
    >>> say_all([is_not("Rope", "Ben"), is_not("Hall", "Ben")])
    'Ben has neither Rope nor Hall'
    >>> say_all([is_("Rope", "envelope"), is_("Hall", "envelope")])
    'Rope and Hall are in the envelope'
    >>> say_all([is_not("Rope", "Ann", "Ben")])
    'neither Ann nor Ben has Rope'
    """
    cards = [str(fact.variable) for fact in facts]
    holders = sorted(map(str, facts[0].values))
    negated = facts[0].negated
    if negated and len(holders) > 1:
        names = [holder if holder != ENVELOPE else "the envelope" for holder in holders]
        return f"{neither(names)} has {join(cards, 'or')}"
    holder = join(holders, "or")
    if holder == ENVELOPE:
        verb = "is" if len(cards) == 1 else "are"
        return f"{join(cards)} {verb} {'not ' if negated else ''}in the envelope"
    if not negated:
        return f"{holder} has {join(cards)}"
    if len(cards) == 1:
        return f"{holder} does not have {cards[0]}"
    return f"{holder} has {neither(cards)}"


def pattern(kind: str, pieces: Sequence[Rule | Evidence]) -> str | None:
    """Return the name of a kind of step; ``None`` for the default.

    Parameters
    ----------
    kind
        A kind of `deduce.steps.words.PATTERNS`.
    pieces
        The rules and the pieces of evidence that the step rests on.
    """
    if kind == "given":
        return "seen"
    if kind == "last value":
        return "only place left"
    if kind in ("combination", "case"):
        return _combination(pieces)
    if len(pieces) != 1 or not isinstance(pieces[0].constraint, Count):
        return None
    count = pieces[0].constraint
    if isinstance(pieces[0], Evidence):
        return _answer(len(count.facts)) if kind == "needed" else "wrong accusation"
    if all(fact.values == {ENVELOPE} for fact in count.facts):
        return "only card left for the envelope" if kind == "needed" else "envelope card known"
    return "hand needs all that is left" if kind == "needed" else "hand full"


def _answer(cards: int) -> str:
    if not 1 < cards < len(COUNTS):
        return "one of several, the others excluded"
    return f"one of {COUNTS[cards]} with {COUNTS[cards - 1]} excluded"


def _combination(pieces: Sequence[Rule | Evidence]) -> str:
    """Return the name of a step that combines several constraints."""
    answers = [piece for piece in pieces if isinstance(piece, Evidence)]
    if len(answers) == len(pieces):
        return "either-or"
    if not answers:
        return "hands counted together"
    return "shared cards" if len(pieces) == 2 else "case distinction"
