"""States as text: one line for people and shells, one JSON object for files; both ways."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from deduce.errors import BadInput
from deduce.jsontext import parse_json
from games.cultist.board import Board
from games.cultist.maps import FIRST_RNG
from games.cultist.state import LEADERS, UNITS, State, Unit, state_of

__all__ = [
    "STATE_SCHEMA",
    "format_state",
    "parse_state",
    "state_from_json",
    "state_to_json",
    "units_to_json",
]

STATE_SCHEMA = "deduce/cultist-state/1"
_OWNERS = "01n"
_UNIT = re.compile(r"(\d{1,3})=([01n]):(?:(\d{1,3})@(\d{1,3}),(\d{1,3})|dead)")


def format_state(state: State) -> str:
    """Return the state as one line: its rows, turn, generator and units.

    A unit is ``id=owner:hp@x,y`` or ``id=owner:dead``; nobody's owner is ``n``. A ``c`` after the
    turn says that chance moves next.

    Examples
    --------
    >>> from games.cultist.maps import new_state
    >>> text = format_state(new_state(7))
    >>> text[97:125]
    ' 0 42 0=0:10@0,3 1=1:10@12,3'
    >>> parse_state(text) == new_state(7)
    True
    """
    units = (
        f"{unit.id}={_OWNERS[unit.owner]}:"
        + ("dead" if unit.x is None else f"{unit.hp}@{unit.x},{unit.y}")
        for unit in state.units
    )
    turn = f"{state.turn}{'c' if state.chance else ''}"
    return f"{'/'.join(state.board.grid)} {turn} {state.rng} {' '.join(units)}"


def parse_state(text: str) -> State:
    """Return the state that a line of `format_state` or a JSON object describes.

    Raises
    ------
    BadInput
        The text is neither, or describes a state that cannot be.
    """
    text = text.strip()
    if text.startswith("{"):
        return state_from_json(parse_json(text))
    words = text.split()
    turn = words[1].removesuffix("c") if len(words) > 2 else ""
    if not turn.isdecimal() or not words[2].isdecimal():
        raise BadInput(
            "a state is its rows joined by '/', the turn, the generator and its units; "
            "or a JSON object",
            text=text,
        )
    board = _board(words[0].split("/"))
    return state_of(
        board,
        [_unit(word) for word in words[3:]],
        turn=_small(turn),
        rng=_small(words[2]),
        chance=words[1] != turn,
    )


def _board(rows: list[str]) -> Board:
    try:
        return Board.of(rows)
    except BadInput as error:  # its line is the row's number, not one of the text
        place = "" if error.line is None else f"row {error.line}: "
        raise BadInput(place + error.message, text=error.text) from None


def _small(word: str) -> int:
    return int(word[:20])  # more digits are out of range whatever they are


def _unit(word: str) -> Unit:
    match = _UNIT.fullmatch(word)
    if match is None:
        raise BadInput(f"a unit is id=owner:hp@x,y or id=owner:dead, not {word!r}", text=word)
    number, owner, hp, x, y = match.groups()
    side = _OWNERS.index(owner)
    if hp is None:
        return Unit(int(number), 0, None, None, side)
    return Unit(int(number), int(hp), int(x), int(y), side)


def state_to_json(state: State) -> dict[str, Any]:
    """Return the state as a JSON object with the fields ``schema grid units turn rng``.

    There is a field ``chance``, true, where chance moves next.
    """
    return {
        "schema": STATE_SCHEMA,
        "grid": list(state.board.grid),
        "units": units_to_json(state),
        "turn": state.turn,
        "rng": state.rng,
        **({"chance": True} if state.chance else {}),
    }


def units_to_json(state: State) -> list[list[int | None]]:
    """Return the units as lists ``[id, type, hp, x, y, owner]``, type 1 for a leader."""
    return [[u.id, int(u.is_leader), u.hp, u.x, u.y, u.owner] for u in state.units]


def state_from_json(value: object) -> State:
    """Return the state of a JSON object with ``grid`` and ``units``, perhaps ``turn`` and ``rng``.

    Without ``turn`` it is turn 0, or 1 with ``player`` 1; a ``player`` beside it must be the one
    whose turn it is. Without ``rng`` the generator is at its start.

    Raises
    ------
    BadInput
        A field is missing or of the wrong kind, or the state cannot be.
    """
    if not isinstance(value, Mapping):
        raise BadInput("a state is a JSON object")
    schema = value.get("schema", STATE_SCHEMA)
    if schema != STATE_SCHEMA:
        raise BadInput(f"the schema is {schema!r}, not {STATE_SCHEMA!r}")
    grid, units = value.get("grid"), value.get("units")
    if not isinstance(grid, list) or not all(isinstance(row, str) for row in grid):
        raise BadInput('a state has a "grid": a list of rows')
    if not isinstance(units, list) or len(units) > UNITS:
        raise BadInput(f'a state has "units": a list of at most {UNITS}')
    player, chance = value.get("player", 0), value.get("chance", False)
    if not _is_int(player) or player not in (0, 1):
        raise BadInput(f'"player" is 0 or 1, not {player!r}')
    turn, rng = value.get("turn", player), value.get("rng", FIRST_RNG)
    if not _is_int(turn) or not _is_int(rng):
        raise BadInput('"turn" and "rng" are whole numbers')
    if "player" in value and player != turn & 1:
        raise BadInput(f'"player" is {player}, but turn {turn} is that of player {turn & 1}')
    if not isinstance(chance, bool):
        raise BadInput(f'"chance" is true or false, not {chance!r}')
    return state_of(
        _board(grid),
        [_unit_of_list(unit, number) for number, unit in enumerate(units, start=1)],
        turn=turn,
        rng=rng,
        chance=chance,
    )


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _unit_of_list(value: object, number: int) -> Unit:
    if (
        not isinstance(value, list)
        or len(value) != 6
        or not all(_is_int(v) for v in (*value[:3], value[5]))
        or not all(v is None or _is_int(v) for v in value[3:5])
    ):
        raise BadInput(f"unit {number}: not [id, type, hp, x, y, owner]: {value!r}")
    identity, kind, hp, x, y, owner = value
    if kind != int(identity in LEADERS):
        raise BadInput(f"unit {number}: type {kind}, but ids 0 and 1 are the leaders (type 1)")
    return Unit(identity, hp, x, y, owner)
