"""Counting by sets with floats: every probability with a bound of its error.

The sums of `deduce.engines.counting.partition` have as many digits as the rates of all answers that
may be wrong have together, and each modulus costs as much as a whole count by floats. What floats
lose is known afterwards. The inner sums are sums of non-negative numbers, so their relative error
is bounded by the number of operations. The outer sum has signs: its error is relative to the sum of
the absolute terms, which is computed beside it. A probability is made of parts of the same terms,
so that the same number bounds its absolute error.

The sum of the absolute terms is small where few choices of hands overlap. A factor for each card,
which all deals have in common, changes no probability, and is chosen so that on average each card
is taken once: the scaling of Sinkhorn, *A relationship between arbitrary positive matrices and
doubly stochastic matrices* (1964). The factors are powers of two, which rounds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from math import frexp, log, prod
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from deduce.engines.counting.transforms import FLOATS, Sets, around, inside, signed, without_each

if TYPE_CHECKING:
    from deduce.engines.counting.partition import Hands, Joint

__all__ = ["MAX_ERROR", "Rounded", "rounded"]

MAX_ERROR = 1e-6
"""The greatest bound of the error of a probability that is accepted."""

MIN_TOTAL = 1e-200
"""The least total, in units of the greatest weights: far above what floats lose near 0."""

GRAIN = 1 << 44
"""Shares are multiples of one over this number, so that they add up to 1."""

ROUNDING = 2.0**-53
"""The relative error of one operation on floats."""

MAX_ITERATIONS = 12

BALANCED = 0.05
"""The factors need not be found more precisely, as powers of two are taken instead."""

MAX_STEP = 5.0
"""The greatest change of the logarithm of a factor."""

MAX_SPREAD = 100.0
"""The greatest difference of the logarithms of factors that floats have room for."""

RIDGE = 0.01
"""One factor for all variables changes nothing; this makes the solution unique."""

Floats: TypeAlias = NDArray[np.float64]
Exponents: TypeAlias = NDArray[np.int64]
Key: TypeAlias = tuple[Any, ...]


@frozen(eq=False)
class Rounded:
    """The weight of all ways, and shares of it.

    Parameters
    ----------
    total
        The weight of all ways, a multiple of `GRAIN`.
    shares
        Keys of `deduce.engines.counting.partition` whose shares add up to ``times``, for each such
        set of keys: ``(shares, times)``.
    error
        A bound of the absolute error of each share, divided by ``times``, before it becomes a
        multiple of one over `GRAIN`.
    """

    total: int
    shares: Sequence[tuple[Mapping[Key, float], int]]
    error: float

    def weights(self) -> dict[Key, int]:
        """Return the weight for each key; those of one set add up to ``times`` the total."""
        result: dict[Key, int] = {("total",): self.total}
        for shares, times in self.shares:
            whole = sum(shares.values())
            grains = {
                key: max(1, round(share / whole * GRAIN)) for key, share in shares.items() if share
            }
            greatest = max(grains, key=grains.__getitem__)
            grains[greatest] += GRAIN - sum(grains.values())
            for key, number in grains.items():
                result[key] = number * times * (self.total // GRAIN)
        return result


def rounded(joints: Sequence[Joint], count: int) -> Rounded | None:
    """Return all sums as shares of the total; ``None`` where the error could be too large.

    Parameters
    ----------
    joints
        The holders, some of them joined.
    count
        How many variables there are.
    """
    hands = [_Weighed(hands, count) for joint in joints for hands, _ in joint.parts]
    exponents = _balanced(hands, count)
    if exponents is None:
        return None
    scale = -int(exponents.sum())
    for of in hands:
        scale += of.scale(exponents)
    mine = iter(hands)
    parts = [[(next(mine), which) for _, which in joint.parts] for joint in joints]
    products = [reduce(np.multiply, (of.weights[which] for of, which in some)) for some in parts]
    rests, total, absolute = _rests([joint.sets for joint in joints], products, count)
    if not MIN_TOTAL < total < 1 / MIN_TOTAL:
        return None
    operations = 2 * count + len(joints) + sum(2 * len(of.hands.factors) + 4 for of in hands)
    operations += sum(
        int(np.bincount(joint.sets).max()) for joint in joints if len(joint.parts) > 1
    )
    error = 2 * operations * ROUNDING * absolute / total + 2 * max(map(len, joints)) * ROUNDING
    if error > MAX_ERROR:
        return None
    tables: dict[Key, dict[Key, float]] = {}
    for joint, some, product, rest in zip(joints, parts, products, rests, strict=True):
        shares = np.maximum(product * rest, 0.0)
        shares /= shares.sum()
        for of, which in some:
            of.share_out(np.bincount(which, shares, len(of.hands)), tables)
        if joint.answers is not None:
            names, places = joint.answers
            found = np.bincount(places, shares, len(names)).tolist()
            tables["answers",] = {
                ("answer", name): share for name, share in zip(names, found, strict=True)
            }
    whole = Fraction(total) * prod(of.hands.greatest for of in hands) * Fraction(2) ** scale
    if whole < GRAIN << 24:
        return None
    weight = int(whole) // GRAIN * GRAIN
    shared = [
        (table, len(key[1].members) if key[0] == "flow" else 1) for key, table in tables.items()
    ]
    return Rounded(weight, shared, error)


class _Weighed:
    """The sets of a value, with their weights as floats."""

    def __init__(self, hands: Hands, count: int) -> None:
        self.hands = hands
        bits = np.arange(count, dtype=np.int64)[:, None]
        self.members = (hands.sets >> bits & 1).astype(np.float64)
        """For each variable (row) and set whether it is inside."""
        self.weights = np.ones(len(hands))
        """In units of the greatest weights of all factors."""
        for numbers, table in hands.factors:
            greatest = max(table.values())
            by_number = np.zeros(max(table) + 1)
            for number, weight in table.items():
                by_number[number] = weight / greatest
            self.weights *= by_number[numbers]

    def scale(self, exponents: Exponents) -> int:
        """Multiply the weights by powers of two; return the exponent of what all are divided by."""
        beyond = (exponents @ self.members).astype(np.int64)
        _, size = frexp(np.ldexp(self.weights, beyond - beyond.max()).sum())
        divided = int(beyond.max()) + size
        self.weights = np.ldexp(self.weights, beyond - divided)
        return divided

    def share_out(self, shares: NDArray[Any], tables: dict[Key, dict[Key, float]]) -> None:
        """Add what is asked for, if the sets have these shares of all weights."""
        taken = self.members @ shares
        for taker in self.hands.takers:
            which = [i for i in range(len(taken)) if taker.members >> i & 1]
            flows = tables.setdefault(("flow", taker.group), {})
            flows["flow", taker.group, taker.effect] = float(taken[which].sum())
        for numbers, (index, settled) in self.hands.weighs:
            found = np.bincount(numbers, shares).tolist()
            tables["number", index] = {
                ("number", index, settled + number): share for number, share in enumerate(found)
            }


def _balanced(hands: Sequence[_Weighed], count: int) -> Exponents | None:
    """Return for each variable the exponent of its factor, a power of two.

    ``None``: weights are too far apart for floats.

    The logarithms of the factors are the least of a convex function, which Newton's method finds.
    """
    logarithms = np.zeros(count)
    for _ in range(MAX_ITERATIONS):
        beyond = -np.ones(count)  # the expected number of values that take a variable, minus 1
        curvature = np.eye(count) * RIDGE
        for of in hands:
            powers = logarithms @ of.members
            weights = of.weights * np.exp(powers - powers.max())
            total = weights.sum()
            if total < MIN_TOTAL:
                return None
            taken = of.members * (weights / total)
            means = taken.sum(1)
            beyond += means
            curvature += taken @ of.members.T - np.outer(means, means)
        if np.abs(beyond).max() < BALANCED:
            break
        step = np.linalg.solve(curvature, beyond)
        logarithms -= step * min(1.0, MAX_STEP / np.abs(step).max())
    if np.ptp(logarithms) > MAX_SPREAD:
        return None
    exponents: Exponents = np.rint((logarithms - logarithms.mean()) / log(2)).astype(np.int64)
    return exponents


def _rests(
    sets: Sequence[Sets], weights: Sequence[Floats], count: int
) -> tuple[Iterator[Floats], float, float]:
    """Return by set the weight of all ways to deal the rest to the others; and in all.

    The last number is the sum of the absolute terms that the total is made of.
    """
    if len(sets) == 1:
        total = float(weights[0].sum())
        return iter([np.ones(len(sets[0]))]), total, total
    if len(sets) == 2:
        everything = (1 << count) - 1
        tables = [
            np.bincount(of, weight, 1 << count) for of, weight in zip(sets, weights, strict=True)
        ]
        rests = [tables[1][everything ^ sets[0]], tables[0][everything ^ sets[1]]]
        total = float(weights[0] @ rests[0])
        return iter(rests), total, total
    tables = [inside(count, of, weight, FLOATS) for of, weight in zip(sets, weights, strict=True)]
    outer = without_each(tables, FLOATS)
    absolute = float(outer.sum())
    total = float(signed(count, outer, FLOATS).sum())
    found = (around(count, of, table, FLOATS) for of, table in zip(sets, tables, strict=True))
    return found, total, absolute
