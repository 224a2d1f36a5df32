"""Nim: take any number of pieces from one heap; the last piece wins, or loses (misere).

Charles L. Bouton, *Nim, a game with a complete mathematical theory* (1901): in normal play the
mover loses exactly where the heaps' sizes, added in binary without carry, give 0. In misere play
the same holds as long as some heap has two pieces or more; otherwise the mover wins exactly where
the number of heaps is even.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from deduce.errors import BadInput, BadProblem

__all__ = ["Heaps", "Nim", "Take", "read_heaps", "read_take"]

Heaps = tuple[tuple[int, ...], int]
Take = tuple[int, int]

MOST = 999_999
"""The greatest heap: every number of its pieces is an action."""


class Nim:
    """The game of nim; an action is ``(heap, pieces)`` with heaps numbered from 0.

    Parameters
    ----------
    heaps
        The sizes of the heaps at the start.
    misere
        Whether the player who takes the last piece loses.

    Examples
    --------
    >>> game = Nim((1, 3, 5), misere=True)
    >>> state = game.initial_state()
    >>> game.format_action(state, (2, 3)), game.format_state(game.result(state, (2, 3)))
    ('3 from 3', '1,3,2 player 1')
    """

    players = 2
    utility_bounds = (-1, 1)
    zero_sum = True

    def __init__(self, heaps: Iterable[int] = (1, 3, 5, 7), *, misere: bool = False) -> None:
        self.heaps = tuple(heaps)
        if not self.heaps or min(self.heaps) < 0 or max(self.heaps) > MOST:
            raise BadProblem(f"nim needs heaps of 0 to {MOST} pieces, not {self.heaps}")
        self.misere = misere

    def initial_state(self) -> Heaps:
        """Return the full heaps, with player 0 to move."""
        return self.heaps, 0

    def to_move(self, state: Heaps) -> int:
        """Return the mover, who is part of the state."""
        return state[1]

    def actions(self, state: Heaps) -> Sequence[Take]:
        """Return every number of pieces from every heap."""
        return [
            (heap, pieces) for heap, size in enumerate(state[0]) for pieces in range(1, size + 1)
        ]

    def result(self, state: Heaps, action: Take) -> Heaps:
        """Return the heaps without the pieces, the other player to move."""
        heaps, mover = state
        heap, pieces = action
        return (*heaps[:heap], heaps[heap] - pieces, *heaps[heap + 1 :]), 1 - mover

    def utility(self, state: Heaps) -> tuple[int, ...] | None:
        """Return +1 for the winner once no piece is left."""
        heaps, mover = state
        if any(heaps):
            return None
        winner = mover if self.misere else 1 - mover
        return (1, -1) if winner == 0 else (-1, 1)

    def key(self, state: Heaps) -> Heaps:
        """Return the heaps sorted, without the empty ones."""
        heaps, mover = state
        return tuple(sorted(filter(None, heaps))), mover

    def svg(self, state: Heaps) -> str:
        """Return the heaps as a picture."""
        from games.classics.boards import heaps_svg

        return heaps_svg(state[0], self.format_state(state))

    def format_state(self, state: Heaps) -> str:
        """Return the heaps and the mover: ``1,3,5 player 0``."""
        return f"{','.join(map(str, state[0]))} player {state[1]}"

    def parse_state(self, text: str) -> Heaps:
        """Return the state of a text such as ``1,3,5`` or ``1,3,5 player 1``.

        Raises
        ------
        BadInput
            It is of another form.
        """
        return read_heaps(text, self.players)

    def format_action(self, state: Heaps, action: Take) -> str:
        """Return ``3 from 2`` for three pieces of the second heap."""
        return f"{action[1]} from {action[0] + 1}"

    def parse_action(self, state: Heaps, text: str) -> Take:
        """Return the action of a text such as ``3 from 2``.

        Raises
        ------
        BadInput
            It is of another form, or the heap is too small.
        """
        return read_take(text, state[0])


def read_heaps(text: str, players: int) -> Heaps:
    """Return the state of a text such as ``1,3,5 player 1``; without a player, 0 moves.

    >>> read_heaps("1,3,5 player 1", 2)
    ((1, 3, 5), 1)
    """
    sizes, _, mover = (part.strip() for part in text.partition("player"))
    words = sizes.replace(",", " ").split()
    mover = mover or "0"
    numbers = all(word.isdecimal() and len(word) <= len(str(MOST)) for word in (*words, mover))
    if not words or not numbers or int(mover) >= players:
        raise BadInput(
            f"heaps (of at most {MOST}) are written as '1,3,5' or '1,3,5 player 1', not {text!r}"
        )
    return tuple(map(int, words)), int(mover)


def read_take(text: str, heaps: Sequence[int]) -> Take:
    """Return the action of a text such as ``3 from 2``, checked against the heaps.

    >>> read_take("3 from 2", (1, 3, 5))
    (1, 3)
    """
    match text.split():
        case [pieces, "from", heap] if re.fullmatch(r"\d{1,6} \d{1,6}", f"{pieces} {heap}"):
            place = int(heap) - 1
            if 0 <= place < len(heaps) and 1 <= int(pieces) <= heaps[place]:
                return place, int(pieces)
            raise BadInput(f"{pieces} pieces cannot be taken from heap {heap}")
        case _:
            raise BadInput(f"an action is written as '3 from 2', not {text!r}")
