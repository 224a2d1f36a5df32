"""python-constraint as an engine: slow, independent of our own search, an oracle for the tests.

This is the only module that imports the package, and only when it is used. Constraints are plain
functions; the package's own kinds have pruned wrongly before (python-constraint, issue 108), and
its constraints written as text are evaluated, which deduce never does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from deduce.budget import Meter
from deduce.engines.base import Listing
from deduce.engines.core.masks import positions
from deduce.engines.core.model import CompiledCount, CompiledSum, Constraining, Model, Statement
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
        if isinstance(form, CompiledCount | CompiledSum):
            scope = [i for i, _ in form.terms]
        elif form is not None:
            scope = list(form.variables)
        else:
            continue
        test = _satisfied(model, form, scope, meter)
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


def _satisfied(
    model: Model, form: Constraining, scope: Sequence[int], meter: Meter
) -> Callable[..., bool]:
    """Return what is true of the values of some variables with which a constraint holds."""
    alone = Statement(-1, form)
    shifts = [i * model.stride for i in scope]
    price = max(TEST, len(scope))

    def holds(*chosen: int) -> bool:
        meter.spend(price)
        state = sum(1 << at + shift for at, shift in zip(chosen, shifts, strict=True))
        return model.satisfied(alone, state)

    return holds
