"""Orders and turns: the texts that the sides send, checked as the referee does, and their effects.

An order such as ``3 MOVE 11 0`` may name a distant goal; the referee turns it into one step of a
shortest path, or into WAIT. Section numbers are those of ``docs/games/cultist.md``.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Literal

from attrs import frozen

from deduce.errors import BadInput
from games.cultist.rules import DAMAGE, SLOTS, after_action, bullet, next_rng, result
from games.cultist.setup import (
    CONVERT,
    DISTANCE,
    HEIGHT,
    LEADERS,
    MOVE,
    NOWHERE,
    OWNER_NAMES,
    RANGE,
    SHOOT,
    TILES,
    UNITS,
    WAIT,
    WIDTH,
    Action,
    State,
    sides,
    tile_at,
)

__all__ = [
    "BadOrder",
    "ErrorCode",
    "Hit",
    "NeutralStep",
    "Turn",
    "parse_order",
    "play_turn",
    "resolve",
    "step_towards",
    "translate",
]


ErrorCode = Literal[
    "unknown_command",
    "too_few_words",
    "not_a_number",
    "bad_unit_id",
    "bad_target_id",
    "not_own_unit",
    "dead_unit",
    "self_shot",
    "leader_shot",
    "convert_own",
    "convert_leader",
    "only_leader_converts",
    "off_board",
]
_WORD_COUNTS = {MOVE: 4, SHOOT: 3, CONVERT: 3}
_INTEGER = re.compile(r"[+-]?[0-9]+")
_BLANKS = "".join(map(chr, range(33)))  # what Java's trim removes


class BadOrder(BadInput):
    """An order that the referee does not accept: the side that sent it scores -1 and loses.

    Parameters
    ----------
    code
        The rule that it breaks.
    message
        The same as a phrase.
    text
        The order.
    """

    def __init__(self, code: ErrorCode, message: str, *, text: str) -> None:
        super().__init__(f"order {text!r}: {message}", text=text)
        self.code: ErrorCode = code


def resolve(state: State, text: str) -> Action:
    """Return the action that the referee carries out for the order of the side to move.

    Raises
    ------
    BadOrder
        The referee does not accept the order.

    Examples
    --------
    >>> from games.cultist.setup import new_state
    >>> str(resolve(new_state(0), "0 MOVE 12 3")), str(resolve(new_state(0), "0 CONVERT 7"))
    ('0 MOVE 1 3', '0 MOVE 0 2')
    """
    return translate(state, parse_order(state, text))


def parse_order(state: State, text: str) -> Action:
    """Return the order of the side to move, checked but not translated.

    Blanks around the order are ignored, and so are further words after MOVE, SHOOT and CONVERT,
    but not after WAIT.

    Raises
    ------
    BadOrder
        The referee does not accept the order. If it breaks several rules, the code is the one
        that the recorded cases name.

    Notes
    -----
    Rules document, section 3.
    """
    words = text.strip(_BLANKS).split(" ")
    if words == [WAIT.verb]:
        return WAIT
    verb = words[1] if len(words) > 1 else ""
    if verb not in _WORD_COUNTS:
        raise BadOrder(
            "unknown_command",
            "an order is WAIT alone, or a unit's id followed by MOVE, SHOOT or CONVERT",
            text=text,
        )
    if len(words) < _WORD_COUNTS[verb]:
        missing = "MOVE needs x and y" if verb == MOVE else f"{verb} needs the id of a target"
        raise BadOrder("too_few_words", missing, text=text)
    needed = (words[0], *words[2 : _WORD_COUNTS[verb]])
    unit, *goal = (_integer(word, text) for word in needed)
    if not 0 <= unit < UNITS:
        raise BadOrder("bad_unit_id", f"the id of a unit is 0 to {UNITS - 1}", text=text)
    if verb != MOVE and not 0 <= goal[0] < UNITS:
        raise BadOrder("bad_target_id", f"the id of a target is 0 to {UNITS - 1}", text=text)
    if state.owners[unit] != state.player:
        side = OWNER_NAMES[state.player]
        raise BadOrder("not_own_unit", f"unit {unit} does not belong to {side}", text=text)
    if verb == MOVE:
        return Action(MOVE, unit, _goal(state, unit, *goal, text=text))
    target = goal[0]
    (_check_shot if verb == SHOOT else _check_conversion)(state, unit, target, text)
    _check_alive(state, unit, text)
    _check_alive(state, target, text)
    return Action(verb, unit, target)


def _integer(word: str, text: str) -> int:
    integer = int(word) if _INTEGER.fullmatch(word) and len(word) < 100 else None
    if integer is None or not -(1 << 31) <= integer < 1 << 31:
        raise BadOrder("not_a_number", f"{word!r} is not a whole number", text=text)
    return integer


def _goal(state: State, unit: int, x: int, y: int, *, text: str) -> int:
    _check_alive(state, unit, text)
    if not (0 <= x < WIDTH and 0 <= y < HEIGHT):
        raise BadOrder("off_board", f"x is 0 to {WIDTH - 1} and y is 0 to {HEIGHT - 1}", text=text)
    return tile_at(x, y)


def _check_shot(state: State, unit: int, target: int, text: str) -> None:
    if unit == target:
        raise BadOrder("self_shot", "a unit cannot shoot at itself", text=text)
    if unit in LEADERS:
        raise BadOrder("leader_shot", "leaders do not shoot", text=text)


def _check_conversion(state: State, unit: int, target: int, text: str) -> None:
    if state.owners[target] == state.player:
        raise BadOrder("convert_own", f"unit {target} is your own already", text=text)
    if target in LEADERS:
        raise BadOrder("convert_leader", "leaders cannot be converted", text=text)
    if unit not in LEADERS:
        raise BadOrder("only_leader_converts", f"unit {unit} is not a leader", text=text)


def _check_alive(state: State, unit: int, text: str) -> None:
    if state.tiles[unit] == NOWHERE:
        raise BadOrder("dead_unit", f"unit {unit} is dead", text=text)


def translate(state: State, order: Action) -> Action:
    """Return the action that an accepted order becomes: itself, one step towards it, or WAIT.

    Notes
    -----
    Rules document, section 4.
    """
    verb, unit, target = order
    if verb == WAIT.verb:
        return WAIT
    tiles = state.tiles
    goal = target if verb == MOVE else tiles[target]
    distance = DISTANCE[tiles[unit]][goal]
    if verb == SHOOT and distance <= RANGE:
        return order
    if verb == CONVERT and distance == 1:
        return order
    if verb == MOVE and distance <= 1:
        is_free = goal in state.board.neighbours[tiles[unit]] and goal not in tiles
        return order if is_free else WAIT
    step = step_towards(state, tiles[unit], goal)
    return WAIT if step is None else Action(MOVE, unit, step)


def step_towards(state: State, start: int, goal: int) -> int | None:
    """Return the next tile of a unit on ``start`` on its way to ``goal``, ``None`` if it waits.

    If units block every path, the first step of the path that ignores them is taken, provided that
    its tile is free.

    Parameters
    ----------
    state
        The units and obstacles.
    start
        The tile of the unit.
    goal
        Any tile more than one step away, also an occupied one or an obstacle.

    Notes
    -----
    Rules document, section 4. At most two breadth-first searches of at most 91 tiles each.
    """
    step = _first_step(state, start, goal, blocked=state.tiles)
    if step is None:
        step = _first_step(state, start, goal, blocked=b"")
    return None if step is None or step in state.tiles else step


def _first_step(state: State, start: int, goal: int, *, blocked: bytes) -> int | None:
    neighbours = state.board.neighbours
    first = [-1] * TILES  # the first step of the path on which a tile was reached
    first[start] = start
    queue = deque([start])
    while queue:
        tile = queue.popleft()
        if DISTANCE[tile][goal] == 1:
            return first[tile]
        for near in neighbours[tile]:
            if first[near] < 0 and near not in blocked:
                first[near] = near if tile == start else first[tile]
                queue.append(near)
    return None


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
    >>> from games.cultist.setup import new_state
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
