"""Orders: the texts that sides send, checked and translated as the referee does it.

An order such as ``3 MOVE 11 0`` may name a far goal; the referee turns it into one step on a
shortest path, or into waiting. Sections are those of the rules document.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Literal

from deduce.errors import BadInput
from games.cultist.board import DISTANCE, HEIGHT, NOWHERE, RANGE, TILES, WIDTH, tile_at
from games.cultist.state import CONVERT, LEADERS, MOVE, SHOOT, UNITS, WAIT, Action, State

__all__ = ["BadOrder", "ErrorCode", "parse_order", "resolve", "step_towards", "translate"]

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
_WORDS = {MOVE: 4, SHOOT: 3, CONVERT: 3}
_NUMBER = re.compile(r"[+-]?[0-9]+")
_BLANKS = "".join(map(chr, range(33)))  # what Java's trim takes away


class BadOrder(BadInput):
    """An order that the referee does not accept: whoever sent it scores -1 and has lost.

    Parameters
    ----------
    code
        Which rule it breaks.
    message
        The same for people.
    text
        The order.
    """

    def __init__(self, code: ErrorCode, message: str, *, text: str) -> None:
        super().__init__(f"order {text!r}: {message}", text=text)
        self.code: ErrorCode = code


def resolve(state: State, text: str) -> Action:
    """Return the action that the referee carries out for the text of the side to move.

    Raises
    ------
    BadOrder
        The referee does not accept it.

    Examples
    --------
    >>> from games.cultist.maps import new_state
    >>> str(resolve(new_state(0), "0 MOVE 12 3")), str(resolve(new_state(0), "0 CONVERT 7"))
    ('0 MOVE 1 3', '0 MOVE 0 2')
    """
    return translate(state, parse_order(state, text))


def parse_order(state: State, text: str) -> Action:
    """Return the order in the text of the side to move, checked but not translated.

    Outer blanks are ignored, and after MOVE, SHOOT and CONVERT further words; WAIT is the only
    word of its order. The referee does the same.

    Raises
    ------
    BadOrder
        The referee does not accept it.

    Notes
    -----
    Rules document, section 3. Where an order breaks several rules at once the one that the
    recorded cases name is named.
    """
    words = text.strip(_BLANKS).split(" ")
    if words == [WAIT.verb]:
        return WAIT
    verb = words[1] if len(words) > 1 else ""
    if verb not in _WORDS:
        raise BadOrder(
            "unknown_command", "it is WAIT alone, or an id and then MOVE, SHOOT or CONVERT", text=text
        )
    if len(words) < _WORDS[verb]:
        goal = "MOVE needs x and y" if verb == MOVE else f"{verb} needs the id of a target"
        raise BadOrder("too_few_words", goal, text=text)
    unit, *goal_numbers = (_number(word, text) for word in (words[0], *words[2 : _WORDS[verb]]))
    if not 0 <= unit < UNITS:
        raise BadOrder("bad_unit_id", f"a unit is 0 to {UNITS - 1}", text=text)
    if verb != MOVE and not 0 <= goal_numbers[0] < UNITS:
        raise BadOrder("bad_target_id", f"a target is 0 to {UNITS - 1}", text=text)
    if state.owners[unit] != state.player:
        raise BadOrder("not_own_unit", f"unit {unit} is not of side {state.player}", text=text)
    if verb == MOVE:
        return Action(MOVE, unit, _goal(state, unit, *goal_numbers, text=text))
    target = goal_numbers[0]
    (_check_shot if verb == SHOOT else _check_conversion)(state, unit, target, text)
    _check_alive(state, unit, text)
    _check_alive(state, target, text)
    return Action(verb, unit, target)


def _number(word: str, text: str) -> int:
    number = int(word) if _NUMBER.fullmatch(word) and len(word) < 100 else None
    if number is None or not -(1 << 31) <= number < 1 << 31:
        raise BadOrder("not_a_number", f"{word!r} is not a whole number", text=text)
    return number


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
        raise BadOrder("convert_own", f"unit {target} is already converted", text=text)
    if target in LEADERS:
        raise BadOrder("convert_leader", "leaders cannot be converted", text=text)
    if unit not in LEADERS:
        raise BadOrder("only_leader_converts", f"unit {unit} is not a leader", text=text)


def _check_alive(state: State, unit: int, text: str) -> None:
    if state.tiles[unit] == NOWHERE:
        raise BadOrder("dead_unit", f"unit {unit} is dead", text=text)


def translate(state: State, order: Action) -> Action:
    """Return the action that an accepted order comes to: itself, a step on the way, or WAIT.

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
    """Return the tile that a unit on ``start`` steps to on its way, ``None`` where it waits.

    The goal is more than one step away and may be anything, an obstacle too. If units shut the
    way off, the way without them is taken as far as it is free.

    Notes
    -----
    Rules document, section 4. Two breadth-first searches, at most 91 tiles each.
    """
    step = _first_step(state, start, goal, blocked=state.tiles)
    if step is None:
        step = _first_step(state, start, goal, blocked=b"")
    return None if step is None or step in state.tiles else step


def _first_step(state: State, start: int, goal: int, *, blocked: bytes) -> int | None:
    neighbours = state.board.neighbours
    first = [-1] * TILES  # the first step of the chain that reached a tile
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
