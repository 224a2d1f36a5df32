"""What a bot is, and the ones that follow a list of rules without looking ahead."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import thread_time

from games.cultist.board import DISTANCE, NOWHERE, RANGE
from games.cultist.rules import actions, bullet
from games.cultist.state import CONVERT, MOVE, SHOOT, WAIT, Action, State, sides

__all__ = ["Bot", "Careful", "Greedy", "RandomBot", "is_in_danger"]


class Bot:
    """Plays one side of one game.

    A bot is made anew for every game, so it may remember what it likes between its turns.
    """

    depth: int | None = None
    """Turns that the last order looked ahead, for bots that search."""
    clock: Callable[[], float] = staticmethod(thread_time)
    """What the bot thinks by and the referee reads before and after an order, in seconds: for bots
    of this process their own processor time, so that a busy machine decides no game."""

    def order(self, state: State, seconds: float) -> str:
        """Return the order for a state in which the bot is to move, within so many seconds."""
        raise NotImplementedError

    def close(self) -> None:
        """Give back what the bot holds; no order is asked for after that."""


class RandomBot(Bot):
    """Draws each canonical action with equal chances."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def order(self, state: State, seconds: float) -> str:
        """Return any action's text."""
        return str(self._random.choice(actions(state)))


class Greedy(Bot):
    """Shoots the nearest enemy, else converts the nearest unit by path length, else advances."""

    def order(self, state: State, seconds: float) -> str:
        """Return the first order of the list that is possible."""
        return str(_shot(state) or _conversion(state) or _advance(state) or WAIT)


class Careful(Bot):
    """Moves the leader out of danger first, then does as `Greedy`.

    The order of the rules is that of two public rule-list bots: flee from tiles that an enemy can
    hit, shoot the nearest, convert the nearest.
    """

    def order(self, state: State, seconds: float) -> str:
        """Return the first order of the list that is possible."""
        found = _flight(state) or _shot(state) or _conversion(state) or _advance(state)
        return str(found or WAIT)


def is_in_danger(state: State, tile: int, player: int) -> bool:
    """Return whether an enemy's cultist could hit a unit of ``player`` on the tile."""
    tiles, lines = state.tiles, state.board.lines
    for unit in _enemies(state.owners, player):
        place = tiles[unit]
        if unit < 2 or not 0 < DISTANCE[place][tile] <= RANGE:
            continue
        passed, obstacle = lines[place][tile]
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
    found = [
        (DISTANCE[tiles[action.unit]][tiles[action.target]], action)
        for action in actions(state)
        if action.verb == SHOOT and bullet(state, action.unit, action.target)[1] == action.target
    ]
    return min(found)[1] if found else None


def _conversion(state: State) -> Action | None:
    leader = state.player
    here = state.tiles[leader]
    if here == NOWHERE:
        return None
    others = (*sides(state.owners)[2], *_enemies(state.owners, leader))
    walks = state.board.walks[here]
    found = [
        (walks[state.tiles[unit]], unit)
        for unit in others
        if unit > 1 and state.tiles[unit] != NOWHERE
    ]
    return Action(CONVERT, leader, min(found)[1]) if found else None


def _advance(state: State) -> Action | None:
    """Return a step of a cultist to an enemy: that of the nearest pair."""
    player, tiles = state.player, state.tiles
    own = sides(state.owners)[player]
    found = [
        (state.board.walks[tiles[unit]][tiles[enemy]], unit, enemy)
        for unit in own
        if unit > 1 and tiles[unit] != NOWHERE
        for enemy in _enemies(state.owners, player)
        if tiles[enemy] != NOWHERE
    ]
    if not found:
        return None
    _, unit, enemy = min(found)
    return Action(MOVE, unit, tiles[enemy])
