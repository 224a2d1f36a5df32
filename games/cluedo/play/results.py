"""The result of one game of a tournament, and reading it back from a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import inf
from typing import Any, cast, get_args

from attrs import field, frozen

from deduce.errors import BadInput
from games.cluedo.play.table import End

__all__ = ["GameResult"]


@frozen
class GameResult:
    """The result of one game, without the game.

    Parameters
    ----------
    number
        The number of the game.
    winner
        The winner, as an index into ``Tournament.players``, or ``None``.
    end, turns
        How the game ended, and after how many turns of all players together.
    wrong
        The players who accused wrongly.
    decisions
        How often each player was asked something.
    cpu, slowest
        CPU seconds of each player: in total, and of the slowest decision. They do not count when
        results are compared.
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
    def parse(cls, row: Mapping[str, Any], seats: int) -> GameResult:
        """Return the result that a row describes, of a game with this number of seats.

        Raises
        ------
        BadInput
            A field is missing, or has a value that no game can have; the message names it.
        """
        for name, fits in FIELDS.items():
            if name not in row or not fits(row[name], seats):
                value = json.dumps(row[name]) if name in row else "missing"
                raise BadInput(f"the result cannot be read: {name!r} is {value}")
        if (row["winner"] is not None) != (row["end"] == "solved"):
            raise BadInput("the result cannot be read: 'winner' and 'end' contradict each other")
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


def _is_count(value: object, below: float = inf) -> bool:
    return type(value) is int and 0 <= value < below


def _are_players(value: object, seats: int) -> bool:
    return isinstance(value, list) and all(_is_count(player, seats) for player in value)


def _are_numbers(value: object, seats: int) -> bool:
    fits = isinstance(value, list) and len(value) == seats
    return fits and all(type(number) in (int, float) for number in cast("list[object]", value))


FIELDS: Mapping[str, Callable[[Any, int], bool]] = {
    "game": lambda value, _: _is_count(value),
    "winner": lambda value, seats: value is None or _is_count(value, seats),
    "end": lambda value, _: value in get_args(End),
    "turns": lambda value, _: _is_count(value),
    "wrong": _are_players,
    "decisions": _are_numbers,
    "cpu_seconds": _are_numbers,
    "slowest_seconds": _are_numbers,
}
"""The fields of a result, and whether they can have a value in a game with a number of seats."""
