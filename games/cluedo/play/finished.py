"""The result of one game of a tournament, and reading it back from a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import inf
from typing import Any, cast, get_args

from attrs import field, frozen

from deduce.errors import BadInput
from games.cluedo.play.table import End

__all__ = ["Finished"]


@frozen
class Finished:
    """The result of one game, without the game.

    Parameters
    ----------
    number
        Of the game.
    winner
        Who won, as a place in ``Tournament.players``; ``None``: nobody.
    end, turns
        How the game ended, and after how many turns of all players together.
    wrong
        Who accused wrongly.
    decisions
        How often each player was asked something.
    cpu, slowest
        CPU seconds of each player: all, and of his slowest decision. No part of what is equal when
        a game is repeated.
    """

    number: int
    winner: int | None
    end: End
    turns: int
    wrong: tuple[int, ...]
    decisions: tuple[int, ...]
    cpu: tuple[float, ...] = field(eq=False)
    slowest: tuple[float, ...] = field(eq=False)

    def row(self) -> dict[str, Any]:
        """Return the result as an object for JSON."""
        return {
            "game": self.number,
            "winner": self.winner,
            "end": self.end,
            "turns": self.turns,
            "wrong": list(self.wrong),
            "decisions": list(self.decisions),
            "cpu_seconds": [round(seconds, 6) for seconds in self.cpu],
            "slowest_seconds": [round(seconds, 6) for seconds in self.slowest],
        }

    @classmethod
    def parse(cls, row: Mapping[str, Any], seats: int) -> Finished:
        """Return the result of a game with so many seats that a row describes.

        Raises
        ------
        BadInput
            A field is missing, or says what no game can give; the message names it.
        """
        for name, fits in FIELDS.items():
            if name not in row or not fits(row[name], seats):
                found = json.dumps(row[name]) if name in row else "missing"
                raise BadInput(f"a result that cannot be read: {name!r} is {found}")
        if (row["winner"] is not None) != (row["end"] == "solved"):
            raise BadInput("a result that cannot be read: 'winner' and 'end' do not fit together")
        return cls(
            row["game"],
            row["winner"],
            row["end"],
            row["turns"],
            tuple(row["wrong"]),
            tuple(row["decisions"]),
            tuple(row["cpu_seconds"]),
            tuple(row["slowest_seconds"]),
        )


def _is_number(value: object, below: float = inf) -> bool:
    return type(value) is int and 0 <= value < below


def _are_places(value: object, seats: int) -> bool:
    return isinstance(value, list) and all(_is_number(place, seats) for place in value)


def _are_numbers(value: object, seats: int) -> bool:
    fits = isinstance(value, list) and len(value) == seats
    return fits and all(type(number) in (int, float) for number in cast("list[object]", value))


FIELDS: Mapping[str, Callable[[Any, int], bool]] = {
    "game": lambda value, _: _is_number(value),
    "winner": lambda value, seats: value is None or _is_number(value, seats),
    "end": lambda value, _: value in get_args(End),
    "turns": lambda value, _: _is_number(value),
    "wrong": _are_places,
    "decisions": _are_numbers,
    "cpu_seconds": _are_numbers,
    "slowest_seconds": _are_numbers,
}
"""The fields of a result, and whether a value can stand there in a game with so many seats."""
