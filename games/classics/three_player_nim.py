"""Nim for three players with a first, a second and a third place.

The player who takes the last piece is first, the next in turn, who cannot move, is third, and the
remaining one is second. S.-Y. R. Li, *N-person Nim and N-person Moore's games* (1978): if each
player wants the best place, the player to move is third exactly if every binary digit occurs in the
heaps' sizes a number of times that is divisible by three.
"""

from __future__ import annotations

from games.classics.nim import Heaps, Nim, Take

__all__ = ["ThreePlayerNim"]


class ThreePlayerNim(Nim):
    """Nim for three players; in Python an action is ``(heap, pieces)``, heaps numbered from 0.

    The players take turns to take one or more pieces from one heap. The player who takes the
    last piece is first; the next player, who has nothing to take, is third; the remaining one
    is second. --set heaps=1,2,3 sets the heaps.

    An action such as '3 from 2' takes 3 pieces from the second heap. A state is written as
    '1,2,3 player 1': the heaps and the player to move, 0 to 2.

    Examples
    --------
    >>> game = ThreePlayerNim((1, 1))
    >>> state = game.result(game.result(game.initial_state(), (0, 1)), (1, 1))
    >>> game.utility(state)
    (0, 1, -1)
    """

    players = 3

    def __init__(self, heaps: tuple[int, ...] = (1, 2, 3)) -> None:
        super().__init__(heaps)

    def result(self, state: Heaps, action: Take) -> Heaps:
        """Return the heaps without the pieces, the next player to move."""
        heaps, _ = super().result(state, action)
        return heaps, (state[1] + 1) % 3

    def utility(self, state: Heaps) -> tuple[int, ...] | None:
        """Return +1 for the first, 0 for the second and -1 for the third place at the end."""
        heaps, mover = state
        if any(heaps):
            return None
        return tuple((-1, 0, 1)[(player - mover) % 3] for player in range(3))
