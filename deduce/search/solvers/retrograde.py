"""Solving every state of a space backwards from its ends.

*Retrograde analysis* (Ken Thompson, *Retrograde analysis of certain endgames*, ICCA Journal 9:3,
1986) is for two players, cycles and all: in the words of graph games, a sequence of attractors, one
per utility, the most extreme first. *Backward induction* (Harold Kuhn, *Extensive games and the
problem of information*, 1953) is for any number of players, with chance, where play always ends:
each player's best choice is known once those of all later states are.

An *attractor* is the set of states from which some players together can force play into a set. What
each player can force against all others together (`guarantees`) is a sequence of attractors for
each player, the greatest utility first; endless play gains nothing beyond what a player has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import (
    Collection,
    Iterable,
    Iterator,
    Mapping,
    MutableSequence,
    Sequence,
)
from time import perf_counter
from typing import Any

from attrs import frozen

from deduce.errors import Unsupported
from deduce.search.errors import InfinitePlay, NotZeroSum
from deduce.search.game import Action, Extra, Packed, State, Utilities, hook
from deduce.search.graph_game import is_graph
from deduce.search.limits import collector_paused
from deduce.search.result import Solution, rank
from deduce.search.solvers.shared import Subject, solves_graphs
from deduce.search.space import CHANCE, OPEN, OVER, AnySpace, StateSpace, space_of

__all__ = [
    "Attractor",
    "Guarantees",
    "attracted",
    "attractor",
    "backward_induction",
    "forced",
    "guarantees",
    "retrograde",
]


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
        Play can go on forever; the error names a state on a cycle.

    Notes
    -----
    Linear in states and actions. In a space that was cut short, states from which unexpanded
    ones can be reached have no value.

    Examples
    --------
    >>> from deduce.search.space import explore
    >>> from games.classics.nim import DiceNim
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
            "play can go on forever, so backward induction does not apply",
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


@frozen
class Attractor:
    """The states from which a coalition can force a set of targets.

    Of a `StateSpace` states and actions are numbers; of a game or a graph they are themselves.
    """

    plies: Mapping[Any, int]
    """State -> plies until the set is reached if the coalition is fast and the others delay."""
    strategy: Mapping[Any, Any]
    """State where the coalition moves -> its action, or the index of it in the state's list."""


def attractor(
    space: StateSpace[State, Action] | Subject[State, Action],
    coalition: Collection[int],
    targets: Iterable[Any],
) -> Attractor:
    """Return from where the players of ``coalition`` can force play into ``targets``, and how.

    All others, chance included, count as opponents: the set is reached with certainty.

    Parameters
    ----------
    space
        The explored states; unexpanded ones count as safe for the opponents. Or a game or a graph;
        the plies become the attribute ``plies`` of the graph's nodes, ``None`` where the targets
        cannot be forced.
    coalition
        The players who cooperate.
    targets
        Numbers of states of a space; states of a game or a graph.

    Notes
    -----
    Linear in states and actions (Wieslaw Zielonka, 1998, and earlier folklore).

    Examples
    --------
    From how many states of connect four, 3 wide and 4 high, can the first player force a row?

    >>> from deduce.search.space import explore
    >>> from games.classics.connect_four import ConnectFour
    >>> space = explore(ConnectFour(3, 4))
    >>> rows = [n for n, u in enumerate(space.utilities) if u == (1, -1)]
    >>> forced = attractor(space, {0}, rows)
    >>> len(rows), len(forced.plies), 0 in forced.plies
    (168, 336, False)
    """
    if isinstance(space, StateSpace):
        return _attract(space, coalition, targets)
    graph, space = space, space_of(space)
    states, actions = space.states, space.actions
    numbers = _attract(space, coalition, map(space.number, targets))
    plies = {states[index]: count for index, count in numbers.plies.items()}
    if is_graph(graph):
        for node, data in graph.nodes.items():
            data["plies"] = plies.get(node)
    return Attractor(plies, {states[i]: actions[i][a] for i, a in numbers.strategy.items()})


def _attract(space: AnySpace, coalition: Collection[int], targets: Iterable[int]) -> Attractor:
    plies: dict[int, int] = {}
    strategy: dict[int, int] = {}
    waiting, closed = [len(after) for after in space.children], bytearray(len(space))
    moves = space.movers, space.predecessors()
    for steps, layer in attracted(*moves, coalition, dict.fromkeys(targets), waiting, closed):
        for index in layer:
            plies[index] = steps
            if steps and space.movers[index] in coalition:
                after = (plies.get(child, steps) for child in space.children[index])
                strategy[index] = next(i for i, left in enumerate(after) if left < steps)
    return Attractor(plies, strategy)


def attracted(
    movers: Sequence[int],
    before: Sequence[Sequence[int]],
    coalition: Collection[int],
    targets: Iterable[int],
    waiting: MutableSequence[int],
    closed: bytearray,
) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield plies and the states from which a coalition needs them to force one of the targets.

    Parameters
    ----------
    movers, before
        Of each state who moves and its predecessors, as a `StateSpace` has them.
    coalition, targets
        As in `attractor`.
    waiting
        How many actions of each state the opponents still have; it is counted down.
    closed
        1 for states that are not asked about; those that are yielded become 1.
    """
    layer, plies = list(targets), 0
    for index in layer:
        closed[index] = 1
    while layer:
        yield plies, layer
        plies += 1
        reached = []
        for index in layer:
            for previous in before[index]:
                if closed[previous]:
                    continue
                if movers[previous] not in coalition:
                    waiting[previous] -= 1
                    if waiting[previous]:
                        continue
                closed[previous] = 1
                reached.append(previous)
        layer = reached


@frozen
class Guarantees:
    """What players can force from each state of a space, in the order of its numbers."""

    values: list[tuple[float, ...]]
    """For each player the utility that they can be sure of, whatever all others do."""
    plies: list[tuple[int, ...]]
    """For each player the plies until they have it: they hurry, and the others delay without giving
    more; 0 where they have it already."""


@collector_paused()
def guarantees(space: StateSpace[State, Action]) -> Guarantees:
    """Return what each player can force to have, against all others together.

    Parameters
    ----------
    space
        All states of a game with the method ``secured(state)``: what each player has already,
        however the game goes on. No move lowers it; in a finished state it is the utility.

    Raises
    ------
    Unsupported
        The game has no such method, or not all states were explored.

    Notes
    -----
    Linear in states and actions, for each player and each number that can be secured.

    Examples
    --------
    >>> from deduce.search.space import explore
    >>> from games.quartets.search import standard
    >>> space = explore(standard(2, 3, 2, preset="literal", goal="groups"), symmetric=True)
    >>> guarantees(space).values[0]
    (1.0, 2.0)
    """
    secured_of = hook(space.game, Packed.secured)
    if secured_of is None:
        raise Unsupported("what players can force needs a game with the method 'secured'")
    if space.frontier:
        raise Unsupported(
            f"what a player can force needs all positions; {len(space.frontier)} of {len(space)} "
            f"are not expanded (stopped by {space.stopped or 'the caller'})"
        )
    secured = [secured_of(state) for state in space.states]
    before = space.predecessors()
    columns = [
        forced(space, before, player, [own[player] for own in secured])
        for player in range(space.game.players)
    ]
    return Guarantees(
        list(zip(*(values for values, _ in columns), strict=True)),
        list(zip(*(plies for _, plies in columns), strict=True)),
    )


def forced(
    space: StateSpace[State, Action], before: list[list[int]], player: int, secured: list[float]
) -> tuple[list[float], list[int]]:
    """Return what one player can force from each state, and the plies until they have it."""
    waiting, closed = [len(children) for children in space.children], bytearray(len(space))
    values, plies = [0.0] * len(space), [0] * len(space)
    targets: dict[float, list[int]] = {}
    for index, own in enumerate(secured):
        targets.setdefault(own, []).append(index)
    for value in sorted(targets, reverse=True):
        open_targets = [index for index in targets[value] if not closed[index]]
        moves = attracted(space.movers, before, {player}, open_targets, waiting, closed)
        for count, layer in moves:
            for index in layer:
                values[index], plies[index] = value, count
    return values, plies
