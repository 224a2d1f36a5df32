"""The information in drawn worlds, with the bias of few draws taken away and its standard error."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from games.cluedo.advice.outcomes import Table, information

__all__ = ["jackknife", "summed"]


def jackknife(tables: Sequence[Table]) -> tuple[float, float]:
    """Return the information with its bias taken away, and its standard error.

    Source: Efron & Tibshirani, *An Introduction to the Bootstrap* (1993), ch. 11, with parts of
    the sample left out in turn.
    """
    number = len(tables)
    whole = summed(tables)
    without = [information(_less(whole, table)) for table in tables]
    mean = sum(without) / number
    error = sqrt((number - 1) / number * sum((gain - mean) ** 2 for gain in without))
    return max(0.0, number * information(whole) - (number - 1) * mean), error


def summed(tables: Sequence[Table]) -> Table:
    """Return the table of all worlds of several tables."""
    whole: Table = {}
    for table in tables:
        for answer, row in table.items():
            into = whole.setdefault(answer, {})
            for solution, weight in row.items():
                into[solution] = into.get(solution, 0) + weight
    return whole


def _less(whole: Table, part: Table) -> Table:
    less = {answer: dict(row) for answer, row in whole.items()}
    for answer, row in part.items():
        for solution, weight in row.items():
            less[answer][solution] -= weight
    return {answer: row for answer, row in less.items() if any(row.values())}
