"""Facts and steps of a proof in the words of Pig-slaying."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from deduce.constraints import Count, Fact
from deduce.problem import Evidence, Rule
from deduce.text import join
from games.pigs.cards import CARD_NAMES, LOYAL, MASTER, REBEL
from games.pigs.knowledge import KEPT

__all__ = ["pattern", "say", "say_all"]

ROLES = {MASTER: "the Master", LOYAL: "a loyal", REBEL: "a rebel"}
CARDS = {card: f"{'an' if name[0] in 'aeiou' else 'a'} {name}" for card, name in CARD_NAMES.items()}


def say(fact: Fact) -> str:
    """Return a fact as a player would say it.

    >>> from deduce import is_, is_not
    >>> say(is_("role 3", "FP")), say(is_("card 3.2", "K"))
    ('seat 3 is a rebel', 'card 2 of seat 3 is a slash')
    >>> say(is_("fate 3.2", 6)), say(is_not("fate 3.2", KEPT))
    ('card 2 of seat 3 leaves the hand at event 6', 'card 2 of seat 3 does not stay in the hand')
    """
    kind, _, rest = str(fact.variable).partition(" ")
    seat, _, index = rest.partition(".")
    negation = "not " if fact.negated else ""
    if kind == "role" and fact.values <= set(ROLES):
        return f"seat {seat} is {negation}{_listed(ROLES, fact.values)}"
    if kind == "card" and fact.values <= set(CARDS):
        return f"card {index} of seat {seat} is {negation}{_listed(CARDS, fact.values)}"
    if kind == "fate":
        fates = [_fate(fate, negated=fact.negated) for fate in sorted(fact.values, key=str)]
        return f"card {index} of seat {seat} {join(fates, 'and' if fact.negated else 'or')}"
    if kind == "reached":
        positions = join(sorted(map(str, fact.values)), "or")
        verb = "had not" if fact.negated else "had"
        return f"at event {index} the look of seat {seat} {verb} reached card {positions}"
    return str(fact)


def say_all(facts: Sequence[Fact]) -> str:
    """Return facts about the same value as clauses, the cards of a seat taken together.

    >>> from deduce import is_not
    >>> say_all([is_not("card 1.1", "N"), is_not("card 1.3", "N"), is_not("card 2.1", "N")])
    'cards 1 and 3 of seat 1 are not an invasion and card 1 of seat 2 is not an invasion'
    """
    clauses: dict[str, list[Fact]] = {}
    for fact in facts:
        kind, _, rest = str(fact.variable).partition(" ")
        alone = kind != "card" or not fact.values <= set(CARDS)
        clauses.setdefault(str(fact) if alone else rest.partition(".")[0], []).append(fact)
    return join(
        [_cards(seat, one) if len(one) > 1 else say(one[0]) for seat, one in clauses.items()]
    )


def _cards(seat: str, facts: Sequence[Fact]) -> str:
    indices = join([str(fact.variable).partition(".")[2] for fact in facts])
    negation = "not " if facts[0].negated else ""
    return f"cards {indices} of seat {seat} are {negation}{_listed(CARDS, facts[0].values)}"


def _listed(names: dict[str, str], values: Iterable[Hashable]) -> str:
    chosen = set(values)
    return join([names[value] for value in names if value in chosen], "or")


def _is_about_roles(piece: Rule | Evidence) -> bool:
    constraint = piece.constraint
    facts = constraint.facts if isinstance(constraint, Count) else (constraint,)
    return any(isinstance(one, Fact) and str(one.variable).startswith("role ") for one in facts)


def _fate(fate: Hashable, *, negated: bool) -> str:
    """Return what a card does, or does not do."""
    stays, leaves = ("does not stay", "does not leave") if negated else ("stays", "leaves")
    if fate == KEPT:
        return f"{stays} in the hand"
    if isinstance(fate, tuple):
        return f"{leaves} the hand at event {fate[0]} as card {fate[1] + 1} of those shown"
    return f"{leaves} the hand at event {fate}"


def pattern(kind: str, pieces: Sequence[Rule | Evidence]) -> str | None:
    """Return the name of a kind of step; ``None`` for the default.

    Parameters
    ----------
    kind
        A kind of `deduce.steps.words.PATTERNS`.
    pieces
        The rules and the pieces of evidence that the step rests on.
    """
    names = {
        "given": "declared",
        "last value": "nothing else left",
        "combination": "both behaviours compared",
        "case": "case distinction",
    }
    if kind == "given" and not any(map(_is_about_roles, pieces)):
        return "cards played or kept"
    if kind in ("enough", "needed"):
        return "rebels counted" if all(isinstance(p, Rule) for p in pieces) else "policy of a seat"
    return names.get(kind)
