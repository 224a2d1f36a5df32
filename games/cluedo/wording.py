"""Steps of a proof in the words of Cluedo: several facts at once, and the names of the patterns."""

from __future__ import annotations

from collections.abc import Sequence

from deduce.constraints import Count, Fact
from deduce.problem import Evidence, Rule
from deduce.system.language import Texts, listed
from games.cluedo.setup import ENVELOPE

__all__ = ["pattern", "say_all"]

MAX_COUNT = 6
"""Up to this number of cards the pattern of an answer says how many."""

_say = Texts("cluedo", "games")


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
        names = [each if each != ENVELOPE else _say("turn.envelope") for each in holders]
        return _say("fact.nobody_has", holders=listed(names, "neither"), cards=listed(cards, "or"))
    holder = listed(holders, "or")
    if holder == ENVELOPE:
        key = "fact.not_in_envelope" if negated else "fact.in_envelope"
        return _say(key, cards=listed(cards), n=len(cards))
    if negated and len(cards) == 1:
        return _say("fact.has_not", holder=holder, card=cards[0])
    if negated:
        return _say("fact.has_none", holder=holder, cards=listed(cards, "neither"))
    return _say("fact.has", holder=holder, cards=listed(cards))


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
        return _say("pattern.seen")
    if kind == "last value":
        return _say("pattern.place")
    if kind in ("combination", "case"):
        return _combination(pieces)
    if len(pieces) != 1 or not isinstance(pieces[0].constraint, Count):
        return None
    count = pieces[0].constraint
    if isinstance(pieces[0], Evidence):
        if kind != "needed":
            return _say("pattern.accusation")
        return _answer(len(count.facts))
    if all(fact.values == {ENVELOPE} for fact in count.facts):
        return _say("pattern.solution" if kind == "needed" else "pattern.solved")
    return _say("pattern.hand" if kind == "needed" else "pattern.full")


def _answer(cards: int) -> str:
    return _say(f"pattern.one_of.{cards if 1 < cards <= MAX_COUNT else 'several'}")


def _combination(pieces: Sequence[Rule | Evidence]) -> str:
    """Return the name of a step that combines several constraints."""
    answers = [piece for piece in pieces if isinstance(piece, Evidence)]
    if len(answers) == len(pieces):
        return _say("pattern.either_or")
    if not answers:
        return _say("pattern.hands")
    return _say("pattern.shared" if len(pieces) == 2 else "pattern.cases")
