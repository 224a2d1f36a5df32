"""Which uncertain cell to open: the chance to survive it and the next one, and what is at stake.

Of every cell that is nearly as safe as the safest it is worked out, for each number that it can
show, how safe the safest cells would be afterwards. A cell that may belong to a guess that cannot
be avoided (see `stakes`) counts for more: the risk is taken anyway.

Two cells side by side of which one is a mine are told apart only by the cells that touch one of
them alone. If all of these are mines, one of the two has to be guessed. The same holds for a square
of four cells with two mines in opposite corners, if the four cells that touch its corners alone are
mines. Who opens such a cell early loses nothing, and may learn more.

Source: the methods, and that they win more games, are those of public solvers, as the notes of
JSMinesweeper (D. N. Hill) describe them; the weights were compared on 1000 games.

At the end of a game a search finds the cell with the greatest chance of winning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from operator import and_, or_

from attrs import frozen

from deduce import Knowledge, Problem, exactly, is_
from games.minesweeper.counting import After, Constraint, View, indices
from games.minesweeper.setup import Board

__all__ = ["Pattern", "Rating", "best_cell", "isolated", "patterns", "rated", "stakes"]


MARGIN = 0.9
"""Cells are rated that are clear with at least this part of the best probability."""
MAX_ELSEWHERE = 8
"""How many cells that are beside no number are rated: those most likely to show 0."""
SECOND = 0.2
"""The weight of the second safest cell after the next number; the safest has the rest."""
STAKE = 0.9
"""The weight of guesses that cannot be avoided."""
ONE_NUMBER = 0.5
"""The weight of a cell that can only show one number: opening it tells nothing."""


@frozen
class Rating:
    """What is expected of opening a cell."""

    index: int
    """Of the cell in the grid of the board."""
    clear: float
    """The probability that it is clear."""
    both: float
    """The probability that the safest cell after it is clear, too."""
    zero: float
    """About the probability that it shows 0: as if its neighbours were independent."""
    score: float
    """What cells are compared by."""
    is_due: bool = False
    """Whether it has to be guessed unless it is clear, so that nothing is lost by opening it."""


def rated(view: View, board: Board) -> list[Rating]:
    """Return ratings, the best first. Cells that cannot be the best may be left out.

    Parameters
    ----------
    view
        The undecided cells, none of which is certain.
    board
        The board.
    """
    total, mined = view.weights.total, view.mined()
    clear = {cell: 1 - ways / total for cell, ways in mined.items()}
    zero = {cell: _zero(view, clear, cell) for cell in mined}
    if view.hidden.bit_count() == len(board.cells()):  # nothing is open
        first = [Rating(cell, clear[cell], clear[cell], zero[cell], zero[cell]) for cell in mined]
        return sorted(first, key=_order)[:MAX_ELSEWHERE]
    stake = {
        cell: min(ways, mined[cell], total - mined[cell])
        for cell, ways in stakes(view, board).items()
    }
    due = [cell for cell, ways in stake.items() if ways == mined[cell]]
    for cell in sorted(due, key=lambda each: (mined[each], each)):
        afters = list(view.after(cell))
        if len(afters) > 1:
            both = sum(after.ways / total * after.safest for after in afters)
            return [Rating(cell, clear[cell], both, zero[cell], 1.0, is_due=True)]
    enough = max(clear.values()) * MARGIN
    chosen = [cell for cell in mined if clear[cell] + stake.get(cell, 0) / total >= enough]
    far = [cell for cell in chosen if view.elsewhere >> cell & 1]
    dropped = set(sorted(far, key=lambda cell: (-zero[cell], cell))[MAX_ELSEWHERE:])
    # The most promising first, so that others are given up early.
    chosen = sorted(
        (cell for cell in chosen if cell not in dropped),
        key=lambda cell: (-clear[cell] - STAKE * (stake.get(cell, 0) / total), -zero[cell]),
    )
    ratings: list[Rating] = []
    for cell in chosen:
        left, afters = clear[cell], list[After]()
        weight = 1 + STAKE * (stake.get(cell, 0) / (total - mined[cell]))
        best = max((rating.score for rating in ratings), default=0.0)
        both = score = 0.0
        for after in view.after(cell):
            afters.append(after)
            share = after.ways / total
            left -= share
            both += share * after.safest
            score += share * ((1 - SECOND) * after.safest + SECOND * after.second)
            if (score + left) * weight < best:
                break
        else:
            score *= weight * (ONE_NUMBER if len(afters) == 1 else 1)
            ratings.append(Rating(cell, clear[cell], both, zero[cell], score))
    return sorted(ratings, key=_order)


def _order(rating: Rating) -> tuple[float, float, int]:
    return -rating.score, -rating.zero, rating.index


def _zero(view: View, clear: dict[int, float], cell: int) -> float:
    if view.around[cell] & view.mines:
        return 0.0
    chance = clear[cell]
    for other in indices(view.around[cell] & view.hidden):
        chance *= clear[other]
    return chance


MAX_MISSING = 3
"""How many cells around may still have to be mines."""
MAX_ENABLERS = 1
"""With up to this number of them, those cells count, too."""


@frozen
class Pattern:
    """Cells as bits, of which one half are mines; exchanging the halves changes no other number.

    So it is as long as all cells of ``ends``, which touch one half more than the other, are mines.
    """

    first: int
    second: int
    ends: int


@cache
def patterns(board: Board) -> tuple[Pattern, ...]:
    """Return all pairs and squares of a board."""
    grid = board.grid()
    index, around = grid.index, grid.around
    result = []
    for x, y in grid.cells:
        for other in ((x + 1, y), (x, y + 1)):
            if other in index:
                a, b = index[x, y], index[other]
                ends = (around[a] ^ around[b]) & ~(1 << a | 1 << b)
                result.append(Pattern(1 << a, 1 << b, ends))
        if (x + 1, y + 1) in index:
            square = [index[x + i, y + j] for i, j in ((0, 0), (1, 1), (1, 0), (0, 1))]
            a, b, c, d = (1 << i for i in square)
            corners = grid.bits(
                cell
                for cell in ((x - 1, y - 1), (x + 2, y - 1), (x - 1, y + 2), (x + 2, y + 2))
                if cell in index
            )
            result.append(Pattern(a | b, c | d, corners))
    return tuple(result)


def stakes(view: View, board: Board) -> dict[int, int]:
    """Return for cells in how many placements they are a mine that has to be guessed anyway.

    Parameters
    ----------
    view
        The undecided cells.
    board
        The board.
    """
    result: dict[int, int] = {}
    closed = view.hidden | view.mines
    for pattern in patterns(board):
        cells = pattern.first | pattern.second
        if cells & ~view.hidden or pattern.ends & ~closed:
            continue
        missing = pattern.ends & view.hidden
        needed = missing.bit_count()
        half = pattern.first.bit_count()
        if needed > MAX_MISSING or needed + half > view.left:
            continue
        rules = {(pattern.first, half), (pattern.second, 0)}
        if missing:
            rules.add((missing, needed))
        ways = view.with_rules(rules)
        if ways:
            if needed + half <= MAX_ENABLERS + 1:
                cells |= missing
            for index in indices(cells):
                result[index] = result.get(index, 0) + ways
    return result


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
            outside = view.hidden & ~region.cells
            if not any(view.around[cell] & outside for cell in indices(region.cells)):
                best = _best(view, region.cells, rules)
                if best is not None:
                    return best
    return None


def _best(view: View, cells: int, rules: Iterable[Constraint]) -> tuple[int, int, int] | None:
    order = list(indices(cells))
    if len(order) > MAX_CELLS:
        return None
    index = {cell: 1 << i for i, cell in enumerate(order)}
    stated = [exactly(mines, [is_(cell, True) for cell in indices(group)])
              for group, mines in sorted(rules)]  # fmt: skip
    worlds = Knowledge(Problem(dict.fromkeys(order, (False, True)), stated)).worlds()
    placements = tuple(sum(index[cell] for cell in order if world[cell]) for world in worlds)
    around = [sum(index.get(o, 0) for o in indices(view.around[cell])) for cell in order]
    try:
        best, wins = _Search(around).best(placements, 0)
    except _TooLarge:
        return None
    return order[best], wins, len(placements)


class _TooLarge(Exception):
    """The search has done too much work."""


class _Search:
    """Wins by best play; a state is the placements that are left and the cells that are open."""

    def __init__(self, around: Sequence[int]) -> None:
        self.around, self.count = around, len(around)
        self.work = 0
        self.known: dict[tuple[tuple[int, ...], int], int] = {}

    def wins(self, placements: tuple[int, ...], opened: int) -> int:
        """Return how many placements are won."""
        if len(placements) == 1:
            return 1
        clear = (1 << self.count) - 1 & ~reduce(or_, placements, opened)
        if clear:
            return self.wins_after(placements, opened, clear)
        known = self.known.get((placements, opened))
        if known is None:
            known = self.known[placements, opened] = self.best(placements, opened)[1]
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
        varying = reduce(or_, placements) & ~reduce(and_, placements)
        near = {self.around[cell] & varying for cell in indices(cells)} - {0}
        by_numbers: dict[tuple[int, ...], list[int]] = {}
        for placement in placements:
            numbers = tuple([(placement & around).bit_count() for around in near])
            by_numbers.setdefault(numbers, []).append(placement)
        won = 0
        for group in by_numbers.values():
            won += self.wins(tuple(group), opened)
        return won
