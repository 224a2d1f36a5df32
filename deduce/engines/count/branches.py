"""Counting in lists of rows that branch where the problem falls apart.

The values of one variable after the other extend the rows of a list, in arrays, as long as the
conditions may hold. Where the variables to come fall apart into parts that no condition connects,
each part gets a list of its own (a *branch*). Its rows extend a *context*: what the conditions of
the part need to know of a row so far. Rows with the same context share what extends them. The
number of worlds of a row is the product of the numbers of its contexts; a pass from the branches to
the first list and one back give all marginals, as in a graph of alternatives and products
(R. Dechter and R. Mateescu: AND/OR search spaces for graphical models, 2007).

So the roles of the players in a game are listed once, and what happened in each night by itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from math import gcd, inf, prod
from random import Random
from typing import Any, ClassVar, TypeAlias

from attrs import define, field

from deduce.budget import Meter
from deduce.engines.base import Joint, Question, Selective, Tally, Weight
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.logic import (
    CompiledLogic,
    Levels,
    Linear,
    Node,
    conjuncts,
)
from deduce.engines.core.masks import positions
from deduce.engines.core.model import (
    CompiledCount,
    CompiledSum,
    CompiledWeigh,
    CompiledWhere,
    Model,
    Statement,
)
from deduce.engines.core.worlds import MAX_AMOUNT, Column, Looks, amounts_of, codes_of, is_one
from deduce.errors import Undecided
from deduce.problem import World
from deduce.system.arrays import has_arrays

__all__ = ["Branches", "can_list"]

Limbs: TypeAlias = Sequence[tuple[int, Column]]
"""Whole numbers as sums of floats times powers of 2, so that adding them is exact."""

MAX_CELLS = 1 << 26
"""Up to this number of rows and values of the next variable are in an array."""

MANY_ROWS = 10_000
"""From this number of rows on the next variable is chosen by a few of them."""

SAMPLED = 60
"""How many these are."""

REPEATED = 4
"""How many times as often as rows their contexts repeat in a sample, if these become a branch."""

MAX_TRIED = 8
"""The number of variables to choose from."""

MAX_SAMPLED = 500
"""Rows whose growth shows how many steps all of them take."""

MAX_TABLE = 4096
"""A table with more rows is looked at when all its variables have values, not before."""

MAX_DEPTH = 100
"""Branches of branches; deeper ones are listed together."""

ROWS = 128
"""As many rows of an array are examined in the time of a step."""

WIDE = 32
"""Bits of weights that cost a step for each row: numbers that fit a word cost next to nothing."""

EXACT_BITS = 53
"""Floats hold whole numbers with this number of bits."""


@define(eq=False)
class _Condition:
    """What must hold of some variables; a likelihood is a sum without bounds.

    ``rest`` are its variables without a value. A sum has ``terms``, a table ``rows``, any other
    condition a ``node`` that is to hold or not; without these it only keeps its variables together.
    """

    scope: Sequence[int]
    rest: set[int] = field(init=False)
    terms: Mapping[int, Levels] = field(factory=dict)
    low: int = 0
    high: int = 0
    weigh: CompiledWeigh | None = None
    where: CompiledWhere | None = None
    node: Node | None = None
    sign: bool = True

    def __attrs_post_init__(self) -> None:
        self.rest = set(self.scope)
        amounts = [(of[0][0], of[-1][0]) for of in self.terms.values()]
        least, most = (sum(ends) for ends in zip(*amounts, strict=True)) if amounts else (0, 0)
        if most - least > MAX_AMOUNT or abs(least) > MAX_AMOUNT:
            raise Undecided("some amounts are too large for a list of rows")
        self.low, self.high = max(self.low, least), min(self.high, most)

    def start(self) -> Column:
        """Return the column of the sum of no values."""
        import numpy as np

        largest = max(
            (max(map(abs, (of[0][0], of[-1][0]))) for of in self.terms.values()), default=0
        )
        least = max(-4 * largest * (1 + len(self.terms)) - 1, -MAX_AMOUNT)
        return np.zeros(1, dtype=np.min_scalar_type(least))


@define(eq=False)
class _Branch:
    """A list of rows: the context that each extends, and the values of some variables.

    ``known`` has the columns of its ``own`` variables and of others of the context, ``sums`` those
    of likelihoods and of conditions that are still ``open``. ``parts`` are the branches that
    follow, each with the context of each row.
    """

    contexts: Column
    known: dict[int, Column]
    open: list[_Condition]
    sums: dict[_Condition, Column]
    own: list[int] = field(factory=list)
    parts: list[tuple[Column, _Branch]] = field(factory=list)
    ways: dict[bool, Column] = field(factory=dict)
    """In how many ways, weighted or not, each row can be completed."""
    factor: int = 1
    """What all weights were divided by."""
    drawn: dict[bool, list[int]] = field(factory=dict)
    """The same, added up."""
    width: int = field(init=False)
    """The number of contexts."""

    def __attrs_post_init__(self) -> None:
        self.width = self.size

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.contexts)

    def needed(
        self, conditions: Collection[_Condition]
    ) -> tuple[dict[int, Column], dict[_Condition, Column]]:
        """Return what conditions need of the rows: values of variables, and sums."""
        scopes = [c.scope for c in conditions if not c.terms]
        values = {i: self.known[i] for scope in scopes for i in scope if i in self.known}
        return values, {c: self.sums[c] for c in conditions if c.terms}

    def take(self, rows: Column) -> None:
        """Keep some rows, or repeat them."""
        self.contexts = self.contexts[rows]
        self.known = {i: column[rows] for i, column in self.known.items()}
        self.sums = {each: column[rows] for each, column in self.sums.items()}
        self.parts = [(at[rows], part) for at, part in self.parts]

    def completed(self, *, weighted: bool) -> Column:
        """Return in how many ways, or with which weight, each row can be completed."""
        import numpy as np

        if weighted not in self.ways:
            ways = np.ones(self.size, dtype=np.int64)
            for condition, numbers in self.sums.items():
                if weighted and condition.weigh is not None:
                    weights = condition.weigh.weights
                    common = gcd(*(weights[n] for n in np.unique(numbers).tolist())) or 1
                    self.factor *= common
                    ways = _product(ways, _whole([w // common for w in weights])[numbers])
            for at, part in self.parts:
                ways = _product(ways, part.total(weighted=weighted)[at])
            self.ways[weighted] = ways
        return self.ways[weighted]

    def spread(self, outside: Column, *, weighted: bool) -> Iterator[tuple[_Branch, Limbs]]:
        """Yield each branch with the weight of the worlds of each of its rows."""
        import numpy as np

        limbs = _limbs(_product(self.completed(weighted=weighted), outside[self.contexts]))
        yield self, limbs
        for at, part in self.parts:
            within = part.total(weighted=weighted)
            rest = _summed(at, limbs, part.width) // np.where(within == 0, 1, within)
            yield from part.spread(rest, weighted=weighted)

    def total(self, *, weighted: bool) -> Column:
        """Return in how many ways, or with which weight, each context can be completed."""
        return _summed(self.contexts, _limbs(self.completed(weighted=weighted)), self.width)

    def factors(self) -> int:
        """Return what the weights of all rows, here and in the parts, were divided by."""
        return self.factor * prod(part.factors() for _, part in self.parts)

    def draw(self, context: int, random: Random, *, weighted: bool) -> Iterator[tuple[int, int]]:
        """Yield variables with their values in a random world of a context."""
        if weighted not in self.drawn:
            ways = self.completed(weighted=weighted).tolist()
            self.drawn[weighted] = list(accumulate(ways, initial=0))
        sums = self.drawn[weighted]
        first, last = self.contexts.searchsorted([context, context + 1]).tolist()
        row = bisect_right(sums, random.randrange(sums[first], sums[last])) - 1
        yield from ((i, int(self.known[i][row])) for i in self.own)
        for at, part in self.parts:
            yield from part.draw(int(at[row]), random, weighted=weighted)


class _Lists:
    """Makes the lists of a model, or of some of its statements.

    With a limit, only a sample of the rows is extended, and ``steps`` estimates those of all; it is
    undecided where these exceed the limit.
    """

    def __init__(
        self,
        model: Model,
        meter: Meter,
        selection: Sequence[Statement] | None = None,
        together: Collection[int] = (),
        limit: float = inf,
    ) -> None:
        import numpy as np

        self.model, self.meter, self.limit, self.steps = model, meter, limit, 0.0
        bounds = Bounds(model, selection, meter)
        left = bounds.narrow(bounds.start)
        self.values = [
            [] if left == IMPOSSIBLE else list(positions(model.domain(left, i)))
            for i in range(len(model.variables))
        ]
        statements = model.statements if selection is None else selection
        weights = [max(s.weigh.weights) for s in statements if s.weigh]
        self.wide = sum(weight.bit_length() for weight in weights) // WIDE
        """Steps that the weight of a row takes."""
        conditions = [*_conditions(model, statements)]
        if together:
            conditions.append(_Condition([*together]))
        self.ranges = {
            condition: {i: self._range(i, levels) for i, levels in condition.terms.items()}
            for condition in conditions
        }
        self.of: list[list[_Condition]] = [[] for _ in self.values]
        for condition in conditions:
            for i in condition.scope:
                self.of[i].append(condition)
        sums = {c: c.start() for c in conditions if c.terms or c.weigh}
        self.first = _Branch(np.zeros(1, dtype=np.int64), {}, conditions, sums)
        fixed = [i for i, values in enumerate(self.values) if len(values) < 2]
        others = [i for i in range(len(self.values)) if i not in fixed]
        self._fill(self.first, fixed, 1.0, MAX_DEPTH)
        self._fill(self.first, others, 1.0, 0)

    def _range(self, i: int, levels: Levels) -> tuple[int, int]:
        """Return the least and the greatest amount of the values that are left."""
        left = sum(1 << value for value in self.values[i])
        amounts = [amount for amount, mask in levels if mask & left] or [0]
        return amounts[0], amounts[-1]

    def _fill(self, branch: _Branch, variables: list[int], share: float, depth: int) -> None:
        """Extend the rows of a branch by variables, and by branches where these fall apart."""
        while variables:
            pieces = [variables] if depth >= MAX_DEPTH else self._pieces(variables)
            if len(pieces) > 1 or (depth < MAX_DEPTH and self._is_repeated(branch)):
                for piece in sorted(pieces, key=len):
                    self._add_part(branch, piece, share, depth + 1)
                return
            now = self._next(branch, variables, share)
            variables = [i for i in variables if i != now]
            share *= self._extend(branch, now, share)
        self._pay(branch.size * self.wide, share)

    def _pay(self, steps: int, share: float) -> None:
        """Count some steps, for a sample of the rows."""
        self.meter.spend(1 + steps)
        self.steps += (1 + steps) * share
        if self.steps > self.limit:
            raise Undecided("a list of all worlds takes longer")

    def _next(self, branch: _Branch, variables: Sequence[int], share: float) -> int:
        """Return the variable to come next: where rows are many, one that hardly adds any."""
        import numpy as np

        if len(variables) == 1 or branch.size * share < MANY_ROWS:
            return variables[0]
        rows = np.arange(SAMPLED, dtype=np.int64) * branch.size // SAMPLED
        sample = _Branch(branch.contexts, branch.known, branch.open, branch.sums)
        sample.take(rows)
        numbers = {}
        for i in variables[:MAX_TRIED]:
            alive = self._alive(sample, i)
            numbers[i] = int(np.unpackbits(alive.view(np.uint8)).sum())
        return min(numbers, key=lambda i: numbers[i])

    def _pieces(self, variables: Sequence[int]) -> list[list[int]]:
        """Return the variables to come in parts that no condition connects."""
        self.meter.spend(1 + len(variables) // 8)
        pieces, left, seen = [], {*variables}, set[_Condition]()
        while left:
            piece, todo = [], [left.pop()]
            while todo:
                piece.append(todo.pop())
                for condition in self.of[piece[-1]]:
                    if condition not in seen:
                        seen.add(condition)
                        more = condition.rest & left
                        left -= more
                        todo += more
            pieces.append(sorted(piece))
        return pieces

    def _is_repeated(self, branch: _Branch) -> bool:
        """Return whether rows are many, and few of them differ in what the open conditions need."""
        import numpy as np

        if not branch.own or self.limit < inf or branch.size < MANY_ROWS:
            return False
        self.meter.spend(MANY_ROWS // 16)
        rows = np.random.default_rng(0).integers(branch.size, size=MANY_ROWS)
        columns = [column[rows] for part in branch.needed(branch.open) for column in part.values()]
        different, contexts = np.unique(rows), _alike(columns, MANY_ROWS)[1]
        return MANY_ROWS - len(contexts) > REPEATED * (MANY_ROWS - len(different))

    def _add_part(self, branch: _Branch, piece: list[int], share: float, depth: int) -> None:
        """Add a branch for some variables, and leave out the rows that it cannot extend."""
        import numpy as np

        mine = [c for c in branch.open if not c.rest.isdisjoint(piece)]
        branch.open = [c for c in branch.open if c.rest.isdisjoint(piece)]
        self.meter.spend(1 + branch.size // 16)
        values, sums = branch.needed(mine)
        branch.sums = {c: column for c, column in branch.sums.items() if c not in sums}
        at, first = _alike([*values.values(), *sums.values()], branch.size)
        part = _Branch(
            np.arange(len(first)),
            {i: column[first] for i, column in values.items()},
            mine,
            {c: column[first] for c, column in sums.items()},
        )
        self._fill(part, piece, share, depth)
        branch.parts.append((at, part))
        alive = np.zeros(len(first) + 1, dtype=bool)
        alive[part.contexts] = True
        if self.limit == inf and not alive[at].all():
            branch.take(alive[at].nonzero()[0])

    def _extend(self, branch: _Branch, now: int, share: float) -> float:
        """Extend the rows by a variable; return of how many times as many they are a sample."""
        import numpy as np

        values, size, before = self.values[now], branch.size, self.meter.steps
        if size * len(values) > MAX_CELLS:
            raise Undecided(f"{size:,} rows of values are too many to be extended")
        alive = self._alive(branch, now)
        octets = alive.view(np.uint8)
        truths = np.unpackbits(octets, axis=1, count=len(values), bitorder="little")
        rows, places = truths.view(bool).nonzero()
        columns = len(branch.known) + len(branch.sums)
        self.steps += (self.meter.steps - before) * share
        self._pay(len(rows) * (1 + columns // 4) // ROWS, share)
        grown = 1.0
        if self.limit < inf and len(rows) > MAX_SAMPLED:
            grown = len(rows) / MAX_SAMPLED
            sample = np.arange(MAX_SAMPLED, dtype=np.int64) * len(rows) // MAX_SAMPLED
            rows, places = rows[sample], places[sample]
        if len(rows) != size or (rows != np.arange(size)).any():
            branch.take(rows)
        branch.known[now] = np.array(values, dtype=np.min_scalar_type(self.model.width))[places]
        branch.own.append(now)
        for condition in branch.open:
            condition.rest.discard(now)
            if now in condition.terms:
                sums = branch.sums.pop(condition)
                if condition.rest or condition.weigh is not None:
                    adds = amounts_of(condition.terms[now], np.array(values, np.intp))
                    branch.sums[condition] = sums + adds.astype(sums.dtype)[places]
        branch.open = [condition for condition in branch.open if condition.rest]
        return grown

    def _alive(self, branch: _Branch, now: int) -> Column:
        """Return the values of the next variable with which the conditions may hold."""
        looks = Looks(branch.known, self.model.stride, now, self.values[now])
        alive = looks.packed(-1)[None, :].repeat(branch.size, axis=0)
        for condition in branch.open:
            if now in condition.rest:
                self.meter.spend(1 + alive.size // ROWS)
                self._exclude(branch, looks, condition, alive)
        return alive

    def _exclude(self, branch: _Branch, looks: Looks, condition: _Condition, alive: Column) -> None:
        """Leave out the values with which a condition cannot hold."""
        is_last = len(condition.rest) == 1
        if condition.node is not None and is_last:
            truth = looks.truth(condition.node)
            alive &= truth if condition.sign else ~truth
        elif condition.where is not None:
            form = condition.where
            if is_last or len(form.relation.rows) <= MAX_TABLE:
                alive &= looks.in_table(form.variables, form.relation.array)
        elif condition.terms and condition.weigh is None:
            ranges = [self.ranges[condition][i] for i in condition.rest if i != looks.now]
            low = condition.low - sum(most for _, most in ranges)
            high = condition.high - sum(least for least, _ in ranges)
            sums = branch.sums[condition]
            alive &= looks.within(sums, condition.terms[looks.now], low, high)


class Branches(Selective):
    """The engine that lists rows in branches. Cost: the number of rows."""

    name: ClassVar[str] = "worlds"

    def supports(self, model: Model, query: str) -> bool:
        """Return whether it answers a query: all but lists, numbers and ranked worlds."""
        answers = ("solve", "possible", "tally", "total", "joint", "sample")
        return query in answers and has_arrays()

    def solve(
        self, model: Model, meter: Meter, selection: Sequence[Statement] | None = None
    ) -> World | None:
        """Return a world that satisfies the selected statements, or ``None``."""
        first = _lists(model, meter) if selection is None else _Lists(model, meter, selection).first
        if not _total(first, weighted=False):
            return None
        return _drawn(model, first, Random(0), weighted=False)

    def tally(self, model: Model, meter: Meter, *, weighted: bool) -> Tally:
        """Return the number (or weight) of all worlds, in all and by variable and value."""
        first = _lists(model, meter)
        total = _total(first, weighted=weighted)
        scale = _scale(model, first, weighted=weighted)
        of: dict[Any, dict[Any, Weight]] = {}
        for branch, limbs in first.spread(_whole([1]), weighted=weighted) if total else ():
            for i in branch.own:
                meter.spend(1 + branch.size // ROWS)
                sums = _summed(branch.known[i], limbs, model.width).tolist()
                rows = zip(model.values[i], sums, strict=False)
                of[model.variables[i]] = {value: scale(n) for value, n in rows if n}
        return Tally(scale(total), {variable: of[variable] for variable in model.variables if of})

    def total(self, model: Model, meter: Meter, *, weighted: bool) -> Weight:
        """Return the number (or weight) of all worlds."""
        first = _lists(model, meter)
        total = _total(first, weighted=weighted)
        return _scale(model, first, weighted=weighted)(total)

    def joint(
        self, model: Model, meter: Meter, questions: Sequence[Question], *, weighted: bool
    ) -> Joint:
        """Return the number (or weight) of worlds for each combination of answers that occurs."""
        literals = [
            [
                (n, model.index[i], model.mask(values))
                for n, of in enumerate(q.values())
                for i, values in of
            ]
            for q in questions
        ]
        asked = {i for each in literals for _, i, _ in each}
        for first in (_lists(model, meter), None):
            first = first or _Lists(model, meter, together=asked).first
            if not _total(first, weighted=weighted):
                return {}
            scale = _scale(model, first, weighted=weighted)
            for branch, limbs in first.spread(_whole([1]), weighted=weighted):
                if asked <= branch.known.keys():
                    meter.spend(1 + branch.size * sum(map(len, literals)) // ROWS)
                    columns = [
                        sum(n * is_one(mask, branch.known[i]) for n, i, mask in each)
                        for each in literals
                    ]
                    at, rows = _alike(columns, branch.size)
                    sums = _summed(at, limbs, len(rows)).tolist()
                    labels = [
                        [labels[n] for n in column[rows].tolist()]
                        for labels, column in zip(map(list, questions), columns, strict=True)
                    ]
                    answers = zip(*labels, strict=True) if labels else [()]
                    return {row: scale(n) for row, n in zip(answers, sums, strict=True) if n}
        raise AssertionError("variables that are kept together are in one list")

    def sample(
        self, model: Model, meter: Meter, number: int, random: Random, *, weighted: bool
    ) -> Sequence[World]:
        """Return independent worlds, drawn uniformly or by weight; empty when there is none."""
        meter.spend(number * len(model.variables))  # before the lists are made, which are kept
        first = _lists(model, meter)
        if not _total(first, weighted=weighted):
            return []
        return [_drawn(model, first, random, weighted=weighted) for _ in range(number)]


def can_list(model: Model, meter: Meter, steps: int) -> bool:
    """Return whether the lists take no more steps than this, as a few of their rows grow."""
    try:
        return _Lists(model, meter, limit=steps).steps <= steps
    except Undecided:
        return False


def _lists(model: Model, meter: Meter) -> _Branch:
    model.joined = model.joined or _Lists(model, meter).first
    first: _Branch = model.joined
    return first


def _total(first: _Branch, *, weighted: bool) -> int:
    return int(first.total(weighted=weighted)[0])


def _scale(model: Model, first: _Branch, *, weighted: bool) -> Callable[[int], Weight]:
    """Return what makes a weight of a sum of rows."""
    scale = prod(s.weigh.scale for s in model.statements if s.weigh) if weighted else 1
    factor = Fraction(first.factors(), scale) if weighted else 1
    return lambda number: number * factor


def _drawn(model: Model, first: _Branch, random: Random, *, weighted: bool) -> World:
    values = first.draw(0, random, weighted=weighted)
    return model.world(sum(1 << i * model.stride + value for i, value in values))


def _conditions(model: Model, statements: Iterable[Statement]) -> Iterator[_Condition]:
    """Yield what must hold, in parts that are as small as they can be."""
    for statement in statements:
        form, weigh = statement.form, statement.weigh
        if weigh is not None:
            yield _linear(weigh.terms, 0, 0, weigh)
        if isinstance(form, CompiledCount):
            terms = [(i, ((0, model.domains[i] & ~mask), (1, mask))) for i, mask in form.terms]
            yield _linear(terms, form.low, form.high)
        elif isinstance(form, CompiledSum):
            yield _linear(form.terms, form.low, form.high)
        elif isinstance(form, CompiledWhere):
            yield _Condition(form.variables, where=form)
        elif form is not None:
            for node, sign in conjuncts(form.root):
                if isinstance(node, Linear) and sign:
                    yield _linear(node.terms, node.low, node.high)
                else:
                    yield _Condition(CompiledLogic(node).variables, node=node, sign=sign)


def _linear(
    terms: Sequence[tuple[int, Levels]], low: int, high: int, weigh: CompiledWeigh | None = None
) -> _Condition:
    return _Condition([i for i, _ in terms], dict(terms), low, high, weigh)


def _alike(columns: Sequence[Column], size: int) -> tuple[Column, Column]:
    """Return a number for each row, the same where all columns are, and the first row of each."""
    import numpy as np

    code, _ = codes_of(columns, size)
    _, first, at = np.unique(code, return_index=True, return_inverse=True)
    return at, first


def _limbs(weights: Column) -> Limbs:
    """Return whole numbers in parts that are added without rounding."""
    largest, size = int(weights.max(initial=0)).bit_length(), len(weights).bit_length()
    if largest + size <= EXACT_BITS:
        return [(0, weights.astype(float))]
    bits = EXACT_BITS - size
    mask = (1 << bits) - 1
    return [(at, ((weights >> at) & mask).astype(float)) for at in range(0, largest, bits)]


def _summed(groups: Column, limbs: Limbs, number: int) -> Column:
    """Return the sum of the weights of each group, exactly."""
    import numpy as np

    groups = groups.astype(np.intp)
    (_, first), *others = [(at, np.bincount(groups, limb, number)) for at, limb in limbs]
    sums = first.astype(np.int64)
    for at, more in others:
        sums = sums + (more.astype(np.int64).astype(object) << at)
    return sums


def _product(one: Column, other: Column) -> Column:
    """Return the products of whole numbers, as Python's where they may be too large for arrays."""
    largest = int(one.max(initial=0)) * int(other.max(initial=0))
    if largest > MAX_AMOUNT and object not in (one.dtype, other.dtype):
        one = one.astype(object)
    return one * other


def _whole(numbers: Sequence[int]) -> Column:
    import numpy as np

    return np.array(numbers, dtype=np.int64 if max(numbers) <= MAX_AMOUNT else object)
