"""Events and logs as JSON documents (schema ``deduce/pigs-log/1``), both ways.

This is the form of the recorded cases: an object with the options of the table and a field ``log``,
in which each event is a list such as ``["use", 3, "K", 4]``. The JSON lines that every game of the
toolkit has are written by `deduce.events`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import attrs

from deduce.errors import BadInput
from deduce.events import Log
from deduce.jsonvalues import structure
from games.pigs.cards import check_cards
from games.pigs.events import PUBLIC_EVENTS, Die, LoseAll, PublicEvent, Reply, Use
from games.pigs.setup import Setup

__all__ = [
    "LOG_SCHEMA",
    "check_event_cards",
    "event_from_json",
    "event_to_json",
    "log_from_json",
    "log_to_json",
]

LOG_SCHEMA = "deduce/pigs-log/1"

_CLASSES: Mapping[str, type[PublicEvent]] = dict(
    zip(
        [
            "turn",
            "end_turn",
            "use",
            "at",
            "null",
            "resp",
            "hit",
            "save",
            "die",
            "reward",
            "lose_all",
            "end",
            "declare",
        ],
        PUBLIC_EVENTS,
        strict=True,
    )
)
_NAMES = {cls: name for name, cls in _CLASSES.items()}


def event_to_json(event: PublicEvent) -> list[int | str]:
    """Return the event as a JSON list: its name, then its fields; absent ones are left out.

    >>> event_to_json(Use(3, "K", 4))
    ['use', 3, 'K', 4]
    """
    fields = attrs.astuple(event)
    return [_NAMES[type(event)], *(value for value in fields if value is not None)]


def event_from_json(data: Any) -> PublicEvent:
    """Return the event that a JSON list describes.

    Raises
    ------
    BadInput
        It is not a list, has an unknown name, or too few, too many or wrong fields.
    """
    if not isinstance(data, list) or not data or data[0] not in tuple(_CLASSES):
        known = ", ".join(_CLASSES)
        raise BadInput(f"an event is a list that begins with one of {known}, not {data!r}")
    cls = _CLASSES[data[0]]
    fields = attrs.fields(cls)
    required = sum(field.default is attrs.NOTHING for field in fields)
    names = [field.name for field in fields]
    if not required <= len(data) - 1 <= len(fields):
        raise BadInput(f"event {data!r}: {data[0]!r} takes {', '.join(names)}")
    try:
        event: PublicEvent = structure(dict(zip(names, data[1:], strict=False)), cls)
    except BadInput as error:
        raise BadInput(f"event {data!r}: {error.message}") from None
    check_event_cards(event)
    return event


def check_event_cards(event: PublicEvent) -> None:
    """Raise `BadInput` unless the cards that an event names exist."""
    match event:
        case Use(_, card) | Reply(_, card):
            if len(card) != 1:
                raise BadInput(f"a card is one letter, not {card!r}", text=card)
            check_cards(card, what="card")
        case Die(_, _, str(cards)) | LoseAll(_, str(cards)):
            check_cards(cards, what="lost cards")


def log_to_json(log: Log) -> dict[str, Any]:
    """Return the log as JSON data (schema ``deduce/pigs-log/1``)."""
    setup: Setup = log.game
    return {
        "schema": LOG_SCHEMA,
        "n": setup.seats,
        "hand": setup.hand,
        "rebels": setup.rebels,
        "discards_shown": setup.discards_shown,
        "weights": dict(setup.weights),
        "viewpoint": setup.viewpoint and attrs.asdict(setup.viewpoint),
        "open_hands": setup.open_hands and list(setup.open_hands),
        "rule_set": setup.rule_set,
        "pile": setup.pile,
        "log": [event_to_json(event) for event in log.events],
    }


def log_from_json(data: Any, cls: type[Setup]) -> Log:
    """Return the log that JSON data describe.

    Parameters
    ----------
    data
        Of its fields only ``n`` and ``log`` are required; an option that is ``null`` has its
        default. Fields of other names, which recorded cases have, are ignored.
    cls
        The class of the set-up to make.

    Raises
    ------
    BadInput
        A field is missing or of the wrong type, or an event cannot be read.
    """
    if not isinstance(data, Mapping) or "n" not in data or not isinstance(data.get("log"), list):
        raise BadInput('a log in JSON has at least "n" (seats) and "log" (a list of events)')
    if type(data["n"]) is not int:
        raise BadInput(f'"n" is the number of seats, a whole number, not {json.dumps(data["n"])}')
    options = {
        field.name: data[field.name]
        for field in attrs.fields(cls)
        if data.get(field.name) is not None and field.name != "seats"
    }
    setup = structure({"seats": data["n"], **options}, cls)
    events: list[PublicEvent] = []
    for number, item in enumerate(data["log"], 1):
        try:
            events.append(event_from_json(item))
        except BadInput as error:
            raise BadInput(f"event {number}: {error.message}", text=error.text) from None
    return Log(setup, events)
