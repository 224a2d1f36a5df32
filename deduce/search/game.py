"""The protocol of a perfect-information game: states are values, moves make new states.

The words are those of Russell and Norvig, *Artificial Intelligence: A Modern Approach*,
chapter 5. A *game* is the rules; a single run of it is a *playthrough*.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar

__all__ = ["Game"]

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)


class Game(Protocol[State, Action]):
    """What a game must offer to be searched. Players are numbered from 0.

    Only the methods below are required. A game may also have any of these; every solver looks
    for them and works without:

    ``outcomes(state) -> Sequence[tuple[State, Fraction | float]] | None``
        the states that chance may lead to, with their probabilities (which sum to 1), when
        chance moves in ``state``; ``None`` where a player moves.
    ``key(state) -> Hashable``
        equal for states that are the same up to symmetry and have the same value for each player.
    ``order(state, actions) -> Sequence[Action]``
        the same actions, the promising ones first.
    ``estimate(state) -> tuple[float, ...]``
        a guess at the utilities of an unfinished state, one number per player.
    ``show(state) -> str``, ``format_action(state, action) -> str``,
    ``parse_action(state, text) -> Action``, ``format_state(state) -> str``,
    ``parse_state(text) -> State``
        text forms for people and files, which round-trip.
    """

    players: int
    """How many players there are."""

    def initial_state(self) -> State:
        """Return the state before the first move."""
        ...

    def to_move(self, state: State) -> int:
        """Return the player whose turn it is in an unfinished state."""
        ...

    def actions(self, state: State) -> Sequence[Action]:
        """Return every legal action of an unfinished state, without repeats."""
        ...

    def result(self, state: State, action: Action) -> State:
        """Return the state after ``action``; ``state`` itself is unchanged."""
        ...

    def utility(self, state: State) -> tuple[float, ...] | None:
        """Return one number per player when the game is over in ``state``, else ``None``."""
        ...
