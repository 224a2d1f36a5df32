"""Arrays of large exact numbers: each as a 64-bit word, as a float, and modulo some primes.

All that a sweep does with weights is to add and to multiply them. Words do that modulo 2**64
without any test, and floats with a known relative error. A number is determined by both as long as
the error is smaller than the modulus, which allows for about 90 bits; every prime adds 31 more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property
from itertools import islice
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from deduce.engines.count.sweep.draws import Below
from deduce.engines.count.sweep.plan import Choice

__all__ = [
    "Numbers",
    "Options",
    "TooLarge",
    "exact",
    "modulus",
    "primes",
    "primes_above",
    "reduced",
    "total",
]

Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

WORD = 1 << 64

MAX_PRIMES = 30

ROUNDING = 2.0**-53
"""The relative error of one operation on floats."""


FRACTION = 53
"""Bits of the fraction by which an option is drawn: as many as a float holds."""

NEAR = 4 * ROUNDING
"""The error of a fraction, for each option and each state."""

FURTHER = 128
"""Bits that are added to a fraction that is near the border of two options."""


class TooLarge(Exception):
    """Weights beyond what floats can hold; the dictionary sweep has no such limit."""


class Numbers:
    """Non-negative numbers: ``words`` modulo 2**64, ``sizes`` as floats, ``rests`` by prime."""

    __slots__ = ("rests", "sizes", "words")

    def __init__(self, words: Words, sizes: Floats, rests: Sequence[tuple[Words, int]]) -> None:
        self.words = words
        self.sizes = sizes
        self.rests = tuple(rests)

    @classmethod
    def ones(cls, count: int, moduli: Sequence[int]) -> Numbers:
        """Return the number 1, several times."""
        words = np.ones(count, np.uint64)
        return cls(words, words.astype(np.float64), [(words, p) for p in moduli])

    @classmethod
    def zeros(cls, count: int, moduli: Sequence[int]) -> Numbers:
        """Return the number 0, several times, each prime with an array of its own."""
        rests = [(np.zeros(count, np.uint64), p) for p in moduli]
        return cls(np.zeros(count, np.uint64), np.zeros(count), rests)

    @classmethod
    def of(cls, values: Sequence[int], moduli: Sequence[int]) -> Numbers:
        """Return these ints; OverflowError if one has no float."""
        return cls(
            np.array([value % WORD for value in values], np.uint64),
            np.array([float(value) for value in values]),
            [(np.array([value % p for value in values], np.uint64), p) for p in moduli],
        )

    def with_primes(self, number: int) -> Numbers:
        """Return the same by the first primes only."""
        return Numbers(self.words, self.sizes, self.rests[:number])

    def take(self, which: Indices) -> Numbers:
        """Return those at some indices."""
        return Numbers(
            self.words[which], self.sizes[which], [(rest[which], p) for rest, p in self.rests]
        )

    def times(self, factor: int) -> Numbers:
        """Return all of them times an int; OverflowError if it has no float."""
        if factor == 1:
            return self
        return Numbers(
            self.words * np.uint64(factor % WORD),
            self.sizes * float(factor),
            [(rest * np.uint64(factor % p) % np.uint64(p), p) for rest, p in self.rests],
        )

    def __mul__(self, other: Numbers) -> Numbers:
        pairs = zip(self.rests, other.rests, strict=True)
        return Numbers(
            self.words * other.words,
            self.sizes * other.sizes,
            [(mine * theirs % np.uint64(p), p) for (mine, p), (theirs, _) in pairs],
        )

    def grouped(self, order: Indices, starts: Indices, check: Callable[[], None]) -> Numbers:
        """Return the sums of consecutive stretches of the numbers in another order.

        ``check`` is called between the arrays, for each of them may take long.
        """
        words = np.add.reduceat(self.words[order], starts)
        check()
        sizes = np.add.reduceat(self.sizes[order], starts)
        rests = []
        for rest, p in self.rests:
            check()
            rests.append((np.add.reduceat(rest[order], starts) % np.uint64(p), p))
        return Numbers(words, sizes, rests)

    def add_at(self, which: Indices, other: Numbers) -> None:
        """Add other numbers at different indices."""
        self.words[which] += other.words
        self.sizes[which] += other.sizes
        for (mine, p), (theirs, _) in zip(self.rests, other.rests, strict=True):
            mine[which] = (mine[which] + theirs) % np.uint64(p)

    @staticmethod
    def joined(parts: Sequence[Numbers]) -> Numbers:
        """Return all numbers of several parts, one after the other."""
        if len(parts) == 1:
            return parts[0]
        rests = [
            (np.concatenate([part.rests[k][0] for part in parts]), p)
            for k, (_, p) in enumerate(parts[0].rests)
        ]
        words = np.concatenate([part.words for part in parts])
        return Numbers(words, np.concatenate([part.sizes for part in parts]), rests)

    def ints(self, error: float) -> list[int]:
        """Return the numbers; ``error`` bounds the relative error of their sizes."""
        if not self.rests and self.sizes.max(initial=0.0) < 2.0**62:
            return [int(word) for word in self.words.tolist()]
        return [
            exact(
                int(self.words[i]),
                float(self.sizes[i]),
                [(int(rest[i]), p) for rest, p in self.rests],
                error,
            )
            for i in range(len(self.words))
        ]


def total(numbers: Numbers, error: float) -> int:
    """Return the sum; ``error`` bounds the relative error of the sizes."""
    return exact(
        int(numbers.words.sum(dtype=np.uint64)),
        float(numbers.sizes.sum()),
        [(int(rest.sum(dtype=np.uint64)) % p, p) for rest, p in numbers.rests],
        error + len(numbers.words) * ROUNDING,
    )


def exact(word: int, size: float, rests: Sequence[tuple[int, int]], error: float) -> int:
    """Return the number near ``size`` that has these remainders.

    Raises
    ------
    ArithmeticError
        The size is not exact enough to tell two such numbers apart.
    """
    number, period = word, WORD
    for rest, p in rests:  # Chinese remainders, one more modulus at a time
        number += period * ((rest - number) * pow(period, -1, p) % p)
        period *= p
    if not size * error < period / 4:
        raise ArithmeticError("too few primes")
    return number + period * round((int(size) - number) / period)


def modulus(moduli: Sequence[int]) -> float:
    """Return the number up to which a word and these primes alone tell numbers apart."""
    result = float(WORD)
    for p in moduli:
        result *= p
    return result


def reduced(numbers: Words, modulus: int) -> Words:
    """Return words modulo a prime; those modulo 2**64 stay as they are."""
    return numbers if modulus == WORD else numbers % np.uint64(modulus)


@cache
def primes(count: int) -> tuple[int, ...]:
    """Return the largest primes below 2**31."""
    return tuple(islice(filter(_is_prime, range((1 << 31) - 1, 2, -2)), count))


def primes_above(size: float) -> int:
    """Return how many primes, beside machine words, tell all numbers up to a size apart.

    Raises
    ------
    TooLarge
        The size does not fit a float, or there are too many primes.
    """
    if not np.isfinite(size):
        raise TooLarge("the number of worlds does not fit a float")
    count = 0
    while not size < modulus(primes(count)):
        count += 1
        if count > MAX_PRIMES:
            raise TooLarge("too many primes")
    return count


def _is_prime(odd: int) -> bool:
    """Return whether an odd number above 1 is prime."""
    return all(odd % divisor for divisor in range(3, isqrt(odd) + 1, 2))


class Options:
    """What some states may choose, with weights, collected choice by choice.

    A draw is a fraction of the weight of all options of its state. Floats decide which option it
    belongs to; where the fraction is so near the border of two that their error might matter, it
    gets more bits, and exact weights decide.

    Parameters
    ----------
    states
        The number of states.

    Examples
    --------
    >>> options = Options(1)
    >>> for weight, target in ((1, 5), (3, 6)):
    ...     weights = Numbers.of([weight], ())
    ...     options.add(np.zeros(1, int), weights, np.full(1, target, np.uint64), (0, 0, 1, 0, 0))
    >>> from random import Random
    >>> from deduce.engines.count.sweep.draws import below
    >>> targets, _ = options.drawn(np.zeros(4000, int), below(Random(1)), ROUNDING)
    >>> bool(950 < (targets == 5).sum() < 1050)
    True
    """

    def __init__(self, states: int) -> None:
        self.states = states
        self._sources: list[Indices] = []
        self._weights: list[Numbers] = []
        self._targets: list[Words] = []
        self._choices: list[Choice] = []

    def add(self, sources: Indices, weights: Numbers, targets: Words, choice: Choice) -> None:
        """Add a choice: for each state that has it, by its index, the weight and where it leads."""
        self._sources.append(sources)
        self._weights.append(weights)
        self._targets.append(targets)
        self._choices.append(choice)

    def words(self) -> Words:
        """Return for each state the weight of all its options, modulo 2**64."""
        words = np.zeros(self.states, np.uint64)
        for sources, weights in zip(self._sources, self._weights, strict=True):
            words[sources] += weights.words
        return words

    def drawn(
        self, sources: Indices, draw: Below, error: float
    ) -> tuple[Words, Iterator[tuple[Choice, Indices]]]:
        """Return where each draw leads, and for each choice the indices of the draws that have it.

        Parameters
        ----------
        sources
            The state of each draw, by its index; each state has options.
        draw
            Draws an int below a number.
        error
            A bound of the relative error of the sizes of the weights.
        """
        order, begin, upper, weights, targets = self._sorted
        fractions = _fractions(len(sources), draw)
        position = sources + np.ldexp(fractions.astype(np.float64), -FRACTION)
        option = np.searchsorted(upper, position, side="right")
        option = np.minimum(option, len(upper) - 1)
        unsure = 8 * error + NEAR * (len(upper) + 1) * (self.states + 1)
        lower = np.concatenate(([0.0], upper))[option]
        near = (position - lower < unsure) | (upper[option] - position < unsure)
        for n in np.flatnonzero(near).tolist():
            first, end = begin[sources[n]], begin[sources[n] + 1]
            exact = weights.take(order[first:end]).ints(error)
            option[n] = first + _option(exact, int(fractions[n]), draw)
        option = order[option]
        return targets[option], self._by_choice(option)

    @cached_property
    def _sorted(self) -> tuple[Indices, Indices, Floats, Numbers, Words]:
        """The order of options by state, where each state begins, upper ends, weights, targets.

        The options of state s end at s + 1. Weights and targets are in the order of the choices.
        """
        source = np.concatenate(self._sources)
        order = np.argsort(source, kind="stable")
        source, weights = source[order], Numbers.joined(self._weights)
        sizes = weights.sizes[order]
        share = sizes / np.bincount(np.asarray(source, np.intp), sizes, self.states)[source]
        begin = np.searchsorted(source, np.arange(self.states + 1))
        return order, begin, np.cumsum(share), weights, np.concatenate(self._targets)

    def _by_choice(self, option: Indices) -> Iterator[tuple[Choice, Indices]]:
        order = np.argsort(option, kind="stable")
        ends = np.cumsum([len(sources) for sources in self._sources])
        stretches = np.split(order, np.searchsorted(option[order], ends))
        yield from zip(self._choices, stretches[:-1], strict=True)


def _fractions(count: int, draw: Below) -> Words:
    """Return numbers of `FRACTION` bits, drawn uniformly."""
    words = np.frombuffer(draw(1 << 64 * count).to_bytes(8 * count, "little"), "<u8")
    return words.astype(np.uint64) >> np.uint64(64 - FRACTION)


def _option(weights: list[int], fraction: int, draw: Below) -> int:
    """Return the index of the weight in which a fraction of their sum lies, with further bits."""
    exact = (fraction << FURTHER) + draw(1 << FURTHER)
    place = exact * sum(weights) >> FRACTION + FURTHER
    for index, weight in enumerate(weights):
        if place < weight:
            return index
        place -= weight
    raise AssertionError("a fraction is below 1")
