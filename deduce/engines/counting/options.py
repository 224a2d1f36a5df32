"""Drawing one of several options for many states at a time, each by its exact weight."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from deduce.engines.counting.draws import Below
from deduce.engines.counting.numbers import ROUNDING, Numbers
from deduce.engines.counting.plan import Choice
from deduce.engines.counting.words import Indices, States

__all__ = ["Options"]

FRACTION = 53
"""Bits of the fraction by which an option is drawn: as many as a float holds."""

FURTHER = 128
"""Bits that are added to a fraction that is near the border of two options."""


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
    >>> from deduce.engines.counting.draws import below
    >>> targets, _ = options.drawn(np.zeros(4000, int), below(Random(1)), ROUNDING)
    >>> bool(950 < (targets == 5).sum() < 1050)
    True
    """

    def __init__(self, states: int) -> None:
        self.states = states
        self._sources: list[Indices] = []
        self._weights: list[Numbers] = []
        self._targets: list[States] = []
        self._choices: list[Choice] = []

    def add(self, sources: Indices, weights: Numbers, targets: States, choice: Choice) -> None:
        """Add a choice: for each state that has it, by its index, the weight and where it leads."""
        self._sources.append(sources)
        self._weights.append(weights)
        self._targets.append(targets)
        self._choices.append(choice)

    def words(self) -> NDArray[np.uint64]:
        """Return for each state the weight of all its options, modulo 2**64."""
        words = np.zeros(self.states, np.uint64)
        for sources, weights in zip(self._sources, self._weights, strict=True):
            words[sources] += weights.words
        return words

    def drawn(
        self, sources: Indices, draw: Below, error: float
    ) -> tuple[States, Iterator[tuple[Choice, Indices]]]:
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
        source = np.concatenate(self._sources)
        order = np.argsort(source, kind="stable")
        source = source[order]
        weights = Numbers.joined(self._weights)
        sizes = weights.sizes[order]
        share = sizes / np.bincount(source, sizes, self.states)[source]
        upper = np.cumsum(share)  # the options of state s end at s + 1
        fractions = _fractions(len(sources), draw)
        position = sources + np.ldexp(fractions.astype(np.float64), -FRACTION)
        option = np.searchsorted(upper, position, side="right")
        option = np.minimum(option, len(upper) - 1)
        unsure = 8 * error + 4 * ROUNDING * (len(upper) + 1) * (self.states + 1)
        lower = np.concatenate(([0.0], upper))[option]
        near = (position - lower < unsure) | (upper[option] - position < unsure)
        begin = np.searchsorted(source, np.arange(self.states + 1))
        for n in np.flatnonzero(near).tolist():
            first, end = begin[sources[n]], begin[sources[n] + 1]
            exact = weights.take(order[first:end]).ints(error)
            option[n] = first + _option(exact, int(fractions[n]), draw)
        option = order[option]
        return np.concatenate(self._targets)[option], self._by_choice(option)

    def _by_choice(self, option: Indices) -> Iterator[tuple[Choice, Indices]]:
        order = np.argsort(option, kind="stable")
        ends = np.cumsum([len(sources) for sources in self._sources])
        stretches = np.split(order, np.searchsorted(option[order], ends))
        yield from zip(self._choices, stretches[:-1], strict=True)


def _fractions(count: int, draw: Below) -> NDArray[np.uint64]:
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
