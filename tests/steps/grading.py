"""The grade of a puzzle by another program: sets of values instead of bits, written on its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from deduce.constraints import Constraint, Count, Fact, Sum, Value, Variable, Where
from deduce.problem import Problem

__all__ = ["Left", "closure", "found", "level_of"]

Left = dict[Variable, frozenset[Value]]


def level_of(problem: Problem, answers: Sequence[Fact]) -> int:
    """Return the grade, from 1 to 5."""
    rules = [rule.constraint for rule in problem.rules]
    evidence = [piece.constraint for piece in problem.evidence]
    start: Left = {variable: frozenset(domain) for variable, domain in problem.domains.items()}
    easy = [rule for rule in rules if not _counts(rule)] + evidence
    for base, constraints in ((1, easy), (2, rules + evidence)):
        left = _stated(problem, start, constraints)
        rounds = 0
        while not found(problem, left, answers):
            after = _meet(_apply(problem, left, one) or {} for one in constraints)
            after = {v: left[v] & after.get(v, left[v]) for v in left}
            rounds += 1
            if after == left:
                break
            left = after
        else:
            return base if rounds <= 2 else base + 1
    every = rules + evidence
    known = closure(problem, start, every)
    assert known is not None
    while not found(problem, known, answers):
        refuted = [
            (v, value)
            for v, values in known.items()
            if len(values) > 1
            for value in values
            if closure(problem, {**known, v: frozenset([value])}, every) is None
        ]
        if not refuted:
            return 5
        for v, value in refuted:
            known[v] -= {value}
        known = closure(problem, known, every)
        assert known is not None
    return 4


def _counts(rule: Constraint) -> bool:
    """Return whether a rule counts more than one place and does not just state facts."""
    if isinstance(rule, Sum):
        return True
    if not isinstance(rule, Count):
        return False
    terms = len({fact.variable for fact in rule.facts})
    high = terms if rule.high is None else min(rule.high, terms)
    return high > 1 and rule.low < terms


def _stated(problem: Problem, start: Left, constraints: Sequence[Constraint]) -> Left:
    """Return what facts, and Counts that amount to facts, leave."""
    left = dict(start)
    for one in constraints:
        if isinstance(one, Fact) or (isinstance(one, Count) and _is_stated(one)):
            left |= _apply(problem, left, one) or {}
    return left


def _is_stated(count: Count) -> bool:
    """Return whether a Count is that none of its facts holds, or all of them."""
    return count.high == 0 or count.low == len({fact.variable for fact in count.facts})


def found(problem: Problem, left: Left, answers: Sequence[Fact]) -> bool:
    """Return whether the answers are the only values left."""
    return all(left[fact.variable] <= problem.values_of(fact) for fact in answers)


def _meet(many: Iterable[Left]) -> Left:
    met: Left = {}
    for one in many:
        for v, values in one.items():
            met[v] = met.get(v, values) & values
    return met


def _apply(problem: Problem, left: Left, one: Constraint) -> Left | None:
    """Return what one constraint leaves of the variables that it is about; ``None``: nothing."""
    if isinstance(one, Fact):
        return _checked({one.variable: left[one.variable] & problem.values_of(one)})
    if isinstance(one, Count):
        inside: Left = {}
        for fact in one.facts:
            inside[fact.variable] = inside.get(fact.variable, frozenset()) | problem.values_of(fact)
        could = [v for v, values in inside.items() if left[v] & values]
        does = [v for v, values in inside.items() if left[v] <= values]
        high = len(inside) if one.high is None else one.high
        if len(could) < one.low or len(does) > high:
            return None
        after = {}
        if len(could) == one.low:
            after = {v: left[v] & inside[v] for v in could}
        elif len(does) == high:
            after = {v: left[v] - inside[v] for v in inside if v not in does}
        return after
    if isinstance(one, Where):
        rows = [
            row
            for row in product(*(sorted(left[v], key=str) for v in one.variables))
            if one.allows(row)
        ]
        columns = {v: frozenset(row[i] for row in rows) for i, v in enumerate(one.variables)}
        return _checked(columns)
    return {}


def _checked(after: Left) -> Left | None:
    return after if all(after.values()) else None


def closure(
    problem: Problem,
    left: Left,
    constraints: Sequence[Constraint],
    work: list[Constraint] | None = None,
) -> Left | None:
    """Return what is left when no constraint excludes anything more; ``None``: a contradiction.

    Each constraint that excluded something is added to ``work``.
    """
    left = dict(left)
    changed = True
    while changed:
        changed = False
        for one in constraints:
            after = _apply(problem, left, one)
            if after is None:
                return None
            smaller = {v: values & left[v] for v, values in after.items() if values != left[v]}
            if smaller:
                left |= smaller
                changed = True
                if work is not None:
                    work.append(one)
    return left
