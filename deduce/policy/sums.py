"""Sums and logarithms of arrays of whole numbers; only imported where numpy is installed."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["log2_of", "sums_of", "x_log_x"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MAX_LOGS = 1 << 18
"""Of many whole numbers up to this one, ``x * log2(x)`` is looked up and not computed."""

MANY = 2000
"""From how many numbers on it is looked up."""


def sums_of(index: Ints, numbers: Floats, size: int) -> Floats:
    """Return the sum of the numbers with each index."""
    return np.bincount(index, numbers, size).astype(np.float64, copy=False)


def x_log_x(numbers: Floats) -> Floats:
    """Return ``x * log2(x)`` of whole numbers, and 0 for 0."""
    if numbers.size < MANY or numbers.max() > MAX_LOGS:
        return numbers * log2_of(numbers)
    return _products().take(numbers.astype(np.intp))


@cache
def _products() -> Floats:
    numbers = np.arange(MAX_LOGS + 1, dtype=np.float64)
    return numbers * log2_of(numbers)


def log2_of(numbers: Floats) -> Floats:
    """Return the logarithm to the base 2 of each number, and 0 for 0."""
    return np.log2(numbers, where=numbers > 0, out=np.zeros(np.shape(numbers)))
