"""python-constraint as an engine: slow, independent of our own search, an oracle for the tests.

This is the only module that imports the package, and only when it is used. Constraints are plain
functions; the package's own kinds have pruned wrongly before (python-constraint, issue 108), and
its constraints written as text are evaluated, which deduce never does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from deduce.budget import Meter
from deduce.engines.core.masks import positions
from deduce.engines.core.model import (
    CompiledCount,
    CompiledLogic,
    CompiledSum,
    CompiledWhere,
    Model,
    Statement,
)
from deduce.engines.solve.listing import Listing
from deduce.errors import missing_package
from deduce.problem import World

__all__ = ["Reference"]

TEST = 10
"""The price of a test of one constraint, in steps of a `Budget`, and of each variable after ten."""


class Reference(Listing):
    """Backtracking by python-constraint; every query lists all worlds.

    The meter counts tests of single constraints, the worlds, and how often the package looks up a
    variable, which it does in loops of its own. Cost: exponential in the number of variables.
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

    class Variable(int):
        """The index of a variable; the package looks its variables up in dictionaries."""

        def __hash__(self) -> int:
            meter.spend()
            return int(self)

    problem = Problem()
    names = [Variable(i) for i in range(len(model.variables))]
    start = model.facts_only(statements)
    for i, name in enumerate(names):
        values = list(positions(model.domain(start, i)))
        meter.spend(len(values))
        if not values:
            return
        problem.addVariable(name, values)
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
        elif isinstance(form, CompiledLogic):
            scope = list(form.variables)
            test = _conditions(form, model.stride, meter)
        else:
            continue
        if scope:
            problem.addConstraint(test, [names[i] for i in scope])
        elif not test():
            return
    for solution in problem.getSolutionIter():
        meter.spend(len(model.variables))
        yield {
            variable: model.values[i][solution[names[i]]]
            for i, variable in enumerate(model.variables)
        }


def _counts(count: CompiledCount, meter: Meter) -> Callable[..., bool]:
    masks = [mask for _, mask in count.terms]

    def holds(*chosen: int) -> bool:
        meter.spend(max(TEST, len(masks)))
        number = sum(mask >> at & 1 for at, mask in zip(chosen, masks, strict=True))
        return count.low <= number <= count.high

    return holds


def _adds_up(form: CompiledSum, meter: Meter) -> Callable[..., bool]:
    def holds(*chosen: int) -> bool:
        meter.spend(max(TEST, len(chosen)))
        amounts = (
            amount
            for at, (_, levels) in zip(chosen, form.terms, strict=True)
            for amount, mask in levels
            if mask >> at & 1
        )
        return form.low <= sum(amounts) <= form.high

    return holds


def _conditions(form: CompiledLogic, stride: int, meter: Meter) -> Callable[..., bool]:
    shifts = [i * stride for i in form.variables]

    def holds(*chosen: int) -> bool:
        meter.spend(max(TEST, form.cost))
        return form.status(sum(1 << at + s for at, s in zip(chosen, shifts, strict=True))) is True

    return holds


def _listed(where: CompiledWhere, stride: int, meter: Meter) -> Callable[..., bool]:
    rows = frozenset(where.rows)
    shifts = [i * stride for i in where.variables]

    def holds(*chosen: int) -> bool:
        meter.spend(TEST)
        return sum(1 << at + shift for at, shift in zip(chosen, shifts, strict=True)) in rows

    return holds
