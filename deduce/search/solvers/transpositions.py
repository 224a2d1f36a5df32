"""The transposition table of a search by depth: what is known about the states that it has visited.

With exact, lower and upper flags after Richard Greenblatt and others, *The Greenblatt chess
program* (1967).
"""

from __future__ import annotations

from collections.abc import Hashable
from enum import Enum
from typing import Any, NamedTuple

from deduce.errors import BadProblem
from deduce.search.game import Game

__all__ = ["Entry", "Flag", "TranspositionTable"]


class Flag(Enum):
    """How a value in the table compares with the true value at its depth."""

    EXACT = "exact"
    LOWER = "lower"
    UPPER = "upper"


class Entry(NamedTuple):
    """A value for the player to move, and what leads to it; made once a node, so a plain tuple."""

    value: float
    flag: Flag
    depth: int
    best: Hashable
    """The best action; under a symmetric key the name of the best child, because the action
    would belong to another representative."""

    def settles(self, alpha: float, beta: float) -> bool:
        """Return whether the entry answers a search with this window."""
        return (
            self.flag is Flag.EXACT
            or (self.flag is Flag.LOWER and self.value >= beta)
            or (self.flag is Flag.UPPER and self.value <= alpha)
        )


class TranspositionTable:
    """The results of searches of one game, with which the next search can begin.

    Proved bounds are kept apart from estimates: a proved bound holds at every depth. Estimates of a
    selective search (``full_width``) rest on fewer plies than those of a full search, which uses
    them nevertheless. The table grows without limit, by one entry per state; discard it when it is
    too large.

    Examples
    --------
    >>> from deduce.search.solvers.deepening import deepening
    >>> from games.classics.tic_tac_toe import TicTacToe
    >>> game, table = TicTacToe(), TranspositionTable()
    >>> first = deepening(game, depth=5, table=table)
    >>> again = deepening(game, depth=5, table=table)
    >>> again.estimate == first.estimate, len(table) > 0, again.nodes < first.nodes
    (True, True, True)
    """

    def __init__(self) -> None:
        self.proved: dict[Hashable, Entry] = {}
        self.guessed: dict[Hashable, Entry] = {}
        self._game: Any = None

    def keep_to(self, game: Game[Any, Any]) -> None:
        """Accept only results of ``game`` from now on: equal states of another game differ.

        Raises
        ------
        BadProblem
            The table is that of another game, which is neither this object nor equal to it.
        """
        if self._game is None:
            self._game = game
        elif self._game is not game and self._game != game:
            raise BadProblem(
                "the transposition table is that of another game; "
                "make one table for each game, and give all its searches the same game object"
            )

    def __len__(self) -> int:
        """Return how many entries there are."""
        return len(self.proved) + len(self.guessed)
