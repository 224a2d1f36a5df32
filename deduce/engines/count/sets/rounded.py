"""Counting by sets with floats: every probability with a bound of its error.

The sums of `deduce.engines.count.sets.partition` have as many digits as the rates of all answers
that may be wrong have together, and each modulus costs as much as a whole count by floats. What
floats lose is known afterwards. Sums by `Signs` have an error that is relative to the weight of all
choices of hands, those that overlap included. A probability is made of parts of the same terms, so
that the same number bounds its absolute error.

That weight is small where few choices of hands overlap. A factor for each card, which all deals
have in common, changes no probability, and is chosen so that on average each card is taken once,
which makes the weight least: the scaling of Sinkhorn, *A relationship between arbitrary positive
matrices and doubly stochastic matrices* (1964).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from math import exp, floor, inf, log, prod
from typing import Any, TypeAlias

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from deduce.engines.count.sets.hands import Hands, Joint, Key, Numbers, Sets

__all__ = ["MAX_ERROR", "Rounded", "Signs", "rests_of", "rounded"]

MAX_ERROR = 1e-6
"""The greatest bound of the error of a probability that is accepted."""

GRAIN = 1 << 44
"""Shares are multiples of one over this number, so that they add up to 1."""

ROUNDING = 2.0**-53
"""The relative error of one operation on floats."""

MAX_ITERATIONS = 40

BALANCED = 0.25
"""The factors need not be found more precisely, as they only make errors small."""

RELAXED = 1.3
"""Steps are longer by this, which takes fewer of them."""

ENTRIES = 1 << 13
"""How many entries of tables are multiplied at a time."""

LEAST = 1e-30
"""A variable that is taken less often is treated as if it were taken this often."""

Floats: TypeAlias = NDArray[np.float64]


@frozen(eq=False)
class Rounded:
    """The weight of all ways, and shares of it.

    Parameters
    ----------
    total
        The weight of all ways, a multiple of `GRAIN`.
    shares
        Keys of `deduce.engines.count.sets.partition` whose shares add up to ``times``, for each
        such set of keys: ``(shares, times)``.
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
    logarithms = _balanced(hands, count)
    if logarithms is None:
        return None
    scale = sum(of.scale(logarithms) for of in hands) - float(logarithms.sum())
    weights = iter([of.weights for of in hands])
    products = [
        reduce(np.multiply, (next(weights)[which] for _, which in joint.parts)) for joint in joints
    ]
    rests, total = rests_of([joint.sets for joint in joints], products, count)
    if not total > 0:
        return None
    # The absolute terms of which the total is the sum.
    absolute = prod(float(each.sum()) for each in products) if len(joints) > 2 else total
    operations = (len(joints) + 1) * (count + 1)
    operations += sum(
        2 * int(np.bincount(np.asarray(joint.sets, np.intp)).max())
        for joint in joints
        if len(joint.parts) > 1
    )
    error = 2 * operations * ROUNDING * absolute / total + 2 * max(map(len, joints)) * ROUNDING
    error += 2 * sum(of.error(logarithms) for of in hands)
    if error > MAX_ERROR:
        return None
    tables: dict[Key, dict[Key, float]] = {}
    for joint, product, rest in zip(joints, products, rests, strict=True):
        shares = np.maximum(product * rest, 0.0)
        for key, share in joint.sums(shares / shares.sum()).items():
            tables.setdefault(key[:-1], {})[key] = share
    del tables[()]  # the total
    whole = _whole(scale + log(total))
    if whole < GRAIN << 24:
        return None
    shared = [
        (table, len(key[1].members) if key[0] == "flow" else 1) for key, table in tables.items()
    ]
    return Rounded(whole // GRAIN * GRAIN, shared, error)


def _whole(logarithm: float) -> int:
    """Return the whole number with this logarithm, as far as floats know it."""
    exponent = floor(logarithm / log(2))
    mantissa = int(exp(logarithm - exponent * log(2)) * (1 << 52))
    return mantissa << exponent - 52 if exponent >= 52 else mantissa >> 52 - exponent


class _Weighed:
    """The sets of a value, with their weights as floats.

    The weights begin as logarithms, since those of a long log are too far apart for floats. Sums
    over the variables of each set are looked up, half of the variables at a time.
    """

    def __init__(self, hands: Hands, count: int) -> None:
        self.hands = hands
        low = count // 2
        self.low, self.high = hands.sets & (1 << low) - 1, hands.sets >> low
        self.members = _bits(low), _bits(count - low)
        """For each half of the variables whether they are in a subset (row)."""
        self.logarithms = np.zeros(len(hands))
        for numbers, table in hands.factors:
            by_number = np.full(max(table) + 1, -inf)
            for number, weight in table.items():
                if weight:
                    by_number[number] = log(weight)
            self.logarithms += by_number[numbers]
        self.weights = self.logarithms
        """After `scale`: the weights, which add up to 1."""

    def scale(self, factors: Floats) -> float:
        """Set the weights; return the logarithm of what all were divided by.

        Parameters
        ----------
        factors
            For each variable the logarithm of its factor.
        """
        beyond = self.logarithms + _sums(factors, self.low, self.high, self.members)
        greatest = float(beyond.max())
        weights = np.exp(beyond - greatest)
        whole = float(weights.sum())
        self.weights = weights / whole
        return greatest + log(whole)

    def error(self, factors: Floats) -> float:
        """Return a bound of the relative error of the weights."""
        sizes = [log(max(table.values())) for _, table in self.hands.factors]
        largest = sum(sizes) + float(np.abs(factors).sum()) + 1
        return (len(sizes) + len(factors) + 4) * largest * ROUNDING


@lru_cache(maxsize=16)
def _bits(count: int) -> Floats:
    """Return for each set (row) and variable whether it is inside."""
    return (np.arange(1 << count)[:, None] >> np.arange(count) & 1).astype(np.float64)


def _sums(terms: Floats, low: Sets, high: Sets, members: tuple[Floats, Floats]) -> Floats:
    """Return for each set the sum of the terms of its variables."""
    some, others = members
    middle = some.shape[1]
    found: Floats = (some * terms[:middle]).sum(1)[low]
    found += (others * terms[middle:]).sum(1)[high]
    return found


def _taken(shares: Floats, low: Sets, high: Sets, members: tuple[Floats, Floats]) -> Floats:
    """Return the sum of the shares of all sets that a variable is in, for each variable."""
    some, others = members
    below = np.bincount(np.asarray(low, np.intp), shares, len(some))
    above = np.bincount(np.asarray(high, np.intp), shares, len(others))
    return np.concatenate(((below[:, None] * some).sum(0), (above[:, None] * others).sum(0)))


def _balanced(hands: Sequence[_Weighed], count: int) -> Floats | None:
    """Return for each variable the logarithm of its factor; ``None``: they are too far apart.

    Each factor is divided by how often its variable is taken, until that is about once. All values
    are in one array, each with its sets side by side.
    """
    low = np.concatenate([of.low for of in hands])
    high = np.concatenate([of.high for of in hands])
    logarithms = np.concatenate([of.logarithms for of in hands])
    sizes = np.array([len(of.hands) for of in hands])
    starts = np.cumsum(sizes) - sizes
    members = hands[0].members
    factors = np.zeros(count)
    for _ in range(MAX_ITERATIONS):
        weights = logarithms + _sums(factors, low, high, members)
        most = np.maximum.reduceat(weights, starts)
        if not np.isfinite(most).all():
            return None
        weights = np.exp(weights - np.repeat(most, sizes))
        weights /= np.repeat(np.add.reduceat(weights, starts), sizes)
        taken = _taken(weights, low, high, members)
        if np.abs(taken - 1).max() < BALANCED:
            break
        factors -= np.log(np.maximum(taken, LEAST)) * RELAXED
    factors -= factors.mean()
    return factors if np.isfinite(factors).all() else None


def rests_of(
    sets: Sequence[Sets], weights: Sequence[Numbers], count: int, modulus: int | None = None
) -> tuple[list[Numbers], Any]:
    """Return by set the weight of all ways to deal the rest to the others; and in all.

    Floats; or modulo an odd prime below ``2**31``.
    """
    if len(sets) == 1:
        return [np.ones(len(sets[0]), weights[0].dtype)], weights[0].sum()
    if len(sets) == 2:
        everything = (1 << count) - 1
        mine, theirs = (
            np.bincount(np.asarray(of, np.intp), weight, 1 << count).astype(weight.dtype)
            for of, weight in zip(sets, weights, strict=True)
        )
        rests = [theirs[everything ^ sets[0]], mine[everything ^ sets[1]]]
        return rests, (weights[0] * rests[0]).sum()
    signs = Signs(count, modulus)
    places = [signs.places(of) for of in sets]
    tables = signs.values(places, weights)
    total = signs.without_each(tables)
    return [signs.coefficients(of, table) for of, table in zip(places, tables, strict=True)], total


class Signs:
    """All choices of signs for some cards, of which the last stays 1.

    A holder's hands are a polynomial: each hand is the product of its cards, times its weight. A
    deal is a term of the product of all polynomials in which every card occurs once, and a sum over
    all choices of signs for the cards leaves exactly these terms. For cards ``x`` of signs 1 and
    -1::

        coefficient = mean over all x of (product of x) * (product of the polynomials at x)

    It is the formula of Glynn, *The permanent of a square matrix* (2010), for hands instead of
    rows. As all hands of a holder have the same size, all signs may be changed at once: one of them
    stays 1, and half of the choices are enough. The values of a polynomial at all choices are the
    Walsh-Hadamard transform of its weights, and so are the coefficients of the rest without one
    holder.

    An array over all choices is a matrix of high and low halves of the cards. Adding along the
    first axis is fast, and hands have few high halves, so their low halves are transformed first.
    Cost: up to ``count * 2**count`` additions for each transform, of which about a third are made.

    Parameters
    ----------
    count
        How many cards there are, at least 1.
    modulus
        An odd prime below ``2**31``: numbers are whole, and modulo it. Otherwise they are floats.
    """

    def __init__(self, count: int, modulus: int | None = None) -> None:
        self.count, self.modulus = count, modulus
        self.type = np.float64 if modulus is None else np.int64
        self.low = (count - 1) // 2
        """How many cards are in the low half."""
        self.high = count - 1 - self.low
        """How many cards are in the high half."""
        self.odd = _odd(self.high, self.low).astype(self.type)
        """The product of the signs, for every choice."""
        self._differences = np.empty(1 << max(0, count - 2), self.type)
        """Room for half of a matrix: to ask for it at each step takes longer than to add."""

    def places(self, sets: Sets) -> Places:
        """Return where sets of cards are in the matrix."""
        high = (sets & (1 << self.count - 1) - 1) >> self.low
        occurs = np.zeros(1 << self.high, np.bool_)
        occurs[high] = True
        used = np.flatnonzero(occurs)
        column = np.cumsum(occurs) - 1
        return Places(used, (sets & (1 << self.low) - 1) * len(used) + column[high])

    def values(self, places: Sequence[Places], weights: Sequence[Numbers]) -> Numbers:
        """Return polynomials with these weights of the sets, for every choice of signs.

        One array has all of them, one after the other: memory that is asked for at once costs less.
        """
        tables = np.zeros((len(places), 1 << self.high, 1 << self.low), self.type)
        for table, of, some in zip(tables, places, weights, strict=True):
            columns = len(of.used)
            sums = np.bincount(np.asarray(of.cells, np.intp), some, columns << self.low)
            part = np.asarray(sums.reshape(-1, columns), self.type)
            self._transform(part, self.low)
            table[of.used] = part.T
            self._reduce(self._transform(table, self.high))
        return tables

    def without_each(self, tables: Numbers) -> Any:
        """Return the coefficient of all cards in the product of some polynomials, by their values.

        Each table is replaced by the product of the signs and of all other tables. Some entries at
        a time, which fit a cache. Cost: three products for each entry.
        """
        total = self.type(0)
        flat, odd = tables.reshape(len(tables), -1), self.odd.reshape(-1)
        for first in range(0, self.odd.size, ENTRIES):
            some = slice(first, first + ENTRIES)
            chunks = list(flat[:, some])
            before = [odd[some]]
            for chunk in chunks:
                before.append(self._reduce(before[-1] * chunk))
            total += before.pop().sum()
            after = chunks[-1].copy()
            chunks[-1][:] = before.pop()
            for chunk in chunks[-2::-1]:
                following = self._reduce(after * chunk)
                self._reduce(np.multiply(before.pop(), after, out=chunk))
                after = following
        return self._mean(total)

    def coefficients(self, places: Places, table: Numbers) -> Any:
        """Return the coefficient of all cards outside each set, of a polynomial.

        Its values times the signs, as `without_each` leaves them, are overwritten.
        """
        full = self._transform(table, self.high)
        part = self._transform(np.ascontiguousarray(full[places.used].T), self.low)
        return self._mean(part.reshape(-1)[places.cells])

    def _mean(self, sums: Any) -> Any:
        """Return sums over all choices, divided by how many these are."""
        if self.modulus is None:
            return sums / (1 << self.count - 1)
        return sums % self.modulus * pow(2, 1 - self.count, self.modulus) % self.modulus

    def _reduce(self, numbers: Numbers) -> Numbers:
        """Make whole numbers less than the modulus."""
        if self.modulus is not None:
            numbers -= numbers // self.modulus * self.modulus
        return numbers

    def _transform(self, table: Numbers, bits: int) -> Numbers:
        """Replace two rows that differ in a bit by their sum and difference, for every bit."""
        differences = self._differences[: table.size // 2]
        for bit in range(bits):
            pairs = table.reshape(-1, 2, table.shape[1] << bit)
            minus = differences.reshape(len(pairs), -1)
            np.subtract(pairs[:, 0], pairs[:, 1], out=minus)
            pairs[:, 0] += pairs[:, 1]
            pairs[:, 1] = minus
        return table


@frozen(eq=False)
class Places:
    """Where some sets of cards are in the matrix of a transform."""

    used: Sets
    """The high halves that occur."""
    cells: Sets
    """For each set its place in a table of low halves (row) by the high halves that occur."""


@lru_cache(maxsize=4)
def _odd(high: int, low: int) -> Floats:
    sizes = np.bitwise_count(np.arange(1 << high + low)).astype(np.int64)
    odd = np.asarray(1 - 2 * (sizes % 2), np.float64)
    return odd.reshape(1 << high, 1 << low)
