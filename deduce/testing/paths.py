"""The ways in which a question can be answered, each forced on problems of any size.

A large problem is counted in other ways than a small one. `forced` sets the thresholds of one way
to their least values, so that problems which can be listed take it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from deduce.engines import choose
from deduce.engines.base import Engine
from deduce.engines.count.branches import Branches
from deduce.engines.count.engine import Counting
from deduce.engines.count.search.components import Components
from deduce.engines.solve.bits import Bits

__all__ = ["ENGINES", "PATHS", "PLANS", "forced"]

COUNTING = "deduce.engines.count"
LEAST_STEPS = 1

UNSURE: Mapping[str, object] = {f"{COUNTING}.sweep.numbers.NEAR": 1.0}
"""Every fraction by which an option is drawn is near the border of two."""

ENGINES: Mapping[str, tuple[Engine, Mapping[str, object]]] = {
    "bits, no Hamming bound": (Bits(hamming=False), {}),
    "sweep": (Counting(trees=False, arrays=False, sets=False, prune_from=10**9), {}),
    "sweep, pruned": (Counting(trees=False, arrays=False, sets=False, prune_from=0), {}),
    "sweep, folds": (Counting(trees=False, large=0, arrays=False, sets=False), {}),
    "arrays": (Counting(trees=False, large=0, sets=False, prune_from=0), {}),
    "arrays, not pruned": (Counting(trees=False, large=1, sets=False, prune_from=10**9), {}),
    "arrays, primes": (Counting(trees=False, large=0, sets=False, moduli=3), {}),
    "arrays, exact draws": (Counting(trees=False, large=0, sets=False), UNSURE),
    "arrays, rows of answers": (Counting(trees=False, large=0, rows_from=0.0, sets=False), {}),
    "sweep, remembered": (
        Counting(trees=False, arrays=False, sets=False, long=0),
        {f"{COUNTING}.sweep.order.MIN_TABLES": 1, f"{COUNTING}.sweep.order.FEW": 0.0},
    ),
    "arrays, remembered": (
        Counting(trees=False, large=0, sets=False, long=0),
        {f"{COUNTING}.sweep.order.MIN_TABLES": 1},
    ),
    "sets": (Counting(trees=False, large=0, sets=True), {}),
    "sets, rounded": (
        Counting(trees=False, large=0, sets=True, exact=False),
        {f"{COUNTING}.sets.partition.MIN_BITS": 0},
    ),
    "value by value": (Counting(orders_from=0.0, arrays=False), {}),
    "components, matrices": (
        Components(),
        {f"{COUNTING}.search.search.MIN_WAYS": 0},
    ),
    "components, matrices by value": (
        Components(),
        {f"{COUNTING}.search.search.MIN_WAYS": 0, f"{COUNTING}.search.pairwise.RARE": 0},
    ),
    "components, linear": (
        Components(),
        {f"{COUNTING}.search.search.FEWEST": 0, f"{COUNTING}.search.search.MIXED": 0},
    ),
    "branches": (
        Branches(),
        {f"{COUNTING}.branches.{name}": 8 for name in ("MANY_ROWS", "REPEATED", "MAX_TABLE")},
    ),
    "tables by value": (Components(), {"deduce.engines.core.table.FEW": 0}),
}
"""Each engine with the thresholds that force small problems to take one of its ways."""

PLANS: Mapping[str, choose.Plan] = {
    "auto, then sweep": choose.BY_SWEEP,
    "auto, then both": choose.BY_BOTH,
    "auto, then components": choose.BY_COMPONENTS,
    "auto, sweep gives up": (("counting", LEAST_STEPS),),
    "auto, components give up": (("components", LEAST_STEPS),),
}
"""What follows in the automatic choice when the first attempt has ended without an answer."""

PATHS = ("auto", *choose.OF_AUTO, *choose.ENGINES, *ENGINES, *PLANS)
"""All ways: those of the default, each engine by its name, and those that are forced."""


@contextmanager
def forced(path: str) -> Iterator[str]:
    """Answer questions in one way; the value is the engine that knowledge is given.

    Examples
    --------
    >>> from deduce import Knowledge, Problem
    >>> with forced("arrays") as engine:
    ...     Knowledge(Problem({"a": (1, 2)}), engine=engine).count()
    2
    """
    with ExitStack() as stack:
        if path in ENGINES:
            made, thresholds = ENGINES[path]
            for name, value in thresholds.items():
                stack.enter_context(patch(name, value))
            stack.enter_context(patch("deduce.reasoning.queries.engine", lambda name: made))
            yield made.name
        elif path in PLANS:
            for query in choose.LAST:
                stack.enter_context(patch.dict(choose.PLANS, {query: (("counting", 0),)}))
            for plan in ("BY_SWEEP", "BY_BOTH", "BY_COMPONENTS"):
                stack.enter_context(patch.object(choose, plan, PLANS[path]))
            yield "auto"
        else:
            yield path
