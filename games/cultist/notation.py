"""States as text: one line for people and shells, one JSON object for files; both ways."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from deduce.errors import BadInput
from games.cultist.board import NOWHERE, Board
from games.cultist.maps import FIRST_RNG
from games.cultist.state import LEADERS, NEUTRAL, UNITS, State, Unit, state_of

__all__ = [
    "STATE_SCHEMA",
    "format_state",
    "parse_state",
    "read_state",
    "state_from_json",
    "state_to_json",
    "units_from_json",
    "units_to_json",
]

STATE_SCHEMA = "deduce.cultist.state/1"
_OWNERS = "01n"
_UNIT = re.compile(r"(\d+)([01n]):(?:(\d+)@(\d+),(\d+)|dead)")


def format_state(state: State) -> str:
    """Return the state as one line: rows, turn, generator, and each unit as ``idowner:hp@x,y``.

    Owners are ``0``, ``1`` and ``n`` for nobody; a dead unit is ``idowner:dead``.

    Examples
    --------
    >>> from games.cultist.maps import new_state
    >>> format_state(new_state(7))[:120]  # doctest: +ELLIPSIS
    '...
    """
    units = (
        f"{unit.id}{_OWNERS[unit.owner]}:"
        + (f"{unit.hp}@{unit.x},{unit.y}" if unit.is_alive else "dead")
        for unit in state.units
    )
    return f"{'/'.join(state.board.grid)} {state.turn} {state.rng} {' '.join(units)}"
