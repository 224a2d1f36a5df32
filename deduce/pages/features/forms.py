"""Forms that are made from classes: for the set-up of a game, and for the events of its log.

The fields of a class are its controls: what has names to choose from is chosen, the rest is typed.
The words are those of the log.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, get_args, get_origin, get_type_hints

from attrs import fields as attrs_fields

from deduce.errors import BadInput
from deduce.line_game import LineGame
from deduce.logs.json_values import structure
from deduce.logs.templates import line_of_fields, types_of
from deduce.pages.html import Child, Chip, Html, chips, details, field, form, submit, tag, textarea
from deduce.pages.protocol import Intent, index_of
from deduce.pages.sentences import Texts
from deduce.system.text import capital, whole_number

__all__ = ["event_forms", "form_line", "setting_controls", "setup_of"]

MAX_CHIPS = 24
"""Of more names one is typed, not chosen."""


def _label(name: str) -> str:
    return capital(name.replace("_", " "))


def _yes_no(say: Texts) -> list[Chip]:
    return [Chip(value, say(f"grid.{value}")) for value in ("yes", "no")]


def setting_controls(say: Texts, kind: type) -> Iterator[Html]:
    """Yield a control for each setting of a class of games, with what it is by default."""
    game = kind()
    for name in (each.name for each in attrs_fields(kind) if each.init):
        value, control, label = getattr(game, name), f"set-{name}", _label(name)
        if isinstance(value, bool):
            yield chips(label, control, _yes_no(say), ["yes" if value else "no"])
        elif isinstance(value, tuple) and value and isinstance(value[0], tuple):
            rows = "\n".join(", ".join(map(str, row)) for row in value)
            yield textarea(label, control, rows, rows=6)
        else:
            shown = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            yield field(label, control, shown)


def setup_of(kind: Any, intent: Intent) -> Any:
    """Return the game with the settings of a form; raise `BadInput` if one cannot be."""
    hints, values = get_type_hints(kind), {}
    for name in (each.name for each in attrs_fields(kind) if each.init):
        if f"set-{name}" in intent.form:
            values[name] = _parsed(intent.first(f"set-{name}"), hints[name])
    return structure(values, kind)


def _parsed(text: str, wanted: Any) -> Any:
    """Return the value of a setting; what is not of its type remains text, which is refused."""
    if get_origin(wanted) is tuple:
        inner = get_args(wanted)[0]
        parts = text.splitlines() if get_origin(inner) is tuple else text.split(",")
        return [_parsed(part.strip(), inner) for part in parts if part.strip()]
    if wanted is bool:
        return text == "yes"
    number = whole_number(text.strip()) if wanted is int else None
    return text.strip() if number is None else number


def event_forms(say: Texts, game: Any, count: int) -> list[Html]:
    """Return what unfolds to a form for each class of events, to be added to ``count`` events."""
    if not isinstance(game, LineGame):
        return []
    shown = []
    for number, kind in enumerate(game.events):  # type: ignore[attr-defined]
        allowed = game.fields(kind)
        controls = [_control(say, name, wanted, allowed.get(name, ()))
                    for name, wanted in types_of(kind).items()]  # fmt: skip
        which = tag("input", type="hidden", name="kind", value=number)
        add = submit(say("log.add_button"))
        parts = re.split(r"\{(.*?)\}", kind.template)  # every second one is the name of a field
        title = [tag("i", part.replace("_", " ")) if odd % 2 else part
                 for odd, part in enumerate(parts)]  # fmt: skip
        about = (kind.__doc__ or "").replace("`", "").partition("\n\n")[0]
        inside = [which, about and tag("p", about, class_="hint"), controls, add]
        entry = form("enter", inside, id_=f"enter-{number}-{count}")  # empty again
        shown.append(details(tag("span", *title), entry,
                             key=f"enter-{number}", one_of="enter"))  # fmt: skip
    return shown


def _control(say: Texts, name: str, wanted: Any, allowed: Collection[Any]) -> Child:
    control, label = f"f-{name}", _label(name)
    if wanted is bool:
        return chips(label, control, _yes_no(say), [])
    many = get_origin(wanted) is tuple
    if 0 < len(allowed) <= MAX_CHIPS and not (many and isinstance(allowed, Mapping)):
        entries = [Chip(str(each), str(each)) for each in dict.fromkeys(allowed)]
        return chips(label, control, entries, [], many=many)
    first = [str(each) for each, _ in zip(allowed, range(3), strict=False)]
    some = (" " if many else ", ").join(first)
    hint = say("log.example", example=some) if some else None
    return field(label, control, hint=hint)


def form_line(say: Texts, game: Any, intent: Intent) -> str:
    """Return the line of the event that a form of `event_forms` states."""
    kinds = game.events if isinstance(game, LineGame) else ()  # type: ignore[attr-defined]
    kind = kinds[index_of(intent.first("kind"), len(kinds))]
    words = {name: " ".join(intent.form.get(f"f-{name}", ())) for name in types_of(kind)}
    for name, wanted in types_of(kind).items():
        if get_origin(wanted) is tuple:
            words[name] = " ".join(words[name].replace(",", " ").split())
        elif not words[name].strip():
            raise BadInput(say("log.missing", what=_label(name)))
    return line_of_fields(kind, words)
