"""The bots that search, and the table of all built-in bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import tanh
from typing import ClassVar

from attrs import evolve, frozen

from deduce.errors import BadInput
from deduce.search import Limits, Result, TranspositionTable, deepening, mcts
from deduce.text import nearest
from games.cultist.board import DISTANCE, RANGE
from games.cultist.bots import Bot, Careful, Greedy, RandomBot
from games.cultist.evaluation import (
    Evaluation,
    default_evaluation,
    hit_point_sum,
    square_roots,
)
from games.cultist.game import CultistWars
from games.cultist.referee import Program
from games.cultist.rules import after_action, at_rest, is_over
from games.cultist.state import CONVERT, MOVE, SHOOT, UNITS, WAIT, Action, State

__all__ = ["BOTS", "DEFAULT_BOT", "Deepening", "Evaluated", "Uct", "analyse", "make_bot"]

_WIN = 10_000.0
_PER_UNIT = 100.0
_MAX_VALUE = _WIN + UNITS * _PER_UNIT
_SEARCH_SHARE = 0.5
"""The share of its time that a bot searches; the rest is a reserve for delays."""
_RANK = {CONVERT: 0, MOVE: RANGE + 1, WAIT.verb: RANGE + 2}
_FULL_WIDTH = 3
"""How many actions of each state the default bot always searches to the full depth."""
_MAX_ENTRIES = 10_000
"""The size at which a bot replaces its transposition table; freeing it takes 5 ms of a turn."""


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


class _Ordered(Evaluated):
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


class _Squashed(Evaluated):
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


class Deepening(Bot):
    """Iterative-deepening alpha-beta with a transposition table.

    Parameters
    ----------
    evaluation
        What unfinished games are worth.
    selective
        Whether promising actions are searched first and later quiet ones less deep, and the
        transposition table is kept from turn to turn.
    max_depth
        The maximum depth in turns; ``None``: no limit.
    """

    def __init__(
        self,
        evaluation: Evaluation = default_evaluation,
        *,
        selective: bool = True,
        max_depth: int | None = None,
    ) -> None:
        self._game = (_Ordered if selective else Evaluated)(evaluation=evaluation)
        self._full_width = _FULL_WIDTH if selective else None
        self._keeps_table = selective
        self._table = TranspositionTable()
        self._max_depth = max_depth

    def order(self, state: State, seconds: float) -> str:
        """Return the best action that is found in half of the time."""
        if not self._keeps_table or len(self._table) > _MAX_ENTRIES:
            self._table = TranspositionTable()
        result = deepening(
            self._game,
            state,
            depth=self._max_depth,
            full_width=self._full_width,
            table=self._table,
            limits=Limits(seconds=_SEARCH_SHARE * seconds, clock=self.clock),
        )
        self.depth = result.depth
        return _order_of(result)


class Uct(Bot):
    """Monte-Carlo tree search by UCT, with short playouts that end in an evaluation."""

    def __init__(self, seed: int = 0) -> None:
        self._game = _Squashed()
        self._seed = seed

    def order(self, state: State, seconds: float) -> str:
        """Return the action with the most simulations."""
        result = mcts(
            self._game,
            state,
            simulations=None,
            seed=self._seed + state.turn,
            horizon=4,
            exploration=0.3,
            limits=Limits(seconds=_SEARCH_SHARE * seconds, clock=self.clock),
        )
        return _order_of(result)


def _order_of(result: Result[State, Action]) -> str:
    """Return the text of the best action; a Ctrl-C during the search is raised again."""
    return str(result.uninterrupted().best_action or WAIT)


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
    >>> from games.cultist.maps import new_state
    >>> result = analyse(new_state(3), depth=2)
    >>> len(result.root_values), result.depth
    (4, 2)
    """
    result = deepening(
        _Ordered(), state, depth=depth, limits=limits, all_values=True, full_width=_FULL_WIDTH
    )
    if state.neutrals == "referee":
        return result
    known = {action: evolve(each, proved=False) for action, each in result.root_values.items()}
    estimate = result.estimate or result.value
    return evolve(result, value=None, estimate=estimate, bounds=None, root_values=known)


DEFAULT_BOT = "alphabeta"
BOTS: Mapping[str, Callable[[int], Bot]] = {
    "alphabeta": lambda seed: Deepening(),
    "uct": Uct,
    # Plain alpha-beta, as the author described it.
    "roots": lambda seed: Deepening(square_roots, selective=False, max_depth=3),
    # The same evaluation without a limit of depth: stronger than the described bot.
    "roots-timed": lambda seed: Deepening(square_roots, selective=False),
    "points": lambda seed: Deepening(hit_point_sum, selective=False, max_depth=3),
    "careful": lambda seed: Careful(),
    "greedy": lambda seed: Greedy(),
    "random": RandomBot,
}
"""Makes each built-in bot from a seed; docs/games/cultist.md describes them."""


def make_bot(name: str, seed: int = 0) -> Bot:
    """Return a built-in bot, or the program of a command line.

    Parameters
    ----------
    name
        The name of a built-in bot, or a command line.
    seed
        For the bots that make random choices.

    Raises
    ------
    BadInput
        The name is neither a built-in bot nor a command that can be run.

    Examples
    --------
    >>> type(make_bot("greedy")).__name__
    'Greedy'
    """
    if name in BOTS:
        return BOTS[name](seed)
    try:
        return Program(name)
    except (BadInput, ValueError) as error:
        known = ", ".join(BOTS)
        raise BadInput(
            f"{name!r} is neither a built-in bot ({known}) nor a command"
            f"{nearest(name, BOTS)}: {error}"
        ) from None
