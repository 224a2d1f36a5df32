"""What is known so far, and what each single constraint adds to it, with the cheapest reason.

A *board* has the values that are still possible, and for every excluded value the *units* by which
it can be cited: the claim that excluded it, or an event or rule that states it. A constraint on its
own yields facts in few ways:

* a Count whose possible facts are just enough makes them all true, because the others are excluded;
* a Count with enough true facts makes the others false, because these are true;
* a table (``Where``) excludes a value of which each row has an excluded value;
* a variable with one value left has it.

For a Count and for a last value the excluded values of the reason are determined; for a table they
are a smallest hitting set of its rows. Which units cite them is a smallest hitting set again. So
the cheapest justification by one constraint is found exactly, without search.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from heapq import heappop, heappush

from attrs import frozen

from deduce.budget import Budget
from deduce.conflicts import quickxplain, smallest_hitting_set
from deduce.engines.bounds import IMPOSSIBLE, Bounds
from deduce.engines.model import (
    CompiledCount,
    CompiledSum,
    CompiledWhere,
    Model,
    Statement,
    bits_of,
)
from deduce.errors import Undecided
from deduce.problem import Problem
from deduce.steps.cost import COUNTING, EVENT, GIVEN, LAST_VALUE, ONE_PLACE, TABLE

__all__ = ["Board", "Literal", "Offer", "Reason", "Source", "Unit", "cite", "sources_of"]

ROWS = 3_000
"""Tables with more rows are left to the search for combinations."""

COVERS = Budget(steps=3_000)
"""What the search for the fewest citations of one reason may spend, in partial sets."""

Unit = tuple[str, int]
"""What is cited: ``("claim", index)``, ``("event", number)`` or ``("source", index)``."""


@frozen
class Literal:
    """The fact that a variable has one value, or that it does not.

    Parameters
    ----------
    variable
        Its index in the model.
    bit
        The bit of the value in the variable's field.
    positive
        Whether it has the value.
    """

    variable: int
    bit: int
    positive: bool


@frozen
class Source:
    """A rule or a piece of evidence: its statement, the event that caused it, its sentence.

    ``event`` is 0 for a rule and -1 for an assumption.
    """

    statement: Statement
    event: int
    sentence: str


@frozen
class Reason:
    """Why something follows: the constraints that are combined, and what is cited besides."""

    sources: tuple[int, ...]
    cited: tuple[Unit, ...]
    needs: int = 0
    """The excluded values that are cited, as bits of a state."""
    smallest: bool = True
    stated: int | None = None
    """The source that states the fact itself, if one does."""


@frozen
class Offer:
    """What a constraint yields now: facts, their common reason, and its cost.

    ``facts`` is empty where the constraint is violated.
    """

    cost: int
    facts: tuple[Literal, ...]
    reason: Reason
    kind: str


def sources_of(model: Model) -> list[Source]:
    """Return the rules and the evidence of a model in the order of its statements."""
    problem: Problem = model.problem
    events = [0] * len(problem.rules) + [
        -1 if piece.event is None else piece.event for piece in problem.evidence
    ]
    sentences = map(str, (*problem.rules, *problem.evidence))
    return [
        Source(statement, event, sentence)
        for statement, event, sentence in zip(model.statements, events, sentences, strict=True)
    ]


class Board:
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
        self.model = model
        self.sources = sources
        self.level = level
        self.possible = model.start
        self.claims: list[Literal] = []
        self.claim_of: dict[Literal, int] = {}
        self.units: dict[int, list[Unit]] = {}
        self.fixed = 0
        self.constraints: list[int] = []
        self.opaque: list[int] = []
        """Constraints that are too large, or of a kind, to be examined completely here."""
        self._stated: list[tuple[int, int]] = []
        self._heap: list[tuple[int, int, int]] = []
        self._version: dict[int, int] = {}
        self._offers: dict[int, Offer] = {}
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
                self._stated.append((self._order_of(index), index))
                for bit in bits_of(self.model.start & ~statement.keep):
                    unit = self._unit(index)
                    known = self.units.setdefault(bit, [])
                    if unit not in known:
                        known.append(unit)
                self._dirty.add(index)
        elif isinstance(form, CompiledCount):
            self.constraints.append(index)
            for i, _ in form.terms:
                self._touching[i].append(index)
        elif isinstance(form, CompiledWhere | CompiledSum):
            self.constraints.append(index)
            for i in self.variables_of(index):
                self._touching[i].append(index)
            if isinstance(form, CompiledSum) or len(form.rows) > ROWS:
                self.opaque.append(index)

    def _order_of(self, index: int) -> int:
        event = self.sources[index].event
        return event if event >= 0 else len(self.sources)

    def _unit(self, index: int) -> Unit:
        event = self.sources[index].event
        return ("event", event) if event > 0 else ("source", index)

    # Facts

    def add(self, literal: Literal) -> int:
        """Add a claim to the known facts, and return its index."""
        index = len(self.claims)
        self.claims.append(literal)
        self.claim_of[literal] = index
        unit = (self.level, index)
        for bit in bits_of(self.removed_by(literal)):
            self.units.setdefault(bit, []).append(unit)
            self.possible &= ~bit
        if literal.positive:
            self.fixed |= 1 << literal.variable
        self._dirty.add(~literal.variable)
        self._dirty.update(self._touching[literal.variable])
        return index

    def removed_by(self, literal: Literal) -> int:
        """Return the bits of the values that a fact excludes, before anything else is known."""
        model, i = self.model, literal.variable
        mask = model.domains[i] & ~literal.bit if literal.positive else literal.bit
        return mask << (i * model.stride)

    def is_known(self, literal: Literal) -> bool:
        """Return whether a fact is claimed, or follows from a claim about the same variable."""
        if literal.positive:
            return bool(self.fixed >> literal.variable & 1) and self.holds(literal)
        return self.holds(literal)

    def holds(self, literal: Literal) -> bool:
        """Return whether the values that are left make a fact true."""
        left = self.model.domain(self.possible, literal.variable)
        return left == literal.bit if literal.positive else not left & literal.bit

    def literals(self, i: int, excluded: int) -> list[Literal]:
        """Return the facts to claim when these values of a variable's field are excluded."""
        kept = self.model.domains[i] & ~excluded
        if kept & (kept - 1) == 0 and kept:
            return [Literal(i, kept, positive=True)]
        left = self.model.domain(self.possible, i) & excluded
        return [Literal(i, bit, positive=False) for bit in bits_of(left)]

    def touching(self, i: int) -> Sequence[int]:
        """Return the constraints about a variable."""
        return self._touching[i]

    def variables_of(self, index: int) -> Sequence[int]:
        """Return the variables of a constraint."""
        form = self.sources[index].statement.form
        if isinstance(form, CompiledCount | CompiledSum):
            return [i for i, _ in form.terms]
        return form.variables if isinstance(form, CompiledWhere) else ()

    # What single constraints give

    def cheapest(self) -> Offer | None:
        """Return the cheapest offer of a single constraint, or ``None``; a violation comes first.

        Cost: the constraints about variables that have changed since the last call.
        """
        for key in sorted(self._dirty):
            version = self._version[key] = self._version.get(key, 0) + 1
            offer = self.offer(key)
            if offer is not None:
                self._offers[key] = offer
                cost = offer.cost if offer.facts else -1
                heappush(self._heap, (cost, self._rank(key), version))
        self._dirty.clear()
        while self._heap:
            _, rank, version = self._heap[0]
            key = self._key(rank)
            offer = self._offers[key]
            fresh = version == self._version[key]
            if fresh and (not offer.facts or not all(map(self.is_known, offer.facts))):
                return offer
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
            for i in _variables(self.model, excluded)
        )
        return all(mask & (mask - 1) == 0 for mask in left)

    def _key(self, rank: int) -> int:
        return ~(rank - (1 << 60)) if rank >= 1 << 60 else rank & ((1 << 30) - 1)

    def offer(self, key: int) -> Offer | None:
        """Return what one source (its index) or one variable (``~index``) yields now."""
        if key < 0:
            return self._last_value(~key)
        form = self.sources[key].statement.form
        if form is None:
            return self._fact(key)
        if isinstance(form, CompiledCount):
            return self._count(key, form)
        if isinstance(form, CompiledWhere) and len(form.rows) <= ROWS:
            return self._where(key, form)
        return self._by_narrowing(key)

    def _fact(self, key: int) -> Offer | None:
        model = self.model
        excluded = model.start & ~self.sources[key].statement.keep
        literals: list[Literal] = []
        for i in _variables(model, excluded):
            literals += self.literals(i, model.domain(excluded, i))
        if all(map(self.is_known, literals)):
            return None
        reason = Reason((), (self._unit(key),), excluded, stated=key)
        return Offer(GIVEN, tuple(literals), reason, "given")

    def _last_value(self, i: int) -> Offer | None:
        model = self.model
        left = model.domain(self.possible, i)
        if left & (left - 1) or (self.fixed >> i & 1 and left):
            return None
        excluded = (model.domains[i] & ~left) << (i * model.stride)
        reason = self._reason((), excluded)
        facts = (Literal(i, left, positive=True),) if left else ()
        return Offer(LAST_VALUE + len(reason.cited), facts, reason, "last value")

    def _count(self, key: int, form: CompiledCount) -> Offer | None:
        model, possible = self.model, self.possible
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
                    facts += self.literals(i, model.domains[i] & ~mask)
        elif does >= form.high and could > form.high:
            kind, number = "enough", form.high + (does > form.high)
            for i, mask in form.terms:
                left = model.domain(possible, i)
                if not left & ~mask:
                    reasons.append((model.domains[i] & ~mask) << (i * model.stride))
                elif left & mask and does == form.high:
                    facts += self.literals(i, mask)
        else:
            return None
        excluded = sum(reasons[:number])
        reason = self._reason((key,), excluded)
        base = self._price(key, form)
        return Offer(base + len(reason.cited), tuple(facts), reason, kind)

    def _price(self, key: int, form: CompiledCount) -> int:
        if self.sources[key].event:
            return EVENT
        return ONE_PLACE if form.high == 1 else COUNTING

    def _where(self, key: int, form: CompiledWhere) -> Offer | None:
        allowed = 0
        for row in form.rows:
            if self.possible & row == row:
                allowed |= row
        removed = self.possible & form.scope & ~allowed
        if not removed:
            return None
        if not allowed:
            reason = self._table_reason(key, form.rows)
            return Offer(TABLE + len(reason.cited), (), reason, "table")
        best: Offer | None = None
        for i in form.variables:
            for literal in self.literals(i, self.model.domain(removed, i)):
                bits = self.removed_by(literal)
                reason = self._table_reason(key, [row for row in form.rows if row & bits])
                offer = Offer(TABLE + len(reason.cited), (literal,), reason, "table")
                if not self.is_known(literal) and (best is None or offer.cost < best.cost):
                    best = offer
        return best

    def _by_narrowing(self, key: int) -> Offer | None:
        """Return what propagation of one constraint yields, with a reason that is minimal."""
        model = self.model
        bounds = Bounds(model, [self.sources[key].statement])
        left = bounds.narrow(self.possible)
        if left == self.possible:
            return None
        facts: tuple[Literal, ...] = ()
        start, removed = model.start, 0
        if left != IMPOSSIBLE:
            i = next(_variables(model, self.possible & ~left))
            gone = model.domain(self.possible & ~left, i)
            facts = (self.literals(i, gone & -gone)[0],)
            removed = self.removed_by(Literal(i, gone & -gone, positive=True))
            start &= ~removed
        excluded: dict[Unit, int] = {}
        scope = sum(model.field << (i * model.stride) for i in self.variables_of(key))
        for bit, units in self.units.items():
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
        base = EVENT if self.sources[key].event else COUNTING
        return Offer(base + len(cited), facts, reason, "single")

    def _table_reason(self, key: int, rows: Sequence[int]) -> Reason:
        demands = [
            frozenset(unit for bit in bits_of(row & ~self.possible) for unit in self.units[bit])
            for row in rows
        ]
        units, smallest = cite(demands, free=self._free((key,)))
        cited = set(units) | self._free((key,))
        needs = 0
        for row in rows:
            bits = row & ~self.possible
            needs |= next(b for b in bits_of(bits) if cited.intersection(self.units[b]))
        return Reason((key,), units, needs, smallest)

    def _reason(self, sources: tuple[int, ...], excluded: int) -> Reason:
        demands = [frozenset(self.units[bit]) for bit in bits_of(excluded)]
        units, smallest = cite(demands, free=self._free(sources))
        return Reason(sources, units, excluded, smallest)

    def child(self, level: str) -> Board:
        """Return a board with the same facts, whose own claims are of another level."""
        board = Board(self.model, self.sources, (), stated=False, level=level)
        board.possible = self.possible
        board.fixed = self.fixed | self._settled_by_one_unit()
        board.units = {bit: list(units) for bit, units in self.units.items()}
        board.constraints, board._touching = self.constraints, self._touching
        board._dirty = {*self.constraints, *(~i for i in range(len(self.model.variables)))}
        return board

    def _settled_by_one_unit(self) -> int:
        """Return the variables of which one unit excludes all values but one, as bits."""
        settled = 0
        for i in range(len(self.model.variables)):
            left = self.model.domain(self.possible, i)
            if left & (left - 1) == 0:
                excluded = (self.model.domains[i] & ~left) << (i * self.model.stride)
                units = [set(self.units.get(bit, ())) for bit in bits_of(excluded)]
                settled |= (not units or bool(set.intersection(*units))) << i
        return settled

    def _free(self, sources: tuple[int, ...]) -> set[Unit]:
        return {unit for key in sources if (unit := self._unit(key))[0] == "event"}


def _variables(model: Model, state: int) -> Iterator[int]:
    while state:
        i = ((state & -state).bit_length() - 1) // model.stride
        yield i
        state &= ~(model.field << (i * model.stride))


def cite(
    demands: Iterable[frozenset[Unit]],
    *,
    free: set[Unit] = frozenset(),  # type: ignore[assignment]
) -> tuple[tuple[Unit, ...], bool]:
    """Return the fewest units of which each demand contains one, and whether that is proved.

    Parameters
    ----------
    demands
        For each fact that must be cited, the units that cite it.
    free
        Units that are cited anyway.

    Notes
    -----
    Of equally many, events are preferred to claims as long as there are at most three.

    Examples
    --------
    >>> cite([frozenset({("claim", 0), ("event", 2)}), frozenset({("claim", 1), ("event", 2)})])
    ((('event', 2),), True)
    """
    left = {demand for demand in demands if not demand & free}
    left = {demand for demand in left if not any(other < demand for other in left)}
    chosen: list[Unit] = []
    covers: dict[Unit, set[frozenset[Unit]]] = {}
    for demand in left:
        for unit in demand:
            covers.setdefault(unit, set()).add(demand)
    several = {unit for unit, covered in covers.items() if len(covered) > 1}
    alone = [demand for demand in left if not demand & several]
    rest = [frozenset(demand & several) for demand in left if demand & several]
    smallest = True
    if rest:
        units = sorted(several, key=lambda unit: (-len(covers[unit]), unit))
        number = {unit: i for i, unit in enumerate(units)}
        sets = [frozenset(number[unit] for unit in demand) for demand in rest]
        try:
            hitting = smallest_hitting_set(sets, len(sets), COVERS.meter())
        except Undecided:
            hitting, smallest = _greedy(sets), False
        chosen = [units[i] for i in hitting or ()]
    events = sum(unit[0] == "event" for unit in chosen)
    for demand in sorted(alone, key=sorted):
        stated = [unit for unit in demand if unit[0] != "claim"]
        if stated and (events < MAX_EVENTS or len(stated) == len(demand)):
            events += 1
            chosen.append(min(stated))
        else:
            chosen.append(min(unit for unit in demand if unit[0] == "claim"))
    return tuple(sorted(set(chosen))), smallest


MAX_EVENTS = 3
"""Up to this many events are preferred to claims when both cite a single fact."""


def _greedy(sets: Sequence[frozenset[int]]) -> list[int]:
    left, chosen = list(sets), []
    while left:
        best = max(sorted(set().union(*left)), key=lambda i: sum(i in one for one in left))
        chosen.append(best)
        left = [one for one in left if best not in one]
    return chosen
