"""Interchangeable variables: those that no constraint distinguishes, so that one is as good."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from deduce.constraints import Constraint, Count, Fact, Sum, Value, Variable, Weigh, Where

if TYPE_CHECKING:
    from deduce.queries import Queries

__all__ = ["interchangeable"]


def interchangeable(
    knowledge: Queries,
    *,
    weighted: bool = True,
    targets: Sequence[Mapping[Any, Sequence[Fact]]] = (),
    possible: Mapping[Variable, frozenset[Value]] | None = None,
) -> Mapping[Variable, int]:
    """Return a number for each variable; two variables with the same number can be exchanged.

    Exchanging two such variables in all worlds leaves the set of the worlds as it is, and
    (``weighted``) their weights, and only renames the answers of the targets. Variables for which
    that is not obvious have different numbers.

    Parameters
    ----------
    knowledge
        The worlds.
    weighted
        Whether the weights of the worlds count.
    targets
        Questions as mappings from answers to facts.
    possible
        At least the possible values of each variable; left out: `Knowledge.possible`. With more
        than these, fewer variables may be seen to be interchangeable.

    Notes
    -----
    A constraint that is already settled by what is possible adds nothing, and is ignored. Two
    variables are interchangeable when the same values are possible for both and every other
    constraint treats both alike. The cost is that of `Knowledge.possible` and one pass over all
    constraints.

    Examples
    --------
    >>> from deduce import Knowledge, permutation
    >>> guests = Knowledge(permutation(["Ann", "Ben", "Cid"])).assume("Ann!=Ann")
    >>> numbers = interchangeable(guests)
    >>> numbers["Ben"] == numbers["Cid"], numbers["Ann"] == numbers["Ben"]
    (True, False)
    """
    possible = knowledge.possible() if possible is None else possible
    roles: dict[Hashable, list[Hashable]] = {variable: [] for variable in possible}
    """What each variable does in which constraint."""
    for number, constraint in enumerate(knowledge.problem.constraints()):
        if isinstance(constraint, Where):
            for position, variable in enumerate(constraint.variables):
                roles[variable].append((number, position))
        elif isinstance(constraint, Sum):
            for fact, amount in constraint.terms:
                fitting = knowledge.problem.values_of(fact) & possible[fact.variable]
                roles[fact.variable].append((number, amount, fitting))
        elif isinstance(constraint, Count) or (isinstance(constraint, Weigh) and weighted):
            open_ = []
            sure = most = 0
            steps = constraint.steps if isinstance(constraint, Weigh) else repeat(1)
            for fact, step in zip(constraint.facts, steps, strict=False):
                fitting = knowledge.problem.values_of(fact) & possible[fact.variable]
                if fitting == possible[fact.variable]:
                    sure += step
                elif fitting:
                    open_.append((fact, step, fitting))
                    most += step
            if not _is_settled(constraint, sure, sure + most):
                for fact, step, fitting in open_:
                    roles[fact.variable].append((number, step, fitting))
    for number, target in enumerate(targets):
        alone = len({fact.variable for facts in target.values() for fact in facts}) == 1
        for label, facts in target.items():
            for fact in facts:
                fitting = knowledge.problem.values_of(fact) & possible[fact.variable]
                if alone:
                    roles[fact.variable].append(("target", fitting))
                elif fitting:
                    one = "one" if len(facts) == 1 else label
                    roles[fact.variable].append(("target", number, one, fitting))
    numbers: dict[Hashable, int] = {}
    return {
        variable: numbers.setdefault((possible[variable], tuple(roles[variable])), len(numbers))
        for variable in possible
    }


def _is_settled(constraint: Constraint, least: int, most: int) -> bool:
    """Return whether it makes no difference how many facts hold, from least to most."""
    match constraint:
        case Count(_, low, high):
            return low <= least and (high is None or most <= high)
        case Weigh(_, weights):
            return len(set(weights[least : most + 1])) == 1
        case Fact() | Sum() | Where():
            return False
