"""Model: a problem as integers, the form that the engines work on.

Every variable owns a field of ``width`` bits, one bit per value (values are numbered through for
the whole problem), and one *guard* bit above it. A set of possible values of all variables is one
Python int, so that a constraint is examined with a few operations on whole ints whatever the
number of variables:

* adding ``full`` (all value bits of every field) carries into the guard of exactly the fields
  that are not empty;
* ``x & (x - ones)`` drops the lowest bit of every field, so what is then empty was a singleton.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import pairwise, product
from math import gcd, lcm, prod
from typing import Any, TypeVar

from attrs import frozen

from deduce.budget import UNLIMITED, Meter
from deduce.constraints import (
    Constraint,
    Count,
    Difference,
    Disjoint,
    Fact,
    Logic,
    Sum,
    Tabulated,
    Value,
    Variable,
    Weigh,
    Where,
    variables_of,
)
from deduce.engines.core.linear import is_affine
from deduce.engines.core.logic import (
    Among,
    CompiledLogic,
    Levels,
    Linear,
    Listed,
    Literal,
    Node,
    conjuncts,
    disjuncts,
)
from deduce.engines.core.masks import bits_of, positions
from deduce.engines.core.table import Relation, Table
from deduce.errors import BadProblem
from deduce.problem import Problem, World

__all__ = [
    "CompiledCount",
    "CompiledLogic",
    "CompiledSum",
    "CompiledWeigh",
    "CompiledWhere",
    "Constraining",
    "Form",
    "Later",
    "Levels",
    "Model",
    "Statement",
]

TABLE_LIMIT = 1_000_000

MAX_INSIDE = 200_000
"""Up to this number of combinations a table may be inside a condition, where its opposite is
listed too."""

MAX_DISTANCES = 10_000
"""Up to this number of pairs of values the distance of two variables is a table of them."""

FEW = 20
"""As many items are compiled, or rows tried, between two looks at the limits."""

WIDE = 100
"""From this number of values on the bits of a mask are read as text, in linear time."""

NEVER_EQUAL = {str, bytes, tuple, type(None)}
"""Types of values that equal none of another type; what tuples contain is looked at too."""

T = TypeVar("T")


@frozen(eq=False)
class CompiledCount:
    """A `Count`: ``inside`` has the bits that make facts true, ``outside`` the rest of its fields.

    ``terms`` holds the same per variable: ``(index, mask)``; ``single`` means that every fact is
    about one value, which allows a shorter test.
    """

    inside: int
    outside: int
    low: int
    high: int
    terms: tuple[tuple[int, int], ...]
    single: bool


Reduced = tuple[list[tuple[int, int, int]], list[int], int]
"""``(variable, mask, amount)``, the codes of rows by these amounts, and the number of all codes."""


@frozen(eq=False)
class CompiledSum:
    """A `Sum` in its normal form: every variable has a value that adds 0, and none that adds less.

    ``terms`` holds ``(index, levels)`` for each variable whose values do not all add the same; the
    masks of the levels are disjoint and cover the domain. The amounts have no common divisor.
    """

    terms: tuple[tuple[int, Levels], ...]
    low: int
    high: int


class Later(Sequence[tuple[int, ...]]):
    """The rows of a predicate, which are looked up when they are first needed."""

    def __init__(self, predicate: Tabulated, make: Callable[[], Iterable[tuple[int, ...]]]) -> None:
        self.predicate, self._make = predicate, make

    @cached_property
    def _rows(self) -> list[tuple[int, ...]]:
        return sorted(self._make())

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, at: Any) -> Any:
        return self._rows[at]


@frozen(eq=False)
class CompiledWhere:
    """A `Where` as the table of its allowed rows; a row has one bit in each of the ``fields``."""

    fields: tuple[int, ...]
    variables: tuple[int, ...]
    relation: Relation
    shifts: tuple[int, ...]
    """Where the field of each variable begins."""

    @cached_property
    def scope(self) -> int:
        """The bits of all fields."""
        return sum(self.fields)

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The allowed rows."""
        return tuple(self.relation.shifted(self.shifts))

    @cached_property
    def _table(self) -> Table | None:
        """The rows by value; ``None``: there are so many that tables share what they look up."""
        return None if self.relation.is_large else Table(self.rows, self.fields)

    @property
    def cost(self) -> int:
        """About how many constraints of facts can be examined in the time of `within`."""
        return (self._table or self.relation.table).cost

    def within(self, state: int) -> tuple[int, int]:
        """Return the values of all rows within a state, and the number of these rows."""
        if self._table is not None:
            return self._table.within(state)
        width = self.relation.width
        field = (1 << width) - 1
        own = place = 0
        for shift in self.shifts:
            own |= (state >> shift & field) << place
            place += width
        found, number = self.relation.table.within(own)
        allowed = 0
        for shift in self.shifts:
            allowed |= (found & field) << shift
            found >>= width
        return allowed, number

    @cached_property
    def allowed(self) -> frozenset[int]:
        """The rows as a set."""
        return frozenset(self.rows)

    @cached_property
    def reduced(self) -> dict[int, Reduced]:
        """What `deduce.engines.core.residue` has made of the rows within a state."""
        return {}

    @cached_property
    def affine(self) -> bool:
        """Whether they are what linear equations modulo 2 about two values each allow."""
        table = self.relation.table
        return is_affine(table.rows, table.fields)


@frozen(eq=False)
class CompiledWeigh:
    """A `Weigh` with integer weights: the given ones times ``scale``.

    ``terms`` are those of a `CompiledSum`. Numbers of the same ``kind`` need not be told apart.
    Where weights are ``estimated``, probabilities may be rounded.
    """

    terms: tuple[tuple[int, Levels], ...]
    weights: tuple[int, ...]
    scale: int
    kinds: tuple[int, ...]
    estimated: bool = False


Constraining = CompiledCount | CompiledSum | CompiledWhere | CompiledLogic
"""What excludes worlds."""

Form = Constraining | CompiledWeigh
"""What the engines take as a constraint."""


@frozen(eq=False)
class Statement:
    """One compiled constraint. A bare fact (and a Count that amounts to facts) is only ``keep``.

    A likelihood is ``weigh``; its other parts are what its weights of 0 exclude.
    """

    keep: int
    form: Constraining | None
    weigh: CompiledWeigh | None = None


class Model:
    """The compiled problem: numbering, field layout, and one `Statement` per constraint.

    Statements stand in the order of ``problem.constraints()``, so that engines can work on a
    selection of them (as explanations do) without compiling again. Cost: one pass over all facts,
    and a call of the predicate for each row of a Where, within the limits of ``meter``.
    """

    def __init__(self, problem: Problem, meter: Meter = UNLIMITED) -> None:
        self.problem = problem
        self._meter = meter
        self.left: int | None = None
        """What propagation leaves of all statements, once a question has needed it."""
        self.refuted: bool | None = None
        """Whether propagation or the Hamming bound refutes them, once a question has needed it."""
        self.within: int | None = None
        """What propagation left of fewer statements, if that is known."""
        self.repeats: Model | None = None
        """A model with fewer statements that is known to have the same worlds and weights."""
        self.all_worlds: Tabulated | None = None
        """What has a list of all worlds, if the problem or a claim has a table of all variables.

        Engines then need not search (`deduce.engines.core.worlds`).
        """
        self.joined: Any = None
        """The lists of all worlds (`deduce.engines.count.branches`), if they were made."""
        self.nested = False
        """Whether a condition inside conditions was compiled."""
        self.plain: Model | None = None
        """What `deduce.engines.core.lowering.lowered` made of it, if it was asked for."""
        self.drawn: dict[Hashable, object] = {}
        """What worlds were drawn from, by the settings of the engine, if it is worth keeping."""
        self.variables: tuple[Variable, ...] = tuple(problem.domains)
        self.shown = len(self.variables)
        """The number of variables of the problem; any further ones are auxiliary."""
        self.index = {variable: i for i, variable in enumerate(self.variables)}
        values: tuple[Value, ...] = tuple(
            dict.fromkeys(value for domain in problem.domains.values() for value in domain)
        )
        if len(values) > WIDE:
            meter.check()
        self.place = {value: j for j, value in enumerate(values)}
        """The position of the bit of each value in a field."""
        self.values = _own(list(problem.domains.values()), values, self.place)
        """For each variable all values by position, those of its domain as they are there."""
        self.width = len(values)
        if self.width > WIDE:
            meter.check()
        self.stride = self.width + 1
        self.field = (1 << self.width) - 1
        self.ones = sum(1 << (i * self.stride) for i in range(len(self.variables)))
        self.full = self.ones * self.field
        self.guards = self.ones << self.width
        self.domains = [self.mask(domain) for domain in self._metered(problem.domains.values())]
        self.start = sum(domain << (i * self.stride) for i, domain in enumerate(self.domains))
        self._relations: dict[Hashable, Relation] = {}
        """The tables by predicate and domains, so that equal ones are made once. A predicate is
        known by its `id`, so only those are kept that the problem keeps."""
        self._keeps = True
        self._counted: dict[tuple[int, int, int, int], Statement] = {}
        """The statements of Counts: events that state the same share one."""
        self.statements = [self.compile(c) for c in self._metered(problem.constraints())]
        self._keeps = False
        self._meter = UNLIMITED

    def grown(self, problem: Problem, meter: Meter = UNLIMITED) -> Model | None:
        """Return the model of this model's problem with more evidence; ``None`` of any other.

        Only the new evidence is compiled, and what propagation found out is kept.
        """
        mine = self.problem
        new = mine.continued(problem.evidence)
        if new is None or problem.domains is not mine.domains or problem.rules is not mine.rules:
            return None
        model = copy(self)
        model.problem, model._meter, model.repeats, model.plain = problem, meter, None, None
        model.drawn = {}
        model.joined = None
        model._relations, model._keeps = dict(self._relations), True
        added = [model.compile(piece.constraint) for piece in model._metered(new)]
        model._meter, model._keeps = UNLIMITED, False
        model.statements = [*self.statements, *added]
        if not self.refuted:
            if self.refuted is not None and all(map(self._implies, added)):
                model.repeats = self
            else:
                model.within = self.within if self.left is None else self.left
                model.left = model.refuted = None
        return model

    def _implies(self, statement: Statement) -> bool:
        """Return whether what propagation left, or one of the Counts, is enough for a statement.

        No: it may hold in every world all the same. A likelihood changes weights, never implied.
        """
        left, form = self.left, statement.form
        assert left is not None
        if statement.weigh is not None or left & ~statement.keep:
            return False
        if isinstance(form, CompiledLogic):
            return form.status(left) is True
        if not isinstance(form, CompiledCount):
            return form is None
        open_ = left & form.inside
        low = form.low <= len(form.terms) - (
            ((left & form.outside) + self.full & self.guards).bit_count()
        )
        high = ((open_ + self.full) & self.guards).bit_count() <= form.high
        for other in self.statements if not (low and high) else ():
            if isinstance(other.form, CompiledCount):
                inside = left & other.form.inside
                low = low or (other.form.low >= form.low and not inside & ~open_)
                high = high or (other.form.high <= form.high and not open_ & ~inside)
        return low and high

    def _metered(self, items: Iterable[T]) -> Iterator[T]:
        """Yield the items of a long list, and look at the limits from time to time."""
        for number, item in enumerate(items, 1):
            if number % FEW == 0:
                self._meter.check()
            yield item

    def mask(self, values: Collection[Value]) -> int:
        """Return the bits of some values, in time that does not grow with their square."""
        mask, place = 0, self.place
        if len(values) <= WIDE:
            for value in values:
                mask |= 1 << place[value]
            return mask
        self._meter.check()
        bits = bytearray(self.width // 8 + 1)
        for at in map(place.__getitem__, values):
            bits[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(bits, "little")

    def compile(self, constraint: Constraint) -> Statement:
        """Return the compiled form of one constraint about this problem's variables."""
        if isinstance(constraint, Fact):
            i, mask = self.literal(constraint)
            outside = self.domains[i] & ~mask
            return Statement(~(outside << (i * self.stride)), None)
        if isinstance(constraint, Count):
            return self._count(constraint)
        if isinstance(constraint, Sum):
            return self.summed(self._levels(constraint.terms), constraint.low, constraint.high)
        if isinstance(constraint, Where):
            return Statement(-1, self._where(constraint))
        if isinstance(constraint, Weigh):
            return self._weigh(constraint)
        if isinstance(constraint, Difference) and len(constraint.ranges) == 1:
            return self.summed(self._added(constraint), *constraint.ranges[0])
        return self._stated(self.node(constraint))

    def node(self, constraint: Constraint) -> Node:
        """Return a constraint as a condition that may be a part of another one."""
        self._meter.check()
        if isinstance(constraint, Logic):
            parts, low, high = constraint.counted
            return Among(tuple((self.node(part), sign) for part, sign in parts), low, high)
        if isinstance(constraint, Difference) and len(constraint.ranges) > 1:
            return self._distance(constraint)
        if isinstance(constraint, Disjoint):
            counts = tuple((node, True) for node in self._disjoint(constraint))
            return Among(counts, len(counts), len(counts))
        statement = self.compile(constraint)
        form = statement.form
        if isinstance(form, CompiledCount):
            return self._linear(self._levels_of(form.terms), form.low, form.high)
        if isinstance(form, CompiledSum):
            return self._linear(form.terms, form.low, form.high)
        if isinstance(form, CompiledWhere):
            size = prod(each.bit_count() for each in form.fields)
            if size > MAX_INSIDE:
                raise BadProblem(
                    f"{constraint}: {size} combinations are too many for a Where inside a condition"
                )
            return Listed(Table(form.rows, form.fields), form.fields, form.variables)
        if isinstance(form, CompiledLogic):
            return form.root
        excluded = self.start & ~statement.keep
        facts = tuple(
            (self._literal(i, domain & ~gone), True)
            for i, domain in enumerate(self.domains)
            if (gone := self.domain(excluded, i))
        )
        return facts[0][0] if len(facts) == 1 else Among(facts, len(facts), len(facts))

    def _literal(self, i: int, mask: int) -> Literal:
        return Literal(i, mask, self.domains[i], i * self.stride)

    def _levels_of(self, terms: Iterable[tuple[int, int]]) -> tuple[tuple[int, Levels], ...]:
        """Return the terms of a Count as those of a Sum."""
        return tuple(
            (i, tuple((n, m) for n, m in enumerate((self.domains[i] & ~mask, mask)) if m))
            for i, mask in terms
        )

    def _linear(self, terms: tuple[tuple[int, Levels], ...], low: int, high: int) -> Node:
        """Return bounds of a sum as a condition; about a single variable, as a fact."""
        if len(terms) == 1:
            ((i, levels),) = terms
            return self._literal(i, sum(mask for n, mask in levels if low <= n <= high))
        return Linear(terms, low, high, self.stride)

    def _stated(self, root: Node) -> Statement:
        """Return a condition as a statement: as facts, a Count or a Sum, where it is one."""
        parts = list(conjuncts(root))
        facts = [self._keep(node, sign) for node, sign in parts if isinstance(node, Literal)]
        if len(facts) == len(parts):
            keep = -1
            for one in facts:
                keep &= one
            return Statement(keep, None)
        if len(parts) == 1:
            ((node, sign),) = parts
            if isinstance(node, Among):
                terms = self._literals(disjuncts(node, want=sign))
                if terms is not None:
                    merged: dict[int, int] = {}
                    for i, mask in terms:
                        merged[i] = merged.get(i, 0) | mask
                    return self.counted(tuple(merged.items()), 1, len(merged))
                terms = self._literals(node.parts) if sign else None
                if terms is not None and len({i for i, _ in terms}) == len(terms):
                    return self.counted(tuple(terms), max(0, node.low), min(node.high, len(terms)))
            elif isinstance(node, Linear):
                least, most = node.bounds
                if sign:
                    return self.summed(node.terms, node.low, node.high)
                if node.low <= least:
                    return self.summed(node.terms, node.high + 1, None)
                if node.high >= most:
                    return self.summed(node.terms, None, node.low - 1)
            elif isinstance(node, Listed):
                rows = (node.table if sign else node.others).rows
                return Statement(-1, self.listed(node.variables, rows))
        self.nested = True
        return Statement(-1, CompiledLogic(root))

    def _keep(self, literal: Literal, sign: bool) -> int:  # noqa: FBT001
        return ~((literal.domain & ~literal.mask if sign else literal.mask) << literal.shift)

    def _literals(self, parts: Iterable[tuple[Node, bool]]) -> list[tuple[int, int]] | None:
        """Return conditions about one variable each, with the masks of values; else ``None``."""
        terms = []
        for node, sign in parts:
            if not isinstance(node, Literal):
                return None
            terms.append((node.variable, node.mask if sign else node.domain & ~node.mask))
        return terms

    def _added(self, difference: Difference) -> Iterator[tuple[int, Levels]]:
        """Yield each variable of a difference with its values by what they add to it."""
        for variable in variables_of(difference):
            i = self.index[variable]
            of: dict[int, int] = {}
            for value in self._metered(self.problem.domains[variable]):
                amount = difference.added(variable, value)
                of[amount] = of.get(amount, 0) | 1 << self.place[value]
            yield i, tuple(sorted(of.items()))

    def _distance(self, difference: Difference) -> Node:
        """Return a condition on a distance: a table of two variables, else one of two Sums."""
        terms = tuple(self._added(difference))
        least, most = sum(of[0][0] for _, of in terms), sum(of[-1][0] for _, of in terms)
        ranges = [
            (least if low is None else low, most if high is None else high)
            for low, high in difference.ranges
        ]
        if len(terms) == 2 and prod(len(levels) for _, levels in terms) <= MAX_DISTANCES:
            (i, first), (j, second) = terms
            rows = [
                x << i * self.stride | y << j * self.stride
                for amount, mask in first
                for other, more in second
                if any(low <= amount + other <= high for low, high in ranges)
                for x in bits_of(mask)
                for y in bits_of(more)
            ]
            fields = tuple(self.domains[v] << v * self.stride for v in (i, j))
            return Listed(Table(rows, fields), fields, (i, j))
        parts = tuple((self._linear(terms, low, high), True) for low, high in ranges)
        return Among(parts, 1, len(parts))

    def _disjoint(self, disjoint: Disjoint) -> Iterator[Linear]:
        """Yield for each item of several variables that at most one has a value with it."""
        users: dict[Any, dict[int, int]] = {}
        for variable in disjoint.variables:
            i = self.index[variable]
            for value in self._metered(self.problem.domains[variable]):
                for item in disjoint.items(value):
                    of = users.setdefault(item, {})
                    of[i] = of.get(i, 0) | 1 << self.place[value]
        for of in sorted(users.values(), key=lambda of: [*of.items()]):  # sets have no order
            if len(of) > 1:
                self._meter.check()
                yield Linear(self._levels_of(of.items()), 0, 1, self.stride)

    def literal(self, fact: Fact) -> tuple[int, int]:
        """Return the variable's index and the mask of the values that make the fact true."""
        i = self.index[fact.variable]
        if fact.lenient and (values := self.problem.values_of(fact)) is not None:
            return i, self.mask(values)
        mask = self.mask(fact.values)
        return i, self.domains[i] & ~mask if fact.negated else mask

    def domain(self, possible: int, i: int) -> int:
        """Return the value bits that are left for variable ``i``."""
        return (possible >> (i * self.stride)) & self.field

    def values_in(self, i: int, mask: int) -> list[Value]:
        """Return the values of variable ``i`` whose bits are in a field's mask."""
        values = self.values[i]
        if self.width < WIDE:
            return [value for j, value in enumerate(values) if mask >> j & 1]
        return [values[j] for j in positions(mask)]

    def left_by(self, possible: int) -> dict[Variable, frozenset[Value]]:
        """Return the values of a state by variable."""
        return {
            variable: frozenset(self.values_in(i, self.domain(possible, i)))
            for i, variable in enumerate(self.variables)
        }

    def world(self, possible: int) -> World:
        """Return the world of a state in which every field has exactly one bit."""
        return {
            variable: self.values[i][self.domain(possible, i).bit_length() - 1]
            for i, variable in enumerate(self.variables[: self.shown])
        }

    def state(self, world: World) -> int:
        """Return the world as a state; the inverse of `world`."""
        return sum(
            1 << (i * self.stride + self.place[world[variable]])
            for i, variable in enumerate(self.variables)
        )

    def satisfied(self, statement: Statement, state: int) -> bool:
        """Return whether a complete state satisfies a statement."""
        form = statement.form
        if isinstance(form, CompiledCount):
            return form.low <= (state & form.inside).bit_count() <= form.high
        if isinstance(form, CompiledSum):
            amounts = (
                amount
                for i, levels in form.terms
                for value in (self.domain(state, i),)
                for amount, mask in levels
                if value & mask
            )
            return form.low <= sum(amounts) <= form.high
        if isinstance(form, CompiledWhere):
            return state & form.scope in form.allowed
        if isinstance(form, CompiledLogic) and not form.status(state):
            return False
        return state & statement.keep == state

    def around(self, state: int, meter: Meter) -> int:
        """Return the values in all worlds that differ from a world, a complete state, in one place.

        Cost: about a look at each term of each statement; more for tables of many rows.
        """
        around = self.start
        for statement in self.statements:
            form = statement.form
            around &= statement.keep
            if isinstance(form, CompiledCount):
                meter.spend(1 + len(form.terms))
                number = (state & form.inside).bit_count()
                for i, mask in form.terms:
                    field = mask << i * self.stride
                    others = number - bool(state & field)
                    if not form.low <= others + 1 <= form.high:
                        around &= ~field
                    if not form.low <= others <= form.high:
                        around &= ~(form.outside & self.field << i * self.stride)
            elif isinstance(form, CompiledSum):
                meter.spend(1 + len(form.terms))
                amounts = [
                    next(amount for amount, mask in levels if mask & self.domain(state, i))
                    for i, levels in form.terms
                ]
                least, most = form.low - sum(amounts), form.high - sum(amounts)
                for amount, (i, levels) in zip(amounts, form.terms, strict=True):
                    for other, mask in levels:
                        if not least <= other - amount <= most:
                            around &= ~(mask << i * self.stride)
            elif isinstance(form, CompiledWhere):
                for field in form.fields:
                    meter.spend(form.cost)
                    around &= form.within(state & form.scope | field)[0] | ~field
            elif isinstance(form, CompiledLogic):
                for i in form.variables:
                    shift = i * self.stride
                    for bit in bits_of(self.domains[i]):
                        meter.spend(form.cost)
                        if not form.status(state & ~(self.field << shift) | bit << shift):
                            around &= ~(bit << shift)
        return around

    def facts_only(self, selection: Sequence[Statement] | None = None) -> int:
        """Return what the domains and the bare facts alone leave possible."""
        possible = self.start
        for statement in self.statements if selection is None else selection:
            possible &= statement.keep
        return possible

    def _terms(self, facts: Sequence[Fact]) -> tuple[tuple[int, int], ...]:
        merged: dict[int, int] = {}
        for fact in facts:
            i, mask = self.literal(fact)
            merged[i] = merged.get(i, 0) | mask
        return tuple(merged.items())

    def _count(self, count: Count) -> Statement:
        terms = self._terms(count.facts)
        high = len(terms) if count.high is None else min(count.high, len(terms))
        return self.counted(terms, count.low, high)

    def counted(self, terms: tuple[tuple[int, int], ...], low: int, high: int) -> Statement:
        """Return bounds on how many variables have one of their values of a mask."""
        inside = outside = 0
        single = True
        for i, mask in terms:
            shift = i * self.stride
            inside |= mask << shift
            outside |= (self.domains[i] & ~mask) << shift
            single = single and mask & (mask - 1) == 0
        if high == 0 and low == 0:
            return Statement(~inside, None)
        if low == len(terms):
            return Statement(~outside, None)
        key = inside, outside, low, high
        if key not in self._counted:
            form = CompiledCount(inside, outside, low, high, terms, single)
            self._counted[key] = Statement(-1, form)
        return self._counted[key]

    def summed(
        self, levels_of: Iterable[tuple[int, Levels]], low: int | None, high: int | None
    ) -> Statement:
        """Return a Sum in its normal form; as a Count, if all its amounts are 0 and 1 then."""
        least = most = 0
        terms = []
        for i, levels in levels_of:
            base = levels[0][0]
            least += base
            most += levels[-1][0]
            if len(levels) > 1:
                terms.append((i, tuple((amount - base, mask) for amount, mask in levels)))
        low = least if low is None else max(low, least)
        high = most if high is None else min(high, most)
        divisor = gcd(*(amount for _, levels in terms for amount, _ in levels)) or 1
        low, high = -((least - low) // divisor), (high - least) // divisor
        if all(levels[-1][0] == divisor for _, levels in terms):
            ones = tuple((i, levels[1][1]) for i, levels in terms)
            # A Count whose bounds cannot be met is refuted by propagation, for it needs too many.
            return self.counted(ones, *((low, high) if low <= high else (len(ones) + 1, 0)))
        reduced = tuple(
            (i, tuple((amount // divisor, mask) for amount, mask in levels)) for i, levels in terms
        )
        return Statement(-1, CompiledSum(reduced, low, high))

    def _levels(self, pairs: Iterable[tuple[Fact, int]]) -> Iterator[tuple[int, Levels]]:
        """Yield each variable with its values by the amount that they add; 0 without a fact."""
        amounts: dict[int, dict[int, int]] = {}
        for fact, amount in self._metered(pairs):
            i, mask = self.literal(fact)
            of = amounts.setdefault(i, {})
            of[amount] = of.get(amount, 0) | mask
        for i, of in amounts.items():
            self._meter.check()
            rest = self.domains[i]
            for mask in of.values():
                rest &= ~mask
            of[0] = of.get(0, 0) | rest
            yield i, tuple(sorted((amount, mask) for amount, mask in of.items() if mask))

    def _where(self, where: Where) -> CompiledWhere:
        indices = tuple(self.index[variable] for variable in where.variables)
        domains = tuple(self.domains[i] for i in indices)
        values = tuple(self.values[i] for i in indices)
        predicate = where.predicate
        shifts = tuple(i * self.stride for i in indices)
        fields = tuple(domain << shift for domain, shift in zip(domains, shifts, strict=True))
        if isinstance(predicate, Tabulated) and predicate.is_complete:
            self.all_worlds = predicate
            rows_later = Later(predicate, lambda: self._rows(where, indices))
            return CompiledWhere(fields, indices, Relation(rows_later, domains, self.width), shifts)
        listed = isinstance(predicate, Tabulated)
        key = predicate if listed else id(predicate), domains, *map(id, values)
        relation = self._relations.get(key)
        if relation is None:
            rows = tuple(sorted(self._rows(where, indices)))
            relation = Relation(rows, domains, self.width)
            if self._keeps:
                self._relations[key] = relation
        return CompiledWhere(fields, indices, relation, shifts)

    def listed(self, variables: Sequence[int], rows: Iterable[int]) -> CompiledWhere:
        """Return a table of some variables, by index, from rows of one bit for each of them."""
        shifts = tuple(i * self.stride for i in variables)
        places = sorted(
            tuple((row >> shift & self.field).bit_length() - 1 for shift in shifts) for row in rows
        )
        domains = tuple(self.domains[i] for i in variables)
        fields = tuple(domain << shift for domain, shift in zip(domains, shifts, strict=True))
        relation = Relation(tuple(places), domains, self.width)
        return CompiledWhere(fields, tuple(variables), relation, shifts)

    def _rows(self, where: Where, indices: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Yield the rows by position: those that are listed, or all for which a predicate holds."""
        place, domains = self.place, [self.domains[i] for i in indices]
        if isinstance(where.predicate, Tabulated):
            for row in self._metered(where.predicate.rows):
                if len(row) == len(domains) and all(
                    value in place and domain >> place[value] & 1
                    for value, domain in zip(row, domains, strict=True)
                ):
                    yield tuple(place[value] for value in row)
            return
        size = prod(domain.bit_count() for domain in domains)
        if size > TABLE_LIMIT:
            raise BadProblem(
                f"{where}: {size} combinations are too many for a Where; use Counts instead"
            )
        values = [self.problem.domains[variable] for variable in where.variables]
        places = product(*([place[value] for value in domain] for domain in values))
        for row, at in zip(self._metered(product(*values)), places, strict=True):
            if where.allows(row):
                yield at

    def _weigh(self, weigh: Weigh) -> Statement:
        """Return a likelihood, and what excludes the worlds to which it gives the weight 0."""
        terms = tuple(self._levels(zip(weigh.facts, weigh.steps, strict=True)))
        most = sum(levels[-1][0] for _, levels in terms)
        scale = lcm(*(weight.denominator for weight in weigh.weights))
        weights = tuple(int(weight * scale) for weight in weigh.weights[: most + 1])
        kinds = weigh.kinds[: most + 1]
        compiled = CompiledWeigh(terms, weights, scale, kinds, weigh.estimated)
        if all(weights) or not weigh.excludes:
            return Statement(-1, None, compiled)
        ends = [n for n, (a, b) in enumerate(pairwise((0, *weights, 0))) if bool(a) != bool(b)]
        allowed = tuple(
            (self._linear(terms, low, high - 1), True)
            for low, high in zip(ends[::2], ends[1::2], strict=True)
        )
        hard = self._stated(Among(allowed, 1, len(allowed)))
        return Statement(hard.keep, hard.form, compiled)


def _own(
    domains: Collection[Sequence[Value]], values: tuple[Value, ...], place: Mapping[Value, int]
) -> list[tuple[Value, ...]]:
    """Return all values for each domain; where it has 1.0 and another one has 1, with its own.

    Domains without such values, which are nearly all, share one tuple.
    """
    different = {id(domain): domain for domain in domains}
    types = set().union(*map(_types, different.values())) - NEVER_EQUAL
    if len(types) < 2 and types <= {int, bool}:
        return [values] * len(domains)
    known: dict[object, tuple[Value, ...]] = {}
    own = {}
    for key, domain in different.items():
        row = list(values)
        changed = []
        for value in domain:
            j = place[value]
            if value is not row[j] and _looks(value) != _looks(row[j]):
                row[j] = value
                changed.append((j, _looks(value)))
        own[key] = known.setdefault(tuple(changed), tuple(row)) if changed else values
    return [own[id(domain)] for domain in domains]


def _looks(value: Value) -> tuple[type, str]:
    return type(value), repr(value)


def _types(values: Sequence[Value]) -> set[type]:
    """Return the types of some values, and of the members of tuples among them."""
    types = set(map(type, values))
    if tuple in types:
        types |= _types([part for value in values if type(value) is tuple for part in value])
    return types
