"""Numbers with their uncertainty, averages that state it, and work that can be interrupted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import inf, sqrt
from random import Random
from typing import Protocol, TypeVar

from attrs import define, evolve, field, frozen

from deduce.batch.statistics import wilson
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.show.table import percent

__all__ = ["Average", "Draws", "Estimate", "Work", "check_samples", "run_to_end"]


Z = 1.959963984540054
"""Half the width of a 95 % interval, in standard errors."""


@frozen
class Estimate:
    """A number, exact or with a 95 % confidence interval.

    Parameters
    ----------
    value
        The number, or the best estimate of it.
    low, high
        The ends of the interval; both are the value if it is exact.
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
        """Return the number with one decimal, and the interval if it is not exact."""
        if self.exact:
            return f"{float(self.value):.1f}"
        return f"{float(self.value):.1f} ({self.low:.1f}-{self.high:.1f})"

    def percent(self) -> str:
        """Return a probability as a percentage, and the interval if it is not exact."""
        if self.exact:
            return percent(Fraction(self.value))
        low, high = (percent(Fraction(bound)) for bound in (self.low, self.high))
        return f"{float(self.value):.0%} ({low.removesuffix('%')}-{high})"


@define
class Average:
    """The average of a number over cases, which are added one by one.

    Parameters
    ----------
    drawn
        Whether the cases are draws, each of weight 1. Otherwise they are all cases, and their
        weights will sum to 1: the average is exact once they do, and until then its interval
        covers every value that the missing cases may have.
    least, most
        Bounds of the number.
    yes_no
        Whether the number is 0 or 1 in each case, so that the average is a probability.
    """

    drawn: bool = False
    least: float = 0.0
    most: float = 1.0
    yes_no: bool = True
    cases: int = 0
    weight: Fraction = field(factory=Fraction)
    total: Fraction | float = field(factory=Fraction)
    squares: float = 0.0

    def add(self, number: Fraction | float, weight: Fraction) -> None:
        """Add a case."""
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
        share = float(weight)
        return evolve(
            self, total=weight, squares=share, least=0.0, most=1.0, yes_no=True
        ).estimate()

    def _interval(self, mean: float) -> tuple[float, float]:
        """Return a 95 % interval: Wilson's for a probability, else Student's.

        Source of Student's quantile: its expansion in Abramowitz & Stegun, *Handbook of
        Mathematical Functions*, 26.7.5.
        """
        if self.yes_no:
            return wilson(mean, self.cases, Z)
        if self.cases == 1:
            return -inf, inf
        free = self.cases - 1
        variance = max(0.0, self.squares / self.cases - mean**2)
        student = Z + (Z**3 + Z) / (4 * free)
        student += (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * free**2)
        half = student * sqrt(variance / free)
        return mean - half, mean + half


BATCH = 100
"""How many deals are drawn at a time, so that an interrupt comes after some were examined."""

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Work(Protocol[T_co]):
    """A computation in steps that can return what is known at any time."""

    def steps(self) -> Iterator[tuple[int, int]]:
        """Compute, and yield after each step how many steps are done, of how many."""

    def result(self) -> T_co:
        """Return what is known so far."""


def run_to_end(work: Work[T]) -> T:
    """Return the result when all steps are done."""
    for _ in work.steps():
        pass
    return work.result()


def check_samples(samples: int | None, least: int = 0) -> None:
    """Raise `BadInput` for too small a number of draws."""
    if samples is not None and samples < least:
        raise BadInput(f"{samples} samples are too few; at least {least}")


class Draws:
    """Deals drawn by the posterior when they are needed; `IndexError` after the last.

    Parameters
    ----------
    knowledge
        Whose deals.
    count
        How many.
    seed
        The same seed gives the same deals.
    """

    def __init__(self, knowledge: Knowledge, count: int, seed: int) -> None:
        self.knowledge, self.count, self.seed = knowledge, count, seed
        self._batch: tuple[int, Sequence[World]] = (-1, ())

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> World:
        if not 0 <= index < self.count:
            raise IndexError(index)
        batch, rest = divmod(index, BATCH)
        if self._batch[0] != batch:
            count = min(BATCH, self.count - batch * BATCH)
            seed = self.random("worlds", batch).getrandbits(32)
            self._batch = batch, self.knowledge.sample(count, seed=seed)
        return self._batch[1][rest]

    def random(self, purpose: str, index: int) -> Random:
        """Return the source of random numbers for one use of one deal."""
        return Random(f"{self.seed} {purpose} {index}")
