"""Interchangeable cards: cards that no question about the other players could distinguish."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import repeat

from deduce.constraints import Constraint, Count, Fact, Sum, Weigh, Where
from deduce.knowledge import Knowledge

__all__ = ["interchangeable"]


def interchangeable(knowledge: Knowledge, *, weighted: bool = True) -> Mapping[str, int]:
    """Return a number for each dealt card; two cards with the same number can be exchanged.

    Exchanging two such cards in all deals leaves the set of the deals as it is, and
    (``weighted``) their weights. Cards for which that is not obvious have different numbers.

    Notes
    -----
    A constraint that is already settled by what is possible adds nothing, and is ignored. Two
    cards are interchangeable when the same holders are possible for both and every other
    constraint treats both alike. The cost is that of `Knowledge.possible` and one pass over all
    constraints.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> game, log = Cluedo.parse_log('''
    ... players: Ann 6, Ben 6, Cid 6
    ... Ann: plum rope hall; Ben -; Cid shows
    ... ''')
    >>> numbers = interchangeable(Knowledge(game, log))
    >>> numbers["Lounge"] == numbers["Library"], numbers["Lounge"] == numbers["Hall"]
    (True, False)
    """
    possible = knowledge.possible()
    roles: dict[Hashable, list[Hashable]] = {card: [] for card in possible}
    """What each card does in which constraint."""
    for number, constraint in enumerate(knowledge.problem.constraints()):
        if isinstance(constraint, Where):
            for position, card in enumerate(constraint.variables):
                roles[card].append((number, position))
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
    numbers: dict[Hashable, int] = {}
    return {
        str(card): numbers.setdefault((possible[card], tuple(roles[card])), len(numbers))
        for card in possible
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
