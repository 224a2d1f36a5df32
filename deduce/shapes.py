"""Common shapes: permutations, all-different variables, cards with copies, lines on a board."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from itertools import product
from math import perm
from string import ascii_lowercase
from typing import TypeVar

from deduce.constraints import (
    Constraint,
    Count,
    Value,
    Variable,
    Weigh,
    at_most,
    exactly,
    is_,
    listed,
)
from deduce.errors import BadProblem
from deduce.problem import Problem

__all__ = ["all_different", "copies", "permutation", "straight_lines"]


V = TypeVar("V", bound=Variable)


def all_different(domains: Mapping[V, Collection[Value]]) -> list[Count]:
    """Return the rules that no two of these variables have the same value.

    Parameters
    ----------
    domains
        The variables with the values that each may have.

    Raises
    ------
    BadProblem
        The domains are not a mapping.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> seats = {"Ann": (1, 2, 3), "Ben": (1, 2), "Cid": (1, 2)}
    >>> Knowledge(Problem(seats, all_different(seats))).certain()
    {'Ann': 3}
    """
    if not isinstance(domains, Mapping):
        raise BadProblem(f"the domains are a mapping from variables to values, not {domains!r}")
    with_value: dict[Value, list[Variable]] = {}
    for variable, values in domains.items():
        for value in values:
            with_value.setdefault(value, []).append(variable)
    return [
        at_most(1, [is_(variable, value) for variable in variables])
        for value, variables in with_value.items()
        if len(variables) > 1
    ]


def permutation(variables: Iterable[Variable], values: Iterable[Value] | None = None) -> Problem:
    """Return the problem in which each value belongs to exactly one of the variables.

    Parameters
    ----------
    variables
        The variables.
    values
        As many values; by default the variables themselves, as when each of some people draws
        the name of one of them.

    Raises
    ------
    BadProblem
        There are not as many values as variables.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> Knowledge(permutation(["Ann", "Ben", "Cid"])).count()
    6
    """
    names = listed("variables", variables)
    chosen = names if values is None else listed("values", values)
    if len(chosen) != len(names):
        raise BadProblem(
            f"a permutation needs as many values as variables: {len(names)} variables, "
            f"{len(chosen)} values"
        )
    rules = [exactly(1, [is_(name, value) for name in names]) for value in chosen]
    return Problem(dict.fromkeys(names, chosen), rules)


def copies(slots: Iterable[Variable], kinds: Mapping[V, int]) -> Problem:
    """Return the problem of dealing cards, some of them alike, one into each slot.

    The cards of a kind cannot be distinguished, so a world states only which kind is in which slot,
    and worlds are not equally likely: each is weighed by the number of ways in which the physical
    cards can be dealt like this. `Knowledge.posterior`, `Knowledge.sample` and `Knowledge.joint`
    are then the probabilities of a shuffled deck; `Knowledge.count` and ``shares`` still count the
    worlds that can be distinguished.

    Parameters
    ----------
    slots
        Where one card each is dealt.
    kinds
        The number of cards of each kind in the deck. If there are more cards than slots, the rest
        of the deck is not part of the problem.

    Raises
    ------
    BadProblem
        A number is not a whole number of at least 1, or there are fewer cards than slots.

    Examples
    --------
    Three aces and one king are shuffled; Ann and Ben get one card each:

    >>> from deduce import Knowledge
    >>> k = Knowledge(copies(["Ann", "Ben"], {"ace": 3, "king": 1}))
    >>> k.count(), k.shares()["Ann"]["king"], k.posterior()["Ann"]["king"]
    (3, Fraction(1, 3), Fraction(1, 4))
    """
    names = listed("slots", slots)
    if not isinstance(kinds, Mapping):
        raise BadProblem(f"expected a mapping from kinds to numbers of cards, not {kinds!r}")
    for kind, number in kinds.items():
        if type(number) is not int or number < 1:
            raise BadProblem(f"there must be at least 1 card of the kind {kind!r}, not {number!r}")
    total = sum(kinds.values())
    if total < len(names):
        raise BadProblem(f"{total} cards do not fill {len(names)} slots")
    rules: list[Constraint] = []
    for kind, number in kinds.items():
        facts = [is_(name, kind) for name in names]
        if total == len(names):
            rules.append(exactly(number, facts))
            continue
        if number < len(names):
            rules.append(at_most(number, facts))
        if number > 1:
            ways = [perm(number, min(k, number)) for k in range(len(names) + 1)]
            rules.append(Weigh(facts, ways))
    return Problem(dict.fromkeys(names, tuple(kinds)), rules)


@cache
def straight_lines(width: int, height: int, length: int) -> Mapping[str, frozenset[str]]:
    """Return the straight lines of adjacent cells on a board, by name, each with its cells.

    Parameters
    ----------
    width, height
        The number of columns, named ``a`` to ``z``, and of rows, named from 1.
    length
        The number of cells of a line in a row or column.

    Raises
    ------
    BadProblem
        There are more columns than letters.

    Examples
    --------
    >>> {name: sorted(cells) for name, cells in straight_lines(2, 2, 2).items()}
    {'a1-b1': ['a1', 'b1'], 'a1-a2': ['a1', 'a2'], 'a2-b2': ['a2', 'b2'], 'b1-b2': ['b1', 'b2']}
    """
    if not 0 <= width <= len(ascii_lowercase):
        raise BadProblem(f"columns are named by the {len(ascii_lowercase)} letters, not {width}")
    found = {}
    for x, y in product(range(width), range(1, height + 1)):
        for across, down in ((1, 0), (0, 1)):
            line = [(x + across * i, y + down * i) for i in range(length)]
            if line and line[-1][0] < width and line[-1][1] <= height:
                names = [f"{ascii_lowercase[a]}{b}" for a, b in line]
                found["-".join(dict.fromkeys((names[0], names[-1])))] = frozenset(names)
    return found
