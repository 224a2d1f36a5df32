"""Rating questions whose answers are facts: all of them from one posterior.

Where each answer holds exactly if one of some facts does, of which two never hold together, its
probability is the sum of theirs: a shot at a cell hits if some ship has a place with this cell. So
the posterior of the values, which is computed once, rates every question.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import log2

from attrs import define

from deduce.constraints import Fact, Value, Variable
from deduce.errors import BadInput
from deduce.policy.advice import TIE, UNKNOWN
from deduce.policy.information import NOISE, entropy
from deduce.policy.inquiries import Answer, Inquiry
from deduce.policy.rating import Left, OneByOne, Rating

__all__ = ["Marginals"]

Shares = Mapping[Variable, Mapping[Value, Fraction]]


@define(eq=False)
class Marginals(OneByOne):
    """Rates questions by the posterior of their answers' facts; asked is which world it is.

    Parameters
    ----------
    answer_facts
        The game's method (`deduce.game.Rated.answer_facts`).
    shares
        The posterior of the values, or their shares of worlds.
    count
        The number of worlds; ``None`` where they have different weights.
    """

    answer_facts: Callable[[Inquiry], Mapping[Answer, Sequence[Fact] | None]]
    shares: Shares
    count: int | None

    method = "joint"
    number = None

    def rate(self, inquiry: Inquiry, form: Hashable) -> Rating:
        """Return the rating of a question."""
        weights: dict[Answer, Fraction] = {}
        other: list[Answer] = []
        for answer, facts in self.answer_facts(inquiry).items():
            if facts is None:
                other.append(answer)
            else:
                weights[answer] = sum(map(self._share, facts), Fraction())
        rest = 1 - sum(weights.values(), Fraction())
        if abs(rest) < TIE and not other:  # posteriors with doubts are rounded
            rest = Fraction()
        if rest < -TIE or len(other) > 1 or (rest and not other):
            raise BadInput(f"the facts of the answers to {inquiry!r} do not exclude each other")
        weights.update(dict.fromkeys(other, rest))
        left = {answer: self._left(weight) for answer, weight in weights.items() if weight > 0}
        gain = entropy({answer: item.weight for answer, item in left.items()})
        return Rating(gain if gain > NOISE else 0.0, 0.0, left)

    def _left(self, weight: Fraction) -> Left:
        if self.count is None:
            return Left(weight, UNKNOWN, UNKNOWN, UNKNOWN)
        worlds = int(weight * self.count)
        return Left(weight, log2(worlds), worlds, worlds)

    def _share(self, fact: Fact) -> Fraction:
        """Return the probability of a fact."""
        row = self.shares[fact.variable]
        share = sum((row.get(value, Fraction()) for value in fact.values), Fraction())
        return 1 - share if fact.negated else share
