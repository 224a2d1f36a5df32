"""Variables that differ and are summed, which a solver with integers may take for integers.

A run of a kakuro or a line of a magic square is such a group: a Count for each value says that at
most one of its variables has it, and a Sum is about the numbers of their values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import CompiledCount, CompiledSum, Levels, Model, Statement

__all__ = ["Summed", "summed"]


@frozen
class Summed:
    """Groups of variables that differ, and sums that are linear in the places of their values.

    Parameters
    ----------
    groups
        Groups of variables with the same domain, no two of which have the same value.
    counts
        The statements that say so and nothing else, by index.
    sums
        For each sum, by the index of its statement, each variable with its factor, and a constant.
    """

    groups: Sequence[tuple[int, ...]]
    counts: frozenset[int]
    sums: Mapping[int, tuple[Sequence[tuple[int, int]], int]]


def summed(model: Model, statements: Sequence[Statement]) -> Summed:
    """Return the groups of statements; none, unless some sum is about their variables only."""
    counts: dict[tuple[int, ...], dict[int, int]] = {}
    for n, statement in enumerate(statements):
        form = statement.form
        if isinstance(form, CompiledCount) and form.single and form.high == 1 and form.terms:
            variables = tuple(i for i, _ in form.terms)
            masks = {mask for _, mask in form.terms}
            only = form.low <= 0 or len(variables) == model.domains[variables[0]].bit_count()
            if len(masks) == 1 and only and statement.keep & model.start == model.start:
                counts.setdefault(variables, {})[masks.pop()] = n
    groups = [
        variables
        for variables, known in counts.items()
        if len(variables) > 1 and {model.domains[i] for i in variables} == {sum(known)}
    ]
    among = {i for group in groups for i in group}
    sums: dict[int, tuple[Sequence[tuple[int, int]], int]] = {}
    for n, statement in enumerate(statements) if groups else ():
        form = statement.form
        if isinstance(form, CompiledSum) and among.issuperset(i for i, _ in form.terms):
            lines = [_line(levels) for _, levels in form.terms]
            factors = [(i, line[0]) for (i, _), line in zip(form.terms, lines, strict=True) if line]
            if len(factors) == len(lines):
                sums[n] = factors, sum(line[1] for line in lines if line)
    if not sums:
        return Summed((), frozenset(), {})
    return Summed(groups, frozenset(n for g in groups for n in counts[g].values()), sums)


def _line(levels: Levels) -> tuple[int, int] | None:
    """Return ``a`` and ``b`` if the value at each place ``x`` adds ``a * x + b``."""
    points = sorted(
        (bit.bit_length() - 1, amount) for amount, mask in levels for bit in bits_of(mask)
    )
    (x, y), (x2, y2) = points[0], points[-1]
    factor, rest = divmod(y2 - y, max(1, x2 - x))
    line = factor, y - factor * x
    return None if rest or any(b != line[0] * a + line[1] for a, b in points) else line
