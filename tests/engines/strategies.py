"""Random problems: of all kinds, laminar ones, and ones with many alike variables."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from hypothesis import strategies as st

from deduce.constraints import (
    Constraint,
    Count,
    Fact,
    Sum,
    Value,
    Variable,
    Weigh,
    Where,
    is_,
)
from deduce.problem import Evidence, Problem, World

__all__ = ["alike_problems", "laminar_problems", "problems"]

Domains = dict[str, tuple[str, ...]]


@st.composite
def problems(draw: st.DrawFn, *, most: int = 5) -> Problem:
    """Draw a problem with every kind of constraint; some have a planted world, some none."""
    names = [f"v{i}" for i in range(draw(st.integers(1, most)))]
    domains: Domains = {
        name: tuple(draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4, unique=True)))
        for name in names
    }
    planted = _planted(draw, domains)
    kinds = (_fact, _count, _count, _sum, _where, _weigh)
    made = [
        kinds[draw(st.integers(0, len(kinds) - 1))](draw, domains, planted)
        for _ in range(draw(st.integers(0, 5)))
    ]
    cut = draw(st.integers(0, len(made)))
    evidence = [Evidence(constraint, n) for n, constraint in enumerate(made[cut:], 1)]
    return Problem(domains, made[:cut], evidence)


@st.composite
def laminar_problems(draw: st.DrawFn) -> Problem:
    """Draw Counts about single values over nested or separate sets, and facts."""
    names = [f"v{i}" for i in range(draw(st.integers(1, 5)))]
    values = "abc"[: draw(st.integers(1, 3))]
    domains: Domains = dict.fromkeys(names, tuple(values))
    planted = _planted(draw, domains)
    made: list[Constraint] = [_fact(draw, domains, planted) for _ in range(draw(st.integers(0, 4)))]
    for value in values:
        family: list[frozenset[str]] = []
        for scope in draw(st.lists(st.frozensets(st.sampled_from(names), min_size=1), max_size=4)):
            if all(scope <= other or other <= scope or not scope & other for other in family):
                family.append(scope)
                facts = [is_(name, value) for name in sorted(scope)]
                made.append(_bounded(draw, facts, planted))
    return Problem(domains, made)


@st.composite
def alike_problems(draw: st.DrawFn) -> Problem:
    """Draw a problem whose variables fall into a few kinds that most constraints do not split."""
    sizes = draw(
        st.sampled_from([(6,), (5,), (5, 1), (4, 2), (4, 1), (3, 3), (2, 2, 2), (4, 1, 1)])
    )
    kinds = [[f"{'xyz'[k]}{i}" for i in range(size)] for k, size in enumerate(sizes)]
    values = "abcd"[: draw(st.integers(2, 4 if sum(sizes) < 6 else 3))]
    domains: Domains = {name: tuple(values) for kind in kinds for name in kind}
    planted = _planted(draw, domains)
    made: list[Constraint] = []
    for _ in range(draw(st.integers(1, 4))):
        chosen = draw(st.lists(st.sampled_from(range(len(kinds))), min_size=1, unique=True))
        facts = []
        for k in chosen:
            meant = draw(st.sets(st.sampled_from(values), min_size=1, max_size=len(values) - 1))
            facts += [Fact(name, meant) for name in kinds[k]]
        kind = draw(st.integers(0, 5))
        if kind == 5:
            made.append(_added(draw, facts, planted, alike=draw(st.booleans())))
        elif kind == 0:
            made.append(Count(facts, 0, draw(st.integers(1, 2))))
        elif kind < 4:
            made.append(_bounded(draw, facts, planted))
        else:
            made.append(Weigh(facts, [draw(_WEIGHTS) for _ in range(len(facts) + 1)]))
    if draw(st.booleans()):
        made.append(_fact(draw, domains, planted))
    return Problem(domains, made)


_WEIGHTS = st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(1, 3), Fraction(3), Fraction(2)])


def _planted(draw: st.DrawFn, domains: Domains) -> World | None:
    if draw(st.integers(0, 2)) == 0:
        return None
    return {name: draw(st.sampled_from(domain)) for name, domain in domains.items()}


def _literal(draw: st.DrawFn, name: str, domain: Sequence[str], meant: set[str]) -> Fact:
    """Return the fact that the variable has one of the meant values, said one way or the other."""
    if draw(st.booleans()):
        return Fact(name, meant)
    return Fact(name, [v for v in domain if v not in meant], negated=True)


def _true(fact: Fact, world: World) -> bool:
    return (world[fact.variable] in fact.values) is not fact.negated


def _fact(draw: st.DrawFn, domains: Domains, planted: World | None) -> Fact:
    name = draw(st.sampled_from(sorted(domains)))
    domain = domains[name]
    meant = set(draw(st.lists(st.sampled_from(domain), min_size=1, unique=True)))
    if planted is not None:
        meant.add(str(planted[name]))
    return _literal(draw, name, domain, meant)


def _facts(draw: st.DrawFn, domains: Domains) -> list[Fact]:
    """Return facts about some variables; two about one variable exclude each other."""
    facts: list[Fact] = []
    for name in draw(st.lists(st.sampled_from(sorted(domains)), min_size=1, unique=True)):
        domain = domains[name]
        parts = [draw(st.integers(0, 2)) for _ in domain]
        for part in range(draw(st.integers(1, 2))):
            meant = {value for value, p in zip(domain, parts, strict=True) if p == part}
            empty_too = draw(st.booleans())
            if meant or empty_too:
                facts.append(_literal(draw, name, domain, meant))
    return facts


def _bounded(draw: st.DrawFn, facts: Sequence[Fact], planted: World | None) -> Count:
    most = len(facts)
    if planted is None:
        low = draw(st.integers(0, most + 1))
        high = draw(st.one_of(st.none(), st.integers(low, most + 2)))
        return Count(facts, low, high)
    number = sum(_true(fact, planted) for fact in facts)
    low = draw(st.integers(0, number))
    return Count(facts, low, draw(st.one_of(st.none(), st.integers(number, most))))


def _count(draw: st.DrawFn, domains: Domains, planted: World | None) -> Count:
    return _bounded(draw, _facts(draw, domains), planted)


def _sum(draw: st.DrawFn, domains: Domains, planted: World | None) -> Sum:
    return _added(draw, _facts(draw, domains), planted, alike=False)


def _added(draw: st.DrawFn, facts: Sequence[Fact], planted: World | None, *, alike: bool) -> Sum:
    """Return a Sum of the facts; ``alike``: two amounts, so that many variables stay alike."""
    chosen = draw(st.sampled_from([(1, 2, 3), (2, 4), (-3, 0, 5), (1,), (0,), (7, 1_000, -999)]))
    if alike:
        chosen = (draw(st.sampled_from(chosen)),)
    terms = [(fact, draw(st.sampled_from(chosen))) for fact in facts]
    if planted is None:
        low = draw(st.one_of(st.none(), st.integers(-4, 8)))
        high = draw(st.one_of(st.none(), st.integers(-4 if low is None else low, 9)))
        return Sum(terms, low, high)
    amount = sum(amount for fact, amount in terms if _true(fact, planted))
    low = draw(st.one_of(st.none(), st.integers(amount - 3, amount)))
    return Sum(terms, low, draw(st.one_of(st.none(), st.integers(amount, amount + 3))))


def _weigh(draw: st.DrawFn, domains: Domains, planted: World | None) -> Weigh:
    facts = _facts(draw, domains)
    return Weigh(facts, [draw(_WEIGHTS) for _ in range(len(facts) + 1)])


def _where(draw: st.DrawFn, domains: Domains, planted: World | None) -> Where:
    scope: tuple[Variable, ...] = tuple(
        draw(st.lists(st.sampled_from(sorted(domains)), min_size=1, max_size=3, unique=True))
    )
    rows = list(product(*(domains[str(name)] for name in scope)))
    allowed: set[tuple[Value, ...]] = set(draw(st.lists(st.sampled_from(rows), max_size=12)))
    if planted is not None:
        allowed.add(tuple(planted[name] for name in scope))
    return Where(scope, lambda *row: row in allowed, f"one of {sorted(map(str, allowed))}")
