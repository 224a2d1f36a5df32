"""Games given as tables, a strategy for random ones, and the known values that all tests share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from attrs import field, frozen
from hypothesis import strategies as st

from games.classics.connect_four import ConnectFour
from games.classics.nim import Nim
from games.classics.tic_tac_toe import TicTacToe


@frozen
class TableGame:
    """A game whose states are numbers; an action is the number of the state that follows."""

    movers: Sequence[int]
    after: Sequence[Sequence[int]]
    ends: Mapping[int, tuple[float, ...]]
    players: int = 2
    chances: Mapping[int, Sequence[Fraction]] = field(factory=dict)

    def initial_state(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.movers[state]

    def actions(self, state: int) -> Sequence[int]:
        return list(self.after[state])

    def result(self, state: int, action: int) -> int:
        if action not in self.after[state]:
            raise ValueError(f"{action} does not follow {state}")
        return action

    def utility(self, state: int) -> tuple[float, ...] | None:
        return self.ends.get(state)

    def outcomes(self, state: int) -> Sequence[tuple[int, Fraction]] | None:
        if state not in self.chances:
            return None
        return list(zip(self.after[state], self.chances[state], strict=True))


class WithoutChance(TableGame):
    """The same without the optional method."""

    outcomes = None  # type: ignore[assignment]


@st.composite
def table_games(
    draw: st.DrawFn, *, cycles: bool, players: int = 2, zero_sum: bool = True, chance: bool = False
) -> TableGame:
    """Draw a game of at most 14 states, the last of them over."""
    size = draw(st.integers(2, 14))
    utilities = st.integers(-2, 2)
    movers: list[int] = []
    after: list[list[int]] = []
    ends: dict[int, tuple[float, ...]] = {}
    chances: dict[int, list[Fraction]] = {}
    for state in range(size):
        movers.append(draw(st.integers(0, players - 1)))
        is_end = state == size - 1 or (state > 0 and draw(st.integers(0, 3)) == 0)
        if is_end:
            after.append([])
            if zero_sum:
                own = draw(utilities)
                ends[state] = (own, -own)
            else:
                ends[state] = tuple(draw(utilities) for _ in range(players))
            continue
        first = 0 if cycles else state + 1
        after.append(
            draw(st.lists(st.integers(first, size - 1), min_size=1, max_size=4, unique=True))
        )
        if chance and draw(st.integers(0, 2)) == 0:
            weights = [draw(st.integers(1, 4)) for _ in after[-1]]
            chances[state] = [Fraction(weight, sum(weights)) for weight in weights]
    make = TableGame if chance else WithoutChance
    return make(movers, after, ends, players, chances)


KNOWN: list[tuple[str, Any, int]] = [
    ("tic-tac-toe", TicTacToe(), 0),
    ("connect four 4x4", ConnectFour(4, 4), 0),
    ("connect four 5x4", ConnectFour(5, 4), 0),
    ("nim 1,3,5,7", Nim((1, 3, 5, 7)), -1),
    ("nim 1,3,5,7 misere", Nim((1, 3, 5, 7), misere=True), -1),
    ("nim 1,3,5 misere", Nim((1, 3, 5), misere=True), 1),
    ("nim 1,2,3 misere", Nim((1, 2, 3), misere=True), -1),
]
"""Games with the value for the first player (published, or counted by other programs)."""
