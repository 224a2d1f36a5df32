"""Events as lines of text and as JSON lists, both ways."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import attrs
from attrs import frozen

from deduce.errors import BadInput
from deduce.text import nearest
from games.pigs.cards import CARDS, ROLES, Role
from games.pigs.events import (
    Answer,
    At,
    Die,
    End,
    EndTurn,
    Hit,
    LoseAll,
    Nullify,
    PublicEvent,
    Reward,
    Save,
    Turn,
    Use,
)
from games.pigs.log import check_cards

__all__ = ["event_from_json", "event_to_json", "format_event", "parse_event", "parse_role"]


@frozen
class _Form:
    """How one kind of event is written; ``pattern`` has the groups that ``make`` takes."""

    pattern: str
    example: str
    make: Callable[..., PublicEvent]


def _shown(cards: str | None) -> str | None:
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


def _card(word: str) -> str:
    if len(word) != 1:
        raise BadInput(f"a card is one letter of {', '.join(CARDS)}, not {word!r}", text=word)
    return check_cards(word, what="card")


_FORMS = (
    _Form(r"turn (\d{1,6})", "turn 3", lambda p: Turn(int(p))),
    _Form(r"(\d{1,6}) ends", "3 ends", lambda p: EndTurn(int(p))),
    _Form(
        r"(\d{1,6}) uses (\S+)(?: on (\d{1,6}))?",
        "3 uses K on 4",
        lambda p, c, t: Use(int(p), _card(c), t and int(t)),
    ),
    _Form(r"at (\d{1,6})", "at 4", lambda t: At(int(t))),
    _Form(r"(\d{1,6}) nullifies (\d{1,6})", "4 nullifies 1", lambda p, k: Nullify(int(p), int(k))),
    _Form(r"(\d{1,6}) answers (\S+)", "4 answers D", lambda p, c: Answer(int(p), _card(c))),
    _Form(r"(\d{1,6}) hit by (\d{1,6})", "4 hit by 3", lambda v, s: Hit(int(v), int(s))),
    _Form(r"(\d{1,6}) saved", "4 saved", lambda v: Save(int(v))),
    _Form(
        r"(\d{1,6}) dies (\S+)(?: (\S+))?",
        "4 dies FP",
        lambda v, r, cards: Die(int(v), parse_role(r), _shown(cards)),
    ),
    _Form(r"(\d{1,6}) draws (\d{1,6})", "3 draws 3", lambda p, k: Reward(int(p), int(k))),
    _Form(
        r"(\d{1,6}) loses all(?: (\S+))?",
        "1 loses all",
        lambda p, cards: LoseAll(int(p), _shown(cards)),
    ),
    _Form(r"(\S+) wins", "MP wins", lambda r: End(parse_role(r))),
)


def parse_event(text: str) -> PublicEvent:
    """Return the event that a line of a log describes.

    Raises
    ------
    BadInput
        The line has none of the known forms.

    Examples
    --------
    >>> parse_event("3 uses K on 4")
    Use(seat=3, card='K', target=4)
    """
    line = " ".join(text.split())
    for form in _FORMS:
        found = re.fullmatch(form.pattern, line, re.ASCII)
        if found:
            return form.make(*found.groups())
    verbs = {word: form for form in _FORMS for word in form.pattern.split() if word.isalpha()}
    words = [word for word in line.split() if not word.isdigit()]
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
        case Answer(seat, card):
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


def _face_up(cards: str | None) -> str:
    return "" if cards is None else f" {cards or '-'}"


_JSON_NAMES: Mapping[str, type[PublicEvent]] = {
    "turn": Turn,
    "end_turn": EndTurn,
    "use": Use,
    "at": At,
    "null": Nullify,
    "resp": Answer,
    "hit": Hit,
    "save": Save,
    "die": Die,
    "reward": Reward,
    "lose_all": LoseAll,
    "end": End,
}
_JSON_NAME_OF = {kind: name for name, kind in _JSON_NAMES.items()}


def event_to_json(event: PublicEvent) -> list[int | str]:
    """Return the event as a JSON list: its name, then what it names; absent parts are left out.

    >>> event_to_json(Use(3, "K", 4))
    ['use', 3, 'K', 4]
    """
    parts = attrs.astuple(event)
    return [_JSON_NAME_OF[type(event)], *(part for part in parts if part is not None)]


def event_from_json(data: Any) -> PublicEvent:
    """Return the event that a JSON list describes.

    Raises
    ------
    BadInput
        It is no list, has an unknown name, or too few, too many or wrong parts.
    """
    if not isinstance(data, list) or not data or data[0] not in tuple(_JSON_NAMES):
        names = ", ".join(_JSON_NAMES)
        raise BadInput(f"an event is a list that begins with one of {names}, not {data!r}")
    kind = _JSON_NAMES[data[0]]
    fields = attrs.fields(kind)
    least = sum(field.default is attrs.NOTHING for field in fields)
    if not least <= len(data) - 1 <= len(fields):
        names = ", ".join(field.name for field in fields)
        raise BadInput(f"event {data!r}: {data[0]!r} takes {names}")
    for field, part in zip(fields, data[1:], strict=False):
        if field.name == "card":
            _card(_text(part, data))
        elif field.name == "cards":
            check_cards(_text(part, data), what="lost cards")
        elif field.name in ("role", "winner"):
            parse_role(_text(part, data))
        elif not isinstance(part, int) or isinstance(part, bool):
            raise BadInput(f"event {data!r}: {part!r} has to be a number")
    return kind(*data[1:])


def _text(part: Any, data: Any) -> str:
    if not isinstance(part, str):
        raise BadInput(f"event {data!r}: {part!r} has to be text")
    return part
