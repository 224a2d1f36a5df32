"""A list of worlds in columns: which statements hold in each, and which worlds look alike.

What a player knows is a matter of sets of worlds: those that look the same to the player. Here the
worlds of a model are listed once, with a column of small numbers for each variable, and a set of
them is a *mask*. Where numpy is installed, columns are arrays and masks are arrays of truths;
otherwise columns are lists and masks are whole numbers with a bit for each world. Both have the
same methods, and masks of both are combined by ``&``, ``|`` and ``^``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from math import prod
from typing import Any, ClassVar, TypeAlias

from attrs import field, frozen

from deduce.budget import Meter
from deduce.constraints import Tabulated, Value
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds, search
from deduce.engines.core.masks import positions
from deduce.engines.core.model import (
    CompiledCount,
    CompiledSum,
    CompiledWeigh,
    CompiledWhere,
    Levels,
    Model,
    Packed,
    Statement,
)

__all__ = ["Column", "Left", "Literals", "Mask", "Worlds", "worlds_left", "worlds_of"]

Mask: TypeAlias = Any
"""A set of worlds: an array of truths, or a whole number with a bit for each world."""

Column: TypeAlias = Any
"""A small number for each world, in their order: an array or a list."""

MAX_PRODUCT = 1 << 23
"""Up to this number of combinations of values an array of them is filtered; more are searched."""

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

    def _begin(self, model: Model) -> None:
        self.model = model
        self._masks: dict[Statement, Mask] = {}
        self._always = frozenset(model.statements)

    # Sets of worlds

    @cached_property
    def all(self) -> Mask:
        """The set of all worlds."""
        return (1 << self.size) - 1

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

    def holding_value(self, column: Column, number: int) -> Mask:
        """Return the worlds that have a number in a column."""
        return self.gathered(each == number for each in column)

    def alike(self, columns: Sequence[Column]) -> Column:
        """Return a number for each world, the same where the values of all columns are the same."""
        known: dict[tuple[int, ...], int] = {}
        rows = zip(*columns, strict=True) if columns else [()] * self.size
        return [known.setdefault(row, len(known)) for row in rows]

    def linked(self, views: Sequence[Column], among: Mask) -> Column:
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

    def known(self, view: Column, answers: Column, among: Mask) -> Mask:
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


class _ArrayWorlds(Worlds):
    """The worlds of a model, in arrays."""

    def __init__(self, model: Model, columns: Sequence[Column], size: int) -> None:
        self._begin(model)
        self.size, self._columns = size, columns

    @cached_property
    def all(self) -> Mask:
        import numpy as np

        return np.ones(self.size, dtype=bool)

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

        return np.fromiter(truths, dtype=bool, count=self.size)

    def _holding(self, statement: Statement) -> Mask:
        mask = _holding(self.model, statement, self._columns, len(self._columns))
        return super()._holding(statement) if mask is None else mask

    def column(self, variable: int) -> Column:
        return self._columns[variable]

    def truths(self, mask: Mask) -> Column:
        return mask

    def summed(self, terms: Iterable[tuple[int, Levels]]) -> Column:
        return _added(terms, self._columns, self.size)

    def holding_value(self, column: Column, number: int) -> Mask:
        return column == number

    def alike(self, columns: Sequence[Column]) -> Column:
        import numpy as np

        code: Column = np.zeros(self.size, dtype=np.uint32)
        size = 1
        for column in columns:
            width = int(column.max(initial=0)) + 1
            if size * width > 1 << 31:
                unique, code = np.unique(code, return_inverse=True)
                code, size = code.astype(np.uint32), len(unique)
            if size * width > 1 << 31:  # a column with more values than there can be worlds
                unique, column = np.unique(column, return_inverse=True)
                width = len(unique)
            code *= np.uint32(width)
            code += column.astype(np.uint32)
            size *= width
        if size > 8 * self.size + 1024:
            code = np.unique(code, return_inverse=True)[1].astype(np.uint32)
        return code

    def linked(self, views: Sequence[Column], among: Mask) -> Column:
        import numpy as np

        column = np.arange(self.size, dtype=np.int64)
        here = among.nonzero()[0]
        seen = [view[here] for view in views]
        now, before = column[here], None
        while before is None or (now != before).any():
            before = now
            for view in seen:
                least = np.full(int(view.max(initial=0)) + 1, self.size, dtype=np.int64)
                np.minimum.at(least, view, now)
                now = least[view]
        column[here] = now
        return column

    def known(self, view: Column, answers: Column, among: Mask) -> Mask:
        import numpy as np

        here = among.nonzero()[0]
        seen, given = view[here], answers[here]
        size = int(seen.max(initial=0)) + 1
        first = np.zeros(size, dtype=given.dtype)
        first[seen] = given
        several = np.zeros(size, dtype=bool)
        several[seen[first[seen] != given]] = True
        mask = np.zeros(self.size, dtype=bool)
        mask[here] = ~several[seen]
        return mask

    def groups(self, columns: Sequence[Column], mask: Mask) -> Mapping[tuple[int, ...], int]:
        import numpy as np

        taken = [column[mask] for column in columns]
        if not taken:
            return {(): self.number(mask)} if mask.any() else {}
        width = [int(column.max(initial=0)) + 1 for column in taken]
        if prod(width) > 1 << 62 or prod(width) > 4 * len(taken[0]) + 1024:
            rows, counts = np.unique(np.stack(taken), axis=1, return_counts=True)
            return dict(zip(map(tuple, rows.T.tolist()), counts.tolist(), strict=True))
        code = np.zeros(len(taken[0]), dtype=np.int64)
        for column, size in zip(taken, width, strict=True):
            code = code * size + column
        counts = np.bincount(code)
        places = counts.nonzero()[0]
        rows = np.stack(np.unravel_index(places, width), axis=1)
        return dict(zip(map(tuple, rows.tolist()), counts[places].tolist(), strict=True))


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
        return values in self._rows

    def rows(self) -> Iterable[tuple[Value, ...]]:
        """Return the worlds that are left, as rows of values."""
        return self._rows

    def opposite(self) -> Left:
        """Return the predicate that a world of the list is not left."""
        return Left(self.worlds, self.mask ^ self.worlds.all)

    @cached_property
    def _rows(self) -> frozenset[tuple[Value, ...]]:
        model = self.worlds.model
        worlds = map(model.world, self.worlds.states(self.mask))
        return frozenset(tuple(world.values()) for world in worlds)


def worlds_left(statement: Statement) -> Left | None:
    """Return the predicate of a statement that has a list of worlds; ``None`` for any other."""
    rows = statement.form.rows if isinstance(statement.form, CompiledWhere) else None
    made = rows.predicate if isinstance(rows, Packed) else None
    return made if isinstance(made, Left) else None


def worlds_of(model: Model, meter: Meter) -> Worlds:
    """Return the worlds of a model.

    Cost: the number of worlds, or in arrays that of the combinations of the values which
    propagation leaves, if these are not too many.

    Raises
    ------
    Undecided
        They are too many for the budget.
    """
    bounds = Bounds(model, meter=meter)
    left = bounds.narrow(bounds.start)
    arrays = find_spec("numpy") is not None
    states: Iterable[int] = ()
    if left != IMPOSSIBLE:
        sizes = (model.domain(left, i).bit_count() for i in range(len(model.variables)))
        if arrays and prod(sizes) <= MAX_PRODUCT:
            return _joined(model, left, meter)
        states = search(bounds, left, meter=meter)
    if not arrays:
        return Worlds(model, _metered(states, len(model.variables), meter))
    import numpy as np

    places: list[list[int]] = [[] for _ in model.variables]
    for state in _metered(states, len(model.variables), meter):
        for i, column in enumerate(places):
            column.append(model.domain(state, i).bit_length() - 1)
    columns = [np.array(column, dtype=_type(model)) for column in places]
    return _ArrayWorlds(model, columns, len(places[0]))


def _metered(states: Iterable[int], cost: int, meter: Meter) -> Iterator[int]:
    for state in states:
        meter.spend(cost)
        yield state


def _type(model: Model) -> Any:
    """Return the type of a column: the smallest that the places of all values fit."""
    import numpy as np

    return np.min_scalar_type(model.width)


def _joined(model: Model, left: int, meter: Meter) -> Worlds:
    """Return the worlds: combinations of values, filtered as soon as a statement excludes some."""
    import numpy as np

    columns: list[Column] = []
    size = 1
    scopes = {statement: frozenset(_scope(statement)) for statement in model.statements}
    for i in range(len(model.variables)):
        values = np.fromiter(positions(model.domain(left, i)), dtype=_type(model))
        meter.spend(size * len(values) // 8)
        columns = [column.repeat(len(values)) for column in columns]
        columns.append(np.tile(values, size))
        size *= len(values)
        for statement, scope in scopes.items():
            end = max(scope, default=-1)
            if i not in scope or (i < end and isinstance(statement.form, CompiledWhere)):
                continue
            meter.spend(size // 8)
            mask = _holding(model, statement, columns, i + 1)
            if mask is None and i == end:
                mask = Worlds._holding(_ArrayWorlds(model, columns, size), statement)
            if mask is not None and not mask.all():
                columns = [column[mask] for column in columns]
                size = len(columns[0])
    return _ArrayWorlds(model, columns, size)


def _scope(statement: Statement) -> Iterable[int]:
    """Return the variables on which a Count, a Sum or a Where depends."""
    form = statement.form
    if isinstance(form, CompiledWhere):
        return form.variables
    return () if isinstance(form, CompiledWeigh) or form is None else [i for i, *_ in form.terms]


def _holding(
    model: Model, statement: Statement, columns: Sequence[Column], placed: int
) -> Mask | None:
    """Return where a statement holds, or can still hold if only the first variables are placed.

    ``None``: its numbers do not fit an array.
    """
    import numpy as np

    form = statement.form
    mask = np.ones(len(columns[0]), dtype=bool)
    if statement.keep != -1:
        outside = model.start & ~statement.keep
        for i in range(placed) if outside else ():
            if values := model.domain(outside, i):
                mask &= ~_lookup(((1, values),), columns[i]).astype(bool)
    if isinstance(form, CompiledCount | CompiledSum):
        terms = (
            form.terms
            if isinstance(form, CompiledSum)
            else tuple((i, ((0, 0), (1, values))) for i, values in form.terms)
        )
        if sum(levels[-1][0] for _, levels in terms) + abs(form.low) > MAX_AMOUNT:
            return None
        rest = sum(levels[-1][0] for i, levels in terms if i >= placed)
        amounts = _added([term for term in terms if term[0] < placed], columns, len(mask))
        mask &= (form.low - rest <= amounts) & (amounts <= min(form.high, MAX_AMOUNT))
    elif isinstance(form, CompiledWhere):
        mask &= _in_rows(model, form, columns)
    return mask


def _lookup(levels: Levels, column: Column) -> Column:
    """Return the amount of the value of each world."""
    import numpy as np

    table = np.zeros(int(column.max(initial=0)) + 1, dtype=np.int64)
    for amount, mask in levels:
        for place in positions(mask & (1 << len(table)) - 1):
            table[place] = amount
    return table[column]


def _added(terms: Iterable[tuple[int, Levels]], columns: Sequence[Column], size: int) -> Column:
    import numpy as np

    amounts = np.zeros(size, dtype=np.int64)
    for i, levels in terms:
        amounts += _lookup(levels, columns[i])
    return amounts


def _in_rows(model: Model, form: CompiledWhere, columns: Sequence[Column]) -> Mask:
    """Return the worlds whose values are a row of a table."""
    import numpy as np

    places = [list(positions(model.domains[i])) for i in form.variables]
    code = np.zeros(len(columns[0]), dtype=np.int64)
    if prod(map(len, places)) > MAX_PRODUCT:
        allowed = {tuple(model.domain(row, i) for i in form.variables) for row in form.rows}
        of = ((1 << place for place in columns[i].tolist()) for i in form.variables)
        return np.fromiter((row in allowed for row in zip(*of, strict=True)), dtype=bool)
    for i, domain in zip(form.variables, places, strict=True):
        levels = tuple((number, 1 << place) for number, place in enumerate(domain))
        code = code * len(domain) + _lookup(levels, columns[i])
    allowed_codes = np.zeros(prod(map(len, places)), dtype=bool)
    numbers = [{1 << place: n for n, place in enumerate(domain)} for domain in places]
    for row in form.rows:
        at = 0
        for i, number in zip(form.variables, numbers, strict=True):
            at = at * len(number) + number[model.domain(row, i)]
        allowed_codes[at] = True
    return allowed_codes[code]
