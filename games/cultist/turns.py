"""One turn in detail: the order, the action, the hit, and the neutrals' step."""

from __future__ import annotations

from attrs import frozen

from games.cultist.board import DISTANCE, NOWHERE
from games.cultist.orders import resolve
from games.cultist.rules import DAMAGE, SLOTS, after_action, bullet, next_rng, result
from games.cultist.state import SHOOT, Action, State, sides

__all__ = ["Hit", "NeutralStep", "Turn", "play_turn"]


@frozen
class Hit:
    """The end of a shot."""

    tile: int
    unit: int | None
    """The unit that was hit; ``None`` for an obstacle."""
    damage: int
    """7 minus the distance from the shooter to the unit that was hit; 0 for an obstacle."""
    passed: tuple[int, ...]
    """The tiles between the shooter and the tile that was hit."""


@frozen
class NeutralStep:
    """The neutrals' step."""

    listed: tuple[int, ...]
    """The ids of the neutrals after the action, dead ones included."""
    roll: int | None
    """The slot drawn by the referee's generator, 0 to 11; ``None`` if there are no neutrals, and in
    the variants with chance."""
    mover: int | None
    """The id of the neutral that moved, ``None`` if no unit moved."""


@frozen
class Turn:
    """One turn, from the state before it to the state after it."""

    before: State
    order: str
    """The text as it was sent."""
    action: Action
    """The action that the referee carried out."""
    hit: Hit | None
    """The end of the shot, ``None`` if the action is not a shot."""
    middle: State
    """After the action and before the neutrals' step: a unit just killed is still on its tile."""
    step: NeutralStep
    after: State


def play_turn(state: State, order: str) -> Turn:
    """Return the turn in which the side to move sends ``order``.

    Raises
    ------
    BadOrder
        The referee does not accept the order.

    Examples
    --------
    >>> from games.cultist.maps import new_state
    >>> turn = play_turn(new_state(0), "0 MOVE 12 3")
    >>> str(turn.action), turn.step.roll, turn.step.mover
    ('0 MOVE 1 3', 3, 5)
    """
    action = resolve(state, order)
    hit = None
    if action.verb == SHOOT:
        tile, unit = bullet(state, action.unit, action.target)
        start, aim = state.tiles[action.unit], state.tiles[action.target]
        between, _ = state.board.lines[start][aim]
        passed = between[: between.index(tile)] if tile in between else between
        hit = Hit(tile, unit, 0 if unit is None else DAMAGE - DISTANCE[start][tile], passed)
    middle, _ = after_action(state, action)
    after = result(state, action)
    listed = sides(middle.owners)[2]
    has_roll = listed and state.neutrals == "referee"
    roll = next_rng(state.rng) % SLOTS if has_roll else None
    moved = [unit for unit in listed if after.tiles[unit] not in (middle.tiles[unit], NOWHERE)]
    step = NeutralStep(listed, roll, moved[0] if moved else None)
    return Turn(state, order, action, hit, middle, step, after)
