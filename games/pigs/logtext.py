"""Logs as text and as JSON, both ways.

A log in text has one event a line; ``#`` begins a comment. First the table, then the events::

    pigs 3                       # seats; each was dealt 4 cards
    rebels 1                     # if the table tells
    turn 1
    1 uses W
    at 2
    2 hit by 1
    at 3
    3 answers D
    1 ends
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from deduce.errors import BadInput
from deduce.jsontext import parse_json
from games.pigs.cards import CARDS, PLAIN_WEIGHTS, STARTING_HAND
from games.pigs.events import PublicEvent
from games.pigs.log import Log, Viewpoint
from games.pigs.notation import (
    event_from_json,
    event_to_json,
    format_event,
    parse_event,
    parse_role,
)

__all__ = [
    "LOG_SCHEMA",
    "format_log",
    "log_from_json",
    "log_to_json",
    "parse_log",
    "parse_viewpoint",
    "parse_weights",
]

LOG_SCHEMA = "deduce/pigs-log/1"


def parse_log(text: str, *, source: str | None = None) -> Log:
    r"""Return the log that a text describes, in lines or as JSON.

    Raises
    ------
    BadInput
        A line cannot be read, or the table's options do not fit together. Whether the events can
        follow each other is the business of `games.pigs.follow.follow`.

    Examples
    --------
    >>> log = parse_log("pigs 3\nrebels 1\nturn 1\n1 ends")
    >>> log.rebels, log.events
    (1, (Turn(seat=1), EndTurn(seat=1)))
    """
    try:
        if text.lstrip().startswith("{"):
            return attrs.evolve(_parse_json(text), source=source)
        return _parse_lines(text, source)
    except BadInput as error:
        raise error.at(source=source) from None


def _parse_json(text: str) -> Log:
    return log_from_json(parse_json(text))


def _parse_lines(text: str, source: str | None) -> Log:
    table: dict[str, Any] = {"open_hands": {}}
    events: list[PublicEvent] = []
    lines: list[int] = []
    told: set[str] = set()
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        try:
            word, _, rest = line.partition(" ")
            if word in _OPTIONS:
                if events:
                    raise BadInput(f"{word!r} has to stand before the first event")
                option = " ".join(line.split()[:2]) if word == "open" else word
                if option in told:
                    raise BadInput(f"{option!r} has been told before")
                told.add(option)
                _OPTIONS[word](table, rest.split())
            elif "players" not in table:
                raise BadInput("a log begins with the number of seats, like 'pigs 5'")
            else:
                events.append(parse_event(line))
                lines.append(number)
        except BadInput as error:
            raise error.at(line=number) from None
    if "players" not in table:
        raise BadInput("the log is empty; it begins with the number of seats: 'pigs 5'")
    hands = table.pop("open_hands")
    if hands:
        seats = range(1, table["players"] + 1)
        for seat in sorted(hands.keys() ^ set(seats)):
            problem = f"no line 'open {seat} CARDS'" if seat in seats else f"no seat {seat}"
            raise BadInput(f"open hands: there is {problem}")
        table["open_hands"] = tuple(hands[seat] for seat in seats)
    return Log(events=tuple(events), lines=tuple(lines), source=source, **table)


def _number(words: list[str], usage: str) -> int:
    if len(words) != 1 or not re.fullmatch(r"[0-9]{1,6}", words[0]):
        raise BadInput(f"write '{usage}'")
    return int(words[0])


def _read_discards(table: dict[str, Any], words: list[str]) -> None:
    if words not in (["shown"], ["hidden"]):
        raise BadInput("write 'discards shown' or 'discards hidden'")
    table["discards_shown"] = words == ["shown"]


def parse_weights(words: Iterable[str]) -> dict[str, int]:
    """Return card weights from words like ``K=14``; cards that are not named weigh 1.

    Raises
    ------
    BadInput
        A word is not of this form.
    """
    weights = dict(PLAIN_WEIGHTS)
    for word in words:
        card, _, number = word.partition("=")
        if card not in weights or not re.fullmatch(r"[0-9]{1,9}", number):
            raise BadInput(
                f"card weights look like K=14, with one of {', '.join(CARDS)}; not {word!r}"
            )
        weights[card] = int(number)
    return weights


def _read_weights(table: dict[str, Any], words: list[str]) -> None:
    table["weights"] = parse_weights(words)


def _read_viewpoint(table: dict[str, Any], words: list[str]) -> None:
    table["viewpoint"] = parse_viewpoint(words)


def parse_viewpoint(words: list[str]) -> Viewpoint:
    """Return the viewpoint from the words ``SEAT ROLE CARDS``.

    Raises
    ------
    BadInput
        The words are not of this form.
    """
    if len(words) not in (2, 3) or not re.fullmatch(r"[0-9]{1,6}", words[0]):
        raise BadInput("a viewpoint is a seat, its role and its cards as drawn, like '5 FP NDFK'")
    return Viewpoint(int(words[0]), parse_role(words[1]), words[2] if len(words) == 3 else "")


def _read_open_hand(table: dict[str, Any], words: list[str]) -> None:
    if len(words) not in (1, 2) or not re.fullmatch(r"[0-9]{1,6}", words[0]):
        raise BadInput("write a seat's cards in the order of drawing like 'open 2 DDKK'")
    table["open_hands"][int(words[0])] = words[1] if len(words) == 2 else ""


_OPTIONS: Mapping[str, Callable[[dict[str, Any], list[str]], None]] = {
    "pigs": lambda table, words: table.update(players=_number(words, "pigs 5")),
    "hand": lambda table, words: table.update(hand=_number(words, "hand 4")),
    "rebels": lambda table, words: table.update(rebels=_number(words, "rebels 2")),
    "discards": _read_discards,
    "weights": _read_weights,
    "as": _read_viewpoint,
    "open": _read_open_hand,
}


def format_log(log: Log) -> str:
    """Return the log as text; `parse_log` reads it back.

    >>> from games.pigs.events import EndTurn, Turn
    >>> print(format_log(Log(2, (Turn(1), EndTurn(1)), rebels=1)), end="")
    pigs 2
    rebels 1
    turn 1
    1 ends
    """
    rows = [f"pigs {log.players}"]
    if log.hand != STARTING_HAND:
        rows.append(f"hand {log.hand}")
    if log.rebels is not None:
        rows.append(f"rebels {log.rebels}")
    if log.discards_shown:
        rows.append("discards shown")
    if log.weights != PLAIN_WEIGHTS:
        rows.append(" ".join(["weights", *(f"{c}={log.weights[c]}" for c in CARDS)]))
    if log.viewpoint is not None:
        view = log.viewpoint
        rows.append(f"as {view.seat} {view.role} {view.cards}".rstrip())
    if log.open_hands is not None:
        rows += [f"open {seat} {cards}".rstrip() for seat, cards in enumerate(log.open_hands, 1)]
    return "\n".join([*rows, *map(format_event, log.events)]) + "\n"


def log_to_json(log: Log) -> dict[str, Any]:
    """Return the log as JSON data (schema ``deduce/pigs-log/1``), the form of the case files."""
    view = log.viewpoint
    return {
        "schema": LOG_SCHEMA,
        "n": log.players,
        "hand": log.hand,
        "rebels": log.rebels,
        "discards_shown": log.discards_shown,
        "weights": dict(log.weights),
        "viewpoint": view and {"seat": view.seat, "role": view.role, "cards": view.cards},
        "open_hands": log.open_hands and list(log.open_hands),
        "log": [event_to_json(event) for event in log.events],
    }


def log_from_json(data: Any) -> Log:
    """Return the log from JSON data; of the fields only ``n`` and ``log`` have to be there.

    Raises
    ------
    BadInput
        A field is missing or of the wrong kind, or an event cannot be read.
    """
    if not isinstance(data, Mapping) or "n" not in data or not isinstance(data.get("log"), list):
        raise BadInput('a log in JSON has at least "n" (seats) and "log" (a list of events)')
    table: dict[str, Any] = {}
    for name, kind in _JSON_FIELDS.items():
        value = data.get(name)
        if value is None:
            continue
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise BadInput(f'"{name}" cannot be {value!r}')
        table[_JSON_RENAMED.get(name, name)] = value
    if "viewpoint" in table:
        match table["viewpoint"]:
            case {"seat": int(seat), "role": str(role), "cards": str(cards)}:
                table["viewpoint"] = Viewpoint(seat, parse_role(role), cards)
            case _:
                raise BadInput('"viewpoint" has "seat" (a number), "role" and "cards" (text)')
    if "open_hands" in table:
        if not all(isinstance(cards, str) for cards in table["open_hands"]):
            raise BadInput('"open_hands" gives the cards of each seat as text')
        table["open_hands"] = tuple(table["open_hands"])
    if not all(type(weight) is int for weight in table.get("weights", {}).values()):
        raise BadInput('"weights" gives each card a whole number')
    events: list[PublicEvent] = []
    for number, item in enumerate(data["log"], 1):
        try:
            events.append(event_from_json(item))
        except BadInput as error:
            raise BadInput(f"event {number}: {error.message}", text=error.text) from None
    return Log(events=tuple(events), **table)


_JSON_FIELDS: Mapping[str, type] = {
    "n": int,
    "hand": int,
    "rebels": int,
    "discards_shown": bool,
    "weights": dict,
    "viewpoint": dict,
    "open_hands": list,
}
_JSON_RENAMED = {"n": "players"}
