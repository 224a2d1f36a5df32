"""A number with what is uncertain about it, and how it is averaged over views of the game."""

from __future__ import annotations

from fractions import Fraction
from math import inf, sqrt

from attrs import define, evolve, field, frozen

from deduce.batch.statistics import wilson
from deduce.show.table import percent

__all__ = ["Average", "Estimate"]

SURE = 1.959963984540054
"""A 95 % interval reaches so many standard errors to each side."""


@frozen
class Estimate:
    """A number, exact or with a 95 % confidence interval.

    Parameters
    ----------
    value
        The number, or the best estimate of it.
    low, high
        Where it lies; both are the value where it is exact.
    exact
        Whether nothing is estimated.
    """

    value: Fraction | float
    low: float
    high: float
    exact: bool

    @classmethod
    def of(cls, value: Fraction | float) -> Estimate:
        """Return a number that is exact."""
        return cls(value, float(value), float(value), exact=True)

    def __str__(self) -> str:
        """Return the number with one decimal, and the interval where it is not exact."""
        if self.exact:
            return f"{float(self.value):.1f}"
        return f"{float(self.value):.1f} ({self.low:.1f}-{self.high:.1f})"

    def percent(self) -> str:
        """Return a probability as a percentage, and the interval where it is not exact."""
        if self.exact:
            return percent(Fraction(self.value))
        low, high = (percent(Fraction(bound)) for bound in (self.low, self.high))
        return f"{float(self.value):.0%} ({low.removesuffix('%')}-{high})"


@define
class Average:
    """The average of a number over what may be, growing with each case that is looked at.

    Parameters
    ----------
    drawn
        Whether the cases are draws, each of weight 1. Else they are all the cases that there are,
        and their weights will add up to 1: the average is exact once they do, and until then lies
        between what the missing ones could make of it.
    least, most
        Between which bounds the number lies.
    yes
        Whether each case says 0 or 1, so that the average is a probability.
    """

    drawn: bool = False
    least: float = 0.0
    most: float = 1.0
    yes: bool = True
    cases: int = 0
    weight: Fraction = field(factory=Fraction)
    total: Fraction | float = field(factory=Fraction)
    squares: float = 0.0

    def add(self, number: Fraction | float, weight: Fraction) -> None:
        """Count one more case."""
        self.cases += 1
        self.weight += weight
        self.total += number * weight
        self.squares += float(number) ** 2 * float(weight)

    def estimate(self) -> Estimate:
        """Return the average of the cases so far."""
        if not self.weight:
            return Estimate((self.least + self.most) / 2, self.least, self.most, exact=False)
        value = self.total / self.weight
        if not self.drawn:
            rest = float(1 - self.weight)
            if not rest:
                return Estimate.of(value)
            total = float(self.total)
            return Estimate(value, total + rest * self.least, total + rest * self.most, exact=False)
        low, high = self._interval(float(value))
        return Estimate(value, max(self.least, low), min(self.most, high), exact=False)

    def of_share(self, weight: Fraction) -> Estimate:
        """Return the probability of what holds in cases of this weight, among the cases so far."""
        number = float(weight)
        return evolve(self, total=weight, squares=number, least=0.0, most=1.0, yes=True).estimate()

    def _interval(self, mean: float) -> tuple[float, float]:
        """Return a 95 % interval: Wilson's for a probability, else Student's.

        Source of Student's quantile: its expansion in Abramowitz & Stegun, *Handbook of
        Mathematical Functions*, 26.7.5.
        """
        number = self.cases
        spread = max(0.0, self.squares / number - mean**2)
        if self.yes:
            return wilson(mean, number, SURE)
        if number == 1:
            return -inf, inf
        free = number - 1
        student = SURE + (SURE**3 + SURE) / (4 * free)
        student += (5 * SURE**5 + 16 * SURE**3 + 3 * SURE) / (96 * free**2)
        reach = student * sqrt(spread / free)
        return mean - reach, mean + reach
