"""Estimates: numbers from draws, each with its error and an interval; never a certainty.

>>> from deduce.estimates import Estimate
>>> print(Estimate(0.43, 0.01, 0.41, 0.45), Estimate(0.001, 0.001, 0.0, 0.004))
~43 % ± 2 ~<0.4 %
>>> print(Estimate.proved(1))
100 %
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import exp, floor, log10, sqrt
from typing import TYPE_CHECKING, TypeAlias

from attrs import frozen

from deduce.system.display import Displayed

if TYPE_CHECKING:
    from deduce.constraints import Value
    from deduce.problem import World

__all__ = [
    "Estimate",
    "EstimatedDistribution",
    "EstimatedWorlds",
    "Parts",
    "count_estimate",
    "interval",
    "rounded_percent",
    "share_estimate",
    "significant_percent",
    "wilson",
]

Z = 1.959963984540054
"""Standard errors on each side of the middle of 95 % of a normal distribution."""

NEGLIGIBLE = 1e-6
"""A smaller part of one draw is not seen, or due to rounding."""

RUNS_OF_ONE = 3
"""This number of runs that agree on a share are worth one draw more: one run may be an accident."""

CAUTION = 0.75
"""The part of the draws that counts in an interval with two ends: how unequal the runs are is known
from the runs only, so they seem to be worth more than they are, by up to a third."""

Parts: TypeAlias = tuple[float, float, float]
"""The sums of ``w p``, ``w² p``, ``w² p²`` over runs with weight ``w`` and share ``p``."""


def significant_percent(share: Fraction | float, digits: int = 3) -> str:
    """Return an exact share in percent with some digits; it is 0 or 100 % only if it is certain.

    >>> significant_percent(1 / 3), significant_percent(0.99999), significant_percent(1)
    ('33.3 %', '>99.9 %', '100 %')
    >>> significant_percent(Fraction(1, 10**400)), significant_percent(0)
    ('<1e-300 %', '0 %')
    """
    shown = f"{100 * float(share):.{digits}g}"
    if shown == "0" and share > 0:
        return "<1e-300 %"
    return f">{100 - 10 ** (2 - digits):g} %" if shown == "100" and share < 1 else f"{shown} %"


def rounded_percent(share: Fraction | float, digits: int = 1) -> str:
    """Return the number of an exact share in percent; it is 0 or 100 only if it is certain.

    >>> rounded_percent(1 / 3), rounded_percent(0.0001), rounded_percent(0.9999)
    ('33.3', '<0.1', '>99.9')
    """
    step = Fraction(1, 10 ** (digits + 2))
    if share in (0, 1):
        return f"{int(share) * 100}"
    if share <= step / 2:
        return f"<{float(step * 100):.{digits}f}"
    if share >= 1 - step / 2:
        return f">{float((1 - step) * 100):.{digits}f}"
    return f"{100 * float(share):.{digits}f}"


@frozen(str=False)
class Estimate:
    """A number with its error: a share, a probability, or a number of worlds.

    Parameters
    ----------
    value
        The estimate. A share is never 0 or 1 unless that is proved; an exact share is a
        `fractions.Fraction`, and a number of worlds an int.
    error
        The standard error; 0 if the number is exact.
    low, high
        The ends of an interval that covers the number in 95 of 100 estimates, made so that it is
        right for small shares, too: what none of n draws has may have a share up to 3 / n.
    exact
        Whether the number is proved.

    Notes
    -----
    It is not a number to calculate with, so that it is not mistaken for an exact one; ``float`` and
    ``value`` give the number.
    """

    value: Fraction | float
    error: float
    low: Fraction | float
    high: Fraction | float
    exact: bool = False
    counts: bool = False
    """Whether it is a number of worlds, not a share."""

    @classmethod
    def proved(cls, value: Fraction | int, *, counts: bool = False) -> Estimate:
        """Return an exact number."""
        return cls(value, 0.0, value, value, exact=True, counts=counts)

    def __float__(self) -> float:
        return float(self.value)

    def complement(self) -> Estimate:
        """Return the probability of the opposite."""
        ends = 1 - self.high, 1 - self.low
        return Estimate(1 - self.value, self.error, *ends, self.exact)

    def divided(self, number: int) -> Estimate:
        """Return the same divided by a whole number."""
        value, low, high = (each / number for each in (self.value, self.low, self.high))
        return Estimate(value, self.error / number, low, high, self.exact)

    def __str__(self) -> str:
        return self._count() if self.counts else self._share()

    def _share(self) -> str:
        if self.exact:
            return significant_percent(self.value)
        half = 100 * max(float(self.high) - float(self.value), float(self.value) - float(self.low))
        places = 0 if half >= 1 else min(9, -floor(log10(half)))
        if not self.low:
            return f"~<{_up(100 * float(self.high), places)} %"
        if self.high == 1:
            return f"~>{100 - float(_up(100 - 100 * float(self.low), places)):.{places}f} %"
        return f"~{100 * float(self.value):.{places}f} % ± {_up(half, places)}"

    def _count(self) -> str:
        number = int(self.value)
        if self.exact:
            return f"{number:,}"
        half = max(int(self.high) - number, number - int(self.low))
        digits = len(str(number))
        if digits <= 9:
            return f"~{number:,} ± {half:,}"
        power = digits - 1
        scaled = (float(Fraction(each, 10**power)) for each in (number, half))
        value, error = scaled
        places = max(0, min(6, -floor(log10(error)))) if error else 6
        return f"~{value:.{places}f} × 10^{power} ± {_up(error, places)} × 10^{power}"


def _up(number: float, places: int) -> str:
    """Return a number rounded up."""
    step = 10.0**-places
    return f"{-floor(-number / step + 1e-9) * step:.{places}f}"


class EstimatedDistribution(Displayed, Mapping["tuple[Value, ...]", Estimate]):
    """Estimated probabilities of combinations of answers, the most probable first.

    A combination that no drawn world has is not in it; its probability is at most ``unseen``.

    Parameters
    ----------
    shares
        The estimates.
    unseen
        The upper end of an interval of what is not in it; 0 if all is exact.
    exact
        Whether the probabilities are exact.
    """

    def __init__(
        self, shares: Mapping[tuple[Value, ...], Estimate], unseen: float, *, exact: bool = False
    ) -> None:
        ranked = sorted(shares.items(), key=lambda item: -float(item[1]))
        self._shares, self.unseen, self.exact = dict(ranked), unseen, exact

    @classmethod
    def proved(cls, shares: Mapping[tuple[Value, ...], Fraction]) -> EstimatedDistribution:
        """Return an exact distribution as estimates that are exact."""
        return cls({of: Estimate.proved(share) for of, share in shares.items()}, 0.0, exact=True)

    def __getitem__(self, answers: tuple[Value, ...]) -> Estimate:
        return self._shares[answers]

    def __iter__(self) -> Iterator[tuple[Value, ...]]:
        return iter(self._shares)

    def __len__(self) -> int:
        return len(self._shares)

    def __repr__(self) -> str:
        return f"EstimatedDistribution({self._shares!r}, {self.unseen!r}, exact={self.exact!r})"


@frozen
class EstimatedWorlds(Sequence["World"]):
    """Worlds that were drawn about as often as they weigh.

    Parameters
    ----------
    worlds
        The worlds.
    effective
        How many independent draws they are worth; fewer than there are if worlds were repeated.
    exact
        Whether they are drawn independently, each exactly as often as it weighs.
    """

    worlds: tuple[World, ...]
    effective: float
    exact: bool = False

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        return self.worlds[index]

    def __len__(self) -> int:
        return len(self.worlds)


def share_estimate(parts: Parts, draws: float, *, kinds: int = 2) -> Estimate:
    """Return the estimate of a share from independent runs.

    Parameters
    ----------
    parts
        What the runs add up to; the weights add up to 1.
    draws
        How many runs of equal weight they are worth.
    kinds
        How many shares add up to 1: what is never seen gets a part of one draw.

    Notes
    -----
    The interval is that of Clopper and Pearson (Biometrika 26, 1934) for as many draws as the runs
    are worth for this share. Where each run has many worlds, its share varies less than that of one
    world, so it is worth more than a draw; but only as far as several runs have that share. Where
    there are worlds with and without it, the interval is a sixth wider, see `CAUTION`.

    Examples
    --------
    >>> share_estimate((0.0, 0.0, 0.0), 100).high < 0.03
    True
    """
    seen, square, squares = parts
    seen = min(1.0, max(0.0, seen))
    inside = (draws * seen + 0.5) / (draws + 1)
    binomial = inside * (1 - inside)
    spread = max(0.0, squares - 2 * seen * square + seen * seen / draws) * draws
    variance = (draws * spread + binomial) / (draws + 1)
    others = max(0.0, 1 / draws - 2 * square + squares)
    agreeing = min(
        _ratio(seen * seen, squares), _ratio((1 - seen) ** 2, others)
    )  # in how many runs, weighed, there are worlds with and without it
    worth = draws * min(binomial / variance, max(1.0, agreeing / RUNS_OF_ONE))
    if NEGLIGIBLE < worth * seen < worth - NEGLIGIBLE:
        worth *= CAUTION
    low, high = interval(worth * seen, worth)
    value = (worth * seen + 1 / kinds) / (worth + 1)
    return Estimate(value, sqrt(binomial / worth), low, high)


def _ratio(one: float, other: float) -> float:
    return one / other if other > 0 else 0.0


def interval(number: float, draws: float) -> tuple[float, float]:
    """Return a 95 % interval of a share of which a number of draws were seen, by Clopper-Pearson.

    At the ends, where it has one side only, it is 0 to about 3 / draws, or 1 minus that to 1.
    Otherwise by an approximation of which the error is below 0.001.

    Source: Pratt, *A normal approximation for binomial, F, beta, and other common, related tail
    probabilities* (Journal of the American Statistical Association 63, 1968).

    Examples
    --------
    >>> [round(end, 3) for end in interval(5, 50)], [round(end, 3) for end in interval(0, 50)]
    ([0.033, 0.218], [0.0, 0.058])
    """
    if draws <= 0:
        return 0.0, 1.0
    others = draws - number
    alone = 1 - 0.05 ** (1 / draws)
    if number < NEGLIGIBLE or others < NEGLIGIBLE:
        return (0.0, alone) if number < others else (1 - alone, 1.0)
    low, high = 1 - _upper(others, draws), _upper(number, draws)
    share = number / draws
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def _upper(number: float, draws: float) -> float:
    """Return the upper end of the interval of Clopper and Pearson."""
    if number >= draws:
        return 1.0
    more, left = number + 1, draws - number
    root = sqrt(max(0.0, 9 * more * left * (9 * draws + 5 - Z * Z) + draws + 1))
    above = 81 * more * left - 9 * draws - 8 - 3 * Z * root
    below = 81 * more * more - 9 * more * (2 + Z * Z) + 1
    return 1 / (1 + (more / left) ** 2 * (above / below) ** 3)


def count_estimate(logarithm: float, relative: float, draws: float) -> Estimate:
    """Return the estimate of a number of worlds.

    Parameters
    ----------
    logarithm
        The natural logarithm of the number.
    relative
        Its relative standard error by the runs.
    draws
        How many runs of equal weight they are worth.
    """
    error = sqrt(relative**2 + 1 / draws**2)
    value, low, high = (max(1, _power(logarithm + side * Z * error)) for side in (0.0, -1.0, 1.0))
    half = Fraction(value) * Fraction(error)
    shown = float(half) if half < 10**300 else float("inf")
    return Estimate(value, shown, low, high + 1, counts=True)


def _power(logarithm: float) -> int:
    """Return the whole number nearest to a power of e, which may be too large for a float."""
    doublings = max(0, floor(logarithm / LOG_2) - 60)
    return round(exp(logarithm - doublings * LOG_2)) << doublings


LOG_2 = 0.6931471805599453


def wilson(share: float, trials: int, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's confidence interval for a share that was observed in some trials.

    Parameters
    ----------
    share
        The observed share, from 0 to 1. Half points are allowed: they vary less than wins and
        losses would, so the interval is then somewhat too wide, never too narrow.
    trials
        How many trials there were; without any, the interval is 0 to 1.
    z
        How many standard deviations; 1.96 gives 95 %.

    Examples
    --------
    >>> low, high = wilson(0.8, 200)
    >>> f"{low:.3f} {high:.3f}"
    '0.739 0.850'
    >>> wilson(0.5, 0)
    (0.0, 1.0)
    >>> wilson(0, 11)[0], wilson(1, 6)[1]
    (0.0, 1.0)

    Notes
    -----
    Edwin Wilson, *Probable inference, the law of succession, and statistical inference* (1927).
    """
    if trials == 0:
        return 0.0, 1.0
    spread = z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    # At 0 and 1 the interval has exactly these ends, without the rounding of ``middle - half``.
    return middle - half if share > 0 else 0.0, middle + half if share < 1 else 1.0
