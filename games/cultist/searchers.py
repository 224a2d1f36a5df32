"""The bots that look ahead, all on the shared search layer, and the table of all bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import tanh
from typing import ClassVar

from attrs import frozen

from deduce.errors import BadInput
from deduce.search import Limits, Result, TranspositionTable, deepening, mcts
from deduce.text import nearest
from games.cultist.board import DISTANCE, RANGE
from games.cultist.bots import Bot, Careful, Greedy, RandomBot
from games.cultist.evaluation import Evaluation, hit_point_sum, prospects, square_roots
from games.cultist.referee import Program
from games.cultist.rules import CultistWars, is_over
from games.cultist.state import CONVERT, MOVE, SHOOT, UNITS, WAIT, Action, State

__all__ = ["BOTS", "DEFAULT_BOT", "Deepening", "Judged", "Uct", "analyse", "make_bot"]

_WIN = 10_000.0
_PER_UNIT = 100.0
_MOST = _WIN + UNITS * _PER_UNIT
_THINKING = 0.5
"""The share of its time that a bot plans with; the rest is for what it does not control."""
_RANK = {CONVERT: 0, MOVE: RANGE + 1, WAIT.verb: RANGE + 2}
_FULL_WIDTH = 3
"""How many actions the default bot searches to the full depth whatever they are."""
_MOST_REMEMBERED = 10_000
"""Entries of the table after which a bot begins a new one; freeing them takes 5 ms of its turn."""


@frozen
class Judged(CultistWars):
    """The game with an evaluation, for a search that cannot see its end.

    A finished game counts 10 000 for the winner and 100 a unit of the lead, which no evaluation
    reaches.
    """

    evaluation: Evaluation = prospects

    utility_bounds: ClassVar[tuple[float, float]] = (-_MOST, _MOST)

    def utility(self, state: State) -> tuple[float, float] | None:
        """Return who has won and by how much, ``None`` while the game goes on."""
        if state.chance or not is_over(state):
            return None
        first, second = state.counts
        lead = first - second
        value = _PER_UNIT * lead + _WIN * ((lead > 0) - (lead < 0))
        return value, -value

    def estimate(self, state: State) -> tuple[float, float]:
        """Return the evaluation, once for each side."""
        value = self.evaluation(state)
        return value, -value


class _Ordered(Judged):
    """The same with the actions that change most searched first, and deepest."""

    def order(self, state: State, actions: list[Action]) -> list[Action]:
        """Return conversions, shots from near to far, moves, and waiting last."""
        tiles = state.tiles

        def rank(action: Action) -> int:
            verb, unit, target = action
            return DISTANCE[tiles[unit]][tiles[target]] if verb == SHOOT else _RANK[verb]

        return sorted(actions, key=rank)

    def quiet(self, state: State, action: Action) -> bool:
        """Return whether the action neither shoots nor converts."""
        return action.verb in (MOVE, WAIT.verb)


class _Squashed(Judged):
    """The same on a scale from -1 to 1, on which UCT can weigh lines against each other."""

    utility_bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def utility(self, state: State) -> tuple[float, float] | None:
        """Return 1 and -1 for the winner and the loser, 0 for a draw."""
        value = super().utility(state)
        if value is None:
            return None
        sign = float((value[0] > 0) - (value[0] < 0))
        return sign, -sign

    def estimate(self, state: State) -> tuple[float, float]:
        """Return the evaluation, squashed."""
        value = tanh(self.evaluation(state) / 400)
        return value, -value


class Deepening(Bot):
    """Iterative-deepening alpha-beta with a transposition table.

    Parameters
    ----------
    evaluation
        What unfinished games are worth.
    selective
        Whether likely good actions are searched first, late quiet ones less deep, and what a
        turn's search has found is kept for the next turn.
    most
        The greatest depth in turns, if any.
    """

    def __init__(
        self, evaluation: Evaluation = prospects, *, selective: bool = True, most: int | None = None
    ) -> None:
        self._game = (_Ordered if selective else Judged)(evaluation=evaluation)
        self._full_width = _FULL_WIDTH if selective else None
        self._remembers = selective
        self._table = TranspositionTable()
        self._most = most

    def order(self, state: State, seconds: float) -> str:
        """Return the best action found in the share of the time that it plans with."""
        if not self._remembers or len(self._table) > _MOST_REMEMBERED:
            self._table = TranspositionTable()
        found = deepening(
            self._game,
            state,
            depth=self._most,
            full_width=self._full_width,
            table=self._table,
            limits=Limits(seconds=_THINKING * seconds, clock=self.clock),
        )
        self.depth = found.depth
        return _order(found)


class Uct(Bot):
    """UCT: short random playouts, judged by the evaluation at their end."""

    def __init__(self, seed: int = 0) -> None:
        self._game = _Squashed()
        self._seed = seed

    def order(self, state: State, seconds: float) -> str:
        """Return the action with the most simulations."""
        found = mcts(
            self._game,
            state,
            simulations=None,
            seed=self._seed + state.turn,
            horizon=4,
            exploration=0.3,
            limits=Limits(seconds=_THINKING * seconds, clock=self.clock),
        )
        return _order(found)


def _order(found: Result[State, Action]) -> str:
    """Return the best action's text; at Ctrl-C the game does not go on."""
    return str(found.uninterrupted().best_action or WAIT)


def analyse(
    state: State, *, depth: int | None = None, limits: Limits | None = None
) -> Result[State, Action]:
    """Return what the default bot's search finds, with the value of every action."""
    return deepening(
        _Ordered(), state, depth=depth, limits=limits, all_values=True, full_width=_FULL_WIDTH
    )


DEFAULT_BOT = "alphabeta"
BOTS: Mapping[str, Callable[[int], Bot]] = {
    "alphabeta": lambda seed: Deepening(),
    "uct": Uct,
    # Plain alpha-beta, as the authors described it.
    "roots": lambda seed: Deepening(square_roots, selective=False, most=3),
    # The same evaluation with the default bot's clock: harder than what was described.
    "roots-timed": lambda seed: Deepening(square_roots, selective=False),
    "points": lambda seed: Deepening(hit_point_sum, selective=False, most=3),
    "careful": lambda seed: Careful(),
    "greedy": lambda seed: Greedy(),
    "random": RandomBot,
}
"""How to make each built-in bot from a seed; what they do is told in docs/games/cultist.md."""


def make_bot(name: str, seed: int = 0) -> Bot:
    """Return the built-in bot of that name, or the program of that command line.

    Raises
    ------
    BadInput
        There is neither.
    """
    if name in BOTS:
        return BOTS[name](seed)
    try:
        return Program(name)
    except (BadInput, ValueError) as error:
        known = ", ".join(BOTS)
        raise BadInput(
            f"{name!r} is no built-in bot ({known}) and no command{nearest(name, BOTS)}: {error}"
        ) from None
