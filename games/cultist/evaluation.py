"""Evaluations: estimates of how an unfinished game will end, positive in favour of side 0.

Most turns leave hit points and owners unchanged, so the parts that depend on these are cached.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import sqrt

from games.cultist.board import DISTANCE, RANGE
from games.cultist.rules import DAMAGE
from games.cultist.setup import FULL_HP, LAST_TURN, LEADERS, State, sides

__all__ = ["Evaluation", "default_evaluation", "hit_point_sum", "square_roots"]

Evaluation = Callable[[State], float]
"""Positive if side 0 has the better position; always far below the value of a won game."""

_FAR = 99  # the distance to a tile that cannot be reached, in the tables of `board`
_ROOTS = [sqrt(hp) for hp in range(FULL_HP + 1)]
_PULL = [60 * 0.8**steps for steps in range(_FAR)] + [0.0]


def _health(turn: int) -> float:
    """Return the share of a unit's worth that depends on its hit points.

    The rest is for being alive. The share falls from 1 in the first turn to about 0.1 in the
    last, because only living units count in the end.
    """
    return 1 - 0.006 * turn


def _fire(turn: int) -> list[list[float]]:
    """Return the loss by a hit, indexed by the hit points of its victim and the distance."""
    health = _health(turn)
    unit = [0.0] + [100 * (1 - health) + 10 * health * hp for hp in range(1, FULL_HP + 1)]
    return [
        [unit[hp] - unit[max(0, hp - DAMAGE + reach)] for reach in range(RANGE + 1)]
        for hp in range(FULL_HP + 1)
    ]


_FIRE = [_fire(turn) for turn in range(LAST_TURN + 2)]


def default_evaluation(state: State) -> float:
    """Return the default bot's evaluation: units, their health, near neutrals, firepower.

    - A unit with all its hit points counts 100. In the first turn a wounded one counts in
      proportion to its hit points; the part for being alive grows to 90 in the last turn.
    - Each neutral counts for both leaders, less the longer the leader's walk to it. A search of a
      few turns therefore walks towards the best group of neutrals, not just to the nearest one.
    - Each side has one action per turn, so its firepower is its best single shot: what the target
      would lose by it.

    Notes
    -----
    About 3 microseconds.
    """
    tiles = state.tiles
    first, second, neutrals = sides(state.owners)
    units, points = _leads(state.hp, state.owners)
    health = _health(state.turn)
    value = 100 * (1 - health) * units + 10 * health * points + _firepower(state, first, second)
    walks = state.board.walks
    walk, other_walk = walks[tiles[0]], walks[tiles[1]]
    for unit in neutrals:
        tile = tiles[unit]
        value += _PULL[walk[tile]] - _PULL[other_walk[tile]]
    return value


def _firepower(state: State, first: tuple[int, ...], second: tuple[int, ...]) -> float:
    """Return the loss by the best shot of side 0 minus the loss by the best shot of side 1.

    A line is the same in both directions, so each pair of enemies is examined once for both.
    """
    tiles, hp, lines, fire = state.tiles, state.hp, state.board.lines, _FIRE[state.turn]
    best = other_best = 0.0
    targets = [(unit, tiles[unit]) for unit in second if hp[unit]]
    for unit in first:
        tile = tiles[unit]
        distance = DISTANCE[tile]
        for target, aim in targets:
            reach = distance[aim]
            if reach > RANGE:
                continue
            gain = fire[hp[target]][reach] if unit else 0.0  # leaders, units 0 and 1, do not shoot
            loss = fire[hp[unit]][reach] if target != 1 else 0.0
            if gain > best or loss > other_best:
                passed, obstacle = lines[tile][aim]
                if obstacle is None and not any(between in tiles for between in passed):
                    best = max(best, gain)
                    other_best = max(other_best, loss)
    return best - other_best


@lru_cache(maxsize=1 << 16)
def _leads(hp: bytes, owners: bytes) -> tuple[int, int]:
    """Return the lead of side 0 in living units and in hit points."""
    first, second, _ = sides(owners)
    own, other = ([hp[unit] for unit in ids if hp[unit]] for ids in (first, second))
    return len(own) - len(other), sum(own) - sum(other)


def square_roots(state: State) -> float:
    """Return the evaluation that the author of a strong bot described, made symmetric.

    It is 100 times the sum of the square roots of the own hit points minus that of the enemy's,
    plus half the sum for the neutrals if the own leader lives; minus the distance from the leader
    to the nearest neutral.

    Notes
    -----
    From a post in the platform's forum about the community event, in which the bot came 7th.
    """
    hp, owners, tiles = state.hp, state.owners, state.tiles
    neutrals = sides(owners)[2]
    value = 100 * _root_sums(hp, owners)
    for leader, sign in ((0, -1), (1, 1)):
        distance = DISTANCE[tiles[leader]]
        nearest = min((distance[tiles[unit]] for unit in neutrals), default=_FAR)
        if nearest != _FAR:
            value += sign * nearest
    return value


@lru_cache(maxsize=1 << 16)
def _root_sums(hp: bytes, owners: bytes) -> float:
    first, second, neutrals = (sum(_ROOTS[hp[unit]] for unit in ids) for ids in sides(owners))
    return first - second + neutrals / 2 * ((hp[0] > 0) - (hp[1] > 0))


def hit_point_sum(state: State) -> float:
    """Return the lead of side 0 in points: 20 per hit point of a leader, hp + 1 for a cultist.

    Notes
    -----
    The evaluation of a public bot in C (thibaud-heub/cultist-wars-ai).
    """
    return _hit_point_sum(state.hp, state.owners)


@lru_cache(maxsize=1 << 16)
def _hit_point_sum(hp: bytes, owners: bytes) -> float:
    first, second, _ = sides(owners)
    return sum(_points(hp, unit) for unit in first) - sum(_points(hp, unit) for unit in second)


def _points(hp: bytes, unit: int) -> int:
    return 20 * hp[unit] if unit in LEADERS else hp[unit] + (hp[unit] > 0)
