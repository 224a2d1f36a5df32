"""Which cards are alike: no question about the others could tell them apart."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from deduce.constraints import Constraint, Count, Fact, Weigh, Where
from deduce.knowledge import Knowledge

__all__ = ["alike"]


def alike(knowledge: Knowledge, *, weighted: bool = True) -> Mapping[str, int]:
    """Return a number for each dealt card; two cards with the same number may change places.

    Exchanging two such cards in all worlds leaves the set of the worlds as it is, and
    (``weighted``) their weights. Cards for which that is not seen at once have different numbers.

    Notes
    -----
    A constraint that what is possible settles already says nothing more, and is left out. Two
    cards are alike when the same holders are possible for both and every other constraint says
    the same of both. The cost is that of `Knowledge.possible` and one look at every constraint.

    Examples
    --------
    >>> from games.cluedo.game import Cluedo
    >>> game, log = Cluedo.parse_log('''
    ... players: Ann 6, Ben 6, Cid 6
    ... Ann: plum rope hall; Ben -; Cid shows
    ... ''')
    >>> kinds = alike(Knowledge(game, log))
    >>> kinds["Lounge"] == kinds["Library"], kinds["Lounge"] == kinds["Hall"]
    (True, False)
    """
    possible = knowledge.possible()
    said: dict[Hashable, list[Hashable]] = {card: [] for card in possible}
    for number, constraint in enumerate(knowledge.problem.constraints()):
        if isinstance(constraint, Where):
            for place, card in enumerate(constraint.variables):
                said[card].append((number, place))
        elif isinstance(constraint, Count) or (isinstance(constraint, Weigh) and weighted):
            open_ = []
            sure = 0
            for fact in constraint.facts:
                fitting = knowledge.problem.values_of(fact) & possible[fact.variable]
                if fitting == possible[fact.variable]:
                    sure += 1
                elif fitting:
                    open_.append((fact, fitting))
            if not _is_settled(constraint, sure, sure + len(open_)):
                for fact, fitting in open_:
                    said[fact.variable].append((number, fitting))
    numbers: dict[Hashable, int] = {}
    return {
        str(card): numbers.setdefault((possible[card], tuple(said[card])), len(numbers))
        for card in possible
    }


def _is_settled(constraint: Constraint, least: int, most: int) -> bool:
    """Return whether it is all the same how many of the facts hold, from least to most."""
    match constraint:
        case Count(_, low, high):
            return low <= least and (high is None or most <= high)
        case Weigh(_, weights):
            return len(set(weights[least : most + 1])) == 1
        case Fact() | Where():
            return False
