"""A state as people see it: the game's own picture in a notebook, its text everywhere else."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from attrs import field, frozen

from deduce.display import Displayed
from deduce.search.game import Game, hook, text_of_state, turn
from deduce.search.result import utilities_text
from deduce.text import visible

__all__ = ["Board", "shown_state", "svg_of_state"]


@frozen
class Board(Displayed):
    """A state with the game that knows how it looks.

    States are plain values, often nothing but numbers, and do not know their game; this shows one.
    A notebook draws the game's ``svg(state)``; without one, and in a terminal, it shows the text
    of ``show`` or ``format_state``.

    Parameters
    ----------
    game
        The game. Its ``svg``, ``show`` and ``format_state`` are all optional.
    state
        The state; left out: the initial one.

    Examples
    --------
    >>> from games.classics.tic_tac_toe import TicTacToe
    >>> game = TicTacToe()
    >>> print(Board(game, game.parse_state("X..|.O.|..X")))
    X . .
    . O .
    . . X
    O to move
    """

    game: Game[Any, Any]
    state: Hashable = field()

    @state.default
    def _initial(self) -> Hashable:
        return self.game.initial_state()  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return visible(f"{shown_state(self.game, self.state)}\n{self.standing}")

    @property
    def standing(self) -> str:
        """Who is to move, or how the game has ended."""
        final = self.game.utility(self.state)
        if final is not None:
            return f"over: {utilities_text(self.game, final)}"
        return turn(self.game, self.state)


def shown_state(game: Game[Any, Any], state: Hashable) -> str:
    """Return the game's ``show`` of a state, which may have several lines, or its one-line text."""
    show = hook(game, "show")
    return str(show(state)) if show else text_of_state(game, state)


def svg_of_state(game: Game[Any, Any], state: Hashable) -> str | None:
    """Return the game's picture of a state as an SVG element; ``None`` if it draws none."""
    draw = hook(game, "svg")
    return None if draw is None else str(draw(state))
