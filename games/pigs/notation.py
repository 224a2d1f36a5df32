"""Events and logs as text, both ways.

A log has one event on each line; ``#`` begins a comment. First come the options of the table, then
the events::

    pigs 3                       # the number of seats; 4 cards were dealt to each
    rebels 1                     # if the number of rebels is known
    turn 1
    1 uses W
    at 2
    2 hit by 1
    at 3
    3 answers D
    1 ends
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import attrs

from deduce.errors import BadInput, placed
from deduce.logs.events import Log
from deduce.logs.json_values import structure
from deduce.system.text import nearest
from games.pigs.events import (
    PUBLIC_EVENTS,
    At,
    Declare,
    Die,
    End,
    EndTurn,
    Hit,
    LoseAll,
    Nullify,
    PublicEvent,
    Reply,
    Reward,
    Save,
    Turn,
    Use,
)
from games.pigs.setup import (
    CARDS,
    PLAIN_WEIGHTS,
    ROLES,
    RULE_SETS,
    Role,
    Setup,
    Viewpoint,
    check_cards,
)

__all__ = [
    "LOG_SCHEMA",
    "check_event_cards",
    "event_from_json",
    "event_to_json",
    "format_event",
    "format_log",
    "log_from_json",
    "log_to_json",
    "parse_event",
    "parse_log",
    "parse_role",
    "parse_viewpoint",
    "parse_weights",
]


_Reader = Callable[[list[str]], Any]

_EXAMPLES = (
    Turn(3), EndTurn(3), Use(3, "K", 4), At(4), Nullify(4, 1), Reply(4, "D"), Hit(4, 3), Save(4),
    Die(4, "FP"), Reward(3, 3), LoseAll(1), End("MP"), Declare(3, "loyal"),
)  # fmt: skip


def parse_role(word: str) -> Role:
    """Return the role written ``MP``, ``ZP`` or ``FP``.

    Raises
    ------
    BadInput
        It is another word.
    """
    if word not in ROLES:
        raise BadInput(f"unknown role {word!r}; roles are {', '.join(ROLES)}", text=word)
    return word


_WORDS = ("card", "cards", "role", "winner", "side")
"""The fields that are words; the others are numbers."""


def _pattern(template: str) -> re.Pattern[str]:
    """Return the pattern of the lines of a template, whose end in brackets may be missing."""
    for name in re.findall(r"\{(\w+)\}", template):
        word = r"\S+" if name in _WORDS else "[0-9]{1,6}"
        template = template.replace(f"{{{name}}}", f"(?P<{name}>{word})")
    return re.compile(template.replace("[ ", "(?: ").replace(")]", "))?"))


_PATTERNS = {cls: _pattern(cls.template) for cls in PUBLIC_EVENTS}


def parse_event(text: str) -> PublicEvent:
    """Return the event that a line of a log states.

    Raises
    ------
    BadInput
        The line has none of the known forms; the message shows the form of the nearest.

    Examples
    --------
    >>> parse_event("3 uses K on 4")
    Use(seat=3, card='K', target=4)
    """
    line = " ".join(text.split())
    for cls, pattern in _PATTERNS.items():
        match = pattern.fullmatch(line)
        if match:
            given = {name: word for name, word in match.groupdict().items() if word is not None}
            fields = {n: word if n in _WORDS else int(word) for n, word in given.items()}
            if "cards" in given:
                fields["cards"] = given["cards"].strip("-")
            event: PublicEvent = structure(fields, cls)
            check_event_cards(event)
            return event
    examples = {type(event): format_event(event) for event in _EXAMPLES}
    verbs = {
        word: cls for cls in PUBLIC_EVENTS for word in re.findall(r"[a-z]+\b(?!})", cls.template)
    }
    words = [word for word in line.split() if not word.isdecimal()]
    known = next((examples[verbs[word]] for word in words if word in verbs), None)
    if known:
        hint = f"; write it like '{known}'"
    else:
        hint = nearest(words[0], verbs) if words else ""
        hint += "; events look like " + ", ".join(f"'{example}'" for example in examples.values())
    raise BadInput(f"cannot read the event {line!r}{hint}", text=line)


def format_event(event: PublicEvent) -> str:
    """Return the event as a line of a log; `parse_event` reads it back.

    >>> format_event(Nullify(4, 1))
    '4 nullifies 1'
    """
    fields = {name: "-" if value == "" else value for name, value in attrs.asdict(event).items()}
    form, _, end = event.template.partition("[")
    return (form if None in fields.values() else form + end.removesuffix("]")).format(**fields)


def parse_log(text: str, cls: type[Setup]) -> Log:
    """Return the log that a text describes.

    Parameters
    ----------
    text
        First the options of the table, then the events, one on each line.
    cls
        The class of the set-up to make.

    Raises
    ------
    BadInput
        A line cannot be read, or the options contradict each other. Whether the events can follow
        each other is checked by `games.pigs.reading.read_events`.
    """
    given: dict[str, Any] = {}
    hands: dict[int, str] = {}
    events: list[PublicEvent] = []
    lines: list[int] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        with placed(line=number):
            word, _, rest = line.partition(" ")
            if word in _OPTIONS:
                if events:
                    raise BadInput(f"{word!r} must come before the first event")
                option = " ".join(line.split()[:2]) if word == "open" else word
                if option in given:
                    raise BadInput(f"{option!r} is given twice")
                given[option] = _OPTIONS[word].read(rest.split())
                if word == "open":
                    hands.update([given[option]])
            elif "pigs" not in given:
                raise BadInput("a log begins with the number of seats, like 'pigs 5'")
            else:
                events.append(parse_event(line))
                lines.append(number)
    if "pigs" not in given:
        raise BadInput("the log is empty; it begins with the number of seats: 'pigs 5'")
    options = {_OPTIONS[word].name: given[word] for word in given.keys() & _OPTIONS.keys()}
    if hands:
        seats = range(1, options["seats"] + 1)
        for seat in sorted(hands.keys() ^ set(seats)):
            problem = f"no line 'open {seat} CARDS'" if seat in seats else f"no seat {seat}"
            raise BadInput(f"open hands: there is {problem}")
        options["open_hands"] = tuple(hands[seat] for seat in seats)
    return Log(cls(**options), events, lines)


def _number(usage: str) -> _Reader:
    def read(words: list[str]) -> int:
        if len(words) != 1 or not re.fullmatch(r"[0-9]{1,6}", words[0]):
            raise BadInput(f"write '{usage}'")
        return int(words[0])

    return read


def _choice(word: str, choices: Mapping[str, object]) -> _Reader:
    def read(words: list[str]) -> object:
        if len(words) != 1 or words[0] not in choices:
            raise BadInput("write " + " or ".join(f"'{word} {choice}'" for choice in choices))
        return choices[words[0]]

    return read


def parse_weights(words: Iterable[str]) -> dict[str, int]:
    """Return card weights from words like ``K=14``; cards that are not named weigh 1.

    Raises
    ------
    BadInput
        A word is not of this form.
    """
    weights = dict(PLAIN_WEIGHTS)
    for word in words:
        card, _, weight = word.partition("=")
        if card not in weights or not re.fullmatch(r"[0-9]{1,9}", weight):
            raise BadInput(
                f"card weights look like K=14, with one of {', '.join(CARDS)}; not {word!r}"
            )
        weights[card] = int(weight)
    return weights


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


def _open_hand(words: list[str]) -> tuple[int, str]:
    if len(words) not in (1, 2) or not re.fullmatch(r"[0-9]{1,6}", words[0]):
        raise BadInput("write a seat's cards in the order of drawing like 'open 2 DDKK'")
    return int(words[0]), words[1] if len(words) == 2 else ""


class _Option(NamedTuple):
    """An option of the set-up, and how its value is read and written.

    Hands that are open have a line for each seat: ``read`` takes one of them, ``write`` makes all.
    """

    name: str
    read: _Reader
    write: Callable[[Any], str] = str


_OPTIONS = {
    "pigs": _Option("seats", _number("pigs 5")),
    "rules": _Option("rule_set", _choice("rules", RULE_SETS)),
    "pile": _Option("pile", _number("pile 200")),
    "hand": _Option("hand", _number("hand 4")),
    "rebels": _Option("rebels", _number("rebels 2")),
    "discards": _Option(
        "discards_shown", _choice("discards", {"shown": True, "hidden": False}), lambda _: "shown"
    ),
    "weights": _Option(
        "weights", parse_weights, lambda of: " ".join(f"{card}={of[card]}" for card in CARDS)
    ),
    "as": _Option("viewpoint", parse_viewpoint, lambda of: f"{of.seat} {of.role} {of.cards}"),
    "open": _Option(
        "open_hands",
        _open_hand,
        lambda of: "\nopen ".join(f"{n} {cards}".rstrip() for n, cards in enumerate(of, 1)),
    ),
}
"""By the first word of its line, in the order in which a log has them."""


def format_log(setup: Setup, events: Sequence[PublicEvent]) -> str:
    """Return the log as text; `parse_log` reads it back.

    >>> from games.pigs.events import EndTurn, Turn
    >>> print(format_log(Setup(2, rebels=1), (Turn(1), EndTurn(1))), end="")
    pigs 2
    rebels 1
    turn 1
    1 ends
    """
    plain, rows = Setup(setup.seats), [f"pigs {setup.seats}"]
    for word, (name, _, write) in _OPTIONS.items():
        if getattr(setup, name) != getattr(plain, name):
            rows.append(f"{word} {write(getattr(setup, name))}".rstrip())
    return "\n".join([*rows, *map(format_event, events)]) + "\n"


LOG_SCHEMA = "deduce/pigs-log/1"

_CLASSES: Mapping[str, type[PublicEvent]] = dict(zip((
    "turn", "end_turn", "use", "at", "null", "resp", "hit", "save", "die", "reward", "lose_all",
    "end", "declare",
), PUBLIC_EVENTS, strict=True))  # fmt: skip
_NAMES = {cls: name for name, cls in _CLASSES.items()}


def event_to_json(event: PublicEvent) -> list[int | str]:
    """Return the event as a JSON list: its name, then its fields; absent ones are left out.

    >>> event_to_json(Use(3, "K", 4))
    ['use', 3, 'K', 4]
    """
    return [_NAMES[type(event)], *(v for v in attrs.asdict(event).values() if v is not None)]


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
                raise BadInput(f"a card is one letter of {', '.join(CARDS)}, not {card!r}")
            check_cards(card, what="card")
        case Die(_, _, str(cards)) | LoseAll(_, str(cards)):
            check_cards(cards, what="lost cards")


def log_to_json(log: Log) -> dict[str, Any]:
    """Return the log as JSON data (schema ``deduce/pigs-log/1``)."""
    fields = attrs.asdict(log.game)
    events = list(map(event_to_json, log.events))
    return {"schema": LOG_SCHEMA, "n": fields.pop("seats"), **fields, "log": events}


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
