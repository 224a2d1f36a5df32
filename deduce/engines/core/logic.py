"""Conditions inside conditions, as trees that propagation examines as they are.

A leaf is a literal, a number with bounds, or a table; a node states how many of its parts hold.
For a state each has a *status* (it holds in all worlds of the state, in none, or this is open) and
can be made true or false, which removes values. So a guarded constraint is as strong as the
constraint itself as soon as its guard is settled, and settles its guard as soon as it cannot hold.

No variable is added here; engines that count need some (`deduce.engines.core.lowering`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import TypeAlias

from attrs import field, frozen

from deduce.engines.core.masks import bits_of
from deduce.engines.core.table import Table

__all__ = [
    "IMPOSSIBLE",
    "Among",
    "CompiledLogic",
    "Levels",
    "Linear",
    "Listed",
    "Literal",
    "Node",
    "Signed",
    "conjuncts",
    "disjuncts",
    "range_of",
    "within",
]

IMPOSSIBLE = -1
"""The state of a refuted problem; every other state is a non-negative int."""

Levels = tuple[tuple[int, int], ...]
"""``(amount, mask)``: the values of a variable by the amount that they add, the least first."""


def within(
    terms: Sequence[tuple[int, Levels]], low: int, high: int, possible: int, stride: int
) -> int:
    """Return a state without the values whose amounts exceed what the other variables leave."""
    least = most = 0
    ranges = []
    for i, levels in terms:
        domain = possible >> (i * stride)
        open_ = [amount for amount, mask in levels if domain & mask]
        if not open_:
            return IMPOSSIBLE
        least += open_[0]
        most += open_[-1]
        if len(open_) > 1:
            ranges.append((i, levels, open_[0], open_[-1]))
    if most < low or least > high:
        return IMPOSSIBLE
    over, under = high - least, most - low
    for i, levels, first, last in ranges:
        if last - first > over or last - first > under:
            for amount, mask in levels:
                if amount - first > over or last - amount > under:
                    possible &= ~(mask << (i * stride))
    return possible


def range_of(terms: Sequence[tuple[int, Levels]], state: int, stride: int) -> tuple[int, int]:
    """Return the least and the greatest sum in a state in which every variable has a value."""
    least = most = 0
    for i, levels in terms:
        domain = state >> (i * stride)
        open_ = [amount for amount, mask in levels if domain & mask]
        if open_:
            least += open_[0]
            most += open_[-1]
    return least, most


@frozen
class Literal:
    """One variable has one of the values of ``mask``, a field of bits like its ``domain``."""

    variable: int
    mask: int
    domain: int
    shift: int

    def status(self, state: int) -> bool | None:
        """Return whether it holds in all worlds of a state; ``None``: in some."""
        left = state >> self.shift & self.domain
        return False if not left & self.mask else None if left & ~self.mask else True

    def narrow(self, state: int, *, want: bool) -> int:
        """Return the state without the values that make it false (or true), or `IMPOSSIBLE`."""
        state &= ~((self.domain & ~self.mask if want else self.mask) << self.shift)
        return state if state >> self.shift & self.domain else IMPOSSIBLE


@frozen(eq=False)
class Linear:
    """What some values add up to is between two bounds: a Count or a Sum inside a condition."""

    terms: tuple[tuple[int, Levels], ...]
    low: int
    high: int
    stride: int

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest sum of all values."""
        levels_of = [levels for _, levels in self.terms]
        return sum(of[0][0] for of in levels_of), sum(of[-1][0] for of in levels_of)

    def status(self, state: int) -> bool | None:
        """Return whether it holds in all worlds of a state; ``None``: in some."""
        least, most = range_of(self.terms, state, self.stride)
        if least > self.high or most < self.low:
            return False
        return True if self.low <= least and most <= self.high else None

    def narrow(self, state: int, *, want: bool) -> int:
        """Return the state without values that exclude it (or make it certain)."""
        low, high = self.low, self.high
        if not want:
            least, most = range_of(self.terms, state, self.stride)
            if least < low and most > high:
                return state
            if most > high:
                low, high = high + 1, most
            else:
                low, high = least, low - 1
        return within(self.terms, low, high, state, self.stride)


@frozen(eq=False)
class Listed:
    """The values of some variables are a row of a table."""

    table: Table
    fields: tuple[int, ...]
    variables: tuple[int, ...]

    @cached_property
    def others(self) -> Table:
        """The rows that are not in the table."""
        allowed = frozenset(self.table.rows)
        rows = map(sum, product(*(list(bits_of(each)) for each in self.fields)))
        return Table([row for row in rows if row not in allowed], self.fields)

    def status(self, state: int) -> bool | None:
        """Return whether it holds in all worlds of a state; ``None``: in some."""
        number = self.table.within(state)[1]
        combinations = 1
        for each in self.fields:
            combinations *= (state & each).bit_count()
        return False if not number else True if number == combinations else None

    def narrow(self, state: int, *, want: bool) -> int:
        """Return the state without the values of which no row is in (or outside) the table."""
        allowed, number = (self.table if want else self.others).within(state)
        return state & (allowed | ~sum(self.fields)) if number else IMPOSSIBLE


@frozen(eq=False)
class Among:
    """Of the parts, each meant as it is or negated, between ``low`` and ``high`` hold."""

    parts: tuple[Signed, ...]
    low: int
    high: int

    def status(self, state: int) -> bool | None:
        """Return whether it holds in all worlds of a state; ``None``: in some."""
        sure, open_ = self._split(state)
        return self._decided(sure, sure + len(open_))

    def _split(self, state: int) -> tuple[int, list[Signed]]:
        """Return how many parts hold for certain, and those that are open."""
        sure, open_ = 0, []
        for node, sign in self.parts:
            status = node.status(state)
            if status is None:
                open_.append((node, sign))
            else:
                sure += status == sign
        return sure, open_

    def _decided(self, sure: int, could: int) -> bool | None:
        if sure > self.high or could < self.low:
            return False
        return True if self.low <= sure and could <= self.high else None

    def narrow(self, state: int, *, want: bool) -> int:
        """Return the state without values that exclude it (or make it certain)."""
        sure, open_ = self._split(state)
        could = sure + len(open_)
        decided = self._decided(sure, could)
        if decided is not None:
            return state if decided == want else IMPOSSIBLE
        low, high = self.low, self.high
        if not want:
            if sure < low and could > high:
                return state
            low, high = (high + 1, could) if could > high else (0, low - 1)
        if could == low or sure == high:
            for node, sign in open_:
                state = node.narrow(state, want=sign if could == low else not sign)
                if state == IMPOSSIBLE:
                    break
        return state


Node: TypeAlias = Literal | Linear | Listed | Among
Signed: TypeAlias = tuple[Node, bool]
"""A condition, and whether it is to hold; ``False``: its opposite."""


@frozen(eq=False)
class CompiledLogic:
    """A condition inside which there are others, in force as a whole.

    Attributes
    ----------
    variables
        The variables that it is about, by index.
    cost
        About how many constraints of facts can be examined in the time of one look at it.
    """

    root: Node
    variables: tuple[int, ...] = field(init=False)
    cost: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        leaves = list(_leaves(self.root))
        names = dict.fromkeys(i for leaf in leaves for i in _variables(leaf))
        object.__setattr__(self, "variables", tuple(names))
        object.__setattr__(self, "cost", sum(map(_cost, leaves)))

    def narrow(self, state: int) -> int:
        """Return the state without values that exclude it, or `IMPOSSIBLE`."""
        return self.root.narrow(state, want=True)

    def status(self, state: int) -> bool | None:
        """Return whether it holds in all worlds of a state; ``None``: in some."""
        return self.root.status(state)


def _leaves(node: Node) -> Iterator[Literal | Linear | Listed]:
    if isinstance(node, Among):
        for part, _ in node.parts:
            yield from _leaves(part)
    else:
        yield node


def _variables(leaf: Literal | Linear | Listed) -> Sequence[int]:
    if isinstance(leaf, Literal):
        return (leaf.variable,)
    return leaf.variables if isinstance(leaf, Listed) else [i for i, _ in leaf.terms]


def _cost(leaf: Literal | Linear | Listed) -> int:
    if isinstance(leaf, Literal):
        return 1
    return 2 * leaf.table.cost if isinstance(leaf, Listed) else 2 * len(leaf.terms)


def conjuncts(node: Node, *, want: bool = True) -> Iterator[Signed]:
    """Yield conditions that hold together exactly if this one does (or, not wanted, does not)."""
    if isinstance(node, Among):
        number = len(node.parts)
        low, high = max(node.low, 0), min(node.high, number)
        if want:
            every, none = low == high == number, low == high == 0
        else:
            every, none = low == 0 and high == number - 1, low == 1 and high == number
        if every or none:
            for part, sign in node.parts:
                yield from conjuncts(part, want=sign is every)
            return
        if want and low == 0 and high == number:
            return
    yield node, want


def disjuncts(node: Node, *, want: bool = True) -> Iterator[Signed]:
    """Yield conditions of which one holds exactly if this one does (or, not wanted, does not)."""
    for part, sign in conjuncts(node, want=not want):
        yield part, not sign
