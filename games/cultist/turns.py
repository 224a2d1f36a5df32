"""One turn in full: what was ordered, done, hit, drawn and moved."""

from __future__ import annotations

from attrs import frozen

from games.cultist.board import DISTANCE, NOWHERE
from games.cultist.orders import resolve
from games.cultist.rules import DAMAGE, SLOTS, after_action, bullet, next_rng, result
from games.cultist.state import SHOOT, Action, State, sides

__all__ = ["Hit", "Step", "Turn", "play_turn"]


@frozen
class Hit:
    """Where a shot ended."""

    tile: int
    unit: int | None
    """Who was hit; ``None``: an obstacle."""
    damage: int
    """7 less the distance from the shooter to the unit hit, 0 for an obstacle."""


@frozen
class Step:
    """The neutrals' step."""

    listed: tuple[int, ...]
    """Ids of the units that belong to nobody after the action, dead ones included."""
    roll: int | None
    """The slot drawn, 0 to 11; ``None`` without neutrals, when nothing is drawn."""
    mover: int | None
    """The id of the neutral that moved, ``None`` if nobody did."""


@frozen
class Turn:
    """One turn from the state before it to the state after it."""

    before: State
    order: str
    """The text as it was sent."""
    action: Action
    """What the referee made of it."""
    hit: Hit | None
    """Where the shot went, ``None`` without one."""
    middle: State
    """After the action and before the neutrals' step: a unit just killed stands on its tile."""
    step: Step
    after: State


def play_turn(state: State, order: str) -> Turn:
    """Return the turn in which the side to move sends ``order``, by the referee's rules.

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
        reach = DISTANCE[state.tiles[action.unit]][tile]
        hit = Hit(tile, unit, 0 if unit is None else DAMAGE - reach)
    middle, _ = after_action(state, action)
    after = result(state, action)
    listed = sides(middle.owners)[2]
    roll = next_rng(state.rng) % SLOTS if listed else None
    moved = [unit for unit in listed if after.tiles[unit] not in (middle.tiles[unit], NOWHERE)]
    step = Step(listed, roll, moved[0] if moved else None)
    return Turn(state, order, action, hit, middle, step, after)
