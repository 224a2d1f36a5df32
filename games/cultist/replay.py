"""Replays: a recorded playthrough as a value and as a JSON file, checked by the rules when read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from attrs import frozen

from deduce.display import Displayed
from deduce.errors import BadInput
from deduce.jsontext import parse_json
from deduce.text import visible
from games.cultist.notation import state_from_json, state_to_json
from games.cultist.orders import BadOrder
from games.cultist.rules import is_over
from games.cultist.state import State
from games.cultist.turns import Turn, play_turn

__all__ = ["REPLAY_SCHEMA", "Fault", "Replay", "format_replay", "parse_replay"]

REPLAY_SCHEMA = "deduce/cultist-replay/1"


@frozen
class Fault:
    """Why the side to move lost at once: an invalid order, a time-out, a crash."""

    reason: str
    order: str | None = None
    """What it sent, if anything."""


@frozen
class Replay(Displayed):
    """One playthrough: the first state, the orders sent, and how it ended.

    Parameters
    ----------
    start
        The state before the first order.
    orders
        The accepted orders, as they were sent.
    names
        Who played side 0 and side 1.
    seed
        The map's seed, if there is one.
    fault
        What ended the game before its time, if anything.

    Examples
    --------
    >>> from games.cultist.maps import new_state
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
        """Every turn in full.

        Raises
        ------
        BadInput
            The referee would not have accepted an order, or the game was over before it.
        """
        state = self.start
        found: list[Turn] = []
        for number, order in enumerate(self.orders):
            if is_over(state):
                raise BadInput(f"order {number + 1} ({order!r}) comes after the end of the game")
            try:
                turn = play_turn(state, order)
            except BadOrder as error:
                raise BadInput(f"turn {state.turn}: {error.message}") from error
            found.append(turn)
            state = turn.after
        return tuple(found)

    @property
    def final(self) -> State:
        """The state after the last order."""
        return self.turns[-1].after if self.orders else self.start

    @property
    def scores(self) -> tuple[int, int] | None:
        """The referee's scores: living units, or -1 for a fault and 0 for the other side.

        ``None`` while the game is not over.
        """
        if self.fault is not None:
            return (-1, 0) if self.final.player == 0 else (0, -1)
        return self.final.counts if is_over(self.final) else None

    @property
    def winner(self) -> int | None:
        """The side with the greater score; ``None`` for a draw and for an unfinished game."""
        if self.scores is None or self.scores[0] == self.scores[1]:
            return None
        return 0 if self.scores[0] > self.scores[1] else 1

    def __str__(self) -> str:
        """Return who played, how it ended, and the last board."""
        from games.cultist.show import verdict

        players = f"A: {self.names[0]}, B: {self.names[1]}, {len(self.orders)} turns"
        return visible(f"{players}\n{verdict(self)}\n{self.final}")

    def _repr_html_(self) -> str:
        from games.cultist.page import replay_frame

        return replay_frame(self)


def format_replay(replay: Replay) -> str:
    """Return the replay as the text of a JSON file, with an order a line."""
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
    fields = (f"{json.dumps(key)}: {_field(item)}" for key, item in value.items())
    return "{" + ",\n ".join(fields) + "}\n"


def _field(item: object) -> str:
    if isinstance(item, list) and item and isinstance(item[0], str):
        return "[" + ",\n  ".join(map(json.dumps, item)) + "]"
    return json.dumps(item)


def parse_replay(text: str, *, source: str | None = None) -> Replay:
    """Return the replay in the text of a JSON file, played through once to check it.

    Raises
    ------
    BadInput
        It is no replay, chance moves first, an order is not valid, the fault comes after the end,
        or the scores are not those of the game.

    Examples
    --------
    >>> from games.cultist.maps import new_state
    >>> replay = Replay(new_state(0), ("WAIT", "WAIT"), seed=0)
    >>> parse_replay(format_replay(replay)) == replay
    True
    """
    try:
        return _replay(parse_json(text))
    except BadInput as error:
        raise error.at(source=source) from None


def _replay(value: object) -> Replay:
    if not isinstance(value, Mapping) or value.get("schema") != REPLAY_SCHEMA:
        raise BadInput(f'not a replay: no "schema": "{REPLAY_SCHEMA}"')
    names, seed = value.get("names", ["A", "B"]), value.get("seed")
    if not _is_texts(names) or len(names) != 2:
        raise BadInput('"names" is a list of two texts')
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
        raise BadInput('"seed" is a whole number or null')
    orders = value.get("orders", [])
    if not _is_texts(orders):
        raise BadInput('"orders" is a list of texts')
    replay = Replay(
        state_from_json(value.get("start")),
        tuple(orders),
        (names[0], names[1]),
        seed,
        _fault(value.get("fault")),
    )
    if replay.start.chance:
        raise BadInput('"start": chance moves next there; a replay begins where a side moves')
    if replay.fault is not None and is_over(replay.final):
        raise BadInput('the game was over before the "fault"')
    scores = None if replay.scores is None else list(replay.scores)
    if "scores" in value and value["scores"] != scores:
        raise BadInput(f"the game ends with scores {scores}, not {value['scores']}")
    return replay


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _fault(value: object) -> Fault | None:
    if value is None:
        return None
    if not isinstance(value, Mapping) or not isinstance(value.get("reason"), str):
        raise BadInput('"fault" is null or an object with a "reason"')
    order = value.get("order")
    if order is not None and not isinstance(order, str):
        raise BadInput('"order" of a fault is a text or null')
    return Fault(value["reason"], order)
