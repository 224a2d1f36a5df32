"""Logs: a game's set-up and its events, read and written as text.

Every game gets JSON lines: the first line is the header, an object with ``"game"``, ``"version"``
and the fields of the set-up; each further line is one event, an object with ``"event"`` (the name
of its class in lower case) and its fields. A game with ``parse_event`` may have its events as plain
lines of text instead, and one with ``parse_log`` has a whole notation of its own. Lines that begin
with ``# `` are comments, unless they are events. One event a line means that a log can be appended
to, compared, and piped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from attrs import field, frozen, has

from deduce.errors import BadInput, Unsupported, placed
from deduce.game import Documents, Event, EventLine, HiddenGame, Recorded, Written, hook
from deduce.logs.json_values import conforms, parse_json, structure, unstructure
from deduce.logs.templates import fields_of_line, line_of_fields
from deduce.system.files import read_text, unreadable
from deduce.system.registry import of_file
from deduce.system.text import nearest

__all__ = [
    "Log",
    "checked_event",
    "event_line",
    "format_event",
    "parse_event",
    "read_log",
    "read_object",
    "read_text",
    "unreadable",
    "with_game",
    "write_log",
    "write_text",
]

VERSION = 1
COMMENT = "# "
"""How a line begins that is a comment, unless it is an event."""


def _items(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(items)


def _numbers(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(numbers)


@frozen
class Log:
    """A log that has been read.

    Parameters
    ----------
    game
        The set-up.
    events
        The events in order; event ``n`` is ``events[n - 1]``.
    lines
        The line of each event, counted from 1, for messages; empty where it is not known. Two logs
        that differ only in this are equal.
    """

    game: Any
    events: tuple[Event, ...] = field(converter=_items)
    lines: tuple[int, ...] = field(default=(), converter=_numbers, eq=False)

    def __iter__(self) -> Iterator[Any]:
        """Yield the game and the events, so that both can be assigned: ``game, events = log``."""
        yield self.game
        yield self.events

    def upto(self, number: int) -> Log:
        """Return the log of the first ``number`` events."""
        return Log(self.game, self.events[:number], self.lines[:number])


def read_log(text: str, game_class: type, *, source: str | None = None) -> Log:
    """Return the log that a text describes, in JSON lines or in the game's notation.

    Raises
    ------
    BadInput
        With the line, and what would be right.
    """
    parse_log = hook(game_class, Documents.parse_log)
    try:
        if parse_log is not None and not _is_json_lines(text, game_class):
            log = parse_log(text)
            return log if isinstance(log, Log) else Log(*log)
        return _read_lines(text, game_class)
    except BadInput as error:
        raise with_game(error, source or "", _name(game_class)) from None


def with_game(error: BadInput, source: str, expected: str = "") -> BadInput:
    """Return an error about a file; if by its name it is a log of another game, it says so."""
    game = of_file(source)
    hint = f"; by its name this is a log of {game}: 'deduce {game} COMMAND {source}'"
    message = error.message + (hint if game and game != expected else "")
    where = error.source or source or None
    return BadInput(message, source=where, line=error.line, column=error.column, text=error.text)


def _is_json_lines(text: str, game_class: type) -> bool:
    first = text.lstrip().partition("\n")[0]
    if not first.startswith("{"):
        return False
    return '"game"' in first or not hook(game_class, Documents.reads_documents, default=False)


def write_log(game: object, events: Sequence[Event]) -> str:
    """Return the log as JSON lines, which `read_log` reads back to equal values.

    >>> from games.cluedo import Cluedo
    >>> write_log(Cluedo(players=("Ann", "Ben", "Cid")), [])[:31]
    '{"game": "cluedo", "version": 1'

    Raises
    ------
    Unsupported
        The game is not an attrs class, so that its set-up cannot be written.
    """
    _check_fields(type(game))
    header = {"game": _name(type(game)), "version": VERSION, **unstructure(game)}
    return "".join(_dumps(line) + "\n" for line in [header, *map(_event_fields, events)])


def _check_fields(game_class: type) -> None:
    """Raise `Unsupported` unless a set-up can be written as the header of a log."""
    if not has(game_class):
        raise Unsupported(f"make {game_class.__name__} an attrs class; its fields are the header")


def _event_fields(event: Event) -> dict[str, Any]:
    return {"event": type(event).__name__.lower(), **unstructure(event)}


def _dumps(line: dict[str, object]) -> str:
    """Return the object on one line; characters that would break a line or a file are escaped."""
    text = json.dumps(line, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(line)


def write_text(game: object, events: Sequence[Event]) -> str:
    """Return the log in the game's own text notation, which `read_log` reads back too.

    A game with ``format_event`` only has a JSON header and then its events as plain lines.

    Raises
    ------
    Unsupported
        The game has neither ``format_log`` nor ``format_event``.
    """
    format_log = hook(game, Documents.format_log)
    if format_log is not None:
        return str(format_log(events))
    if _has_lines(game):
        return write_log(game, []) + "".join(format_event(game, event) + "\n" for event in events)
    raise Unsupported(f"{_name(type(game))} has no text notation; its logs are JSON lines")


def checked_event(game: object, event: Event) -> Any:
    """Return an event made in Python, checked by the same rules as one that is read from a log.

    A list where a tuple is wanted is converted; a game that names no ``events`` checks only by its
    own ``check``.

    Raises
    ------
    BadInput
        The event is not of a class of the game, a field has the wrong type, or ``check`` refuses
        it.
    """
    classes = tuple(hook(game, Written.events, ()))
    if classes:
        if not isinstance(event, classes):
            known = ", ".join(cls.__name__ for cls in classes)
            raise BadInput(f"not an event of {_name(type(game))}: {event!r} (its events: {known})")
        event = _with_checked_fields(event)
    _check(game, event)
    return event


def parse_event(game: object, line: str) -> Any:
    """Return the event that a line of a log states: JSON, or a line in the game's notation.

    Raises
    ------
    BadInput
        What is wrong, and what would be right.
    Unsupported
        The line is not JSON and the game has no notation for events.
    """
    if line.lstrip().startswith("{"):
        event = _structured(game, line)
    else:
        parse = hook(game, Written.parse_event)
        event = _from_template(game, line) if parse is None else _event_of_line(parse, line)
    _check(game, event)
    return event


def _check(game: object, event: Event) -> None:
    check = hook(game, Recorded.check)
    if check is not None:
        check(event)


def _event_of_line(parse: Callable[[str], Event], line: str) -> Event:
    """Return the event; the column of an error counts the blanks before the event."""
    blanks = len(line) - len(line.lstrip())
    try:
        return parse(line.strip())
    except BadInput as error:
        if not blanks or error.column is None:
            raise
        raise BadInput(
            error.message,
            source=error.source,
            line=error.line,
            column=error.column + blanks,
            text=error.text,
        ) from None


def format_event(game: object, event: Event) -> str:
    """Return the line of text that `parse_event` reads back to an equal event.

    Raises
    ------
    Unsupported
        The game has no notation for this event.
    """
    own = hook(game, Written.format_event)
    if own is not None:
        return str(own(event))
    if not hook(event, EventLine.template, ""):
        raise Unsupported(f"{_name(type(game))} has no text notation; its logs are JSON lines")
    line = line_of_fields(type(event), unstructure(event))
    try:
        if line.isprintable() and parse_event(game, line) == event:
            return line
    except BadInput:
        pass
    # A value that the template cannot hold, such as a name with a colon, is written as JSON.
    return _dumps(_event_fields(event))


def event_line(game: HiddenGame, event: Event) -> str:
    """Return an event as the line of a log: text if the game has a notation for it, else JSON.

    Examples
    --------
    >>> from games.cluedo import Cluedo, Has
    >>> event_line(Cluedo(("Ann", "Ben", "Cid")), Has("Ann", "Rope"))
    'Ann has Rope'
    """
    try:
        return format_event(game, event)
    except Unsupported:
        return write_log(game, [event]).splitlines()[1]


def _has_lines(game: object) -> bool:
    return hook(game, Written.format_event) is not None or bool(_templates(game))


def _templates(game: object) -> dict[type, str]:
    """Return the templates of the classes of events that have one."""
    templates = {c: hook(c, EventLine.template, "") for c in hook(game, Written.events, ())}
    return {event_class: template for event_class, template in templates.items() if template}


def _from_template(game: object, line: str) -> Any:
    templates = _templates(game)
    if not templates:
        raise Unsupported(
            f"{_name(type(game))} has no notation for events: give an event, or an object in JSON"
        )
    for cls in templates:
        fields = fields_of_line(cls, line)
        if fields is not None:
            return structure(fields, cls)
    forms = " or ".join(map(repr, templates.values()))
    raise BadInput(f"not understood: {line.strip()!r}; an event has the form {forms}")


def _with_checked_fields(event: Event) -> object:
    if conforms(event):
        return event
    from cattrs.errors import StructureHandlerNotFoundError

    try:
        fields = unstructure(event)
    except Exception:  # a field is not even of the kind that could be written
        fields = {name.name: getattr(event, name.name) for name in type(event).__attrs_attrs__}
    try:
        return structure(fields, type(event))
    except StructureHandlerNotFoundError:  # a field of a type that has no form in JSON
        return event


def _read_lines(text: str, game_class: type) -> Log:
    # Only a newline ends a line of JSON; a string may hold what `splitlines` splits at besides.
    lines = [(n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not lines:
        raise BadInput("the log is empty; the command 'new' writes its header", line=1)
    number, first = lines[0]
    if not first.lstrip().startswith("{"):
        example = json.dumps({"game": _name(game_class)})[:-1]
        raise BadInput(
            f"the first line of a log is the header with the set-up, {example}, ...}}, "
            "which the command 'new' writes",
            line=number,
        )
    with placed(line=number):
        header = read_object(first)
    name = header.pop("game", None)
    if name != _name(game_class):
        raise BadInput(
            f'the header has "game": {json.dumps(name)}; here it must be '
            f"{json.dumps(_name(game_class))}",
            line=number,
        )
    if header.pop("version", VERSION) != VERSION:
        raise BadInput(f"this version of deduce reads logs of version {VERSION}", line=number)
    _check_fields(game_class)
    with placed(line=number):
        game: HiddenGame = structure(header, game_class)
    events: list[Any] = []
    numbers: list[int] = []
    for number, line in lines[1:]:
        try:
            events.append(_event(game, line, number))
            numbers.append(number)
        except BadInput:
            if not line.startswith(COMMENT):
                raise
    return Log(game, events, numbers)


def _event(game: object, line: str, number: int) -> Any:
    with placed(line=number):
        if not line.lstrip().startswith("{") and not (
            hook(game, Written.parse_event) or _has_lines(game)
        ):
            return _structured(game, line)  # refused with the place where it is not JSON
        return parse_event(game, line)


def _structured(game: object, line: str) -> Any:
    fields = read_object(line)
    classes = {cls.__name__.lower(): cls for cls in hook(game, Written.events, ())}
    name = fields.pop("event", None)
    if not isinstance(name, str) or name not in classes:
        known = ", ".join(classes)
        if name is None:
            raise BadInput(f'the field "event" is missing (known: {known})')
        hint = nearest(str(name), classes)
        raise BadInput(f"no event is called {json.dumps(name)}{hint} (known: {known})")
    return structure(fields, classes[name])


def read_object(line: str) -> dict[str, Any]:
    """Return the object that one line of JSON holds, as a dictionary.

    Raises
    ------
    BadInput
        The line is not JSON, or not an object.

    Examples
    --------
    >>> read_object('{"seat": 0}')
    {'seat': 0}
    """
    try:
        value = parse_json(line)
    except BadInput as error:  # its line is the first of this text, which is one of many
        raise BadInput(error.message, column=error.column) from None
    if not isinstance(value, dict):
        raise BadInput("each line is one JSON object")
    return value


def _name(game_class: type) -> str:
    return hook(game_class, Written.name, game_class.__name__.lower())
