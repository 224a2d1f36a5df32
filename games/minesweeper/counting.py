"""In how many ways mines can be placed beside numbers, counted exactly.

The cells beside exactly the same numbers are alike and form a group; only the number of mines in
each group matters. A sweep over the groups keeps, for each combination of mines that the numbers
still need, how many placements lead there, by their number of mines: a polynomial, packed into one
integer. A second sweep in the other direction gives the mines of every group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import comb
from operator import mul

from attrs import frozen

__all__ = [
    "After",
    "Constraint",
    "Region",
    "View",
    "Weights",
    "count_region",
    "indices",
    "regions_of",
]


Constraint = tuple[int, int]
"""A set of cells as bits, and how many of them are mines."""

_FIELD, _NEEDED, _GUARD = 5, 15, 16
"""The bits for the mines that a number still needs: how many there are, those of the mines, and the
highest one, which guards against less than none."""


@frozen
class Region:
    """Cells that numbers connect, and the placements of mines among them.

    All fields are empty if the numbers contradict each other.

    Parameters
    ----------
    cells
        All of them, as bits.
    groups
        Those that are alike, as bits.
    ways
        In how many ways there can be 0, 1, ... mines in all.
    mines
        For each group: how many mines its cells have in these placements together, again by the
        number of mines in all.
    """

    cells: int
    groups: tuple[int, ...]
    ways: tuple[int, ...]
    mines: tuple[tuple[int, ...], ...]


def regions_of(constraints: Iterable[Constraint]) -> list[frozenset[Constraint]]:
    """Return the constraints in parts that have no cell in common.

    >>> sorted(map(len, regions_of([(0b0011, 1), (0b0110, 1), (0b1000, 1)])))
    [1, 2]
    """
    parts: dict[int, frozenset[Constraint]] = {}
    for constraint in constraints:
        cells, joined = constraint[0], frozenset((constraint,))
        for other in [each for each in parts if each & cells]:
            cells |= other
            joined |= parts.pop(other)
        parts[cells] = joined | parts.get(cells, frozenset())
    return list(parts.values())


@lru_cache(maxsize=50_000)
def count_region(constraints: frozenset[Constraint]) -> Region:
    """Return the placements of mines in the cells of some constraints.

    Notes
    -----
    The cost grows with the number of groups times the combinations that are met at one point of
    the sweep: on usual boards 0.1 to 2 milliseconds.

    Examples
    --------
    Of three cells the first two have one mine, and the last two:

    >>> region = count_region(frozenset({(0b011, 1), (0b110, 1)}))
    >>> region.ways  # the middle cell alone, or the two others
    (0, 1, 1)
    >>> dict(zip(region.groups, region.mines))[0b010]
    (0, 1, 0)
    """
    rules = sorted(constraints)
    members: dict[int, int] = {}
    start = guards = 0
    for number, (cells, mines) in enumerate(rules):
        if not 0 <= mines <= cells.bit_count():
            return Region(0, (), (), ())
        for index in indices(cells):
            members[index] = members.get(index, 0) | 1 << number
        start |= mines + _GUARD << _FIELD * number
        guards |= _GUARD << _FIELD * number
    alike: dict[int, int] = {}  # cells by their numbers, both as bits
    for index in sorted(members):
        alike[members[index]] = alike.get(members[index], 0) | 1 << index
    groups = tuple(alike.values())
    last = {number: at for at, numbers in enumerate(alike) for number in indices(numbers)}
    finished = [0] * len(groups)
    for number, at in last.items():
        finished[at] |= _NEEDED << _FIELD * number
    width = len(members) + 5  # for the mines of a group: up to 8 for each placement
    moves = []
    for numbers, group in alike.items():
        step = sum(1 << _FIELD * number for number in indices(numbers))
        size = group.bit_count()
        moves.append([(t * step, comb(size, t) << t * width, t) for t in range(size + 1)])
    layers = [{start: 1}]
    for move, finish in zip(moves, finished, strict=True):
        reached = dict[int, int]()
        for state, ways in layers[-1].items():
            for cost, factor, _ in move:
                after = state - cost
                if after & guards != guards:
                    break
                if not after & finish:
                    reached[after] = reached.get(after, 0) + ways * factor
        layers.append(reached)
    behind = dict.fromkeys(layers.pop(), 1)
    tallies = []
    for layer, move in zip(reversed(layers), reversed(moves), strict=True):
        before, tally = dict[int, int](), 0
        for state, ways in layer.items():
            rest = mined = 0
            for cost, factor, t in move:
                onward = behind.get(state - cost)
                if onward:
                    onward *= factor
                    rest += onward
                    mined += t * onward
            if rest:
                before[state] = rest
                tally += ways * mined
        behind = before
        tallies.append(tally)
    everything = behind.get(start, 0)
    size = -(-everything.bit_length() // width)
    mask = (1 << width) - 1
    ways_by_mines, *mines_by_group = (
        tuple(packed >> width * k & mask for k in range(size))
        for packed in (everything, *reversed(tallies))
    )
    return Region(sum(groups), groups, ways_by_mines, tuple(mines_by_group))


def indices(cells: int) -> Iterator[int]:
    """Yield the numbers of the cells of some bits, in order."""
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


@frozen
class After:
    """What is left when a cell was opened and shows a number."""

    ways: int
    """In how many ways the mines can be placed then."""
    safest: float
    """The probability that the safest cell is clear; 1 if the game is won."""
    second: float
    """The same of the next safest cell."""


class View:
    """The undecided cells of a board as bits, with the regions of those beside numbers.

    Parameters
    ----------
    around
        The neighbours of each cell.
    hidden, mines
        The undecided cells, and those that are certainly mines.
    left
        How many mines there are among the undecided cells.
    constraints
        What the numbers state about undecided cells.
    """

    def __init__(
        self,
        around: Sequence[int],
        hidden: int,
        mines: int,
        left: int,
        constraints: Iterable[Constraint],
    ) -> None:
        self.around, self.hidden, self.mines, self.left = around, hidden, mines, left
        self.rules = regions_of(constraints)
        self._far: dict[tuple[Constraint, ...], int] = {}
        self.regions = [count_region(rules) for rules in self.rules]
        self.elsewhere = hidden & ~sum(region.cells for region in self.regions)
        self.weights = Weights(self.regions, self.elsewhere.bit_count(), left)

    def mined(self) -> dict[int, int]:
        """Return for each undecided cell in how many placements it is a mine."""
        result: dict[int, int] = {}
        mines, rest = self.weights.mines()
        for region, tallies in zip(self.regions, mines, strict=True):
            for group, tally in zip(region.groups, tallies, strict=True):
                result.update(dict.fromkeys(indices(group), tally // group.bit_count()))
        if self.elsewhere:
            each = rest // self.elsewhere.bit_count()
            result.update(dict.fromkeys(indices(self.elsewhere), each))
        return result

    def with_rules(self, rules: Iterable[Constraint]) -> int:
        """Return in how many ways the mines can be placed if some constraints hold, too."""
        joined, zone = {*rules}, 0
        for cells, _ in joined:
            zone |= cells
        if zone & ~self.elsewhere:
            return self._joined(joined, zone)
        key = tuple(sorted((cells.bit_count(), mines) for cells, mines in joined))
        if key not in self._far:  # only the sizes matter
            self._far[key] = self._joined(joined, zone)
        return self._far[key]

    def _joined(self, rules: set[Constraint], zone: int) -> int:
        others, near = self._apart(zone)
        regions = [*others, *map(count_region, regions_of(rules | near))]
        return Weights(regions, (self.elsewhere & ~zone).bit_count(), self.left).total

    def _apart(self, zone: int) -> tuple[list[Region], set[Constraint]]:
        """Return the regions without a cell of a zone, and the constraints of the others."""
        others, near = list[Region](), set[Constraint]()
        for region, rules in zip(self.regions, self.rules, strict=True):
            if region.cells & zone:
                near |= rules
            else:
                others.append(region)
        return others, near

    def after(self, index: int) -> Iterator[After]:
        """Yield what is left for every number that a cell can show."""
        cell = 1 << index
        near = self.around[index] & self.hidden
        others, rules = self._apart(near | cell)
        rules = {(cells & ~cell, mines) for cells, mines in rules} - {(0, 0)}
        elsewhere = (self.elsewhere & ~near & ~cell).bit_count()
        is_last = (self.hidden & ~cell).bit_count() == self.left
        for count in range(near.bit_count() + 1):
            new = rules | {(near, count)} if near else rules
            regions = [*others, *map(count_region, regions_of(new))]
            weights = Weights(regions, elsewhere, self.left)
            if weights.total:
                yield After(weights.total, *((1.0, 1.0) if is_last else weights.safest()))


class Weights:
    """How the placements of all regions, and of the cells elsewhere, go together.

    Parameters
    ----------
    regions
        The regions.
    elsewhere
        How many cells are beside no number.
    left
        How many mines there are in regions and elsewhere.
    """

    def __init__(self, regions: Sequence[Region], elsewhere: int, left: int) -> None:
        self.regions, self.elsewhere, self.left = regions, elsewhere, left
        # before[i][a]: ways of the regions before i with a mines;
        # behind[i][a]: of region i and the later ones and elsewhere, if a mines are before them.
        before, most = [[1]], [0]
        for region in regions:
            most.append(most[-1] + max(len(region.ways) - 1, 0))
            before.append(_product(before[-1], region.ways))
        last: Sequence[int] = _elsewhere(elsewhere, left, most[-1])
        behind = [last]
        for i in range(len(regions) - 1, -1, -1):
            ways = regions[i].ways
            last = [sum(map(mul, ways, last[a:])) for a in range(most[i] + 1)]
            behind.append(last)
        behind.reverse()
        self.before, self.behind = before, behind
        self.total = last[0]
        """In how many ways the mines can be placed."""

    def mines(self) -> tuple[list[list[int]], int]:
        """Return the mines of each group of each region, and those elsewhere, in all placements."""
        rest = self.left * self.total
        result = []
        for i, region in enumerate(self.regions):
            before, behind = self.before[i], self.behind[i + 1]
            weights = [sum(map(mul, before, behind[k:])) for k in range(len(region.ways))]
            mines = [sum(map(mul, tally, weights)) for tally in region.mines]
            rest -= sum(mines)
            result.append(mines)
        return result, rest

    def safest(self) -> tuple[float, float]:
        """Return how probably the safest cell is clear, and the next safest."""
        mines, rest = self.mines()
        risks = [
            (mined / (group.bit_count() * self.total), group.bit_count())
            for region, tallies in zip(self.regions, mines, strict=True)
            for group, mined in zip(region.groups, tallies, strict=True)
        ]
        if self.elsewhere:
            risks.append((rest / (self.elsewhere * self.total), self.elsewhere))
        (least, size), (second, _) = sorted([*risks, (1.0, 1), (1.0, 1)])[:2]
        return 1 - least, 1 - (least if size > 1 else second)


@lru_cache(maxsize=10_000)
def _elsewhere(cells: int, left: int, most: int) -> tuple[int, ...]:
    """Return in how many ways mines are placed elsewhere, if 0, 1, ... are beside numbers."""
    return tuple(comb(cells, left - a) if a <= left else 0 for a in range(most + 1))


def _product(first: Sequence[int], second: Sequence[int]) -> list[int]:
    result = [0] * (len(first) + max(len(second) - 1, 0))
    for i, a in enumerate(first):
        if a:
            for j, b in enumerate(second):
                result[i + j] += a * b
    return result
