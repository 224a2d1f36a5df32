"""The facts known so far, and the cheapest that single constraints add to them.

A constraint on its own yields facts in few ways:

* a Count whose possible facts are just enough makes them all true, because the others are excluded;
* a Count with enough true facts makes the others false, because these are true;
* a table (``Where``) excludes a value of which each row has an excluded value;
* a variable with one value left has it.

For a Count and for a last value the excluded values of the reason are determined; for a table they
are a smallest hitting set of its rows. Which units cite them is a smallest hitting set again. So
the cheapest justification by one constraint is found exactly, without search.

What a step costs, how hard it is for a person to see, is a number that is documented:

========================================================================  =========================
justification                                                             cost
========================================================================  =========================
an event or a rule states the fact itself (a pass, a card that was seen)  1
all values of a variable but one are excluded                             2
one constraint of an event (one of three cards was shown)                 100
one table of a rule (``Where``)                                           103
one rule about a single place (one suspect is in the envelope)            102
one rule that counts more (the size of a hand)                            105
``k`` constraints together                                                100 for each of them
each earlier fact, and each event that only states a fact                 1 more
========================================================================  =========================

Stating is cheaper than excluding, excluding than one constraint, an event than a hand that has to
be counted, and one constraint than a case distinction, which needs several. Earlier facts are cited
only to the number that is needed: what an event states can be cited as that event, so that a hand
of six cards that was seen is one citation.

What matters is the order; within it, the numbers could be others. Grades of puzzles, which rest on
the same order, are compared with the effort of an independent solver in docs/benchmarks/steps.md.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from heapq import heappop, heappush

from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import (
    CompiledCount,
    CompiledLogic,
    CompiledSum,
    CompiledWhere,
    Model,
)
from deduce.reasoning.conflicts import quickxplain
from deduce.steps.facts import (
    Facts,
    Inference,
    Literal,
    Reason,
    Source,
    Unit,
    cite,
    variables_in,
)

__all__ = [
    "COMBINED",
    "COUNTING",
    "EVENT",
    "GIVEN",
    "LAST_VALUE",
    "ONE_PLACE",
    "ROWS",
    "TABLE",
    "Board",
    "offer",
    "price",
]

GIVEN = 1
LAST_VALUE = 2
EVENT = 100
ONE_PLACE = 102
TABLE = 103
COUNTING = 105
COMBINED = 100


ROWS = 3_000
"""Tables with more rows are left to the search for combinations."""


def offer(known: Facts, key: int) -> Inference | None:
    """Return what one source (its index) or one variable (``~index``) yields now.

    It has no facts where the constraint is violated.
    """
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


def _fact(known: Facts, key: int) -> Inference | None:
    model = known.model
    excluded = model.start & ~known.sources[key].statement.keep
    literals: list[Literal] = []
    for i in variables_in(model, excluded):
        literals += known.literals(i, model.domain(excluded, i))
    if all(map(known.is_known, literals)):
        return None
    reason = Reason((), (known.unit(key),), excluded, stated=key)
    return Inference(tuple(literals), reason, "given", GIVEN)


def _last_value(known: Facts, i: int) -> Inference | None:
    model = known.model
    left = model.domain(known.possible, i)
    if left & (left - 1) or (known.fixed >> i & 1 and left):
        return None
    excluded = (model.domains[i] & ~left) << (i * model.stride)
    reason = known.reason((), excluded)
    facts = (Literal(i, left, positive=True),) if left else ()
    return Inference(facts, reason, "last value", LAST_VALUE + len(reason.cited))


def _count(known: Facts, key: int, form: CompiledCount) -> Inference | None:
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
    return Inference(tuple(facts), reason, kind, price(known, key) + len(reason.cited))


def price(known: Facts, key: int) -> int:
    """Return what a step by one constraint costs, without what it cites."""
    form = known.sources[key].statement.form
    if known.sources[key].event:
        return EVENT
    if isinstance(form, CompiledWhere):
        return TABLE
    return ONE_PLACE if isinstance(form, CompiledCount) and form.high == 1 else COUNTING


def _where(known: Facts, key: int, form: CompiledWhere) -> Inference | None:
    allowed = 0
    for row in form.rows:
        if known.possible & row == row:
            allowed |= row
    removed = known.possible & form.scope & ~allowed
    if not removed:
        return None
    if not allowed:
        reason = _table_reason(known, key, form.rows)
        return Inference((), reason, "table", TABLE + len(reason.cited))
    best: Inference | None = None
    for i in form.variables:
        for literal in known.literals(i, known.model.domain(removed, i)):
            bits = known.removed_by(literal)
            reason = _table_reason(known, key, [row for row in form.rows if row & bits])
            found = Inference((literal,), reason, "table", TABLE + len(reason.cited))
            if not known.is_known(literal) and (best is None or found.cost < best.cost):
                best = found
    return best


def _by_narrowing(known: Facts, key: int) -> Inference | None:
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
    return Inference(facts, reason, "single", base + len(cited))


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


class Board(Facts):
    """The facts known so far, with all that single constraints add to them.

    Parameters
    ----------
    model
        The compiled problem.
    sources
        Its rules and evidence, from `sources_of`.
    active
        The indices of the sources that may be used; all by default.
    stated
        Whether facts that a source states itself are offered, and may be cited by their event.
    level
        What the units of its own claims are called.
    """

    def __init__(
        self,
        model: Model,
        sources: Sequence[Source],
        active: Iterable[int] | None = None,
        *,
        stated: bool = True,
        level: str = "claim",
    ) -> None:
        super().__init__(model, sources, level)
        self.constraints: list[int] = []
        self.opaque: list[int] = []
        """Constraints that are too large, or of a kind, to be examined completely here."""
        self._heap: list[tuple[int, int, int]] = []
        self._version: dict[int, int] = {}
        self._offers: dict[int, Inference] = {}
        self._touching: list[list[int]] = [[] for _ in model.variables]
        self._dirty: set[int] = set()
        for index in range(len(sources)) if active is None else active:
            self._add_source(index, stated=stated)
        self._dirty.update(self.constraints)
        self._dirty.update(~i for i in range(len(model.variables)))

    def _add_source(self, index: int, *, stated: bool) -> None:
        statement = self.sources[index].statement
        form = statement.form
        if form is None:
            if stated:
                for bit in bits_of(self.model.start & ~statement.keep):
                    unit = self.unit(index)
                    known = self.units.setdefault(bit, [])
                    if unit not in known:
                        known.append(unit)
                self._dirty.add(index)
        elif isinstance(form, CompiledCount):
            self.constraints.append(index)
            for i, _ in form.terms:
                self._touching[i].append(index)
        elif isinstance(form, CompiledWhere | CompiledSum | CompiledLogic):
            self.constraints.append(index)
            for i in self.variables_of(index):
                self._touching[i].append(index)
            if not isinstance(form, CompiledWhere) or len(form.rows) > ROWS:
                self.opaque.append(index)

    def _order_of(self, index: int) -> int:
        event = self.sources[index].event
        return event if event >= 0 else len(self.sources)

    def add(self, literal: Literal) -> int:
        """Add a claim to the known facts, and return its index."""
        self._dirty.add(~literal.variable)
        self._dirty.update(self._touching[literal.variable])
        return super().add(literal)

    def touching(self, i: int) -> Sequence[int]:
        """Return the constraints about a variable."""
        return self._touching[i]

    def cheapest(self) -> Inference | None:
        """Return the cheapest offer of a single constraint, or ``None``; a violation comes first.

        Cost: the constraints about variables that have changed since the last call.
        """
        for key in sorted(self._dirty):
            version = self._version[key] = self._version.get(key, 0) + 1
            found = offer(self, key)
            if found is not None:
                self._offers[key] = found
                cost = found.cost if found.facts else -1
                heappush(self._heap, (cost, self._rank(key), version))
        self._dirty.clear()
        while self._heap:
            _, rank, version = self._heap[0]
            key = self._key(rank)
            found = self._offers[key]
            fresh = version == self._version[key]
            if fresh and (not found.facts or not all(map(self.is_known, found.facts))):
                return found
            heappop(self._heap)
        return None

    def _rank(self, key: int) -> int:
        """Return a number that sorts sources by event, then variables."""
        if key < 0:
            return (1 << 60) + ~key
        form = self.sources[key].statement.form
        weaker = form is None and not self._fixes(key)
        return (2 * self._order_of(key) + weaker << 30) + key

    def _fixes(self, key: int) -> bool:
        """Return whether a source states the value of a variable, not just that of others."""
        excluded = self.model.start & ~self.sources[key].statement.keep
        left = (
            self.model.domains[i] & ~self.model.domain(excluded, i)
            for i in variables_in(self.model, excluded)
        )
        return all(mask & (mask - 1) == 0 for mask in left)

    def _key(self, rank: int) -> int:
        return ~(rank - (1 << 60)) if rank >= 1 << 60 else rank & ((1 << 30) - 1)

    def child(self, level: str) -> Board:
        """Return a board with the same facts, whose own claims are of another level."""
        board = Board(self.model, self.sources, (), stated=False, level=level)
        board.possible = self.possible
        board.fixed = self.fixed | self.settled_by_one_unit()
        board.units = {bit: list(units) for bit, units in self.units.items()}
        board.constraints, board._touching = self.constraints, self._touching
        board._dirty = {*self.constraints, *(~i for i in range(len(self.model.variables)))}
        return board
