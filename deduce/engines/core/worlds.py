"""A list of worlds in columns: which statements hold in each, and which worlds look alike.

What a player knows is a matter of sets of worlds: those that look the same to the player. Here the
worlds of a model are listed once, with a column of small numbers for each variable, and a set of
them is a *mask*. Where numpy is installed, columns are arrays and masks are arrays of truths;
otherwise columns are lists and masks are whole numbers with a bit for each world. Both have the
same methods, and masks of both are combined by ``&``, ``|`` and ``^``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any, ClassVar, TypeAlias

from attrs import define, field, frozen

from deduce.budget import Meter
from deduce.constraints import Tabulated, Value
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds, search
from deduce.engines.core.logic import Among, Levels, Linear, Listed, Literal, Node
from deduce.engines.core.masks import positions
from deduce.engines.core.model import (
    CompiledCount,
    CompiledSum,
    CompiledWeigh,
    CompiledWhere,
    Later,
    Model,
    Statement,
)
from deduce.errors import Undecided
from deduce.system.arrays import has_arrays

__all__ = [
    "Column",
    "Left",
    "Literals",
    "Looks",
    "Mask",
    "View",
    "Worlds",
    "amounts_of",
    "codes_of",
    "is_one",
    "worlds_left",
    "worlds_of",
]

Mask: TypeAlias = Any
"""A set of worlds: an array of truths, or a whole number with a bit for each world."""

Column: TypeAlias = Any
"""A small number for each world, in their order: an array or a list."""

View: TypeAlias = Any
"""Which worlds look alike to a player: a column of the looks, or the variables that are not seen.
"""

MAX_PRODUCT = 1 << 22
"""Up to this number of combinations of values an array of them is filtered; more are searched."""

MAX_TABLE = 4096
"""Up to this number of codes, or one for each row, what a table allows is looked up by the code."""

MAX_AMOUNT = 1 << 62
"""Amounts that may add up to more do not fit an array."""

Literals: TypeAlias = Mapping[Any, Sequence[tuple[Any, frozenset[Any]]]]
"""Answers, each with the literals that stand for it (`deduce.engines.base.Question`)."""


class Worlds:
    """The worlds of a model, in lists.

    Parameters
    ----------
    model
        Whose worlds; its statements hold in all of them.
    states
        The worlds, as complete states of the model.
    """

    def __init__(self, model: Model, states: Iterable[int]) -> None:
        self._begin(model)
        self._states = list(states)
        self.size = len(self._states)
        self.all: Mask = (1 << self.size) - 1
        """The set of all worlds."""

    def _begin(self, model: Model) -> None:
        self.model = model
        self._masks: dict[Statement, Mask] = {}
        self._always = frozenset(model.statements)

    # Sets of worlds

    def number(self, mask: Mask) -> int:
        """Return how many worlds are in a set."""
        return int(mask.bit_count())

    def indices(self, mask: Mask) -> Sequence[int]:
        """Return the places of the worlds in a set."""
        return list(positions(mask))

    def states(self, mask: Mask) -> Iterator[int]:
        """Yield the worlds in a set, as states of the model."""
        return (self._states[place] for place in self.indices(mask))

    def gathered(self, truths: Iterable[bool]) -> Mask:
        """Return the set of the worlds for which a truth is true; there is one for each world."""
        return int("".join("1" if truth else "0" for truth in truths)[::-1] or "0", 2)

    def holding(self, statement: Statement) -> Mask:
        """Return the worlds in which a statement of a model of these variables holds.

        A likelihood holds in all of them.
        """
        if statement in self._always:
            return self.all
        mask = self._masks.get(statement)
        if mask is None:
            left = worlds_left(statement)
            mask = left.mask if left and left.worlds is self else self._holding(statement)
            self._masks[statement] = mask
        return mask

    def _holding(self, statement: Statement) -> Mask:
        satisfied = self.model.satisfied
        return self.gathered(satisfied(statement, state) for state in self.states(self.all))

    # Columns

    def column(self, variable: int) -> Column:
        """Return the value of a variable in each world, by its place among all values."""
        domain = self.model.domain
        return [domain(state, variable).bit_length() - 1 for state in self._states]

    def truths(self, mask: Mask) -> Column:
        """Return a column with 1 for the worlds of a set and 0 for the others."""
        return [mask >> place & 1 for place in range(self.size)]

    def answers(self, question: Literals) -> tuple[Column, bool]:
        """Return the number of the answer of a question in each world.

        The second value is whether exactly one answer holds in every world.
        """
        place_of, mask_of = self.model.index, self.model.mask
        literals = [
            (label, place_of[variable], mask_of(values))
            for label, meaning in enumerate(question.values())
            for variable, values in meaning
        ]
        ones = self.summed((i, ((1, mask),)) for _, i, mask in literals)
        column = self.summed((i, ((label, mask),)) for label, i, mask in literals)
        return column, all(number == 1 for (number,) in self.groups([ones], self.all))

    def numbers(self, weigh: CompiledWeigh) -> Column:
        """Return the number by which a likelihood weighs each world."""
        return self.summed(weigh.terms)

    def summed(self, terms: Iterable[tuple[int, Levels]]) -> Column:
        """Return the sum of the amounts of the values in each world."""
        amounts = [0] * self.size
        for variable, levels in terms:
            for place, value in enumerate(self.column(variable)):
                amounts[place] += sum(amount for amount, mask in levels if mask >> value & 1)
        return amounts

    def replaced(self, column: Column, numbers: Sequence[int]) -> Column:
        """Return the numbers at the places that a column names."""
        return [numbers[place] for place in column]

    def holding_value(self, column: Column, number: int) -> Mask:
        """Return the worlds that have a number in a column."""
        return self.gathered(each == number for each in column)

    def view(self, columns: Sequence[Column], variables: Collection[int] | None) -> View:
        """Return what a player sees: these columns; ``variables`` if they are all of variables."""
        return self.alike(columns)

    def alike(self, columns: Sequence[Column]) -> Column:
        """Return a number for each world, the same where the values of all columns are the same."""
        known: dict[tuple[int, ...], int] = {}
        rows = zip(*columns, strict=True) if columns else [()] * self.size
        return [known.setdefault(row, len(known)) for row in rows]

    def linked(self, views: Sequence[View], among: Mask) -> View:
        """Return a number for each world, the same for worlds that a chain of views connects.

        The worlds of a chain are in ``among``, and each looks like the next in one of the views.
        """
        column = list(range(self.size))
        places = self.indices(among)
        before: list[int] = []
        while column != before:
            before = list(column)
            for view in views:
                least: dict[int, int] = {}
                for place in places:
                    least[view[place]] = min(least.get(view[place], self.size), column[place])
                for place in places:
                    column[place] = least[view[place]]
        return column

    def known(self, view: View, answers: Column, among: Mask) -> Mask:
        """Return the worlds of ``among`` that look, in a view, only like worlds with one answer."""
        first: dict[int, int] = {}
        places = self.indices(among)
        several = {
            view[place]
            for place in places
            if first.setdefault(view[place], answers[place]) != answers[place]
        }
        mask = 0
        for place in places:
            mask |= (view[place] not in several) << place
        return mask

    def groups(self, columns: Sequence[Column], mask: Mask) -> Mapping[tuple[int, ...], int]:
        """Return how many worlds of a set have each combination of values of columns."""
        return Counter(tuple(column[place] for column in columns) for place in self.indices(mask))


@frozen
class _Unseen:
    """The view of a player who sees all variables but some, which are axes of a grid."""

    axes: tuple[int, ...]


class _ArrayWorlds(Worlds):
    """The worlds of a model, in arrays.

    Parameters
    ----------
    columns
        The value of each variable, by its place among all values.
    shape
        How many values each variable has, if the columns have all combinations of them, in order;
        only some of these are worlds then.
    """

    def __init__(
        self, model: Model, columns: Sequence[Column], shape: tuple[int, ...] | None = None
    ) -> None:
        import numpy as np

        self._begin(model)
        self.size, self._columns, self._shape = len(columns[0]), columns, shape
        self.all: Mask = np.ones(self.size, dtype=bool)

    def filtered(self) -> Worlds:
        """Return the worlds in which all statements of the model hold, of those here.

        Where that are most of all combinations of values, these stay as they are, because views are
        then quick to examine.
        """
        statements, self._always = self._always, frozenset()
        for statement in statements:
            self.all = self.all & self.holding(statement)
        if 4 * self.number(self.all) < self.size:
            return _ArrayWorlds(self.model, [column[self.all] for column in self._columns])
        self._masks, self._always = {}, statements
        return self

    def number(self, mask: Mask) -> int:
        return int(mask.sum())

    def indices(self, mask: Mask) -> Sequence[int]:
        places: Sequence[int] = mask.nonzero()[0]
        return places

    def states(self, mask: Mask) -> Iterator[int]:
        stride = self.model.stride
        columns = [column[mask].tolist() for column in self._columns]
        for row in zip(*columns, strict=True):
            yield sum(1 << i * stride + place for i, place in enumerate(row))

    def gathered(self, truths: Iterable[bool]) -> Mask:
        import numpy as np

        mask = np.zeros(self.size, dtype=bool)
        mask[self.all] = np.fromiter(truths, dtype=bool)
        return mask

    def _holding(self, statement: Statement) -> Mask:
        mask = _holding(self.model, statement, self._columns)
        return super()._holding(statement) if mask is None else mask & self.all

    def column(self, variable: int) -> Column:
        return self._columns[variable]

    def truths(self, mask: Mask) -> Column:
        import numpy as np

        return mask.view(np.uint8)

    def summed(self, terms: Iterable[tuple[int, Levels]]) -> Column:
        return _added(terms, dict(enumerate(self._columns)), self.size)

    def replaced(self, column: Column, numbers: Sequence[int]) -> Column:
        import numpy as np

        return np.array(numbers, dtype=np.int64)[column]

    def holding_value(self, column: Column, number: int) -> Mask:
        return column == number

    def view(self, columns: Sequence[Column], variables: Collection[int] | None) -> View:
        if self._shape is None or variables is None:
            return self.alike(columns)
        return _Unseen(tuple(i for i, n in enumerate(self._shape) if n > 1 and i not in variables))

    def alike(self, columns: Sequence[Column]) -> Column:
        return _numbered(columns, self.size)

    def linked(self, views: Sequence[View], among: Mask) -> Column:
        import numpy as np

        now = np.where(among, np.arange(self.size), self.size)
        before = None
        while before is None or (now != before).any():
            before = now
            for view in views:
                now = np.where(among, self._spread(np.minimum, view, now, self.size), self.size)
        return now

    def known(self, view: View, answers: Column, among: Mask) -> Mask:
        import numpy as np

        if not isinstance(view, _Unseen):
            here = among.nonzero()[0]
            seen, given = view[here], answers[here]
            first = np.zeros(int(seen.max(initial=0)) + 1, dtype=given.dtype)
            first[seen] = given
            several = np.zeros(len(first), dtype=bool)
            several[seen[first[seen] != given]] = True
            mask = np.zeros(self.size, dtype=bool)
            mask[here] = ~several[seen]
            return mask
        largest = np.iinfo(answers.dtype).max
        least = self._spread(np.minimum, view, np.where(among, answers, largest), largest)
        most = self._spread(np.maximum, view, np.where(among, answers, 0), 0)
        return among & (least == most)

    def _spread(self, least: Any, view: View, column: Column, start: int) -> Column:
        """Return the least (or largest) number of the worlds that look like each, in a view."""
        import numpy as np

        if not isinstance(view, _Unseen):
            table = np.full(int(view.max(initial=0)) + 1, start, dtype=column.dtype)
            least.at(table, view, column)
            return table[view]
        assert self._shape is not None
        shape = list(self._shape)
        for axis in view.axes:
            grid = column.reshape(prod(shape[:axis]), shape[axis], -1)
            column = grid[:, 0]
            for value in range(1, shape[axis]):
                column = least(column, grid[:, value])
            shape[axis] = 1
        axes = [axis for axis, size in enumerate(self._shape) if size > 1]  # numpy has at most 64
        small, whole = ([sizes[axis] for axis in axes] for sizes in (shape, self._shape))
        return np.broadcast_to(column.reshape(small), whole).reshape(-1)

    def groups(self, columns: Sequence[Column], mask: Mask) -> Mapping[tuple[int, ...], int]:
        import numpy as np

        taken = [column[mask] for column in columns]
        if not taken:
            return {(): self.number(mask)} if mask.any() else {}
        code = _numbered(taken, len(taken[0]))
        counts = np.bincount(np.asarray(code, np.intp))
        places, example = counts.nonzero()[0], np.zeros(len(counts), np.intp)
        example[code] = np.arange(len(code))
        rows = zip(*(column[example[places]].tolist() for column in taken), strict=True)
        return dict(zip(rows, counts[places].tolist(), strict=True))


@frozen(eq=False)
class Left(Tabulated):
    """The predicate that a world is one of a list: what is left after a statement.

    Parameters
    ----------
    worlds
        The list; the values are those of all variables, in the order of its model.
    mask
        Those which are left.
    """

    is_complete: ClassVar[bool] = True

    worlds: Worlds = field(repr=False)
    mask: Mask = field(repr=False)

    def __call__(self, *values: Value) -> bool:
        """Return whether the world with these values is left."""
        return values in self.rows

    def opposite(self) -> Left:
        """Return the predicate that a world of the list is not left."""
        return Left(self.worlds, self.mask ^ self.worlds.all)

    @cached_property
    def rows(self) -> frozenset[tuple[Value, ...]]:
        """The worlds that are left, as rows of values."""
        model = self.worlds.model
        worlds = map(model.world, self.worlds.states(self.mask))
        return frozenset(tuple(world.values()) for world in worlds)


def worlds_left(statement: Statement) -> Left | None:
    """Return the predicate of a statement that has a list of worlds; ``None`` for any other."""
    form = statement.form
    rows = form.relation.rows if isinstance(form, CompiledWhere) else None
    made = rows.predicate if isinstance(rows, Later) else None
    return made if isinstance(made, Left) else None


def worlds_of(model: Model, meter: Meter) -> Worlds:
    """Return the worlds of a model.

    Cost: the number of the combinations of values that propagation leaves, in arrays, if these are
    not too many; else a search for each world.

    Raises
    ------
    Undecided
        They are too many for the budget.
    """
    bounds = Bounds(model, meter=meter)
    left = bounds.narrow(bounds.start)
    states: Iterable[int] = ()
    if left != IMPOSSIBLE:
        places = [list(positions(model.domain(left, i))) for i in range(len(model.variables))]
        shape = tuple(map(len, places))
        if has_arrays() and prod(shape) <= MAX_PRODUCT:
            meter.spend(prod(shape) // 64 * (len(shape) + len(model.statements)))
            return _ArrayWorlds(model, _grid(model, places), shape).filtered()
        states = search(bounds, left, meter=meter)
    if not has_arrays():
        return Worlds(model, _metered(states, len(model.variables), meter))
    import numpy as np

    columns: list[list[int]] = [[] for _ in model.variables]
    for state in _metered(states, len(model.variables), meter):
        for i, column in enumerate(columns):
            column.append(model.domain(state, i).bit_length() - 1)
    return _ArrayWorlds(model, [np.array(column, dtype=_type(model)) for column in columns])


def _metered(states: Iterable[int], cost: int, meter: Meter) -> Iterator[int]:
    for state in states:
        meter.spend(cost)
        yield state


def _type(model: Model) -> Any:
    """Return the type of a column: the smallest that the places of all values fit."""
    import numpy as np

    return np.min_scalar_type(model.width)


def _grid(model: Model, places: Sequence[Sequence[int]]) -> list[Column]:
    """Return the columns of all combinations of values, the last variable changing fastest."""
    import numpy as np

    size = prod(map(len, places))
    columns, done = [], 1
    for values in places:
        done *= len(values)
        column = np.array(values, dtype=_type(model)).repeat(size // done)
        columns.append(np.tile(column, done // len(values)))
    return columns


def _holding(model: Model, statement: Statement, columns: Sequence[Column]) -> Mask | None:
    """Return where a statement holds; ``None`` where arrays do not serve."""
    import numpy as np

    mask = np.ones(len(columns[0]), dtype=bool)
    if statement.keep != -1:
        outside = model.start & ~statement.keep
        for i in range(len(columns)):
            if values := model.domain(outside, i):
                mask &= ~is_one(values, columns[i])
    if statement.form is None:
        return mask
    looks, form = Looks(dict(enumerate(columns)), model.stride), statement.form
    try:
        if isinstance(form, CompiledCount):
            terms = [(i, ((0, 0), (1, values))) for i, values in form.terms]
            found = looks.between(terms, form.low, form.high)
        elif isinstance(form, CompiledSum):
            found = looks.between(form.terms, form.low, form.high)
        elif isinstance(form, CompiledWhere):
            found = looks.in_table(form.variables, form.relation.array)
        else:
            found = looks.truth(form.root)
    except Undecided:
        return None
    return mask & (found if found.ndim == 1 else (found[:, 0] & 1).astype(bool))


@define(eq=False, slots=False)
class Looks:
    """Rows of values, with sets of values of the next variable: a bit for each, in words.

    Without a next variable, a set has one bit.

    Parameters
    ----------
    known
        The columns of values, by variable.
    stride
        That of the model.
    now, values
        The next variable, and its values.
    """

    known: Mapping[int, Column]
    stride: int
    now: int = -1
    values: Sequence[int] = (0,)
    truths: dict[Literal, Column] = field(factory=dict)
    masks: dict[int, Column] = field(factory=dict)

    def packed(self, mask: int) -> Column:
        """Return the values of a mask, as bits."""
        import numpy as np

        if mask not in self.masks:
            bits = sum(1 << n for n, value in enumerate(self.values) if mask >> value & 1)
            size = next((n for n in (1, 2, 4) if len(self.values) <= 8 * n), 8)
            words = (len(self.values) - 1) // 64 + 1
            octets = bits.to_bytes(words * size, "little")
            self.masks[mask] = np.frombuffer(octets, dtype=f"<u{size}")
        return self.masks[mask]

    @cached_property
    def by_value(self) -> Column:
        """The bit of each value."""
        import numpy as np

        every = self.packed(-1)
        truths = np.zeros((self.stride, 8 * every.nbytes), dtype=np.uint8)
        truths[self.values, range(len(self.values))] = 1
        return np.packbits(truths, axis=1, bitorder="little").view(every.dtype)

    def within(self, sums: Column, levels: Levels, low: int, high: int) -> Column:
        """Return the values with which a sum so far is between two bounds."""
        import numpy as np

        found = self.packed(0)[None, :]
        for amount, mask in levels:
            fits = (low - amount <= sums) & (sums <= high - amount)
            found = found | np.where(fits[:, None], self.packed(mask), self.packed(0))
        return found

    def in_table(self, variables: Sequence[int], rows: Column) -> Column:
        """Return the values that are in a row of a table with the values of the row so far."""
        import numpy as np

        code, own, size = np.zeros(len(rows), dtype=np.int64), np.zeros(1, dtype=np.int64), 1
        for i, column in zip(variables, rows.T, strict=True):
            if i in self.known:
                width = int(max(column.max(initial=0), self.known[i].max(initial=0))) + 1
                size *= width
                if size > MAX_AMOUNT:
                    raise Undecided("a table is too wide for a list of rows")
                code, own = code * width + column, own * width + self.known[i]
        if size > max(MAX_TABLE, len(own)):
            codes, code = np.unique(code, return_inverse=True)
            at, size = codes.searchsorted(own), len(codes) + 1
            own = np.where(np.append(codes, -1)[at] == own, at, len(codes))
        table = self.packed(0)[None, :].repeat(size, axis=0)
        bits = self.packed(-1)[None, :]
        if self.now in variables:
            column = rows[:, variables.index(self.now)]
            bits = self.by_value[column]
        np.bitwise_or.at(table, code, bits)
        return table[own]

    def truth(self, node: Node) -> Column:
        """Return the values with which a condition holds, of which all other values are known.

        Where it does not depend on the next variable, that may be whether it holds in each row.
        """
        import numpy as np

        if isinstance(node, Literal):
            if node.variable == self.now:
                return self.packed(node.mask)[None, :]
            if node not in self.truths:
                self.truths[node] = is_one(node.mask, self.known[node.variable])
            return self.truths[node]
        if isinstance(node, Linear):
            return self.between(node.terms, node.low, node.high)
        if isinstance(node, Listed):
            rows = [
                [((row & of) >> i * self.stride).bit_length() - 1 for i, of in fields]
                for fields in [tuple(zip(node.variables, node.fields, strict=True))]
                for row in node.table.rows
            ]
            table = np.array(rows, dtype=np.int64).reshape(-1, len(node.variables))
            return self.in_table(node.variables, table)
        return self._among(node)

    def between(self, terms: Sequence[tuple[int, Levels]], low: int, high: int) -> Column:
        """Return the values with which a sum is between two bounds."""
        import numpy as np

        ends = [(of[0][0], of[-1][0]) for _, of in terms]
        if sum(max(map(abs, both)) for both in ends) > MAX_AMOUNT:
            raise Undecided("some amounts are too large for a list of rows")
        least, most = sum(first for first, _ in ends), sum(last for _, last in ends)
        sums, levels = np.zeros(1, dtype=np.int64), dict(terms).get(self.now, ((0, -1),))
        for i, of in terms:
            if i != self.now:
                sums = sums + amounts_of(of, self.known[i])
        return self.within(sums, levels, max(low, least), min(high, most))

    def _among(self, node: Among) -> Column:
        import numpy as np

        number = len(node.parts)
        low, high, flip = max(node.low, 0), min(node.high, number), False
        if low > high or number <= high - low:
            return self.packed(0 if low > high else -1)[None, :]
        if low > number - high:
            low, high, flip = number - high, number - low, True
        most = high + 1 if high < number else low
        reached: list[Column] = [self.packed(-1)[None, :]]
        """At n: the values for which at least n of the parts that depend on the value hold."""
        others: Column = np.zeros(1, dtype=np.min_scalar_type(number))
        """How many of the other parts hold."""
        for part, sign in node.parts:
            truth = self.truth(part)
            truth = truth if sign != flip else ~truth
            if truth.ndim == 1:
                others = others + truth
                continue
            reached += [self.packed(0)[None, :]] if len(reached) <= most else []
            for at in reversed(range(1, len(reached))):
                reached[at] = reached[at] | reached[at - 1] & truth
        if len(reached) == 1:
            return (low <= others) & (others <= high)

        def at_least(wanted: int) -> Column:
            """Return the values for which at least ``wanted`` parts hold."""
            found = self.packed(0)[None, :]
            for of, values in enumerate(reached[: wanted + 1]):
                enough = others + of >= wanted
                found = found | np.where(enough[:, None], values, self.packed(0))
            return found

        return at_least(low) if high == number else at_least(low) & ~at_least(high + 1)


def codes_of(columns: Sequence[Column], size: int) -> tuple[Column, int]:
    """Return a number for each of some rows, the same where all columns are, and a bound."""
    import numpy as np

    code, width = np.zeros(size, dtype=np.int64), 1
    for column in columns:
        least = int(column.min(initial=0))
        column = column.astype(np.int64) - least if least else column
        span = int(column.max(initial=0)) + 1
        if width * span > MAX_AMOUNT:
            code, width = np.unique(code, return_inverse=True)[1].astype(np.int64), size
        if width * span > MAX_AMOUNT:
            column, span = np.unique(column, return_inverse=True)[1], size
        code, width = code * span + column, width * span
    return code, width


def _numbered(columns: Sequence[Column], size: int) -> Column:
    """Return a number for each of some rows, the same where all columns are; none is very large."""
    import numpy as np

    code, bound = codes_of(columns, size)
    return code if bound <= 8 * size + 1024 else np.unique(code, return_inverse=True)[1]


def is_one(values: int, column: Column) -> Mask:
    """Return the worlds whose value is one of a mask."""
    return _truths(values, int(column.max(initial=0)) + 1)[column]


def amounts_of(levels: Levels, column: Column) -> Column:
    """Return the amount of the value of each world."""
    import numpy as np

    size = int(column.max(initial=0)) + 1
    table = np.zeros(size, dtype=np.int64)
    for amount, mask in levels:
        table[_truths(mask, size)] = amount
    return table[column]


def _truths(mask: int, size: int) -> Mask:
    """Return which of the first places a mask has."""
    import numpy as np

    octets = (mask & (1 << size) - 1).to_bytes((size + 7) // 8, "little")
    bits = np.unpackbits(np.frombuffer(octets, np.uint8), count=size, bitorder="little")
    return bits.view(bool)


def _added(terms: Iterable[tuple[int, Levels]], columns: Mapping[int, Column], size: int) -> Column:
    import numpy as np

    amounts = np.zeros(size, dtype=np.int64)
    for i, levels in terms:
        amounts += amounts_of(levels, columns[i])
    return amounts
