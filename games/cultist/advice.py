"""What to do: the search of the default bot, and the evaluated games that bots search."""

from __future__ import annotations

from math import tanh
from typing import ClassVar

from attrs import evolve, frozen

from deduce.search import Limits, Result, deepening
from games.cultist.game import CultistWars, Evaluation, default_evaluation
from games.cultist.rules import after_action, at_rest, is_over
from games.cultist.setup import CONVERT, DISTANCE, MOVE, RANGE, SHOOT, UNITS, WAIT, Action, State

__all__ = ["FULL_WIDTH", "Evaluated", "Ordered", "Squashed", "analyse"]

_WIN = 10_000.0
_PER_UNIT = 100.0
_MAX_VALUE = _WIN + UNITS * _PER_UNIT
_RANK = {CONVERT: 0, MOVE: RANGE + 1, WAIT.verb: RANGE + 2}
FULL_WIDTH = 3
"""How many actions of each state the default bot always searches to the full depth."""


@frozen
class Evaluated(CultistWars):
    """The game with an evaluation of unfinished states, for searches of limited depth.

    A finished game is worth 10 000 to the winner plus 100 for each unit of the lead; every
    evaluation is smaller. Neutrals that would move at random stay where they are: a search without
    chance looks several turns ahead in the time in which an average over all steps looks one.
    """

    evaluation: Evaluation = default_evaluation

    utility_bounds: ClassVar[tuple[float, float]] = (-_MAX_VALUE, _MAX_VALUE)

    def result(self, state: State, action: Action) -> State:
        """Return the state after the turn."""
        if state.neutrals == "referee":
            return super().result(state, action)
        return at_rest(after_action(state, action)[0])

    def utility(self, state: State) -> tuple[float, float] | None:
        """Return what a finished game is worth to each side; ``None`` if it is not over."""
        if not is_over(state):
            return None
        first, second = state.counts
        lead = first - second
        value = _PER_UNIT * lead + _WIN * ((lead > 0) - (lead < 0))
        return value, -value

    def estimate(self, state: State) -> tuple[float, float]:
        """Return the evaluation for each side."""
        value = self.evaluation(state)
        return value, -value


class Ordered(Evaluated):
    """The same with an order of the actions, and with the quiet ones marked."""

    def order(self, state: State, actions: list[Action]) -> list[Action]:
        """Return conversions first, then shots by their distance, moves, and WAIT."""
        tiles = state.tiles

        def rank(action: Action) -> int:
            verb, unit, target = action
            return DISTANCE[tiles[unit]][tiles[target]] if verb == SHOOT else _RANK[verb]

        return sorted(actions, key=rank)

    def quiet(self, state: State, action: Action) -> bool:
        """Return whether the action neither shoots nor converts."""
        return action.verb in (MOVE, WAIT.verb)


class Squashed(Evaluated):
    """The same on a scale from -1 to 1, as UCT needs it."""

    utility_bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def utility(self, state: State) -> tuple[float, float] | None:
        """Return 1 for the winner and -1 for the loser, or 0 for both after a draw."""
        value = super().utility(state)
        if value is None:
            return None
        sign = float((value[0] > 0) - (value[0] < 0))
        return sign, -sign

    def estimate(self, state: State) -> tuple[float, float]:
        """Return the evaluation, mapped to the interval from -1 to 1."""
        value = tanh(self.evaluation(state) / 400)
        return value, -value


def analyse(
    state: State, *, depth: int | None = None, limits: Limits | None = None
) -> Result[State, Action]:
    """Return the result of the default bot's search, with the value of every action.

    Where neutrals move at random, the search assumes that they stay where they are, so all its
    values are estimates.

    Parameters
    ----------
    state
        A state in which a side is to move.
    depth
        The maximum depth in turns; ``None``: no limit.
    limits
        When the search stops.

    Examples
    --------
    >>> from games.cultist.setup import new_state
    >>> result = analyse(new_state(3), depth=2)
    >>> len(result.root_values), result.depth
    (4, 2)
    """
    result = deepening(
        Ordered(), state, depth=depth, limits=limits, all_values=True, full_width=FULL_WIDTH
    )
    if state.neutrals == "referee":
        return result
    known = {action: evolve(each, proved=False) for action, each in result.root_values.items()}
    estimate = result.estimate or result.value
    return evolve(result, value=None, estimate=estimate, bounds=None, root_values=known)
