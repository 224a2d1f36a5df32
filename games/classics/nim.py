"""Nim: take any number of pieces from one heap; the last piece wins, or loses (misere).

Charles L. Bouton, *Nim, a game with a complete mathematical theory* (1901): in normal play the
player to move loses exactly if the sizes of the heaps, added in binary without carry, give 0. In
misere play the same holds as long as some heap has two pieces or more; otherwise the player to move
wins exactly if the number of heaps is even.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from random import Random
from typing import Self

from deduce.errors import BadInput, BadProblem
from deduce.system.text import plural, whole_number

__all__ = ["Heaps", "Nim", "Take", "read_heaps", "read_take"]

Heaps = tuple[tuple[int, ...], int]
Take = tuple[int, int]

MAX_HEAP = 999_999
"""The largest heap: every number of its pieces is an action."""


class Nim:
    """Nim, 2 players; in Python an action is ``(heap, pieces)`` with heaps numbered from 0.

    The players take turns to take one or more pieces from one heap. The player who takes the
    last piece wins; with --set misere=yes that player loses. --set heaps=1,3,5 sets the heaps.

    An action such as '3 from 2' takes 3 pieces from the second heap. A state is written as
    '1,3,5 player 1': the heaps and the player to move, 0 or 1.

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
    refuses_illegal = True
    zero_sum = True

    def __init__(self, heaps: Iterable[int] = (1, 3, 5, 7), *, misere: bool = False) -> None:
        self.heaps = tuple(heaps)
        if not self.heaps or min(self.heaps) < 0 or max(self.heaps) > MAX_HEAP:
            raise BadProblem(f"nim needs heaps of 0 to {MAX_HEAP} pieces, not {self.heaps}")
        self.misere = misere

    @classmethod
    def random_setup(cls, random: Random) -> Self:
        """Return a game with random heaps, for ``deduce soak``."""
        return cls([random.randint(0, 5) for _ in range(random.randint(1, 4))])

    def initial_state(self) -> Heaps:
        """Return the full heaps, with player 0 to move."""
        return self.heaps, 0

    def to_move(self, state: Heaps) -> int:
        """Return the player to move, which is part of the state."""
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

    def known_value(self, state: Heaps) -> tuple[int, ...] | None:
        """Return the utilities with best play by the theorem of Bouton.

        >>> Nim().known_value(((1, 2, 3), 0))
        (-1, 1)
        """
        if self.players != 2:
            return None
        heaps, mover = state
        total = 0
        for heap in heaps:
            total ^= heap
        if self.misere and max(heaps) < 2:
            total = 1 - total
        return (1, -1) if (total != 0) == (mover == 0) else (-1, 1)

    def key(self, state: Heaps) -> Heaps:
        """Return the heaps sorted, without the empty ones."""
        heaps, mover = state
        return tuple(sorted(filter(None, heaps))), mover

    def tier(self, state: Heaps) -> int:
        """Return the number of pieces that were taken."""
        return sum(self.heaps) - sum(state[0])

    def pack(self, state: Heaps) -> int:
        """Return the heaps as the digits of a number, the last digit being the mover.

        Raises
        ------
        BadInput
            The heaps are not those of this game, each as large as at the start or smaller.
        """
        heaps, mover = state
        if len(heaps) != len(self.heaps) or any(map(int.__gt__, heaps, self.heaps)):
            raise BadInput(
                f"the heaps {','.join(map(str, heaps))} do not come from "
                f"{','.join(map(str, self.heaps))}; set the heaps of the game instead"
            )
        code = 0
        for size, most in zip(heaps, self.heaps, strict=True):
            code = code * (most + 1) + size
        return code * self.players + mover

    def unpack(self, code: int) -> Heaps:
        """Return the state of a number that `pack` gives."""
        code, mover = divmod(code, self.players)
        heaps = []
        for most in reversed(self.heaps):
            code, size = divmod(code, most + 1)
            heaps.append(size)
        return tuple(reversed(heaps)), mover

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
            It has another form.
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
            It has another form, or the heap is too small.
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
    numbers = all(
        whole_number(word, digits=len(str(MAX_HEAP))) is not None for word in (*words, mover)
    )
    if not words or not numbers or int(mover) >= players:
        raise BadInput(
            f"heaps of up to {MAX_HEAP} pieces are written as '1,3,5' or '1,3,5 player 1', "
            f"not {text!r}"
        )
    return tuple(map(int, words)), int(mover)


def read_take(text: str, heaps: Sequence[int]) -> Take:
    """Return the action of a text such as ``3 from 2``, checked against the heaps.

    >>> read_take("3 from 2", (1, 3, 5))
    (1, 3)
    """
    match text.split():
        case [pieces, "from", heap] if re.fullmatch(r"[0-9]{1,6} [0-9]{1,6}", f"{pieces} {heap}"):
            index = int(heap) - 1
            if 0 <= index < len(heaps) and 1 <= int(pieces) <= heaps[index]:
                return index, int(pieces)
            taken = plural(int(pieces), "piece")
            sizes = ", ".join(map(str, heaps))
            raise BadInput(f"{taken} cannot be taken from heap {heap}; the heaps are {sizes}")
        case _:
            raise BadInput(
                f"an action is written as '3 from 2' (3 pieces from the second heap), not {text!r}"
            )
