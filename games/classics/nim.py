"""Nim: take any number of pieces from one heap; the last piece wins, or loses (misere).

Charles L. Bouton, *Nim, a game with a complete mathematical theory* (1901): in normal play the
player to move loses exactly if the sizes of the heaps, added in binary without carry, give 0. In
misere play the same holds as long as some heap has two pieces or more; otherwise the player to move
wins exactly if the number of heaps is even.

*Nim for three players* has a first, a second and a third place. The player who takes the last piece
is first, the next in turn, who cannot move, is third, and the remaining one is second. S.-Y. R. Li,
*N-person Nim and N-person Moore's games* (1978): if each player wants the best place, the player to
move is third exactly if every binary digit occurs in the heaps' sizes a number of times that is
divisible by three.

*Dice nim*: a die limits how many pieces may be taken; the last piece wins. Each turn begins with
the throw of a fair die of ``faces`` faces; the player to move then takes from one piece up to the
number thrown. It is the smallest game with chance in which skill matters: with ``n`` pieces left,
the chance to win before the throw is the mean over the throws of the best of
``1 - chance(n - taken)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from random import Random
from typing import Self

from deduce.errors import BadInput, BadProblem
from deduce.search.digits import Digits
from deduce.system.text import plural, whole_number

__all__ = ["DiceNim", "Heaps", "Nim", "Pile", "Take", "ThreePlayerNim"]


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
        return self._digits().pack((*heaps, mover))

    def unpack(self, code: int) -> Heaps:
        """Return the state of a number that `pack` gives."""
        *heaps, mover = self._digits().unpack(code)
        return tuple(heaps), mover

    def _digits(self) -> Digits:
        return Digits((*(most + 1 for most in self.heaps), self.players))

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
        sizes, _, mover = (part.strip() for part in text.partition("player"))
        words = sizes.replace(",", " ").split()
        mover = mover or "0"
        numbers = all(
            whole_number(word, digits=len(str(MAX_HEAP))) is not None for word in (*words, mover)
        )
        if not words or not numbers or int(mover) >= self.players:
            raise BadInput(
                f"heaps of up to {MAX_HEAP} pieces are written as '1,3,5' or '1,3,5 player 1', "
                f"not {text!r}"
            )
        return tuple(map(int, words)), int(mover)

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
        match = re.fullmatch(r"([0-9]{1,6}) from ([0-9]{1,6})", " ".join(text.split()))
        if match is None:
            form = "'3 from 2' (3 pieces from the second heap)"
            raise BadInput(f"an action is written as {form}, not {text!r}")
        heaps, (pieces, heap) = state[0], map(int, match.groups())
        if 1 <= heap <= len(heaps) and 1 <= pieces <= heaps[heap - 1]:
            return heap - 1, pieces
        taken, sizes = plural(pieces, "piece"), ", ".join(map(str, heaps))
        raise BadInput(f"{taken} cannot be taken from heap {heap}; the heaps are {sizes}")


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


MAX_SIZE = 10_000
"""The maximum number of pieces and of faces."""

Pile = tuple[int, int, int]
"""The pieces left, the player to move, and the number thrown; 0 before the throw."""


class DiceNim:
    """Dice nim, 2 players; in Python an action is the number of pieces to take.

    In each turn a player throws a die, and takes at least one piece and at most as many as the
    die shows. The player who takes the last piece wins. --set pieces=10 --set faces=6 are the
    defaults.

    An action is the number of pieces to take. A state is written as '7 pieces, player 1 has
    thrown 4' or, before the throw, '7 pieces, player 1 throws'.

    Parameters
    ----------
    pieces
        The number of pieces of the heap at the start.
    faces
        The number of faces of the die.

    Examples
    --------
    >>> game = DiceNim(pieces=3, faces=2)
    >>> game.outcomes(game.initial_state())
    [((3, 0, 1), Fraction(1, 2)), ((3, 0, 2), Fraction(1, 2))]
    >>> game.actions((3, 0, 2))
    range(1, 3)
    """

    players = 2
    utility_bounds = (-1, 1)
    refuses_illegal = True
    zero_sum = True

    def __init__(self, pieces: int = 10, faces: int = 6) -> None:
        if not (1 <= pieces <= MAX_SIZE and 1 <= faces <= MAX_SIZE):
            raise BadProblem(
                f"dice nim has 1 to {MAX_SIZE} pieces and faces, not {pieces}, {faces}"
            )
        self.pieces = pieces
        self.faces = faces

    def initial_state(self) -> Pile:
        """Return the full heap before the first throw."""
        return self.pieces, 0, 0

    def outcomes(self, state: Pile) -> Sequence[tuple[Pile, Fraction]] | None:
        """Return the equally likely throws; ``None`` after the throw and at the end."""
        pieces, mover, thrown = state
        if thrown or not pieces:
            return None
        share = Fraction(1, self.faces)
        return [((pieces, mover, face), share) for face in range(1, self.faces + 1)]

    def to_move(self, state: Pile) -> int:
        """Return the player who has thrown the die."""
        return state[1]

    def actions(self, state: Pile) -> Sequence[int]:
        """Return the numbers of pieces that the throw allows."""
        return range(1, min(state[0], state[2]) + 1)

    def result(self, state: Pile, action: int) -> Pile:
        """Return the heap without the pieces, before the other player's throw."""
        return state[0] - action, 1 - state[1], 0

    def utility(self, state: Pile) -> tuple[int, int] | None:
        """Return +1 for the player who took the last piece."""
        if state[0]:
            return None
        return (-1, 1) if state[1] == 0 else (1, -1)

    def svg(self, state: Pile) -> str:
        """Return the heap and the die as a picture."""
        from games.classics.boards import pile_svg

        pieces, _, thrown = state
        return pile_svg(pieces, thrown, self.format_state(state))

    def format_state(self, state: Pile) -> str:
        """Return a text such as ``7 pieces, player 1 has thrown 4``, or ``player 1 throws``."""
        pieces, mover, thrown = state
        return f"{pieces} {'piece' if pieces == 1 else 'pieces'}, player {mover} " + (
            f"has thrown {thrown}" if thrown else "throws"
        )

    def parse_state(self, text: str) -> Pile:
        """Return the state of such a text.

        Raises
        ------
        BadInput
            It has another form, or the numbers do not fit the die.
        """
        form = r"([0-9]{1,5}) pieces?,? player ([01]) (?:throws|has thrown ([0-9]{1,5}))"
        match = re.fullmatch(form, " ".join(text.split()))
        if match:
            pieces, mover, thrown = (int(number or 0) for number in match.groups())
            if pieces <= MAX_SIZE and (match[3] is None or 1 <= thrown <= self.faces):
                return pieces, mover, thrown
        raise BadInput(
            "a state is written as '7 pieces, player 1 has thrown 4' or "
            f"'7 pieces, player 1 throws', not {text!r}"
        )

    def format_action(self, state: Pile, action: int) -> str:
        """Return the number of pieces."""
        return str(action)

    def parse_action(self, state: Pile, text: str) -> int:
        """Return the number of pieces of a text.

        Raises
        ------
        BadInput
            The throw does not allow it.
        """
        allowed = self.actions(state)
        if not allowed:
            raise BadInput(f"the die is thrown first; {text!r} is not an action")
        if text in map(str, allowed):
            return int(text)
        raise BadInput(f"an action is a number of pieces, 1 to {allowed[-1]}, not {text!r}")
