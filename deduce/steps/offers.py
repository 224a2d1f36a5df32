"""What one constraint adds to the facts that are known, with the cheapest reason.

A constraint on its own yields facts in few ways:

* a Count whose possible facts are just enough makes them all true, because the others are excluded;
* a Count with enough true facts makes the others false, because these are true;
* a table (``Where``) excludes a value of which each row has an excluded value;
* a variable with one value left has it.

For a Count and for a last value the excluded values of the reason are determined; for a table they
are a smallest hitting set of its rows. Which units cite them is a smallest hitting set again. So
the cheapest justification by one constraint is found exactly, without search.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from attrs import frozen

from deduce.conflicts import quickxplain
from deduce.engines.bounds import IMPOSSIBLE, Bounds
from deduce.engines.masks import bits_of
from deduce.engines.model import CompiledCount, CompiledWhere
from deduce.steps.citing import Unit, cite
from deduce.steps.cost import COUNTING, EVENT, GIVEN, LAST_VALUE, ONE_PLACE, TABLE
from deduce.steps.facts import Facts, Literal, Reason, variables_in

__all__ = ["ROWS", "Offer", "offer"]

ROWS = 3_000
"""Tables with more rows are left to the search for combinations."""


@frozen
class Offer:
    """What a constraint yields now: facts, their common reason, and its cost.

    ``facts`` is empty where the constraint is violated.
    """

    cost: int
    facts: tuple[Literal, ...]
    reason: Reason
    kind: str


def offer(known: Facts, key: int) -> Offer | None:
    """Return what one source (its index) or one variable (``~index``) yields now."""
    if key < 0:
        return _last_value(known, ~key)
    form = known.sources[key].statement.form
    if form is None:
        return _fact(known, key)
    if isinstance(form, CompiledCount):
        return _count(known, key, form)
    if isinstance(form, CompiledWhere) and len(form.rows) <= ROWS:
        return _where(known, key, form)
    return _by_narrowing(known, key)


def _fact(known: Facts, key: int) -> Offer | None:
    model = known.model
    excluded = model.start & ~known.sources[key].statement.keep
    literals: list[Literal] = []
    for i in variables_in(model, excluded):
        literals += known.literals(i, model.domain(excluded, i))
    if all(map(known.is_known, literals)):
        return None
    reason = Reason((), (known.unit(key),), excluded, stated=key)
    return Offer(GIVEN, tuple(literals), reason, "given")


def _last_value(known: Facts, i: int) -> Offer | None:
    model = known.model
    left = model.domain(known.possible, i)
    if left & (left - 1) or (known.fixed >> i & 1 and left):
        return None
    excluded = (model.domains[i] & ~left) << (i * model.stride)
    reason = known.reason((), excluded)
    facts = (Literal(i, left, positive=True),) if left else ()
    return Offer(LAST_VALUE + len(reason.cited), facts, reason, "last value")


def _count(known: Facts, key: int, form: CompiledCount) -> Offer | None:
    model, possible = known.model, known.possible
    full, guards = model.full, model.guards
    if form.single:
        could = (possible & form.inside).bit_count()
    else:
        could = (((possible & form.inside) + full) & guards).bit_count()
    does = len(form.terms) - (((possible & form.outside) + full) & guards).bit_count()
    facts: list[Literal] = []
    reasons: list[int] = []
    if could <= form.low and does < form.low:
        kind, number = "needed", len(form.terms) - form.low + (could < form.low)
        for i, mask in form.terms:
            left = model.domain(possible, i)
            if not left & mask:
                reasons.append((mask & model.domains[i]) << (i * model.stride))
            elif left & ~mask and could == form.low:
                facts += known.literals(i, model.domains[i] & ~mask)
    elif does >= form.high and could > form.high:
        kind, number = "enough", form.high + (does > form.high)
        for i, mask in form.terms:
            left = model.domain(possible, i)
            if not left & ~mask:
                reasons.append((model.domains[i] & ~mask) << (i * model.stride))
            elif left & mask and does == form.high:
                facts += known.literals(i, mask)
    else:
        return None
    excluded = sum(reasons[:number])
    reason = known.reason((key,), excluded)
    base = _price(known, key, form)
    return Offer(base + len(reason.cited), tuple(facts), reason, kind)


def _price(known: Facts, key: int, form: CompiledCount) -> int:
    if known.sources[key].event:
        return EVENT
    return ONE_PLACE if form.high == 1 else COUNTING


def _where(known: Facts, key: int, form: CompiledWhere) -> Offer | None:
    allowed = 0
    for row in form.rows:
        if known.possible & row == row:
            allowed |= row
    removed = known.possible & form.scope & ~allowed
    if not removed:
        return None
    if not allowed:
        reason = _table_reason(known, key, form.rows)
        return Offer(TABLE + len(reason.cited), (), reason, "table")
    best: Offer | None = None
    for i in form.variables:
        for literal in known.literals(i, known.model.domain(removed, i)):
            bits = known.removed_by(literal)
            reason = _table_reason(known, key, [row for row in form.rows if row & bits])
            found = Offer(TABLE + len(reason.cited), (literal,), reason, "table")
            if not known.is_known(literal) and (best is None or found.cost < best.cost):
                best = found
    return best


def _by_narrowing(known: Facts, key: int) -> Offer | None:
    """Return what propagation of one constraint yields, with a reason that is minimal."""
    model = known.model
    bounds = Bounds(model, [known.sources[key].statement])
    left = bounds.narrow(known.possible)
    if left == known.possible:
        return None
    facts: tuple[Literal, ...] = ()
    start, removed = model.start, 0
    if left != IMPOSSIBLE:
        i = next(variables_in(model, known.possible & ~left))
        gone = model.domain(known.possible & ~left, i)
        facts = (known.literals(i, gone & -gone)[0],)
        removed = known.removed_by(Literal(i, gone & -gone, positive=True))
        start &= ~removed
    excluded: dict[Unit, int] = {}
    scope = sum(model.field << (i * model.stride) for i in known.variables_of(key))
    for bit, units in known.units.items():
        for unit in units if bit & scope and not bit & removed else ():
            excluded[unit] = excluded.get(unit, 0) | bit

    def check(chosen: Sequence[Hashable]) -> int | None:
        kept = start
        for unit in chosen:
            kept &= ~excluded[unit]  # type: ignore[index]
        return None if bounds.narrow(kept) == IMPOSSIBLE else kept

    units = sorted(excluded, key=lambda unit: (-excluded[unit].bit_count(), unit))
    conflict = set(quickxplain(check, units))
    cited = tuple(sorted(unit for unit in units if unit in conflict))
    needs = 0
    for unit in cited:
        needs |= excluded[unit]
    reason = Reason((key,), cited, needs, smallest=len(cited) < 2)
    base = EVENT if known.sources[key].event else COUNTING
    return Offer(base + len(cited), facts, reason, "single")


def _table_reason(known: Facts, key: int, rows: Sequence[int]) -> Reason:
    demands = [
        frozenset(unit for bit in bits_of(row & ~known.possible) for unit in known.units[bit])
        for row in rows
    ]
    units, smallest = cite(demands, free=known.free((key,)))
    cited = set(units) | known.free((key,))
    needs = 0
    for row in rows:
        bits = row & ~known.possible
        needs |= next(b for b in bits_of(bits) if cited.intersection(known.units[b]))
    return Reason((key,), units, needs, smallest)
