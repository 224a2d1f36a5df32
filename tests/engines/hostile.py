"""Hostile problems: each is large in a way that some engine does not expect."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from random import Random
from typing import Any

from deduce import Knowledge, Problem, Sum, is_
from deduce.constraints import Constraint, Count, Where, at_least, at_most, exactly
from deduce.problem import Evidence, all_different, is_true

__all__ = ["KINDS", "QUERIES"]


def overlapping(random: Random) -> Problem:
    """Return 60 variables and 60 Counts of 20 facts."""
    values = range(random.choice([2, 3, 4]))
    domains = dict.fromkeys(range(60), values)
    world = {v: random.choice(values) for v in domains}
    made: list[Constraint] = []
    for _ in range(60):
        facts = [is_(v, random.choice(values)) for v in random.sample(range(60), 20)]
        holding = sum(is_true(fact, world) for fact in facts)
        slack = random.choice([0, 0, 1, 2])
        made.append(Count(facts, max(0, holding - slack), holding + slack))
    return _told(domains, made, random)


def many(random: Random) -> Problem:
    """Return 10,000 variables."""
    domains = dict.fromkeys(range(10_000), range(random.choice([2, 3])))
    kind = random.randrange(4)
    names = list(domains)
    made: list[Constraint]
    if kind == 0:
        made = [exactly(5000, [is_(v, 0) for v in names])]
    elif kind == 1:
        made = [at_least(1, [is_(v, 0), is_(v + 1, 1)]) for v in names[:-1]]
    elif kind == 2:
        made = [at_most(2, [is_(v, 0) for v in random.sample(names, 30)]) for _ in range(500)]
    else:
        made = [Where((v, v + 1), lambda a, b: a <= b, "ascending") for v in names[:-1]]
    return _told(domains, made, random)


def wide(random: Random) -> Problem:
    """Return 20 variables with 20,000 values each."""
    apart = random.random() < 0.3
    domains = {
        v: range(v * 20_000, (v + 1) * 20_000) if apart else range(20_000) for v in range(20)
    }
    kind = random.randrange(3)
    names = list(domains)
    if kind == 0 and not apart:
        made: list[Constraint] = [at_most(1, [is_(v, n) for v in names]) for n in range(300)]
    elif kind == 1:
        made = [
            Sum([(is_(v, n), n) for v in names for n in domains[v][:2000]], 15_000, 16_000)
            for _ in range(2)
        ]
    else:
        made = [
            Count([is_(v, *domains[v][: random.randrange(1, 20_000)]) for v in names], 3, 9)
            for _ in range(20)
        ]
    return _told(domains, made, random)


def capacities(random: Random) -> Problem:
    """Return 200 variables of 40 values and 100 Counts of 60 facts with many values each."""
    domains = dict.fromkeys(range(200), range(40))
    made: list[Constraint] = []
    for _ in range(100):
        chosen = random.sample(range(200), 60)
        facts = [is_(v, *random.sample(range(40), random.randrange(5, 30))) for v in chosen]
        made.append(Count(facts, random.randrange(10), random.randrange(25, 60)))
    return _told(domains, made, random)


def pigeons(random: Random) -> Problem:
    """Return more variables than values that all differ, or exactly as many."""
    size = random.choice([12, 30, 60])
    domains = dict.fromkeys(range(size), range(size - random.choice([0, 1])))
    return _told(domains, list(all_different(domains)), random)


def _told(
    domains: Mapping[Any, Sequence[Hashable]], made: list[Constraint], random: Random
) -> Problem:
    """Return the problem with some of its constraints as evidence, a fact among them."""
    cut = random.randrange(len(made) + 1)
    first = next(iter(domains))
    fact: Constraint = is_(first, domains[first][-1])
    told = [*made[cut:], fact] if random.random() < 0.5 else made[cut:]
    return Problem(domains, made[:cut], [Evidence(c, n) for n, c in enumerate(told, 1)])


def _variable(k: Knowledge) -> object:
    domains = k.game.variables()
    return min(domains, key=lambda v: len(domains[v]))


KINDS: Mapping[str, Callable[[Random], Problem]] = {
    "overlapping": overlapping,
    "many": many,
    "wide": wide,
    "capacities": capacities,
    "pigeons": pigeons,
}

QUERIES: Mapping[str, Callable[[Knowledge], object]] = {
    "count": lambda k: k.count().bit_length(),
    "posterior": lambda k: len(k.posterior()),
    "joint": lambda k: len(k.joint(_variable(k))),
    "probable_worlds": lambda k: len(k.probable_worlds(3)),
    "slips": lambda k: len(k.slips()),
}
