"""Retrograde analysis: solving a game graph backwards from its ends, cycles and all.

Ken Thompson, *Retrograde analysis of certain endgames* (ICCA Journal 9:3, 1986); in the words of
graph games, a sequence of attractors, one per utility, the most extreme first.
"""

from __future__ import annotations

from collections import defaultdict
from time import perf_counter

from deduce.errors import Unsupported
from deduce.search.errors import NotZeroSum
from deduce.search.game import Action, State, Utilities, hook
from deduce.search.memory import collector_paused
from deduce.search.solution import Solution
from deduce.search.solvers.attractor import attracted
from deduce.search.solvers.graphs import solves_graphs
from deduce.search.space import CHANCE, OPEN, StateSpace

__all__ = ["retrograde"]


@solves_graphs
@collector_paused()
def retrograde(space: StateSpace[State, Action], *, infinite: float = 0) -> Solution[State, Action]:
    """Return the value of every state of a two-player zero-sum game without chance.

    Parameters
    ----------
    space
        The explored states. If the exploration was cut short, a state is given a value only if
        a player can force the best that ``utility_bounds`` declares, whatever is unexplored.
    infinite
        The value of endless play for player 0.

    Raises
    ------
    Unsupported
        The game has chance or not two players; `backward_induction` takes it if play always ends.
    NotZeroSum
        The utilities of a finished state do not sum to 0; the error names the state.

    Notes
    -----
    Linear in states and actions. Distances count plies: the winner is fast and the loser delays
    without giving up their value; a draw takes as long as both can make it, ``None`` for ever.

    Examples
    --------
    >>> from deduce.search.space import explore
    >>> from games.classics.connect_four import ConnectFour
    >>> solution = retrograde(explore(ConnectFour(3, 4)))
    >>> solution.values[0], solution.distances[0]
    ((0, 0), 12)
    """
    started = perf_counter()
    ends = _ends_by_value(space)
    movers, before = space.movers, space.predecessors()
    waiting, closed = [len(children) for children in space.children], bytearray(len(space))
    values: list[float | None] = [None] * len(space)
    distances: list[int | None] = [None] * len(space)
    complete = OPEN not in movers
    low, high = hook(space.game, "utility_bounds", (None, None))
    wins = [(0, value) for value in sorted(ends, reverse=True) if value > infinite]
    losses = [(1, value) for value in sorted(ends) if value < infinite]
    for winner, value in (*wins, *losses):
        if complete or value == (low if winner else high):
            for plies, layer in attracted(movers, before, {winner}, ends[value], waiting, closed):
                for index in layer:
                    values[index], distances[index] = value, plies
    if complete:  # the rest is a draw; where play must end, with its longest line
        drawn = [index for index, value in enumerate(values) if value is None]
        for index in drawn:
            values[index] = infinite
        for index in drawn:
            waiting[index] = sum(values[child] == infinite for child in space.children[index])
        for plies, layer in attracted(movers, before, (), ends[infinite], waiting, closed):
            for index in layer:
                distances[index] = plies
    shared: dict[float | None, Utilities | None] = {None: None}
    for value in (*ends, infinite):
        shared[value] = (value, 0 - value)  # never -0.0
    return Solution(
        space,
        "retrograde analysis",
        [shared[value] for value in values],
        distances,
        infinite,
        perf_counter() - started,
    )


def _ends_by_value(space: StateSpace[State, Action]) -> defaultdict[float, list[int]]:
    """Return the finished states by their value for player 0."""
    if space.game.players != 2:
        raise Unsupported(
            f"retrograde analysis is for two players, not {space.game.players}; "
            "backward_induction takes any number"
        )
    if CHANCE in space.movers:
        raise Unsupported("retrograde analysis is for games without chance; see backward_induction")
    ends: defaultdict[float, list[int]] = defaultdict(list)
    for index, utilities in enumerate(space.utilities):
        if utilities is not None:
            if utilities[0] != -utilities[1]:
                raise NotZeroSum(
                    f"utilities {utilities} do not sum to 0", space.game, space.states[index]
                )
            ends[utilities[0]].append(index)
    return ends
