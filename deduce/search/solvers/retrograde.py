"""Solving every state of a space backwards from its ends.

*Retrograde analysis* (Ken Thompson, *Retrograde analysis of certain endgames*, ICCA Journal 9:3,
1986) is for two players, cycles and all: in the words of graph games, a sequence of attractors, one
per utility, the most extreme first. *Backward induction* (Harold Kuhn, *Extensive games and the
problem of information*, 1953) is for any number of players, with chance, where play always ends:
each player's best choice is known once those of all later states are.
"""

from __future__ import annotations

from collections import defaultdict
from time import perf_counter

from deduce.errors import Unsupported
from deduce.search.errors import InfinitePlay, NotZeroSum
from deduce.search.game import Action, Extra, State, Utilities, hook
from deduce.search.limits import collector_paused
from deduce.search.solution import Solution, rank
from deduce.search.solvers.attractor import attracted
from deduce.search.solvers.shared import solves_graphs
from deduce.search.space import CHANCE, OPEN, OVER, StateSpace

__all__ = ["backward_induction", "retrograde"]


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
    low, high = hook(space.game, Extra.utility_bounds, (None, None))
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


@solves_graphs
@collector_paused()
def backward_induction(space: StateSpace[State, Action]) -> Solution[State, Action]:
    """Return the value of every state when each mover chooses what is best for them.

    With more than two players the answer is *an* equilibrium: an indifferent mover chooses,
    among their best actions, the one that ends soonest if they gain and latest if not, and of
    those the first in the game's order. What the other players get depends on that choice.
    Probabilities given as `fractions.Fraction` give exact values.

    Raises
    ------
    InfinitePlay
        Play can go on for ever; the error names a state on a cycle.

    Notes
    -----
    Linear in states and actions. In a space that was cut short, states from which unexpanded
    ones can be reached have no value.

    Examples
    --------
    >>> from deduce.search.space import explore
    >>> from games.classics.dice_nim import DiceNim
    >>> backward_induction(explore(DiceNim(pieces=3, faces=3))).values[0]
    (Fraction(1, 9), Fraction(-1, 9))
    """
    started = perf_counter()
    movers, children, chances = space.movers, space.children, space.chances
    before = space.predecessors()
    waiting = [len(after) for after in children]
    values: list[Utilities | None] = list(space.utilities)
    distances: list[int | None] = [0 if mover == OVER else None for mover in movers]
    ready = [index for index, mover in enumerate(movers) if mover == OVER]
    for index in ready:  # grows while it is walked
        for previous in before[index]:
            waiting[previous] -= 1
            if waiting[previous]:
                continue
            ready.append(previous)
            after = [(values[child] or (), distances[child] or 0) for child in children[previous]]
            mover = movers[previous]
            if mover == CHANCE:
                shares = chances[previous]
                values[previous] = tuple(
                    sum(
                        share * value[player]
                        for share, (value, _) in zip(shares, after, strict=True)
                    )
                    for player in range(space.game.players)
                )
                distances[previous] = 1 + max(distance for _, distance in after)
            else:
                own = max(value[mover] for value, _ in after)
                value, distance = min(
                    (child for child in after if child[0][mover] == own),
                    key=lambda child: rank(own, child[1]),
                )
                values[previous], distances[previous] = value, distance + 1
    if len(ready) < len(space) and OPEN not in movers:
        raise InfinitePlay(
            "play can go on for ever, so backward induction does not apply",
            space.game,
            space.states[_on_cycle(space, waiting)],
        )
    seconds = perf_counter() - started
    return Solution(space, "backward induction", values, distances, seconds=seconds)


def _on_cycle(space: StateSpace[State, Action], waiting: list[int]) -> int:
    """Return a state on a cycle: among the unsolved, walk on until one is reached again."""
    index = next(n for n, left in enumerate(waiting) if left)
    met: set[int] = set()
    while index not in met:
        met.add(index)
        index = next(child for child in space.children[index] if waiting[child])
    return index
