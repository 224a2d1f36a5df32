"""Playing: certain cells, else the cell that is best for surviving now and at the next guess."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from random import Random
from typing import Literal

from attrs import frozen

from deduce.errors import BadInput, Contradiction, Undecided
from games.minesweeper.endgame import best_cell
from games.minesweeper.position import Position, Risks
from games.minesweeper.setup import Board, Cell, cell_name

__all__ = ["Field", "Outcome", "Start", "choose", "play", "rated"]

Start = Literal["classic", "modern"]
"""Whether the first cell alone is clear of mines, or its neighbours too."""

MAX_RATED = 8
"""How many cells are looked at two steps ahead."""
MARGIN = Fraction(9, 10)
"""They survive with at least this part of the best probability."""
SMALL_WAYS = 400
"""Up to this number of placements the chance of winning is computed exactly."""


@frozen
class Field:
    """A board with its mines, which a player opens cell by cell.

    Examples
    --------
    >>> field = Field(Board(3, 1, 1), frozenset({(2, 0)}))
    >>> field.open((0, 0)), field.open((2, 0))
    ({(0, 0): 0, (1, 0): 1}, None)
    """

    board: Board
    mines: frozenset[Cell]

    @classmethod
    def random(cls, board: Board, first: Cell, start: Start, random: Random) -> Field:
        """Return a field on which the first cell can be opened.

        Raises
        ------
        BadInput
            There are too many mines, or their number is not known.
        """
        if board.mines is None:
            raise BadInput("a field needs a number of mines")
        spared = {first, *(board.around(first) if start == "modern" else ())}
        cells = [cell for cell in board.cells() if cell not in spared]
        if board.mines > len(cells):
            raise BadInput(
                f"{board.mines} mines do not fit on {len(cells)} cells: the start "
                f"keeps {len(spared)} clear"
            )
        return cls(board, frozenset(random.sample(cells, board.mines)))

    def open(self, cell: Cell, opened: Mapping[Cell, int] | None = None) -> dict[Cell, int] | None:
        """Return what opening a cell shows, around zeros too; ``None`` if it is a mine."""
        if cell in self.mines:
            return None
        known, new = opened or {}, dict[Cell, int]()
        waiting = [cell]
        while waiting:
            each = waiting.pop()
            if each in known or each in new:
                continue
            around = self.board.around(each)
            new[each] = sum(other in self.mines for other in around)
            if new[each] == 0:
                waiting += around
        return new


@frozen
class Choice:
    """A cell to open."""

    cell: Cell
    survives: Fraction
    """The probability that it is clear."""
    reason: str
    """Why this one, as a sentence."""


def choose(position: Position) -> Choice:
    """Return the cell to open next.

    A certain cell if there is one. If few placements of the mines are left, the cell with the
    greatest chance of winning, by search over all of them. Else, of the cells that are nearly as
    safe as the safest, the one with the greatest chance to survive it and the next cell too; of
    equals the one most likely to show 0.

    Raises
    ------
    Contradiction
        No placement of the mines fits the numbers.
    """
    if not position.clear:
        risks = position.risks()
        position.decide(
            mines=[cell for cell, risk in risks.near.items() if risk == 1],
            clear=[cell for cell, risk in risks.near.items() if risk == 0],
        )
        if risks.elsewhere == 0:
            position.decide(clear=[c for c in position.hidden() if c not in risks.near])
    if position.clear:
        cell = min(position.clear, key=lambda each: (each[1], each[0]))
        return Choice(cell, Fraction(1), f"{cell_name(cell)} is certainly clear")
    if risks.ways <= SMALL_WAYS:
        found = best_cell(position)
        if found is not None:
            cell, wins = found
            chance = f"{wins} of {risks.ways} placements are won"
            return Choice(cell, 1 - risks.of(cell), f"{cell_name(cell)}: {chance}")
    survives, cell = max((value, cell) for cell, value in rated(position, risks).items())
    percent = float(100 * (1 - risks.of(cell)))
    return Choice(
        cell,
        1 - risks.of(cell),
        f"{cell_name(cell)} is clear with {percent:.1f} %, and the next cell too with "
        f"{float(100 * survives[0]):.1f} %",
    )


def rated(position: Position, risks: Risks) -> dict[Cell, tuple[Fraction, Fraction]]:
    """Return of the safest cells the chance to survive two steps, and about that of a zero."""
    least = min([*risks.near.values(), *([] if risks.elsewhere is None else [risks.elsewhere])])
    enough = (1 - least) * MARGIN
    zero = {
        cell: _zero(position, risks, cell)
        for cell in position.hidden()
        if 1 - risks.of(cell) >= enough
    }
    near = sorted((c for c in zero if c in risks.near), key=lambda c: (risks.of(c), -zero[c]))
    far = sorted((c for c in zero if c not in risks.near), key=lambda c: -zero[c])
    chosen = near[:MAX_RATED] + far[: max(2, MAX_RATED - len(near))]
    if not position.numbers:
        return {cell: (1 - risks.of(cell), zero[cell]) for cell in chosen}
    return {cell: (_two_steps(position, risks, cell), zero[cell]) for cell in chosen}


def _zero(position: Position, risks: Risks, cell: Cell) -> Fraction:
    """Return about how likely a cell shows 0: as if its neighbours were independent."""
    chance = 1 - risks.of(cell)
    for other in position.board.around(cell):
        if other in position.mines:
            return Fraction(0)
        if other not in position.numbers and other not in position.clear:
            chance *= 1 - risks.of(other)
    return chance


def _two_steps(position: Position, risks: Risks, cell: Cell) -> Fraction:
    """Return the probability that a cell is clear, and then the safest of the cells after it."""
    around = position.board.around(cell)
    known = sum(other in position.mines for other in around)
    undecided = sum(
        other not in position.mines
        and other not in position.clear
        and other not in position.numbers
        for other in around
    )
    total = Fraction(0)
    for number in range(known, known + undecided + 1):
        after = position.with_number(cell, number)
        try:
            later = after.risks()
        except Contradiction:
            continue
        safest = 1 - min(
            [*later.near.values(), *([] if later.elsewhere is None else [later.elsewhere])],
            default=Fraction(0),
        )
        total += later.ways * (1 if after.clear else safest)
    return total / risks.ways


@frozen
class Outcome:
    """How a game ended."""

    won: bool
    guesses: int
    """How many cells were opened that were not certainly clear, the first one included."""
    undecided: bool = False
    """Whether a position could not be decided within the limits; then a hidden cell is opened."""


def play(
    field: Field, first: Cell, watch: Callable[[Position, Choice], None] | None = None
) -> Outcome:
    """Play a game to its end.

    Parameters
    ----------
    field
        The field.
    first
        The cell to open first.
    watch
        Called before every cell that is opened, but the first, with the position.

    Examples
    --------
    >>> play(Field(Board(4, 1, 1), frozenset({(3, 0)})), (0, 0))
    Outcome(won=True, guesses=1, undecided=False)
    """
    position = Position(field.board)
    wanted = len(field.board.cells()) - len(field.mines)
    guesses, undecided = 0, False
    cell, certain = first, False
    while True:
        shown = field.open(cell, position.numbers)
        guesses += not certain
        if shown is None:
            return Outcome(won=False, guesses=guesses, undecided=undecided)
        position.open(shown)
        if len(position.numbers) == wanted:
            return Outcome(won=True, guesses=guesses, undecided=undecided)
        try:
            choice = choose(position)
        except Undecided:
            undecided = True
            choice = Choice(position.hidden()[0], Fraction(0), "undecided within the limits")
        if watch:
            watch(position, choice)
        cell, certain = choice.cell, choice.survives == 1
