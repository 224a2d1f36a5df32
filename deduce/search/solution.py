"""The values of all states of a space: the result of the solvers of whole graphs."""

from __future__ import annotations

from math import inf
from typing import Any, Generic, TypeAlias

from attrs import field, frozen

from deduce.search.game import Action, State, Utilities
from deduce.search.result import ActionValue, Result, number
from deduce.search.space import StateSpace
from deduce.show.table import Table
from deduce.system.display import Displayed

__all__ = ["AnySolution", "Solution", "rank"]


MAX_VALUES = 12
"""How many different values a summary lists."""


@frozen
class Solution(Displayed, Generic[State, Action]):
    """Value and distance of every state of a space, in the order of its numbers.

    *Distance* is the number of plies to the end of the game when each player keeps their value,
    players who gain (more than by endless play: 0) finish as soon as possible, and the others as
    late as possible. It is ``None`` where play can go on for ever, and where the value is not
    known. A chance node counts its longest outcome.
    """

    space: StateSpace[State, Action]
    solver: str
    values: list[Utilities | None] = field(repr=False)
    """Proved utilities; ``None`` where the limits left too much unexpanded."""
    distances: list[int | None] = field(repr=False)
    infinite: float = 0
    """The value of endless play for player 0."""
    seconds: float = 0.0
    """The time of solving, including that of exploring in `deduce.search.solve`."""

    def __str__(self) -> str:
        """Return how many states have each value, and the answer for the root."""
        return f"{self.summary()}\n{self.result()}"

    def summary(self) -> Table:
        """Return how many states have each value, and the longest way to the end from there.

        Examples
        --------
        >>> from deduce.search.solvers.choose import solve
        >>> from games.classics.nim import Nim
        >>> print(solve(Nim((1, 2))).summary())
        8 states
        value  states  longest (plies)
        1, -1       5                3
        -1, 1       3                1
        """
        counts: dict[Utilities | None, int] = {}
        longest: dict[Utilities | None, int | None] = {}
        for value, distance in zip(self.values, self.distances, strict=True):
            counts[value] = counts.get(value, 0) + 1
            before = longest.get(value, 0)
            endless = before is None or distance is None
            longest[value] = None if endless else max(before or 0, distance or 0)
        ranked = sorted(counts, key=lambda value: -counts[value])
        rows = [
            (
                "unknown" if value is None else ", ".join(map(number, value)),
                f"{counts[value]}",
                "endless" if longest[value] is None else f"{longest[value]}",
            )
            for value in ranked[:MAX_VALUES]
        ]
        more = len(ranked) - len(rows)
        notes = (f"and {more} rarer values",) if more > 0 else ()
        head = ("value", "states", "longest (plies)")
        return Table(head, rows, f"{len(self.space)} states", notes)

    def best(self, index: int) -> tuple[Action, ...]:
        """Return the best actions of a state, all of them, in the order of the game.

        Where the mover gains, those that win soonest; where they lose, those that lose latest;
        where endless play is as good, every action that keeps the value.
        """
        space = self.space
        mover, children = space.movers[index], space.children[index]
        value = self.values[index]
        if mover < 0 or value is None:
            return ()
        own = value[mover]
        keeping = [i for i, child in enumerate(children) if self._own(child, mover) == own]
        gain = own - (self.infinite if mover == 0 else -self.infinite)
        if gain != 0:
            ranks = [rank(gain, self.distances[children[i]]) for i in keeping]
            least = min(ranks)
            keeping = [i for i, r in zip(keeping, ranks, strict=True) if r == least]
        return tuple(space.actions[index][i] for i in keeping)

    def result(self, state: State | None = None) -> Result[State, Action]:
        """Return the answer for one state, by default the root.

        In a symmetric space the actions are those of the state itself, not of its
        representative.

        Raises
        ------
        BadInput
            The state is not in the space.
        """
        space = self.space
        state = space.states[0] if state is None else state
        index = space.number(state)
        mover = space.movers[index]
        return Result(
            solver=self.solver,
            state=state,
            mover=mover if mover >= 0 else None,
            value=self.values[index],
            estimate=None,
            best_actions=self._best_of(state),
            root_values={
                action: ActionValue(utilities, proved=True)
                for action, child in self._after(state).items()
                if (utilities := self.values[child]) is not None
            },
            principal_variation=self._line(state),
            distance=self.distances[index],
            nodes=len(space),
            seconds=self.seconds,
            stopped=space.stopped,
            game=space.game,
        )

    def _after(self, state: State) -> dict[Action, int]:
        """Return the numbers of the states after a state's own actions."""
        space = self.space
        index = space.number(state)
        if space.movers[index] < 0:
            return {}
        if space.states[index] == state:
            return dict(zip(space.actions[index], space.children[index], strict=True))
        game = space.game
        return {action: space.number(game.result(state, action)) for action in game.actions(state)}

    def _best_of(self, state: State) -> tuple[Action, ...]:
        """Return the best of a state's own actions: those that lead where the best ones do."""
        space = self.space
        index = space.number(state)
        best = self.best(index)
        if space.states[index] == state:
            return best
        wanted = {space.children[index][i] for i in map(space.actions[index].index, best)}
        return tuple(action for action, child in self._after(state).items() if child in wanted)

    def _own(self, index: int, player: int) -> float | None:
        value = self.values[index]
        return None if value is None else value[player]

    def _line(self, state: State) -> tuple[Action, ...]:
        """Return best play from a state until the game ends, repeats or chance moves."""
        game, space = self.space.game, self.space
        line: list[Action] = []
        met: set[int] = set()
        while (index := space.number(state)) not in met:
            met.add(index)
            actions = self._best_of(state)
            if not actions:
                break
            # The longest known line comes first, where all else is equal.
            after = {action: game.result(state, action) for action in actions}
            lengths = {a: self.distances[space.number(child)] for a, child in after.items()}
            action = max(actions, key=lambda a: inf if (own := lengths[a]) is None else own)
            line.append(action)
            state = after[action]
        return tuple(line)


AnySolution: TypeAlias = Solution[Any, Any]
"""A solution of a game whose kinds of states and actions do not matter."""


def rank(own: float, distance: int | None) -> float:
    """Return the order in which a mover prefers children of the same value; lower is better.

    >>> rank(1, 3) < rank(1, 5), rank(-1, 3) > rank(-1, 5)
    (True, True)
    """
    if distance is None:
        return float("inf") if own > 0 else float("-inf")
    return distance if own > 0 else -distance
