"""Dice nim: a die limits how many pieces may be taken; the last piece wins.

Each turn begins with the throw of a fair die of ``faces`` faces; the player to move then takes from
one piece up to the number thrown. It is the smallest game with chance in which skill matters: with
``n`` pieces left, the chance to win before the throw is the mean over the throws of the best of
``1 - chance(n - taken)``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from deduce.errors import BadInput, BadProblem

__all__ = ["DiceNim", "Pile"]

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
