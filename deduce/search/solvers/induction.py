"""Backward induction: any number of players, with chance, where play always ends.

Harold Kuhn, *Extensive games and the problem of information* (1953): in a finite game of perfect
information each player's best choice is known once those of all later states are.
"""

from __future__ import annotations

from time import perf_counter

from deduce.search.errors import InfinitePlay
from deduce.search.game import Action, State, Utilities
from deduce.search.memory import collector_paused
from deduce.search.solution import Solution, rank
from deduce.search.solvers.graphs import solves_graphs
from deduce.search.space import CHANCE, OPEN, OVER, StateSpace

__all__ = ["backward_induction"]


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
