"""Worlds by their rank: what makes drawing many of them fast.

The ways through a sweep are numbered from 0 to their weight: those of a state's first option come
first, then those of the second, and the rank within an option, modulo what is beyond it, is the
rank of what follows. So one random number below the total draws a whole way, exactly by its weight.
Nodes are made where a draw passes; states with one option are passed over.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from math import factorial
from random import Random
from typing import Any, TypeAlias

from attrs import Factory, define

from deduce.constraints import Value
from deduce.engines.core.residue import Group

__all__ = ["Below", "Fill", "Node", "Option", "Taken", "ValuesIn", "below", "every_way", "way"]

Below: TypeAlias = Callable[[int], int]
"""Gives a random int from 0 up to, and without, its argument."""

Taken: TypeAlias = tuple[Group, int, int]
"""A group, an effect, and how many members take its values: at least one."""


ValuesIn: TypeAlias = Callable[[int, int], Sequence[Any]]


def below(random: Random) -> Below:
    """Return what draws ints below a number: `random.Random.randrange` in a third of its time.

    Examples
    --------
    >>> draw = below(Random(1))
    >>> sorted({draw(3) for _ in range(100)})
    [0, 1, 2]
    """
    bits = random.getrandbits

    def draw(number: int) -> int:
        length = (number - 1).bit_length()
        drawn = bits(length)
        while drawn >= number:
            drawn = bits(length)
        return drawn

    return draw


@define(eq=False)
class Option:
    """What a state may choose, and all that must follow until there is a choice again."""

    first: int
    """The ranks of its ways begin here."""
    beyond: int
    """The weight of all ways from its end on."""
    taken: tuple[Taken, ...]
    end: tuple[int, int]
    """The step and the state that it leads to."""
    node: Node | None = None
    """The node at its end, once a draw has been there; ``None`` too at the end of the sweep."""


@define(eq=False)
class Node:
    """A state with several options: the ranks at which they end, and the options."""

    ends: list[int] = Factory(list)
    options: list[Option] = Factory(list)


def way(start: Option, rank: int, node_at: Callable[[tuple[int, int]], Node | None]) -> list[Taken]:
    """Return the way of a rank below ``start.beyond``; ``node_at`` makes the nodes.

    Cost: a binary search for each state that has a choice.
    """
    option = start
    taken = list(start.taken)
    while True:
        node = option.node
        if node is None:
            node = option.node = node_at(option.end)
            if node is None:
                return taken
        option = node.options[bisect_right(node.ends, rank)]
        rank = (rank - option.first) % option.beyond
        taken += option.taken


def every_way(
    start: Option,
    node_at: Callable[[tuple[int, int]], Node | None],
    write: Callable[[Sequence[Taken]], Sequence[Taken]],
) -> Iterator[list[Taken]]:
    """Go through all ways, each once: what is taken is written where it differs from the last way.

    What ``write`` returns is yielded together for each way. Cost: a write for each option.
    """
    kept = [*write(start.taken)]
    node = node_at(start.end)
    if node is None:
        yield kept
        return
    stack = [(iter(node.options), len(kept))]
    while stack:
        options, size = stack[-1]
        option = next(options, None)
        if option is None:
            stack.pop()
            continue
        kept[size:] = write(option.taken)
        node = option.node = option.node or node_at(option.end)
        if node is None:
            yield kept
        else:
            stack.append((iter(node.options), len(kept)))


class Fill:
    """Gives the members of groups their values, all ways to do so being equally likely.

    Parameters
    ----------
    values_in
        Returns the values of a variable, by index, that a mask has, in the form to be written.
    draw
        Draws an int below a number.
    """

    def __init__(self, values_in: ValuesIn, draw: Below) -> None:
        self.values_in = values_in
        self.draw = draw
        self._found: dict[Taken, tuple[int, Value, Sequence[Value]]] = {}

    def fill(self, row: list[Any], taken: Iterable[Taken]) -> None:
        """Write the values of one way into a world's row, by the numbers of the variables."""
        found, draw = self._found, self.draw
        orders: dict[Group, Iterator[int]] = {}
        for item in taken:
            try:
                alone, value, values = found[item]
            except KeyError:
                alone, value, values = found[item] = self._find(item)
            if alone >= 0:
                row[alone] = value
                continue
            group, _, count = item
            members = orders.get(group)
            if members is None:
                rank = draw(factorial(len(group.members)))
                members = orders[group] = iter(_ordered(group.members, rank))
            for i in islice(members, count):
                row[i] = values[draw(len(values))] if values else value

    def _find(self, item: Taken) -> tuple[int, Value, Sequence[Value]]:
        """Return the variable if there is one, else -1; the value; all values if there are more."""
        group, effect, _ = item
        values = self.values_in(group.members[0], group.effects[effect].values)
        alone = len(group.members) == 1 == len(values)
        return group.members[0] if alone else -1, values[0], values if len(values) > 1 else ()


def _ordered(members: Sequence[int], rank: int) -> Sequence[int]:
    """Return the order of a rank: its digits choose one after the other."""
    left, order = list(members), []
    while left:
        rank, place = divmod(rank, len(left))
        left[place], left[-1] = left[-1], left[place]
        order.append(left.pop())
    return order
