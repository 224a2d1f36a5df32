"""Replays: a recorded game as a value and as a JSON file, which is checked when it is read."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any, Literal

from attrs import frozen

from deduce.errors import BadInput, placed
from deduce.logs.json_values import parse_json, structure
from deduce.system.display import Displayed
from deduce.system.saved import sealed, unsealed
from games.cultist.events import BadOrder, Turn, play_turn
from games.cultist.notation import state_from_json, state_to_json
from games.cultist.rules import is_over
from games.cultist.setup import State

__all__ = ["REPLAY_SCHEMA", "Fault", "Replay", "format_replay", "parse_replay"]

REPLAY_SCHEMA = "deduce/cultist-replay/1"


@frozen
class Fault:
    """The reason why the side to move lost at once: an invalid order, a time-out, a crash."""

    reason: str
    order: str | None = None
    """The order that it sent, if any."""


@frozen
class Replay(Displayed):
    """One game: its first state, the orders, and how it ended.

    Parameters
    ----------
    start
        The state before the first order.
    orders
        The accepted orders, as they were sent.
    names
        The names of the players of side 0 and side 1.
    seed
        The seed of the map, if it is known.
    fault
        What ended the game early, if anything.

    Examples
    --------
    >>> from games.cultist.setup import new_state
    >>> replay = Replay(new_state(0), ("0 MOVE 12 3",), fault=Fault("no answer within 50 ms"))
    >>> replay.scores
    (0, -1)
    """

    start: State
    orders: tuple[str, ...] = ()
    names: tuple[str, str] = ("A", "B")
    seed: int | None = None
    fault: Fault | None = None

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """All turns in detail.

        Raises
        ------
        BadInput
            The referee does not accept one of the orders, or the game is over before it.
        """
        state = self.start
        turns: list[Turn] = []
        for index, order in enumerate(self.orders, start=1):
            if is_over(state):
                raise BadInput(f"order {index} ({order!r}) comes after the end of the game")
            try:
                turn = play_turn(state, order)
            except BadOrder as error:
                raise BadInput(f"turn {state.turn}: {error.message}") from error
            turns.append(turn)
            state = turn.after
        return tuple(turns)

    @property
    def final(self) -> State:
        """The state after the last order."""
        return self.turns[-1].after if self.orders else self.start

    @property
    def scores(self) -> tuple[int, int] | None:
        """The referee's scores: living units, or -1 for a fault and 0 for the other side.

        It is ``None`` if the game is not over.
        """
        if self.fault is not None:
            return (-1, 0) if self.final.player == 0 else (0, -1)
        return self.final.counts if is_over(self.final) else None

    @property
    def winner(self) -> int | None:
        """The side with the higher score; ``None`` for a draw or an unfinished game."""
        if self.scores is None or self.scores[0] == self.scores[1]:
            return None
        return 0 if self.scores[0] > self.scores[1] else 1


def format_replay(replay: Replay) -> str:
    """Return the replay as the text of a JSON file, with one order per line.

    Examples
    --------
    >>> from games.cultist.setup import new_state
    >>> format_replay(Replay(new_state(0), ("WAIT",))).splitlines()[0]
    '{"schema": "deduce/cultist-replay/1",'
    """
    fault = replay.fault
    value = {
        "schema": REPLAY_SCHEMA,
        "names": list(replay.names),
        "seed": replay.seed,
        "start": state_to_json(replay.start),
        "orders": list(replay.orders),
        "fault": None if fault is None else {"reason": fault.reason, "order": fault.order},
        "scores": None if replay.scores is None else list(replay.scores),
    }
    fields = (f"{json.dumps(key)}: {_field(item)}" for key, item in sealed(value).items())
    return "{" + ",\n ".join(fields) + "}\n"


def _field(item: object) -> str:
    if isinstance(item, list) and item and isinstance(item[0], str):
        return "[" + ",\n  ".join(map(json.dumps, item)) + "]"
    return json.dumps(item)


def parse_replay(text: str, *, source: str | None = None) -> Replay:
    """Return the replay in the text of a JSON file; all its orders are checked.

    Parameters
    ----------
    text
        The JSON object.
    source
        The name of the file, for messages.

    Raises
    ------
    BadInput
        The text is not a replay, chance moves first, an order is invalid, the fault comes after
        the end, or the scores are not those of the game.

    Examples
    --------
    >>> from games.cultist.setup import new_state
    >>> replay = Replay(new_state(0), ("WAIT", "WAIT"), seed=0)
    >>> parse_replay(format_replay(replay)) == replay
    True
    """
    with placed(source=source):
        return _replay(parse_json(text))


@frozen
class _ReplayFields:
    """The JSON object of a replay."""

    schema: Literal["deduce/cultist-replay/1"]
    start: dict[str, Any]
    orders: tuple[str, ...] = ()
    names: tuple[str, str] = ("A", "B")
    seed: int | None = None
    fault: Fault | None = None
    scores: tuple[int, int] | None = None


def _replay(value: object) -> Replay:
    document, _ = unsealed(value, REPLAY_SCHEMA)
    fields = structure(document, _ReplayFields)
    start = state_from_json(fields.start)
    replay = Replay(start, fields.orders, fields.names, fields.seed, fields.fault)
    if start.chance:
        raise BadInput("start: chance moves next; a replay begins where a side moves")
    if replay.fault is not None and is_over(replay.final):
        raise BadInput("fault: the game was over before it")
    if "scores" in document and fields.scores != replay.scores:
        end = f"ends with {replay.scores}" if replay.scores else "is not over"
        raise BadInput(f"scores: the game {end}; the file has {fields.scores}")
    return replay
