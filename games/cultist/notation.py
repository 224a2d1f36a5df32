"""States as text: one line for people and shells, one JSON object for files; both ways."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal, get_args

from attrs import field, frozen

from deduce.errors import BadInput
from deduce.logs.json_values import parse_json, structure
from games.cultist.setup import FIRST_RNG, LEADERS, Board, Neutrals, State, Unit, state_of

__all__ = [
    "STATE_SCHEMA",
    "format_state",
    "parse_state",
    "state_from_json",
    "state_to_json",
    "units_to_json",
]

STATE_SCHEMA: Final = "deduce/cultist-state/1"
_OWNERS = "01n"
_UNIT = re.compile(r"([0-9]{1,3})=([01n]):(?:([0-9]{1,3})@([0-9]{1,3}),([0-9]{1,3})|dead)")


def format_state(state: State) -> str:
    """Return the state as one line: its rows, turn, generator and units.

    A unit is ``id=owner:hp@x,y`` or ``id=owner:dead``; the owner of a neutral is ``n``. A ``c``
    after the turn means that chance moves next. After the generator there is ``slots`` or
    ``statement`` if neutrals move at random.

    Examples
    --------
    >>> from games.cultist.setup import new_state
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
    variant = () if state.neutrals == "referee" else (state.neutrals,)
    return " ".join(("/".join(state.board.grid), turn, str(state.rng), *variant, *units))


def parse_state(text: str) -> State:
    """Return the state that a line of `format_state` or a JSON object describes.

    Raises
    ------
    BadInput
        The text is neither, or the state is impossible.

    Examples
    --------
    >>> from games.cultist.setup import new_state
    >>> parse_state(format_state(new_state(7))).player
    0
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
    variant = next((name for name in get_args(Neutrals) if words[3:4] == [name]), None)
    return state_of(
        _board(words[0].split("/")),
        [_parse_unit(word) for word in words[4 if variant else 3 :]],
        turn=_short_int(turn),
        rng=_short_int(words[2]),
        chance=words[1] != turn,
        neutrals=variant or "referee",
    )


def _board(rows: list[str] | tuple[str, ...]) -> Board:
    try:
        return Board.of(rows)
    except BadInput as error:  # its line counts the rows of the grid, not the lines of the text
        where = "" if error.line is None else f"row {error.line}: "
        raise BadInput(where + error.message, text=error.text) from None


def _short_int(word: str) -> int:
    return int(word[:20])  # any longer number is out of range


def _parse_unit(word: str) -> Unit:
    match = _UNIT.fullmatch(word)
    if match is None:
        raise BadInput(f"a unit is id=owner:hp@x,y or id=owner:dead, not {word!r}", text=word)
    identity, letter, hp, x, y = match.groups()
    owner = _OWNERS.index(letter)
    if hp is None:
        return Unit(int(identity), 0, None, None, owner)
    return Unit(int(identity), int(hp), int(x), int(y), owner)


def state_to_json(state: State) -> dict[str, object]:
    """Return the state as a JSON object with the fields ``schema grid units turn rng``.

    A field ``chance``, true, is added if chance moves next, and a field ``neutrals`` if neutrals
    move at random.
    """
    return {
        "schema": STATE_SCHEMA,
        "grid": list(state.board.grid),
        "units": units_to_json(state),
        "turn": state.turn,
        "rng": state.rng,
        **({"chance": True} if state.chance else {}),
        **({} if state.neutrals == "referee" else {"neutrals": state.neutrals}),
    }


def units_to_json(state: State) -> list[list[int | None]]:
    """Return the units as lists ``[id, type, hp, x, y, owner]``, type 1 for a leader."""
    return [[u.id, int(u.is_leader), u.hp, u.x, u.y, u.owner] for u in state.units]


@frozen
class _StateFields:
    """The JSON object of a state."""

    grid: tuple[str, ...]
    units: tuple[tuple[int, int, int, int | None, int | None, int], ...]
    turn: int
    rng: int = FIRST_RNG
    chance: bool = False
    neutrals: Neutrals = "referee"
    schema: Literal["deduce/cultist-state/1"] = STATE_SCHEMA
    player: int = field()

    @player.default
    def _player_to_move(self) -> int:
        return self.turn & 1


def state_from_json(value: object) -> State:
    """Return the state of a JSON object with ``grid`` and ``units``, and perhaps more fields.

    Parameters
    ----------
    value
        An object with the fields of `state_to_json`. Without ``turn`` it is turn 0, or turn 1 if
        there is a field ``player`` with the value 1; a ``player`` beside a ``turn`` must be the
        side whose turn it is. Without ``rng`` the generator is in its first state.

    Raises
    ------
    BadInput
        A field is missing, unknown or of the wrong type, or the state is impossible.
    """
    if isinstance(value, Mapping):
        value = {"turn": value.get("player", 0), **value}
    fields = structure(value, _StateFields)
    if fields.player not in (0, 1):
        raise BadInput(f"player: a player is 0 or 1, not {fields.player}")
    if fields.player != fields.turn & 1:
        raise BadInput(f"player: turn {fields.turn} is not a turn of player {fields.player}")
    for index, (identity, kind, *_) in enumerate(fields.units, start=1):
        if kind != int(identity in LEADERS):
            raise BadInput(f"unit {index}: type {kind}, but ids 0 and 1 are the leaders (type 1)")
    return state_of(
        _board(fields.grid),
        [Unit(identity, hp, x, y, owner) for identity, _, hp, x, y, owner in fields.units],
        turn=fields.turn,
        rng=fields.rng,
        chance=fields.chance,
        neutrals=fields.neutrals,
    )
