"""The words for conditions about conditions, order, numbers and choices that must not overlap.

Each returns plain data, as `deduce.exactly` does, and every constraint may be inside another, as
deep as it is needed: a fact, a Count, a Sum, a Where, or one of these words. Nothing is listed as a
table of all combinations, so a Count of twenty facts inside a condition costs about what it costs
outside.

>>> from deduce import Knowledge, Problem, exactly, is_
>>> roles = {name: ("seer", "wolf", "villager") for name in ("Ann", "Ben", "Cid")}
>>> wolves = [is_(name, "wolf") for name in roles]
>>> says = implies(is_("Ann", "seer"), exactly(1, wolves[1:]))
>>> print(says)
if Ann is seer, then exactly 1 of: Ben is wolf, Cid is wolf
>>> k = Knowledge(Problem(roles, [exactly(1, wolves), says]))
>>> k.count(), k.tell(is_("Ann", "seer"), is_("Ben", "villager")).certain()
(12, {'Ann': 'seer', 'Ben': 'villager', 'Cid': 'wolf'})
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeVar

from deduce.constraints import (
    Claim,
    Constraint,
    Difference,
    Disjoint,
    Fact,
    Knows,
    Logic,
    Number,
    Value,
    Variable,
    Weigh,
    is_,
    listed,
    opposite,
)
from deduce.errors import BadProblem

__all__ = [
    "adjacent",
    "all_of",
    "any_of",
    "before",
    "between",
    "common_knowledge",
    "count_of",
    "disjoint",
    "does_not_know",
    "iff",
    "implies",
    "knows",
    "likelihood",
    "negation",
    "none_of",
    "number_of",
    "tally",
]

V = TypeVar("V", bound=Variable)

MAX_WEIGHTS = 20_000
"""How many combinations of values a `likelihood` may distinguish."""


def all_of(conditions: Iterable[Claim]) -> Logic:
    """Return the condition that all of these hold; of none, one that always holds.

    Examples
    --------
    >>> print(all_of([is_("Ann", "seer"), negation(is_("Ben", "wolf"))]))
    Ann is seer and Ben is not wolf
    """
    return Logic("all", conditions)


def any_of(conditions: Iterable[Claim]) -> Logic:
    """Return the condition that at least one of these holds; of none, one that never holds.

    Examples
    --------
    >>> print(any_of([is_("Ann", "seer"), all_of([is_("Ben", "seer"), is_("Cid", "wolf")])]))
    Ann is seer or (Ben is seer and Cid is wolf)
    """
    return Logic("any", conditions)


def none_of(conditions: Iterable[Claim]) -> Logic:
    """Return the condition that none of these holds.

    Examples
    --------
    >>> print(none_of([is_("Ann", "seer"), is_("Ben", "seer")]))
    none of: Ann is seer, Ben is seer
    """
    return Logic("none", conditions)


def count_of(conditions: Iterable[Claim], low: int = 0, high: int | None = None) -> Logic:
    """Return the condition that between ``low`` and ``high`` of these hold.

    It is a `Count` of conditions of any kind; ``high=None``: all of them may hold.

    Examples
    --------
    Exactly one of the two statements is true:

    >>> from deduce import exactly
    >>> print(count_of([is_("Ann", "liar"), exactly(1, [is_("Ben", "liar")])], 1, 1))
    exactly 1 of: Ann is liar, (exactly 1 of: Ben is liar)
    """
    return Logic("count", conditions, low, high)


def negation(condition: Claim) -> Constraint:
    """Return the condition that holds exactly when this one does not.

    Of a fact it is the opposite fact, and of a negation the condition that it negates.

    Examples
    --------
    >>> from deduce import exactly
    >>> print(negation(exactly(1, [is_("Ann", "wolf"), is_("Ben", "wolf")])))
    it is not true that exactly 1 of: Ann is wolf, Ben is wolf
    """
    if isinstance(condition, Fact):
        return opposite(condition)
    if isinstance(condition, Logic) and condition.is_negation:
        return condition.parts[0]
    return Logic("none", [condition])


def implies(condition: Claim, then: Claim) -> Logic:
    """Return the condition that ``then`` holds wherever ``condition`` does.

    Examples
    --------
    >>> print(implies(is_("Ann", "seer"), is_("Ben", "wolf")))
    if Ann is seer, then Ben is wolf
    """
    return Logic("if", [condition, then])


def iff(condition: Claim, other: Claim) -> Logic:
    """Return the condition that both of these hold, or neither: a truth-teller and their claim.

    Examples
    --------
    >>> from deduce import exactly
    >>> print(iff(is_("Ann", "knight"), exactly(0, [is_("Ben", "knight"), is_("Cid", "knight")])))
    Ann is knight if and only if (exactly 0 of: Ben is knight, Cid is knight)
    """
    return Logic("iff", [condition, other])


def knows(player: Hashable, what: Any) -> Knows:
    """Return the claim that a player knows something.

    Parameters
    ----------
    player
        Who knows it: one of those for whom the problem or the game says what they see.
    what
        A variable: its value. A question, which is a mapping from answers to facts of which one
        holds: its answer. A list of these: all of them. A claim, itself perhaps about knowledge:
        that it is true; a player who knows that it is false does not know it.

    Notes
    -----
    A player knows what holds in all worlds that look the same to them, among those that the public
    events before have left. That is the usual definition in epistemic logic, for values that of
    Plaza (*Logics of public communications*, 1989).

    Examples
    --------
    >>> print(knows("Albert", does_not_know("Bernard", "month")))
    Albert knows that Bernard does not know month
    """
    return Knows((player,), what)


def does_not_know(player: Hashable, what: Any) -> Knows:
    """Return the claim that a player does not know something; the opposite of `knows`.

    Examples
    --------
    >>> print(does_not_know("Ben", {"Rope": is_("Rope", "Cid"), "Hall": is_("Hall", "Cid")}))
    Ben does not know which of Rope or Hall it is
    """
    return Knows((player,), what, negated=True)


def common_knowledge(what: Any, *players: Hashable) -> Knows:
    """Return the claim that all know something, know that all know it, and so on without end.

    Parameters
    ----------
    what
        As for `knows`.
    players
        Of whom; left out: of all for whom the problem or the game says what they see.

    Examples
    --------
    >>> print(common_knowledge(is_("Rope", "Cid")))
    it is common knowledge that Rope is Cid
    """
    return Knows(players, what)


def number_of(facts: Iterable[Fact] | Mapping[Fact, int]) -> Number:
    """Return the number of these facts that hold, as a value that conditions compare.

    `before`, `adjacent` and `between` take it in place of a variable. With a mapping from facts to
    amounts it is the sum of the amounts.

    Examples
    --------
    Ben has more cards than Ann:

    >>> from deduce import Knowledge, Problem
    >>> cards = {card: ("Ann", "Ben") for card in ("Rope", "Hall", "Plum")}
    >>> hands = [number_of([is_(card, who) for card in cards]) for who in ("Ann", "Ben")]
    >>> Knowledge(Problem(cards, [before(*hands)])).count()
    4
    """
    if isinstance(facts, Mapping):
        return Number(facts)
    return Number([(fact, 1) for fact in listed("facts", facts)])


def before(
    first: Variable | Number,
    second: Variable | Number,
    *,
    gap: int | tuple[int, int | None] = (1, None),
    order: Sequence[Value] | None = None,
) -> Difference:
    """Return the condition that the value of ``first`` is before that of ``second``.

    Parameters
    ----------
    first, second
        Variables, or numbers made by `number_of`.
    gap
        How far they are apart: a number of places exactly, or the least and the greatest number,
        where ``None`` is no limit. A gap of 0 is the same place.
    order
        The values from the first to the last; left out: they are whole numbers.

    Raises
    ------
    BadProblem
        A bound is not a whole number; or, of a `deduce.Problem` with this condition, a value is not
        in the order.

    Examples
    --------
    >>> days = ("Mon", "Tue", "Wed")
    >>> print(before("exam", "party", order=days))
    exam is before party
    >>> print(before("exam", "party", gap=2, order=days))
    exam is exactly 2 before party
    """
    least, most = gap if isinstance(gap, tuple) else (gap, gap)
    return Difference(first, second, least, most, order=order)


def adjacent(
    first: Variable | Number, second: Variable | Number, *, order: Sequence[Value] | None = None
) -> Difference:
    """Return the condition that two values are next to each other, whichever comes first.

    Examples
    --------
    >>> print(adjacent("Ann", "Ben"))
    Ann is next to Ben
    """
    return Difference(first, second, 1, 1, order=order, absolute=True)


def between(
    middle: Variable | Number,
    one: Variable | Number,
    other: Variable | Number,
    *,
    order: Sequence[Value] | None = None,
) -> Logic:
    """Return the condition that a value is strictly between two others, whichever comes first.

    Examples
    --------
    >>> print(between("Ben", "Ann", "Cid"))
    ((Ann is before Ben) and (Ben is before Cid)) or ((Cid is before Ben) and (Ben is before Ann))
    """
    return any_of(
        all_of([before(a, middle, order=order), before(middle, b, order=order)])
        for a, b in ((one, other), (other, one))
    )


def disjoint(
    variables: Iterable[Variable],
    key: Callable[[Any], Iterable[Any]] | Mapping[Any, Iterable[Any]] | None = None,
) -> Disjoint:
    """Return the condition that no two of the variables have values with a common item.

    Parameters
    ----------
    variables
        The variables, each of which takes a choice such as a hand of cards.
    key
        Returns the items of a value, or a mapping from values to their items; left out: values are
        collections themselves.

    Examples
    --------
    Two players hold two of four cards each:

    >>> from itertools import combinations
    >>> from deduce import Knowledge, Problem
    >>> hands = tuple(combinations(("AC", "AD", "KC", "KD"), 2))
    >>> players = ("Ann", "Ben")
    >>> Knowledge(Problem(dict.fromkeys(players, hands), [disjoint(players)])).count()
    6
    """
    return Disjoint(variables, key)


def likelihood(
    domains: Mapping[V, Collection[Value]], weight: Callable[..., Fraction | int]
) -> Weigh:
    """Return a likelihood that depends on the values of several variables together.

    Parameters
    ----------
    domains
        The variables with the values that each may have: all values of their domains.
    weight
        Returns how many times a world with these values counts, called with one value of each
        variable in their order; 0 excludes the world.

    Raises
    ------
    BadProblem
        The domains are not a mapping, or there are more than 20,000 combinations of values; or, of
        a `deduce.Problem` with this likelihood, a variable may have a value that is not named.

    Examples
    --------
    A vote that two traitors would cast together three times as often:

    >>> from deduce import Knowledge, Problem
    >>> roles = dict.fromkeys(("Ann", "Ben"), ("loyal", "traitor"))
    >>> vote = likelihood(roles, lambda ann, ben: 3 if ann == ben == "traitor" else 1)
    >>> Knowledge(Problem(roles, [vote])).posterior()["Ann"]["traitor"]
    Fraction(2, 3)
    """
    if not isinstance(domains, Mapping) or not domains:
        raise BadProblem(f"the domains are a mapping from variables to values, not {domains!r}")
    if not callable(weight):
        raise BadProblem(f"a weight is a function of one value of each variable, not {weight!r}")
    sizes = [len(values) for values in domains.values()]
    if prod(sizes) > MAX_WEIGHTS:
        raise BadProblem(
            f"{prod(sizes)} combinations are too many for a likelihood (at most {MAX_WEIGHTS})"
        )
    facts, amounts, step = [], [], 1
    for (variable, values), size in reversed(list(zip(domains.items(), sizes, strict=True))):
        for place, value in enumerate(values):
            if place:
                facts.append(is_(variable, value))
                amounts.append(place * step)
        step *= size
    weights = [weight(*row) for row in product(*domains.values())]
    beyond = [1] * (sum(amounts) + 1 - len(weights))  # no world has such a number
    complete = [is_(variable, *values) for variable, values in domains.items()]
    return Weigh(facts, [*weights, *beyond], amounts=amounts, complete=tuple(complete))


def tally(
    lists: Sequence[Collection[Fact]],
    weight: Callable[..., Fraction | int],
    *,
    most: Sequence[int] | None = None,
) -> Weigh:
    """Return a likelihood that depends on how many facts of each of several lists hold.

    Parameters
    ----------
    lists
        The lists; a fact may be in several.
    weight
        Returns how many times a world with these numbers counts, called with one number for each
        list; 0 excludes the world. It is also called with numbers that no world has.
    most
        How many facts of each list hold at most in any world; by default all.

    Examples
    --------
    Two votes against a team; a traitor votes so more often if there is a traitor in the team:

    >>> from deduce import Knowledge, Problem, is_
    >>> roles = dict.fromkeys(("Ann", "Ben", "Cid"), ("loyal", "traitor"))
    >>> team, against = [is_("Ann", "traitor")], [is_(p, "traitor") for p in ("Ben", "Cid")]
    >>> vote = tally([team, against], lambda inside, votes: 3**votes if inside else 1)
    >>> Knowledge(Problem(roles, [vote])).posterior()["Ann"]["traitor"]
    Fraction(4, 5)
    """
    amounts: dict[Fact, int] = {}
    sizes = [size + 1 for size in most or map(len, lists)]
    for i, facts in enumerate(lists):
        for fact in facts:
            amounts[fact] = amounts.get(fact, 0) + prod(sizes[:i])
    weights = [weight(*reversed(row)) for row in product(*map(range, reversed(sizes)))]
    codes = sum(amounts.values()) + 1  # beyond the weights are those that no world has
    weights = [*weights, *[1] * (codes - len(weights))][:codes]
    return Weigh(amounts, weights, amounts=amounts.values())
