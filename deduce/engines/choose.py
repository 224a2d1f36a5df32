"""Which engine answers what.

Before any engine runs, propagation and the Hamming bound look at the problem; what they refute is
answered by ``bounds`` alone. Otherwise the engines of the table are tried in turn, each but the
last with a small share of the budget; an engine that runs out hands over to the next.

============  ====================================================================================
query         engines
============  ====================================================================================
solve         bits (a few hundred branchings), matching where it applies, counting, cpsat, bits
possible      matching where it applies, counting, cpsat, counting with the whole budget
tally, joint  counting
sample        counting
worlds        bits
============  ====================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec

from deduce.budget import Budget
from deduce.engines.base import Engine
from deduce.engines.model import Model
from deduce.errors import Unsupported
from deduce.registry import load
from deduce.text import nearest

__all__ = ["ENGINES", "check_engine", "engine", "engines_for"]

ENGINES = {
    "bits": "deduce.engines.bits:Bits",
    "matching": "deduce.engines.matching:Matching",
    "counting": "deduce.engines.counting:Counting",
    "cpsat": "deduce.engines.cpsat:CpSat",
    "reference": "deduce.engines.reference:Reference",
}
NEEDS = {"cpsat": "ortools", "reference": "constraint"}

PLANS: dict[str, tuple[tuple[str, int | None], ...]] = {
    "solve": (
        ("bits", 200),
        ("matching", None),
        ("counting", 1_000_000),
        ("cpsat", None),
        ("bits", None),
    ),
    "possible": (("matching", None), ("counting", 3_000_000), ("cpsat", None), ("counting", None)),
    "tally": (("counting", None),),
    "joint": (("counting", None),),
    "sample": (("counting", None),),
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


def engines_for(query: str, model: Model, budget: Budget) -> Iterator[tuple[Engine, Budget]]:
    """Yield the engines to try for a query, in order, each with what it may spend."""
    for name, steps in PLANS[query]:
        needed = NEEDS.get(name)
        if needed and find_spec(needed) is None:
            continue
        candidate = engine(name)
        if candidate.supports(model, query):
            yield candidate, budget if steps is None else budget.at_most(steps)
