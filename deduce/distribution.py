"""Joint distributions: exact probabilities of combinations of answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import log2

from deduce.constraints import Value
from deduce.engines.base import Weight
from deduce.system.display import Displayed

__all__ = ["Distribution"]


class Distribution(Displayed, Mapping[tuple[Value, ...], Fraction]):
    """Exact probabilities of combinations of answers; they sum to 1.

    Examples
    --------
    >>> coin = Distribution({("heads",): Fraction(1, 2), ("tails",): Fraction(1, 2)})
    >>> coin.entropy()
    1.0
    """

    def __init__(self, weights: Mapping[tuple[Value, ...], Weight]) -> None:
        total = Fraction(sum(weights.values()))
        ranked = sorted(weights.items(), key=lambda item: -item[1])
        self._shares = {answers: weight / total for answers, weight in ranked}

    def __getitem__(self, answers: tuple[Value, ...]) -> Fraction:
        return self._shares[answers]

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        """Return the combinations, the most likely first."""
        return iter(self._shares)

    def __len__(self) -> int:
        return len(self._shares)

    def __repr__(self) -> str:
        return f"Distribution({self._shares!r})"

    def entropy(self) -> float:
        """Return the entropy in bits: the information that learning the answers would give."""
        return sum(float(share) * _bits(share) for share in self._shares.values()) + 0.0

    def best(self) -> list[tuple[Value, ...]]:
        """Return the most likely combinations, all that tie."""
        top = next(iter(self._shares.values()), None)
        return [answers for answers, share in self._shares.items() if share == top]


def _bits(share: Fraction) -> float:
    """Return the information of an event with this probability, which a float may not hold."""
    return log2(share.denominator) - log2(share.numerator)
