"""The undecided cells as regions: risks, and what opening a cell would leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import comb
from operator import mul

from attrs import frozen

from games.minesweeper.counting import Constraint, Region, count_region, regions_of

__all__ = ["After", "View", "Weights", "indices"]


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
    """The same of the next safest group of cells."""
    clear: int
    """How many cells are certainly clear."""


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
        near = 0
        for region in self.regions:
            near |= region.cells
        self.elsewhere = hidden & ~near
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
        if not zone & ~self.elsewhere:  # only the sizes matter
            key = tuple(sorted((cells.bit_count(), mines) for cells, mines in joined))
            if key not in self._far:
                self._far[key] = self._joined(joined, zone)
            return self._far[key]
        return self._joined(joined, zone)

    def _joined(self, joined: set[Constraint], zone: int) -> int:
        others = []
        for region, its_rules in zip(self.regions, self.rules, strict=True):
            if region.cells & zone:
                joined.update(its_rules)
            else:
                others.append(region)
        regions = [*others, *map(count_region, regions_of(joined))]
        return Weights(regions, (self.elsewhere & ~zone).bit_count(), self.left).total

    def after(self, index: int) -> Iterator[After]:
        """Yield what is left for every number that a cell can show."""
        cell = 1 << index
        near = self.around[index] & self.hidden
        zone = near | cell
        others = []
        rules: set[Constraint] = set()
        for region, its_rules in zip(self.regions, self.rules, strict=True):
            if region.cells & zone:
                rules.update((cells & ~cell, mines) for cells, mines in its_rules)
            else:
                others.append(region)
        rules.discard((0, 0))
        elsewhere = (self.elsewhere & ~zone).bit_count()
        last = (self.hidden & ~cell).bit_count() == self.left
        for count in range(near.bit_count() + 1):
            new = frozenset({*rules, (near, count)} if near else rules)
            regions = [*others, *map(count_region, regions_of(new))]
            after = Weights(regions, elsewhere, self.left).after()
            if after is not None:
                yield After(after.ways, 1.0, 1.0, 1) if last else after


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

    def after(self) -> After | None:
        """Return how safe the cells are; ``None`` if there is no placement."""
        if not self.total:
            return None
        least = second = 2.0
        clear = 0
        mines, rest = self.mines()
        groups = [
            (group.bit_count(), mined)
            for region, tallies in zip(self.regions, mines, strict=True)
            for group, mined in zip(region.groups, tallies, strict=True)
        ]
        if self.elsewhere:
            groups.append((self.elsewhere, rest))
        for size, mined in groups:
            risk = mined / (size * self.total)
            if not mined:
                clear += size
            if risk < least:
                least, second = risk, (risk if size > 1 else least)
            elif risk < second:
                second = risk
        return After(self.total, 1 - least, 1 - min(second, 1.0), clear)


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
