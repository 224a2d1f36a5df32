"""Which engine answers what.

Where the worlds are listed, because players say what they know, the list answers everything
(`deduce.engines.solve.listed`). Otherwise, before any engine runs, propagation and the Hamming
bound look at the problem; what they refute is answered by ``bounds`` alone. Then the engines of the
table are tried in turn, some with a share of the budget; an engine that runs out hands over to the
next.

============= ====================================================================================
query         engines
============= ====================================================================================
solve         bits (a fifth of a second), matching where it applies, counting, cpsat, bits
solve, large  matching where it applies, cpsat, counting, bits
solve, linear components, then as above; see `looks_linear`
possible      matching where it applies, then as for tally, with cpsat before the last attempt, or
              after the first where numbers that differ are summed: `summed`
tally, joint  counting for some milliseconds; lists in branches, if a sample of them shows that
              they are short enough (`deduce.engines.count.branches.can_list`); then what an
              estimate chooses: `states_to_sweep`; longer lists, unless that is a sweep
sample        as for tally
numbers       counting
ranked        counting
worlds        bits; from some hundred worlds on counting, if its sweep has few states: `listed`
============= ====================================================================================

Each attempt but the last has a share of the steps, and half of the remaining time. An engine that
ran out begins again from nothing, so it is only asked once more where more steps are left than it
has spent.

A question for one world, which is how yes or no is asked, is *large* from `LARGE` Counts, Sums and
Wheres on. The threshold was measured on 844 questions about all recorded problems of the hidden
games. Below it, bits decides 98 % of them within its share, and is as fast as CP-SAT. From 500 to
1500, bits leaves a third to two thirds undecided, and takes twice the time in which CP-SAT decides
all (docs/benchmarks/budgets.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import islice
from math import inf
from random import Random

from deduce.budget import Meter
from deduce.engines.base import Engine
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.different import summed
from deduce.engines.core.logic import CompiledLogic
from deduce.engines.core.lowering import lowered
from deduce.engines.core.model import CompiledCount, CompiledSum, CompiledWhere, Model, Statement
from deduce.engines.core.residue import Component, residue
from deduce.engines.count.search.search import MAX_CLIQUE
from deduce.engines.count.sets.orders import Orders
from deduce.engines.count.sweep.order import states_of
from deduce.engines.count.trees import trees_of
from deduce.errors import Undecided, Unsupported, missing_package
from deduce.problem import World
from deduce.system.arrays import has_arrays
from deduce.system.registry import load
from deduce.system.text import nearest

__all__ = [
    "ENGINES",
    "LARGE",
    "OF_AUTO",
    "PLANS",
    "check_engine",
    "drawn_again",
    "engine",
    "engines_for",
    "listed",
    "lists_soon",
    "looks_linear",
    "size_of",
    "states_of_hands",
    "states_to_sweep",
]

ENGINES = {
    "bits": "deduce.engines.solve.bits:Bits",
    "matching": "deduce.engines.solve.matching:Matching",
    "counting": "deduce.engines.count.engine:Counting",
    "components": "deduce.engines.count.search.components:Components",
    "cpsat": "deduce.engines.solve.cpsat:CpSat",
    "reference": "deduce.engines.solve.reference:Reference",
}
OF_AUTO = {"auto:counting": "deduce.engines.count.engine:rounding"}
"""What ``"auto"`` uses in place of the engine after the colon: counting that may round what rests
on doubts. With this name, which no command offers, a test runs it alone."""

LISTED = {
    "auto:worlds": "deduce.engines.solve.listed:ListedWorlds",
    "auto:branches": "deduce.engines.count.branches:Branches",
}
"""What ``"auto"`` uses after statements about knowledge, and for few worlds: lists of them."""

LARGE = 500
"""From how many Counts, Sums and Wheres on CP-SAT is asked for a world before the others."""

NEEDS = {"cpsat": ("ortools", "ortools"), "reference": ("constraint", "python-constraint2")}
"""The module that an engine imports, and the package that has it."""

FIRST = 60_000
"""Steps of the first attempt to count: enough for standard games of Cluedo, of which the longest
of 60 takes 54,000. With half as many, a list of its worlds was tried in vain, and all again."""

FEW_WORLDS = 300
"""Worlds that are listed by bits before a sweep is tried."""

STEPS_TO_LIST = 300_000
"""Steps that this sweep may take."""

Plan = tuple[tuple[str, int | None], ...]
"""The names of engines, each with the steps that it may take; ``None``: all that are left."""

PLANS: dict[str, Plan] = {
    "solve": (
        ("bits", 600_000),
        ("matching", None),
        ("counting", 3_000_000),
        ("cpsat", None),
        ("bits", None),
    ),
    "large solve": (("matching", None), ("cpsat", None), ("counting", 3_000_000), ("bits", None)),
    "linear solve": (("components", 3_000_000),),
    "possible": (("matching", None), ("counting", FIRST)),
    "tally": (("counting", FIRST),),
    "joint": (("counting", FIRST),),
    "sample": (("counting", FIRST),),
    "numbers": (("counting", None),),
    "ranked": (("counting", None),),
    "worlds": (("bits", None),),
}
"""For each query the engines to try and the steps each may take (``None``: the whole budget)."""

BY_SWEEP: Plan = (("counting", 27_000_000), ("components", 3_000_000))
"""What follows where a sweep is likely to be the fastest; of ``possible`` two thirds of it."""

MANY_LISTED = ("auto:branches", 6_000_000)
"""In between: up to some 100,000 worlds are listed."""

BY_BOTH: Plan = (
    ("counting", 3_000_000),
    ("components", 3_000_000),
    MANY_LISTED,
    ("counting", 23_000_000),
)
"""What follows where the estimate does not tell: a short sweep, a short search, then a sweep."""

BY_COMPONENTS: Plan = (
    ("components", 2_000_000),
    MANY_LISTED,
    ("components", 29_000_000),
    ("counting", 1_000_000),
)
"""What follows where a sweep has too many states, or the problem has few worlds."""

BY_INTEGERS: Plan = (("cpsat", 24_000_000),)
"""What comes before it where CP-SAT has integers for what is summed (kakuro, magic squares)."""

FEW_LISTED: Plan = (("auto:branches", 10_000),)
"""What follows the first attempt to count: up to some 1,000 worlds are listed."""

STEPS_LISTED = 3_000_000
"""Up to this estimate of its steps, and a third of those left, a longer list is made next."""

LISTED_FIRST: Plan = (
    ("auto:branches", 50_000),
    ("components", 500_000),
    ("auto:branches", 4_000_000),
)
"""What is estimated does not know which rows share what follows: the list may be short, or a search
easy."""

LEFT_FOR_CPSAT = 9_000_000
"""Steps of ``possible`` that the engines which count leave to CP-SAT."""

MANY_FOR_CPSAT = 1000
"""With more Counts, Sums and Wheres than this, that is too little for CP-SAT, and nothing is left
to it: for two logs of Pigs with 746 and 2373 of them it needs 7.5 and 31 million steps."""

LAST: Mapping[str, Plan] = {
    "possible": (("cpsat", None), ("counting", None)),
    "tally": (("counting", None), ("components", None)),
    "joint": (("counting", None), ("components", None)),
    "sample": (("counting", None), ("components", None)),
}
"""The last attempts of each query that counts."""

MAX_STATES = 2.0**25
"""Up to this estimate of its states a sweep is tried before anything else."""

MAX_STATES_OF_BOTH = 2.0**39
"""Up to this estimate a sweep is tried after a short search. Of the hardest recorded problems
(docs/benchmarks/budgets.md) a search counts all above it that are counted at all."""

FEW_VARIABLES = 30
"""With fewer variables it is never so, and is not estimated."""

MAX_PAIRWISE = 6
"""Up to this number of variables with many values are counted by the search even where they are an
order: it has products of matrices for pairs of values (`deduce.engines.count.search.pairwise`).
A problem without more variables is not listed first: it has few worlds or far too many."""

MANY_VALUES = 4
"""A variable with this many values for each variable of its component has many."""

MAX_GROUPS = 1000
"""With more groups of variables the estimate, which takes quadratic time, is not made."""


def check_engine(name: str) -> None:
    """Raise `Unsupported` unless there is an engine of this name, or the name is ``"auto"``."""
    if name not in ("auto", *ENGINES, *OF_AUTO, *LISTED):
        raise Unsupported(
            f"no engine is called {name!r}{nearest(str(name), ENGINES)} "
            f"(auto, {', '.join(ENGINES)})"
        )


@cache
def engine(name: str) -> Engine:
    """Return the engine of this name, one of `ENGINES` or `OF_AUTO`.

    Raises
    ------
    Unsupported
        There is no such engine, or the package that it needs is not installed.
    """
    check_engine(name)
    if not _installed(name):
        raise missing_package(f"the engine {name!r}", NEEDS[name][1])
    made: Engine = load((ENGINES | OF_AUTO | LISTED)[name])()
    return made


def _installed(name: str) -> bool:
    return name not in NEEDS or find_spec(NEEDS[name][0]) is not None


def size_of(statements: Sequence[Statement]) -> int:
    """Return the size by which a question is large: the number of Counts, Sums and Wheres."""
    forms = (CompiledCount, CompiledSum, CompiledWhere, CompiledLogic)
    return sum(isinstance(statement.form, forms) for statement in statements)


def looks_linear(statements: Sequence[Statement]) -> bool:
    """Return whether at least half of the constraints are linear equations modulo 2.

    Likelihoods are not looked at; the search with component caching looks again after propagation
    (`deduce.engines.core.linear`).
    """
    linear = others = 0
    for statement in statements:
        form = statement.form
        if isinstance(form, CompiledWhere):
            is_linear = form.affine
        elif isinstance(form, CompiledCount):
            is_linear = len(form.terms) == 2 and form.low == form.high == 1
        else:
            others += isinstance(form, CompiledSum | CompiledLogic)
            continue
        linear += is_linear
        others += not is_linear
    return linear >= max(others, 1)


def engines_for(
    query: str, model: Model, meter: Meter, selection: Sequence[Statement] | None = None
) -> Iterator[tuple[Engine, int | None]]:
    """Yield the engines to try for a query, in order, each with the steps that it may take.

    What follows the first attempts of a query that counts is only chosen when these have failed.

    Parameters
    ----------
    query
        The name of the method.
    model, meter
        What is asked about, and what the query may spend, the choice included.
    selection
        The statements in force, if they are not all those of the model.
    """
    if model.all_worlds is not None or (model.joined and query in LAST and selection is None):
        yield engine("auto:branches" if model.all_worlds is None else "auto:worlds"), None
        return
    statements = list(dict.fromkeys(model.statements if selection is None else selection))
    if query == "solve" and looks_linear(statements):
        yield from _available(PLANS["linear solve"], query, model)
    large = query == "solve" and size_of(statements) >= LARGE
    yield from _available(PLANS["large solve" if large else query], query, model)
    if query == "possible" and summed(model, statements).sums:
        yield from _available(BY_INTEGERS, query, model)
    if query in LAST:
        yield from _available(FEW_LISTED, query, model)
        if lists_soon(model, meter):
            yield from _available(LISTED_FIRST, query, model)
        states = inf if looks_linear(statements) else states_to_sweep(model, meter)
        few = len(model.variables) <= MAX_PAIRWISE
        plan = BY_COMPONENTS[2:] if few else BY_COMPONENTS
        if states <= MAX_STATES_OF_BOTH:
            plan = BY_SWEEP if states <= MAX_STATES else BY_BOTH
        if query == "possible" and size_of(statements) <= MANY_FOR_CPSAT:
            most = max(steps or 0 for _, steps in plan)
            less = max(most - LEFT_FOR_CPSAT, most * 2 // 3)
            plan = tuple((name, less if steps == most else steps) for name, steps in plan)
        yield from _available((*plan, *LAST[query]), query, model)


def lists_soon(model: Model, meter: Meter) -> bool:
    """Return whether lists in branches likely take few of the steps that are left."""
    from deduce.engines.count.branches import can_list

    enough = meter.share(3 * STEPS_LISTED).budget.steps == 3 * STEPS_LISTED
    return enough and has_arrays() and can_list(model, meter, STEPS_LISTED)


def listed(model: Model, meter: Meter) -> Iterator[World]:
    """Yield every world once: the first ones by bits, and many by a sweep, if that is short."""
    ((name, _),) = PLANS["worlds"]
    by_bits = engine(name).worlds(model, meter)
    first = []
    for world in islice(by_bits, FEW_WORLDS):
        first.append(tuple(world.values()))
        yield world
    if len(first) < FEW_WORLDS:
        return
    from deduce.engines.count.engine import Counting

    sweeping = meter.share(STEPS_TO_LIST)
    try:
        by_sweep = Counting().worlds(model, meter, sweeping=sweeping)
    except Undecided:
        yield from by_bits
        return
    finally:
        meter.steps += sweeping.steps
    shown = set(first)
    for world in by_sweep:
        if tuple(world.values()) not in shown:
            yield world


def drawn_again(
    model: Model, meter: Meter, number: int, random: Random, *, weighted: bool
) -> Sequence[World] | None:
    """Return worlds from the sweep of an earlier sample; ``None`` if none was kept."""
    from deduce.engines.count.engine import Counting

    counting = engine("auto:counting")
    assert isinstance(counting, Counting)
    return counting.again(model, meter, number, random, weighted=weighted)


def _available(plan: Plan, query: str, model: Model) -> Iterator[tuple[Engine, int | None]]:
    for name, steps in plan:
        if not _installed(name):
            continue
        of_auto = f"auto:{name}"
        candidate = engine(of_auto if of_auto in OF_AUTO else name)
        if candidate.supports(model, query):
            yield candidate, steps


def states_to_sweep(model: Model, meter: Meter) -> float:
    """Return a rough number of the states of a sweep: how it compares to a search.

    0: a sweep is faster, since propagation refutes the problem, or a few large Counts connect
    everything, such as the hands of a card game: a sweep carries them as numbers, but the search
    finds hardly any components. Where a component can be counted by sets, or as an order value by
    value, a sweep does that.

    Infinite: a search is faster, since there are very many groups of variables, or few variables
    with many values each (ships on a board): a sweep has nearly all their combinations as states.
    """
    pieces = _pieces(model, meter)
    if has_arrays() and any(0 < _variables(c) <= MAX_PAIRWISE and _has_many(c) for c in pieces):
        return inf
    for component in pieces:
        if _is_connected(component, meter) or _has_sets(component):
            return 0.0
        orders = Orders.of(component)
        if orders is not None and orders.is_narrow:
            return 0.0
    if sum(len(component.groups) for component in pieces) > MAX_GROUPS:
        return inf
    if any(map(_has_many, pieces)):
        return inf
    return sum(states_of(component, meter) for component in pieces)


def states_of_hands(model: Model, meter: Meter) -> float:
    """Return a rough number of the states of a sweep if nothing else could count; 0: others may.

    The hands of ten players in Cluedo, as a bystander sees them, have the most.
    """
    if len(model.variables) < FEW_VARIABLES:
        return 0.0
    pieces = _pieces(model, meter)
    if not any(_is_connected(each, meter) and not _has_sets(each) for each in pieces):
        return 0.0
    return sum(states_of(component, meter) for component in pieces)


def _pieces(model: Model, meter: Meter) -> Sequence[Component]:
    """Return the components that are not trees of tables; none, if propagation refutes all."""
    model, _ = lowered(model, meter)
    bounds = Bounds(model, meter=meter)
    state = bounds.narrow(bounds.start)
    if state == IMPOSSIBLE:
        return ()
    trees = trees_of(bounds, state)
    return residue(bounds, state, without=[i for t in trees for i in t.vectors]).components


def _is_connected(component: Component, meter: Meter) -> bool:
    """Return whether a large Count connects nearly everything."""
    meter.spend(len(component.groups))
    sizes = [0] * len(component.counters)
    for group in component.groups:
        for number in group.touched:
            sizes[number] += len(group.members)
    return max(sizes, default=0) > MAX_CLIQUE


def _variables(component: Component) -> int:
    return sum(len(group.members) for group in component.groups)


def _has_many(component: Component) -> bool:
    """Return whether a component has few variables with many values each."""
    most = max(len(group.effects) for group in component.groups)
    return _variables(component) * MANY_VALUES <= most


def _has_sets(component: Component) -> bool:
    """Return whether a sweep may give way to counting by sets."""
    if not has_arrays():
        return False
    from deduce.engines.count.sets.hands import values_of

    return values_of(component) is not None
