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
from typing import Any, get_args

import attrs
from attrs import frozen

from deduce.errors import BadInput
from deduce.events import Log
from deduce.jsonvalues import structure
from deduce.text import nearest
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
    STARTING_HAND,
    Role,
    Setup,
    Side,
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


@frozen
class _Form:
    """The notation of a kind of event; the groups of ``pattern`` are the arguments of ``make``."""

    pattern: str
    example: str
    make: Callable[..., PublicEvent]


def _lost_cards(cards: str | None) -> str | None:
    return None if cards is None else check_cards(cards.strip("-"), what="lost cards")


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


def _side(word: str) -> Side:
    if word not in get_args(Side):
        raise BadInput(f"unknown side {word!r}; sides are loyal and rebel", text=word)
    return word  # type: ignore[return-value]


def _card(word: str) -> str:
    if len(word) != 1:
        raise BadInput(f"a card is one letter of {', '.join(CARDS)}, not {word!r}", text=word)
    return check_cards(word, what="card")


_FORMS = (
    _Form(r"turn ([0-9]{1,6})", "turn 3", lambda p: Turn(int(p))),
    _Form(r"([0-9]{1,6}) ends", "3 ends", lambda p: EndTurn(int(p))),
    _Form(
        r"([0-9]{1,6}) uses (\S+)(?: on ([0-9]{1,6}))?",
        "3 uses K on 4",
        lambda p, c, t: Use(int(p), _card(c), t and int(t)),
    ),
    _Form(r"at ([0-9]{1,6})", "at 4", lambda t: At(int(t))),
    _Form(
        r"([0-9]{1,6}) nullifies ([0-9]{1,6})",
        "4 nullifies 1",
        lambda p, k: Nullify(int(p), int(k)),
    ),
    _Form(r"([0-9]{1,6}) answers (\S+)", "4 answers D", lambda p, c: Reply(int(p), _card(c))),
    _Form(r"([0-9]{1,6}) hit by ([0-9]{1,6})", "4 hit by 3", lambda v, s: Hit(int(v), int(s))),
    _Form(r"([0-9]{1,6}) saved", "4 saved", lambda v: Save(int(v))),
    _Form(
        r"([0-9]{1,6}) dies (\S+)(?: (\S+))?",
        "4 dies FP",
        lambda v, r, cards: Die(int(v), parse_role(r), _lost_cards(cards)),
    ),
    _Form(r"([0-9]{1,6}) draws ([0-9]{1,6})", "3 draws 3", lambda p, k: Reward(int(p), int(k))),
    _Form(
        r"([0-9]{1,6}) loses all(?: (\S+))?",
        "1 loses all",
        lambda p, cards: LoseAll(int(p), _lost_cards(cards)),
    ),
    _Form(r"(\S+) wins", "MP wins", lambda r: End(parse_role(r))),
    _Form(
        r"([0-9]{1,6}) declares (\S+)", "3 declares loyal", lambda p, s: Declare(int(p), _side(s))
    ),
)


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
    for form in _FORMS:
        match = re.fullmatch(form.pattern, line, re.ASCII)
        if match:
            return form.make(*match.groups())
    verbs = {word: form for form in _FORMS for word in form.pattern.split() if word.isalpha()}
    words = [word for word in line.split() if not word.isdecimal()]
    known = next((verbs[word].example for word in words if word in verbs), None)
    if known:
        hint = f"; write it like '{known}'"
    else:
        hint = nearest(words[0], verbs) if words else ""
        hint += "; events look like " + ", ".join(f"'{form.example}'" for form in _FORMS)
    raise BadInput(f"cannot read the event {line!r}{hint}", text=line)


def format_event(event: PublicEvent) -> str:
    """Return the event as a line of a log; `parse_event` reads it back.

    >>> format_event(Nullify(4, 1))
    '4 nullifies 1'
    """
    match event:
        case Turn(seat):
            return f"turn {seat}"
        case EndTurn(seat):
            return f"{seat} ends"
        case Use(seat, card, None):
            return f"{seat} uses {card}"
        case Use(seat, card, target):
            return f"{seat} uses {card} on {target}"
        case At(seat):
            return f"at {seat}"
        case Nullify(seat, level):
            return f"{seat} nullifies {level}"
        case Reply(seat, card):
            return f"{seat} answers {card}"
        case Hit(seat, source):
            return f"{seat} hit by {source}"
        case Save(seat):
            return f"{seat} saved"
        case Die(seat, role, cards):
            return f"{seat} dies {role}{_face_up(cards)}"
        case Reward(seat, number):
            return f"{seat} draws {number}"
        case LoseAll(seat, cards):
            return f"{seat} loses all{_face_up(cards)}"
        case End(winner):
            return f"{winner} wins"
        case Declare(seat, side):
            return f"{seat} declares {side}"


def _face_up(cards: str | None) -> str:
    return "" if cards is None else f" {cards or '-'}"


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
    options: dict[str, Any] = {"open_hands": {}}
    events: list[PublicEvent] = []
    lines: list[int] = []
    seen: set[str] = set()
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        try:
            word, _, rest = line.partition(" ")
            if word in _OPTIONS:
                if events:
                    raise BadInput(f"{word!r} must come before the first event")
                option = " ".join(line.split()[:2]) if word == "open" else word
                if option in seen:
                    raise BadInput(f"{option!r} is given twice")
                seen.add(option)
                _OPTIONS[word](options, rest.split())
            elif "seats" not in options:
                raise BadInput("a log begins with the number of seats, like 'pigs 5'")
            else:
                events.append(parse_event(line))
                lines.append(number)
        except BadInput as error:
            raise error.at(line=number) from None
    if "seats" not in options:
        raise BadInput("the log is empty; it begins with the number of seats: 'pigs 5'")
    hands = options.pop("open_hands")
    if hands:
        seats = range(1, options["seats"] + 1)
        for seat in sorted(hands.keys() ^ set(seats)):
            problem = f"no line 'open {seat} CARDS'" if seat in seats else f"no seat {seat}"
            raise BadInput(f"open hands: there is {problem}")
        options["open_hands"] = tuple(hands[seat] for seat in seats)
    return Log(cls(**options), events, lines)


def _number(words: list[str], usage: str) -> int:
    if len(words) != 1 or not re.fullmatch(r"[0-9]{1,6}", words[0]):
        raise BadInput(f"write '{usage}'")
    return int(words[0])


def _read_discards(options: dict[str, Any], words: list[str]) -> None:
    if words not in (["shown"], ["hidden"]):
        raise BadInput("write 'discards shown' or 'discards hidden'")
    options["discards_shown"] = words == ["shown"]


def _read_rules(options: dict[str, Any], words: list[str]) -> None:
    if len(words) != 1 or words[0] not in RULE_SETS:
        raise BadInput("write 'rules seed' or 'rules contest'")
    options["rule_set"] = words[0]


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


def _read_weights(options: dict[str, Any], words: list[str]) -> None:
    options["weights"] = parse_weights(words)


def _read_viewpoint(options: dict[str, Any], words: list[str]) -> None:
    options["viewpoint"] = parse_viewpoint(words)


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


def _read_open_hand(options: dict[str, Any], words: list[str]) -> None:
    if len(words) not in (1, 2) or not re.fullmatch(r"[0-9]{1,6}", words[0]):
        raise BadInput("write a seat's cards in the order of drawing like 'open 2 DDKK'")
    options["open_hands"][int(words[0])] = words[1] if len(words) == 2 else ""


_OPTIONS: Mapping[str, Callable[[dict[str, Any], list[str]], None]] = {
    "pigs": lambda options, words: options.update(seats=_number(words, "pigs 5")),
    "hand": lambda options, words: options.update(hand=_number(words, "hand 4")),
    "rebels": lambda options, words: options.update(rebels=_number(words, "rebels 2")),
    "rules": _read_rules,
    "pile": lambda options, words: options.update(pile=_number(words, "pile 200")),
    "discards": _read_discards,
    "weights": _read_weights,
    "as": _read_viewpoint,
    "open": _read_open_hand,
}


def format_log(setup: Setup, events: Sequence[PublicEvent]) -> str:
    """Return the log as text; `parse_log` reads it back.

    >>> from games.pigs.events import EndTurn, Turn
    >>> print(format_log(Setup(2, rebels=1), (Turn(1), EndTurn(1))), end="")
    pigs 2
    rebels 1
    turn 1
    1 ends
    """
    rows = [f"pigs {setup.seats}"]
    if setup.rule_set != "contest":
        rows.append(f"rules {setup.rule_set}")
    if setup.pile is not None:
        rows.append(f"pile {setup.pile}")
    if setup.hand != STARTING_HAND:
        rows.append(f"hand {setup.hand}")
    if setup.rebels is not None:
        rows.append(f"rebels {setup.rebels}")
    if setup.discards_shown:
        rows.append("discards shown")
    if setup.weights != PLAIN_WEIGHTS:
        rows.append(" ".join(["weights", *(f"{c}={setup.weights[c]}" for c in CARDS)]))
    if setup.viewpoint is not None:
        view = setup.viewpoint
        rows.append(f"as {view.seat} {view.role} {view.cards}".rstrip())
    if setup.open_hands is not None:
        rows += [f"open {seat} {cards}".rstrip() for seat, cards in enumerate(setup.open_hands, 1)]
    return "\n".join([*rows, *map(format_event, events)]) + "\n"


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
