"""The end of a game: the cell with the greatest chance of winning, by search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deduce import Knowledge, Problem, Rule, exactly, is_
from games.minesweeper.counting import Constraint, View, indices

__all__ = ["best_cell", "isolated"]

MAX_WAYS = 750
"""Up to this number of placements the chance of winning is computed exactly."""
MAX_CELLS = 60
MAX_WORK = 1_500_000
"""How many cells of placements are looked at before the search is given up."""


def best_cell(view: View) -> tuple[int, int, int] | None:
    """Return the cell whose opening wins most placements with best play, how many, and of how many.

    ``None`` if the search is too large. No cell is certainly clear.
    """
    if view.weights.total > MAX_WAYS:
        return None
    rules = {rule for rules in view.rules for rule in rules}
    return _best(view, view.hidden, {*rules, (view.hidden, view.left)})


def isolated(view: View) -> tuple[int, int, int] | None:
    """Return the same for a region that nothing outside can tell more about, if there is one.

    Its number of mines is certain, and its cells have no undecided neighbours outside. So it has to
    be guessed sooner or later, and can be played to its end at once.
    """
    for region, rules in zip(view.regions, view.rules, strict=True):
        if sum(map(bool, region.ways)) == 1 and sum(region.ways) <= MAX_WAYS:
            beside = 0
            for cell in indices(region.cells):
                beside |= view.around[cell]
            if not beside & view.hidden & ~region.cells:
                best = _best(view, region.cells, rules)
                if best is not None:
                    return best
    return None


def _best(view: View, cells: int, rules: Iterable[Constraint]) -> tuple[int, int, int] | None:
    made = _search(view, cells, rules)
    if made is None:
        return None
    order, placements, search = made
    try:
        best, wins = search.best(placements, 0)
    except _TooLarge:
        return None
    return order[best], wins, len(placements)


def _search(
    view: View, cells: int, rules: Iterable[Constraint]
) -> tuple[list[int], tuple[int, ...], _Search] | None:
    """Return the cells in order, all placements as bits by this order, and the search over them."""
    order = list(indices(cells))
    if len(order) > MAX_CELLS:
        return None
    index = {cell: 1 << i for i, cell in enumerate(order)}
    problem = Problem(
        dict.fromkeys(order, (False, True)),
        [
            Rule(exactly(mines, [is_(cell, True) for cell in indices(group)]))
            for group, mines in sorted(rules)
            if group
        ],
    )
    placements = [
        sum(index[cell] for cell in order if world[cell]) for world in Knowledge(problem).worlds()
    ]
    around = [sum(index.get(o, 0) for o in indices(view.around[cell])) for cell in order]
    return order, tuple(placements), _Search(around, len(order))


class _TooLarge(Exception):
    """The search has done too much work."""


class _Search:
    """Wins by best play; a state is the placements that are left and the cells that are open."""

    def __init__(self, around: Sequence[int], count: int) -> None:
        self.around = around
        self.count = count
        self.work = 0
        self.known: dict[tuple[tuple[int, ...], int], int] = {}

    def wins(self, placements: tuple[int, ...], opened: int) -> int:
        """Return how many placements are won."""
        if len(placements) == 1:
            return 1
        anywhere = 0
        for placement in placements:
            anywhere |= placement
        clear = ~anywhere & ~opened & (1 << self.count) - 1
        if clear:
            return self.wins_after(placements, opened, clear)
        known = self.known.get((placements, opened))
        if known is None:
            _, known = self.best(placements, opened)
            self.known[placements, opened] = known
        return known

    def best(self, placements: tuple[int, ...], opened: int) -> tuple[int, int]:
        """Return the best cell to open, and how many placements are won; none is surely clear.

        A cell that shows the same number in all placements in which it is clear tells nothing, and
        is better opened last. If all are such, one placement is won, whichever is tried.
        """
        self.work += len(placements) * self.count
        if self.work > MAX_WORK:
            raise _TooLarge
        choices = []
        safest = -1, 0
        for cell in range(self.count):
            bit, around = 1 << cell, self.around[cell]
            if opened & bit:
                continue
            alive = [placement for placement in placements if not placement & bit]
            if len(alive) > safest[1]:
                safest = cell, len(alive)
            numbers = {(placement & around).bit_count() for placement in alive}
            if len(numbers) > 1:
                choices.append((-len(alive), cell, tuple(alive)))
        if not choices:
            return safest[0], 1
        best, most = choices[0][1], 0
        for minus, cell, alive_in in sorted(choices):
            if -minus <= most:  # no more than these can be won
                break
            wins = self.wins_after(alive_in, opened, 1 << cell)
            if wins > most:
                best, most = cell, wins
        return best, most

    def wins_after(self, placements: tuple[int, ...], opened: int, cells: int) -> int:
        """Return how many placements are won after clear cells were opened."""
        opened |= cells
        near = [self.around[cell] for cell in indices(cells)]
        by_numbers: dict[tuple[int, ...], list[int]] = {}
        for placement in placements:
            numbers = tuple([(placement & around).bit_count() for around in near])
            by_numbers.setdefault(numbers, []).append(placement)
        every = (1 << self.count) - 1
        won = 0
        for group in by_numbers.values():
            if len(group) == 1 or opened | group[0] == every:
                won += 1
            else:
                won += self.wins(tuple(group), opened)
        return won
