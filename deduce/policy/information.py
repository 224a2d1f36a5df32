"""Information in bits: how much an answer is expected to reveal, from tables of weights.

The measure is mutual information (Cover and Thomas, *Elements of Information Theory*, 2006, ch. 2):
the entropy of the solution now, minus its expected entropy once the answer is known.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import hypot, lcm, log2, prod, sqrt
from typing import TYPE_CHECKING, Any, TypeAlias

from deduce.constraints import Weigh
from deduce.problem import World, number_of

if TYPE_CHECKING:
    from deduce.reasoning.queries import Queries

__all__ = [
    "NOISE",
    "Sizes",
    "SolutionTable",
    "Weight",
    "beyond_chance",
    "entropy",
    "information",
    "information_without",
    "integer_weight",
    "jackknife",
]

Weight: TypeAlias = Fraction | int

SolutionTable: TypeAlias = Mapping[Hashable, Mapping[Hashable, Weight]]
"""For each answer, the weight of each solution."""

Sizes: TypeAlias = Mapping[Hashable, int]
"""How many equally probable solutions a label represents; by default one."""

NOISE = 1e-12
"""A smaller gain is a rounding error."""


def entropy(row: Mapping[Hashable, Weight], sizes: Sizes | None = None) -> float:
    """Return the entropy in bits of what has these weights.

    >>> entropy({"Plum": 1, "Green": 1, "White": 2})
    1.5
    """
    total = sum(row.values()) or 1
    sizes = sizes or {}
    bits = 0.0
    for solution, weight in row.items():
        share = float(weight / total)
        if share:  # a positive one may be below all floats
            bits -= share * log2(share / sizes.get(solution, 1))
    return bits + 0.0


def information(table: SolutionTable, sizes: Sizes | None = None) -> float:
    """Return the bits of information that the answer is expected to give about the solution.

    >>> information({"yes": {"Plum": 1}, "no": {"Green": 1}})
    1.0
    """
    before: dict[Hashable, Weight] = {}
    for row in table.values():
        for solution, weight in row.items():
            before[solution] = before.get(solution, 0) + weight
    total = sum(before.values())
    after = sum(float(sum(r.values()) / total) * entropy(r, sizes) for r in table.values())
    gain = entropy(before, sizes) - after
    return gain if gain > NOISE else 0.0


def information_without(parts: Sequence[Mapping[tuple[Hashable, Hashable], float]]) -> list[float]:
    """Return the information in all parts of a table together, and leaving out each of them.

    A part has weights by answer and solution. Only what a part has is looked at again, so all takes
    little more time than one.

    >>> parts = [{("yes", "Plum"): 1.0}, {("no", "Green"): 1.0}, {("no", "Green"): 1.0}]
    >>> [round(bits, 3) for bits in information_without(parts)]
    [0.918, 0.0, 1.0, 1.0]
    """
    sides: list[list[dict[Hashable, float]]] = [[], []]
    for part in parts:
        for side, tables in enumerate(sides):
            table: dict[Hashable, float] = {}
            for cell, weight in part.items():
                table[cell[side]] = table.get(cell[side], 0.0) + weight
            tables.append(table)
    both, answers, solutions = _logs_without(parts), *map(_logs_without, sides)
    weights = [sum(part.values()) for part in parts]
    totals = [sum(weights), *(sum(weights) - weight for weight in weights)]
    return [
        (cells - rows - columns) / total + log2(total)
        for cells, rows, columns, total in zip(both, answers, solutions, totals, strict=True)
    ]


def _logs_without(parts: Sequence[Mapping[Any, float]]) -> list[float]:
    """Return the sum of ``w * log2(w)`` over the weights of all parts, and without each part."""
    whole: dict[Any, float] = {}
    for part in parts:
        for cell, weight in part.items():
            whole[cell] = whole.get(cell, 0.0) + weight
    logs = {cell: weight * log2(weight) for cell, weight in whole.items()}
    total = sum(logs.values())
    result = [total]
    for part in parts:
        changes = 0.0
        for cell, weight in part.items():
            rest = whole[cell] - weight
            changes += logs[cell] - (rest * log2(rest) if rest > NOISE else 0.0)
        result.append(total - changes)
    return result


def jackknife(whole: float, without: Sequence[float]) -> tuple[float, float]:
    """Return an estimate without its bias, and its standard error.

    Parameters
    ----------
    whole
        The estimate from all draws.
    without
        The estimates that leave out one part of the draws each, all parts of one size.

    Notes
    -----
    Source: Efron and Tibshirani, *An Introduction to the Bootstrap* (1993), ch. 11.
    """
    count = len(without)
    mean = sum(without) / count
    error = sqrt((count - 1) / count * sum((gain - mean) ** 2 for gain in without))
    return max(0.0, count * whole - (count - 1) * mean), error


def beyond_chance(
    gains: Sequence[float], chance: Sequence[float], named: Sequence[float], answer_bits: float
) -> tuple[float, float]:
    """Return the information of an answer about a solution from draws, and its standard error.

    Few draws of many solutions suggest information where there is none. How much is measured: the
    solutions are shuffled among the draws that agree in what the question names, so that the answer
    depends on that alone. Where the answer in truth depends on more, the shuffled draws suggest too
    much; that share of the difference to the jackknife, and half of it as an error, is added.

    Parameters
    ----------
    gains
        The information in the draws, from all of them and leaving out one part each.
    chance
        The same with the solutions shuffled.
    named
        The same about that part of the solution which the question names.
    answer_bits
        The entropy of the answer.

    Notes
    -----
    Source of the shuffling: Panzeri, Senatore, Montemurro and Petersen, *Correcting for the
    sampling bias problem in spike train information measures* (J. Neurophysiology 98, 2007).

    Examples
    --------
    An answer that depends on nothing but chance, in draws that suggest 0.3 bits:

    >>> beyond_chance([0.3, 0.32, 0.28], [0.3, 0.32, 0.28], [0, 0, 0], 1.0)
    (0.0, 0.0)
    """
    combined = [g - c + n for g, c, n in zip(gains, chance, named, strict=True)]
    _, error = jackknife(combined[0], combined[1:])
    about_named, _ = jackknife(named[0], named[1:])
    gain = gains[0] - chance[0] + about_named
    extrapolated, _ = jackknife(gains[0], gains[1:])
    unexplained = answer_bits - named[0]
    dependent = 0.0
    if unexplained > NOISE:
        dependent = min(1.0, max(0.0, (gains[0] - chance[0]) / unexplained))
    shift = dependent * (extrapolated - gain)
    return max(0.0, gain + shift), hypot(error, shift / 2)


def integer_weight(knowledge: Queries) -> Callable[[World], int]:
    """Return a function that gives the weight of a world as a whole number, all on one scale."""
    scaled = []
    for constraint in knowledge.problem.constraints():
        if isinstance(constraint, Weigh):
            scale = lcm(*(weight.denominator for weight in constraint.weights))
            numbers = [int(weight * scale) for weight in constraint.weights]
            scaled.append((constraint, numbers))

    def weight(world: World) -> int:
        return prod(numbers[number_of(weigh, world)] for weigh, numbers in scaled)

    return weight
