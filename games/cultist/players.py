"""Bots: their base class, those that follow a list of rules, those that search, and the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from attrs import frozen

from deduce.budget import cpu_seconds
from deduce.errors import DeduceError
from deduce.search import Limits, Result, TranspositionTable, deepening, mcts
from games.cultist.advice import FULL_WIDTH, Evaluated, Ordered, Squashed
from games.cultist.game import Evaluation, default_evaluation, hit_point_sum, square_roots
from games.cultist.rules import actions, bullet
from games.cultist.setup import (
    CONVERT,
    DISTANCE,
    LEADERS,
    MOVE,
    NOWHERE,
    RANGE,
    SHOOT,
    WAIT,
    Action,
    State,
    sides,
)

__all__ = [
    "BOTS",
    "DEFAULT_BOT",
    "Bot",
    "BotFailed",
    "Careful",
    "Deepening",
    "Greedy",
    "RandomBot",
    "TimeLimits",
    "Uct",
    "is_in_danger",
    "too_late",
]


@frozen
class TimeLimits:
    """How long a bot may take for an order, in seconds; by default as on the platform."""

    first: float = 1.0
    """For its first turn."""
    turn: float = 0.05
    """For every other turn."""


class BotFailed(DeduceError):
    """A bot gave no order in time, or it has ended.

    Parameters
    ----------
    message
        What happened.
    text
        The order, if the bot gave one too late.
    """

    def __init__(self, message: str, *, text: str | None = None) -> None:
        super().__init__(message)
        self.text = text


def too_late(seconds: float, order: str | None = None) -> BotFailed:
    """Return the failure of a bot that gave no order, or gave it later than after these seconds."""
    return BotFailed(f"no answer within {seconds * 1000:.0f} ms", text=order)


class Bot:
    """A player of one side of one game.

    Each game has bots of its own, so a bot may store data between its turns.
    """

    depth: int | None = None
    """How many turns the search for the last order looked ahead; ``None`` without a search."""
    clock: Callable[[], float] = staticmethod(cpu_seconds)
    """The clock that the bot and the referee measure time with, in seconds. For a bot of this
    process it is the processor time, so that the load of the machine does not affect games."""

    def order(self, state: State, seconds: float) -> str:
        """Return the order for a state in which the bot is to move.

        Parameters
        ----------
        state
            The state before the turn.
        seconds
            The time limit, by the bot's clock.

        Raises
        ------
        BotFailed
            The bot has no order.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Release the resources of the bot; no further order is requested."""


class RandomBot(Bot):
    """A bot that draws one of the canonical actions, all with the same probability."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def order(self, state: State, seconds: float) -> str:
        """Return the text of a random action."""
        return str(self._random.choice(actions(state)))


class Greedy(Bot):
    """A bot that shoots the nearest enemy, else converts the nearest unit, else advances."""

    def order(self, state: State, seconds: float) -> str:
        """Return the first possible order: a shot, a conversion, an advance, or WAIT."""
        return str(_shot(state) or _conversion(state) or _advance(state) or WAIT)


class Careful(Bot):
    """A bot that moves its leader out of danger, and otherwise plays like `Greedy`.

    Two public bots use the same list of rules: flee from tiles that an enemy can hit, shoot the
    nearest enemy, convert the nearest unit.
    """

    def order(self, state: State, seconds: float) -> str:
        """Return the first possible order: a flight of the leader, or what `Greedy` does."""
        action = _flight(state) or _shot(state) or _conversion(state) or _advance(state)
        return str(action or WAIT)


def is_in_danger(state: State, tile: int, player: int) -> bool:
    """Return whether a cultist of the enemy could hit a unit of ``player`` on the tile."""
    tiles, lines = state.tiles, state.board.lines
    for unit in _enemies(state.owners, player):
        start = tiles[unit]
        if unit in LEADERS or not 0 < DISTANCE[start][tile] <= RANGE:
            continue
        passed, obstacle = lines[start][tile]
        if obstacle is None and not any(between in tiles for between in passed):
            return True
    return False


def _enemies(owners: bytes, player: int) -> tuple[int, ...]:
    return sides(owners)[1 - player]


def _flight(state: State) -> Action | None:
    leader = state.player
    here = state.tiles[leader]
    if here == NOWHERE or not is_in_danger(state, here, leader):
        return None
    for near in state.board.neighbours[here]:
        if near not in state.tiles and not is_in_danger(state, near, leader):
            return Action(MOVE, leader, near)
    return None


def _shot(state: State) -> Action | None:
    tiles = state.tiles
    shots = [
        (DISTANCE[tiles[action.unit]][tiles[action.target]], action)
        for action in actions(state)
        if action.verb == SHOOT and bullet(state, action.unit, action.target)[1] == action.target
    ]
    return min(shots)[1] if shots else None


def _conversion(state: State) -> Action | None:
    leader = state.player
    here = state.tiles[leader]
    if here == NOWHERE:
        return None
    others = (*sides(state.owners)[2], *_enemies(state.owners, leader))
    walks = state.board.walks[here]
    candidates = [
        (walks[state.tiles[unit]], unit)
        for unit in others
        if unit not in LEADERS and state.tiles[unit] != NOWHERE
    ]
    return Action(CONVERT, leader, min(candidates)[1]) if candidates else None


def _advance(state: State) -> Action | None:
    """Return the move of a cultist towards an enemy, for the pair with the shortest walk."""
    player, tiles = state.player, state.tiles
    own = sides(state.owners)[player]
    pairs = [
        (state.board.walks[tiles[unit]][tiles[enemy]], unit, enemy)
        for unit in own
        if unit not in LEADERS and tiles[unit] != NOWHERE
        for enemy in _enemies(state.owners, player)
        if tiles[enemy] != NOWHERE
    ]
    if not pairs:
        return None
    _, unit, enemy = min(pairs)
    return Action(MOVE, unit, tiles[enemy])


_SEARCH_SHARE = 0.5
"""The share of its time that a bot searches; the rest is a reserve for delays."""
_MAX_ENTRIES = 10_000
"""The size at which a bot replaces its transposition table; freeing it takes 5 ms of a turn."""


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
        self._game = (Ordered if selective else Evaluated)(evaluation=evaluation)
        self._full_width = FULL_WIDTH if selective else None
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
        self._game = Squashed()
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
