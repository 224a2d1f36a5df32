"""Which engine answers what.

Before any engine runs, propagation and the Hamming bound look at the problem; what they refute is
answered by ``bounds`` alone. Otherwise the engines of the table are tried in turn, some with a
share of the budget; an engine that runs out hands over to the next.

============  ====================================================================================
query         engines
============  ====================================================================================
solve         bits (a fifth of a second), matching where it applies, counting, cpsat, bits
solve, large  matching where it applies, cpsat, counting, bits
possible      matching where it applies, counting, cpsat, counting with the whole budget
tally, joint  counting
sample        counting
numbers       counting
worlds        bits
============  ====================================================================================

A question for one world, which is how yes or no is asked, is *large* from `LARGE` Counts, Sums and
Wheres on. The threshold was measured on 844 questions about all recorded problems of the hidden
games. Below it, bits decides 98 % of them within its share, and is as fast as CP-SAT. From 500 to
1500, bits leaves a third to two thirds undecided, and takes twice the time in which CP-SAT decides
all (docs/benchmarks/budgets.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec

from deduce.budget import Budget
from deduce.engines.base import Engine
from deduce.engines.model import CompiledCount, CompiledSum, CompiledWhere, Model, Statement
from deduce.errors import Unsupported
from deduce.registry import load
from deduce.text import nearest

__all__ = ["ENGINES", "LARGE", "PLANS", "check_engine", "engine", "engines_for", "size_of"]

ENGINES = {
    "bits": "deduce.engines.bits:Bits",
    "matching": "deduce.engines.matching:Matching",
    "counting": "deduce.engines.counting.engine:Counting",
    "cpsat": "deduce.engines.cpsat:CpSat",
    "reference": "deduce.engines.reference:Reference",
}
LARGE = 500
"""From how many Counts, Sums and Wheres on CP-SAT is asked for a world before the others."""

NEEDS = {"cpsat": "ortools", "reference": "constraint"}

PLANS: dict[str, tuple[tuple[str, int | None], ...]] = {
    "solve": (
        ("bits", 600_000),
        ("matching", None),
        ("counting", 3_000_000),
        ("cpsat", None),
        ("bits", None),
    ),
    "large solve": (("matching", None), ("cpsat", None), ("counting", 3_000_000), ("bits", None)),
    "possible": (("matching", None), ("counting", 10_000_000), ("cpsat", None), ("counting", None)),
    "tally": (("counting", None),),
    "joint": (("counting", None),),
    "sample": (("counting", None),),
    "numbers": (("counting", None),),
    "worlds": (("bits", None),),
}
"""For each query the engines to try and the steps each may take (``None``: the whole budget)."""


def check_engine(name: str) -> None:
    """Raise `Unsupported` unless there is an engine of this name, or it is ``"auto"``."""
    if name != "auto" and name not in ENGINES:
        raise Unsupported(
            f"no engine is called {name!r}{nearest(str(name), ENGINES)} "
            f"(auto, {', '.join(ENGINES)})"
        )


@cache
def engine(name: str) -> Engine:
    """Return the engine of this name.

    Raises
    ------
    Unsupported
        There is no such engine, or the package that it needs is not installed.
    """
    check_engine(name)
    needed = NEEDS.get(name)
    if needed and find_spec(needed) is None:
        raise Unsupported(
            f"the engine {name!r} needs the package {needed!r}, which is not installed here"
        )
    made: Engine = load(ENGINES[name])()
    return made


def size_of(statements: Sequence[Statement]) -> int:
    """Return the size by which a question is large: the number of Counts, Sums and Wheres."""
    forms = (CompiledCount, CompiledSum, CompiledWhere)
    return sum(isinstance(statement.form, forms) for statement in statements)


def engines_for(
    query: str, model: Model, budget: Budget, selection: Sequence[Statement] | None = None
) -> Iterator[tuple[Engine, Budget]]:
    """Yield the engines to try for a query, in order, each with what it may spend.

    Parameters
    ----------
    query
        The name of the method.
    model, budget
        What is asked about, and what the query may spend.
    selection
        The statements in force, if they are not all those of the model.
    """
    statements = model.statements if selection is None else selection
    plan = PLANS["large solve" if query == "solve" and size_of(statements) >= LARGE else query]
    for name, steps in plan:
        needed = NEEDS.get(name)
        if needed and find_spec(needed) is None:
            continue
        candidate = engine(name)
        if candidate.supports(model, query):
            yield candidate, budget if steps is None else budget.at_most(steps)
