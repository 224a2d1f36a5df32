"""python-constraint as an engine: slow, independent of our own search, an oracle for the tests.

This is the only module that imports the package, and only when it is used. Constraints are plain
functions; the package's own kinds have pruned wrongly before (python-constraint, issue 108), and
its constraints written as text are evaluated, which deduce never does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from deduce.budget import Meter
from deduce.engines.listing import Listing
from deduce.engines.masks import bits_of
from deduce.engines.model import (
    CompiledCount,
    CompiledSum,
    CompiledWhere,
    Model,
    Statement,
)
from deduce.errors import missing_package
from deduce.problem import World

__all__ = ["Reference"]

TEST = 10
"""The price of a test of one constraint, in steps of a `Budget`."""


class Reference(Listing):
    """Backtracking by python-constraint; every query lists all worlds.

    The meter counts tests of single constraints, and the worlds. Cost: exponential in the number of
    variables.
    """

    name: ClassVar[str] = "reference"

    def supports(self, model: Model, query: str) -> bool:
        """Return ``True``: a list of all worlds answers everything."""
        return True

    def solve(
        self, model: Model, meter: Meter, selection: Sequence[Statement] | None = None
    ) -> World | None:
        """Return a world that satisfies the selected statements, or ``None``."""
        statements = model.statements if selection is None else selection
        return next(_solutions(model, meter, statements), None)

    def worlds(self, model: Model, meter: Meter) -> Iterator[World]:
        """Yield every world once, in the order of the package's backtracking."""
        return _solutions(model, meter, model.statements)


def _solutions(model: Model, meter: Meter, statements: Sequence[Statement]) -> Iterator[World]:
    try:
        from constraint import Problem
    except ImportError:
        raise missing_package("the engine 'reference'", "python-constraint2") from None
    problem = Problem()
    domains = [model.domain(model.facts_only(statements), i) for i in range(len(model.variables))]
    if not all(domains):
        return
    for i, domain in enumerate(domains):
        problem.addVariable(i, list(bits_of(domain)))
    for statement in statements:
        form = statement.form
        if isinstance(form, CompiledCount):
            scope = [i for i, _ in form.terms]
            test = _counts(form, meter)
        elif isinstance(form, CompiledSum):
            scope = [i for i, _ in form.terms]
            test = _adds_up(form, meter)
        elif isinstance(form, CompiledWhere):
            scope = list(form.variables)
            test = _listed(form, model.stride, meter)
        else:
            continue
        if scope:
            problem.addConstraint(test, scope)
        elif not test():
            return
    for solution in problem.getSolutionIter():
        meter.spend(len(model.variables))
        yield {
            variable: model.values[i][solution[i].bit_length() - 1]
            for i, variable in enumerate(model.variables)
        }


def _counts(count: CompiledCount, meter: Meter) -> Callable[..., bool]:
    masks = [mask for _, mask in count.terms]

    def holds(*chosen: int) -> bool:
        meter.spend(TEST)
        number = sum(1 for bit, mask in zip(chosen, masks, strict=True) if bit & mask)
        return count.low <= number <= count.high

    return holds


def _adds_up(form: CompiledSum, meter: Meter) -> Callable[..., bool]:
    def holds(*chosen: int) -> bool:
        meter.spend(TEST)
        amounts = (
            amount
            for bit, (_, levels) in zip(chosen, form.terms, strict=True)
            for amount, mask in levels
            if bit & mask
        )
        return form.low <= sum(amounts) <= form.high

    return holds


def _listed(where: CompiledWhere, stride: int, meter: Meter) -> Callable[..., bool]:
    rows = frozenset(where.rows)
    shifts = [i * stride for i in where.variables]

    def holds(*chosen: int) -> bool:
        meter.spend(TEST)
        return sum(bit << shift for bit, shift in zip(chosen, shifts, strict=True)) in rows

    return holds
